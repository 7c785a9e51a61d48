"""Areas scaled as lengths are, and lengths that grow by adding."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.geometry.boxes import EnlargedBox
from schoolmath.malrules.catalogue.geometry.circles import EnlargedCircle
from schoolmath.malrules.catalogue.geometry.rectangles import finish_rectangle
from schoolmath.malrules.catalogue.geometry.similar_figures import (
    EnlargedRectangle,
    SimilarRectangles,
    SimilarSides,
    SquareGrown,
)
from schoolmath.malrules.catalogue.stories.not_proportional import GrowingField
from schoolmath.malrules.catalogue.stories.unit_prices import (
    BagOnSale,
    UnitPrice,
    add_the_missing_part,
)
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("GM05")
def linear_scaling_of_area(
    problem: EnlargedRectangle | SimilarRectangles | EnlargedCircle,
) -> Worked | None:
    """Lets the area grow by the factor of the lengths."""
    if isinstance(problem, EnlargedCircle):
        area, factor = problem.half**2, Fraction(problem.factor)
        words = "finds the area of the smaller one from the radius {0}: {1} times pi"
        first = step(words, plain(problem.half), plain(area))
    elif isinstance(problem, EnlargedRectangle):
        area, factor = Fraction(problem.area), Fraction(problem.factor)
        first = step("takes the area of the first one, {0}", area)
    else:
        if problem.asked != "area":
            return None
        area, factor = Fraction(problem.width * problem.length), problem.factor
        first = step(
            "multiplies {0} by {1} for the first area {2}",
            *(problem.length, problem.width, area),
        )
    answer = plain(area * factor)
    grows = step("takes the area to be {0} times as large, just as the lengths", plain(factor))
    result = step("multiplies {0} by {1} and gets {2}", plain(area), plain(factor), answer)
    return Worked(answer, (first, grows, result), 1)


@mal_rule("GM07")
def side_ratio_as_area_ratio(problem: SquareGrown) -> Worked:
    """Answers with the ratio of the sides."""
    new = problem.side + problem.growth
    answer = plain(problem.ratio)
    return Worked(
        answer,
        (
            step(
                "finds the new side, {0} and {1} together: {2}", problem.side, problem.growth, new
            ),
            step("compares the sides {0} and {1}", problem.side, new),
            step("divides {0} by {1} and gets {2}", new, problem.side, answer),
        ),
        1,
    )


@mal_rule("GM08")
def change_squared(problem: SquareGrown) -> Worked:
    """Squares the change of the length."""
    answer = Answer.number(problem.growth**2)
    return Worked(
        answer,
        (
            step("takes {0}, the change in length, as what matters", problem.growth),
            step("squares {0} because areas are squares, and gets {1}", problem.growth, answer),
        ),
    )


@mal_rule("GM26")
def adds_the_scale_difference(
    problem: SimilarSides
    | SimilarRectangles
    | EnlargedRectangle
    | EnlargedBox
    | EnlargedCircle
    | SquareGrown
    | GrowingField
    | UnitPrice
    | BagOnSale,
) -> Worked | None:
    """Adds where a ratio is to be kept."""
    match problem:
        case SimilarSides():
            return _same_difference(problem)
        case SimilarRectangles():
            growth = problem.new_width - problem.width
            long = problem.length + growth
            if long <= 0:
                return None
            idea = step("sees that the width changes by {0}", growth)
            change = step("adds {0} to the length {1}: {2}", growth, problem.length, long)
            found = finish_rectangle(problem.asked, long, problem.new_width, (idea, change))
        case EnlargedRectangle():
            long, short = problem.length + problem.factor, problem.width + problem.factor
            idea = step("adds {0} to each side", problem.factor)
            sides = step(
                "has {0} become {1}, and {2} become {3}",
                *(problem.length, long),
                *(problem.width, short),
            )
            found = finish_rectangle("area", long, short, (idea, sides))
        case EnlargedBox():
            return _longer_edges(problem)
        case EnlargedCircle():
            radius = problem.half + problem.factor
            words = "adds {0} to the radius {1}: {2}"
            idea = step(words, problem.factor, plain(problem.half), plain(radius))
            found = problem.work_on((idea,), radius, area=True)
        case SquareGrown():
            return _extra_area(problem)
        case GrowingField():
            return _longer_by(problem)
        case UnitPrice() | BagOnSale():
            return add_the_missing_part(problem)
    return Worked(found.answer, found.steps, 0)


def _same_difference(problem: SimilarSides) -> Worked:
    change = problem.copied - problem.side
    answer = Answer.number(problem.other + change)
    verb = "adds {0} to {1}" if change >= 0 else "subtracts {0} from {1}"
    return Worked(
        answer,
        (
            step("finds that {0} and {1} are {2} apart", problem.side, problem.copied, abs(change)),
            step(f"{verb} and gets {{2}}", abs(change), problem.other, answer),
        ),
    )


def _longer_edges(problem: EnlargedBox) -> Worked:
    k = problem.factor
    long, wide, high = problem.length + k, problem.width + k, problem.height + k
    answer = Answer.number(long * wide * high)
    return Worked(
        answer,
        (
            step("adds {0} to each edge", k),
            step("has edges of {0}, {1} and {2}", long, wide, high),
            step("multiplies {0} by {1} by {2} and gets {3}", long, wide, high, answer),
        ),
    )


def _longer_by(problem: GrowingField) -> Worked:
    change = problem.new_side - problem.side
    answer = Answer.number(problem.amount + change)
    verb = "adds {0} to {1}" if change >= 0 else "subtracts {0} from {1}"
    return Worked(
        answer,
        (
            step(
                "finds that the sides {0} and {1} are {2} apart",
                *(problem.side, problem.new_side, abs(change)),
            ),
            step(f"{verb} and gets {{2}}", abs(change), problem.amount, answer),
        ),
    )


def _extra_area(problem: SquareGrown) -> Worked:
    old, new = problem.side**2, (problem.side + problem.growth) ** 2
    answer = Answer.number(new - old)
    return Worked(
        answer,
        (
            step("finds the areas, {0} before and {1} after", old, new),
            step("compares them by how much larger one is"),
            step("subtracts {0} from {1} and gets {2}", old, new, answer),
        ),
        1,
    )
