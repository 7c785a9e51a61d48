"""CATE, its interval and its tests, held against scipy, statsmodels and the formulas."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import statsmodels.api as sm
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar

from biaslab.stats import (
    INTERVAL_METHODS,
    IntervalMethod,
    cate_estimate,
    cate_of_counts,
    mcnemar_p,
    mean_estimate,
    paired_t_p,
)
from tests.loops import over

Array = npt.NDArray[Any]

binary_pairs = st.integers(2, 80).flatmap(
    lambda n: st.tuples(
        *(hnp.arrays(float, n, elements=st.sampled_from([0.0, 1.0])) for _ in range(2))
    )
)


def _binary(*quadruple: int) -> tuple[Array, Array]:
    """So many pairs: both right, only x right, only x' right, both wrong."""
    x = np.repeat([1.0, 1.0, 0.0, 0.0], quadruple)
    x_prime = np.repeat([1.0, 0.0, 1.0, 0.0], quadruple)
    return x, x_prime


class TestWithoutSharedClusters:
    @given(binary_pairs)
    def test_asked_for_t_interval_and_both_p_values_are_those_of_the_paired_t_test(
        self, pairs: tuple[Array, Array]
    ) -> None:
        assume(np.ptp(pairs[0] - pairs[1]) > 0)
        estimate = cate_estimate(*pairs, method="t")
        reference = stats.ttest_rel(*pairs)
        expected = reference.confidence_interval(0.95)
        assert estimate.interval is not None
        assert estimate.mean == pytest.approx(np.mean(pairs[0] - pairs[1]))
        assert astuple(estimate.interval) == pytest.approx((expected.low, expected.high))
        assert estimate.freedom == pytest.approx(len(pairs[0]) - 1)
        assert estimate.method == "paired t interval"
        assert estimate.p == pytest.approx(reference.pvalue)
        assert paired_t_p(*pairs) == pytest.approx(reference.pvalue)

    def test_swapping_the_arms_turns_the_sign_and_keeps_the_p_values(self) -> None:
        x, x_prime = _binary(40, 25, 10, 25)
        one, other = cate_estimate(x, x_prime), cate_estimate(x_prime, x)
        assert one.mean == 0.15
        assert other.mean == -0.15
        assert one.p == pytest.approx(other.p)
        assert mcnemar_p(x, x_prime) == mcnemar_p(x_prime, x)


class TestPublishedIntervals:
    @pytest.mark.parametrize(
        ("method", "low", "high"), [("newcombe", 0.0569, 0.3404), ("tango", 0.0611, 0.3447)]
    )
    def test_newcombes_example_has_the_ends_of_the_literature(
        self, method: IntervalMethod, low: float, high: float
    ) -> None:
        """36 pairs both, 12 and 2 one only, of 50 (Newcombe 1998, Stat. Med. 17:2635-2650)."""
        found = cate_of_counts(36, 12, 2, 0, method=method)
        assert (found.ci_low, found.ci_high) == pytest.approx((low, high), abs=5e-5)

    @given(*(st.integers(0, 40) for _ in range(4)))
    def test_swapping_the_members_of_pairs_turns_them_round(
        self, both: int, b: int, c: int, neither: int
    ) -> None:
        assume(both + b + c + neither > 1)
        for method in INTERVAL_METHODS:
            one = cate_of_counts(both, b, c, neither, method=method)
            other = cate_of_counts(both, c, b, neither, method=method)
            if one.ci_low is not None:
                assert one.ci_high is not None
                assert (other.ci_low, other.ci_high) == pytest.approx(
                    (-one.ci_high, -one.ci_low), abs=1e-9
                )

    def test_tangos_holds_0_exactly_where_the_asymptotic_mcnemar_test_finds_nothing(self) -> None:
        for b in range(25):
            found = cate_of_counts(5, b, 4, 3, method="tango")
            assert found.p is not None
            assert found.ci_low is not None
            assert found.ci_high is not None
            assert (found.p < 0.05) == (found.ci_low > 0.0 or found.ci_high < 0.0)


