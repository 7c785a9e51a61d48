"""Models beside each other over many biases: which are alike, and in which order to show them.

After the heat map and the groups of similar models of Malberg et al. (2024). The unit is a bias:
two models are alike where the same biases are strong and weak in both. Noise in each score pulls
a correlation towards 0, so it is a lower bound of how alike two models are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import atanh, sqrt, tanh
from typing import TYPE_CHECKING

from biaslab.stats.estimates import Interval, check_confidence

if TYPE_CHECKING:
    import numpy as np

FEWEST_BIASES = 5
"""With fewer biases in common no correlation is told."""

_FARTHEST = 2.0
"""The most that two values of -1 to 1 differ: the distance of rows without a bias in common."""

Values = Mapping[str, float]
"""A figure of a model by bias; biases that were not asked are missing."""


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike two models are over the biases that both were asked.

    Attributes:
        one, other: names of the models.
        n: biases in common.
        correlation: Pearson's, -1..1; None with fewer than `FEWEST_BIASES`, or where all values of
            a model are the same.
        interval: of the correlation over biases like these (Fisher 1921); None where there is no
            correlation or it is exactly 1 or -1. It knows nothing of the noise in each value.
        distance: mean difference of the values, whatever its sign; None without biases in common.
    """

    one: str
    other: str
    n: int
    correlation: float | None
    interval: Interval | None
    distance: float | None


def similarity(
    one: str, other: str, models: Mapping[str, Values], confidence: float = 0.95
) -> Similarity:
    """How alike two of the models are.

    Args:
        one: a name among ``models``.
        other: another one.
        models: their figures.
        confidence: coverage of the interval.
    """
    check_confidence(confidence)
    first, second = models[one], models[other]
    shared = [bias for bias in first if bias in second]
    n = len(shared)
    if not n:
        return Similarity(one, other, 0, None, None, None)
    pairs = [(first[bias], second[bias]) for bias in shared]
    distance = sum(abs(a - b) for a, b in pairs) / n
    found = _pearson(pairs) if n >= FEWEST_BIASES else None
    return Similarity(one, other, n, found, _interval(found, n, confidence), distance)


def similarities(models: Mapping[str, Values], confidence: float = 0.95) -> list[Similarity]:
    """Every pair of models, the most alike first; pairs without a correlation last."""
    found = [similarity(a, b, models, confidence) for a, b in combinations(models, 2)]
    return sorted(
        found, key=lambda each: -2.0 if each.correlation is None else each.correlation, reverse=True
    )


def alike_together(rows: Mapping[str, Values]) -> list[str]:
    """The rows in an order in which those that are alike stand together.

    Average linkage of the mean difference over shared columns, leaves ordered so that neighbours
    differ least (Bar-Joseph et al. 2001). Rows that share no column lie farthest apart.

    Args:
        rows: of the heat map, or its columns turned.
    """
    names = list(rows)
    if len(names) < 3:
        return names
    from scipy.cluster.hierarchy import leaves_list, linkage

    tree = linkage(_distances(rows), method="average", optimal_ordering=True)
    return [names[at] for at in leaves_list(tree)]


def turned(rows: Mapping[str, Values]) -> dict[str, dict[str, float]]:
    """Columns in place of rows: for each bias the models' values."""
    biases = dict.fromkeys(bias for values in rows.values() for bias in values)
    return {
        bias: {name: values[bias] for name, values in rows.items() if bias in values}
        for bias in biases
    }


def _distances(rows: Mapping[str, Values]) -> np.ndarray:
    import numpy as np

    found = []
    for one, other in combinations(rows.values(), 2):
        gaps = [abs(one[name] - other[name]) for name in one if name in other]
        found.append(sum(gaps) / len(gaps) if gaps else _FARTHEST)
    return np.array(found)


def _pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    n = len(pairs)
    mean_a, mean_b = (sum(values) / n for values in zip(*pairs, strict=True))
    spread_a = sum((a - mean_a) ** 2 for a, _ in pairs)
    spread_b = sum((b - mean_b) ** 2 for _, b in pairs)
    # A constant differs from its own mean by rounding alone.
    if min(spread_a, spread_b) < 1e-18:
        return None
    both = sum((a - mean_a) * (b - mean_b) for a, b in pairs)
    return max(-1.0, min(1.0, float(both / sqrt(spread_a * spread_b))))


def _interval(correlation: float | None, n: int, confidence: float) -> Interval | None:
    """Fisher's (1921) interval of a correlation."""
    if correlation is None or abs(correlation) > 1 - 1e-12:
        return None
    from scipy.stats import norm

    reach = float(norm.ppf((1 + confidence) / 2)) / sqrt(n - 3)
    middle = atanh(correlation)
    return Interval(tanh(middle - reach), tanh(middle + reach))
