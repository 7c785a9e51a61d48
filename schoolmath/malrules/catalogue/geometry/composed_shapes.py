"""Shapes of rectangles, parallelograms, trapeziums, missing sides; perimeter for area."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.geometry.rectangles import (
    MeasuredRectangle,
    Rectangle,
    RectangleInUnits,
    finish_rectangle,
)
from schoolmath.malrules.catalogue.geometry.scaling import EnlargedRectangle, SimilarRectangles
from schoolmath.malrules.catalogue.geometry.triangles import RightTriangle, TriangleArea
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("geometry and measurement", (3, 7), 2)
class LShape:
    """A rectangle with a smaller one cut out of a corner.

    Attributes:
        asked: ``area`` or ``perimeter``.
        long, wide: the whole rectangle.
        cut_long, cut_wide: the corner, shorter both ways.
    """

    asked: str
    long: int
    wide: int
    cut_long: int
    cut_wide: int

    def __post_init__(self) -> None:
        if not (0 < self.cut_long < self.long and 0 < self.cut_wide < self.wide):
            raise ValueError("The corner is shorter than the rectangle both ways.")
        if self.asked not in {"area", "perimeter"}:
            raise ValueError("The area or the perimeter is asked.")

    @property
    def cut(self) -> int:
        """The area of the corner."""
        return self.cut_long * self.cut_wide

    def stem(self) -> str:
        return (
            f"What is the {self.asked} of an L-shape: a {self.long} by {self.wide} rectangle with "
            f"a {self.cut_long} by {self.cut_wide} corner cut out?"
        )

    def solve(self) -> Working:
        if self.asked == "area":
            whole = self.long * self.wide
            answer = Answer.number(whole - self.cut)
            first = step("works out the whole, {0}, and the corner, {1}", whole, self.cut)
            return by_steps(answer, first, step("takes the corner away: {0}", answer), key_step=1)
        answer = Answer.number(2 * (self.long + self.wide))
        first = step("sees that the edges of the corner are as long as what it cuts off")
        last = step("goes round {0} and {1} twice: {2}", self.long, self.wide, answer)
        return by_steps(answer, first, last)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        long, wide = (draws.between(5, 8 + grade) for _ in range(2))
        asked = draws.one(("area", "perimeter"))
        return cls(asked, long, wide, draws.between(1, long - 3), draws.between(1, wide - 3))


@mal_rule("GM27")
def whole_box(problem: LShape) -> Working | None:
    """The area of the whole rectangle."""
    if problem.asked == "perimeter":
        return None
    answer = Answer.number(problem.long * problem.wide)
    told = step("multiplies {0} by {1} and gets {2}", problem.long, problem.wide, answer)
    return by_steps(answer, told)


@mal_rule("GM53")
def counts_a_part_twice(problem: LShape) -> Working | None:
    """Two strips, both at full length."""
    if problem.asked == "perimeter":
        return None
    upright = (problem.long - problem.cut_long) * problem.wide
    lying = problem.long * (problem.wide - problem.cut_wide)
    answer = Answer.number(upright + lying)
    first = step("takes one strip of {0} and another of {1}, each full length", upright, lying)
    return by_steps(answer, first, step("adds them: {0}", answer))


@mal_rule("GM28")
def cut_out_so_shorter(problem: LShape) -> Working | None:
    """Takes the edges of the corner off the perimeter."""
    if problem.asked == "area":
        return None
    around = 2 * (problem.long + problem.wide)
    less = problem.cut_long + problem.cut_wide
    answer = Answer.number(around - less)
    first = step("goes round the whole rectangle: {0}", around)
    told = step("takes {0} and {1} off: {2}", problem.cut_long, problem.cut_wide, answer)
    return by_steps(answer, first, told, key_step=1)


@mal_rule("GM54")
def inner_line_counted(problem: LShape) -> Working | None:
    """Adds the perimeters of the two rectangles that it is cut into."""
    if problem.asked == "area":
        return None
    one = 2 * (problem.long + problem.wide - problem.cut_wide)
    other = 2 * (problem.long - problem.cut_long + problem.cut_wide)
    answer = Answer.number(one + other)
    first = step("goes round both rectangles of the shape: {0} and {1}", one, other)
    return by_steps(answer, first, step("adds them: {0}", answer))


@form("geometry and measurement", (5, 7), 1)
class Parallelogram:
    """The area of a parallelogram; its slanted side is 0 where the text has none."""

    base: int
    side: int
    height: int

    def __post_init__(self) -> None:
        if self.height < 1 or self.base < 1 or (self.side and self.side <= self.height):
            raise ValueError("The height is shorter than the slanted side.")

    def stem(self) -> str:
        told = f", side {self.side} cm and" if self.side else " and"
        return (
            f"A parallelogram has base {self.base} cm{told} height {self.height} cm. "
            "What is its area in square centimetres?"
        )

    def solve(self) -> Working:
        answer = Answer.number(self.base * self.height)
        idea = step("makes a rectangle of it with the height {0}", self.height)
        last = step(
            "multiplies the base {0} by the height {1}: {2}", self.base, self.height, answer
        )
        return by_steps(answer, idea, last)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        height = draws.between(3, grade + 4)
        return cls(draws.between(5, 12), height + draws.between(1, 4), height)


@mal_rule("GM29")
def slant_as_height(problem: Parallelogram) -> Working | None:
    """Base times slanted side."""
    if not problem.side:
        return None
    answer = Answer.number(problem.base * problem.side)
    told = step("multiplies the base {0} by the slanted side {1}: {2}", problem.base, problem.side,
                answer)  # fmt: skip
    return by_steps(answer, told)


@mal_rule("GM55")
def parallelogram_halved(problem: Parallelogram) -> Working:
    """Half of base times height."""
    product = problem.base * problem.height
    answer = plain(Fraction(product, 2))
    first = step("makes a triangle of it: {0} times {1} is {2}", problem.base, problem.height,
                 product)  # fmt: skip
    return by_steps(answer, first, step("takes half of {0} and gets {1}", product, answer))


@form("geometry and measurement", (6, 8), 1)
class Trapezium:
    """The area of a trapezium.

    Attributes:
        short, long: the parallel sides.
        height: between them.
    """

    short: int
    long: int
    height: int

    def __post_init__(self) -> None:
        if not 0 < self.short < self.long or self.height < 1:
            raise ValueError(
                "The parallel sides are different, and the shorter one is given first."
            )

    def stem(self) -> str:
        return (
            f"A trapezium has parallel sides {self.short} cm and {self.long} cm and height "
            f"{self.height} cm. What is its area in square centimetres?"
        )

    def solve(self) -> Working:
        both = self.short + self.long
        answer = plain(Fraction(both * self.height, 2))
        first = step("adds both sides, {0} and {1}: {2}", self.short, self.long, both)
        last = step("takes half of {0} times {1} and gets {2}", both, self.height, answer)
        return by_steps(answer, first, last, key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        short = draws.between(3, grade + 3)
        return cls(short, short + 2 * draws.between(1, 4), draws.between(2, 9))


@mal_rule("GM56")
def trapezium_not_halved(problem: Trapezium) -> Working:
    """(a + b) times h."""
    both = problem.short + problem.long
    answer = Answer.number(both * problem.height)
    first = step("adds both sides, {0} and {1}: {2}", problem.short, problem.long, both)
    last = step("takes all of {0} times {1} and gets {2}", both, problem.height, answer)
    return by_steps(answer, first, last, key_step=1)


@mal_rule("GM57")
def long_side_times_height(problem: Trapezium) -> Working:
    """B times h."""
    answer = Answer.number(problem.long * problem.height)
    told = step("takes the long side {0} times {1} and gets {2}", problem.long, problem.height,
                answer)  # fmt: skip
    return by_steps(answer, told)


@form("geometry and measurement", (3, 6), 2)
class MissingSide:
    """The other side of a rectangle, with its area or perimeter told.

    Attributes:
        told: ``area`` or ``perimeter``.
        size: of it.
        side: the side that is known.
    """

    told: str
    size: int
    side: int

    def __post_init__(self) -> None:
        if self.told not in {"area", "perimeter"} or self.side < 1:
            raise ValueError("The area or the perimeter is given, and one side.")
        if self.size <= (2 * self.side if self.told == "perimeter" else 0):
            raise ValueError("The perimeter is longer than the side twice.")

    def stem(self) -> str:
        return (
            f"A rectangle has {self.told} {self.size} and one side {self.side}. How long is the "
            "other side?"
        )

    def solve(self) -> Working:
        if self.told == "area":
            answer = plain(Fraction(self.size, self.side))
            return by_steps(answer, step("divides {0} by {1}: {2}", self.size, self.side, answer))
        rest = self.size - 2 * self.side
        answer = plain(Fraction(rest, 2))
        first = step("takes {0} twice from {1}: {2}", self.side, self.size, rest)
        return by_steps(
            answer, first, step("shares {0} between two sides: {1}", rest, answer), key_step=1
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several(range(2, 5 + 2 * grade), 2)
        if draws.chance(0.4):
            return cls("area", one * other, one)
        return cls("perimeter", 2 * (one + other), one)


def _known(problem: MissingSide) -> Step:
    """What stands in the question."""
    return step(f"has the {problem.told} {{0}} and a side of {{1}}", problem.size, problem.side)


@mal_rule("GM58")
def takes_one_side_off(problem: MissingSide) -> Working | None:
    """P - a."""
    if problem.told == "area":
        return None
    answer = Answer.number(problem.size - problem.side)
    told = step("takes {0} off once from {1}: {2}", problem.side, problem.size, answer)
    return by_steps(answer, _known(problem), told, key_step=1)


@mal_rule("GM59")
def rest_not_halved(problem: MissingSide) -> Working | None:
    """P - 2a."""
    if problem.told == "area":
        return None
    answer = Answer.number(problem.size - 2 * problem.side)
    words = "takes {0} twice from {1} for the other side: {2}"
    told = step(words, problem.side, problem.size, answer)
    return by_steps(answer, _known(problem), told, key_step=1)


@mal_rule("GM60")
def subtracts_from_the_area(problem: MissingSide) -> Working | None:
    """A - a."""
    if problem.told == "perimeter" or problem.size <= problem.side:
        return None
    answer = Answer.number(problem.size - problem.side)
    return by_steps(answer, step("takes {0} from {1}: {2}", problem.side, problem.size, answer))


@form("geometry and measurement", (4, 7), 2)
class SamePerimeter:
    """Which of two rectangles with one perimeter has more area."""

    long: int
    wide: int
    other_long: int
    other_wide: int

    def __post_init__(self) -> None:
        sides = (self.long, self.wide, self.other_long, self.other_wide)
        if min(sides) < 1 or self.long + self.wide != self.other_long + self.other_wide:
            raise ValueError("Both rectangles have the same perimeter.")
        if self.long * self.wide == self.other_long * self.other_wide:
            raise ValueError("The rectangles are different.")

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return f"{self.long} by {self.wide}", f"{self.other_long} by {self.other_wide}"

    def stem(self) -> str:
        one, other = self.shown
        return (
            f"Two rectangles have the same perimeter: {one} and {other}. Which one has more area, "
            "or is it equal?"
        )

    def solve(self) -> Working:
        one, other = self.long * self.wide, self.other_long * self.other_wide
        answer = Answer.label(self.shown[0] if one > other else self.shown[1])
        return by_steps(
            answer, step("works out {0} and {1}", one, other), step("takes {0}", answer)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        total = 2 * draws.between(4, 2 * grade)
        one, other = draws.several(range(1, total // 2 + 1), 2)
        return cls(total - one, one, total - other, other)


@mal_rule("GM30")
def same_edge_same_area(problem: SamePerimeter) -> Working:
    """Equal perimeters, so equal areas."""
    around = 2 * (problem.long + problem.wide)
    told = step("sees that both perimeters are {0}", around)
    return by_steps(Answer.label("equal"), told, step("answers equal"))


@form("geometry and measurement", (5, 8), 2)
class BorderPath:
    """The outer area of a garden with a path round it."""

    width: int
    long: int
    wide: int

    def __post_init__(self) -> None:
        if min(self.width, self.long, self.wide) < 1:
            raise ValueError("All lengths are positive.")

    def stem(self) -> str:
        return (
            f"A path {self.width} m wide runs round a {self.long} m by {self.wide} m garden. What "
            "is the area of garden and path together in square metres?"
        )

    def outer(self, more: int, wording: str) -> Working:
        """The area with so much more both ways."""
        long, wide = self.long + more, self.wide + more
        answer = Answer.number(long * wide)
        first = step(wording, self.width, long, wide)
        return by_steps(answer, first, step("multiplies {0} by {1}: {2}", long, wide, answer))

    def solve(self) -> Working:
        return self.outer(2 * self.width, "adds {0} on both sides: {1} by {2}")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        wide = draws.between(4, grade + 5)
        return cls(draws.between(1, 3), wide + draws.between(1, 8), wide)


@mal_rule("GM61")
def border_on_one_side(problem: BorderPath) -> Working:
    """Adds the width of the path once."""
    return problem.outer(problem.width, "adds {0} each way: {1} by {2}")


@mal_rule("GM77")
def trapezium_as_a_triangle(problem: Trapezium) -> Working:
    """Half of the long side times the height."""
    product = problem.long * problem.height
    answer = plain(Fraction(product, 2))
    first = step("makes a triangle on the side {0}: {0} times {1} is {2}", problem.long,
                 problem.height, product)  # fmt: skip
    return by_steps(answer, first, step("takes half of {0} and gets {1}", product, answer))


@mal_rule("GM78")
def area_and_perimeter_swapped(problem: MissingSide) -> Working | None:
    """Undoes the area as if it were a perimeter, and a perimeter as if it were an area."""
    if problem.told == "perimeter":
        answer = plain(Fraction(problem.size, problem.side))
        return by_steps(answer, step("divides {0} by {1}: {2}", problem.size, problem.side, answer))
    half = Fraction(problem.size, 2)
    if half <= problem.side:
        return None
    answer = plain(half - problem.side)
    first = step("halves {0}: {1}", problem.size, plain(half))
    return by_steps(answer, first, step("takes {0} off: {1}", problem.side, answer))


@mal_rule("GM79")
def half_of_the_way_round(problem: MissingSide) -> Working | None:
    """P/2, which is both sides together."""
    if problem.told == "area":
        return None
    answer = plain(Fraction(problem.size, 2))
    told = step("shares {0} between two sides: {1}", problem.size, answer)
    return by_steps(answer, _known(problem), told, key_step=1)


@mal_rule("GM80")
def border_without_corners(problem: BorderPath) -> Working:
    """The garden and a strip along each side, no corners."""
    inside = problem.long * problem.wide
    strips = 2 * problem.width * (problem.long + problem.wide)
    answer = Answer.number(inside + strips)
    first = step("lays a strip along each side of the garden: {0} together", strips)
    return by_steps(answer, first, step("adds the garden of {0}: {1}", inside, answer))


@mal_rule("GM81")
def leaves_the_path_out(problem: BorderPath) -> Working:
    """The garden alone."""
    answer = Answer.number(problem.long * problem.wide)
    told = step("multiplies the sides of the garden, {0} and {1}: {2}", problem.long, problem.wide,
                answer)  # fmt: skip
    return by_steps(answer, told)


@mal_rule("GM91")
def adds_the_corner(problem: LShape) -> Working | None:
    """The whole and the corner together."""
    if problem.asked == "perimeter":
        return None
    whole = problem.long * problem.wide
    answer = Answer.number(whole + problem.cut)
    first = step("finds {0} for the rectangle and {1} for the corner", whole, problem.cut)
    return by_steps(answer, first, step("puts the two together: {0}", answer), key_step=1)


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
) -> Working | None:
    """Uses the formula of the area for a perimeter, or of the perimeter for an area."""
    if isinstance(problem, LShape | Parallelogram):
        return _swapped_in_a_shape(problem)
    if isinstance(problem, RightTriangle):
        if problem.asked != "perimeter":
            return None
        product = problem.first * problem.second
        answer = plain(Fraction(product, 2))
        return by_steps(
            answer,
            step("works out the area"),
            step("multiplies {0} by {1} to get {2}", problem.first, problem.second, product),
            step("halves {0} and gets {1}", product, answer),
        )
    before, long, short = problem.sides()
    asked = "area" if isinstance(problem, EnlargedRectangle) else problem.asked
    used = "perimeter" if asked == "area" else "area"
    idea = step(f"works out the {used}")
    found = finish_rectangle(used, long, short, (*before, idea))
    return Working(found.answer, found.steps, len(before))


def _swapped_in_a_shape(problem: LShape | Parallelogram) -> Working:
    if isinstance(problem, Parallelogram):
        one, other, asked = problem.base, problem.side or problem.height, "area"
    else:
        one, other, asked = problem.long, problem.wide, problem.asked
    if asked == "area":
        answer = Answer.number(2 * (one + other))
        last = step("goes along {0} and {1} twice each and gets {2}", one, other, answer)
        return by_steps(answer, step("works out the perimeter"), last)
    whole, cut = one * other, problem.cut if isinstance(problem, LShape) else 0
    answer = Answer.number(whole - cut)
    last = step("takes the corner of {0} from the whole of {1} and gets {2}", cut, whole, answer)
    return by_steps(answer, step("works out the area"), last)


@mal_rule("GM02")
def adds_only_the_sides_shown(
    problem: Rectangle
    | MeasuredRectangle
    | RectangleInUnits
    | EnlargedRectangle
    | SimilarRectangles
    | TriangleArea
    | RightTriangle,
) -> Working | None:
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
    return by_steps(
        answer,
        *before,
        step("takes the sides with a number, {0} and {1}", plain(one), plain(two)),
        step("adds them and gets {0}", answer),
        key_step=len(before),
    )
