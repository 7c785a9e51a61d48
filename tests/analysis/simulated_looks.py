"""Many simulated runs at once under a stopping rule; simulations, named as such.

The formulas of the intervals stand here a second time, for whole arrays; a test holds them
against the rules' own decisions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from biaslab.analysis import GroupSequential, StoppingRule, UntilNarrow

Array = npt.NDArray[Any]
Draw = Callable[[np.random.Generator, int, int], Array]
"""(generator, runs, pairs) -> differences of the pairs, shape (runs, pairs)."""


@dataclass(frozen=True)
class Looked:
    """What became of the runs: one value each.

    ``pairs`` when it stopped; ``low`` and ``high`` of the interval then.
    """

    pairs: Array
    low: Array
    high: Array

    def found(self) -> float:
        """Share of runs whose interval leaves out 0."""
        return float(np.mean((self.low > 0) | (self.high < 0)))

    def covers(self, cate: float) -> float:
        tie = 1e-12
        return float(np.mean((self.low <= cate + tie) & (cate - tie <= self.high)))


def single(cate: float, discordance: float) -> Draw:
    """Pairs whose members differ this often, each item asked once."""
    only_x, only_x_prime = (discordance + cate) / 2, (discordance - cate) / 2

    def draw(rng: np.random.Generator, runs: int, pairs: int) -> Array:
        u = rng.random((runs, pairs), dtype=np.float32)
        return (u < only_x).astype(np.int8) - (u > 1 - only_x_prime).astype(np.int8)

    return draw


def repeated(cate: float, samples: int) -> Draw:
    """Pairs of different difficulty, each item asked several times: means of their samples."""

    def draw(rng: np.random.Generator, runs: int, pairs: int) -> Array:
        ease = rng.choice([0.35, 0.5, 0.6], (runs, pairs))
        lean = rng.choice([-0.3, 0.3], (runs, pairs)) + cate
        x = rng.binomial(samples, ease + lean / 2)
        return (x - rng.binomial(samples, ease - lean / 2)) / samples

    return draw


def look(rule: StoppingRule, draw: Draw, runs: int, seed: int, naive: bool = False) -> Looked:
    """Simulates runs until each has stopped; ``naive`` makes plain 95 % intervals instead."""
    looks = rule.looks_at()
    differences = draw(np.random.default_rng(seed), runs, looks[-1])
    starts = (0, *looks[:-1])
    sums = np.cumsum(np.add.reduceat(differences, starts, axis=1, dtype=float), axis=1)
    squares = np.cumsum(
        np.add.reduceat(np.square(differences), starts, axis=1, dtype=float), axis=1
    )
    going = np.ones(runs, dtype=bool)
    pairs, low, high = np.zeros(runs), np.zeros(runs), np.zeros(runs)
    for index, n in enumerate(looks):
        ends = _interval(rule, index, n, sums[:, index], squares[:, index], naive)
        if isinstance(rule, UntilNarrow):
            enough = ends[1] - ends[0] <= 2 * rule.half_width
        else:
            enough = (ends[0] > 0) | (ends[1] < 0)
        now = going & (enough | (n == looks[-1]))
        pairs[now], low[now], high[now] = n, ends[0][now], ends[1][now]
        going &= ~now
    return Looked(pairs, low, high)


def _interval(
    rule: StoppingRule, index: int, n: int, sums: Array, squares: Array, naive: bool
) -> tuple[Array, Array]:
    if naive:
        level, added = 0.95, 0
    elif isinstance(rule, UntilNarrow):
        level, added = rule.adjustment.confidence, 2
    else:
        critical = rule.critical_at(rule.looks_at()[: index + 1])
        level, added = rule.adjustment_at(critical).confidence, 0
    m = n + added
    mean = sums / m
    variance = np.maximum((squares + added) / m - mean**2, 0) / (m - 1)
    reach = stats.t.ppf(0.5 + level / 2, n - 1) * np.sqrt(variance)
    low, high = mean - reach, mean + reach
    alike = variance < 1e-15
    z2 = stats.norm.ppf(0.5 + level / 2) ** 2
    inner, outer = (n - z2) / (n + z2), z2 / (n + z2)
    low = np.where(alike, np.select([sums > 0, sums < 0], [inner, -1.0], -outer), low)
    high = np.where(alike, np.select([sums > 0, sums < 0], [1.0, -inner], outer), high)
    return np.maximum(low, -1), np.minimum(high, 1)


def group_sequential(spending: str, pairs: int = 200, looks: int = 5) -> GroupSequential:
    return GroupSequential(looks, pairs, spending=spending)  # type: ignore[arg-type]