class TestSharedClusters:
    def test_clusters_of_equal_size_give_the_cluster_robust_interval_of_statsmodels(self) -> None:
        rng = np.random.default_rng(3)
        cluster = np.repeat(np.arange(12), 5)
        x, x_prime = rng.integers(0, 2, (2, 60)).astype(float)
        fit = sm.OLS(x - x_prime, np.ones(60)).fit(
            cov_type="cluster", cov_kwds={"groups": cluster}, use_t=True
        )
        estimate = cate_estimate(x, x_prime, cluster, method="t")
        assert estimate.interval is not None
        assert estimate.freedom == pytest.approx(11)
        assert astuple(estimate.interval) == pytest.approx(tuple(fit.conf_int()[0]))
        assert estimate.p == pytest.approx(fit.pvalues[0])
        assert estimate.method == "cluster-robust t interval (CR2)"

    @given(st.lists(st.integers(1, 9), min_size=2, max_size=8), st.integers(0, 10_000))
    def test_any_clusters_give_the_matrix_form_of_cr2_with_satterthwaite_degrees_of_freedom(
        self, sizes: list[int], seed: int
    ) -> None:
        cluster = np.repeat(np.arange(len(sizes)), sizes)
        difference = np.random.default_rng(seed).normal(size=cluster.size)
        estimate = cate_estimate(
            difference, np.zeros_like(difference), cluster, scale=True, method="t"
        )
        variance, freedom = _cr2_in_matrices(difference, cluster)
        reach = stats.t.ppf(0.975, freedom) * np.sqrt(variance)
        assert estimate.interval is not None
        assert estimate.freedom == pytest.approx(freedom)
        assert estimate.interval.high - difference.mean() == pytest.approx(reach)

    def test_names_of_clusters_and_the_order_of_pairs_do_not_matter(self) -> None:
        x, x_prime = _binary(20, 15, 5, 10)
        cluster = np.arange(50) % 7
        order = np.random.default_rng(0).permutation(50)
        names = np.array([f"structure {c}" for c in cluster], dtype=object)
        plain = cate_estimate(x, x_prime, cluster)
        mixed = cate_estimate(x[order], x_prime[order], names[order])
        assert mixed.interval is not None
        assert plain.interval is not None
        assert astuple(mixed.interval) == pytest.approx(astuple(plain.interval))

    def test_one_cluster_has_an_effect_but_no_interval_and_no_p(self) -> None:
        x, x_prime = _binary(5, 5, 1, 5)
        estimate = cate_estimate(x, x_prime, np.zeros(16))
        assert estimate.mean == 0.25
        assert estimate.interval is None
        assert estimate.p is None
        assert estimate.method == "no interval can be determined"

    def test_clusters_that_all_cancel_have_an_interval_with_a_width(self) -> None:
        x = np.array([1.0, 0.0] * 6)
        estimate = cate_estimate(x, 1 - x, np.repeat(np.arange(6), 2))
        assert (estimate.mean, estimate.p) == (0.0, 1.0)
        assert estimate.interval is not None
        assert estimate.interval.low == pytest.approx(-estimate.interval.high)
        assert estimate.interval.high > 0.3

    @given(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12),
        st.sampled_from([0.8, 0.95, 0.99]),
    )
    def test_p_is_below_alpha_exactly_where_the_interval_leaves_out_zero(
        self, counts: list[tuple[int, int]], confidence: float
    ) -> None:
        values = [v for b, c in counts for v in (1.0,) * b + (-1.0,) * c + (0.0,)]
        cluster = [g for g, (b, c) in enumerate(counts) for _ in range(b + c + 1)]
        estimate = mean_estimate(np.array(values), np.array(cluster), confidence)
        assert estimate.interval is not None
        assert estimate.p is not None
        beside = not estimate.interval.low <= 0.0 <= estimate.interval.high
        assume(abs(estimate.p - (1 - confidence)) > 1e-9)
        assert (estimate.p < 1 - confidence) == beside
        assert -1.0 <= estimate.interval.low <= estimate.mean <= estimate.interval.high <= 1.0


