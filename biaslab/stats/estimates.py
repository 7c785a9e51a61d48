"""One estimate: a share or a mean of values that may share clusters, its interval and its test.

The variance of the mean is the bias-reduced cluster-robust one, CR2, with Satterthwaite degrees
of freedom (Bell & McCaffrey 2002, Survey Methodology 28:169-181; Pustejovsky & Tipton 2018,
J. Bus. Econ. Stat. 36:672-683). For a mean both have a closed form.

The interval: Bonett & Price (2012, J. Educ. Behav. Stat. 37:479-488) add imagined pairs, half of
which differ by +1 and half by -1, before the usual formula: then an interval exists, and holds,
also where few pairs differ or all differ the same way. Here the same idea serves differences that
share clusters too. With differences d of n pairs, their mean m, S = sum (d - m)^2, and the cluster-
robust variance D of m with its degrees of freedom nu:

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

The test is the interval turned round: p is the level at which the interval just touches 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.errors import UnknownChoice


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, both ends in the unit of its estimate."""

    low: float
    high: float


def check_confidence(confidence: float) -> None:
    """Refuses a confidence level that is not strictly between 0 and 1.

    Raises:
        UnknownChoice: it is outside; the message says what to give.
    """
    if not 0.0 < confidence < 1.0:
        raise UnknownChoice(
            f"The confidence level {confidence} is not between 0 and 1: "
            "give 0.95 for a 95 % interval."
        )


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval | None:
    """Wilson's score interval of a proportion (Wilson 1927, J. Am. Stat. Assoc. 22:209-212).

    Unlike the usual plus-minus formula it stays within 0 and 1 and has a width at 0 % and
    100 %, where small and very good models end up (Brown, Cai & DasGupta 2001, Stat. Sci. 16).

    Args:
        successes: how many of the n, from 0 to n.
        n: how many were counted.
        confidence: coverage, strictly between 0 and 1.

    Returns:
        The interval as fractions 0..1, or None when nothing was counted.

    Raises:
        ValueError: successes lie outside 0..n.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no proportion: give 0 to {n} successes.")
    if n == 0:
        return None
    low, high = scipy.stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    # At the edges the formula leaves rounding errors where the end is known exactly.
    return Interval(0.0 if successes == 0 else float(low), 1.0 if successes == n else float(high))


def mean_interval(outcomes: npt.NDArray[np.float64], confidence: float = 0.95) -> Interval | None:
    """The t interval of a mean, for outcomes on a scale; None without any variation.

    Raises:
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    n = outcomes.size
    if n < 2 or np.ptp(outcomes) == 0.0:
        return None
    reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, n - 1) * scipy.stats.sem(outcomes))
    mean = float(outcomes.mean())
    return Interval(mean - reach, mean + reach)


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
class SteadiedMoments:
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
        numbers: Numbers,
        nu: Numbers,
        c: Numbers = 1.0,
        a: Numbers = 1.0,
    ) -> SteadiedMoments:
        """From n pairs; ``numbers`` is A, the other names are those of the formula."""
        spread = np.maximum(0.0, n * (square - mean**2))
        weight = (2.0 * c + 1.0) * a**2
        worst = weight * c
        deff = np.maximum(1.0, (numbers + worst) / (spread + weight))
        with np.errstate(divide="ignore", over="ignore"):
            freedom = nu / np.square(numbers / (numbers + worst))
        return cls(mean, square, a, np.maximum(1.0, n / deff), freedom)

    @classmethod
    def of_single_pairs(cls, n: Numbers, mean: Numbers, square: Numbers) -> SteadiedMoments:
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


Values: TypeAlias = npt.NDArray[np.float64]
"""One value a unit, no NaN."""

