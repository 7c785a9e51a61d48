"""Means of values that come in clusters, and how sure they are.

The variance of the mean is the bias-reduced cluster-robust one, CR2, with Satterthwaite degrees
of freedom (Bell & McCaffrey 2002, Survey Methodology 28:169-181; Pustejovsky & Tipton 2018,
J. Bus. Econ. Stat. 36:672-683). For a mean both have a closed form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.estimates.proportions import Interval, check_confidence

if TYPE_CHECKING:
    pass

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
    import pandas as pd

    if cluster is None:
        return np.ones(values.size), values
    if cluster.shape != values.shape:
        raise ValueError(
            f"There are {cluster.size} clusters for {values.size} pairs: give one a pair."
        )
    index, _ = pd.factorize(cluster)
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
