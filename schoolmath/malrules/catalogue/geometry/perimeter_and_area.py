"""Perimeter and area taken for each other, and sides that are left out."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.geometry.composed_shapes import LShape, Parallelogram
from schoolmath.malrules.catalogue.geometry.rectangles import (
    MeasuredRectangle,
    Rectangle,
    RectangleInUnits,
    finish_rectangle,
)
from schoolmath.malrules.catalogue.geometry.similar_figures import (
    EnlargedRectangle,
    SimilarRectangles,
)
from schoolmath.malrules.catalogue.geometry.triangles import RightTriangle, TriangleArea
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step


@mal_rule("GM01")
def area_for_perimeter(
    problem: Rectangle
    | MeasuredRectangle
    | RectangleInUnits
    | EnlargedRectangle
    | SimilarRectangles
    | RightTriangle
    | LShape
    | Parallelogram,
) -> Worked | None:
    """Uses the formula of the area for a perimeter, or of the perimeter for an area."""
    if isinstance(problem, LShape | Parallelogram):
        return _swapped_in_a_shape(problem)
    if isinstance(problem, RightTriangle):
        if problem.asked != "perimeter":
            return None
        product = problem.first * problem.second
        answer = plain(Fraction(product, 2))
        return Worked(
            answer,
            (
                step("works out the area"),
                step("multiplies {0} by {1} to get {2}", problem.first, problem.second, product),
                step("halves {0} and gets {1}", product, answer),
            ),
        )
    before, long, short = problem.sides()
    asked = "area" if isinstance(problem, EnlargedRectangle) else problem.asked
    used = "perimeter" if asked == "area" else "area"
    idea = step(f"works out the {used}")
    found = finish_rectangle(used, long, short, (*before, idea))
    return Worked(found.answer, found.steps, len(before))


def _swapped_in_a_shape(problem: LShape | Parallelogram) -> Worked:
    if isinstance(problem, Parallelogram):
        one, other, asked = problem.base, problem.side, "area"
    else:
        one, other, asked = problem.long, problem.wide, problem.asked
    if asked == "area":
        answer = Answer.number(2 * (one + other))
        last = step("goes along {0} and {1} twice each and gets {2}", one, other, answer)
        return Worked(answer, (step("works out the perimeter"), last))
    whole, cut = one * other, problem.cut if isinstance(problem, LShape) else 0
    answer = Answer.number(whole - cut)
    last = step("takes the corner of {0} from the whole of {1} and gets {2}", cut, whole, answer)
    return Worked(answer, (step("works out the area"), last))


@mal_rule("GM02")
def adds_only_the_sides_shown(
    problem: Rectangle
    | MeasuredRectangle
    | RectangleInUnits
    | EnlargedRectangle
    | SimilarRectangles
    | TriangleArea
    | RightTriangle,
) -> Worked | None:
    """Adds the two sides that have a number and stops."""
    before: tuple[Step, ...]
    if isinstance(problem, RightTriangle):
        if problem.asked != "perimeter":
            return None
        before, one, two = (), Fraction(problem.first), Fraction(problem.second)
    elif isinstance(problem, TriangleArea):
        before, one, two = (), Fraction(problem.base), Fraction(problem.side)
    else:
        before, one, two = problem.sides()
    answer = plain(one + two)
    return Worked(
        answer,
        (
            *before,
            step("takes the sides with a number, {0} and {1}", plain(one), plain(two)),
            step("adds them and gets {0}", answer),
        ),
        len(before),
    )
