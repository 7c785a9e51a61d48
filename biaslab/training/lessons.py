"""Training problems in the ratios of a mix, and how each is asked.

Only problems of the training part are drawn (`ProblemHalf.TRAINING`), so none of the app's is among
them. Lessons come pool by pool, each made from the mix, the seed and its number alone: a training
that goes on from a save draws what an uninterrupted one would have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import Design, Item, Pair, Strategy, Value, different
from biaslab.studies.word_problems.cast import ProblemHalf
from biaslab.studies.word_problems.presets.carry import EXPERIMENT as CARRY
from biaslab.studies.word_problems.presets.consistency import EXPERIMENT as CONSISTENCY
from biaslab.studies.word_problems.presets.transfer_comparison import (
    EXPERIMENT as TRANSFER_COMPARISON,
)
from biaslab.studies.word_problems.settings import VERSION
from biaslab.training.mix import LessonMix
from schoolmath.problems import Draws, Operation
from schoolmath.problems.quantities import apply, carries

STUDIES = {study.name: study for study in (CONSISTENCY, TRANSFER_COMPARISON, CARRY)}

ONE_STEP = ((1, 1.0),)
"""First word problems: what one sentence does to one number."""

ALL_STEPS = ((1, 0.60), (2, 0.26), (3, 0.14))
"""Shares of problems by reasoning steps; longer ones are not taught."""

CARRY_SHARE = 0.20
"""Share of three-digit problems (those of the carry study) among comparisons of one step."""

ALONE_SHARE = 0.40
"""Share of problems of comparisons alone among those of several steps that have a comparison;
the others have one comparison among transfers and rates, as in the consistency study."""

MULTIPLICATIVE_SHARE = 0.25
"""Share of comparisons by a factor ("3 times as many") in problems with one comparison."""

Ways = Mapping[int, tuple[float, float, float]]
"""By reasoning steps, shares of direct, step by step and step by step as a child."""

FIRST_WAYS: Ways = {1: (0.08, 0.87, 0.05)}
"""At first problems are worked through: what calculation is needed is then said in one token, and
learnt in a fraction of the examples that bare answers take."""

ALL_WAYS: Ways = {1: (0.45, 0.42, 0.13), 2: (0.30, 0.55, 0.15), 3: (0.18, 0.66, 0.16)}
"""Then in all ways; long problems are mostly worked through, because a tiny model cannot do them
at once."""

_STRATEGIES: tuple[Strategy, ...] = PUBLISHED_STRATEGIES

_Choice = TypeVar("_Choice")


@dataclass(frozen=True, slots=True)
class TrainingLesson:
    """One training problem and the way it is asked."""

    item: Item
    strategy: Strategy
    study: str


def lessons(
    mix: LessonMix,
    seed: int,
    pool: int,
    steps: Sequence[tuple[int, float]] = ALL_STEPS,
    ways: Ways = ALL_WAYS,
) -> Iterator[TrainingLesson]:
    """The problems of a pool, without end; the same mix, seed and pool give the same ones.

    Args:
        mix: their ratios.
        seed: of the training.
        pool: which pool, from 0.
        steps: numbers of reasoning steps and their shares, which add up to 1.
        ways: shares of the prompt strategies.
    """
    source = _Source(mix, seed, pool)
    draws = source.draws
    while True:
        length = drawn(draws, steps)
        if draws.below(mix.transfer + mix.comparison) < mix.transfer:
            study, item = TRANSFER_COMPARISON.name, source.transfers(length)
        else:
            study, item = source.comparison(length)
        yield TrainingLesson(item, way(draws, length, ways), study)


def way(draws: Draws, length: int, ways: Ways = ALL_WAYS) -> Strategy:
    """One of the ways to ask a problem of so many steps."""
    return drawn(draws, tuple(zip(_STRATEGIES, ways[length], strict=True)))


def drawn(draws: Draws, shares: Sequence[tuple[_Choice, float]]) -> _Choice:
    """One of the choices, each as often as its share says; the shares add up to 1."""
    point = draws.between(0, 9_999) / 10_000
    for choice, share in shares:
        if point < share:
            return choice
        point -= share
    return shares[-1][0]


class _Source:
    """Problems of every kind for one pool."""

    def __init__(self, mix: LessonMix, seed: int, pool: int) -> None:
        self.draws = Draws(f"lessons/{mix.text}/{seed}/{pool}")
        self._mix, self._seed = mix, seed * 1_000_003 + pool
        self._streams: dict[tuple[str, int, str], Iterator[Pair]] = {}

    def transfers(self, steps: int) -> Item:
        return self._next(TRANSFER_COMPARISON.name, steps).x

    def comparison(self, steps: int) -> tuple[str, Item]:
        if steps == 1 and self.draws.chance(CARRY_SHARE):
            return CARRY.name, self._three_digits()
        if steps > 1 and self.draws.chance(ALONE_SHARE):
            while True:
                item = self._next(TRANSFER_COMPARISON.name, steps).x_prime
                if self._keeps(item):
                    return TRANSFER_COMPARISON.name, item
        by_factor = self.draws.chance(MULTIPLICATIVE_SHARE)
        pair = self._next(CONSISTENCY.name, steps, "multiplicative" if by_factor else "additive")
        first = self.draws.below(self._mix.consistent + self._mix.inconsistent)
        return CONSISTENCY.name, pair.x if first < self._mix.consistent else pair.x_prime

    def _three_digits(self) -> Item:
        first = self.draws.below(self._mix.no_carry + self._mix.carry) < self._mix.no_carry
        while True:
            pair = self._next(CARRY.name, 1)
            item = pair.x if first else pair.x_prime
            if self._keeps(item):
                return item

    def _keeps(self, item: Item) -> bool:
        """Whether a problem whose wordings were dealt evenly stays, to reach the mix's ratio."""
        ratio = (self._mix.inconsistent, self._mix.consistent)
        return all(
            self.draws.chance(ratio[step["consistent"]] / max(ratio))
            for step in item.facts["steps"]
            if step["consistent"] is not None
        )

    def _next(self, study: str, steps: int, operations: str = "") -> Pair:
        key = (study, steps, operations)
        if key not in self._streams:
            self._streams[key] = training_pairs(study, self._seed, steps, operations)
        return next(self._streams[key])


