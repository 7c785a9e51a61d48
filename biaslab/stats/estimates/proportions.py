"""Shares of right answers, means of other outcomes, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass

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