class TestDegenerate:
    @over("n", [2, 8, 500])
    @over("difference", [-1, 0, 1])
    def test_pairs_that_all_come_out_alike_have_an_interval_on_the_side_of_what_was_seen(
        self, n: int, difference: int
    ) -> None:
        x = np.full(n, max(difference, 0.0))
        x_prime = np.full(n, max(-difference, 0.0))
        ours = cate_estimate(x, x_prime).interval
        tango = cate_estimate(x, x_prime, method="tango").interval
        assert ours is not None
        assert tango is not None
        assert astuple(tango) == pytest.approx(
            _tango(n, difference == 1, difference == -1), abs=1e-6
        )
        assert -1.0 <= ours.low <= difference <= ours.high <= 1.0
        assert ours.low < ours.high

    def test_no_difference_at_all_is_no_evidence(self) -> None:
        x, x_prime = _binary(3, 0, 0, 4)
        assert paired_t_p(x, x_prime) == 1.0
        assert mcnemar_p(x, x_prime) == 1.0
        assert cate_estimate(x, x_prime).p == 1.0

    def test_the_same_difference_everywhere_has_no_t_test_but_mcnemars(self) -> None:
        x, x_prime = _binary(0, 10, 0, 0)
        assert paired_t_p(x, x_prime) is None
        assert cate_estimate(x, x_prime, method="t").p is None
        assert mcnemar_p(x, x_prime) == pytest.approx(2 * 0.5**10)
        assert 0.0 < cate_estimate(x, x_prime).p < 0.01

    def test_one_pair_has_an_effect_only(self) -> None:
        one, zero = np.array([1.0]), np.array([0.0])
        estimate = cate_estimate(one, zero)
        assert (estimate.mean, estimate.interval, estimate.p) == (1.0, None, None)
        assert paired_t_p(one, zero) is None
        assert mcnemar_p(one, zero) == 1.0

    def test_no_pairs_have_nothing(self) -> None:
        none = np.array([])
        estimate = cate_estimate(none, none)
        assert (estimate.n, estimate.mean, estimate.interval) == (0, None, None)
        assert paired_t_p(none, none) is None
        assert mcnemar_p(none, none) is None

    @pytest.mark.parametrize("bad", [np.nan, np.inf])
    def test_an_unanswered_pair_is_refused_and_never_counted(self, bad: float) -> None:
        for function in (cate_estimate, paired_t_p, mcnemar_p):
            with pytest.raises(ValueError, match="finite"):
                function(np.array([1.0, bad]), np.array([1.0, 0.0]))

    def test_lists_of_different_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="one number a pair"):
            cate_estimate(np.ones(3), np.ones(2))
        with pytest.raises(ValueError, match="give one a pair"):
            cate_estimate(np.ones(3), np.ones(3), np.ones(2))


@given(binary_pairs)
def test_mcnemars_p_is_the_exact_one_of_statsmodels(pairs: tuple[Array, Array]) -> None:
    x, x_prime = pairs
    table = [[np.sum((x == a) & (x_prime == b)) for b in (0, 1)] for a in (0, 1)]
    expected = min(1.0, mcnemar(table, exact=True).pvalue)
    assert mcnemar_p(x, x_prime) == pytest.approx(expected)


def test_positions_on_a_scale_have_no_mcnemar_test() -> None:
    assert mcnemar_p(np.array([0.5, -1.0]), np.array([0.0, 0.0])) is None


def _cr2_in_matrices(difference: Array, cluster: Array) -> tuple[float, float]:
    """CR2 variance and degrees of freedom of a mean, as Bell & McCaffrey write them."""
    n = difference.size
    hat = np.full((n, n), 1 / n)
    residual = (np.eye(n) - hat) @ difference
    parts, columns = [], []
    for g in np.unique(cluster):
        inside = cluster == g
        values, vectors = np.linalg.eigh(np.eye(inside.sum()) - hat[np.ix_(inside, inside)])
        adjust = vectors @ np.diag(values**-0.5) @ vectors.T
        weight = adjust @ np.full(inside.sum(), 1 / n)
        parts.append(float(weight @ residual[inside]) ** 2)
        columns.append((np.eye(n) - hat)[:, inside] @ weight)
    gram = np.array(columns) @ np.array(columns).T
    return sum(parts), float(np.trace(gram) ** 2 / np.sum(gram**2))


def _tango(n: int, all_only_x: bool, all_only_x_prime: bool) -> tuple[float, float]:
    """Tango's interval by solving his score equation, for pairs that all come out alike."""
    b, c = n * all_only_x, n * all_only_x_prime
    z = stats.norm.ppf(0.975)

    def score(delta: float) -> float:
        linear = -b - c + (2 * n - b + c) * delta
        root = np.sqrt(max(linear**2 + 8 * n * c * delta * (1 - delta), 0.0))
        q = (root - linear) / (4 * n)
        return (b - c - n * delta) / np.sqrt(n * (2 * q + delta * (1 - delta)))

    estimate, tiny = (b - c) / n, 1e-9
    low = (
        -1.0
        if estimate == -1
        else optimize.brentq(lambda d: score(d) - z, -1 + tiny, estimate - tiny)
    )
    high = (
        1.0 if estimate == 1 else optimize.brentq(lambda d: score(d) + z, estimate + tiny, 1 - tiny)
    )
    return low, high


def test_differences_beyond_the_length_of_a_scale_are_not_cut() -> None:
    wide = mean_estimate(np.array([1.5, 1.5, 1.4, 1.6]), scale=True).interval
    assert wide is not None
    assert wide.high > 1.0
    with pytest.raises(ValueError, match="not a number from -1 to 1"):
        mean_estimate(np.array([1.5, 0.0]))
    with pytest.raises(ValueError, match="not a number"):
        mean_estimate(np.array([np.inf, 0.0]), scale=True)
