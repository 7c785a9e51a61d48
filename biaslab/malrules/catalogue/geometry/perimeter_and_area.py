"""Perimeter and area taken for each other, and sides that are left out."""

from __future__ import annotations

from fractions import Fraction

from biaslab.malrules.catalogue.exact_writing import plain
from biaslab.malrules.catalogue.geometry.rectangles import (
    MeasuredRectangle,
    Rectangle,
    RectangleInUnits,
    finish_rectangle,
)
from biaslab.malrules.catalogue.geometry.similar_figures import EnlargedRectangle, SimilarRectangles
from biaslab.malrules.catalogue.geometry.triangles import RightTriangle, TriangleArea
from biaslab.malrules.rules import mal_rule
from biaslab.malrules.traces import Step, Worked, step


@mal_rule("GM01")
def area_for_perimeter(
    problem: Rectangle
    | MeasuredRectangle
    | RectangleInUnits
    | EnlargedRectangle
    | SimilarRectangles
    | RightTriangle,
) -> Worked | None:
    """Uses the formula of the area for a perimeter, or of the perimeter for an area."""
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
