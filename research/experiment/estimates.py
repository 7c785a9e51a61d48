"""What starts say together: a mean over starts, and how sure it is.

Every figure is first worked out within each start, from cells that all go on from it; then starts
are averaged. Two things make it unsure: other starts and lessons would have ended otherwise, and
other pairs would have been answered otherwise. All trainings were asked the same pairs, so more
starts do not make the second smaller. The variance is the sum of both,

    V = (variance between starts) / starts + (mean over starts of the item error)²,

with t on one degree of freedom fewer than starts. The closed form of crossed random effects
takes off the part that is in both; the table holds counts, which do not say how large that is, and
the item error of a mean over starts is at most the mean of the starts' item errors. So V errs to
the wide side (research/docs/experiment.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.estimates import Interval

CONFIDENCE = 0.95
"""Coverage of all intervals here."""

_Z = 1.96
"""Of an interval over items alone."""

_ROUNDING = 1e-18
"""A variance below this is none."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class One:
    """A figure in one start.

    Attributes:
        value: the figure; item_error: its standard error over items.
    """

    value: float
    item_error: float = 0.0


@dataclass(frozen=True, slots=True)
class StartsEstimate:
    """A figure over starts.

    Attributes:
        starts: by their seeds, the figure in each; of a difference, those of the part that has
            fewer.
        value: their mean; None without any.
        interval: 95 %; None with fewer than two starts, or where nothing varies.
        p: two-sided, of the mean being zero; None where there is no interval.
    """

    starts: dict[int, One]
    value: float | None
    interval: Interval | None
    p: float | None

    @property
    def n(self) -> int:
        """How many starts."""
        return len(self.starts)


def over_starts(starts: dict[int, One]) -> StartsEstimate:
    """The mean over starts with its interval."""
    values = np.array([one.value for one in starts.values()], dtype=np.float64)
    if not values.size:
        return StartsEstimate(starts, None, None, None)
    mean = float(values.mean())
    if values.size < 2:
        return StartsEstimate(starts, mean, None, None)
    return _with_t(starts, mean, _variance(starts), values.size - 1)


def difference(one: StartsEstimate, other: StartsEstimate) -> StartsEstimate:
    """The first minus the second, of starts that have nothing to do with each other.

    Its degrees of freedom are those of the fewer starts, which errs to the wide side (Welch's lie
    between them and those of both together).
    """
    if one.value is None or other.value is None:
        return StartsEstimate({}, None, None, None)
    middle, fewer = one.value - other.value, min(one.starts, other.starts, key=len)
    if len(fewer) < 2:
        return StartsEstimate(fewer, middle, None, None)
    return _with_t(fewer, middle, _variance(one.starts) + _variance(other.starts), len(fewer) - 1)


def bar_of(estimate: StartsEstimate) -> Interval | None:
    """The interval that is drawn: over starts and items; of one start, over items alone."""
    if estimate.interval is not None or estimate.n != 1 or estimate.value is None:
        return estimate.interval
    (one,) = estimate.starts.values()
    reach = _Z * one.item_error
    return Interval(estimate.value - reach, estimate.value + reach)


def combined(parts: Sequence[One], weights: Sequence[float]) -> One:
    """A weighted sum of figures of one start, whose item errors are taken for independent.

    The weights of a slope or a contrast add up to zero, so what makes an item hard for all cells
    alike cancels; leaving that out errs to the wide side.
    """
    value = math.fsum(weight * part.value for part, weight in zip(parts, weights, strict=True))
    errors = [weight * part.item_error for part, weight in zip(parts, weights, strict=True)]
    return One(value, math.hypot(*errors))


def along(parts: Sequence[One], weights: Sequence[float]) -> One:
    """A weighted sum over checks of one training, which asked the same items: errors add up."""
    value = math.fsum(weight * part.value for part, weight in zip(parts, weights, strict=True))
    error = math.fsum(
        abs(weight) * part.item_error for part, weight in zip(parts, weights, strict=True)
    )
    return One(value, error)


def slope_weights(places: Sequence[float]) -> list[float]:
    """What least squares gives each of the values at these places, for the slope."""
    centred = np.array(places) - np.mean(places)
    return [float(weight) for weight in centred / (centred @ centred)]


def regression_weights(predictors: Sequence[Sequence[float]]) -> Values:
    """What least squares gives each value, for the coefficient of each predictor.

    Args:
        predictors: for every value, its predictors. An intercept is added, and left out of
            what is returned.
    """
    design = np.column_stack([np.ones(len(predictors)), np.array(predictors)])
    weights: Values = np.linalg.pinv(design)[1:]
    return weights


def _variance(starts: dict[int, One]) -> float:
    values = np.array([one.value for one in starts.values()])
    items = float(np.mean([one.item_error for one in starts.values()]))
    return float(values.var(ddof=1)) / values.size + items**2


def _with_t(starts: dict[int, One], middle: float, variance: float, freedom: int) -> StartsEstimate:
    if variance < _ROUNDING:
        return StartsEstimate(starts, middle, None, None)
    error = math.sqrt(variance)
    reach = float(scipy.stats.t.ppf(0.5 + CONFIDENCE / 2, freedom)) * error
    p = float(2 * scipy.stats.t.sf(abs(middle) / error, freedom))
    return StartsEstimate(starts, middle, Interval(middle - reach, middle + reach), p)
