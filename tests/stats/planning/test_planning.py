"""How many pairs an effect or an interval needs, held against formulas and simulation."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from biaslab.stats import (
    ASSUMED_DISCORDANCE,
    GroupSequential,
    ImpossiblePlan,
    cate_estimate,
    cate_of_counts,
    discordance_seen,
    exact_power,
    mcnemar_p,
    paired_t_p,
    pairs_for_width,
    pairs_needed,
    wilson,
)
from biaslab.stats.planning import PairedTest, chance_of_width, clear_from
from research.calibration.stopping import endings
from schoolmath.text.figures import exact_percent
from tests.loops import over

Maker = Callable[..., pd.DataFrame]

possible = st.tuples(st.floats(0.1, 0.9), st.floats(-1, 1)).map(lambda v: (v[0], v[0] * v[1]))


def _connor(cate: float, discordance: float, power: float) -> float:
    """Connor (1987), equation 3."""
    root = stats.norm.isf(0.025) * math.sqrt(discordance)
    root += stats.norm.ppf(power) * math.sqrt(discordance - cate**2)
    return (root / cate) ** 2


def _all_outcomes(n: int, cate: float, discordance: float) -> list[tuple[float, Any, Any]]:
    """Every way in which n pairs can come out, with its probability."""
    found = []
    for only_x, only_x_prime in product(range(n + 1), repeat=2):
        rest = n - only_x - only_x_prime
        if rest >= 0:
            p = stats.multinomial.pmf(
                [only_x, only_x_prime, rest],
                n,
                [(discordance + cate) / 2, (discordance - cate) / 2, 1 - discordance],
            )
            x = np.repeat([1.0, 0.0, 0.0], [only_x, only_x_prime, rest])
            x_prime = np.repeat([0.0, 1.0, 0.0], [only_x, only_x_prime, rest])
            found.append((p, x, x_prime))
    return found


class TestExactPower:
    @pytest.mark.parametrize(("cate", "discordance"), [(0.0, 0.3), (0.3, 0.4), (-0.2, 0.2)])
    def test_it_is_the_sum_over_everything_that_can_happen(
        self, cate: float, discordance: float
    ) -> None:
        by_interval = by_t = by_mcnemar = narrow = 0.0
        for p, x, x_prime in _all_outcomes(14, cate, discordance):
            p_t, p_mcnemar = paired_t_p(x, x_prime), mcnemar_p(x, x_prime)
            estimate = cate_estimate(x, x_prime)
            assert estimate.p is not None
            assert estimate.interval is not None
            by_interval += p * (estimate.p <= 0.05)
            # Where all pairs differ alike there is no t-test; its interval then leaves out 0.
            by_t += p * (p_t is None or p_t <= 0.05)
            by_mcnemar += p * (p_mcnemar is not None and p_mcnemar <= 0.05)
            narrow += p * (estimate.interval.high - estimate.interval.low <= 0.8)
        assert exact_power(14, cate, discordance) == pytest.approx(by_interval)
        assert exact_power(14, cate, discordance, test="t") == pytest.approx(by_t)
        assert exact_power(14, cate, discordance, test="mcnemar") == pytest.approx(by_mcnemar)
        assert chance_of_width(14, 0.4, cate, discordance) == pytest.approx(narrow)

    @given(st.integers(10, 2000), st.floats(0.02, 1.0))
    def test_without_an_effect_mcnemars_test_never_errs_more_often_than_it_says(
        self, n: int, discordance: float
    ) -> None:
        assert exact_power(n, 0.0, discordance, test="mcnemar") <= 0.05

    @given(st.integers(10, 2000), st.floats(0.001, 1.0), st.sampled_from([0.01, 0.05, 0.1]))
    def test_nor_does_that_of_the_interval_but_for_a_little(
        self, n: int, discordance: float, alpha: float
    ) -> None:
        assert exact_power(n, 0.0, discordance, alpha) <= 1.15 * alpha

    @pytest.mark.parametrize("discordance", [0.3, 0.5])
    @pytest.mark.parametrize("test", ["interval", "t"])
    def test_with_many_pairs_they_err_about_as_often_as_they_say(
        self, discordance: float, test: PairedTest
    ) -> None:
        assert exact_power(300, 0.0, discordance, test=test) == pytest.approx(0.05, abs=0.006)

    @settings(max_examples=30)
    @given(st.integers(2, 80), st.data(), st.sampled_from([0.8, 0.95, 0.999]))
    def test_beyond_a_limit_the_interval_leaves_out_0_and_before_it_does_not(
        self, n: int, data: st.DataObject, confidence: float
    ) -> None:
        differing = data.draw(st.integers(0, n))
        limit = clear_from(n, np.array([float(differing)]), confidence)[0]
        for only_x in range((differing + 1) // 2, differing + 1):
            found = cate_of_counts(0, only_x, differing - only_x, n - differing, confidence)
            assert found.ci_low is not None
            assert (found.ci_low > 0.0) == (2 * only_x - differing >= limit)


class TestPairsNeeded:
    @given(possible, st.sampled_from([0.8, 0.9]))
    def test_they_have_the_power_asked_for_and_one_fewer_has_not(
        self, effect: tuple[float, float], power: float
    ) -> None:
        discordance, cate = effect
        if abs(cate) < 0.02:
            return
        plan = pairs_needed(cate, power, discordance)
        assert plan.exact_power == exact_power(plan.pairs, abs(cate), discordance)
        assert plan.exact_power >= power
        if plan.pairs > 10:
            assert exact_power(plan.pairs - 1, abs(cate), discordance) < power

    @pytest.mark.parametrize(
        ("cate", "discordance", "power"),
        [(0.05, 0.3, 0.8), (0.1, 0.4, 0.9), (0.02, 0.5, 0.9), (-0.05, 0.1, 0.8)],
    )
    def test_many_pairs_agree_with_connors_formula(
        self, cate: float, discordance: float, power: float
    ) -> None:
        plan = pairs_needed(cate, power, discordance)
        assert plan.approximate_pairs == math.ceil(_connor(cate, discordance, power))
        assert plan.pairs == pytest.approx(_connor(cate, discordance, power), rel=0.08)

    def test_the_other_tests_power_stands_beside_it(self) -> None:
        """10 points where 20 % differ: t finds more, as it errs more; McNemar's a little less."""
        plan = pairs_needed(0.1, 0.8, 0.2)
        assert (plan.pairs, plan.approximate_pairs) == (159, 155)
        assert plan.exact_power == pytest.approx(0.802, abs=5e-4)
        assert plan.exact_power_t == exact_power(159, 0.1, 0.2, test="t")
        assert plan.exact_power_mcnemar == exact_power(159, 0.1, 0.2, test="mcnemar")
        assert plan.exact_power_mcnemar < plan.exact_power < plan.exact_power_t

    def test_a_discordance_that_nobody_has_seen_is_marked_as_assumed(self) -> None:
        assumed, given_ = pairs_needed(0.05, 0.9), pairs_needed(0.05, 0.9, ASSUMED_DISCORDANCE)
        assert (assumed.assumed, given_.assumed) == (True, False)
        assert assumed.pairs == given_.pairs
        assert assumed.method.startswith("ASSUMED, not seen")
        assert "ASSUMED" not in given_.method

    def test_looking_several_times_needs_more_at_most_and_fewer_on_average(self) -> None:
        once, often = pairs_needed(0.1, 0.8, 0.3), pairs_needed(0.1, 0.8, 0.3, looks=5)
        assert once.inflation == pytest.approx(1.0)
        assert once.expected_pairs == once.pairs
        assert once.pairs < often.pairs < 1.05 * once.pairs
        assert often.expected_pairs < 0.85 * once.pairs
        assert often.pairs_with_one_look == once.pairs

    @pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
    @pytest.mark.parametrize(("cate", "discordance"), [(0.1, 0.3), (0.2, 0.5)])
    def test_runs_as_planned_find_the_effect_as_often_and_as_early_as_planned(
        self, cate: float, discordance: float, spending: Any
    ) -> None:
        """Exact for single pairs, with 5 looks."""
        plan = pairs_needed(cate, 0.8, discordance, looks=5, spending=spending)
        found = endings(GroupSequential(5, plan.pairs, spending=spending))
        assert found.found(cate, discordance) == pytest.approx(0.8, abs=0.03)
        assert found.pairs(cate, discordance) == pytest.approx(plan.expected_pairs, rel=0.1)

    def test_samples_save_pairs_only_as_far_as_they_were_seen_to_vary(self) -> None:
        once = pairs_needed(0.1, 0.8, 0.4)
        unseen = pairs_needed(0.1, 0.8, 0.4, samples=5)
        half = pairs_needed(0.1, 0.8, 0.4, samples=5, alike=0.5)
        assert unseen.pairs == once.pairs
        assert "saves no pairs" in unseen.method
        assert half.pairs == pytest.approx(0.6 * once.pairs, rel=0.05)
        assert half.exact_power is None
        assert "normal approximation" in half.method

    def test_it_can_be_written_as_json(self) -> None:
        plan = pairs_needed(0.05, 0.9)
        assert json.loads(json.dumps(plan.as_json()))["pairs"] == plan.pairs

    @over(
        ("arguments", "message"),
        [
            ((0.3, 0.8, 0.2), "impossible if the members of only 20 % of the pairs differ"),
            ((0.5, 0.8), "the discordance assumed"),
            ((0.0, 0.8), "effect of 0"),
            ((5.0, 0.8), "give a fraction between -1 and 1"),
            ((0.1, 0.8, 40.0), "share of pairs"),
            ((0.1, 80.0), "cannot be the power"),
            ((0.1, 0.8, 0.4, 5.0), "cannot be the error"),
            ((0.1, 0.8, 0.4, 0.05, 0), "number of looks cannot be 0"),
            ((0.1, 0.8, 0.4, 0.05, 1000), "at most 50"),
            ((0.1, 0.8, 0.4, 0.05, 1, 0), "number of samples cannot be 0"),
            ((0.00001, 0.8, 0.4), "plan for a larger effect"),
        ],
    )
    def test_what_cannot_be_is_refused_in_a_sentence(self, arguments: Any, message: str) -> None:
        with pytest.raises(ImpossiblePlan, match=message):
            pairs_needed(*arguments)


