"""What the stopping rules promise, measured: coverage and findings of runs that stop early.

For single pairs this is exact. Given what n pairs came to, b and c, every order in which they can
have come in is equally likely, whatever the effect. So the share of orders that no look has ended
can be carried from n to n + 1 pairs without knowing the effect,

    h(n, b, c) = (b g(n-1, b-1, c) + c g(n-1, b, c-1) + (n-b-c) g(n-1, b, c)) / n,

where g is h with 0 in the tables at which a look ends the run; one sweep serves every effect and
discordance. Items asked several times and pairs in clusters are simulated.

    python -m research.calibration.stopping [--quick]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias, get_args

import numpy as np

from biaslab.stats import GroupSequential, StoppingRule, UntilNarrow
from biaslab.stats.estimates import SteadiedMoments
from biaslab.stats.planning import clear_from, narrow_from
from biaslab.stats.stopping import Spending
from research.calibration.coverage import Array, OutcomeTables, covers
from research.calibration.markdown import markdown_table
from schoolmath.text.figures import hundredths, points_wide

_NEVER = 1e-15
"""Shares of orders below this are rounding."""

_PLAIN = 0.95

_SPENDINGS: tuple[Spending, ...] = get_args(Spending)


@dataclass(frozen=True, slots=True)
class StoppingRow:
    """How runs under a rule end, over a grid of effects and discordances, as fractions.

    Attributes:
        rule: in words.
        pairs: ``single``, or what was simulated; runs: how many a cell, 0 where figures are exact.
        cells: of the grid.
        lowest, mean: how often the interval at the stop holds the effect; effect, discordance:
            of the worst cell.
        found: the highest share of runs without an effect that find one.
        plain_lowest, plain_found: the same two with plain 95 % intervals at every look; None
            where they were not asked for.
    """

    rule: str
    pairs: str
    runs: int
    cells: int
    lowest: float
    mean: float
    effect: float
    discordance: float
    found: float
    plain_lowest: float | None
    plain_found: float | None


@dataclass(frozen=True, slots=True)
class Endings:
    """Every table in which runs of single pairs can stop, with the interval shown there."""

    ways: OutcomeTables
    low: Array
    high: Array

    def coverage(self, effect: float, discordance: float) -> float:
        """How often the interval at the stop holds the effect."""
        held = covers(self.low, self.high, effect)
        return float(self.ways.chances(effect, discordance)[held].sum())

    def found(self, effect: float, discordance: float) -> float:
        """How often the interval at the stop leaves out 0."""
        clear = (self.low > 0.0) | (self.high < 0.0)
        return float(self.ways.chances(effect, discordance)[clear].sum())

    def pairs(self, effect: float, discordance: float) -> float:
        """The mean number of pairs asked."""
        return float(self.ways.chances(effect, discordance) @ self.ways.n)


def endings(rule: StoppingRule, confidence: float | None = None) -> Endings:
    """All endings of a rule, for single pairs.

    Args:
        rule: which.
        confidence: makes every interval at this level instead of the rule's own, to see what
            looking does where nothing allows for it, or what another constant would.
    """
    looks = rule.looks_at()
    most = looks[-1]
    counts = np.arange(most + 1, dtype=np.float64)
    going = np.zeros((most + 1, most + 1))
    going[0, 0] = 1.0
    found: list[tuple[Array, ...]] = []
    look = 0
    for n in range(1, most + 1):
        going = _one_more(going, n, counts)
        if n != looks[look]:
            continue
        look += 1
        level = _level(rule, look) if confidence is None else confidence
        differing = counts[: n + 1]
        limit = (
            narrow_from(n, differing, rule.half_width, level)
            if isinstance(rule, UntilNarrow)
            else clear_from(n, differing, level)
        )
        b, c = np.nonzero(going[: n + 1, : n + 1] > _NEVER)
        if n < most:
            ends = np.abs(b - c) >= limit[b + c]
            b, c = b[ends], c[ends]
        x, x_prime = b.astype(float), c.astype(float)
        steadied = SteadiedMoments.of_single_pairs(float(n), (x - x_prime) / n, (x + x_prime) / n)
        low, high = steadied.ends(level)
        found.append(
            (np.full(b.size, float(n)), x, x_prime, going[b, c], np.asarray(low), np.asarray(high))
        )
        going[b, c] = 0.0
    n_, x, x_prime, share, low, high = (np.concatenate(part) for part in zip(*found, strict=True))
    return Endings(OutcomeTables.of(n_, x, x_prime, share), low, high)


def _one_more(going: Array, n: int, counts: Array) -> Array:
    """The shares of orders still going after n pairs, from those after n - 1; up to b = c = n."""
    after = np.zeros_like(going)
    size = n + 1
    before, b = going[:size, :size], counts[:size, None]
    inside = after[:size, :size]
    inside += np.maximum(0.0, n - b - b.T) * before
    inside[1:] += b[1:] * before[:-1]
    inside[:, 1:] += b.T[:, 1:] * before[:, :-1]
    inside /= n
    return after


def _level(rule: StoppingRule, look: int) -> float:
    if isinstance(rule, UntilNarrow):
        return rule.adjustment.confidence
    return rule.adjustment_at(rule.critical_at(rule.looks_at()[:look])).confidence


Draw: TypeAlias = Callable[[np.random.Generator, int, int], tuple[Array, Array]]
"""(generator, runs, clusters) -> sums of the differences of each cluster and of their squares,
shape (runs, clusters) each; clusters come in one after the other."""


def simulated(
    rule: StoppingRule, draw: Draw, size: int, runs: int, seed: int
) -> tuple[Array, Array, Array]:
    """Runs whose pairs come in clusters of one size: low and high end at the stop, and pairs.

    Args:
        rule: all of its looks must come at whole clusters.
        draw: makes the differences.
        size: pairs in a cluster.
        runs: how many.
        seed: of the generator.
    """
    looks = np.array(rule.looks_at())
    sums, squares = draw(np.random.default_rng(seed), runs, looks[-1] // size)
    going = np.ones(runs, dtype=bool)
    low, high, pairs = np.zeros(runs), np.zeros(runs), np.zeros(runs)
    for look, n in enumerate(looks, 1):
        groups = n // size
        seen = sums[going, :groups]
        mean = seen.sum(1) / n
        between = ((seen - size * mean[:, None]) ** 2).sum(1) * groups / (groups - 1.0) / n**2
        square = squares[going, :groups].sum(1) / n
        steadied = SteadiedMoments.of(
            float(n), mean, square, n * (n - 1.0) * between, groups - 1.0, float(size)
        )
        ends = steadied.ends(_level(rule, look))
        stops = _stops(rule, np.asarray(ends[0]), np.asarray(ends[1]), groups) | (n == looks[-1])
        now = np.flatnonzero(going)[stops]
        low[now], high[now] = np.asarray(ends[0])[stops], np.asarray(ends[1])[stops]
        pairs[now] = n
        going[now] = False
        if not going.any():
            break
    return low, high, pairs


def _stops(rule: StoppingRule, low: Array, high: Array, clusters: int) -> Array:
    if isinstance(rule, UntilNarrow):
        return np.asarray((high - low <= 2.0 * rule.half_width) & rule.enough(clusters))
    return np.asarray((low > 0.0) | (high < 0.0))


def repeated(effect: float, samples: int) -> Draw:
    """Pairs of different difficulty, each item asked several times: means of their samples."""

    def draw(rng: np.random.Generator, runs: int, clusters: int) -> tuple[Array, Array]:
        ease = rng.choice([0.35, 0.5, 0.6], (runs, clusters))
        lean = rng.choice([-0.3, 0.3], (runs, clusters)) + effect
        right = rng.binomial(samples, ease + lean / 2.0)
        differences = (right - rng.binomial(samples, ease - lean / 2.0)) / samples
        return differences, differences**2

    return draw


def clustered(effect: float, discordance: float, size: int, copying: float) -> Draw:
    """Clusters in which each pair copies what they have in common with this probability."""
    chances = [(discordance - effect) / 2.0, 1.0 - discordance, (discordance + effect) / 2.0]

    def draw(rng: np.random.Generator, runs: int, clusters: int) -> tuple[Array, Array]:
        own = rng.choice([-1.0, 0.0, 1.0], (runs, clusters, size), p=chances)
        common = rng.choice([-1.0, 0.0, 1.0], (runs, clusters, 1), p=chances)
        values = np.where(rng.random(own.shape) < copying, common, own)
        return values.sum(2), (values**2).sum(2)

    return draw


_DISCORDANCES = (0.02, 0.05, 0.1, 0.16, 0.2, 0.27, 0.34, 0.41, 0.48, 0.55, 0.7, 0.83, 0.97)
_DIRECTIONS = (0.0, 0.5, 0.8, 0.9, 1.0)
"""Effects as shares of the discordance: from symmetric to all pairs in one direction."""


def exactly(rule: StoppingRule, plain: bool = True) -> StoppingRow:
    """How single pairs end under a rule, over the whole grid.

    Args:
        rule: which.
        plain: whether to say what plain intervals would do.
    """
    by_level = [endings(rule)] + ([endings(rule, _PLAIN)] if plain else [])
    grid = [(d * share, d) for d, share in product(_DISCORDANCES, _DIRECTIONS)]
    held = [[ends.coverage(*cell) for cell in grid] for ends in by_level]
    found = [max(ends.found(0.0, d) for d in _DISCORDANCES) for ends in by_level]
    worst = int(np.argmin(held[0]))
    return StoppingRow(
        rule=words(rule),
        pairs="single",
        runs=0,
        cells=len(grid),
        lowest=held[0][worst],
        mean=float(np.mean(held[0])),
        effect=grid[worst][0],
        discordance=grid[worst][1],
        found=found[0],
        plain_lowest=min(held[1]) if plain else None,
        plain_found=found[1] if plain else None,
    )


def by_simulation(rule: StoppingRule, runs: int, seed: int) -> Iterator[StoppingRow]:
    """How items that are asked three times end under a rule, and clusters of three pairs."""
    many = [((effect, 0.5), repeated(effect, 3)) for effect in (0.0, 0.1, 0.3)]
    yield _simulated(rule, "asked 3 times", many, 1, runs, seed)
    grid = [(d * share, d) for d, share in product((0.1, 0.3, 0.6), (0.0, 0.5, 1.0))]
    for copying in (0.3, 0.7):
        draws = [((effect, d), clustered(effect, d, 3, copying)) for effect, d in grid]
        kind = f"in threes, correlation {copying**2:.2g}"
        yield _simulated(rule, kind, draws, 3, runs, seed)


def _simulated(
    rule: StoppingRule,
    pairs: str,
    draws: Sequence[tuple[tuple[float, float], Draw]],
    size: int,
    runs: int,
    seed: int,
) -> StoppingRow:
    held, found = [], []
    for (effect, _), draw in draws:
        low, high, _ = simulated(rule, draw, size, runs, seed)
        held.append(float(covers(low, high, effect).mean()))
        if effect == 0.0:
            found.append(float(((low > 0.0) | (high < 0.0)).mean()))
    worst = int(np.argmin(held))
    effect, discordance = draws[worst][0]
    mean = float(np.mean(held))
    cells = len(draws)
    return StoppingRow(
        words(rule),
        pairs,
        runs,
        cells,
        held[worst],
        mean,
        effect,
        discordance,
        max(found),
        None,
        None,
    )


def words(rule: StoppingRule) -> str:
    """A rule in a few words."""
    if isinstance(rule, UntilNarrow):
        return (
            f"within {points_wide(rule.half_width)}, looks from {rule.first_look} every "
            f"{rule.every}, at most {rule.at_most}"
        )
    return f"{rule.looks} looks of {rule.spending} kind, at most {rule.at_most}"


def run(quick: bool = False) -> list[StoppingRow]:
    """Every row; ``quick`` takes few rules with few pairs."""
    if quick:
        narrow = [(0.2, 150, 30, 25), (0.1, 300, 50, 10)]
        groups = [(5, 100), (3, 30)]
    else:
        # The constants of the rule were chosen on the first grid and verified on the second.
        chosen = product(((0.2, 150), (0.1, 400)), (30, 50), (1, 5, 25, 50))
        verified = product(((0.15, 250), (0.075, 500)), (30, 40, 80), (1, 3, 10, 40))
        narrow = [(*size, first, every) for size, first, every in (*chosen, *verified)]
        narrow += [(0.05, 700, 30, 50), (0.05, 700, 50, 25), (0.03, 1500, 50, 40)]
        groups = [(5, 50), (5, 100), (5, 200), (5, 300), (3, 30), (10, 100), (10, 400), (2, 20)]
    rules: list[StoppingRule] = [UntilNarrow(*numbers) for numbers in narrow]
    rules += [
        GroupSequential(looks, most, spending=spending)
        for looks, most in groups
        for spending in _SPENDINGS
    ]
    also_simulated: tuple[StoppingRule, ...] = (
        UntilNarrow(0.1, 420, 60, 30),
        UntilNarrow(0.15, 210, 90, 15),
        *(GroupSequential(5, 300, spending=spending) for spending in _SPENDINGS),
        *(GroupSequential(4, 120, spending=spending) for spending in _SPENDINGS),
    )
    rows = [exactly(rule) for rule in rules]
    for rule in also_simulated:
        rows += by_simulation(rule, runs=200 if quick else 5000, seed=1)
    return rows


def table(rows: Sequence[StoppingRow]) -> str:
    """The rows as a Markdown table, in per cent."""

    def percent(share: float | None) -> str:
        return "" if share is None else hundredths(share)

    columns = (
        "rule", "pairs", "runs", "cells", "lowest", "mean", "false findings", "plain: lowest",
        "plain: false findings",
    )  # fmt: skip
    return markdown_table(
        columns,
        (
            (
                row.rule,
                row.pairs,
                str(row.runs or "exact"),
                str(row.cells),
                percent(row.lowest),
                percent(row.mean),
                percent(row.found),
                percent(row.plain_lowest),
                percent(row.plain_found),
            )
            for row in rows
        ),
        words=2,
    )


if __name__ == "__main__":
    sys.stdout.write(table(run("--quick" in sys.argv[1:])) + "\n")
