"""How often intervals of pairs hold the effect: exact for single pairs, simulated for clusters.

The exact figures are sums over every table of n pairs; the simulated ones take the two ways in
which pairs of a cluster are commonly made alike, copying and a Dirichlet mixture.

    python -m research.calibration.coverage [--quick]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, stdtrit, xlogy

from biaslab.stats.estimates import Numbers, SteadiedMoments
from biaslab.stats.paired import (
    INTERVAL_METHODS,
    IntervalMethod,
    bonett_price,
    newcombe,
    t_interval,
    tango,
)
from research.calibration.markdown import markdown_table
from schoolmath.text.figures import hundredths

# Every way in which independent pairs can come out, and how likely each is.
# Of n pairs only three numbers matter to an interval: n, how many only x got right (b), and how
# many only x' (c). So coverage is a sum over tables (b, c), and nothing has to be simulated.


Array: TypeAlias = npt.NDArray[np.float64]

TIE = 1e-12
"""An end this near to the effect counts as holding it: that much is rounding."""


@dataclass(frozen=True, slots=True)
class OutcomeTables:
    """Tables in which pairs can end; all arrays have the shape (tables,).

    Attributes:
        n: pairs; only_x, only_x_prime: b and c of them.
        log_orders: logarithm of the number of orders in which pairs can come in and end here.
            The multinomial coefficient for a fixed number of pairs, less where looking on the
            way would have ended some.
    """

    n: Array
    only_x: Array
    only_x_prime: Array
    log_orders: Array

    @classmethod
    def of(cls, n: Array, only_x: Array, only_x_prime: Array, share: Array) -> OutcomeTables:
        """Tables that are reached in this share, shape (tables,), of the orders there are."""
        rest = n - only_x - only_x_prime
        orders = gammaln(n + 1.0) - gammaln(only_x + 1.0) - gammaln(only_x_prime + 1.0)
        return cls(n, only_x, only_x_prime, orders - gammaln(rest + 1.0) + np.log(share))

    def chances(self, effect: float, discordance: float) -> Array:
        """How likely each table is if the pairs have this effect and discordance."""
        only_x = (discordance + effect) / 2.0
        # Rounding must not make a share negative.
        log = xlogy(self.only_x, only_x) + xlogy(self.only_x_prime, max(0.0, discordance - only_x))
        log += xlogy(self.n - self.only_x - self.only_x_prime, max(0.0, 1.0 - discordance))
        found: Array = np.exp(log + self.log_orders)
        return found


def all_tables(n: int) -> OutcomeTables:
    """Every table of a fixed number of pairs."""
    b, c = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    return OutcomeTables.of(
        np.full(b.size, float(n)), b.astype(float), c.astype(float), np.ones(b.size)
    )


def one_sided_tables(n: int) -> OutcomeTables:
    """Every table of pairs that never differ the other way: they are few, so n may be large."""
    b = np.arange(n + 1.0)
    return OutcomeTables.of(np.full(b.size, float(n)), b, np.zeros(b.size), np.ones(b.size))


def covers(low: Array, high: Array, effect: float) -> npt.NDArray[np.bool_]:
    """Which intervals hold the effect."""
    return (low <= effect + TIE) & (high >= effect - TIE)


_LEVEL = 0.95

Ends: TypeAlias = tuple[Numbers, Numbers]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How an interval does on a grid of effects and discordances, as fractions.

    Attributes:
        method: of the interval, as in `IntervalMethod`.
        setting: what the pairs are like, in words; cells: of the grid.
        lowest, mean: coverage of the grid's cells; effect, discordance: of the worst one.
        below: share of cells that cover less than `PROMISED`.
        found: the highest share of false findings where there is no effect.
        width: the median over cells of the mean width, in units of the outcome.
    """

    method: IntervalMethod
    setting: str
    cells: int
    lowest: float
    mean: float
    effect: float
    discordance: float
    below: float
    found: float
    width: float


PROMISED = 0.935
"""What the interval is to cover at 95 % in every cell."""


def single_pair_ends(
    ways: OutcomeTables, method: IntervalMethod, confidence: float = _LEVEL, base: float = 0.5
) -> Ends:
    """Both ends for every table, shape (tables,) each.

    ``base`` is for ``newcombe`` alone: the share of the pairs that come out alike which both got
    right. The other methods see only the pairs that differ.
    """
    n, b, c = ways.n, ways.only_x, ways.only_x_prime
    match method:
        case "imagined-pairs":
            return SteadiedMoments.of_single_pairs(n, (b - c) / n, (b + c) / n).ends(confidence)
        case "t":
            return t_interval(b, c, n, confidence)
        case "tango":
            return tango(b, c, n, confidence)
        case "bonett-price":
            return bonett_price(b, c, n, confidence)
        case "newcombe":
            return newcombe(np.round(base * (n - b - c)), b, c, n, confidence)