def training_pairs(study: str, seed: int, steps: int, operations: str = "") -> Iterator[Pair]:
    """Pairs of the training part, of which none is ever asked.

    Args:
        study: whose.
        seed: of the pairs.
        steps: their reasoning steps.
        operations: ``additive`` or ``multiplicative``, for the consistency study; empty: both.
    """
    # Trainings were planned, and models made, with texts of version 1.
    settings: dict[str, Value] = {"steps": f"{steps}-{steps}"}
    if VERSION in STUDIES[study].settings:
        settings[VERSION.name] = "1"
    if operations:
        settings["operations"] = operations
    design = Design(study, _MOST_PAIRS, seed, settings)
    return different(STUDIES[study].draw(design, part=ProblemHalf.TRAINING), design.n)


_MOST_PAIRS = 100_000
"""More than a pool ever asks of one stream."""


# Bare sums, differences, products and quotients: what a tiny model learns before problems.


KIND_SHARES = (("small", 0.36), ("two digits", 0.22), ("three digits", 0.22), ("table", 0.20))
"""Sums and differences as in problems with numbers up to 20, of two and of three digits, and
products and quotients."""

FIRST_SHARES = (("small", 0.75), ("two digits", 0.25))
"""What a model starts with."""


@dataclass(frozen=True, slots=True)
class Equation:
    """``left operation right = result``, all whole numbers from 1."""

    left: int
    operation: str
    right: int
    result: int

    @property
    def question(self) -> str:
        """The equation without its result: ``18 - 3``."""
        return f"{self.left} {self.operation} {self.right}"


def equations(
    seed: int | str,
    shares: tuple[tuple[str, float], ...] = KIND_SHARES,
    carrying: tuple[int, int] | None = None,
) -> Iterator[Equation]:
    """Equations without end; the same seed gives the same ones.

    Args:
        seed: any whole number, or a text.
        shares: kinds of equations and their shares, which add up to 1.
        carrying: ratio of three-digit sums and differences without a carry or borrow to those
            with one; as they come where it is left out.
    """
    draws = Draws(f"equations/{seed}")
    while True:
        kind = _kind(draws, shares)
        if kind != "three digits" or carrying is None:
            yield _draw(draws, kind)
            continue
        without = draws.below(sum(carrying)) < carrying[0]
        while True:
            drawn = _draw(draws, kind)
            if (carries(drawn.operation, drawn.left, drawn.right) == 0) is without:
                yield drawn
                break


def _kind(draws: Draws, shares: tuple[tuple[str, float], ...]) -> str:
    point = draws.between(0, 9_999) / 10_000
    for kind, share in shares:
        point -= share
        if point < 0:
            return kind
    return shares[-1][0]


def _draw(draws: Draws, kind: str) -> Equation:
    if kind == "table":
        return _table(draws)
    if kind == "small":
        left, right = draws.between(2, 60 if draws.chance(0.4) else 20), draws.between(2, 20)
    elif kind == "two digits":
        left, right = draws.between(1, 120), draws.between(1, 99)
    else:
        left, right = draws.between(100, 999), draws.between(100, 999)
    if draws.chance(0.5) and left + right <= 999:
        return Equation(left, Operation.ADD, right, left + right)
    left, right = max(left, right), min(left, right)
    if left == right:
        left += 1
    return Equation(left, Operation.SUBTRACT, right, left - right)


def _table(draws: Draws) -> Equation:
    if draws.chance(0.5):
        left = draws.between(2, 40 if draws.chance(0.3) else 20)
        right = draws.between(2, min(20, 999 // left))
        return Equation(left, Operation.MULTIPLY, right, apply(Operation.MULTIPLY, left, right))
    right = draws.between(2, 20)
    result = draws.between(1, 10 if draws.chance(0.7) else 20)
    return Equation(right * result, Operation.DIVIDE, right, result)