_ROUNDING_SQUARED = 1e-24
"""Variances below this are sums that cancel but for floating-point error."""


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean and its uncertainty.

    Attributes:
        mean: of all values.
        variance: CR2 variance of the mean, in the squared unit of the values; None where there
            are fewer than two clusters or no variation to judge it by.
        freedom: Satterthwaite degrees of freedom that belong to it; None with it. G clusters of
            equal size have G - 1.
        n: values; clusters: what they are grouped in.
    """

    mean: float
    variance: float | None
    freedom: float | None
    n: int
    clusters: int


def clustered_mean(values: Values, cluster: npt.NDArray[Any] | None = None) -> ClusteredMean:
    """The mean of values that may share clusters.

    Args:
        values: shape (n,), at least one.
        cluster: what each value shares with others, shape (n,); None: nothing.

    Raises:
        ValueError: there are no values, or not one cluster a value.
    """
    n = values.size
    if n == 0:
        raise ValueError("There is nothing to take the mean of: give at least one value.")
    mean = float(values.mean())
    sizes, sums = _cluster_sums(values, cluster)
    clusters = sizes.size
    if clusters < 2:
        return ClusteredMean(mean, None, None, n, clusters)
    weight = sizes / n
    variance = float(((sums - sizes * mean) ** 2 / (1.0 - weight)).sum() / n**2)
    if variance <= _ROUNDING_SQUARED * max(1.0, float((values**2).mean())):
        return ClusteredMean(mean, None, None, n, clusters)
    return ClusteredMean(mean, variance, _satterthwaite(weight), n, clusters)


def clustered_interval(
    values: Values, cluster: npt.NDArray[Any], confidence: float = 0.95
) -> Interval | None:
    """The t interval of a mean that respects clusters; None where `ClusteredMean` knows none.

    Raises:
        ValueError, UnknownChoice: as `clustered_mean` and `check_confidence`.
    """
    check_confidence(confidence)
    if values.size == 0:
        return None
    found = clustered_mean(values, cluster)
    if found.variance is None or found.freedom is None:
        return None
    reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, found.freedom))
    reach *= math.sqrt(found.variance)
    return Interval(found.mean - reach, found.mean + reach)


def clustered_share(
    values: Values, cluster: npt.NDArray[Any], most: int, confidence: float = 0.95
) -> Interval | None:
    """Wilson's interval of a mean of values between 0 and 1 that may share clusters.

    The number of observations in Wilson's formula is the effective one: as many independent
    answers as would give the variance that was found, p (1 - p) / variance, made smaller for
    few clusters by (z / t)^2 (Korn & Graubard 1998, Survey Methodology 24:193-201; Franco et al.
    2019, J. Surv. Stat. Methodol. 7:334-364). Where values do not vary at all and are 0 or 1,
    every cluster counts as one observation.

    Args:
        values: shares, shape (n,), each in 0..1.
        cluster: shape (n,).
        most: the number of single answers behind the values: the effective number is never more.
        confidence: coverage.

    Returns:
        The interval, or None without values.

    Raises:
        ValueError, UnknownChoice: as `clustered_mean` and `check_confidence`.
    """
    check_confidence(confidence)
    if values.size == 0:
        return None
    z = float(scipy.stats.norm.ppf(0.5 + confidence / 2))
    return _wilson(float(values.mean()), effective_number(values, cluster, most, confidence), z)


def effective_number(
    values: Values, cluster: npt.NDArray[Any], most: int, confidence: float = 0.95
) -> float:
    """As many independent answers as say as much as these shares do; see `clustered_share`.

    Raises:
        ValueError: there are no values, or not one cluster a value.
    """
    found = clustered_mean(values, cluster)
    spread = found.mean * (1.0 - found.mean)
    if found.variance is not None and found.freedom is not None:
        z = float(scipy.stats.norm.ppf(0.5 + confidence / 2))
        t = float(scipy.stats.t.ppf(0.5 + confidence / 2, found.freedom))
        return min(float(most), spread / found.variance * (z / t) ** 2)
    if found.clusters < 2 or spread == 0.0:
        return float(found.clusters)
    return float(most)


def _wilson(share: float, n: float, z: float) -> Interval:
    """Wilson's interval where neither n nor n times share need be whole."""
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low = 0.0 if share == 0.0 else max(0.0, middle - reach)
    return Interval(low, 1.0 if share == 1.0 else min(1.0, middle + reach))


def cluster_sizes(values: Values, cluster: npt.NDArray[Any] | None) -> Values:
    """How many values each cluster has, shape (clusters,).

    Raises:
        ValueError: there is not one cluster a value.
    """
    return _cluster_sums(values, cluster)[0]


def _cluster_sums(values: Values, cluster: npt.NDArray[Any] | None) -> tuple[Values, Values]:
    if cluster is None:
        return np.ones(values.size), values
    if cluster.shape != values.shape:
        raise ValueError(
            f"There are {cluster.size} clusters for {values.size} pairs: give one a pair."
        )
    places: dict[Any, int] = {}
    index = [places.setdefault(each, len(places)) for each in cluster.tolist()]
    sizes = np.bincount(index).astype(np.float64)
    sums = np.bincount(index, weights=values).astype(np.float64)
    return sizes, sums


def _satterthwaite(weight: Values) -> float:
    """Degrees of freedom of the CR2 variance of a mean under independent, equal variances.

    With w the clusters' shares of the values, the matrix whose eigenvalues Bell & McCaffrey
    match has trace 1/n and squared trace (sum w^2 + sum over g != h of u_g u_h) / n^2, where
    u = w^2 / (1 - w).
    """
    u = weight**2 / (1.0 - weight)
    return float(1.0 / ((weight**2).sum() + u.sum() ** 2 - (u**2).sum()))


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
    mean: ClusteredMean, values: Values, cluster: npt.NDArray[Any] | None, scale: bool
) -> SteadiedMoments:
    n = mean.n
    return SteadiedMoments.of(
        n=float(n),
        mean=mean.mean,
        square=float((values**2).mean()),
        numbers=0.0 if mean.variance is None else n * (n - 1) * mean.variance,
        nu=1.0 if mean.freedom is None else mean.freedom,
        c=float((cluster_sizes(values, cluster) ** 2).sum()) / n,
        a=max(float(np.abs(values).max()), _SMALLEST_SCALE_STEP) if scale else 1.0,
    )


def _p(steadied: SteadiedMoments) -> float:
    """The level at which the interval just touches 0: found on z, since k grows with it."""
    if abs(float(steadied.mean)) <= _ROUNDING or _beyond(_LEAST_Z, steadied) <= 0.0:
        return 1.0
    # The statistic falls as z and with it k rises, so the two tails cross once.
    if _beyond(_MOST_Z, steadied) >= 0.0:
        return float(2.0 * scipy.special.ndtr(-_MOST_Z))
    z = scipy.optimize.brentq(_beyond, _LEAST_Z, _MOST_Z, args=(steadied,), xtol=1e-12, rtol=1e-12)
    return float(2.0 * scipy.special.ndtr(-z))


def _beyond(z: float, steadied: SteadiedMoments) -> float:
    """Positive where the interval of this z leaves out 0."""
    middle, variance = steadied.at(imagined_pairs(z))
    statistic = abs(float(middle)) / math.sqrt(variance)
    return float(scipy.special.ndtr(-z) - scipy.special.stdtr(steadied.freedom, -statistic))