def exact_coverage(
    ways: OutcomeTables,
    setting: str,
    grid: Sequence[tuple[float, float]],
    methods: Sequence[IntervalMethod] = INTERVAL_METHODS,
    confidence: float = _LEVEL,
) -> list[Coverage]:
    """The coverage of single pairs, summed over all their tables; one row a method.

    Args:
        ways: all tables of the pairs.
        setting: what they are like, in words.
        grid: effects and discordances.
        methods: which intervals; ``newcombe`` with half of the pairs that come out alike right.
        confidence: of the intervals.
    """
    ends: dict[IntervalMethod, tuple[Array, Array]] = {}
    for method in methods:
        low, high = single_pair_ends(ways, method, confidence)
        ends[method] = np.asarray(low), np.asarray(high)
    cells: dict[IntervalMethod, list[_Cell]] = {method: [] for method in methods}
    for effect, discordance in grid:
        chances = ways.chances(effect, discordance)
        for method, (low, high) in ends.items():
            clear = (low > 0.0) | (high < 0.0)
            cells[method].append(
                (
                    float(chances[covers(low, high, effect)].sum()),
                    effect,
                    discordance,
                    float(chances[clear].sum()) if effect == 0.0 else 0.0,
                    float(chances @ (high - low)),
                )
            )
    return [_summary(method, setting, cells[method]) for method in methods]


def fine_grid() -> list[tuple[float, float]]:
    """Effects from 0 to .95, each with discordances from one-sided to symmetric.

    Steps are fine where coverage changes fast, since a coarse grid hides its lowest values.
    """
    small, middle = np.arange(0.0, 0.02, 0.001), np.arange(0.02, 0.3, 0.01)
    effects = np.concatenate((small, middle, np.arange(0.3, 0.96, 0.03)))
    return [
        (float(effect), float(effect + 2.0 * other))
        for effect, other in product(effects, (0.0, 0.002, 0.01, 0.04, 0.1, 0.2, 0.35))
        if 0.0 < effect + 2.0 * other <= 1.0
    ]


def one_sided_grid() -> list[tuple[float, float]]:
    """Effects in steps of .03 points up to 99.9, where all pairs that differ do so alike."""
    return [(float(effect), float(effect)) for effect in np.arange(0.0003, 0.999, 0.0003)]


_Cell: TypeAlias = tuple[float, float, float, float, float]
"""Coverage, effect, discordance, false findings, width."""

Alike: TypeAlias = Literal["copies", "Dirichlet"]


