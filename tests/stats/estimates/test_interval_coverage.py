"""Pairs with a known effect: the interval and its test keep what they promise.

For single pairs the figures are sums over every table (`research.calibration.coverage`).
Simulations have a fixed seed, so the figures are the same in every run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.stats import cate_estimate, cate_of_counts, mean_estimate, wilson
from biaslab.stats.estimates import SteadiedMoments
from biaslab.stats.paired import INTERVAL_METHODS
from research.calibration.coverage import (
    PROMISED,
    Clusters,
    all_tables,
    clustered_coverage,
    clustered_ends,
    clustered_sums,
    exact_coverage,
    fine_grid,
    one_sided_grid,
    one_sided_tables,
    single_pair_ends,
    table,
)
from tests.loops import over

Array = npt.NDArray[Any]
SIMULATIONS = 400
COARSE = fine_grid()[::4]


class TestCoverageOfSinglePairs:
    @pytest.mark.parametrize("n", [10, 20, 50])
    def test_it_is_at_least_935_in_a_thousand_from_symmetric_to_one_sided(self, n: int) -> None:
        (found,) = exact_coverage(all_tables(n), "", COARSE, ["imagined-pairs"])
        assert found.lowest >= PROMISED
        assert found.found <= 0.057

    @pytest.mark.parametrize("n", [10, 100, 300, 1000])
    def test_also_in_steps_of_a_third_of_a_tenth_of_a_point_where_all_go_one_way(
        self, n: int
    ) -> None:
        (found,) = exact_coverage(
            one_sided_tables(n), "", one_sided_grid()[::3], ["imagined-pairs"]
        )
        assert found.lowest >= PROMISED

    @pytest.mark.parametrize(("confidence", "least"), [(0.8, 0.76), (0.9, 0.88), (0.99, 0.985)])
    def test_at_other_levels_it_is_near_them_too(self, confidence: float, least: float) -> None:
        (found,) = exact_coverage(all_tables(30), "", COARSE, ["imagined-pairs"], confidence)
        assert found.lowest >= least

    def test_the_published_intervals_cover_less(self) -> None:
        rows = exact_coverage(all_tables(50), "", COARSE)
        lowest = {row.method: row.lowest for row in rows}
        assert lowest["t"] < 0.2
        assert lowest["newcombe"] < 0.93
        assert max(lowest, key=lowest.__getitem__) == "imagined-pairs"
        assert table(rows).count("| 50") == 0

    @pytest.mark.parametrize("method", INTERVAL_METHODS)
    def test_the_tables_have_the_intervals_that_counts_have(self, method: Any) -> None:
        ways = all_tables(9)
        low, high = single_pair_ends(ways, method)
        for at in range(ways.n.size):
            b, c = int(ways.only_x[at]), int(ways.only_x_prime[at])
            both = round((9 - b - c) / 2)
            found = cate_of_counts(both, b, c, 9 - b - c - both, method=method)
            if found.ci_low is not None:
                assert (found.ci_low, found.ci_high) == pytest.approx((low[at], high[at]))


class TestEveryTable:
    @over("n", [2, 10, 20, 50])
    @over("confidence", [0.8, 0.95, 0.999])
    def test_the_estimate_is_inside_and_the_ends_are_between_minus_1_and_1(
        self, n: int, confidence: float
    ) -> None:
        ways = all_tables(n)
        low, high = single_pair_ends(ways, "imagined-pairs", confidence)
        mean = (ways.only_x - ways.only_x_prime) / n
        assert np.all((low >= -1.0) & (low <= mean) & (mean <= high) & (high <= 1.0))
        assert np.all(low < high)

    @pytest.mark.parametrize("n", [10, 20, 50])
    def test_neither_end_falls_when_one_more_pair_favours_x(self, n: int) -> None:
        ways = all_tables(n)
        ends = np.full((2, n + 2, n + 2), np.nan)
        b, c = ways.only_x.astype(int), ways.only_x_prime.astype(int)
        ends[:, b, c] = single_pair_ends(ways, "imagined-pairs")
        # One more pair favours x where it came out alike, or where it favoured x' before.
        more = ends[:, 1:, :] - ends[:, :-1, :]
        fewer_against = ends[:, :, :-1] - ends[:, :, 1:]
        for step in (more, fewer_against):
            assert np.nanmin(step) >= -1e-12


class TestOneTest:
    counts = st.tuples(*(st.integers(0, 60) for _ in range(3))).filter(lambda v: sum(v) > 1)

    @given(counts, st.sampled_from([0.01, 0.05, 0.1]))
    def test_p_is_below_alpha_exactly_where_the_interval_leaves_out_0(
        self, counts: tuple[int, int, int], alpha: float
    ) -> None:
        found = cate_of_counts(0, *counts, confidence=1.0 - alpha)
        assert found.p is not None
        assert found.ci_low is not None
        assert found.ci_high is not None
        assert (found.p < alpha) == (found.ci_low > 0.0 or found.ci_high < 0.0)

    @given(
        st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 5)), min_size=2, max_size=40),
        st.booleans(),
        st.sampled_from([0.01, 0.05, 0.1]),
    )
    def test_also_with_clusters_samples_and_scales(
        self, pairs: list[tuple[float, int]], scale: bool, alpha: float
    ) -> None:
        values, cluster = np.array([v for v, _ in pairs]), np.array([g for _, g in pairs])
        found = mean_estimate(values, cluster, 1.0 - alpha, scale=scale)
        if found.interval is None or found.p is None:
            assert len(set(cluster)) == 1
            return
        # One so close to the limit may fall either way by rounding.
        if abs(found.p - alpha) > 1e-9:
            clear = found.interval.low > 0.0 or found.interval.high < 0.0
            assert (found.p < alpha) == clear
        assert -1.0 <= found.interval.low <= found.interval.high <= 1.0


class TestCoverageOfClusters:
    @pytest.mark.parametrize("number", [5, 20])
    def test_it_holds_in_clusters_of_every_shape_where_that_of_cr2_does_not(
        self, number: int
    ) -> None:
        rows = list(clustered_coverage(number, 300, number, (0.0, 0.1), (0.0, 0.05)))
        ours = [row for row in rows if row.method == "imagined-pairs"]
        assert len(ours) == len(rows) / 2 == 5
        assert min(row.lowest for row in ours) >= PROMISED
        assert max(row.found for row in ours) <= 0.055
        assert min(row.lowest for row in rows if row.method == "t") < 0.8

    def test_arrays_of_counts_have_the_intervals_of_single_estimates(self) -> None:
        shape = Clusters.shapes(7)[2]
        b, c = clustered_sums(np.random.default_rng(4), shape, 5, 0.1, 0.4, 0.3, "Dirichlet")
        ends = clustered_ends(b, c, np.array(shape.sizes, dtype=float))
        cluster = np.repeat(np.arange(7), shape.sizes)
        for run in range(5):
            values = np.concatenate(
                [
                    np.repeat([1.0, -1.0, 0.0], [int(x), int(y), int(size - x - y)])
                    for x, y, size in zip(b[run], c[run], shape.sizes, strict=True)
                ]
            )
            for method, (low, high) in ends.items():
                found = cate_estimate(values, np.zeros(values.size), cluster, method=method)
                assert found.interval is not None
                assert (found.interval.low, found.interval.high) == pytest.approx(
                    (np.asarray(low)[run], np.asarray(high)[run])
                )

    def test_the_formula_gives_arrays_what_it_gives_single_numbers(self) -> None:
        means = np.array([-0.4, 0.0, 0.9])
        arrays = SteadiedMoments.of_single_pairs(30.0, means, np.full(3, 0.9)).ends(0.9)
        for at, mean in enumerate(means):
            single = SteadiedMoments.of_single_pairs(30.0, float(mean), 0.9).ends(0.9)
            assert single == pytest.approx(tuple(np.asarray(end)[at] for end in arrays))


def _covers(true: float, x: Array, x_prime: Array, cluster: Array | None = None) -> bool:
    interval = cate_estimate(x, x_prime, cluster).interval
    assert interval is not None
    return interval.low <= true <= interval.high


@pytest.mark.parametrize(("p_x", "p_x_prime"), [(0.6, 0.4), (0.3, 0.3), (0.9, 0.75)])
def test_95_per_cent_intervals_of_independent_pairs_hold_the_effect_95_times_in_a_hundred(
    p_x: float, p_x_prime: float
) -> None:
    rng = np.random.default_rng(1)
    x = (rng.random((SIMULATIONS, 200)) < p_x).astype(float)
    x_prime = (rng.random((SIMULATIONS, 200)) < p_x_prime).astype(float)
    share = np.mean([_covers(p_x - p_x_prime, *pair) for pair in zip(x, x_prime, strict=True)])
    assert 0.93 <= share <= 0.98


@pytest.mark.parametrize(
    "sizes", [[5] * 40, [1] * 20 + [5] * 15 + [20] * 6], ids=["40 of 5", "1, 5 and 20"]
)
def test_with_shared_clusters_they_do_too_where_intervals_that_ignore_clusters_fail(
    sizes: list[int],
) -> None:
    rng = np.random.default_rng(2)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    # Half the clusters are hard in x' only, the others alike: the true effect is 0.3 on average.
    hits, naive_hits = 0, 0
    for _ in range(SIMULATIONS):
        gap = rng.choice([0.0, 0.6], len(sizes))[cluster]
        x = (rng.random(cluster.size) < 0.8).astype(float)
        x_prime = (rng.random(cluster.size) < 0.8 - gap).astype(float)
        hits += _covers(0.3, x, x_prime, cluster)
        naive_hits += _covers(0.3, x, x_prime)
    assert 0.93 <= hits / SIMULATIONS <= 0.99
    assert naive_hits / SIMULATIONS < 0.91


def test_wilson_intervals_hold_the_share_95_times_in_a_hundred_even_near_the_edge() -> None:
    rng = np.random.default_rng(3)
    for p in (0.5, 0.97):
        intervals = [wilson(int(k), 200) for k in rng.binomial(200, p, SIMULATIONS)]
        share = np.mean([i is not None and i.low <= p <= i.high for i in intervals])
        assert 0.93 <= share <= 0.97
