"""How much effects on the same pairs differ from each other, beyond chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy.typing as npt

from biaslab.stats.estimates.clustered import Values, clustered_mean
from biaslab.stats.estimates.estimate import Estimate
from biaslab.stats.estimates.proportions import Interval
from schoolmath.text.figures import exact_percent


@dataclass(frozen=True, slots=True)
class EffectSpread:
    """The standard deviation of several true effects.

    Attributes:
        deviation: in the unit of the effects; interval: of it; both None where no difference has
            an interval.
        p: of the test that all are the same; clusters: what the pairs are grouped in.
        method: how interval and p were made, in a sentence.
    """

    deviation: float | None
    interval: Interval | None
    p: float | None
    clusters: int
    method: str


def spread_between(
    effects: Sequence[Values],
    cluster: npt.NDArray[Any],
    estimate: Callable[[Values, float], Estimate],
    confidence: float = 0.95,
) -> EffectSpread:
    """How far two or more effects on the same pairs lie apart, beyond chance.

    Args:
        effects: for each, a difference a pair, shape (pairs,).
        cluster: what each pair shares with others, shape (pairs,).
        estimate: the mean of differences between two of them, at a level of confidence.
        confidence: of the interval, over all their differences.
    """
    apart = [one - other for one, other in combinations(effects, 2)]
    together = 1.0 - (1.0 - confidence) / len(apart)
    estimates = [estimate(values, together) for values in apart]
    chance = [clustered_mean(values, cluster).variance or 0.0 for values in apart]
    beyond = sum(float(v.mean()) ** 2 - c for v, c in zip(apart, chance, strict=True))
    parts = len(effects) * (len(effects) - 1)
    squares = [_squares(each.interval) for each in estimates if each.interval is not None]
    ends = [math.sqrt(sum(end) / parts) for end in zip(*squares, strict=True)]
    p = [each.p for each in estimates if each.p is not None]
    return EffectSpread(
        math.sqrt(max(0.0, beyond) / parts) if squares else None,
        Interval(*ends) if ends else None,
        min(1.0, min(p) * len(p)) if p else None,
        estimates[0].clusters,
        f"Interval and p from their {len(apart)} differences, each at {exact_percent(together)} "
        f"({estimates[0].method}).",
    )


def _squares(interval: Interval) -> tuple[float, float]:
    """The least and the largest square of a number in the interval."""
    ends = sorted((interval.low**2, interval.high**2))
    return (0.0 if interval.low <= 0.0 <= interval.high else ends[0]), ends[1]
