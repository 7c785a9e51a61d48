"""Labelled examples and a question for one concept, with the matched ones for another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from biaslab.studies.concepts.concept import Concept
from biaslab.studies.concepts.population import (
    AmountPool,
    CountedAmount,
    Matching,
    Population,
    pool,
)
from schoolmath.problems import DesignError, Draws

SHUFFLED, ALTERNATING, YES_FIRST, NO_FIRST = "shuffled", "alternating", "yes first", "no first"
ORDERS = (SHUFFLED, ALTERNATING, YES_FIRST, NO_FIRST)
BY_PAIRS, BY_TOTALS = "pairs", "totals"
SAMPLINGS = (BY_PAIRS, BY_TOTALS)

_ATTEMPTS = 500
"""So many draws in a row without enough different amounts mean that there are none."""


@dataclass(frozen=True, slots=True)
class LabelledAmount:
    """An amount with its right answer.

    Attributes:
        amount: how many there are and how many somebody has; yes: the right answer.
        noun: what is counted, in the plural.
    """

    amount: CountedAmount
    yes: bool
    noun: str


@dataclass(frozen=True, slots=True)
class ConceptLesson:
    """Labelled examples in order, and the question that follows them.

    Attributes:
        question: with its right answer, which the prompt leaves out.
        name: of the person in all of them.
    """

    examples: tuple[LabelledAmount, ...]
    question: LabelledAmount
    name: str

    @property
    def exchanged(self) -> ConceptLesson:
        """The same amounts with every answer exchanged."""
        examples = tuple(replace(each, yes=not each.yes) for each in self.examples)
        return ConceptLesson(examples, replace(self.question, yes=not self.question.yes), self.name)


@dataclass(frozen=True, slots=True)
class Lessons:
    """The same lesson for two concepts."""

    one: ConceptLesson
    other: ConceptLesson


@dataclass(frozen=True, slots=True)
class LessonManner:
    """How lessons are drawn.

    Attributes:
        population: the amounts; shots: labelled examples of each answer; order: of the examples.
        sampling: every pair (total, has) equally likely, which favours large totals, or every
            total equally likely.
    """

    population: Population = Population()
    shots: int = 10
    order: str = SHUFFLED
    sampling: str = BY_PAIRS


class LessonDeck:
    """Lessons for two concepts, one after the other.

    Args:
        one, other: the concepts; matching: how their prompts are matched.
        manner: how lessons are drawn.
        nouns, names: to choose from.

    Raises:
        DesignError: a side of a concept is empty or too small; with the nearest that works.
    """

    def __init__(
        self,
        one: Concept,
        other: Concept,
        matching: Matching,
        manner: LessonManner,
        nouns: Sequence[str],
        names: Sequence[str],
    ) -> None:
        self._one = one
        self._other = other
        self._matching = matching
        self._manner = manner
        self._nouns = nouns
        self._names = names
        self._pool = common_pool(one, other, matching, manner.population)
        own = pool(other, manner.population)
        self._by_total = {yes: by_total(self._pool.side(yes)) for yes in (True, False)}
        self._other_by_total = {yes: by_total(own.side(yes)) for yes in (True, False)}

    def draw(self, draws: Draws, *, yes: bool) -> Lessons:
        """A lesson whose question has this answer for the first concept.

        Raises:
            DesignError: there are not enough different amounts.
        """
        labels = self._labels(draws)
        for _ in range(_ATTEMPTS):
            amounts = self._amounts([*labels, yes], draws)
            others = self._others([*labels, yes], amounts, draws)
            if others is not None:
                break
        else:
            raise DesignError(
                f"There are too few different amounts for “{self._other.id}” with the totals of "
                f"“{self._one.id}”.",
                "Choose fewer examples, a wider range of totals, or the mirror as the counterpart.",
                "against",
            )
        nouns = self._nouns_for(len(labels) + 1, draws)
        name = draws.one(self._names)
        exchanged = self._matching is Matching.COMPLEMENT
        return Lessons(
            _lesson(amounts, [*labels, yes], nouns, name),
            _lesson(others, [each != exchanged for each in (*labels, yes)], nouns, name),
        )

    def _labels(self, draws: Draws) -> list[bool]:
        shots = self._manner.shots
        match self._manner.order:
            case "alternating":
                first = draws.chance(0.5)
                return [first, not first] * shots
            case "yes first":
                return [True] * shots + [False] * shots
            case "no first":
                return [False] * shots + [True] * shots
        return draws.several([True] * shots + [False] * shots, 2 * shots)

    def _amounts(self, labels: Sequence[bool], draws: Draws) -> list[CountedAmount]:
        drawn = {
            yes: iter(self._drawn(yes, sum(each == yes for each in labels), draws))
            for yes in (True, False)
        }
        return [next(drawn[yes]) for yes in labels]

    def _drawn(self, yes: bool, count: int, draws: Draws) -> list[CountedAmount]:
        side = self._pool.side(yes)
        if self._manner.sampling == BY_PAIRS:
            return _different(side, count, draws)
        amounts = self._by_total[yes]
        totals = tuple(amounts)
        found: dict[CountedAmount, None] = {}
        while len(found) < count:
            found[draws.one(amounts[draws.one(totals)])] = None
        return list(found)

    def _others(
        self, labels: Sequence[bool], amounts: Sequence[CountedAmount], draws: Draws
    ) -> list[CountedAmount] | None:
        match self._matching:
            case Matching.MIRROR:
                return [CountedAmount(total, total - has) for total, has in amounts]
            case Matching.COMPLEMENT:
                return list(amounts)
        found: dict[CountedAmount, None] = {}
        for yes, (total, _) in zip(labels, amounts, strict=True):
            left = [each for each in self._other_by_total[yes][total] if each not in found]
            if not left:
                return None
            found[draws.one(left)] = None
        return list(found)

    def _nouns_for(self, count: int, draws: Draws) -> list[str]:
        found: list[str] = []
        while len(found) < count:
            found += draws.several(self._nouns, min(count - len(found), len(self._nouns)))
        return found


def _different(side: Sequence[CountedAmount], count: int, draws: Draws) -> list[CountedAmount]:
    """Different amounts, all equally likely; a large pool is not copied for a small draw."""
    if 4 * count > len(side):
        return draws.several(side, count)
    found: dict[CountedAmount, None] = {}
    while len(found) < count:
        found[draws.one(side)] = None
    return list(found)


def _lesson(
    amounts: Sequence[CountedAmount], labels: Sequence[bool], nouns: Sequence[str], name: str
) -> ConceptLesson:
    all_ = tuple(
        LabelledAmount(amount, yes, noun)
        for amount, yes, noun in zip(amounts, labels, nouns, strict=True)
    )
    return ConceptLesson(all_[:-1], all_[-1], name)


def by_total(side: Sequence[CountedAmount]) -> dict[int, tuple[CountedAmount, ...]]:
    """The amounts of every total."""
    found: dict[int, list[CountedAmount]] = {}
    for amount in side:
        found.setdefault(amount.total, []).append(amount)
    return {total: tuple(amounts) for total, amounts in found.items()}


@lru_cache(maxsize=256)
def common_pool(
    one: Concept, other: Concept, matching: Matching, population: Population
) -> AmountPool:
    """The amounts of the first concept that have a counterpart for the second."""
    mine, others = pool(one, population), pool(other, population)
    totals = {yes: {amount.total for amount in others.side(yes)} for yes in (True, False)}

    def fits(amount: CountedAmount, yes: bool) -> bool:
        total, has = amount
        match matching:
            case Matching.MIRROR:
                rest = total - has
                return rest >= population.min_has and (
                    population.ties or not other.is_tie(total, rest)
                )
            case Matching.COMPLEMENT:
                return population.ties or not other.is_tie(total, has)
        return total in totals[yes]

    return AmountPool(
        tuple(amount for amount in mine.yes if fits(amount, True)),
        tuple(amount for amount in mine.no if fits(amount, False)),
    )
