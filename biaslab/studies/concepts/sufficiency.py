"""Whether there are enough amounts on both sides of a concept, and what would be the nearest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from biaslab.studies.concepts.concept import Concept
from biaslab.studies.concepts.drawing import common_pool
from biaslab.studies.concepts.population import Matching, Population
from schoolmath.problems import DesignError

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
