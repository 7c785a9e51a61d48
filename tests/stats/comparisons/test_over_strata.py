"""Trend and heterogeneity of the effect over strata."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from biaslab.stats import CannotCompare, UnknownStratum, mean_estimate
from biaslab.stats.comparisons.over_strata import heterogeneity, trend
from biaslab.stats.comparisons.shared_pairs import RunPairs
from tests.loops import over
from tests.stats.comparison_cases import runs_of_table, table, with_steps
from tests.stats.simulated_comparisons import Cell, draw, steadied, trend_p, welch_p


def _run(outcomes: pd.DataFrame) -> RunPairs:
    (run,) = runs_of_table(outcomes)
    return run


def _steps(
    differences: dict[object, list[float]], clusters: list[object] | None = None
) -> RunPairs:
    """A run with these differences for each number of steps."""
    d = np.array([value for values in differences.values() for value in values])
    strata = [{"steps": place} for place, values in differences.items() for _ in values]
    return _run(table((d > 0), (d < 0), strata=strata, clusters=clusters))


class TestTrend:
    def test_is_the_slope_of_the_line_through_the_effects_of_strata(self) -> None:
        given = {1: [0, 0, 0, 1], 2: [0, 1, 0, 1, 0, 0, 0, 0], 4: [1, 1, 1, 0]}
        found = trend(_steps(given), "steps")
        effects = [np.mean(values) for values in given.values()]
        assert found.values == pytest.approx(effects)
        assert found.estimate == pytest.approx(stats.linregress([1, 2, 4], effects).slope)
        assert found.labels == ("steps=1", "steps=2", "steps=4")
        assert found.n == 16

    def test_over_two_strata_is_the_difference_of_their_steadied_effects(self) -> None:
        given = {1: [0.0, 0, 1, 0, -1], 3: [1.0, 1, 0, 1]}
        found = trend(_steps(given), "steps")
        first, second = (mean_estimate(np.array(values)) for values in given.values())
        assert first.middle is not None and second.middle is not None  # noqa: PT018
        assert found.ci_low is not None and found.ci_high is not None  # noqa: PT018
        assert (found.ci_low + found.ci_high) / 2 == pytest.approx(
            (second.middle - first.middle) / 2
        )

    @pytest.mark.slow
    def test_p_and_interval_say_the_same(self) -> None:
        rng = np.random.default_rng(3)
        for _ in range(60):
            right = [(0.9, 0.85), (0.9, 0.75), (0.9, 0.62)]
            found = trend(_run(with_steps(60, right, rng)), "steps")
            assert found.p is not None and found.ci_low is not None  # noqa: PT018
            assert found.ci_high is not None
            assert (found.p < 0.05) == (found.ci_low > 0 or found.ci_high < 0)

    @pytest.mark.slow
    def test_a_known_slope_is_found_and_covered(self) -> None:
        rng = np.random.default_rng(4)
        right = [(0.9, 0.9), (0.9, 0.7), (0.9, 0.5)]
        found = [trend(_run(with_steps(100, right, rng)), "steps") for _ in range(100)]
        assert np.mean([(row.p or 1) < 0.05 for row in found]) > 0.95
        covered = [(row.ci_low or 0) <= 0.2 <= (row.ci_high or 0) for row in found]
        assert np.mean(covered) >= 0.93

    def test_is_refused_where_values_are_words(self) -> None:
        with pytest.raises(CannotCompare, match="are no numbers"):
            trend(_steps({"addition": [0.0, 1], "division": [0.0, 1]}), "steps")

    def test_is_refused_where_only_some_clusters_lie_in_several_strata(self) -> None:
        with pytest.raises(CannotCompare, match="Some clusters"):
            trend(_steps({1: [0.0, 1, 0], 2: [0.0, 1, 1]}, list("abccde")), "steps")

    def test_has_a_slope_a_cluster_where_all_lie_in_several_strata(self) -> None:
        clusters = [f"c{i}" for i in range(12)] * 3
        same = [0.0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0]
        level = trend(_steps({1: same, 2: same, 3: same}, clusters), "steps")
        assert level.estimate == pytest.approx(0.0)
        steep = trend(_steps({1: [0.0] * 12, 2: same, 3: [1.0] * 12}, clusters), "steps")
        assert steep.estimate == pytest.approx(0.5)
        assert steep.ci_low is not None and steep.ci_low > 0  # noqa: PT018
        assert (steep.n, steep.clusters) == (36, 12)

    @pytest.mark.slow
    def test_without_a_trend_slopes_of_clusters_find_none(self) -> None:
        rng = np.random.default_rng(6)
        clusters = [f"c{i}" for i in range(30)] * 3
        found = []
        for _ in range(120):
            level = rng.random(30) < 0.5
            given = {s: ((rng.random(30) < 0.3) & level).astype(float).tolist() for s in (1, 2, 3)}
            found.append((trend(_steps(given, clusters), "steps").p or 1) < 0.05)
        assert np.mean(found) <= 0.07

    def test_strata_with_a_single_pair_are_left_out(self) -> None:
        found = trend(_steps({1: [0.0, 1], 2: [0.0, 1, 1], 3: [1.0]}), "steps")
        assert found.labels == ("steps=1", "steps=2")

    def test_needs_two_strata(self) -> None:
        with pytest.raises(CannotCompare, match="has 1 value of"):
            trend(_steps({1: [0.0, 1, 1]}), "steps")


class TestHeterogeneity:
    def test_is_welchs_test_of_the_steadied_effects(self) -> None:
        rng = np.random.default_rng(8)
        found = heterogeneity(
            _run(with_steps(50, [(0.9, 0.8), (0.9, 0.5), (0.9, 0.7)], rng)), "steps"
        )
        # With so many pairs it is near the test of the plain differences.
        assert found.p is not None
        assert found.p < 0.2
        assert found.ci_low is None
        assert "F(2," in found.method

    def test_is_the_same_in_any_order_of_strata_and_under_any_names(self) -> None:
        one = {"a": [0.0, 1, 0, 1], "b": [1.0, 1, 1, 0, 1], "c": [0.0, -1, 0, 0]}
        other = {"z": one["b"], "y": one["c"], "x": one["a"]}
        first, second = (heterogeneity(_steps(d), "steps") for d in (one, other))  # type: ignore[arg-type]
        assert (first.p, first.estimate) == pytest.approx((second.p, second.estimate))

    @pytest.mark.slow
    def test_equal_effects_are_rarely_said_to_differ_however_much_else_does(self) -> None:
        rng = np.random.default_rng(9)
        found = []
        for _ in range(150):
            right = [(0.98, 0.88), (0.7, 0.6), (0.55, 0.45)]
            row = heterogeneity(_run(with_steps(40, right, rng)), "steps")
            found.append((row.p or 1) < 0.05)
        assert np.mean(found) <= 0.08

    def test_different_effects_are_found_and_their_spread_is_told(self) -> None:
        rng = np.random.default_rng(10)
        rows = [
            heterogeneity(_run(with_steps(150, [(0.9, 0.9), (0.9, 0.6), (0.9, 0.3)], rng)), "steps")
            for _ in range(40)
        ]
        assert all((row.p or 1) < 0.05 for row in rows)
        assert np.mean([row.estimate or 0 for row in rows]) == pytest.approx(0.3, abs=0.03)

    def test_is_refused_where_strata_share_clusters(self) -> None:
        with pytest.raises(CannotCompare, match="several values"):
            heterogeneity(_steps({1: [0.0, 1], 2: [0.0, 1]}, list("abab")), "steps")

    def test_an_unknown_stratum_names_those_there_are(self) -> None:
        with pytest.raises(UnknownStratum, match="choose steps"):
            heterogeneity(_steps({1: [0.0, 1], 2: [0.0, 1]}), "grade")


def test_the_formulas_of_the_long_simulation_are_those_of_the_program() -> None:
    rng = np.random.default_rng(13)
    one, other, n = draw(Cell((30, 12, 20), 0.2, (0.1, 0.0, 0.05)), 8, rng)
    slopes, equal = (test(*steadied(one, other, n)) for test in (trend_p, welch_p))
    for row in range(8):
        given: dict[object, list[float]] = {
            place + 1: [1.0] * int(one[row, place]) + [-1.0] * int(other[row, place])
            + [0.0] * int(n[place] - one[row, place] - other[row, place])
            for place in range(3)
        }  # fmt: skip
        assert trend(_steps(given), "steps").p == pytest.approx(slopes[row], rel=1e-6)
        assert heterogeneity(_steps(given), "steps").p == pytest.approx(equal[row], rel=1e-6)


@over("effect", [0.0, 0.1, 0.9])
@over("sizes", [(30, 30, 30), (100, 60, 30, 10), (200, 20), (10,) * 10])
def test_strata_alike_are_rarely_said_to_differ(effect: float, sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(14)
    for share in (np.full(len(sizes), 0.05), np.linspace(0, 0.05, len(sizes))):
        told = steadied(*draw(Cell(sizes, effect, tuple(share)), 2_000, rng))
        assert np.mean(trend_p(*told) < 0.05) <= 0.06
        assert np.mean(welch_p(*told) < 0.05) <= 0.06
