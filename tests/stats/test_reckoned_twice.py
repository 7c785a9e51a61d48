"""Formulas reckoned a second way: by matrices, in another unit, at the level that touches 0."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from biaslab.stats import Finding, Setting, compare
from biaslab.stats.comparisons.logistic import logistic
from biaslab.stats.comparisons.over_strata import trend
from biaslab.stats.comparisons.shared_pairs import RunPairs, runs_of
from biaslab.stats.estimates.clustered import clustered_share, effective_number
from tests.stats.comparison_cases import table, with_steps

SHARES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from("abcdefg")),
    min_size=3,
    max_size=24,
)


def by_matrices(values: np.ndarray, cluster: np.ndarray) -> tuple[float, float]:
    """CR2 variance and degrees of freedom of a mean (Bell & McCaffrey 2002), as matrices."""
    n = len(values)
    rest = np.eye(n) - np.full((n, n), 1.0 / n)
    variance, columns = 0.0, []
    for one in dict.fromkeys(cluster):
        inside = cluster == one
        roots, turned = np.linalg.eigh(rest[np.ix_(inside, inside)])
        adjusted = turned @ np.diag(roots**-0.5) @ turned.T
        variance += float((adjusted @ (values - values.mean())[inside]).sum() / n) ** 2
        columns.append(rest[:, inside] @ adjusted.sum(axis=1) / n)
    moments = np.linalg.eigvalsh(np.array(columns) @ np.array(columns).T)
    return variance, float(moments.sum() ** 2 / (moments**2).sum())


@given(SHARES, st.sampled_from([0.8, 0.95, 0.99]))
@settings(deadline=None, max_examples=60)
def test_a_share_of_clusters_is_wilsons_of_as_many_answers_as_say_as_much(
    drawn: list[tuple[float, str]], confidence: float
) -> None:
    values, cluster = (np.array(column) for column in zip(*drawn, strict=True))
    most = 3 * len(values)
    interval = clustered_share(values, cluster, most, confidence)
    share, groups = values.mean(), len(set(cluster))
    assert interval is not None
    sums = [(values - share)[cluster == one].sum() for one in set(cluster)]
    if groups < 2 or np.allclose(sums, 0.0):
        number = groups if groups < 2 or share in (0.0, 1.0) else most
    else:
        variance, freedom = by_matrices(values, cluster)
        z, t = stats.norm.ppf(0.5 + confidence / 2), stats.t.ppf(0.5 + confidence / 2, freedom)
        number = min(most, share * (1 - share) / variance * (z / t) ** 2)
    assert effective_number(values, cluster, most, confidence) == pytest.approx(number)
    # The ends are the shares that a score test with so many answers just does not reject
    z = stats.norm.ppf(0.5 + confidence / 2)
    for end, beyond in ((interval.low, 0.0), (interval.high, 1.0)):
        if share == beyond:
            assert end == beyond
        else:
            assert abs(share - end) == pytest.approx(z * np.sqrt(end * (1 - end) / number))


def _run(outcomes: pd.DataFrame, confidence: float = 0.95) -> RunPairs:
    (run,) = runs_of(outcomes, Setting(confidence=confidence))
    return run


def _model(outcomes: pd.DataFrame, confidence: float) -> Finding:
    return logistic(_run(outcomes, confidence), "steps")


def _trend(outcomes: pd.DataFrame, confidence: float) -> Finding:
    return trend(_run(outcomes, confidence), "steps")


def _trend_of_clusters(outcomes: pd.DataFrame, confidence: float) -> Finding:
    shared = outcomes.assign(cluster=[f"c{i % 30}" for i in range(len(outcomes))])
    return trend(_run(shared, confidence), "steps")


KINDS = pytest.mark.parametrize("found", [_model, _trend, _trend_of_clusters])
RIGHT = [(0.8, 0.75), (0.8, 0.7), (0.8, 0.6)]


@pytest.mark.parametrize("found", [_model, _trend_of_clusters])
@pytest.mark.parametrize("seed", range(3))
def test_p_is_the_level_whose_interval_ends_at_0(found, seed: int) -> None:
    outcomes = with_steps(60, RIGHT, np.random.default_rng(seed))
    row = found(outcomes, 0.95)
    just = found(outcomes, 1.0 - row.p)
    assert min(abs(just.ci_low), abs(just.ci_high)) == pytest.approx(0.0, abs=1e-6)


def test_so_it_is_of_every_coefficient() -> None:
    outcomes = with_steps(60, RIGHT, np.random.default_rng(5))
    coefficients = _model(outcomes, 0.95).coefficients
    assert len(coefficients) == 4
    for number, one in enumerate(coefficients):
        found = _model(outcomes, 1.0 - one.p).coefficients[number]
        assert min(abs(found.ci_low), abs(found.ci_high)) == pytest.approx(0.0, abs=1e-9)


@KINDS
def test_in_another_unit_of_the_stratum_a_slope_is_another_and_an_effect_is_not(found) -> None:
    outcomes = with_steps(60, RIGHT, np.random.default_rng(7))
    larger = outcomes.assign(strata=[{"steps": 10 * each["steps"]} for each in outcomes["strata"]])
    one, ten = found(outcomes, 0.95), found(larger, 0.95)
    times = 1 if one.question == "model" else 10
    for name in ("estimate", "ci_low", "ci_high"):
        assert getattr(one, name) == pytest.approx(times * getattr(ten, name), rel=1e-6)
    assert one.p == pytest.approx(ten.p, rel=1e-6)


def test_a_row_of_runs_asked_once_and_thrice_says_thrice() -> None:
    rng = np.random.default_rng(2)
    once, thrice = (table(*(rng.random((2, 30)) < 0.6)).assign(run=name) for name in "ab")
    thrice = pd.concat([thrice.assign(sample=sample) for sample in range(3)])
    for runs in ([once, thrice], [thrice, once]):
        rows = compare(pd.concat(runs, ignore_index=True)).findings
        assert {row.samples for row in rows} == {3}
