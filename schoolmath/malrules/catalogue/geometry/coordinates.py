"""Points in the coordinate plane."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.field_checks import check_one_of, check_that, check_whole
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
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
    """A way from the origin to a point, whose coordinates are asked.

    Raises:
        ValueError: a number is not from 0 to 1000, or the name is not known.
    """

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

    def solve(self) -> Worked:
        point = write_point(self.right, self.up)
        return Worked(
            Answer.label(point),
            (
                step("puts the way to the right, {0}, first and {1} second", self.right, self.up),
                step("writes {0}", point),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*_two_apart(draws, 1, 9 if grade == 5 else 15), draws.one(_NAMES))


@form("geometry and measurement", (5, 6), 2)
class PointMoved:
    """A point that is moved to the right and up; where it ends is asked.

    Raises:
        ValueError: a number is not from 0 to 1000 or both moves are 0, or the name is not known.
    """

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

    def solve(self) -> Worked:
        point = write_point(self.across + self.right, self.height + self.up)
        return Worked(
            Answer.label(point),
            (
                step("adds {0} to the first coordinate {1}", self.right, self.across),
                step("adds {0} to the second coordinate {1}", self.up, self.height),
                step("writes {0}", point),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 8 if grade == 5 else 15
        return cls(*_two_apart(draws, 1, most), *_two_apart(draws, 1, most), draws.one(_NAMES))


@mal_rule("GM25")
def swaps_coordinates(problem: PointReading | PointMoved) -> Worked | tuple[Worked, ...] | None:
    """Takes the first coordinate as the way up and the second as the way across.

    A point that is moved is read so alone, or is read and written so.
    """
    if isinstance(problem, PointReading):
        if problem.right == problem.up:
            return None
        point = write_point(problem.up, problem.right)
        idea = step("puts the way up, {0}, first and {1} second", problem.up, problem.right)
        return Worked(Answer.label(point), (idea, step("writes {0}", point)))
    if problem.across == problem.height:
        return None
    read = step(
        "reads the point as {0} to the right and {1} up, the wrong way round",
        *(problem.height, problem.across),
    )
    right, up = problem.height + problem.right, problem.across + problem.up
    move = step("moves to {0} to the right and {1} up", right, up)
    ends = [write_point(right, up)] + ([write_point(up, right)] if right != up else [])
    return tuple(Worked(Answer.label(end), (read, move, step("writes {0}", end))) for end in ends)
