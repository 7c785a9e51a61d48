"""How often comparisons find something where nothing is: longer simulations behind the docs.

``python -m tests.stats.simulated_comparisons`` prints the figures of docs/effects.md. The
formulas for strata are written a second time here, for thousands of runs at once; a test checks
them against the program's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

Numbers = npt.NDArray[np.float64]

_K = 3.0
_REPEATS = 4_000

SIZES = (
    (10, 10, 10), (30, 30, 30), (100, 100, 100), (300, 300), (100, 60, 30, 10), (20,) * 5,
    (200, 20), (10,) * 10, (500, 10, 10), (30,) * 12, (1000, 100, 50),
)  # fmt: skip
"""Pairs of each stratum."""

EFFECTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97)
"""The effect, which is the same in all strata."""


@dataclass(frozen=True)
class Cell:
    """Strata without any difference: sizes, effect, share that differs the other way in each."""

    sizes: tuple[int, ...]
    effect: float
    other_way: tuple[float, ...]


def cells() -> Iterator[Cell]:
    """Every case: few or many pairs that differ, as often in each stratum or not."""
    for sizes in SIZES:
        k = len(sizes)
        shares = [np.full(k, q) for q in (0.0, 0.01, 0.05, 0.15)]
        shares += [np.linspace(0, 0.3, k), np.linspace(0.3, 0, k)]
        shares += [np.r_[0.25, np.zeros(k - 1)], np.r_[np.zeros(k - 1), 0.25]]
        for effect in EFFECTS:
            for share in shares:
                if effect + 2 * share.max() <= 1 and (effect or share.max()):
                    yield Cell(sizes, effect, tuple(share))


def draw(cell: Cell, repeats: int, rng: np.random.Generator) -> tuple[Numbers, Numbers, Numbers]:
    """How many pairs differ in either way, shape (repeats, strata), and how many there are."""
    one, other = (np.empty((repeats, len(cell.sizes))) for _ in range(2))
    for s, (n, q) in enumerate(zip(cell.sizes, cell.other_way, strict=True)):
        rest = max(0.0, 1 - cell.effect - 2 * q - 1e-12)
        drawn = rng.multinomial(n, [cell.effect + q, q, rest], repeats)
        one[:, s], other[:, s] = drawn[:, 0], drawn[:, 1]
    return one, other, np.array(cell.sizes, dtype=float)


def steadied(one: Numbers, other: Numbers, n: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Middle, variance and freedom of each stratum of single pairs, at 95 %."""
    mean, square = (one - other) / n, (one + other) / n
    middle = mean * n / (n + _K)
    variance = ((n * square + _K) / (n + _K) - middle**2) / (n + _K - 1)
    shown = np.maximum(n * (square - mean**2), 1e-9)
    return middle, variance, np.minimum((n - 1) * ((shown + 3) / shown) ** 2, 1e9)


def trend_p(middle: Numbers, variance: Numbers, freedom: Numbers) -> Numbers:
    """p of the slope over strata numbered 1, 2, 3 ..., shape (repeats,)."""
    place = np.arange(middle.shape[1]) + 1.0
    weights = (place - place.mean()) / ((place - place.mean()) ** 2).sum()
    parts = weights**2 * variance
    total = parts.sum(axis=1)
    degrees = total**2 / (parts**2 / freedom).sum(axis=1)
    statistic = np.abs((weights * middle).sum(axis=1)) / np.sqrt(total)
    p: Numbers = 2 * scipy.stats.t.sf(statistic, np.minimum(degrees, 1e9))
    return p


def welch_p(middle: Numbers, variance: Numbers, freedom: Numbers) -> Numbers:
    """p of Welch's test of equal effects, shape (repeats,)."""
    k = middle.shape[1]
    share = (1 / variance) / (1 / variance).sum(axis=1, keepdims=True)
    away = middle - (share * middle).sum(axis=1, keepdims=True)
    lost = ((1 - share) ** 2 / freedom).sum(axis=1)
    f = (away**2 / variance).sum(axis=1) / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * lost)
    p: Numbers = scipy.stats.f.sf(f, k - 1, np.minimum((k * k - 1) / (3 * lost), 1e9))
    return p


def wordings_rates(repeats: int, rng: np.random.Generator) -> dict[str, float]:
    """False findings between wordings, at worst over cases of shared answers."""
    from biaslab.stats.comparisons.comparisons import wordings
    from tests.stats.comparison_cases import answers_of_wordings, runs_of_table

    rates = {}
    for n, ways in ((30, 3), (100, 4)):
        for shared in (0.0, 0.9):
            for right in ((0.98, 0.9), (0.6, 0.4)):
                found = [
                    wordings(runs_of_table(answers_of_wordings(n, [right] * ways, shared, rng)))
                    for _ in range(repeats)
                ]
                rates[f"{n} pairs, {ways} ways, {shared:.0%} shared, {right}"] = float(
                    np.mean([(each.p or 1.0) < 0.05 for each in found])
                )
    return rates


def main() -> None:
    rng = np.random.default_rng(1)
    rates: dict[str, list[float]] = {"trend": [], "heterogeneity": []}
    for cell in cells():
        told = steadied(*draw(cell, _REPEATS, rng))
        rates["trend"].append(float(np.mean(trend_p(*told) < 0.05)))
        rates["heterogeneity"].append(float(np.mean(welch_p(*told) < 0.05)))
    for name, found in rates.items():
        print(f"{name}: {len(found)} cells, highest {max(found):.4f}, mean {np.mean(found):.4f}")  # noqa: T201
    between = wordings_rates(200, rng)
    for case, rate in between.items():
        print(f"wordings, {case}: {rate:.3f}")  # noqa: T201


if __name__ == "__main__":
    main()
