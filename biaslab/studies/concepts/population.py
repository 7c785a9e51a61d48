"""Every (total, has) that may be asked about, and which of them a concept says yes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from biaslab.studies.concepts.concept import Concept, Monotonicity
from schoolmath.problems import DesignError


class CountedAmount(NamedTuple):
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

    def amounts(self) -> Iterator[CountedAmount]:
        """All of them, totals and parts in rising order."""
        for total in range(self.low, self.high + 1):
            for has in range(self.min_has, total + 1):
                yield CountedAmount(total, has)


@dataclass(frozen=True, slots=True)
class AmountPool:
    """The amounts that a concept says yes to, and those that it says no to."""

    yes: tuple[CountedAmount, ...]
    no: tuple[CountedAmount, ...]

    def side(self, yes: bool) -> tuple[CountedAmount, ...]:
        """The amounts with this answer."""
        return self.yes if yes else self.no


@lru_cache(maxsize=256)
def pool(concept: Concept, population: Population) -> AmountPool:
    """Both sides of a concept, exactly."""
    yes: list[CountedAmount] = []
    no: list[CountedAmount] = []
    for amount in population.amounts():
        if population.ties or not concept.is_tie(*amount):
            (yes if concept.answers_yes(*amount) else no).append(amount)
    return AmountPool(tuple(yes), tuple(no))


@lru_cache(maxsize=256)
def monotonicity(concept: Concept, population: Population = Population()) -> Monotonicity:
    """What the yes-sets of every total look like: checked part by part, never declared."""
    rises = falls = False
    for total in range(population.low, population.high + 1):
        before = concept.answers_yes(total, population.min_has)
        for has in range(population.min_has + 1, total + 1):
            now = concept.answers_yes(total, has)
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


MIRROR, OPPOSITE, COMPLEMENT, SWAPPED = "mirror", "opposite", "complement", "swapped"
"""What a design may name in place of a concept to compare with."""


class Matching(StrEnum):
    """What the two prompts of a pair share; see the module."""

    MIRROR = "mirror"
    COMPLEMENT = "complement"
    TOTALS = "totals"

    @property
    def explanation(self) -> str:
        """What is the same and what is not, in a sentence."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    Matching.MIRROR: "Totals, nouns, name, order and labels are the same; everybody has what they "
    "did not have before (H becomes T - H).",
    Matching.COMPLEMENT: "Totals, parts, nouns, name and order are the same; every label is "
    "exchanged.",
    Matching.TOTALS: "Totals, nouns, name, order and labels are the same; the parts are drawn "
    "anew for the second concept.",
}


@lru_cache(maxsize=256)
def matching_of(one: Concept, other: Concept, population: Population) -> Matching:
    """How prompts of two concepts can be matched: computed from what they say of every amount.

    Raises:
        DesignError: both say the same of everything, so there is nothing to compare.
    """
    same = mirrored = opposite = True
    for total, has in population.amounts():
        if not population.ties and (one.is_tie(total, has) or other.is_tie(total, has)):
            continue
        says = one.answers_yes(total, has)
        answers = other.answers_yes(total, has)
        same &= answers == says
        opposite &= answers != says
        mirrored &= other.answers_yes(total, total - has) == says
    if same:
        raise DesignError(
            f"“{one.id}” and “{other.id}” say the same of everything, so there is nothing to "
            "compare.",
            f"The complement of “{one.id}” is “{one.complement.id}”.",
            "against",
        )
    if mirrored:
        return Matching.MIRROR
    return Matching.COMPLEMENT if opposite else Matching.TOTALS


def counterpart(concept: Concept, wanted: str) -> Concept:
    """The mirror, the complement, the opposite, or the concept with its labels swapped.

    Without a mirror or an opposite of its own, a concept's counterpart is its complement.
    """
    if wanted == OPPOSITE:
        return concept.opposite or concept.complement
    if wanted == SWAPPED:
        return concept.with_labels_swapped
    if wanted == MIRROR:
        mirror = concept.mirror
        if mirror is not None and mirror != concept:
            return mirror
    return concept.complement