class TestPairsForWidth:
    @given(st.floats(0.02, 0.3), st.sampled_from([0.1, 0.3, 0.5, 1.0]))
    def test_pairs_that_come_out_as_assumed_just_fit(
        self, half_width: float, discordance: float
    ) -> None:
        plan = pairs_for_width(half_width, discordance, confidence=0.9)

        def reach(n: int) -> float:
            """Of the interval of n pairs, the share that differs rounded to one more or fewer."""
            way = math.ceil if n < plan.pairs else math.floor
            only_x = way(n * discordance / 2)
            found = cate_of_counts(0, only_x, only_x, max(0, n - 2 * only_x), 0.9)
            assert found.ci_high is not None
            return found.ci_high

        assert reach(plan.pairs) <= half_width * 1.001
        assert plan.pairs == 10 or reach(plan.pairs - 1) > half_width * 0.98

    def test_about_half_of_such_runs_are_that_narrow(self) -> None:
        plan = pairs_for_width(0.05, 0.3)
        assert plan.chance == pytest.approx(0.5, abs=0.06)
        assert "about half" in plan.method

    def test_the_same_things_are_refused(self) -> None:
        with pytest.raises(ImpossiblePlan, match="half width"):
            pairs_for_width(5)
        with pytest.raises(ImpossiblePlan, match="impossible"):
            pairs_for_width(0.05, 0.1, cate=0.2)
        with pytest.raises(ImpossiblePlan, match="plan for a wider one"):
            pairs_for_width(1e-5)


