"""Runs under the stopping rules: how often they err, and what their intervals hold.

For single pairs the figures are exact (`research.calibration.stopping`). Simulations have a fixed
seed; with 3,000 runs the standard error of a share near 5 % is 0.4 points.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import pytest

from biaslab.stats import (
    GroupSequential,
    StoppingRule,
    UntilNarrow,
    cate_of_counts,
    pairs_for_width,
)
from research.calibration.coverage import Array, covers
from research.calibration.stopping import (
    Draw,
    Endings,
    by_simulation,
    clustered,
    endings,
    repeated,
    simulated,
    table,
)
from tests.loops import over

Maker = Callable[..., pd.DataFrame]

RUNS = 3000
ROOM = 0.012
"""Three standard errors."""

SPENDINGS = ("obrien-fleming", "pocock")
DISCORDANCES = (0.02, 0.05, 0.1, 0.2, 0.27, 0.4, 0.55, 0.7, 0.97)
NARROW = (
    UntilNarrow(0.1, 400, 30, 5), UntilNarrow(0.1, 400), UntilNarrow(0.2, 150, 30, 50),
    UntilNarrow(0.15, 200, 40, 1),
)  # fmt: skip
_exact = cache(endings)


def _group_sequential(spending: str, pairs: int = 200, looks: int = 5) -> GroupSequential:
    return GroupSequential(looks, pairs, spending=spending)  # type: ignore[arg-type]


def _lowest(found: Endings) -> float:
    """Coverage from no effect to all pairs in one direction."""
    return min(found.coverage(d * share, d) for d in DISCORDANCES for share in (0.0, 0.5, 0.9, 1.0))


class TestErrorsOfTheGroupSequentialRule:
    @pytest.mark.parametrize("spending", SPENDINGS)
    @pytest.mark.parametrize("discordance", [0.3, 0.5, 0.9])
    def test_without_an_effect_5_looks_find_one_3_to_5_times_in_a_hundred(
        self, spending: str, discordance: float
    ) -> None:
        found = _exact(_group_sequential(spending)).found(0.0, discordance)
        assert 0.025 <= found <= 0.052

    @over("spending", SPENDINGS)
    @over(("pairs", "looks"), [(200, 5), (30, 3), (100, 10), (20, 2)])
    def test_with_whatever_discordance_and_however_few_pairs_it_is_hardly_ever_more_often(
        self, spending: str, pairs: int, looks: int
    ) -> None:
        ends = _exact(_group_sequential(spending, pairs, looks))
        assert max(ends.found(0.0, d) for d in DISCORDANCES) <= 0.055

    @pytest.mark.parametrize("spending", SPENDINGS)
    def test_items_asked_three_times_change_nothing(self, spending: str) -> None:
        low, high, _ = simulated(_group_sequential(spending), repeated(0.0, 3), 1, RUNS, seed=3)
        assert 0.033 - ROOM <= np.mean((low > 0) | (high < 0)) <= 0.05 + ROOM

    def test_a_plain_test_at_every_look_errs_far_more_often(self) -> None:
        assert _exact(_group_sequential("pocock"), 0.95).found(0.0, 0.3) > 0.11
        assert _exact(_group_sequential("pocock", 200, 10), 0.95).found(0.0, 0.3) > 0.13


class TestIntervalsAtTheStop:
    @pytest.mark.parametrize("spending", SPENDINGS)
    @pytest.mark.parametrize(("pairs", "looks"), [(200, 5), (30, 3), (100, 10)])
    def test_group_sequential_ones_hold_the_effect_at_least_945_times_in_a_thousand(
        self, spending: str, pairs: int, looks: int
    ) -> None:
        assert _lowest(_exact(_group_sequential(spending, pairs, looks))) >= 0.945

    @pytest.mark.parametrize("rule", NARROW)
    def test_narrow_ones_hold_it_at_least_94_times_in_a_hundred(self, rule: UntilNarrow) -> None:
        assert _lowest(_exact(rule)) >= 0.94

    @pytest.mark.parametrize("rule", [UntilNarrow(0.1, 420, 60, 30), _group_sequential("pocock")])
    @pytest.mark.parametrize("effect", [0.0, 0.1])
    def test_so_do_those_of_items_asked_three_times(
        self, rule: StoppingRule, effect: float
    ) -> None:
        low, high, _ = simulated(rule, repeated(effect, 3), 1, RUNS, seed=7)
        assert covers(low, high, effect).mean() >= 0.94

    @pytest.mark.parametrize("rule", [UntilNarrow(0.15, 210, 90, 15), GroupSequential(4, 120)])
    @pytest.mark.parametrize("effect", [0.0, 0.3])
    def test_and_those_of_pairs_in_clusters(self, rule: StoppingRule, effect: float) -> None:
        low, high, _ = simulated(rule, clustered(effect, 0.3, 3, 0.7), 3, RUNS, seed=8)
        assert covers(low, high, effect).mean() >= 0.94

    def test_plain_ones_at_the_stop_hold_it_less_often(self) -> None:
        assert _exact(_group_sequential("pocock"), 0.95).coverage(0.0, 0.3) < 0.89
        rule = UntilNarrow(0.2, 150, 30, 50)
        assert _exact(rule, 0.95).coverage(0.55, 0.55) < 0.93

    def test_the_narrow_rule_stops_when_about_as_many_pairs_are_in_as_the_width_needs(self) -> None:
        rule = UntilNarrow(0.1, 400, 30, 5)
        found = _exact(rule)
        needed = pairs_for_width(0.1, 0.3, confidence=rule.adjustment.confidence).pairs
        assert found.pairs(0.0, 0.3) == pytest.approx(needed, rel=0.03)
        early = found.ways.n < 400
        assert np.all((found.high - found.low)[early] <= 0.2)


class TestTheCalibration:
    @pytest.mark.parametrize(
        "rule", [UntilNarrow(0.3, 60, 30, 10), GroupSequential(3, 40), GroupSequential(1, 12)]
    )
    def test_every_run_ends_somewhere_and_shows_the_interval_of_its_counts(
        self, rule: StoppingRule
    ) -> None:
        found = endings(rule)
        for effect, discordance in ((0.0, 0.4), (0.1, 0.1), (-0.3, 0.9)):
            assert found.ways.chances(effect, discordance).sum() == pytest.approx(1.0)
        for at in range(0, found.ways.n.size, 37):
            n, b, c = (
                int(part[at]) for part in (found.ways.n, found.ways.only_x, found.ways.only_x_prime)
            )
            look = rule.looks_at().index(n) + 1
            level = (
                rule.adjustment.confidence
                if isinstance(rule, UntilNarrow)
                else rule.adjustment_at(rule.critical_at(rule.looks_at()[:look])).confidence
            )
            plain = cate_of_counts(0, b, c, n - b - c, level)
            assert (plain.ci_low, plain.ci_high) == pytest.approx((found.low[at], found.high[at]))

    @pytest.mark.parametrize("rule", [UntilNarrow(0.15, 180, 30, 15), GroupSequential(5, 100)])
    def test_exact_and_simulated_figures_agree(self, rule: StoppingRule) -> None:
        low, high, pairs = simulated(rule, clustered(0.2, 0.3, 1, 0.0), 1, RUNS, seed=10)
        found = endings(rule)
        assert covers(low, high, 0.2).mean() == pytest.approx(found.coverage(0.2, 0.3), abs=ROOM)
        clear = (low > 0) | (high < 0)
        assert clear.mean() == pytest.approx(found.found(0.2, 0.3), abs=0.02)
        assert pairs.mean() == pytest.approx(found.pairs(0.2, 0.3), rel=0.02)

    @pytest.mark.parametrize(
        "rule",
        [
            UntilNarrow(0.15, 120, 30, 30),
            GroupSequential(4, 120),
            _group_sequential("pocock", 120, 4),
        ],
    )
    @pytest.mark.parametrize("samples", [1, 3])
    @pytest.mark.parametrize("size", [1, 3])
    def test_the_simulation_decides_as_the_rules_do(
        self, rule: StoppingRule, samples: int, size: int, make_outcomes: Maker
    ) -> None:
        differences = repeated(0.15, samples)(np.random.default_rng(10), 6, 120)[0]
        low, high, pairs = simulated(rule, _given(differences, size), size, 6, seed=0)
        for run in range(6):
            # So many of a pair's samples are right in one member only; in the others none is.
            right = np.round(differences[run] * samples).astype(int)
            rows = pd.concat(
                make_outcomes(
                    right > sample, -right > sample, clusters=[i // size for i in range(120)]
                ).assign(sample=sample)
                for sample in range(samples)
            )
            for number, seen in enumerate(rule.looks_at(), 1):
                decision = rule.decide(rows[rows["position"] < seen], number)
                if decision.stop:
                    break
            assert decision.pairs == pairs[run]
            assert decision.interval is not None
            assert (decision.interval.low, decision.interval.high) == pytest.approx(
                (low[run], high[run])
            )

    def test_its_rows_make_a_table(self) -> None:
        rows = list(by_simulation(GroupSequential(2, 30), runs=20, seed=1))
        lines = table(rows).splitlines()
        assert len(lines) == 2 + len(rows)
        assert {line.count("|") for line in lines} == {10}


def _given(differences: Array, size: int) -> Draw:
    """These differences, whatever is asked for, summed by clusters of one after the other."""
    inside = differences.reshape(differences.shape[0], -1, size)

    def draw(*_: object) -> tuple[Array, Array]:
        return inside.sum(2), (inside**2).sum(2)

    return draw
