"""Angles of triangles, at straight lines and in polygons."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.field_checks import check_that, check_whole
from schoolmath.malrules.catalogue.geometry.turning import AnglesAtPoint, IsoscelesAngle
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws

_POLYGONS = {
    5: "pentagon",
    6: "hexagon",
    7: "heptagon",
    8: "octagon",
    9: "nonagon",
    10: "decagon",
    12: "dodecagon",
}


@form("geometry and measurement", (4, 8), 1)
class TriangleAngle:
    """Two angles of a triangle; the third is asked.

    Raises:
        ValueError: an angle is not from 1 to 178 degrees, or both make 180 or more.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        check_whole(1, 178, first=self.first, second=self.second)
        check_that(self.first + self.second < 180, "Two angles of a triangle are less than 180.")

    def stem(self) -> str:
        return (
            f"Two angles of a triangle measure {self.first} degrees and {self.second} degrees. "
            "How many degrees does the third angle measure?"
        )

    def take_from(self, whole: int, idea: Step) -> Worked:
        """The third angle when the three are taken to make so many degrees."""
        known = self.first + self.second
        answer = Answer.number(whole - known)
        return Worked(
            answer,
            (
                idea,
                step("adds {0} and {1} to get {2}", self.first, self.second, known),
                step("subtracts {0} from {1} and gets {2}", known, whole, answer),
            ),
        )

    def solve(self) -> Worked:
        return self.take_from(180, step("knows that the three angles make {0} degrees", 180))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        pace = 10 if grade < 5 else 5 if grade < 7 else 1
        # A wide third angle: two angles under 90 together, so that 90 can be wrongly used.
        most = 80 if draws.chance(0.75) else 160
        known = pace * draws.between(30 // pace, most // pace)
        first = pace * draws.between(-(-10 // pace), (known - 10) // pace)
        return cls(first, known - first)


@form("geometry and measurement", (7, 7), 1)
class StraightAngle:
    """An angle and its supplement.

    Raises:
        ValueError: the angle is not from 1 to 179 degrees.
    """

    angle: int

    def __post_init__(self) -> None:
        check_whole(1, 179, angle=self.angle)

    def stem(self) -> str:
        return (
            f"An angle measures {self.angle} degrees. How many degrees does its supplement measure?"
        )

    def take_from(self, whole: int, idea: Step) -> Worked:
        """The supplement when both are taken to make so many degrees."""
        answer = Answer.number(whole - self.angle)
        return Worked(
            answer, (idea, step("subtracts {0} from {1} and gets {2}", self.angle, whole, answer))
        )

    def solve(self) -> Worked:
        return self.take_from(
            180, step("knows that an angle and its supplement make {0} degrees", 180)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        return cls(draws.between(6, 84))


@form("geometry and measurement", (8, 8), 1)
class PolygonAngleSum:
    """The sum of the angles of a polygon.

    Raises:
        ValueError: the number of corners is not from 3 to 100.
    """

    corners: int

    def __post_init__(self) -> None:
        check_whole(3, 100, corners=self.corners)

    def stem(self) -> str:
        name = _POLYGONS.get(self.corners)
        shape = (
            f"{name} ({self.corners} corners)" if name else f"polygon with {self.corners} corners"
        )
        article = "an" if shape.startswith("o") else "a"
        return f"What is the sum of the inside angles of {article} {shape} in degrees?"

    def solve(self) -> Worked:
        triangles, answer = self.corners - 2, Answer.number(180 * (self.corners - 2))
        return Worked(
            answer,
            (
                step("splits a polygon of {0} corners into {1} triangles", self.corners, triangles),
                step("multiplies {0} by {1} and gets {2}", triangles, 180, answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        return cls(draws.between(5, 60))


@mal_rule("GM14")
def uses_360(
    problem: TriangleAngle | StraightAngle | PolygonAngleSum | IsoscelesAngle,
) -> Worked | None:
    """Uses 360 degrees as the whole."""
    if isinstance(problem, IsoscelesAngle):
        rest = 360 - problem.top
        answer = plain(Fraction(rest, 2))
        first = step("takes {0} from {1} and has {2}", problem.top, 360, rest)
        return Worked(answer, (first, step("halves {0} and gets {1}", rest, answer)))
    if isinstance(problem, PolygonAngleSum):
        answer = Answer.number(360)
        return Worked(
            answer,
            (
                step("counts {0} corners, which change nothing", problem.corners),
                step("uses a full turn as the sum of the angles and gets {0}", answer),
            ),
            1,
        )
    return problem.take_from(360, step("takes all the angles together to be {0} degrees", 360))


@mal_rule("GM15")
def subtracts_from_90(problem: TriangleAngle | StraightAngle) -> Worked | None:
    """Uses 90 degrees as the whole; where less is known than that."""
    known = problem.angle if isinstance(problem, StraightAngle) else problem.first + problem.second
    if known >= 90:
        return None
    return problem.take_from(90, step("takes all the angles together to be {0} degrees", 90))


@mal_rule("GM16")
def corners_times_180(problem: PolygonAngleSum | TriangleAngle) -> Worked:
    """Takes 180 degrees for every corner."""
    if isinstance(problem, TriangleAngle):
        idea = step("counts {0} degrees for each of {1} corners, {2} in all", 180, 3, 540)
        return problem.take_from(540, idea)
    answer = Answer.number(180 * problem.corners)
    return Worked(
        answer,
        (
            step("counts {0} degrees for each of {1} corners", 180, problem.corners),
            step("multiplies {0} by {1} and gets {2}", problem.corners, 180, answer),
        ),
    )


@mal_rule("GM83")
def sum_of_the_known(problem: TriangleAngle | AnglesAtPoint) -> Worked:
    """What the known angles make, and no more."""
    answer = Answer.number(problem.first + problem.second)
    first = step("finds the two angles {0} and {1}", problem.first, problem.second)
    last = step("adds {0} and {1} and gets {2}", problem.first, problem.second, answer)
    return Worked(answer, (first, last))


@mal_rule("GM84")
def takes_one_angle_off(problem: TriangleAngle | AnglesAtPoint) -> Worked:
    """The whole less the first angle only."""
    whole = 180 if isinstance(problem, TriangleAngle) else 360
    answer = Answer.number(whole - problem.first)
    first = step("knows one angle of {0} degrees", problem.first)
    last = step("takes {0} from {1} and gets {2}", problem.first, whole, answer)
    return Worked(answer, (first, last))


@mal_rule("GM85")
def diagonals_for_triangles(problem: PolygonAngleSum) -> Worked:
    """180 degrees for each diagonal from a corner: one too few."""
    lines = problem.corners - 3
    answer = Answer.number(180 * lines)
    return Worked(
        answer,
        (
            step("counts {0} diagonals from one of {1} corners", lines, problem.corners),
            step("multiplies {0} by {1} and gets {2}", lines, 180, answer),
        ),
    )
