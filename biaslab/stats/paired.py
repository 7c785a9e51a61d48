"""The causal effect of one changed feature, from right or wrong answers to pairs of problems.

A pair contributes Y_x - Y_x', where x is the easier member by hypothesis, so a positive mean is the
human-like direction. Its interval and p are those of `biaslab.stats.estimates`. The published
intervals are here to be compared with it and chosen by name: they take pairs as independent and are
refused where pairs share anything. In each, of n pairs ``b`` had only x right and ``c`` only x'.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.errors import UnknownChoice
from biaslab.stats.estimates import (
    NO_INTERVAL,
    Estimate,
    Interval,
    Numbers,
    check_confidence,
    cluster_sizes,
    clustered_mean,
    mean_estimate,
    two_sided,
)

_HALVINGS = 52
"""Of a length of 2: after them it is as short as floating-point numbers get."""


def t_interval(
    b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95
) -> tuple[Numbers, Numbers]:
    """The paired t interval; without any width, or none, where all pairs come out alike."""
    mean = (b - c) / n
    error = np.asarray((np.maximum(0.0, (b + c) / n - mean**2) / (n - 1.0)) ** 0.5)
    reach = np.asarray(scipy.special.stdtrit(n - 1.0, 0.5 + confidence / 2)) * error
    return mean - reach, mean + reach


def tango(b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The score interval of Tango (1998, Stat. Med. 17:891-908).

    It ends where the score statistic of a difference is as large as the normal quantile.
    """
    z = two_sided(confidence)
    middle = (b - c) / n
    low = _crossing(b, c, n, -z, -np.ones_like(middle), middle)
    return low, _crossing(b, c, n, z, middle, np.ones_like(middle))


def bonett_price(
    b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95
) -> tuple[Numbers, Numbers]:
    """The adjusted Wald interval of Bonett & Price (2012, J. Educ. Behav. Stat. 37:479-488)."""
    p_b, p_c = (b + 1.0) / (n + 2.0), (c + 1.0) / (n + 2.0)
    reach = two_sided(confidence) * np.sqrt((p_b + p_c - (p_b - p_c) ** 2) / (n + 2.0))
    return np.maximum(-1.0, p_b - p_c - reach), np.minimum(1.0, p_b - p_c + reach)


def newcombe(
    both: Numbers, b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95
) -> tuple[Numbers, Numbers]:
    """Method 10 of Newcombe (1998, Stat. Med. 17:2635-2650), from all four counts.

    Square-and-add of the two Wilson intervals with the continuity-corrected phi.
    """
    neither = n - both - b - c
    z2 = two_sided(confidence) ** 2
    p_1, down_1, up_1 = _wilson_reaches(both + b, n, z2)
    p_2, down_2, up_2 = _wilson_reaches(both + c, n, z2)
    product = (both + b) * (c + neither) * (both + c) * (b + neither)
    covered = both * neither - b * c
    corrected = np.where(covered > 0, np.maximum(covered - n / 2.0, 0.0), covered)
    phi = np.where(product > 0, corrected / np.sqrt(np.maximum(product, 1.0)), 0.0)
    below = down_1**2 - 2.0 * phi * down_1 * up_2 + up_2**2
    above = down_2**2 - 2.0 * phi * down_2 * up_1 + up_1**2
    difference = p_1 - p_2
    return (
        difference - np.sqrt(np.maximum(0.0, below)),
        difference + np.sqrt(np.maximum(0.0, above)),
    )


def asymptotic_mcnemar_p(b: int, c: int) -> float:
    """Two-sided p of the score test that belongs to `tango`; 1 where no pair differs."""
    return 1.0 if b + c == 0 else float(2.0 * scipy.special.ndtr(-abs(b - c) / np.sqrt(b + c)))


def _crossing(
    b: Numbers, c: Numbers, n: Numbers, z: Numbers, low: Numbers, high: Numbers
) -> Numbers:
    """Where between two differences the score falls below -z; the nearer end if nowhere."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        above = _score(b, c, n, middle) > -z
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2.0


def _score(b: Numbers, c: Numbers, n: Numbers, delta: Numbers) -> Numbers:
    """Tango's statistic, with the maximum-likelihood share of "only x'" at this difference."""
    linear = -b - c + (2.0 * n - b + c) * delta
    constant = -c * delta * (1.0 - delta)
    root = np.sqrt(np.maximum(0.0, linear**2 - 8.0 * n * constant))
    variance = n * (2.0 * (root - linear) / (4.0 * n) + delta * (1.0 - delta))
    away = b - c - n * delta
    return np.where(
        variance > 1e-15, away / np.sqrt(np.maximum(variance, 1e-15)), np.sign(away) * 1e9
    )


def _wilson_reaches(k: Numbers, n: Numbers, z2: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """A share and how far Wilson's interval reaches below and above it."""
    share = k / n
    middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n)
    reach = np.sqrt(z2 * (share * (1.0 - share) / n + z2 / (4.0 * n**2))) / (1.0 + z2 / n)
    return share, share - np.maximum(0.0, middle - reach), np.minimum(1.0, middle + reach) - share


Outcomes: TypeAlias = npt.NDArray[np.float64]
"""One outcome a pair, from one arm: 1 right, 0 wrong, or another number; no NaN."""

IntervalMethod: TypeAlias = Literal["imagined-pairs", "t", "tango", "bonett-price", "newcombe"]
"""``imagined-pairs``: ours, the one that is used everywhere. The others are published ones, for
comparison: ``t`` of Opedal et al. (2024), with clusters by CR2 (Bell & McCaffrey 2002);
``tango`` (1998, Stat. Med. 17:891-908); ``bonett-price`` (2012, J. Educ. Behav. Stat.
37:479-488); ``newcombe`` (1998, Stat. Med. 17:2635-2650, method 10)."""

