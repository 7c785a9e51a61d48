"""Labelled examples and a question for a concept, with the matched ones for another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from biaslab.studies.concepts.concept import Concept, Monotonicity
from schoolmath.problems import DesignError, Draws


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


def counterpart(concept: Concept, kind: str) -> Concept:
    """The mirror, the complement, the opposite, or the concept with its labels swapped.

    Without a mirror or an opposite of its own, a concept's counterpart is its complement.
    """
    if kind == OPPOSITE:
        return concept.opposite or concept.complement
    if kind == SWAPPED:
        return concept.with_labels_swapped
    if kind == MIRROR:
        mirror = concept.mirror
        if mirror is not None and mirror != concept:
            return mirror
    return concept.complement


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


LARGEST_TOTAL = 1_000
"""Largest total in a question: a limit of this app."""

_FURTHEST = 400
"""Totals beyond the range asked for that are tried when looking for one that works."""


def require_both_sides(
    one: Concept, other: Concept, matching: Matching, population: Population, shots: int
) -> None:
    """Refuses a concept whose yes or no side has too few amounts for the examples and a question.

    Raises:
        DesignError: with the reason and the nearest concept, number of examples or range of
            totals that works.
    """
    sizes = _sizes(one, other, matching, population)
    if min(sizes) > shots:
        return
    word = "Yes" if sizes[0] <= sizes[1] else "No"
    few = min(sizes)
    where = f"totals from {population.low} to {population.high}"
    if few == 0:
        said = "none" if word == "Yes" else "all"
        raise DesignError(
            f"With {where}, “{one.id}” is right for {said} of the amounts, so there are no "
            f"“{word}” examples.",
            _nearest_concept(one, population, shots)
            or _nearest_totals(one, other, matching, population, shots)
            or "Choose another concept.",
            "concept",
        )
    range_ = _nearest_totals(one, other, matching, population, shots)
    fewer = f"At most {few - 1} examples of each answer work." if few > 1 else ""
    raise DesignError(
        f"With {where}, “{one.id}” has only {few} “{word}” amounts, and {shots} examples and an "
        f"unseen question need {shots + 1}.",
        " ".join(part for part in (fewer, range_) if part) or "Choose another concept.",
        "totals",
    )


def _sizes(
    one: Concept, other: Concept, matching: Matching, population: Population
) -> tuple[int, int]:
    found = common_pool(one, other, matching, population)
    return len(found.yes), len(found.no)


def _nearest_totals(
    one: Concept, other: Concept, matching: Matching, population: Population, shots: int
) -> str:
    # Amounts are matched total by total, so every further total adds its own to both sides.
    yes, no = _sizes(one, other, matching, population)
    for high in range(population.high + 1, min(population.high + _FURTHEST, LARGEST_TOTAL) + 1):
        more = _sizes(one, other, matching, replace(population, low=high, high=high))
        yes, no = yes + more[0], no + more[1]
        if min(yes, no) > shots:
            return f"The nearest range of totals that works is {population.low}-{high}."
    return ""


def _nearest_concept(concept: Concept, population: Population, shots: int) -> str:
    for near in _neighbours(concept, population.high):
        if min(_sizes(near, near, Matching.COMPLEMENT, population)) > shots:
            return f"The nearest that works is {near.id}."
    return ""


def _neighbours(concept: Concept, high: int) -> Iterator[Concept]:
    """The same concept with its only bound moved, the nearest first."""
    if len(concept.bounds) != 1:
        return
    bound = concept.bounds[0]
    steps = range(1, max(high, int(bound.value)) + 1)
    size = Fraction(1, 20) if bound.is_share else Fraction(1)
    for step in steps:
        for moved in (bound.value - step * size, bound.value + step * size):
            if 0 <= moved <= (1 if bound.is_share else high):
                yield replace(concept, bounds=(replace(bound, value=moved),))