_ALIKE: tuple[Alike, ...] = ("copies", "Dirichlet")


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters of pairs: what their sizes are like, in words, and the sizes."""

    name: str
    sizes: tuple[int, ...]

    @classmethod
    def shapes(cls, number: int) -> tuple[Clusters, ...]:
        """Equal, falling 40:1, one with half the pairs, and geometric; so many clusters each."""
        ranks = range(number)
        return (
            cls("equal of 3", (3,) * number),
            cls("equal of 10", (10,) * number),
            cls(
                "falling 40:1",
                tuple(max(1, round(40 / (1 + 39 * i / (number - 1)))) for i in ranks),
            ),
            cls("one with half", (3 * (number - 1), *(3,) * (number - 1))),
            cls("geometric", tuple(max(1, int(64 * 0.8**i)) for i in ranks)),
        )


def clustered_sums(
    rng: np.random.Generator,
    clusters: Clusters,
    runs: int,
    effect: float,
    discordance: float,
    correlation: float,
    alike: Alike,
) -> tuple[Array, Array]:
    """Counts of only x and only x' in each cluster, shape (runs, clusters) each.

    The correlation, 0..1, is that of the differences within a cluster. Its pairs copy a common
    value with the probability sqrt(correlation), or share probabilities drawn from a Dirichlet
    distribution.
    """
    sizes = np.asarray(clusters.sizes)
    shape = (runs, sizes.size)
    only_x, only_x_prime = (discordance + effect) / 2.0, (discordance - effect) / 2.0
    p = np.array([only_x, 1.0 - discordance, only_x_prime])
    if alike == "copies" or correlation == 0.0:
        common = rng.choice(3, shape, p=p)
        copied = rng.binomial(sizes, np.sqrt(correlation), shape)
        shared = np.broadcast_to(p, (*shape, 3))
    else:
        common, copied = np.zeros(shape, dtype=int), np.zeros(shape, dtype=int)
        drawn = rng.standard_gamma(
            np.maximum(p * (1 - correlation) / correlation, 1e-12), (*shape, 3)
        )
        shared = (drawn + 1e-300) / (drawn + 1e-300).sum(-1, keepdims=True)
    b = rng.binomial(sizes - copied, np.clip(shared[..., 0], 0.0, 1.0))
    others = np.clip(shared[..., 2] / np.maximum(1.0 - shared[..., 0], 1e-12), 0.0, 1.0)
    c = rng.binomial(sizes - copied - b, others)
    return (b + copied * (common == 0)).astype(float), (c + copied * (common == 2)).astype(float)


def clustered_ends(
    b: Array, c: Array, sizes: Array, confidence: float = _LEVEL
) -> dict[IntervalMethod, Ends]:
    """Ends of our interval and of the CR2 t interval, shape (runs,) each.

    ``b`` and ``c`` are how many only x and only x' got right in each cluster, shape (runs,
    clusters); ``sizes`` are their pairs, shape (clusters,).
    """
    n = float(sizes.sum())
    mean = (b - c).sum(1) / n
    weight = sizes / n
    variance = ((b - c - sizes * mean[:, None]) ** 2 / (1.0 - weight)).sum(1) / n**2
    u = weight**2 / (1.0 - weight)
    nu = 1.0 / ((weight**2).sum() + u.sum() ** 2 - (u**2).sum())
    steadied = SteadiedMoments.of(
        n, mean, (b + c).sum(1) / n, n * (n - 1.0) * variance, nu, float((sizes**2).sum()) / n
    )
    reach = stdtrit(nu, 0.5 + confidence / 2) * np.sqrt(variance)
    return {"imagined-pairs": steadied.ends(confidence), "t": (mean - reach, mean + reach)}


def clustered_coverage(
    number: int, runs: int, seed: int, effects: tuple[float, ...], others: tuple[float, ...]
) -> Iterator[Coverage]:
    """Of so many clusters, every shape: our interval and CR2's, over a grid of the rest.

    Args:
        number: of clusters.
        runs: data sets a cell of the grid.
        seed: of the generator.
        effects: of the grid.
        others: shares of pairs that differ the other way.
    """
    rng = np.random.default_rng(seed)
    for clusters in Clusters.shapes(number):
        sizes = np.asarray(clusters.sizes, dtype=float)
        cells: dict[IntervalMethod, list[_Cell]] = {"imagined-pairs": [], "t": []}
        for effect, other, correlation in product(effects, others, (0.0, 0.15, 0.3, 0.6)):
            discordance = effect + 2.0 * other
            if not 0.0 < discordance <= 1.0:
                continue
            for alike in _ALIKE[: 1 if correlation == 0.0 else 2]:
                b, c = clustered_sums(rng, clusters, runs, effect, discordance, correlation, alike)
                for method, ends in clustered_ends(b, c, sizes).items():
                    low, high = (np.asarray(end) for end in ends)
                    clear = float(((low > 0.0) | (high < 0.0)).mean()) if effect == 0.0 else 0.0
                    held = float(covers(low, high, effect).mean())
                    width = float((high - low).mean())
                    cells[method].append((held, effect, discordance, clear, width))
        for method, rows in cells.items():
            yield _summary(method, f"{number} clusters, {clusters.name}", rows)


def _summary(method: IntervalMethod, setting: str, cells: list[_Cell]) -> Coverage:
    table = np.array(cells)
    worst = table[table[:, 0].argmin()]
    return Coverage(
        method=method,
        setting=setting,
        cells=len(cells),
        lowest=float(worst[0]),
        mean=float(table[:, 0].mean()),
        effect=float(worst[1]),
        discordance=float(worst[2]),
        below=float((table[:, 0] < PROMISED).mean()),
        found=float(table[:, 3].max()),
        width=float(np.median(table[:, 4])),
    )


def run(quick: bool = False) -> list[Coverage]:
    """Every row; ``quick`` takes fewer pairs, clusters and data sets."""
    rows: list[Coverage] = []
    for n in (10, 20, 50) if quick else (10, 20, 50, 100, 300, 1000):
        rows += exact_coverage(all_tables(n), f"{n} single pairs", fine_grid())
    for n in (10, 100) if quick else (10, 30, 77, 150, 250, 400, 700, 1000):
        setting = f"{n} single pairs, one-sided, fine"
        rows += exact_coverage(one_sided_tables(n), setting, one_sided_grid())
    for number in (5, 20) if quick else (5, 7, 12, 20, 40, 100, 200):
        rows += clustered_coverage(
            number,
            runs=300 if quick else 2000,
            seed=number,
            effects=(0.0, 0.1) if quick else (0.0, 0.02, 0.06, 0.15, 0.4, 0.8),
            others=(0.0, 0.05) if quick else (0.0, 0.005, 0.03, 0.1),
        )
    return rows


def table(rows: Sequence[Coverage]) -> str:
    """The rows as a Markdown table, in per cent and points."""
    columns = (
        "pairs", "interval", "cells", "lowest", "mean", "below 93.5", "false findings", "width",
    )  # fmt: skip
    return markdown_table(
        columns,
        (
            (
                row.setting,
                row.method,
                str(row.cells),
                hundredths(row.lowest),
                hundredths(row.mean),
                hundredths(row.below, 0),
                hundredths(row.found),
                hundredths(row.width),
            )
            for row in rows
        ),
        words=2,
    )


if __name__ == "__main__":
    sys.stdout.write(table(run("--quick" in sys.argv[1:])) + "\n")
