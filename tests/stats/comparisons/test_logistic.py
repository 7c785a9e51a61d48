"""The logistic model beside the plain effect, and its traps."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.genmod.families import Binomial

from biaslab.stats import CannotCompare, compare
from biaslab.stats.comparisons.over_strata import logistic
from biaslab.stats.comparisons.shared_pairs import RunPairs
from tests.stats.comparison_cases import drawn, runs_of_table, table, with_steps

RIGHT = [(0.95, 0.8), (0.9, 0.6), (0.8, 0.5)]


@pytest.fixture
def outcomes() -> pd.DataFrame:
    return with_steps(80, RIGHT, np.random.default_rng(31))


def _run(outcomes: pd.DataFrame) -> RunPairs:
    (run,) = runs_of_table(outcomes)
    return run


@pytest.mark.parametrize("by", [None, "steps"])
def test_in_a_balanced_design_the_effect_is_the_plain_difference(
    outcomes: pd.DataFrame, by: str | None
) -> None:
    run = _run(outcomes)
    assert logistic(run, by).estimate == pytest.approx(run.difference.mean(), abs=1e-9)


def test_coefficients_are_those_of_a_formula_with_clustered_errors(outcomes: pd.DataFrame) -> None:
    found = logistic(_run(outcomes), "steps")
    steps = [strata["steps"] for strata in outcomes["strata"]]
    long = pd.DataFrame(
        {
            "y": [*outcomes["y_x"], *outcomes["y_x_prime"]],
            "condition": [1] * len(outcomes) + [0] * len(outcomes),
            "steps": np.array(steps * 2) - np.mean(steps),
            "source": pd.factorize(pd.concat([outcomes["cluster"]] * 2))[0],
        }
    )
    fit = smf.glm("y ~ condition * steps", long, family=Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": long["source"]}
    )
    assert [c.name for c in found.coefficients] == [
        "intercept", "condition", "steps", "condition:steps",
    ]  # fmt: skip
    assert [c.estimate for c in found.coefficients] == pytest.approx(list(fit.params))
    assert [c.error for c in found.coefficients] == pytest.approx(list(fit.bse))


def test_without_a_stratum_the_interval_is_that_of_the_paired_difference(
    outcomes: pd.DataFrame,
) -> None:
    run = _run(outcomes)
    found = logistic(run)
    error = run.difference.std(ddof=1) / np.sqrt(len(run.difference))
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert (found.ci_high - found.ci_low) / 2 == pytest.approx(1.97 * error, rel=0.01)


def test_words_of_a_stratum_get_a_term_each(outcomes: pd.DataFrame) -> None:
    worded = outcomes.assign(strata=[{"op": "abc"[s["steps"] - 1]} for s in outcomes["strata"]])
    found = logistic(_run(worded), "op")
    assert [c.name for c in found.coefficients] == [
        "intercept", "condition", "op=b", "op=c", "condition:op=b", "condition:op=c",
    ]  # fmt: skip
    shares = worded.assign(op=[s["op"] for s in worded["strata"]]).groupby("op")["y_x"].mean()
    logit = found.coefficients[0].estimate + found.coefficients[1].estimate
    assert logit == pytest.approx(np.log(shares["a"] / (1 - shares["a"])))


@pytest.mark.parametrize("right", [True, False])
def test_an_arm_without_any_exception_gets_no_coefficients_and_the_reason(
    outcomes: pd.DataFrame, right: bool
) -> None:
    second = np.array([s["steps"] == 2 for s in outcomes["strata"]])
    outcomes.loc[second, "y_x"] = float(right)
    found = compare(outcomes, trend_over="steps", model_based=True)
    (model,) = (f for f in found.findings if f.question == "model")
    assert model.coefficients == ()
    assert model.ci_low is None
    assert model.p is None
    assert model.estimate == pytest.approx((outcomes["y_x"] - outcomes["y_x_prime"]).mean())
    said = f"all answers to x are {'right' if right else 'wrong'} where steps=2"
    assert any(said in sentence for sentence in found.warnings)


def test_pairs_that_all_came_out_alike_give_no_interval_of_no_width() -> None:
    y = [1.0, 0.0] * 15
    found = logistic(_run(table(y, y)))
    assert found.estimate == 0.0
    assert (found.ci_low, found.p, found.coefficients) == (None, None, ())
    assert "all pairs came out alike" in found.method


def test_without_an_effect_it_finds_one_as_often_as_promised() -> None:
    rng = np.random.default_rng(33)
    found = [(logistic(_run(drawn(100, (0.7, 0.7), rng))).p or 1) < 0.05 for _ in range(200)]
    assert np.mean(found) <= 0.085


def test_a_known_effect_is_covered() -> None:
    rng = np.random.default_rng(1)
    right = [(0.85, 0.6), (0.8, 0.55), (0.7, 0.4)]
    rows = [logistic(_run(with_steps(60, right, rng)), "steps") for _ in range(150)]
    true = np.mean([x - y for x, y in right])
    covered = [(row.ci_low or 0) <= true <= (row.ci_high or 0) for row in rows]
    assert np.mean(covered) >= 0.9
    assert np.mean([row.p is not None and row.p < 0.05 for row in rows]) > 0.95


def test_it_is_the_same_in_any_order_of_pairs(outcomes: pd.DataFrame) -> None:
    one, other = logistic(_run(outcomes), "steps"), logistic(_run(outcomes[::-1]), "steps")
    assert (one.estimate, one.ci_low, one.p) == pytest.approx(
        (other.estimate, other.ci_low, other.p)
    )


def test_clusters_that_pairs_share_are_those_of_the_model(outcomes: pd.DataFrame) -> None:
    shared = outcomes.assign(cluster=[f"c{i % 20}" for i in range(len(outcomes))])
    assert logistic(_run(shared)).clusters == 20


def test_a_scale_and_too_few_clusters_are_refused(outcomes: pd.DataFrame) -> None:
    with pytest.raises(CannotCompare, match="on a scale"):
        logistic(_run(table([0.1, 0.5], [0.2, 0.3], study="decision")))
    few = outcomes.assign(cluster=[f"c{i % 4}" for i in range(len(outcomes))])
    with pytest.raises(CannotCompare, match="4 clusters for a model of 4"):
        logistic(_run(few), "steps")


def test_statsmodels_is_imported_only_where_a_model_is_asked_for() -> None:
    code = "import sys, biaslab.stats, biaslab.cli; sys.exit('statsmodels' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
