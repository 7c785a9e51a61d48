"""Items asked several times: a pair stays one pair, however often it was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from biaslab.stats import BrokenOutcomes, cate_estimate, effects, wilson

Maker = Callable[..., pd.DataFrame]

answers = st.sampled_from(["5", "7", None])
two_by_three = st.lists(
    st.tuples(*(st.lists(answers, min_size=3, max_size=3) for _ in range(2))),
    min_size=1,
    max_size=8,
)


def _simulated(seed: int, pairs: int, samples: int, clusters: int | None = None) -> pd.DataFrame:
    """Simulation: pairs of different difficulty, so that samples of a pair resemble each other."""
    rng = np.random.default_rng(seed)
    ease = rng.choice([0.2, 0.8], pairs)
    cluster = np.arange(pairs) % (clusters or pairs)
    tables = [
        pd.DataFrame(
            {
                "run": "r", "study": "s", "model": "m", "model_kind": "learner",
                "strategy": "direct", "pair": np.arange(pairs).astype(str),
                "cluster": cluster.astype(str), "strata": [{}] * pairs, "sample": sample,
                "y_x": (rng.random(pairs) < ease).astype(float),
                "y_x_prime": (rng.random(pairs) < ease - 0.1).astype(float),
                "state_x": "answered", "state_x_prime": "answered",
            }
        )
        for sample in range(samples)
    ]  # fmt: skip
    return pd.concat(tables)


class TestPairsStayPairs:
    def test_the_outcome_of_a_pair_is_the_mean_of_its_samples(self, make_samples: Maker) -> None:
        wrong = ["7", "7"]
        table = make_samples([["5", "5"], ["5", "7"], wrong], [["5", "7"], wrong, wrong])
        (effect,) = effects(table)
        assert (effect.n, effect.clusters, effect.samples) == (3, 3, 2)
        assert effect.accuracy_x == 0.5
        assert effect.accuracy_x_prime == pytest.approx(1 / 6)
        assert effect.cate == pytest.approx(1 / 3)
        assert "asked 2 times" in effect.method

    @settings(max_examples=40)
    @given(two_by_three)
    def test_every_figure_of_the_cate_is_that_of_one_mean_difference_a_pair(
        self, make_samples: Maker, rows: list[tuple[list[str | None], list[str | None]]]
    ) -> None:
        table = make_samples([x for x, _ in rows], [y for _, y in rows])
        (effect,) = effects(table)
        x, x_prime = (
            np.array([np.mean([a == "5" for a in row[arm]]) for row in rows]) for arm in (0, 1)
        )
        expected = cate_estimate(x, x_prime)
        assert effect.cate == pytest.approx(expected.mean)
        assert effect.p_mcnemar is None
        if len(rows) > 1 and np.ptp(x - x_prime) > 1e-9:
            assert expected.interval is not None
            assert effect.ci_low == pytest.approx(expected.interval.low)
            assert effect.p_t == pytest.approx(stats.ttest_rel(x, x_prime).pvalue)
        asked = sum(a is None for row in rows for a in row[0])
        assert effect.invalid_x == asked

    @settings(max_examples=40)
    @given(st.lists(st.tuples(answers, answers), min_size=1, max_size=12))
    def test_asking_again_and_getting_the_same_adds_no_certainty_about_the_effect(
        self, make_samples: Maker, rows: list[tuple[str | None, str | None]]
    ) -> None:
        once = make_samples([[x] for x, _ in rows], [[y] for _, y in rows])
        often = make_samples([[x] * 4 for x, _ in rows], [[y] * 4 for _, y in rows])
        (one,), (four,) = effects(once), effects(often)
        assert (four.n, four.samples) == (one.n, 4)
        assert (four.cate, four.ci_low, four.ci_high) == pytest.approx(
            (one.cate, one.ci_low, one.ci_high), nan_ok=True
        ) or one.ci_low is None
        assert four.accuracy_x_ci is not None
        assert one.accuracy_x_ci is not None
        width = four.accuracy_x_ci.high - four.accuracy_x_ci.low
        assert width > 0.99 * (one.accuracy_x_ci.high - one.accuracy_x_ci.low) or len(rows) == 1

    def test_means_that_differ_by_rounding_only_are_alike(self, make_samples: Maker) -> None:
        rows = (["5", "5", "5"], ["5", "5", "7"]), (["5", "5", "7"], ["5", "7", "7"])
        (effect,) = effects(make_samples(*zip(*rows, strict=True)))
        assert effect.cate == pytest.approx(1 / 3)
        assert effect.p_t is None
        assert effect.ci_low is not None

    def test_a_column_of_samples_that_says_nothing_changes_nothing(
        self, make_outcomes: Maker
    ) -> None:
        table = make_outcomes([1, 1, None, 0], [0, 1, 0, 0])
        for silent in (0, np.nan, None):
            assert effects(table.assign(sample=silent)) == effects(table)

    def test_clusters_that_pairs_share_hold_their_samples_too(self) -> None:
        (alone,) = effects(_simulated(1, 60, 3))
        (shared,) = effects(_simulated(1, 60, 3, clusters=6))
        assert (shared.n, shared.clusters) == (60, 6)
        assert "all intervals and p respect them" in shared.method
        assert (shared.p_t, alone.p_t is None) == (None, False)

    def test_strata_see_the_samples_of_their_own_pairs(self, make_samples: Maker) -> None:
        table = make_samples(
            [["5", "5"], ["7", "5"]], [["7", "7"], ["7", "7"]], strata=[{"steps": 1}, {"steps": 2}]
        )
        assert [(e.n, e.samples, e.cate) for e in effects(table, by="steps")] == [
            (1, 2, 1.0), (1, 2, 0.5),
        ]  # fmt: skip


class TestUnfinishedSamples:
    X = (["5", "7", "5"], ["5", "5", "7"])
    X_PRIME = (["7", "7", "7"], ["7", "7", "7"])

    def test_a_pair_counts_with_those_of_its_samples_that_came_back(
        self, make_samples: Maker
    ) -> None:
        table = make_samples(self.X, self.X_PRIME)
        table.loc[1, "state_x"] = "failed"
        table.loc[2, "state_x_prime"] = "missing"
        (effect,) = effects(table)
        assert (effect.n, effect.failed, effect.unfinished) == (2, 0, 0)
        assert effect.accuracy_x == pytest.approx((1 + 2 / 3) / 2)
        assert "1 because a request failed, 1 because an answer is still missing" in effect.method

    def test_a_pair_without_any_is_counted_once_whyever_it_is_left_out(
        self, make_samples: Maker
    ) -> None:
        table = make_samples(self.X * 2, self.X_PRIME * 2)
        table.loc[0:2, "state_x"] = ["failed", "missing", "missing"]
        table.loc[3:5, "state_x"] = "missing"
        table.loc[6:8, "state_x"] = "invalid"
        (effect,) = effects(table, invalid="exclude")
        assert (effect.n, effect.failed, effect.unfinished, effect.excluded) == (1, 1, 1, 1)
        assert effect.invalid_x == 3


class TestAccuracies:
    def test_intervals_treat_the_samples_of_a_pair_as_one_observation(self) -> None:
        table = _simulated(2, 100, 5)
        (effect,) = effects(table)
        naive = wilson(round(effect.accuracy_x * 500), 500)
        assert naive is not None
        assert effect.accuracy_x_ci.high - effect.accuracy_x_ci.low > 1.3 * (naive.high - naive.low)

    def test_they_hold_the_share_95_times_in_a_hundred_where_naive_ones_do_not(self) -> None:
        """Simulation: half of the pairs are easy, the true accuracy is 0.5."""
        tables = [_simulated(seed, 60, 5).assign(run=str(seed)) for seed in range(150)]
        found = effects(pd.concat(tables))
        naive = [wilson(int(table["y_x"].sum()), 300) for table in tables]
        hits = [e.accuracy_x_ci.low <= 0.5 <= e.accuracy_x_ci.high for e in found]
        naive_hits = [i is not None and i.low <= 0.5 <= i.high for i in naive]
        assert 0.92 <= np.mean(hits) <= 0.98
        assert np.mean(naive_hits) < 0.85

    def test_a_model_that_is_always_right_is_as_sure_as_its_pairs_not_its_samples(
        self, make_samples: Maker
    ) -> None:
        (effect,) = effects(make_samples([["5"] * 4] * 10, [["7"] * 4] * 10))
        expected = wilson(10, 10)
        assert expected is not None
        assert effect.accuracy_x_ci.low == pytest.approx(expected.low)
        assert (effect.accuracy_x_ci.high, effect.accuracy_x_prime_ci.low) == (1.0, 0.0)

    def test_on_a_scale_they_are_clustered_t_intervals(self, make_samples: Maker) -> None:
        table = make_samples([["5", "7"]] * 6, [["7", "7"]] * 6)
        rng = np.random.default_rng(0)
        table["y_x"] = rng.uniform(-1, 1, len(table))
        (effect,) = effects(table)
        means = table.groupby("pair")["y_x"].mean()
        low, high = stats.t.interval(0.95, 5, means.mean(), stats.sem(means))
        assert (effect.accuracy_x_ci.low, effect.accuracy_x_ci.high) == pytest.approx((low, high))


class TestRefusals:
    def test_the_same_sample_of_a_pair_twice(self, make_samples: Maker) -> None:
        table = make_samples([["5", "5"]], [["7", "7"]])
        table["sample"] = 1
        with pytest.raises(BrokenOutcomes, match="Sample 1 of pair p0 occurs twice in run r1"):
            effects(table)

    @pytest.mark.parametrize("wrong", [-1, 0.5, "first"])
    def test_a_sample_that_is_no_number(self, make_outcomes: Maker, wrong: object) -> None:
        with pytest.raises(BrokenOutcomes, match="Column sample"):
            effects(make_outcomes([1, 0], [0, 0]).assign(sample=[0, wrong]))

    def test_samples_of_a_pair_in_different_clusters(self, make_samples: Maker) -> None:
        table = make_samples([["5", "5"]], [["7", "7"]])
        table["cluster"] = ["a", "b"]
        with pytest.raises(BrokenOutcomes, match="different clusters"):
            effects(table)


def test_discovery_rates_are_those_of_the_one_test_also_where_there_is_no_t_test(
    make_samples: Maker,
) -> None:
    always = make_samples([["5"] * 2] * 5, [["7"] * 2] * 5, run="always")
    mixed = make_samples([["5", "7"], ["5", "5"], ["7", "7"]], [["7", "7"]] * 3, run="mixed")
    first, second = effects(pd.concat([always, mixed]))
    assert first.p_t is None
    expected = scipy.stats.false_discovery_control([first.p, second.p])
    assert [first.q_bh, second.q_bh] == pytest.approx(list(expected))
    assert replace(first, method="") != replace(second, method="")
