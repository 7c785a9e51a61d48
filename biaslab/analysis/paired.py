"""The effect of changing one feature, from pairs: CATE, its interval and its tests.

The differences d = Y_x - Y_x' of the pairs are the data; CATE is their mean (Opedal et al.
2024, section 4). The interval respects clusters (pairs that share a structure, question or
scenario): the variance of the mean is the bias-reduced cluster-robust one, CR2, and the t
distribution has Satterthwaite degrees of freedom (Bell & McCaffrey 2002, Survey Methodology
28:169-181; Pustejovsky & Tipton 2018, J. Bus. Econ. Stat. 36:672-683). For a mean both have a
closed form, in which

* with every pair a cluster of its own, it is exactly the paired t interval (n - 1 degrees of
  freedom),
* with G clusters of equal size, it is exactly the usual cluster-robust interval (CR1) with
  t(G - 1),
* with clusters of unequal size, t(G - 1) would promise too much, and the degrees of freedom
  are fewer.

So one formula covers all cases, and nobody has to choose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.analysis.clustered import clustered_mean
from biaslab.analysis.decisions import Adjustment
from biaslab.analysis.proportions import Interval, check_confidence

Outcomes: TypeAlias = npt.NDArray[np.float64]
"""One outcome a pair, no NaN. Where an item was asked several times, the mean of the pair's
samples."""


class IntervalMethod(StrEnum):
    """How an interval was made, in words for a reader."""

    PAIRED_T = "paired t interval"
    CLUSTERED = "cluster-robust t interval (CR2)"
    SCORE = "score interval (Tango), because all pairs came out alike"
    NONE = "no interval can be determined"


@dataclass(frozen=True, slots=True)
class PairedEstimate:
    """CATE of some pairs.

    Attributes:
        cate: mean of Y_x - Y_x'; None without pairs.
        interval: its confidence interval; None where there are fewer than two pairs or
            clusters, or no variation to judge it by.
        p: two-sided p of the test that belongs to the interval (respects clusters); None
            where the t statistic is undefined.
        n: pairs; clusters: what they are grouped in.
        degrees_of_freedom: of the t distribution; None where there is none.
        method: how the interval was made.
    """

    cate: float | None
    interval: Interval | None
    p: float | None
    n: int
    clusters: int
    degrees_of_freedom: float | None
    method: IntervalMethod


def is_binary(*outcomes: Outcomes) -> bool:
    """Whether every outcome is 0 or 1."""
    return all(bool(np.isin(values, (0.0, 1.0)).all()) for values in outcomes)


def cate_estimate(
    y_x: Outcomes,
    y_x_prime: Outcomes,
    cluster: npt.NDArray[Any] | None = None,
    confidence: float = 0.95,
) -> PairedEstimate:
    """CATE and its confidence interval.

    Args:
        y_x: outcomes of the first members, shape (n,).
        y_x_prime: outcomes of the second members of the same pairs, shape (n,).
        cluster: what each pair shares with others, shape (n,); None: nothing.
        confidence: coverage of the interval.

    Returns:
        The estimate. Where all right-or-wrong pairs have the same difference the t interval
        would have no width at all; then the interval is Tango's score interval for paired
        proportions (Tango 1998, Stat. Med. 17:891-908) with every cluster counted as one pair.

    Raises:
        ValueError: shapes differ, or an outcome is not a finite number.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    difference = _differences(y_x, y_x_prime)
    if difference.size == 0:
        return PairedEstimate(None, None, None, 0, 0, None, IntervalMethod.NONE)
    found = clustered_mean(difference, cluster)
    cate, n, clusters = found.mean, found.n, found.clusters
    if clusters < 2:
        return PairedEstimate(cate, None, None, n, clusters, None, IntervalMethod.NONE)
    if found.variance is None or found.freedom is None:
        interval = None
        if _all_alike(difference) and is_binary(y_x, y_x_prime):
            interval = _score_interval(cate, clusters, confidence)
        method = IntervalMethod.NONE if interval is None else IntervalMethod.SCORE
        p = 1.0 if abs(cate) <= _ROUNDING and _all_alike(difference) else None
        return PairedEstimate(cate, interval, p, n, clusters, None, method)
    error = math.sqrt(found.variance)
    reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, found.freedom)) * error
    return PairedEstimate(
        cate,
        Interval(cate - reach, cate + reach),
        float(2.0 * scipy.stats.t.sf(abs(cate) / error, found.freedom)),
        n,
        clusters,
        found.freedom,
        IntervalMethod.PAIRED_T if clusters == n else IntervalMethod.CLUSTERED,
    )


