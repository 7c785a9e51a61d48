"""Every (total, has) that may be asked about, and which of them a concept says yes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from biaslab.studies.concepts.concept import Concept, Monotonicity


class Amount(NamedTuple):
    """How many things there are, and how many of them somebody has."""

    total: int
    has: int


@dataclass(frozen=True, slots=True)
class Population:
    """Amounts to draw from: every total in a range with every part of it.

    Attributes:
        low, high: smallest and largest total, both included.
        min_has: smallest part, 0 or 1.
        ties: whether parts exactly on a concept's bound are drawn.
    """

    low: int = 5
    high: int = 100
    min_has: int = 0
    ties: bool = True

    def amounts(self) -> Iterator[Amount]:
        """All of them, totals and parts in rising order."""
        for total in range(self.low, self.high + 1):
            for has in range(self.min_has, total + 1):
                yield Amount(total, has)


@dataclass(frozen=True, slots=True)
class Pool:
    """The amounts that a concept says yes to, and those that it says no to."""

    yes: tuple[Amount, ...]
    no: tuple[Amount, ...]

    def side(self, yes: bool) -> tuple[Amount, ...]:
        """The amounts with this answer."""
        return self.yes if yes else self.no


@lru_cache(maxsize=256)
def pool(concept: Concept, population: Population) -> Pool:
    """Both sides of a concept, exactly."""
    yes: list[Amount] = []
    no: list[Amount] = []
    for amount in population.amounts():
        if population.ties or not concept.is_tie(*amount):
            (yes if concept.says_yes(*amount) else no).append(amount)
    return Pool(tuple(yes), tuple(no))


@lru_cache(maxsize=256)
def monotonicity(concept: Concept, population: Population = Population()) -> Monotonicity:
    """What the yes-sets of every total look like: checked part by part, never declared."""
    rises = falls = False
    for total in range(population.low, population.high + 1):
        before = concept.says_yes(total, population.min_has)
        for has in range(population.min_has + 1, total + 1):
            now = concept.says_yes(total, has)
            rises |= now and not before
            falls |= before and not now
            before = now
    return _MONOTONICITY[rises, falls]


_MONOTONICITY = {
    (False, False): Monotonicity.BOTH,
    (True, False): Monotonicity.UP,
    (False, True): Monotonicity.DOWN,
    (True, True): Monotonicity.NEITHER,
}
