"""Wilson's interval of a share, and the t interval of a mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from biaslab.stats import UnknownChoice, mean_interval, wilson

counts = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_the_ends_are_the_proportions_that_a_score_test_just_does_not_reject(
    count: tuple[int, int],
) -> None:
    successes, n = count
    interval = wilson(successes, n)
    assert interval is not None
    for end in (interval.low, interval.high):
        if 0 < end < 1:
            z = (successes / n - end) / math.sqrt(end * (1 - end) / n)
            assert abs(z) == pytest.approx(stats.norm.ppf(0.975), rel=1e-6)


@given(counts)
def test_it_holds_the_share_stays_within_0_and_1_and_has_a_width(count: tuple[int, int]) -> None:
    successes, n = count
    interval = wilson(successes, n)
    assert interval is not None
    assert 0 <= interval.low <= successes / n <= interval.high <= 1
    assert interval.high - interval.low > 0


@given(counts)
def test_it_agrees_with_scipy(count: tuple[int, int]) -> None:
    interval = wilson(*count, confidence=0.9)
    expected = stats.binomtest(*count).proportion_ci(0.9, method="wilson")
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_nothing_counted_gives_no_interval() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_more_or_fewer_successes_than_possible_are_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="no proportion"):
        wilson(successes, n)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0])
def test_a_confidence_level_given_in_per_cent_is_refused_with_advice(confidence: float) -> None:
    with pytest.raises(UnknownChoice, match=r"give 0\.95"):
        wilson(1, 2, confidence)


def test_the_interval_of_a_mean_agrees_with_statsmodels() -> None:
    values = np.random.default_rng(1).uniform(-1, 1, 37)
    interval = mean_interval(values)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(DescrStatsW(values).tconfint_mean())


def test_a_mean_without_variation_or_of_one_value_has_no_interval() -> None:
    assert mean_interval(np.array([0.5])) is None
    assert mean_interval(np.array([0.5, 0.5])) is None
