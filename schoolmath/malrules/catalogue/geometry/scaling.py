"""Figures whose sides grow in one ratio, areas scaled as lengths, lengths grown by adding."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.geometry.circles import EnlargedCircle
from schoolmath.malrules.catalogue.geometry.rectangles import ASKED, finish_rectangle
from schoolmath.malrules.catalogue.geometry.solids import EnlargedBox
from schoolmath.malrules.catalogue.stories.not_proportional import GrowingField
from schoolmath.malrules.catalogue.stories.unit_prices import (
    BagOnSale,
    UnitPrice,
    add_the_missing_part,
)
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_GROUNDS = ("garden", "field", "playground", "car park", "hall")
_SHAPES = ("photo", "poster", "flag", "drawing", "map")
_SQUARES = {
    "square": ("A square has", "cm"),
    "mosaic": ("A square mosaic has", "cm"),
    "flower bed": ("A square flower bed has", "m"),
    "carpet": ("A square carpet has", "m"),
}


@form("geometry and measurement", (6, 9), 2)
class EnlargedRectangle:
    """A rectangle with its area, and one whose sides are so many times as long."""

    length: int
    width: int
    factor: int
    thing: str = "garden"

    def __post_init__(self) -> None:
        check_whole(1, 1000, length=self.length, width=self.width)
        check_whole(2, 20, factor=self.factor)
        check_one_of(_GROUNDS, thing=self.thing)

    @property
    def area(self) -> int:
        """The area that the stem tells, of the first rectangle."""
        return self.length * self.width

    def stem(self) -> str:
        unit = "square metre" if self.area == 1 else "square metres"
        return (
            f"A rectangular {self.thing} is {self.length} m long and {self.width} m wide, so its "
            f"area is {self.area} {unit}. Another {self.thing} is {self.factor} times as long "
            f"and {self.factor} times as wide. What is the area of the other {self.thing} in "
            "square metres?"
        )

    def sides(self) -> tuple[tuple[Step, ...], Fraction, Fraction]:
        """How the new length and width are found, and what they are."""
        long, short = self.length * self.factor, self.width * self.factor
        growth = step(
            "makes each side {0} times as long: {1} becomes {2}, and {3} becomes {4}",
            *(self.factor, self.length, long, self.width, short),
        )
        return (growth,), Fraction(long), Fraction(short)

    def solve(self) -> Working:
        before, long, short = self.sides()
        return finish_rectangle("area", long, short, before)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        width = draws.between(2, 9)
        length = draws.between(width + 1, 12 if grade < 8 else 25)
        return cls(length, width, draws.between(2, 4 if grade < 8 else 6), draws.one(_GROUNDS))


@form("geometry and measurement", (6, 8), 2)
class SquareGrown:
    """A square whose sides grow; how many times as large its area gets is asked."""

    side: int
    growth: int
    thing: str = "square"

    def __post_init__(self) -> None:
        check_whole(1, 1000, side=self.side, growth=self.growth)
        check_one_of(_SQUARES, thing=self.thing)

    @property
    def ratio(self) -> Fraction:
        """How many times as long the side gets."""
        return Fraction(self.side + self.growth, self.side)

    def stem(self) -> str:
        start, unit = _SQUARES[self.thing]
        return (
            f"{start} sides of {self.side} {unit}. Each side is made {self.growth} {unit} longer. "
            "How many times as large as before is its area now?"
        )

    def solve(self) -> Working:
        new = self.side + self.growth
        answer = plain(self.ratio**2)
        return by_steps(
            answer,
            step("finds the new side, {0} and {1} together: {2}", self.side, self.growth, new),
            step("finds the areas, {0} before and {1} after", self.side**2, new**2),
            step("divides {0} by {1} and gets {2}", new**2, self.side**2, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            side = draws.between(2, 12 if grade < 8 else 20)
            halves = draws.one((2, 4, 6) if grade == 6 else (1, 2, 3, 4, 6, 8))
            growth = side * halves // 2
            drawn = cls(side, growth, draws.one(tuple(_SQUARES)))
            # The three usual wrong ideas must not give the same number, nor the right one.
            extra = (side + growth) ** 2 - side**2
            found = {drawn.ratio, drawn.ratio**2, Fraction(growth**2), Fraction(extra)}
            if side * halves % 2 == 0 and growth > 1 and len(found) == 4:
                return drawn
        raise NotDrawn("No square came up.")


@form("geometry and measurement", (7, 8), 2)
class SimilarSides:
    """Two similar figures: a side and its copy are known, and another side."""

    side: int
    copied: int
    other: int
    thing: str = "triangle"

    def __post_init__(self) -> None:
        check_whole(1, 10_000, side=self.side, copied=self.copied, other=self.other)
        check_one_of(("triangle", "rectangle", "kite"), thing=self.thing)

    def stem(self) -> str:
        return (
            f"Two {self.thing}s are similar. A side of {self.side} cm in the first one is "
            f"{self.copied} cm long in the second one. Another side of the first one is "
            f"{self.other} cm long. How many centimetres long is that side in the second one?"
        )

    def solve(self) -> Working:
        factor = plain(Fraction(self.copied, self.side))
        answer = plain(Fraction(self.other * self.copied, self.side))
        return by_steps(
            answer,
            step("divides {0} by {1} for the scale factor {2}", self.copied, self.side, factor),
            step("multiplies {0} by {1} and gets {2}", self.other, factor, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            side, copied = draws.between(2, 9), draws.between(2, 15 if grade < 8 else 24)
            other = side * draws.between(2, 5)
            if copied not in (side, other) and other + copied - side > 0:
                return cls(side, copied, other, draws.one(("triangle", "rectangle", "kite")))
        raise NotDrawn("No similar sides came up.")


@form("geometry and measurement", (7, 8), 2)
class SimilarRectangles:
    """A rectangle and the width of a similar one, whose area or perimeter is asked."""

    width: int
    length: int
    new_width: int
    asked: str = "area"
    thing: str = "photo"

    def __post_init__(self) -> None:
        check_whole(1, 1000, width=self.width, length=self.length, new_width=self.new_width)
        check_one_of(ASKED, asked=self.asked)
        check_one_of(_SHAPES, thing=self.thing)

    @property
    def factor(self) -> Fraction:
        """How many times as long each side gets."""
        return Fraction(self.new_width, self.width)

    def stem(self) -> str:
        unit = "square centimetres" if self.asked == "area" else "centimetres"
        return (
            f"A rectangular {self.thing} is {self.width} cm wide and {self.length} cm long. "
            f"An enlarged copy of it with the same shape is {self.new_width} cm wide. "
            f"What is the {self.asked} of the copy in {unit}?"
        )

    def sides(self) -> tuple[tuple[Step, ...], Fraction, Fraction]:
        """How the new length is found, with the length and the width of the copy."""
        long, factor = self.length * self.factor, plain(self.factor)
        return (
            (
                step("divides {0} by {1} for the scale {2}", self.new_width, self.width, factor),
                step("makes the length {0} times {1}: {2}", factor, self.length, plain(long)),
            ),
            long,
            Fraction(self.new_width),
        )

    def solve(self) -> Working:
        before, long, short = self.sides()
        return finish_rectangle(self.asked, long, short, before)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            width = draws.between(4, 12)
            length = draws.between(width + 1, 20)
            new_width = draws.between(width + 2, 30 if grade < 8 else 48)
            if new_width * length % width == 0:
                return cls(width, length, new_width, draws.one(ASKED), draws.one(_SHAPES))
        raise NotDrawn("No similar rectangles came up.")


@mal_rule("GM05")
def linear_scaling_of_area(
    problem: EnlargedRectangle | SimilarRectangles | EnlargedCircle,
) -> Working | None:
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
            "multiplies {0} by {1} for the first area {2}", *(problem.length, problem.width, area)
        )
    answer = plain(area * factor)
    grows = step("takes the area to be {0} times as large, just as the lengths", plain(factor))
    result = step("multiplies {0} by {1} and gets {2}", plain(area), plain(factor), answer)
    return by_steps(answer, first, grows, result, key_step=1)


@mal_rule("GM07")
def side_ratio_as_area_ratio(problem: SquareGrown) -> Working:
    """Answers with the ratio of the sides."""
    new = problem.side + problem.growth
    answer = plain(problem.ratio)
    return by_steps(
        answer,
        step("finds the new side, {0} and {1} together: {2}", problem.side, problem.growth, new),
        step("compares the sides {0} and {1}", problem.side, new),
        step("divides {0} by {1} and gets {2}", new, problem.side, answer),
        key_step=1,
    )


@mal_rule("GM08")
def change_squared(problem: SquareGrown) -> Working:
    """Squares the change of the length."""
    answer = Answer.number(problem.growth**2)
    return by_steps(
        answer,
        step("takes {0}, the change in length, as what matters", problem.growth),
        step("squares {0} because areas are squares, and gets {1}", problem.growth, answer),
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
) -> Working | None:
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
    return Working(found.answer, found.steps, 0)


def _same_difference(problem: SimilarSides) -> Working:
    change = problem.copied - problem.side
    answer = Answer.number(problem.other + change)
    verb = "adds {0} to {1}" if change >= 0 else "subtracts {0} from {1}"
    return by_steps(
        answer,
        step("finds that {0} and {1} are {2} apart", problem.side, problem.copied, abs(change)),
        step(f"{verb} and gets {{2}}", abs(change), problem.other, answer),
    )


def _longer_edges(problem: EnlargedBox) -> Working:
    k = problem.factor
    long, wide, high = problem.length + k, problem.width + k, problem.height + k
    answer = Answer.number(long * wide * high)
    return by_steps(
        answer,
        step("adds {0} to each edge", k),
        step("has edges of {0}, {1} and {2}", long, wide, high),
        step("multiplies {0} by {1} by {2} and gets {3}", long, wide, high, answer),
    )


def _longer_by(problem: GrowingField) -> Working:
    change = problem.new_side - problem.side
    answer = Answer.number(problem.amount + change)
    verb = "adds {0} to {1}" if change >= 0 else "subtracts {0} from {1}"
    return by_steps(
        answer,
        step(
            "finds that the sides {0} and {1} are {2} apart",
            *(problem.side, problem.new_side, abs(change)),
        ),
        step(f"{verb} and gets {{2}}", abs(change), problem.amount, answer),
    )


def _extra_area(problem: SquareGrown) -> Working:
    old, new = problem.side**2, (problem.side + problem.growth) ** 2
    answer = Answer.number(new - old)
    return by_steps(
        answer,
        step("finds the areas, {0} before and {1} after", old, new),
        step("compares them by how much larger one is"),
        step("subtracts {0} from {1} and gets {2}", old, new, answer),
        key_step=1,
    )
