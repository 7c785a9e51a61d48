"""Chance in two forms: drawn once with a seed, or every way it can turn out.

A simulated learner is written once, against `Luck`. With `RandomLuck` it makes its mistakes at
random; `every_way` runs the same code through all outcomes, which gives exact probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple, Protocol, TypeVar

T = TypeVar("T")


class Luck(Protocol):
    """Where a learner's luck comes from."""

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        ...

    def one_of(self, options: Sequence[int]) -> int:
        """One of the options, each as likely as the others."""
        ...


class RandomLuck:
    """Luck drawn at random, the same for the same seed on every machine."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self._random.random() < probability

    def one_of(self, options: Sequence[int]) -> int:
        """One of the options, each as likely as the others."""
        return options[int(self._random.random() * len(options))]


class LuckPoint(NamedTuple):
    """One point at which something was left to chance, and how it turned out."""

    turn: int
    probabilities: tuple[float, ...]


class _ScriptedLuck:
    """Luck that follows a script, then takes the first possible turn everywhere."""

    def __init__(self, script: Sequence[int]) -> None:
        self._script = script
        self.ways: list[LuckPoint] = []

    def happens(self, probability: float) -> bool:
        return self._take((1.0 - probability, probability)) == 1

    def one_of(self, options: Sequence[int]) -> int:
        return options[self._take((1.0 / len(options),) * len(options))]

    def _take(self, probabilities: tuple[float, ...]) -> int:
        at = len(self.ways)
        turn = self._script[at] if at < len(self._script) else _next_possible(probabilities, 0)
        self.ways.append(LuckPoint(turn, probabilities))
        return turn


def every_way(work: Callable[[Luck], T]) -> Iterator[tuple[float, T]]:
    """Runs the work through every outcome of chance.

    Args:
        work: does the same thing whenever chance turns out the same.

    Yields:
        Probability and result of each way; the probabilities add up to 1.
    """
    script: list[int] | None = []
    while script is not None:
        followed = _ScriptedLuck(script)
        result = work(followed)
        probability = 1.0
        for way in followed.ways:
            probability *= way.probabilities[way.turn]
        yield probability, result
        script = _next_script(followed.ways)


def _next_script(ways: Sequence[LuckPoint]) -> list[int] | None:
    for at in range(len(ways) - 1, -1, -1):
        turn = _next_possible(ways[at].probabilities, ways[at].turn + 1)
        if turn < len(ways[at].probabilities):
            return [way.turn for way in ways[:at]] + [turn]
    return None


def _next_possible(probabilities: Sequence[float], start: int) -> int:
    turn = start
    while turn < len(probabilities) and probabilities[turn] <= 0.0:
        turn += 1
    return turn
