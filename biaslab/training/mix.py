"""What a tiny model is trained on: which member of which pair, in what share.

Opedal et al. (2024) found about five consistent comparisons for every inconsistent one, and
130 transfers for every 9 comparisons, in school-like word problems. The mix "skewed" has these
shares; "balanced" has as many of each, for comparison. A tiny model goes wrong because of its
data or not at all: nothing about its answers is set by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biaslab.experiments.carry import EXPERIMENT as CARRY
from biaslab.experiments.consistency import EXPERIMENT as CONSISTENCY
from biaslab.experiments.experiment import Design, Item, Pair, Strategy, Value
from biaslab.experiments.strategies import PUBLISHED_STRATEGIES
from biaslab.experiments.transfer_comparison import EXPERIMENT as TRANSFER_COMPARISON
from biaslab.experiments.word_problems import Part
from biaslab.problems import Draws

STUDIES = {study.name: study for study in (CONSISTENCY, TRANSFER_COMPARISON, CARRY)}

_CHUNK = 20_000
"""Pairs drawn from one design before the next seed's: keeps the set of pairs seen small."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Shares of what the two arms of a study differ in.

    Attributes:
        consistent, inconsistent: ratio of the wordings of comparisons.
        transfer, comparison: ratio of transfers to comparisons in problems that have only
            one of the two.
    """

    name: str
    consistent: int
    inconsistent: int
    transfer: int
    comparison: int
    explanation: str


MIXES = {
    mix.name: mix
    for mix in (
        Mix(
            "skewed", 5, 1, 130, 9,
            "As in school-like problems: 5 consistent comparisons for each inconsistent one, "
            "130 problems of transfers for every 9 of comparisons.",
        ),
        Mix("balanced", 1, 1, 1, 1, "As many of each kind of wording and of problem."),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """Pairs of one study and setting, and how often they are drawn from."""

    study: str
    settings: Mapping[str, Value]
    weight: float


def _sources(*rows: tuple[str, str, str, float]) -> tuple[Source, ...]:
    return tuple(
        Source(
            study,
            {"steps": steps, "operations": operations} if operations else {"steps": steps},
            weight,
        )
        for study, steps, operations, weight in rows
    )


ONE_STEP = _sources(
    ("consistency", "1-1", "additive", 0.30),
    ("consistency", "1-1", "multiplicative", 0.04),
    ("transfer-comparison", "1-1", "", 0.60),
    ("carry", "1-1", "", 0.06),
)
"""First word problems: mostly transfers, in which one must tell who is who."""

ALL_STEPS = _sources(
    ("consistency", "1-1", "additive", 0.23),
    ("consistency", "1-1", "multiplicative", 0.07),
    ("consistency", "2-2", "all", 0.13),
    ("consistency", "3-3", "all", 0.08),
    ("consistency", "4-5", "all", 0.03),
    ("transfer-comparison", "1-1", "", 0.15),
    ("transfer-comparison", "2-2", "", 0.12),
    ("transfer-comparison", "3-3", "", 0.07),
    ("transfer-comparison", "4-5", "", 0.03),
    ("carry", "1-1", "", 0.09),
)
"""All of them; few with four or five steps."""

STRATEGY_SHARES = {1: (0.60, 0.30, 0.10), 2: (0.50, 0.37, 0.13), 3: (0.30, 0.53, 0.17)}
"""By steps (3: three or more), shares of direct, step by step and step by step as a child: long
problems are mostly worked through, because a tiny model cannot do them at once."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One training problem and the way it is asked."""

    item: Item
    strategy: Strategy
    study: str


def lessons(mix: Mix, sources: tuple[Source, ...], seed: int) -> Iterator[Lesson]:
    """Training problems without end; the same seed gives the same ones.

    Only pairs of the training part are drawn, so no problem of the app is among them.
    """
    draws = Draws(f"lessons/{mix.name}/{seed}")
    streams = [_pairs(source, seed) for source in sources]
    bounds, total = [], 0.0
    for source in sources:
        total += source.weight
        bounds.append(total)
    while True:
        point = draws.between(0, 9_999) / 10_000 * total
        index = next(i for i, bound in enumerate(bounds) if point < bound)
        study = sources[index].study
        item = _member(study, mix, streams[index], draws)
        yield Lesson(item, _strategy(len(item.facts["steps"]), draws), study)


def _pairs(source: Source, seed: int) -> Iterator[Pair]:
    study = STUDIES[source.study]
    chunk = 0
    while True:
        design = Design(source.study, _CHUNK, seed * 1_000_003 + chunk, source.settings)
        yield from study.pairs(design, part=Part.TRAINING)
        chunk += 1


def _member(study: str, mix: Mix, pairs: Iterator[Pair], draws: Draws) -> Item:
    if study == CONSISTENCY.name:
        pair = next(pairs)
        return pair.x if _first(draws, mix.consistent, mix.inconsistent) else pair.x_prime
    if study == TRANSFER_COMPARISON.name:
        if _first(draws, mix.transfer, mix.comparison):
            return next(pairs).x
        return _worded(mix, pairs, draws).x_prime
    pair = _worded(mix, pairs, draws)
    return pair.x if draws.chance(0.5) else pair.x_prime


def _worded(mix: Mix, pairs: Iterator[Pair], draws: Draws) -> Pair:
    """The next pair, those with an inconsistent comparison thinned to the mix's ratio."""
    while True:
        pair = next(pairs)
        if pair.strata["wording"] == "consistent":
            return pair
        if draws.chance(mix.inconsistent / mix.consistent):
            return pair


def _first(draws: Draws, first: int, second: int) -> bool:
    return draws.below(first + second) < first


def _strategy(steps: int, draws: Draws) -> Strategy:
    direct, step_by_step, _ = STRATEGY_SHARES[min(steps, max(STRATEGY_SHARES))]
    point = draws.between(0, 9_999) / 10_000
    if point < direct:
        return PUBLISHED_STRATEGIES[0]
    return PUBLISHED_STRATEGIES[1 if point < direct + step_by_step else 2]
