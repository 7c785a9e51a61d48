"""Simulated pairs with a known effect: the intervals keep what they promise.

Every simulation has a fixed seed, so the figures are the same in every run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from biaslab.analysis import cate_estimate, wilson

Array = npt.NDArray[Any]
SIMULATIONS = 1000


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
    assert 0.93 <= share <= 0.97


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
    assert 0.93 <= hits / SIMULATIONS <= 0.97
    assert naive_hits / SIMULATIONS < 0.91


def test_wilson_intervals_hold_the_share_95_times_in_a_hundred_even_near_the_edge() -> None:
    rng = np.random.default_rng(3)
    for p in (0.5, 0.97):
        intervals = [wilson(int(k), 200) for k in rng.binomial(200, p, SIMULATIONS)]
        share = np.mean([i is not None and i.low <= p <= i.high for i in intervals])
        assert 0.93 <= share <= 0.97
