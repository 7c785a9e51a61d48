"""Perimeter and area of rectangles and squares, with units to change and tiles to lay."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.figures import DrawnShape
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

UNITS = {"mm": "millimetres", "cm": "centimetres", "m": "metres", "km": "kilometres"}
"""Units of length by their sign."""
PER_UNIT = {("km", "m"): 1000, ("m", "cm"): 100, ("cm", "mm"): 10}
"""How many of the smaller unit make the larger one."""
ASKED = ("area", "perimeter")
"""What may be asked of a rectangle."""

_THINGS = {
    "rectangle": "cm",
    "picture": "cm",
    "card": "cm",
    "book cover": "cm",
    "playground": "m",
    "garden": "m",
    "room": "m",
    "car park": "m",
}
_MEASURED = ("card", "rectangle", "sticker", "stamp", "ticket")
_CHANGED = {
    ("km", "m"): ("field", "park", "forest"),
    ("m", "cm"): ("rug", "table top", "banner", "wall"),
    ("cm", "mm"): ("label", "stamp", "tile"),
}


def ask_for(quantity: str, unit: str) -> str:
    """The question for a perimeter or an area: `area in square centimetres`."""
    return f"{quantity} in {'square ' if quantity == 'area' else ''}{UNITS[unit]}"


def finish_rectangle(
    quantity: str, long: int | Fraction, short: int | Fraction, before: tuple[Step, ...] = ()
) -> Working:
    """The area or the perimeter from two sides, behind the steps that gave the sides."""
    a, b = plain(long), plain(short)
    if quantity == "area":
        answer = plain(Fraction(long) * short)
        ways = (
            step("takes the length {0} and the width {1} for the area", a, b),
            step("multiplies {0} by {1} and gets {2}", a, b, answer),
        )
    else:
        answer, half = plain(2 * (Fraction(long) + short)), plain(Fraction(long) + short)
        ways = (
            step("adds the length {0} and the width {1} to get {2}", a, b, half),
            step("doubles {0}, as each side is there twice, and gets {1}", half, answer),
        )
    return by_steps(answer, *before, *ways, key_step=len(before))


@form("geometry and measurement", (3, 5), 1)
class Rectangle:
    """A rectangle with both sides given; its perimeter or its area is asked."""

    length: int
    width: int
    asked: str = "perimeter"
    thing: str = "rectangle"

    def __post_init__(self) -> None:
        check_whole(1, 10_000, length=self.length, width=self.width)
        check_one_of(ASKED, asked=self.asked)
        check_one_of(_THINGS, thing=self.thing)

    def stem(self) -> str:
        unit = _THINGS[self.thing]
        shape = "rectangle" if self.thing == "rectangle" else f"rectangular {self.thing}"
        return (
            f"A {shape} is {self.length} {unit} long and {self.width} {unit} wide. "
            f"What is its {ask_for(self.asked, unit)}?"
        )

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        shape = "rectangle" if self.thing == "rectangle" else f"rectangular {self.thing}"
        asked = ask_for(self.asked, _THINGS[self.thing])
        return f"The picture shows a {shape} and how long its sides are. What is its {asked}?"

    def figure(self) -> DrawnShape:
        """The rectangle with its sides."""
        unit = _THINGS[self.thing]
        return DrawnShape("rectangle", f"{self.length} {unit}", f"{self.width} {unit}")

    def sides(self) -> tuple[tuple[Step, ...], Fraction, Fraction]:
        """How its length and width are found, and what they are."""
        return (), Fraction(self.length), Fraction(self.width)

    def solve(self) -> Working:
        before, long, short = self.sides()
        return finish_rectangle(self.asked, long, short, before)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {3: 10, 4: 20}.get(grade, 40)
        thing, asked = draws.one(tuple(_THINGS)), draws.one(ASKED)
        for _ in range(100):
            width = draws.between(2, most - 1)
            length = draws.between(width + 1, most)
            if length * width != 2 * (length + width):
                return cls(length, width, asked, thing)
        raise NotDrawn("No rectangle came up whose area and perimeter differ.")


@form("geometry and measurement", (3, 5), 2)
class MeasuredRectangle:
    """A rectangle whose sides are read from a ruler that they do not begin at 0 of."""

    long_from: int
    long_to: int
    short_from: int
    short_to: int
    asked: str = "perimeter"
    thing: str = "card"

    def __post_init__(self) -> None:
        check_whole(0, 100, start=self.long_from, end=self.long_to)
        check_whole(0, 100, start=self.short_from, end=self.short_to)
        check_one_of(ASKED, asked=self.asked)
        check_one_of(_MEASURED, thing=self.thing)
        check_that(
            self.long_from < self.long_to and self.short_from < self.short_to,
            "A side must end at a later mark than it begins at.",
        )

    def stem(self) -> str:
        shape = "rectangle" if self.thing == "rectangle" else f"rectangular {self.thing}"
        return (
            f"A pupil measures a {shape} with a ruler marked in centimetres. The long side "
            f"reaches from the {self.long_from} cm mark to the {self.long_to} cm mark, and the "
            f"short side from the {self.short_from} cm mark to the {self.short_to} cm mark. "
            f"What is the {ask_for(self.asked, 'cm')}?"
        )

    def sides(self) -> tuple[tuple[Step, ...], Fraction, Fraction]:
        """How its length and width are found, and what they are."""
        long, short = self.long_to - self.long_from, self.short_to - self.short_from
        words = "counts the spaces from {0} to {1} and finds {2}"
        return (
            (
                step(words, self.long_from, self.long_to, long),
                step(words, self.short_from, self.short_to, short),
            ),
            Fraction(long),
            Fraction(short),
        )

    def solve(self) -> Working:
        before, long, short = self.sides()
        return finish_rectangle(self.asked, long, short, before)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {3: 8, 4: 12}.get(grade, 18)
        for _ in range(100):
            short = draws.between(2, most - 1)
            long = draws.between(short + 1, most)
            first, second = draws.between(1, 4), draws.between(1, 4)
            if long * short != 2 * (long + short):
                return cls(
                    *(first, first + long, second, second + short),
                    asked=draws.one(ASKED),
                    thing=draws.one(_MEASURED),
                )
        raise NotDrawn("No rectangle came up whose area and perimeter differ.")


@form("geometry and measurement", (4, 8), 2)
class RectangleInUnits:
    """A rectangle with sides in one unit, whose perimeter or area is asked in a smaller one."""

    length: int
    width: int
    larger: str = "m"
    smaller: str = "cm"
    asked: str = "area"
    thing: str = "rug"

    def __post_init__(self) -> None:
        check_whole(1, 1000, length=self.length, width=self.width)
        check_one_of(ASKED, asked=self.asked)
        check_that(
            (self.larger, self.smaller) in PER_UNIT,
            f"There is no change from {self.larger!r} to {self.smaller!r}.",
        )
        check_one_of(_CHANGED[self.larger, self.smaller], thing=self.thing)

    @property
    def per_unit(self) -> int:
        """How many of the smaller unit make one of the larger."""
        return PER_UNIT[self.larger, self.smaller]

    def stem(self) -> str:
        return (
            f"A rectangular {self.thing} is {self.length} {self.larger} long and {self.width} "
            f"{self.larger} wide. What is its {ask_for(self.asked, self.smaller)}?"
        )

    def sides(self) -> tuple[tuple[Step, ...], Fraction, Fraction]:
        """How its length and width are found in the smaller unit, and what they are."""
        long, short = self.length * self.per_unit, self.width * self.per_unit
        change = step(
            f"changes {{0}} {self.larger} to {{1}} {self.smaller}, and {{2}} {self.larger} "
            f"to {{3}} {self.smaller}",
            *(self.length, long, self.width, short),
        )
        return (change,), Fraction(long), Fraction(short)

    def solve(self) -> Working:
        before, long, short = self.sides()
        return finish_rectangle(self.asked, long, short, before)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 9 if grade < 6 else 15
        units = draws.one(tuple(PER_UNIT) if grade < 7 else (("m", "cm"), ("cm", "mm")))
        width = draws.between(2, most - 1)
        length = draws.between(width + 1, most)
        asked = "perimeter" if grade < 6 else draws.one((*ASKED, "area"))
        return cls(length, width, *units, asked=asked, thing=draws.one(_CHANGED[units]))


@mal_rule("GM82")
def doubles_the_product(problem: Rectangle) -> Working:
    """2 · l · w: both formulas in one."""
    product = problem.length * problem.width
    answer = plain(2 * product)
    return by_steps(
        answer,
        step("multiplies {0} by {1} to get {2}", problem.length, problem.width, product),
        step("doubles {0} and gets {1}", product, answer),
        key_step=1,
    )


@form("geometry and measurement", (3, 6), 2)
class SquareFromPerimeter:
    """The area of a square whose perimeter is told.

    Attributes:
        perimeter: in cm; of a whole side from 3, and not 4, where the area is as large.
    """

    perimeter: int

    def __post_init__(self) -> None:
        if self.perimeter % 4 or self.side < 3 or self.side == 4:
            raise ValueError("The side of the square is a whole number: 3, or from 5.")

    @property
    def side(self) -> int:
        """A quarter of the perimeter."""
        return self.perimeter // 4

    def stem(self) -> str:
        return (
            f"The perimeter of a square is {self.perimeter} cm. "
            "What is its area in square centimetres?"
        )

    def squared(self, parts: int) -> Working:
        """The area with the perimeter shared among so many sides."""
        side = self.perimeter // parts
        first = step("shares {0} among {1} sides: {2}", self.perimeter, parts, side)
        last = step("multiplies {0} by itself and gets {1}", side, side * side)
        return by_steps(Answer.number(side * side), first, last)

    def solve(self) -> Working:
        return self.squared(4)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(4 * draws.one((3, *range(5, 15 * grade - 20))))


@mal_rule("GM93")
def side_for_area(problem: SquareFromPerimeter) -> Working:
    """The length of a side."""
    told = step("shares {0} among the sides: {1}", problem.perimeter, problem.side)
    return by_steps(Answer.number(problem.side), told)


@mal_rule("GM94")
def half_perimeter_squared(problem: SquareFromPerimeter) -> Working:
    """Shares the perimeter between two sides."""
    return problem.squared(2)


@mal_rule("GM95")
def doubles_to_square(problem: SquareFromPerimeter) -> Working:
    """Twice the side, as a square number is taken for a double."""
    side = problem.side
    first = step("finds the side {0} of the square", side)
    return by_steps(
        Answer.number(2 * side),
        first,
        step("takes it times {0} and gets {1}", 2, 2 * side),
        key_step=1,
    )


@form("geometry and measurement", (3, 6), 2)
class TilesOnFloor:
    """How many square tiles cover a floor.

    Attributes:
        tile: the side of a tile; from 2, and divides both sides of the floor.
        long, wide: the floor.
    """

    tile: int
    long: int
    wide: int

    def __post_init__(self) -> None:
        sides = (self.long, self.wide)
        if self.tile < 2 or any(each < self.tile or each % self.tile for each in sides):
            raise ValueError("The side of a tile, from 2, divides both sides of the floor.")

    @property
    def rows(self) -> tuple[int, int]:
        """How many tiles lie along each side."""
        return self.long // self.tile, self.wide // self.tile

    def stem(self) -> str:
        return (
            f"A floor is {self.long} feet long and {self.wide} feet wide. How many square tiles "
            f"with sides of {self.tile} feet cover it?"
        )

    def solve(self) -> Working:
        along, across = self.rows
        first = step("finds {0} tiles along one side and {1} along the other", along, across)
        last = step("multiplies {0} by {1} and gets {2}", along, across, along * across)
        return by_steps(Answer.number(along * across), first, last, key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        tile = draws.between(2, 3 if grade < 5 else 4)
        along, across = draws.several(range(3, 6 + grade), 2)
        return cls(tile, tile * along, tile * across)


@mal_rule("GM96")
def area_by_the_side_of_a_tile(problem: TilesOnFloor) -> Working:
    """The area of the floor by the side of a tile."""
    area = problem.long * problem.wide
    first = step("works out the area of the floor: {0}", area)
    last = step("divides {0} by {1} and gets {2}", area, problem.tile, area // problem.tile)
    return by_steps(Answer.number(area // problem.tile), first, last, key_step=1)


@mal_rule("GM97")
def tiles_of_one_foot(problem: TilesOnFloor) -> Working:
    """The area, as if a tile had sides of 1."""
    area = problem.long * problem.wide
    told = step("multiplies {0} by {1} and gets {2}", problem.long,
                problem.wide, area)  # fmt: skip
    return by_steps(Answer.number(area), told)


@mal_rule("GM98")
def adds_tiles_of_both_sides(problem: TilesOnFloor) -> Working:
    """The tiles along one side and along the other."""
    along, across = problem.rows
    first = step("finds {0} tiles along one side and {1} along the other", along, across)
    last = step("adds {0} and {1} and gets {2}", along, across, along + across)
    return by_steps(Answer.number(along + across), first, last, key_step=1)
