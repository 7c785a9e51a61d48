"""The one interval and the one test of a mean difference: pairs, clusters, samples, scales.

Bonett & Price (2012, J. Educ. Behav. Stat. 37:479-488) add imagined pairs, half of which differ
by +1 and half by -1, before the usual formula: then an interval exists, and holds, also where few
pairs differ or all differ the same way. Here the same idea serves differences that share clusters
too. With differences d of n pairs, their mean m, S = sum (d - m)^2, and the cluster-robust
variance D of m with its degrees of freedom nu (`biaslab.analysis.clustered`):

    k = 3 (z / 1.96)^2        imagined pairs (3 at 95 %), half +a, half -a
    c = sum n_g^2 / n         the size of the cluster that a pair finds itself in
    w = 2 c + 1               how many pairs' worth the worst case below weighs
    A = n (n - 1) D           squares, as the clusters show them
    B = w a^2 c               squares, if every cluster's pairs always came out alike
    deff = max(1, (A + B) / (S + w a^2)),   N = n / deff
    middle = m N / (N + k)
    v = ((N (S / n + m^2) + k a^2) / (N + k) - middle^2) / (N + k - 1)
    interval: middle +- t_f sqrt(v), cut at the bounds,   f = nu (A + B)^2 / A^2

Few differing pairs can't show clustering, so the design effect starts at its worst and the data
lower it. What the data don't estimate, the imagined part B, costs no degrees of freedom: that is
Satterthwaite's f of a sum of which one part is known. Single pairs are clusters of one.

k, w and a are ours, chosen by coverage on grids; docs/statistics.md gives coverage and width on
grids they were not chosen on, beside the published methods, which can be asked for by name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.analysis.clustered import Values, cluster_sizes, clustered_mean
from biaslab.analysis.proportions import Interval, check_confidence

_IMAGINED = 3.0
"""Imagined pairs at 95 %."""

_Z95 = 1.959963984540054

_MOST_Z = 37.0
"""Where the tail of a normal distribution ends for a computer; smaller p are given as this one."""

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
    steadied = _steadied(values, cluster, scale)
    if steadied is None:
        found = clustered_mean(values, cluster)
        return Estimate(
            found.mean, None, None, found.n, found.clusters, None, None, None, NO_INTERVAL
        )
    middle, variance = steadied.at(_imagined(confidence))
    reach = steadied.quantile(confidence) * math.sqrt(variance)
    return Estimate(
        mean=steadied.mean,
        interval=Interval(max(-bound, middle - reach), min(bound, middle + reach)),
        p=steadied.p(),
        n=steadied.n,
        clusters=steadied.clusters,
        middle=middle,
        variance=variance,
        freedom=steadied.freedom,
        method=METHOD,
    )


@dataclass(frozen=True, slots=True)
class _Steadied:
    """What the formula needs of some values; names as in the module's docstring."""

    mean: float
    n: int
    clusters: int
    square: float
    a: float
    effective: float
    freedom: float

    def at(self, k: float) -> tuple[float, float]:
        """Middle and variance with k imagined pairs."""
        total = self.effective + k
        middle = self.mean * self.effective / total
        square = (self.effective * self.square + k * self.a**2) / total
        return middle, (square - middle**2) / (total - 1.0)

    def quantile(self, confidence: float) -> float:
        if math.isinf(self.freedom):
            return float(scipy.special.ndtri(0.5 + confidence / 2))
        return float(scipy.special.stdtrit(self.freedom, 0.5 + confidence / 2))

    def p(self) -> float:
        """The level at which the interval just touches 0: found on z, since k grows with it."""
        if abs(self.mean) <= _ROUNDING:
            return 1.0
        # The statistic falls as z and with it k rises, so the two tails cross once.
        if self._beyond(_MOST_Z) >= 0.0:
            return float(2.0 * scipy.special.ndtr(-_MOST_Z))
        z = float(scipy.optimize.brentq(self._beyond, 0.0, _MOST_Z, xtol=1e-12, rtol=1e-12))
        return float(2.0 * scipy.special.ndtr(-z))

    def _beyond(self, z: float) -> float:
        """Positive where the interval of this z leaves out 0."""
        middle, variance = self.at(_IMAGINED * (z / _Z95) ** 2)
        if variance <= 0.0:
            return 1.0
        statistic = abs(middle) / math.sqrt(variance)
        if math.isinf(self.freedom):
            return statistic - z
        return float(scipy.special.ndtr(-z) - scipy.special.stdtr(self.freedom, -statistic))


def _imagined(confidence: float) -> float:
    return _IMAGINED * (float(scipy.special.ndtri(0.5 + confidence / 2)) / _Z95) ** 2


def _steadied(values: Values, cluster: npt.NDArray[Any] | None, scale: bool) -> _Steadied | None:
    """The parts of the formula; None with fewer than two values or clusters."""
    sizes = cluster_sizes(values, cluster)
    if sizes.size < 2:
        return None
    found = clustered_mean(values, cluster)
    n = found.n
    a = max(float(np.abs(values).max()), _SMALLEST_SCALE_STEP) if scale else 1.0
    square = float((values**2).mean())
    spread = max(0.0, n * (square - found.mean**2))
    c = float((sizes**2).sum()) / n
    weight = (2.0 * c + 1.0) * a**2
    shown = 0.0 if found.variance is None else n * (n - 1) * found.variance
    worst = weight * c
    deff = max(1.0, (shown + worst) / (spread + weight))
    freedom = math.inf
    if found.freedom is not None and shown > 0.0:
        freedom = found.freedom * ((shown + worst) / shown) ** 2
    return _Steadied(found.mean, n, sizes.size, square, a, max(1.0, n / deff), freedom)
