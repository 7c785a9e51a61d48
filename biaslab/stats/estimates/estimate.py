"""The one interval and the one test of a mean difference: pairs, clusters, samples, scales.

The formula is that of `biaslab.stats.estimates.imagined_pairs`. Its test is the interval turned
round: p is the level at which the interval just touches 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.estimates.clustered import ClusteredMean, Values, cluster_sizes, clustered_mean
from biaslab.stats.estimates.imagined_pairs import Steadied, imagined_pairs, two_sided
from biaslab.stats.estimates.proportions import Interval, check_confidence

_MOST_Z = 37.0
"""Where the tail of a normal distribution ends for a computer; smaller p are given as this one."""

_LEAST_Z = 1e-6
"""At which p is 1 but for a millionth."""

_SMALLEST_SCALE_STEP = 0.5
"""The least an imagined difference on a scale of length 1 comes to."""

_ROUNDING = 1e-12
"""Means of samples may be this far apart and still be the same number."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of differences, and how sure it is.

    Attributes:
        mean: of the values, in their unit; None without any.
        interval: of the mean; None with fewer than two values or clusters.
        p: of the test that belongs to the interval, two-sided: for every level, p < alpha exactly
            where the interval at 1 - alpha leaves out 0. None with interval.
        n: values; clusters: what they are grouped in.
        middle, variance: of the interval before it is cut: its centre, a little nearer 0 than
            the mean, and the squared standard error there; freedom: of its t distribution, may
            be infinite. None with interval.
        method: how interval and p were made, in words.
    """

    mean: float | None
    interval: Interval | None
    p: float | None
    n: int
    clusters: int
    middle: float | None
    variance: float | None
    freedom: float | None
    method: str


METHOD = "interval with imagined pairs"
NO_INTERVAL = "no interval can be determined"


def mean_estimate(
    values: Values,
    cluster: npt.NDArray[Any] | None = None,
    confidence: float = 0.95,
    *,
    scale: bool = False,
    bound: float = 1.0,
) -> Estimate:
    """The mean of differences with its interval and p.

    Args:
        values: shape (n,), finite, each in -bound..bound, on a scale anywhere; means of samples
            count as one value.
        cluster: what each value shares with others, shape (n,); None: nothing.
        confidence: coverage of the interval.
        scale: whether values are differences of positions on a scale of length 1; otherwise they
            are differences of right (1) and wrong (0) answers.
        bound: the largest difference that can be; 2 for differences of differences.

    Raises:
        ValueError: a value is not finite or beyond the bound, or there is not one cluster a value.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    if values.size == 0:
        return Estimate(None, None, None, 0, 0, None, None, None, NO_INTERVAL)
    if scale and (np.abs(values) > bound + _ROUNDING).any():
        bound = math.inf  # A metric may reach beyond the scale; then no end is known to cut at.
    if not np.isfinite(values).all() or float(np.abs(values).max()) > bound + _ROUNDING:
        raise ValueError(
            f"A difference is not a number from {-bound:g} to {bound:g}: leave out unanswered "
            "pairs first."
        )
    found = clustered_mean(values, cluster)
    if found.clusters < 2:
        return Estimate(
            found.mean, None, None, found.n, found.clusters, None, None, None, NO_INTERVAL
        )
    steadied = _steadied(found, values, cluster, scale)
    low, high = steadied.ends(confidence, bound)
    middle, variance = steadied.at(imagined_pairs(two_sided(confidence)))
    return Estimate(
        mean=found.mean,
        interval=Interval(float(low), float(high)),
        p=_p(steadied),
        n=found.n,
        clusters=found.clusters,
        middle=float(middle),
        variance=float(variance),
        freedom=float(steadied.freedom),
        method=METHOD,
    )


def _steadied(
    found: ClusteredMean, values: Values, cluster: npt.NDArray[Any] | None, scale: bool
) -> Steadied:
    n = found.n
    return Steadied.of(
        n=float(n),
        mean=found.mean,
        square=float((values**2).mean()),
        shown=0.0 if found.variance is None else n * (n - 1) * found.variance,
        nu=1.0 if found.freedom is None else found.freedom,
        c=float((cluster_sizes(values, cluster) ** 2).sum()) / n,
        a=max(float(np.abs(values).max()), _SMALLEST_SCALE_STEP) if scale else 1.0,
    )


def _p(steadied: Steadied) -> float:
    """The level at which the interval just touches 0: found on z, since k grows with it."""
    if abs(float(steadied.mean)) <= _ROUNDING or _beyond(_LEAST_Z, steadied) <= 0.0:
        return 1.0
    # The statistic falls as z and with it k rises, so the two tails cross once.
    if _beyond(_MOST_Z, steadied) >= 0.0:
        return float(2.0 * scipy.special.ndtr(-_MOST_Z))
    z = scipy.optimize.brentq(_beyond, _LEAST_Z, _MOST_Z, args=(steadied,), xtol=1e-12, rtol=1e-12)
    return float(2.0 * scipy.special.ndtr(-z))


def _beyond(z: float, steadied: Steadied) -> float:
    """Positive where the interval of this z leaves out 0."""
    middle, variance = steadied.at(imagined_pairs(z))
    statistic = abs(float(middle)) / math.sqrt(variance)
    return float(scipy.special.ndtr(-z) - scipy.special.stdtr(steadied.freedom, -statistic))