class TestDiscordanceSeen:
    def test_it_is_the_share_of_pairs_whose_members_differ(self, make_outcomes: Maker) -> None:
        table = make_outcomes([1, 1, 0, None, 0, 1], [0, 1, 1, 0, None, 1])
        seen = discordance_seen(table)
        assert seen is not None
        assert (seen.n, seen.runs, seen.alike) == (6, 1, None)
        assert seen.discordance == pytest.approx(2 / 6)
        assert seen.interval.low < wilson(2, 6).low + 0.02  # type: ignore[union-attr]

    def test_pairs_of_several_runs_that_share_a_cluster_are_one_observation(
        self, make_outcomes: Maker
    ) -> None:
        table = make_outcomes([1, 0] * 20, [0, 0] * 20)
        one = discordance_seen(table)
        two = discordance_seen(pd.concat([table, table.assign(run="r2")]))
        assert one is not None
        assert two is not None
        assert (two.n, two.runs) == (80, 2)
        assert two.interval.low == pytest.approx(one.interval.low, abs=0.01)

    def test_several_samples_tell_how_alike_they_are(self, make_samples: Maker) -> None:
        """Simulation: with a share of 0.5 of the variance between pairs."""
        rng = np.random.default_rng(3)
        p_x, p_x_prime = rng.choice([0.146, 0.854], (2, 800))
        arms = [
            np.where(rng.random((800, 4)) < p[:, None], "5", "6").tolist() for p in (p_x, p_x_prime)
        ]
        seen = discordance_seen(make_samples(*arms))
        assert seen is not None
        assert seen.alike == pytest.approx(0.5, abs=0.05)
        assert seen.discordance == pytest.approx(0.5, abs=0.03)

    def test_unfinished_pairs_tell_nothing(self, make_outcomes: Maker) -> None:
        table = make_outcomes([1], [0]).assign(state_x="missing")
        assert discordance_seen(table) is None

    def test_a_scale_has_none(self, make_outcomes: Maker) -> None:
        with pytest.raises(ImpossiblePlan, match="scale"):
            discordance_seen(make_outcomes([0.5], [0.25]))


@pytest.mark.parametrize(
    ("share", "text"), [(0.95, "95 %"), (0.999999999, "99.9999999 %"), (1.0, "100 %")]
)
def test_less_than_all_is_never_written_as_100_per_cent(share, text):
    assert exact_percent(share) == text
