"""The formula of the one interval: for one mean of differences, or for arrays of them at once.

Bonett & Price (2012, J. Educ. Behav. Stat. 37:479-488) add imagined pairs, half of which differ
by +1 and half by -1, before the usual formula: then an interval exists, and holds, also where few
pairs differ or all differ the same way. Here the same idea serves differences that share clusters
too. With differences d of n pairs, their mean m, S = sum (d - m)^2, and the cluster-robust
variance D of m with its degrees of freedom nu (`biaslab.stats.estimates.clustered`):

    k = 3 (z / 1.96)^2        imagined pairs (3 at 95 %), half +a, half -a
    c = sum n_g^2 / n         the size of the cluster that a pair finds itself in
    w = 2 c + 1               how many pairs' worth the worst case below weighs
    A = n (n - 1) D           squares, as the clusters show them
    B = w a^2 c               squares, if every cluster's pairs always came out alike
    deff = max(1, (A + B) / (S + w a^2)),   N = n / deff, at least 1
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

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

Numbers: TypeAlias = float | npt.NDArray[np.float64]
"""One number, or an array of them; arrays that meet in a formula have shapes that broadcast."""

_IMAGINED = 3.0
"""Imagined pairs at 95 %."""

_Z95 = 1.959963984540054


def two_sided(confidence: Numbers) -> Numbers:
    """The normal quantile z of a two-sided interval of this confidence."""
    z: Numbers = scipy.special.ndtri(0.5 + confidence / 2)
    return z


def imagined_pairs(z: Numbers) -> Numbers:
    """k, how many pairs are imagined at the level of this normal quantile."""
    return _IMAGINED * (z / _Z95) ** 2


@dataclass(frozen=True, slots=True)
class Steadied:
    """What the formula needs of the differences, at whichever level; names as above.

    Attributes:
        mean: m, of the differences.
        square: the mean of their squares, S / n + m^2.
        a: size of an imagined difference.
        effective: N.
        freedom: f, may be infinite.
    """

    mean: Numbers
    square: Numbers
    a: Numbers
    effective: Numbers
    freedom: Numbers

    @classmethod
    def of(
        cls,
        n: Numbers,
        mean: Numbers,
        square: Numbers,
        shown: Numbers,
        nu: Numbers,
        c: Numbers = 1.0,
        a: Numbers = 1.0,
    ) -> Steadied:
        """From n pairs; ``shown`` is A, the other names are those of the formula."""
        spread = np.maximum(0.0, n * (square - mean**2))
        weight = (2.0 * c + 1.0) * a**2
        worst = weight * c
        deff = np.maximum(1.0, (shown + worst) / (spread + weight))
        with np.errstate(divide="ignore", over="ignore"):
            freedom = nu / np.square(shown / (shown + worst))
        return cls(mean, square, a, np.maximum(1.0, n / deff), freedom)

    @classmethod
    def of_single_pairs(cls, n: Numbers, mean: Numbers, square: Numbers) -> Steadied:
        """From n independent pairs, at least 2; for them A = S."""
        spread = np.maximum(0.0, n * (square - mean**2))
        return cls.of(n, mean, square, spread, n - 1.0)

    def at(self, k: Numbers) -> tuple[Numbers, Numbers]:
        """Middle and variance with k imagined pairs."""
        total = self.effective + k
        middle = self.mean * self.effective / total
        square = (self.effective * self.square + k * self.a**2) / total
        return middle, (square - middle**2) / (total - 1.0)

    def reach(self, confidence: Numbers, variance: Numbers) -> Numbers:
        """How far the interval reaches to either side before it is cut."""
        return np.asarray(
            scipy.special.stdtrit(self.freedom, 0.5 + confidence / 2) * np.sqrt(variance)
        )

    def ends(self, confidence: Numbers, bound: float = 1.0) -> tuple[Numbers, Numbers]:
        """Low and high end of the interval, cut at -bound and bound."""
        middle, variance = self.at(imagined_pairs(two_sided(confidence)))
        reach = self.reach(confidence, variance)
        return np.maximum(-bound, middle - reach), np.minimum(bound, middle + reach)
