"""Items and pairs of the study of concepts, from matched lessons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from biaslab.studies.concepts import (
    Concept,
    ConceptLesson,
    LabelledAmount,
    Lessons,
    Matching,
    Population,
    monotonicity,
)
from biaslab.studies.concepts.wording import Semantics, Surface
from biaslab.studies.study import Item, Pair, Value, content_hash

NAME = "concept-learning"

_BINS = (
    (Fraction(1, 20), "0.00 to 0.05"),
    (Fraction(1, 10), "0.05 to 0.10"),
    (Fraction(1, 5), "0.10 to 0.20"),
    (Fraction(2, 5), "0.20 to 0.40"),
)
FURTHEST = "0.40 or more"
NO_BOUND = "no threshold"
DISTANCES = (*(name for _, name in _BINS), FURTHEST, NO_BOUND)
"""Bins of the distance from the nearest threshold, as a share of the total; the lower end
belongs to a bin."""


def distance_bin(distance: Fraction | None) -> str:
    """The bin of a distance, exactly."""
    if distance is None:
        return NO_BOUND
    return next((name for end, name in _BINS if distance < end), FURTHEST)


@dataclass(frozen=True, slots=True)
class ConceptPair:
    """Two concepts whose prompts are matched.

    Attributes:
        one, other: the concepts of x and x'; matching: what their prompts share.
        population: the amounts that are asked about.
    """

    one: Concept
    other: Concept
    matching: Matching
    population: Population

    @property
    def directions(self) -> str:
        """How both depend on the part, as computed: ``upward, downward``."""
        each = (monotonicity(concept, self.population) for concept in (self.one, self.other))
        return ", ".join(each)

    @property
    def exchanged(self) -> ConceptPair | None:
        """The complements in exchanged places, whose prompts are these with every answer exchanged.

        None where that is this comparison again.
        """
        if self.matching is Matching.COMPLEMENT:
            return None
        return replace(self, one=self.other.complement, other=self.one.complement)


def pairs_of(
    comparison: ConceptPair, lessons: Lessons, surfaces: Sequence[Surface], *, both_ways: bool
) -> list[Pair]:
    """The matched prompts of one draw as pairs, which share a cluster.

    Args:
        comparison: of which concepts.
        lessons: the draw.
        surfaces: a pair for each.
        both_ways: and one more for each, with the answers exchanged.
    """
    cluster = _draw(comparison, lessons)
    asked = [(comparison, lessons)]
    exchanged = comparison.exchanged
    if both_ways and exchanged is not None:
        turned = Lessons(lessons.other.exchanged, lessons.one.exchanged)
        asked.append((exchanged, turned))
    return [
        _pair(concepts, drawn, surface, cluster)
        for surface in surfaces
        for concepts, drawn in asked
    ]


def _draw(comparison: ConceptPair, lessons: Lessons) -> str:
    return content_hash(
        comparison.one.id, comparison.other.id, _numbers(lessons.one), _numbers(lessons.other)
    )


def _pair(comparison: ConceptPair, lessons: Lessons, surface: Surface, cluster: str) -> Pair:
    draw = _draw(comparison, lessons)
    sides = ((comparison.one, lessons.one), (comparison.other, lessons.other))
    x, x_prime = (_item(concept, lesson, comparison, surface, draw) for concept, lesson in sides)
    strata: dict[str, Value] = {
        "concept": comparison.one.id,
        "semantics": str(surface.semantics),
        "label": "yes" if lessons.one.question.yes else "no",
        "distance": str(x.facts["distance_bin"]),
        "monotonicity": comparison.directions,
    }
    if surface.wording is not None:
        strata["wording"] = surface.wording
    return Pair.of(x, x_prime, strata, cluster)


def _item(
    concept: Concept, lesson: ConceptLesson, comparison: ConceptPair, surface: Surface, draw: str
) -> Item:
    distance = concept.distance(*lesson.question.amount)
    facts: dict[str, Any] = {
        "concept": concept.id,
        "family": str(concept.family),
        "bound": concept.bound,
        "monotonicity": str(monotonicity(concept, comparison.population)),
        "semantics": str(surface.semantics),
        "matching": str(comparison.matching),
        "label": "yes" if lesson.question.yes else "no",
        "distance": None if distance is None else float(distance),
        "distance_bin": distance_bin(distance),
        "examples": [_row(example) for example in lesson.examples],
        "question": [*lesson.question.amount, lesson.question.noun],
        "name": lesson.name,
        "draw": draw,
    }
    if surface.wording is not None:
        facts["wording"] = surface.wording
    words = surface.words
    answer = surface.answer(lesson.question.yes)
    return Item.of(NAME, surface.prompt(concept, lesson), answer, facts, tuple(words))


def _row(example: LabelledAmount) -> list[int | str]:
    return [*example.amount, int(example.yes), example.noun]


def _numbers(lesson: ConceptLesson) -> list[Any]:
    rows = [_row(example) for example in (*lesson.examples, lesson.question)]
    return [lesson.name, rows]


__all__ = [
    "DISTANCES", "FURTHEST", "NAME", "NO_BOUND", "ConceptPair", "Semantics", "distance_bin",
    "pairs_of",
]  # fmt: skip
