"""Points in the coordinate plane: read, moved, mirrored, turned, and halfway between two."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.forms import check_one_of, check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_NAMES = ("P", "Q", "R", "S", "T")


def write_point(across: int, up: int) -> str:
    """A point as it is written: (3, 5)."""
    return f"({across}, {up})"


def _two_apart(draws: Draws, low: int, high: int) -> tuple[int, int]:
    first, second = draws.several(range(low, high + 1), 2)
    return first, second


@form("geometry and measurement", (5, 6), 1)
class PointReading:
    """A way from the origin to a point, whose coordinates are asked."""

    right: int
    up: int
    name: str = "P"

    def __post_init__(self) -> None:
        check_whole(0, 1000, right=self.right, up=self.up)
        check_one_of(_NAMES, name=self.name)

    def stem(self) -> str:
        return (
            f"A point {self.name} in the coordinate plane is reached from the origin by going "
            f"{self.right} to the right and {self.up} up. What are the coordinates of {self.name}?"
        )

    def solve(self) -> Working:
        point = write_point(self.right, self.up)
        return by_steps(
            Answer.label(point),
            step("puts the way to the right, {0}, first and {1} second", self.right, self.up),
            step("writes {0}", point),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*_two_apart(draws, 1, 9 if grade == 5 else 15), draws.one(_NAMES))


@form("geometry and measurement", (5, 6), 2)
class PointMoved:
    """A point that is moved to the right and up; where it ends is asked."""

    across: int
    height: int
    right: int
    up: int
    name: str = "P"

    def __post_init__(self) -> None:
        check_whole(0, 1000, across=self.across, height=self.height, right=self.right, up=self.up)
        check_one_of(_NAMES, name=self.name)
        check_that(self.right + self.up > 0, "The point must move.")

    def stem(self) -> str:
        return (
            f"The point {self.name}{write_point(self.across, self.height)} is moved {self.right} "
            f"to the right and {self.up} up. What are its new coordinates?"
        )

    def solve(self) -> Working:
        point = write_point(self.across + self.right, self.height + self.up)
        return by_steps(
            Answer.label(point),
            step("adds {0} to the first coordinate {1}", self.right, self.across),
            step("adds {0} to the second coordinate {1}", self.up, self.height),
            step("writes {0}", point),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 8 if grade == 5 else 15
        return cls(*_two_apart(draws, 1, most), *_two_apart(draws, 1, most), draws.one(_NAMES))


@mal_rule("GM25")
def swaps_coordinates(problem: PointReading | PointMoved) -> Working | tuple[Working, ...] | None:
    """Takes the first coordinate as the way up and the second as the way across.

    A point that is moved is read so alone, or is read and written so.
    """
    if isinstance(problem, PointReading):
        if problem.right == problem.up:
            return None
        point = write_point(problem.up, problem.right)
        idea = step("puts the way up, {0}, first and {1} second", problem.up, problem.right)
        return by_steps(Answer.label(point), idea, step("writes {0}", point))
    if problem.across == problem.height:
        return None
    read = step(
        "reads the point as {0} to the right and {1} up, the wrong way round",
        *(problem.height, problem.across),
    )
    right, up = problem.height + problem.right, problem.across + problem.up
    move = step("moves to {0} to the right and {1} up", right, up)
    ends = [write_point(right, up)] + ([write_point(up, right)] if right != up else [])
    return tuple(by_steps(Answer.label(end), read, move, step("writes {0}", end)) for end in ends)


def _to_point(x: int, y: int, wording: str) -> Working:
    answer = Answer.label(write_point(x, y))
    return by_steps(answer, step(wording), step("writes {0}", answer))


@form("geometry and measurement", (6, 9), 1)
class Reflect:
    """A point mirrored in an axis.

    Attributes:
        x, y: neither 0.
        axis: ``x`` or ``y``.
    """

    x: int
    y: int
    axis: str

    def __post_init__(self) -> None:
        if not self.x or not self.y or self.axis not in {"x", "y"}:
            raise ValueError("The point lies on no axis and is mirrored in the x- or y-axis.")

    def stem(self) -> str:
        return f"Reflect the point {write_point(self.x, self.y)} in the {self.axis}-axis."

    def solve(self) -> Working:
        if self.axis == "x":
            return _to_point(self.x, -self.y, "turns the sign of the second number")
        return _to_point(-self.x, self.y, "turns the sign of the first number")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.several(range(1, grade + 3), 2)
        return cls(x * draws.one((1, 1, -1)), y * draws.one((1, 1, -1)), draws.one(("x", "y")))


@mal_rule("GM37")
def changes_the_named_coordinate(problem: Reflect) -> Working:
    """The sign of x for the x-axis."""
    if problem.axis == "x":
        return _to_point(-problem.x, problem.y, "turns the sign of the first number")
    return _to_point(problem.x, -problem.y, "turns the sign of the second number")


@form("geometry and measurement", (7, 9), 1)
class Rotate:
    """A point turned by 90 degrees about the origin.

    Attributes:
        x, y: neither 0, of different sizes.
        way: ``clockwise`` or ``anticlockwise``.
    """

    x: int
    y: int
    way: str

    def __post_init__(self) -> None:
        if not self.x or not self.y or abs(self.x) == abs(self.y):
            raise ValueError("The coordinates are not 0 and of different sizes.")
        if self.way not in {"clockwise", "anticlockwise"}:
            raise ValueError("The point is turned clockwise or anticlockwise.")

    def stem(self) -> str:
        point = write_point(self.x, self.y)
        return f"Turn the point {point} by 90 degrees {self.way} about the origin."

    def turned(self, way: str) -> Working:
        """The point after a turn."""
        if way == "clockwise":
            return _to_point(self.y, -self.x, "swaps the numbers and turns the sign of the second")
        return _to_point(-self.y, self.x, "swaps the numbers and turns the sign of the first")

    def solve(self) -> Working:
        return self.turned(self.way)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.several(range(1, grade + 3), 2)
        way = draws.one(("clockwise", "anticlockwise"))
        return cls(x * draws.one((1, 1, -1)), y * draws.one((1, 1, -1)), way)


@mal_rule("GM38")
def mirrors_for_a_turn(problem: Rotate) -> Working:
    """Reflects in the x-axis."""
    return _to_point(problem.x, -problem.y, "turns the sign of the second number")


@mal_rule("GM68")
def turns_the_other_way(problem: Rotate) -> Working:
    """The opposite direction."""
    return problem.turned("anticlockwise" if problem.way == "clockwise" else "clockwise")


@form("geometry and measurement", (7, 9), 1)
class Midpoint:
    """The midpoint of two points with whole coordinates."""

    x1: int
    y1: int
    x2: int
    y2: int

    def __post_init__(self) -> None:
        if (self.x1 + self.x2) % 2 or (self.y1 + self.y2) % 2:
            raise ValueError("The midpoint has whole coordinates.")

    def stem(self) -> str:
        one, other = write_point(self.x1, self.y1), write_point(self.x2, self.y2)
        return f"What is the midpoint of {one} and {other}?"

    def solve(self) -> Working:
        x, y = (self.x1 + self.x2) // 2, (self.y1 + self.y2) // 2
        return _to_point(x, y, "adds the coordinates and halves")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.between(1, grade), draws.between(1, grade)
        return cls(x, y, x + 2 * draws.between(1, 6), y + 2 * draws.between(1, 6))


@mal_rule("GM69")
def half_the_difference(problem: Midpoint) -> Working:
    """The differences halved."""
    x, y = (problem.x2 - problem.x1) // 2, (problem.y2 - problem.y1) // 2
    return _to_point(x, y, "subtracts the coordinates and halves")


@mal_rule("GM70")
def adds_and_does_not_halve(problem: Midpoint) -> Working:
    """The sums."""
    x, y = problem.x1 + problem.x2, problem.y1 + problem.y2
    return _to_point(x, y, "adds the coordinates")