def adjusted_estimate(
    y_x: Outcomes,
    y_x_prime: Outcomes,
    cluster: npt.NDArray[Any] | None,
    adjustment: Adjustment,
) -> PairedEstimate:
    """CATE with an interval that allows for repeated looks.

    Where pairs are imagined, the formulas see k more pairs, half of which differ by +1 and half
    by -1 (with k = 2 the interval of Bonett & Price 2012, J. Educ. Behav. Stat. 37:479-488,
    which keeps its level also where few pairs differ). With clusters, clusters are added: as
    many as there are degrees of freedom, plus one, are taken to be there. The estimate itself,
    and p, which does not allow for looking, stay as they are. No end lies beyond -1 or 1 where
    outcomes lie within 0 and 1.

    Raises:
        ValueError, UnknownChoice: as `cate_estimate`.
    """
    plain = cate_estimate(y_x, y_x_prime, cluster, adjustment.confidence)
    interval, method = plain.interval, plain.method
    if adjustment.added_pairs and plain.cate is not None and plain.clusters > 1:
        interval = _with_added_pairs(y_x - y_x_prime, cluster, adjustment)
        alone = plain.clusters == plain.n
        method = IntervalMethod.PAIRED_T if alone else IntervalMethod.CLUSTERED
    if interval is not None and _within_0_and_1(y_x, y_x_prime):
        interval = Interval(max(-1.0, interval.low), min(1.0, interval.high))
    return replace(plain, interval=interval, method=method)


def _with_added_pairs(
    difference: Outcomes, cluster: npt.NDArray[Any] | None, adjustment: Adjustment
) -> Interval:
    found = clustered_mean(difference, cluster)
    added = adjustment.added_pairs
    units = float(found.clusters) if found.freedom is None else found.freedom + 1.0
    variance = found.variance or 0.0
    square = ((units - 1.0) * variance + found.mean**2) * units
    middle = found.mean * units / (units + added)
    steadied = ((square + added) / (units + added) - middle**2) / (units + added - 1.0)
    t = float(scipy.stats.t.ppf(0.5 + adjustment.confidence / 2, units - 1.0))
    reach = t * math.sqrt(steadied)
    return Interval(middle - reach, middle + reach)


def _within_0_and_1(*outcomes: Outcomes) -> bool:
    return all(bool(((values >= 0.0) & (values <= 1.0)).all()) for values in outcomes)


def paired_t_p(y_x: Outcomes, y_x_prime: Outcomes) -> float | None:
    """Two-tailed p of the paired t-test, the test of Opedal et al. (2024).

    It treats pairs as independent, whatever they share. Where the statistic is undefined:

    * fewer than two pairs: None;
    * all differences 0: 1.0 (scipy gives NaN: there is no evidence of any difference);
    * all differences equal and not 0: None (scipy gives 0.0, which no finite number of pairs
      justifies); `mcnemar_p` is defined there.

    Raises:
        ValueError: shapes differ, or an outcome is not a finite number.
    """
    difference = _differences(y_x, y_x_prime)
    if difference.size < 2:
        return None
    if _all_alike(difference):
        return 1.0 if abs(difference[0]) <= _ROUNDING else None
    return float(scipy.stats.ttest_rel(y_x, y_x_prime).pvalue)


def mcnemar_p(y_x: Outcomes, y_x_prime: Outcomes) -> float | None:
    """Two-sided p of the exact McNemar test: is "only x right" as frequent as "only x'"?

    Returns:
        The binomial p over the pairs whose members differ (McNemar 1947, Psychometrika
        12:153-157); 1.0 when none differs; None without pairs or when outcomes are not
        right-or-wrong (0 or 1).

    Raises:
        ValueError: shapes differ, or an outcome is not a finite number.
    """
    difference = _differences(y_x, y_x_prime)
    if difference.size == 0 or not is_binary(y_x, y_x_prime):
        return None
    only_x = int((difference > 0).sum())
    differing = int((difference != 0).sum())
    if differing == 0:
        return 1.0
    return float(scipy.stats.binomtest(only_x, differing, 0.5).pvalue)


_ROUNDING = 1e-12
"""Differences of means of samples may be this far apart and still be the same number."""


def _all_alike(difference: Outcomes) -> bool:
    return float(np.ptp(difference)) <= _ROUNDING


def _differences(y_x: Outcomes, y_x_prime: Outcomes) -> Outcomes:
    if y_x.shape != y_x_prime.shape or y_x.ndim != 1:
        raise ValueError(
            f"The outcomes of x have shape {y_x.shape}, those of x' {y_x_prime.shape}: "
            "give one number a pair for each."
        )
    difference: Outcomes = np.asarray(y_x - y_x_prime, dtype=np.float64)
    if not np.isfinite(difference).all():
        raise ValueError("An outcome is not a finite number: leave out unanswered pairs first.")
    return difference


def _score_interval(cate: float, units: int, confidence: float) -> Interval:
    """Tango's score interval where all units differ by the same: -1, 0 or 1 exactly."""
    z2 = float(scipy.stats.norm.ppf(0.5 + confidence / 2)) ** 2
    if cate == 0.0:
        return Interval(-z2 / (units + z2), z2 / (units + z2))
    inner = (units - z2) / (units + z2)
    return Interval(inner, 1.0) if cate > 0 else Interval(-1.0, -inner)