INTERVAL_METHODS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)


def is_binary(*outcomes: Outcomes) -> bool:
    """Whether every outcome is 0 or 1."""
    return all(bool(np.isin(values, (0.0, 1.0)).all()) for values in outcomes)


def cate_estimate(
    y_x: Outcomes,
    y_x_prime: Outcomes,
    cluster: npt.NDArray[Any] | None = None,
    confidence: float = 0.95,
    *,
    scale: bool = False,
    method: IntervalMethod = "imagined-pairs",
) -> Estimate:
    """CATE with its confidence interval and p.

    Args:
        y_x: outcomes of the first members, shape (n,).
        y_x_prime: outcomes of the second members of the same pairs, shape (n,).
        cluster: what each pair shares with others, shape (n,); None: nothing.
        confidence: coverage of the interval.
        scale: whether outcomes are positions on a scale of length 1, not right or wrong.
        method: how the interval is made. With a published one p is that of the same statistic
            (`paired_t_p` for ``t``, the asymptotic McNemar test for ``tango``), or None where
            the method has no test of its own.

    Raises:
        ValueError: shapes differ, or an outcome is not a finite number.
        UnknownChoice: the confidence level is not between 0 and 1, there is no such method, or
            it is none for such pairs.
    """
    check_confidence(confidence)
    difference = _differences(y_x, y_x_prime)
    plain = mean_estimate(difference, cluster, confidence, scale=scale)
    if method == "imagined-pairs":
        return plain
    if method not in INTERVAL_METHODS:
        raise UnknownChoice(
            f"There is no interval '{method}': choose {', '.join(INTERVAL_METHODS)}."
        )
    nothing = replace(
        plain, interval=None, p=None, middle=None, variance=None, freedom=None, method=NO_INTERVAL
    )
    if plain.interval is None:
        return nothing
    if method == "t":
        return _by_t(difference, cluster, confidence, nothing)
    if plain.clusters < plain.n or not is_binary(y_x, y_x_prime):
        raise UnknownChoice(
            f"The interval '{method}' is for single pairs of right or wrong answers; these share "
            "clusters, have several samples or lie on a scale: choose imagined-pairs or t."
        )
    b, c, n = int((difference > 0).sum()), int((difference < 0).sum()), plain.n
    p: float | None = None
    match method:
        case "tango":
            ends, p = tango(b, c, n, confidence), asymptotic_mcnemar_p(b, c)
        case "bonett-price":
            ends = bonett_price(b, c, n, confidence)
        case _:
            both = int(((y_x == 1) & (y_x_prime == 1)).sum())
            ends = newcombe(both, b, c, n, confidence)
    interval = Interval(float(ends[0]), float(ends[1]))
    return replace(nothing, interval=interval, p=p, method=_PUBLISHED[method])


_PUBLISHED = {
    "tango": "score interval (Tango 1998)",
    "bonett-price": "adjusted Wald interval (Bonett & Price 2012)",
    "newcombe": "score interval, method 10 (Newcombe 1998)",
}


@dataclass(frozen=True, slots=True)
class CountsEffect:
    """The effect of pairs that are given by their four counts.

    Attributes:
        n: pairs; cate: share of only x right minus that of only x' right; None without pairs.
        ci_low, ci_high: its interval; p: of the test that belongs to it; None where undetermined.
        confidence: of the interval; method: how it was made.
    """

    n: int
    cate: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    confidence: float
    method: str


def cate_of_counts(
    both: int,
    only_x: int,
    only_x_prime: int,
    neither: int,
    confidence: float = 0.95,
    method: IntervalMethod = "imagined-pairs",
) -> CountsEffect:
    """The effect of independent pairs from how many came out how: `cate_estimate` of them.

    Raises:
        UnknownChoice: the confidence level is not between 0 and 1, or there is no such method.
        ValueError: a count is negative.
    """
    counts = (both, only_x, only_x_prime, neither)
    y_x = np.repeat([1.0, 1.0, 0.0, 0.0], counts)
    y_x_prime = np.repeat([1.0, 0.0, 1.0, 0.0], counts)
    found = cate_estimate(y_x, y_x_prime, None, confidence, method=method)
    ends = found.interval
    return CountsEffect(
        n=found.n,
        cate=found.mean,
        ci_low=None if ends is None else ends.low,
        ci_high=None if ends is None else ends.high,
        p=found.p,
        confidence=confidence,
        method=found.method,
    )


def paired_t_p(y_x: Outcomes, y_x_prime: Outcomes) -> float | None:
    """Two-tailed p of the paired t-test, the test of Opedal et al. (2024).

    It treats pairs as independent, so it is not for pairs that share clusters. Where the statistic
    is undefined:

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
    if float(np.ptp(difference)) <= _ROUNDING:
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


def _by_t(
    difference: Outcomes, cluster: npt.NDArray[Any] | None, confidence: float, nothing: Estimate
) -> Estimate:
    """The paired t interval, or with clusters the CR2 one; none without any variation."""
    found = clustered_mean(difference, cluster)
    if found.variance is None or found.freedom is None:
        return nothing
    error = math.sqrt(found.variance)
    reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, found.freedom)) * error
    single = cluster_sizes(difference, cluster).size == difference.size
    return replace(
        nothing,
        interval=Interval(found.mean - reach, found.mean + reach),
        p=float(2.0 * scipy.stats.t.sf(abs(found.mean) / error, found.freedom)),
        middle=found.mean,
        variance=found.variance,
        freedom=found.freedom,
        method="paired t interval" if single else "cluster-robust t interval (CR2)",
    )
