"""Squares told by their perimeter, and floors covered with tiles."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


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

    def squared(self, parts: int) -> Worked:
        """The area with the perimeter shared among so many sides."""
        side = self.perimeter // parts
        first = step("shares {0} among {1} sides: {2}", self.perimeter, parts, side)
        last = step("multiplies {0} by itself and gets {1}", side, side * side)
        return Worked(Answer.number(side * side), (first, last))

    def solve(self) -> Worked:
        return self.squared(4)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(4 * draws.one((3, *range(5, 15 * grade - 20))))


@mal_rule("GM93")
def side_for_area(problem: SquareFromPerimeter) -> Worked:
    """The length of a side."""
    told = step("shares {0} among the sides: {1}", problem.perimeter, problem.side)
    return Worked(Answer.number(problem.side), (told,))


@mal_rule("GM94")
def half_perimeter_squared(problem: SquareFromPerimeter) -> Worked:
    """Shares the perimeter between two sides."""
    return problem.squared(2)


@mal_rule("GM95")
def doubles_to_square(problem: SquareFromPerimeter) -> Worked:
    """Twice the side, as a square number is taken for a double."""
    side = problem.side
    first = step("finds the side {0} of the square", side)
    return Worked(
        Answer.number(2 * side), (first, step("takes it times {0} and gets {1}", 2, 2 * side)), 1
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

    def solve(self) -> Worked:
        along, across = self.rows
        first = step("finds {0} tiles along one side and {1} along the other", along, across)
        last = step("multiplies {0} by {1} and gets {2}", along, across, along * across)
        return Worked(Answer.number(along * across), (first, last), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        tile = draws.between(2, 3 if grade < 5 else 4)
        along, across = draws.several(range(3, 6 + grade), 2)
        return cls(tile, tile * along, tile * across)


@mal_rule("GM96")
def area_by_the_side_of_a_tile(problem: TilesOnFloor) -> Worked:
    """The area of the floor by the side of a tile."""
    area = problem.long * problem.wide
    first = step("works out the area of the floor: {0}", area)
    last = step("divides {0} by {1} and gets {2}", area, problem.tile, area // problem.tile)
    return Worked(Answer.number(area // problem.tile), (first, last), 1)


@mal_rule("GM97")
def tiles_of_one_foot(problem: TilesOnFloor) -> Worked:
    """The area, as if a tile had sides of 1."""
    area = problem.long * problem.wide
    told = step("multiplies {0} by {1} and gets {2}", problem.long,
                problem.wide, area)  # fmt: skip
    return Worked(Answer.number(area), (told,))


@mal_rule("GM98")
def adds_tiles_of_both_sides(problem: TilesOnFloor) -> Worked:
    """The tiles along one side and along the other."""
    along, across = problem.rows
    first = step("finds {0} tiles along one side and {1} along the other", along, across)
    last = step("adds {0} and {1} and gets {2}", along, across, along + across)
    return Worked(Answer.number(along + across), (first, last), 1)
