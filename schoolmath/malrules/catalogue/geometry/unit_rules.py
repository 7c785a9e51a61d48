"""Units changed the wrong way round, or areas as if they were lengths."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.geometry.measuring import RulerReading, UnitConversion
from schoolmath.malrules.catalogue.geometry.rectangles import RectangleInUnits, finish_rectangle
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step


@mal_rule("GM21")
def inverse_unit_conversion(
    problem: UnitConversion | RulerReading | RectangleInUnits,
) -> Worked | None:
    """Divides by the factor between the units instead of multiplying."""
    if isinstance(problem, RectangleInUnits):
        factor = problem.per_unit
        long, short = Fraction(problem.length, factor), Fraction(problem.width, factor)
        idea = step("divides by {0} for the smaller unit", factor)
        sides = step(
            "changes {0} to {1}, and {2} to {3}",
            *(problem.length, plain(long), problem.width, plain(short)),
        )
        found = finish_rectangle(problem.asked, long, short, (idea, sides))
        return Worked(found.answer, found.steps, 0)
    if isinstance(problem, RulerReading):
        factor, amount = problem.per_mark, Fraction(problem.end - problem.start)
        words = "counts the spaces from mark {0} to mark {1} and gets {2}"
        before: tuple[Step, ...] = (step(words, problem.start, problem.end, plain(amount)),)
        if factor == 1:
            return None
    else:
        factor, amount, before = problem.factor, problem.amount, ()
    answer = plain(amount / factor)
    idea = step("divides by {0} for the smaller unit", factor)
    result = step("divides {0} by {1} and gets {2}", plain(amount), factor, answer)
    return Worked(answer, (*before, idea, result), len(before))


@mal_rule("GM22")
def linear_factor_for_areas(problem: UnitConversion | RectangleInUnits) -> Worked | None:
    """Changes an area with the factor of lengths."""
    if isinstance(problem, UnitConversion):
        if not problem.square:
            return None
        idea = step("takes {0}, the factor for lengths, for the area", problem.per_length)
        return problem.multiply_by(problem.per_length, idea)
    if problem.asked != "area":
        return None
    area, factor = problem.length * problem.width, problem.per_unit
    answer = plain(area * factor)
    return Worked(
        answer,
        (
            step("multiplies {0} by {1} to get {2}", problem.length, problem.width, area),
            step("takes {0}, the factor for lengths, for the area", factor),
            step("multiplies {0} by {1} and gets {2}", area, factor, answer),
        ),
        1,
    )
