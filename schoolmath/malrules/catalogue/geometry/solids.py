"""Surfaces and volumes of boxes, prisms and cylinders, and half circles."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("geometry and measurement", (6, 8), 1)
class BoxSurface:
    """The surface of a box."""

    long: int
    wide: int
    high: int

    def __post_init__(self) -> None:
        if min(self.long, self.wide, self.high) < 1:
            raise ValueError("All edges of the box are positive.")

    @property
    def faces(self) -> tuple[int, int, int]:
        """The areas of three faces that meet in a corner."""
        return self.long * self.wide, self.long * self.high, self.wide * self.high

    def stem(self) -> str:
        return (
            f"What is the surface area of a box {self.long} cm by {self.wide} cm by {self.high} "
            "cm, in square centimetres?"
        )

    def solve(self) -> Worked:
        answer = Answer.number(2 * sum(self.faces))
        first = step("finds faces of {0}, {1} and {2}", *self.faces)
        return Worked(answer, (first, step("adds each of them twice and gets {0}", answer)), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*draws.several(range(2, grade + 5), 3))


@mal_rule("GM36")
def three_faces(problem: BoxSurface) -> Worked:
    """Does not double."""
    answer = Answer.number(sum(problem.faces))
    first = step("finds faces of {0}, {1} and {2}", *problem.faces)
    return Worked(answer, (first, step("adds each of them once and gets {0}", answer)), 1)


@mal_rule("GM71")
def volume_for_surface(problem: BoxSurface) -> Worked:
    """L · w · h."""
    answer = Answer.number(problem.long * problem.wide * problem.high)
    words = "multiplies {0}, {1} and {2}: {3}"
    return Worked(answer, (step(words, problem.long, problem.wide, problem.high, answer),))


@mal_rule("GM72")
def faces_multiplied(problem: BoxSurface) -> Worked:
    """The product of the three faces."""
    one, two, three = problem.faces
    answer = Answer.number(one * two * three)
    told = step("multiplies the three faces {0}, {1} and {2}: {3}", *problem.faces, answer)
    return Worked(answer, (told,))


@form("geometry and measurement", (7, 9), 1)
class Prism:
    """The volume of a prism on a triangle."""

    base: int
    height: int
    length: int

    def __post_init__(self) -> None:
        if min(self.base, self.height, self.length) < 1:
            raise ValueError("All lengths of the prism are positive.")

    def stem(self) -> str:
        return (
            f"A prism {self.length} cm long has a triangle with base {self.base} cm and height "
            f"{self.height} cm at its ends. What is its volume in cubic centimetres?"
        )

    def solve(self) -> Worked:
        end = plain(Fraction(self.base * self.height, 2))
        answer = plain(Fraction(self.base * self.height * self.length, 2))
        first = step("takes half of {0} times {1}: {2}", self.base, self.height, end)
        return Worked(answer, (first, step("multiplies it by {0}: {1}", self.length, answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(2 * draws.between(2, grade), draws.between(2, grade), draws.between(5, 20))


@mal_rule("GM73")
def box_for_prism(problem: Prism) -> Worked:
    """B · h · l."""
    answer = Answer.number(problem.base * problem.height * problem.length)
    words = "multiplies {0}, {1} and {2}: {3}"
    return Worked(answer, (step(words, problem.base, problem.height, problem.length, answer),))


@form("geometry and measurement", (8, 9), 1)
class Cylinder:
    """The volume of a cylinder as a number of pi."""

    radius: int
    height: int

    def __post_init__(self) -> None:
        if min(self.radius, self.height) < 1:
            raise ValueError("Radius and height of the cylinder are positive.")

    def stem(self) -> str:
        return (
            f"A cylinder has radius {self.radius} cm and height {self.height} cm. Its volume in "
            "cubic centimetres is a number times pi. What is this number?"
        )

    def solve(self) -> Worked:
        answer = Answer.number(self.radius**2 * self.height)
        first = step("squares {0}: {1}", self.radius, self.radius**2)
        return Worked(answer, (first, step("multiplies it by {0}: {1}", self.height, answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(3, grade + 4), draws.between(2, 15))


@mal_rule("GM74")
def edge_times_height(problem: Cylinder) -> Worked:
    """2 · r · h."""
    answer = Answer.number(2 * problem.radius * problem.height)
    first = step("doubles {0}: {1}", problem.radius, 2 * problem.radius)
    return Worked(answer, (first, step("multiplies it by {0}: {1}", problem.height, answer)))


@form("geometry and measurement", (6, 8), 2)
class Packing:
    """How many cubes fill a box.

    Attributes:
        edge: of a cube; divides every edge of the box.
        long, wide, high: of the box.
    """

    edge: int
    long: int
    wide: int
    high: int

    def __post_init__(self) -> None:
        sides = (self.long, self.wide, self.high)
        if self.edge < 2 or min(sides) < 1 or any(each % self.edge for each in sides):
            raise ValueError("The edge of a cube, from 2, divides every edge of the box.")

    @property
    def volume(self) -> int:
        """Of the box."""
        return self.long * self.wide * self.high

    def by(self, part: int) -> Worked:
        """The volume of the box divided by something."""
        answer = Answer.number(self.volume // part)
        first = step("multiplies the edges of the box: {0}", self.volume)
        return Worked(answer, (first, step("divides it by {0}: {1}", part, answer)), 1)

    def stem(self) -> str:
        return (
            f"How many cubes with an edge of {self.edge} cm fill a box of {self.long} cm by "
            f"{self.wide} cm by {self.high} cm?"
        )

    def solve(self) -> Worked:
        return self.by(self.edge**3)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        edge = draws.between(2, 5)
        return cls(edge, *(edge * each for each in draws.several(range(2, grade + 2), 3)))


@mal_rule("GM75")
def divides_by_the_edge(problem: Packing) -> Worked:
    """The volume by the edge of a cube."""
    return problem.by(problem.edge)


@form("geometry and measurement", (7, 8), 1)
class Semicircle:
    """The edge of a half circle, in units of pi and a number."""

    radius: int

    def __post_init__(self) -> None:
        if self.radius < 1:
            raise ValueError("The radius is positive.")

    def stem(self) -> str:
        return (
            f"A half circle has radius {self.radius} cm. What is its perimeter in centimetres, "
            "with pi?"
        )

    def solve(self) -> Worked:
        answer = Answer.label(f"{self.radius} pi + {2 * self.radius}")
        first = step("takes half of the way round: {0} pi", self.radius)
        last = step("adds the diameter {0} to it: {1}", 2 * self.radius, answer)
        return Worked(answer, (first, last), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 10 * grade))


@mal_rule("GM76")
def arc_only(problem: Semicircle) -> Worked:
    """The arc without the straight side."""
    answer = Answer.label(f"{problem.radius} pi")
    return Worked(answer, (step("goes along the curved side: {0}", answer),))


@mal_rule("GM86")
def whole_circle_for_a_half(problem: Semicircle) -> Worked:
    """All of the circumference, and the straight side."""
    answer = Answer.label(f"{2 * problem.radius} pi + {2 * problem.radius}")
    first = step("takes all of the way round: {0} pi", 2 * problem.radius)
    return Worked(
        answer, (first, step("adds a side of {0} to it: {1}", 2 * problem.radius, answer))
    )


@mal_rule("GM87")
def radius_for_the_straight_side(problem: Semicircle) -> Worked:
    """The arc, and one radius."""
    answer = Answer.label(f"{problem.radius} pi + {problem.radius}")
    first = step("takes half of the way round: {0} pi", problem.radius)
    return Worked(
        answer, (first, step("adds the radius {0} to it: {1}", problem.radius, answer)), 1
    )
