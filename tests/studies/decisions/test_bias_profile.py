"""How biased decisions are: the published metric, and what stands beside it."""

import pandas as pd
import pytest

from biaslab.stats.errors import BrokenOutcomes
from biaslab.studies.decisions.results import bias_profile


def rows(cases, *, bias="anchoring", kappa=-1, gammas=(0, 0), scale=7):
    """Items as the store gives them; a case is (position, sample, a1, a2, scene)."""
    found = []
    for position, sample, control, treatment, scene in cases:
        for arm, answer, gamma in (("x", control, gammas[0]), ("x_prime", treatment, gammas[1])):
            found.append(
                {
                    "run": "r", "study": "decision", "model": "m", "model_kind": "learner",
                    "strategy": "choose", "position": position, "arm": arm, "sample": sample,
                    "state": answer if isinstance(answer, str) else "answered",
                    "extra": {} if isinstance(answer, str) else {"position": answer},
                    "facts": {"kappa": kappa, "gamma": gamma, "scale": scale},
                    "cluster": scene, "strata": {"bias": bias},
                }
            )  # fmt: skip
    return pd.DataFrame(found)


def test_the_metric_and_what_it_hides():
    # Given one full effect, one pair unchanged and one small effect the other way
    items = rows([(0, 0, 0, 6, "a"), (1, 0, 3, 3, "b"), (2, 0, 6, 5, "c")])
    # When it is scored
    score, of_bias = bias_profile(items)
    # Then the mean metric is (1 + 0 - 1/6) / 3, and the shift is (6 + 0 - 1) / 6 / 3
    assert score.metric == pytest.approx((1 - 1 / 6) / 3)
    assert score.size == pytest.approx((1 + 1 / 6) / 3)
    assert score.movement == pytest.approx((1 - 1 / 6) / 3)
    assert score.unchanged == pytest.approx(1 / 3)
    assert (score.n, score.clusters, score.bias, of_bias.bias) == (3, 3, "all", "anchoring")
    assert score.metric_ci.low < score.metric < score.metric_ci.high
    assert score.chance.mean_size == pytest.approx(0.5510, abs=5e-5)


def test_distances_are_measured_from_each_arms_own_point():
    items = rows([(0, 0, 1, 1, "a")], kappa=1, gammas=(-2, -3), scale=11)
    score = bias_profile(items)[0]
    assert score.metric == pytest.approx((3 - 4) / 4)
    assert score.movement == pytest.approx((3 - 4) / 10)
    assert score.unchanged == 1


def test_an_answer_that_cannot_be_read_and_one_that_failed_are_counted_apart_and_never_scored():
    items = rows([(0, 0, 0, 6, "a"), (1, 0, "invalid", 3, "b"), (2, 0, 2, "failed", "c"),
                  (3, 0, "missing", "invalid", "d")])  # fmt: skip
    score = bias_profile(items)[0]
    assert (score.n, score.invalid, score.failed) == (1, 1, 2)
    assert score.metric == 1


def test_samples_of_a_pair_are_one_pair_and_show_its_noise():
    items = rows([(0, 0, 0, 6, "a"), (0, 1, 3, 3, "a"), (1, 0, 3, 3, "b"), (1, 1, 3, 3, "b")])
    score = bias_profile(items)[0]
    assert (score.n, score.samples) == (2, 2)
    assert score.metric == pytest.approx(0.25)
    assert score.noise == pytest.approx(0.5)
    assert bias_profile(rows([(0, 0, 0, 6, "a")]))[0].noise is None


def test_scenes_are_respected_by_the_intervals():
    apart = bias_profile(rows([(k, 0, 0, 6 * (k % 2), f"s{k}") for k in range(20)]))[0]
    shared = bias_profile(rows([(k, 0, 0, 6 * (k % 2), f"s{k % 2}") for k in range(20)]))[0]
    width = [score.metric_ci.high - score.metric_ci.low for score in (apart, shared)]
    assert width[1] > 3 * width[0]


def test_a_run_without_a_readable_answer_has_no_figures():
    score = bias_profile(rows([(0, 0, "invalid", "invalid", "a")]))[0]
    assert (score.n, score.metric, score.chance, score.band) == (0, None, None, None)


def test_tables_of_another_study_or_version_are_refused():
    items = rows([(0, 0, 0, 6, "a")])
    with pytest.raises(BrokenOutcomes, match="leave their runs out"):
        bias_profile(items.assign(study="carry"))
    with pytest.raises(BrokenOutcomes, match="no column facts"):
        bias_profile(items.drop(columns="facts"))
    with pytest.raises(BrokenOutcomes, match="another version"):
        bias_profile(items.assign(extra=[{}, {}]))
