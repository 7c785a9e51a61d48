"""Rules for stopping early: when they look, what they say, how they are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from biaslab.stats import (
    Adjustment,
    BrokenOutcomes,
    Decision,
    GroupSequential,
    ImpossiblePlan,
    StoppingRule,
    UnknownChoice,
    UntilNarrow,
    cate_estimate,
    cate_of_counts,
    effects,
    rule_from_json,
)

Maker = Callable[..., pd.DataFrame]

narrow_rules = st.builds(
    lambda half_width, first, every, more: UntilNarrow(half_width, first + more, first, every),
    st.floats(0.01, 0.5), st.integers(30, 200), st.integers(1, 90), st.integers(0, 900),
)  # fmt: skip
group_rules = st.builds(
    lambda looks, more, alpha, spending: GroupSequential(looks, 10 * looks + more, alpha, spending),
    st.integers(1, 12), st.integers(0, 900), st.sampled_from([0.01, 0.05]),
    st.sampled_from(["obrien-fleming", "pocock"]),
)  # fmt: skip


@given(st.one_of(narrow_rules, group_rules))
def test_looks_come_at_more_and_more_pairs_the_last_at_the_limit(rule: StoppingRule) -> None:
    looks = rule.looks_at()
    assert list(looks) == sorted(set(looks))
    assert looks[-1] == rule.at_most
    assert looks[0] > 0


@given(st.one_of(narrow_rules, group_rules))
def test_a_rule_survives_json(rule: StoppingRule) -> None:
    assert rule_from_json(json.loads(json.dumps(rule.as_json()))) == rule


class TestUntilNarrow:
    def test_it_stops_at_the_first_look_at_which_the_interval_fits(
        self, make_outcomes: Maker
    ) -> None:
        table = make_outcomes([1, 0, 1, 1, 0] * 100, [0, 0, 1, 1, 0] * 100)
        rule = UntilNarrow(0.06, at_most=500, first_look=50, every=50)
        said = [
            rule.decide(table[table["position"] < n], number)
            for number, n in enumerate(rule.looks_at(), 1)
        ]
        stops = [decision.stop for decision in said]
        first = stops.index(True)
        assert 0 < first < len(stops) - 1
        assert not any(stops[:first])
        for decision in said:
            assert decision.interval is not None
            fits = decision.interval.high - decision.interval.low <= 0.12
            assert decision.stop == (fits or decision.pairs == 500)
        assert "Goes on after look 1" in said[0].reason
        assert "as narrow as asked" in said[first].reason
        assert "CATE +20.0 points" in said[first].reason

    def test_its_interval_is_the_usual_one_at_the_stricter_level(
        self, make_outcomes: Maker
    ) -> None:
        decision = UntilNarrow(0.05, 400).decide(make_outcomes([1] * 20 + [0] * 40, [0] * 60), 1)
        assert decision.confidence == pytest.approx(0.96)
        assert decision.critical == pytest.approx(stats.norm.ppf(0.98))
        assert decision.interval is not None
        usual = cate_of_counts(0, 20, 0, 40, 0.96)
        assert (decision.interval.low, decision.interval.high) == pytest.approx(
            (usual.ci_low, usual.ci_high)
        )

    def test_pairs_that_all_come_out_alike_have_an_interval_with_a_width(
        self, make_outcomes: Maker
    ) -> None:
        decision = UntilNarrow(0.01, 400).decide(make_outcomes([1] * 50, [0] * 50), 1)
        assert decision.interval is not None
        assert decision.interval.low < 0.95
        assert decision.interval.high == 1.0
        assert not decision.stop

    def test_at_the_limit_it_stops_and_says_that_the_aim_was_missed(
        self, make_outcomes: Maker
    ) -> None:
        rule = UntilNarrow(0.01, at_most=50)
        decision = rule.decide(make_outcomes([1, 0] * 25, [0, 0] * 25), 1)
        assert decision.stop
        assert "limit of 50 pairs" in decision.reason

    def test_few_independent_pairs_never_stop_it_however_narrow_they_look(
        self, make_outcomes: Maker
    ) -> None:
        few = make_outcomes([1] * 60, [1] * 60, clusters=[i // 6 for i in range(60)])
        rule = UntilNarrow(0.5, at_most=400)
        decision = rule.decide(few, 1)
        assert not decision.stop
        assert "only 10 independent pairs" in decision.reason
        failed = make_outcomes([1] * 60, [1] * 60).assign(
            state_x=["answered"] * 20 + ["failed"] * 40
        )
        assert not rule.decide(failed, 1).stop

    @pytest.mark.parametrize(
        ("given_", "message"),
        [
            ({"half_width": 5}, "5 cannot be the half width"),
            ({"half_width": float("nan")}, "half width"),
            ({"first_look": 10}, "first look cannot be 10: give at least 30"),
            ({"every": 0}, "distance between looks"),
            ({"at_most": 40}, "most pairs to ask cannot be 40: give at least 50"),
            ({"confidence": 95}, "coverage"),
        ],
    )
    def test_numbers_that_cannot_be_are_refused(self, given_: Any, message: str) -> None:
        with pytest.raises(ImpossiblePlan, match=message):
            UntilNarrow(**({"half_width": 0.05, "at_most": 500} | given_))


class TestGroupSequential:
    def test_it_stops_exactly_when_the_interval_leaves_out_0(self, make_outcomes: Maker) -> None:
        rng = np.random.default_rng(2)
        rule = GroupSequential(4, 200)
        for effect in (0.0, 0.15, 0.3):
            x, x_prime = rng.random(200) < 0.5 + effect, rng.random(200) < 0.5
            table = make_outcomes(x, x_prime)
            for number, n in enumerate(rule.looks_at(), 1):
                decision = rule.decide(table[table["position"] < n], number)
                assert decision.interval is not None
                clear = decision.interval.low > 0 or decision.interval.high < 0
                assert decision.stop == (clear or number == 4)
                assert ("effect is clear" in decision.reason) == clear

    def test_its_interval_is_the_usual_one_at_the_level_of_the_look(
        self, make_outcomes: Maker
    ) -> None:
        table = make_outcomes([1, 0, 1, 1, 0] * 40, [0, 0, 1, 0, 1] * 40)
        decision = GroupSequential(5, 200).decide(table, 5)
        assert decision.critical == pytest.approx(2.031, abs=1e-3)
        assert decision.confidence == pytest.approx(1 - 2 * stats.norm.sf(decision.critical))
        rows = [table[f"y_{member}"].to_numpy() for member in ("x", "x_prime")]
        assert decision.interval == cate_estimate(*rows, None, decision.confidence).interval

    def test_information_is_counted_in_pairs_that_count(self, make_outcomes: Maker) -> None:
        table = make_outcomes([1, 0] * 50, [0, 0] * 50)
        rule = GroupSequential(2, 200)
        full = rule.decide(table, 1)
        failed = table.assign(state_x=["failed"] * 40 + ["answered"] * 60)
        fewer = rule.decide(failed, 1)
        assert (full.pairs, fewer.pairs) == (100, 60)
        assert fewer.critical > full.critical
        assert fewer.critical == pytest.approx(rule.critical_at((60,)))

    def test_at_the_last_look_everything_left_is_spent_even_if_pairs_failed(self) -> None:
        rule = GroupSequential(2, 200)
        assert rule.critical_at((100, 200)) == pytest.approx(1.969, abs=1e-3)
        # Half as much at both looks is the same experiment with fewer pairs, but it spent less.
        assert 1.959 < rule.critical_at((50, 100)) < rule.critical_at((100, 200))

    def test_a_look_at_nothing_new_is_no_look(self) -> None:
        rule = GroupSequential(3, 300)
        assert rule.critical_at((100, 100)) == rule.critical_at((100,))
        assert rule.critical_at((0, 100)) == rule.critical_at((100,))
        assert rule.critical_at((100, 100, 100)) == pytest.approx(stats.norm.isf(0.025))

    def test_earlier_looks_are_taken_from_the_order_of_the_design(
        self, make_outcomes: Maker
    ) -> None:
        table = make_outcomes([1, 0] * 50, [0, 0] * 50)
        table["state_x"] = ["failed"] * 30 + ["answered"] * 70
        rule = GroupSequential(2, 100)
        expected = rule.critical_at((20, 70))
        assert rule.decide(table, 2).critical == expected
        assert rule.decide(table.sample(frac=1, random_state=1), 2).critical == expected

    def test_nothing_that_counts_is_no_reason_to_stop(self, make_outcomes: Maker) -> None:
        decision = GroupSequential(2, 20).decide(
            make_outcomes([1], [0]).assign(state_x="failed"), 1
        )
        assert (decision.stop, decision.pairs, decision.cate) == (False, 0, None)
        assert "No pair counts yet" in decision.reason

    def test_a_scale_is_told_without_points(self, make_outcomes: Maker) -> None:
        rng = np.random.default_rng(0)
        table = make_outcomes(rng.uniform(-1, 1, 40), rng.uniform(-1, 1, 40))
        assert "points" not in GroupSequential(2, 80).decide(table, 1).reason

    @pytest.mark.parametrize(
        ("given_", "message"),
        [
            ({"looks": 0}, "number of looks"),
            ({"looks": 51, "at_most": 9999}, "at most 50"),
            ({"at_most": 49}, "give at least 50"),
            ({"alpha": 5}, "error over all looks"),
            ({"spending": "haybittle"}, "'haybittle'"),
        ],
    )
    def test_numbers_that_cannot_be_are_refused(self, given_: Any, message: str) -> None:
        with pytest.raises(ImpossiblePlan, match=message):
            GroupSequential(**({"looks": 5, "at_most": 200} | given_))


class TestWhatIsGiven:
    def test_several_runs_at_once_are_refused(self, make_outcomes: Maker) -> None:
        table = pd.concat([make_outcomes([1], [0]), make_outcomes([1], [0], run="r2")])
        for rule in (UntilNarrow(0.05, 100), GroupSequential(2, 100)):
            with pytest.raises(BrokenOutcomes, match="one run, not at 2"):
                rule.decide(table, 1)

    def test_a_look_that_there_is_not_is_refused(self, make_outcomes: Maker) -> None:
        for rule in (UntilNarrow(0.05, 100), GroupSequential(3, 100)):
            with pytest.raises(ImpossiblePlan, match="looks 1 to 3"):
                rule.decide(make_outcomes([1], [0]), 4)

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ({}, "no stopping rule 'None'"),
            ({"rule": "until-noon"}, "'until-noon': choose until-narrow or group-sequential"),
            ({"rule": "until-narrow", "half_width": 0.1}, "incomplete"),
            ({"rule": "group-sequential", "looks": 2, "at_most": 50, "when": 1}, "no 'when'"),
            ({"rule": "group-sequential", "looks": 2.5, "at_most": 50}, "give a whole number"),
            ({"rule": "group-sequential", "looks": "2", "at_most": 50}, "'2'"),
            ({"rule": "until-narrow", "half_width": "x", "at_most": 50}, "give a number"),
        ],
    )
    def test_json_that_is_no_rule_is_refused(self, value: dict[str, Any], message: str) -> None:
        with pytest.raises(ImpossiblePlan, match=message):
            rule_from_json(value)

    def test_decisions_and_adjustments_survive_json(self, make_outcomes: Maker) -> None:
        for rule in (UntilNarrow(0.05, 100), GroupSequential(2, 100)):
            for table in (make_outcomes([1, 0] * 20, [0, 0] * 20), make_outcomes([], [])):
                decision = rule.decide(table, 1)
                assert Decision.of_json(json.loads(json.dumps(decision.as_json()))) == decision
        with pytest.raises(UnknownChoice, match="no decision"):
            Decision.of_json({"stop": True})
        with pytest.raises(UnknownChoice, match="no adjustment"):
            Adjustment.of_json({})


class TestEffectsOfRunsThatWereLookedAt:
    X, X_PRIME = (1, 0, 1, 1, 0) * 20, (0, 0, 1, 0, 1) * 20

    @pytest.mark.parametrize("rule", [UntilNarrow(0.3, 200), GroupSequential(2, 200)])
    def test_their_interval_is_that_of_the_decision_and_the_method_says_so(
        self, make_outcomes: Maker, rule: StoppingRule
    ) -> None:
        table = make_outcomes(self.X, self.X_PRIME)
        decision = rule.decide(table, 1)
        (effect,) = effects(table, adjusted={"r1": decision.adjustment})
        (plain,) = effects(table)
        assert decision.interval is not None
        assert (effect.ci_low, effect.ci_high) == (decision.interval.low, decision.interval.high)
        assert effect.ci_high - effect.ci_low > plain.ci_high - plain.ci_low
        assert (effect.cate, effect.p_t, effect.p) == (
            plain.cate,
            plain.p_t,
            plain.p,
        )
        assert decision.adjustment.note in effect.method
        assert "p and q values" in effect.method
        assert "do not allow for looking" in effect.method

    def test_other_runs_keep_theirs(self, make_outcomes: Maker) -> None:
        table = make_outcomes(self.X, self.X_PRIME)
        adjusted = {"elsewhere": UntilNarrow(0.1, 200).adjustment}
        assert effects(table, adjusted=adjusted) == effects(table)

    def test_they_never_promise_more_than_the_rule_did(self, make_outcomes: Maker) -> None:
        table = make_outcomes(self.X, self.X_PRIME)
        adjusted = {"r1": UntilNarrow(0.1, 200).adjustment}
        assert effects(table, confidence=0.99, adjusted=adjusted)[0].confidence == 0.95
        assert effects(table, confidence=0.9, adjusted=adjusted)[0].confidence == 0.9
