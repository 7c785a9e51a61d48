"""Formulas reckoned a second way: by matrices, in another unit, at the level that touches 0."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from biaslab.stats import (
    CountingRules,
    Finding,
    GroupSequential,
    Interval,
    agreement,
    compare,
    mean_estimate,
    mean_interval,
)
from biaslab.stats.beside_effects import explained, explained_columns, explained_records
from biaslab.stats.comparisons.comparisons import spread_between
from biaslab.stats.comparisons.over_strata import logistic, trend
from biaslab.stats.comparisons.shared_pairs import RunPairs, runs_of
from biaslab.stats.estimates import SteadiedMoments, clustered_share, effective_number
from biaslab.stats.paired import newcombe
from biaslab.stats.planning import Assumptions, discordance_seen
from tests.stats.comparison_cases import table, with_steps
from tests.stats.conftest import OutcomesMaker

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
    (run,) = runs_of(outcomes, CountingRules(confidence=confidence))
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


SCALE = st.lists(
    st.tuples(st.floats(-1, 1).map(lambda value: round(value, 2)), st.sampled_from("abcdefgh")),
    min_size=4,
    max_size=30,
)


@given(SCALE, st.sampled_from([0.7, 3.0, 10.0]))
@settings(deadline=None, max_examples=80)
def test_on_a_scale_estimates_are_in_its_unit(drawn: list[tuple[float, str]], times: float) -> None:
    values, cluster = (np.array(column) for column in zip(*drawn, strict=True))
    # Large enough that the least size of an imagined difference has no part in it
    values = np.append(values, [1.0, -1.0])
    cluster = np.append(cluster, ["i", "j"])
    one, other = (
        mean_estimate(each, cluster, scale=True, bound=np.inf) for each in (values, times * values)
    )
    assert one.interval is not None
    assert other.interval is not None
    ends = (times * one.interval.low, times * one.interval.high)
    assert (other.interval.low, other.interval.high) == pytest.approx(ends)
    assert other.variance == pytest.approx(times**2 * one.variance)
    assert other.p == pytest.approx(one.p)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_difference_that_cannot_be_is_enough_to_refuse(place: int) -> None:
    values = np.array([0.0, 1.0, -1.0])
    values[place] = 1.1
    with pytest.raises(ValueError, match="not a number from -1 to 1"):
        mean_estimate(values)


def test_a_slope_is_cut_at_the_steepest_there_can_be_and_on_a_scale_it_is_not() -> None:
    steps = [{"steps": step} for step in (1, 2) for _ in range(6)]
    x, x_prime = [0.0] * 6 + [1.0] * 6, [1.0] * 6 + [0.0] * 6
    found = trend(_run(table(x, x_prime, strata=steps)), "steps")
    assert found.estimate == found.ci_high == 2.0
    scale = table(x, x_prime, strata=steps, study="decision")
    # A metric may reach beyond the scale.
    scale["y_x"] = 0.5 + 2.0 * scale["y_x"] + np.linspace(0.0, 0.3, 12)
    assert trend(_run(scale), "steps").ci_high > 2.0


def test_a_p_of_several_differences_is_never_above_1() -> None:
    same = [np.array([1.0, -1.0, 0.0, 0.0, 1.0, -1.0]) for _ in range(3)]
    found = spread_between(
        same,
        np.arange(6),
        lambda values, confidence: mean_estimate(values, None, confidence, bound=2.0),
        0.95,
    )
    assert found.p == 1.0


def test_two_values_have_a_t_interval() -> None:
    low, high = stats.t.interval(0.95, 1, loc=0.5, scale=0.5)
    assert mean_interval(np.array([0.0, 1.0])) == Interval(pytest.approx(low), pytest.approx(high))


def test_items_of_which_nothing_could_be_read_agree_in_nothing(make_samples: OutcomesMaker) -> None:
    (found,) = agreement(make_samples([[None] * 4, ["5"] * 4], [["5"] * 4, ["6"] * 4]))
    assert (found.agreement, found.alike, found.items) == (0.75, 0.75, 4)


def test_samples_that_vary_leave_a_share_of_the_variance() -> None:
    for samples, kept in ((1, 1.0), (2, 0.6), (4, 0.4)):
        given = Assumptions.of(0.1, 0.5, samples=samples, alike=0.2)
        assert given.kept == pytest.approx(kept)
        assert given.variance == pytest.approx(kept * (0.5 - 0.1**2))


def test_the_share_of_variance_between_pairs_is_that_of_the_analysis_of_variance(
    make_samples: OutcomesMaker,
) -> None:
    rng = np.random.default_rng(11)
    level = rng.random(30)
    said = [
        [["5" if rng.random() < share else "6" for _ in range(4)] for share in shares]
        for shares in (level, 1.0 - level)
    ]
    found = discordance_seen(make_samples(*said))
    rows = np.array(said) == "5"
    differences = rows[0].astype(float) - rows[1]
    f = stats.f_oneway(*differences).statistic
    assert found is not None
    assert found.alike == pytest.approx((f - 1.0) / (f + 4 - 1.0))
    (two,) = {discordance_seen(make_samples(*([said[0][:1], said[1][:1]])))}
    assert two is not None
    assert two.alike is None


def test_a_run_that_was_looked_at_names_the_coverage_that_it_promises() -> None:
    made = GroupSequential(5, 100, alpha=0.1).adjustment_at(2.0)
    assert made.coverage == pytest.approx(0.9)
    assert "To cover 90 %" in made.note


def test_the_design_effect_starts_at_its_worst_and_is_lowered_by_what_was_seen() -> None:
    # 40 pairs in clusters that come to 3 a pair, mean .3, a quarter of them with no difference
    n, mean, square, c = 40.0, 0.3, 0.75, 3.0
    for shown, nu in ((60.0, 9.0), (200.0, 4.0)):
        found = SteadiedMoments.of(n, mean, square, shown, nu, c)
        spread, weight = n * (0.75 - 0.09), 2 * 3 + 1
        design_effect = max(1.0, (shown + weight * 3) / (spread + weight))
        assert found.effective == pytest.approx(n / design_effect)
        assert found.freedom == pytest.approx(nu * ((shown + weight * 3) / shown) ** 2)


@given(st.lists(st.tuples(*(st.sampled_from([-1.0, 0.0, 1.0]),) * 3), min_size=4, max_size=30))
@settings(deadline=None, max_examples=40)
def test_the_spread_between_ways_is_their_distance_less_what_chance_gives(
    rows: list[tuple[float, float, float]],
) -> None:
    ways = [np.array(column) for column in zip(*rows, strict=True)]
    n = len(rows)
    found = spread_between(
        ways,
        np.arange(n),
        lambda values, confidence: mean_estimate(values, None, confidence, bound=2.0),
        0.95,
    )
    apart = [ways[0] - ways[1], ways[0] - ways[2], ways[1] - ways[2]]
    square = sum(each.mean() ** 2 - each.var(ddof=1) / n for each in apart) / 6
    assert found.deviation == pytest.approx(np.sqrt(max(0.0, square)), abs=1e-7)


@given(st.tuples(*(st.integers(0, 15),) * 4).filter(lambda counts: sum(counts) > 1))
@settings(deadline=None, max_examples=60)
def test_newcombes_interval_is_that_of_his_tenth_method(counts: tuple[int, int, int, int]) -> None:
    e, f, g, h = counts
    n, z2 = sum(counts), stats.norm.ppf(0.975) ** 2

    def reaches(successes: int) -> tuple[float, float, float]:
        share = successes / n
        middle = (2 * successes + z2) / (2 * (n + z2))
        half = np.sqrt(z2 * (z2 + 4 * successes * (1 - share))) / (2 * (n + z2))
        return share, share - (middle - half), middle + half - share

    one, down_1, up_1 = reaches(e + f)
    other, down_2, up_2 = reaches(e + g)
    margins = (e + f) * (g + h) * (e + g) * (f + h)
    product = e * h - f * g
    corrected = max(product - n / 2, 0) if product > 0 else product
    phi = corrected / np.sqrt(margins) if margins else 0.0
    below = np.sqrt(max(0.0, down_1**2 - 2 * phi * down_1 * up_2 + up_2**2))
    above = np.sqrt(max(0.0, down_2**2 - 2 * phi * down_2 * up_1 + up_1**2))
    low, high = newcombe(*(np.array(float(count)) for count in (e, f, g, n)))
    assert (float(low), float(high)) == pytest.approx((one - other - below, one - other + above))


def test_what_strategies_explain_is_written_with_both_ends_of_each_interval() -> None:
    pairs = table([1, 1, 0, 1, 1, 0], [0, 1, 0, 0, 1, 0])
    pairs = pairs.assign(item_x=pairs["pair"] + "x", item_x_prime=pairs["pair"] + "y")
    got = {item: float(number % 2) for number, item in enumerate(sorted(pairs["item_x"]))}
    (found,) = explained(pairs, {"some-way": got | dict.fromkeys(pairs["item_x_prime"], 1.0)})
    (record,), columns = explained_records([found]), explained_columns([found])
    for name, estimate in (("cate", found.model), ("own", found.own), ("rest", found.rest)):
        assert record[name] == estimate.mean
        assert estimate.interval is not None
        assert record[f"{name}_ci_low"] == estimate.interval.low
        assert record[f"{name}_ci_high"] == estimate.interval.high
    assert columns == {
        "baseline_some_way": record["own"],
        "beyond_some_way": record["rest"],
        "beyond_some_way_ci_low": record["rest_ci_low"],
        "beyond_some_way_ci_high": record["rest_ci_high"],
        "beyond_some_way_p": record["rest_p"],
    }
    assert record["rest_p"] == found.rest.p


def test_a_difference_over_all_pairs_is_by_nothing_and_one_of_a_stratum_by_it() -> None:
    runs = [with_steps(20, RIGHT, np.random.default_rng(3), run) for run in "ab"]
    found = compare(pd.concat(runs), by="steps").findings
    differences = [row for row in found if row.question.endswith("difference")]
    assert len(differences) == 8
    assert {row.by for row in differences if row.stratum == "all"} == {None}
    assert {row.by for row in differences if row.stratum != "all"} == {"steps"}


def test_no_difference_of_two_runs_reaches_beyond_what_can_be() -> None:
    one, zero = [1.0] * 8, [0.0] * 8
    opposite = pd.concat([table(one, zero, "a"), table(zero, one, "b")])
    (effect, _) = compare(opposite).findings
    assert effect.estimate == effect.ci_high == 2.0
    better = pd.concat([table(one, one, "a"), table(zero, zero, "b")])
    (_, accuracy) = compare(better).findings
    assert (accuracy.question, accuracy.estimate, accuracy.ci_high) == (
        "accuracy-difference", 1.0, 1.0,
    )  # fmt: skip
