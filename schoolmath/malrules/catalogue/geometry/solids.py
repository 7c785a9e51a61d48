"""Surfaces and volumes of boxes, prisms and cylinders."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_whole, form
from schoolmath.malrules.rules import mal_rule
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

    def solve(self) -> Working:
        answer = Answer.number(2 * sum(self.faces))
        first = step("finds faces of {0}, {1} and {2}", *self.faces)
        return by_steps(
            answer, first, step("adds each of them twice and gets {0}", answer), key_step=1
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*draws.several(range(2, grade + 5), 3))


@mal_rule("GM36")
def three_faces(problem: BoxSurface) -> Working:
    """Does not double."""
    answer = Answer.number(sum(problem.faces))
    first = step("finds faces of {0}, {1} and {2}", *problem.faces)
    return by_steps(answer, first, step("adds each of them once and gets {0}", answer), key_step=1)


@mal_rule("GM71")
def volume_for_surface(problem: BoxSurface) -> Working:
    """L · w · h."""
    answer = Answer.number(problem.long * problem.wide * problem.high)
    words = "multiplies {0}, {1} and {2}: {3}"
    return by_steps(answer, step(words, problem.long, problem.wide, problem.high, answer))


@mal_rule("GM72")
def faces_multiplied(problem: BoxSurface) -> Working:
    """The product of the three faces."""
    one, two, three = problem.faces
    answer = Answer.number(one * two * three)
    told = step("multiplies the three faces {0}, {1} and {2}: {3}", *problem.faces, answer)
    return by_steps(answer, told)


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

    def solve(self) -> Working:
        end = plain(Fraction(self.base * self.height, 2))
        answer = plain(Fraction(self.base * self.height * self.length, 2))
        first = step("takes half of {0} times {1}: {2}", self.base, self.height, end)
        return by_steps(answer, first, step("multiplies it by {0}: {1}", self.length, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(2 * draws.between(2, grade), draws.between(2, grade), draws.between(5, 20))


@mal_rule("GM73")
def box_for_prism(problem: Prism) -> Working:
    """B · h · l."""
    answer = Answer.number(problem.base * problem.height * problem.length)
    words = "multiplies {0}, {1} and {2}: {3}"
    return by_steps(answer, step(words, problem.base, problem.height, problem.length, answer))


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

    def solve(self) -> Working:
        answer = Answer.number(self.radius**2 * self.height)
        first = step("squares {0}: {1}", self.radius, self.radius**2)
        return by_steps(answer, first, step("multiplies it by {0}: {1}", self.height, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(3, grade + 4), draws.between(2, 15))


@mal_rule("GM74")
def edge_times_height(problem: Cylinder) -> Working:
    """2 · r · h."""
    answer = Answer.number(2 * problem.radius * problem.height)
    first = step("doubles {0}: {1}", problem.radius, 2 * problem.radius)
    return by_steps(answer, first, step("multiplies it by {0}: {1}", problem.height, answer))


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

    def by(self, part: int) -> Working:
        """The volume of the box divided by something."""
        answer = Answer.number(self.volume // part)
        first = step("multiplies the edges of the box: {0}", self.volume)
        return by_steps(answer, first, step("divides it by {0}: {1}", part, answer), key_step=1)

    def stem(self) -> str:
        return (
            f"How many cubes with an edge of {self.edge} cm fill a box of {self.long} cm by "
            f"{self.wide} cm by {self.high} cm?"
        )

    def solve(self) -> Working:
        return self.by(self.edge**3)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        edge = draws.between(2, 5)
        return cls(edge, *(edge * each for each in draws.several(range(2, grade + 2), 3)))


@mal_rule("GM75")
def divides_by_the_edge(problem: Packing) -> Working:
    """The volume by the edge of a cube."""
    return problem.by(problem.edge)


_BLOCKS = ("block", "stack", "tower")
_BOXES = ("box", "crate", "tank", "chest")

Edges = tuple[int, int, int]
"""Length, width and height."""


def _multiply(edges: Edges, before: tuple[Step, ...] = ()) -> Working:
    long, wide, high = edges
    layer, volume = long * wide, long * wide * high
    return by_steps(
        Answer.number(volume),
        *before,
        step("finds {0} cubes in a layer of {1} by {2}", layer, long, wide),
        step("multiplies {0} by the {1} layers and gets {2}", layer, high, volume),
        key_step=len(before),
    )


@form("geometry and measurement", (5, 7), 1)
class Box:
    """A solid block built from unit cubes, whose volume is asked."""

    length: int
    width: int
    height: int
    thing: str = "block"

    def __post_init__(self) -> None:
        check_whole(1, 1000, length=self.length, width=self.width, height=self.height)
        check_one_of(_BLOCKS, thing=self.thing)

    def stem(self) -> str:
        return (
            f"A solid rectangular {self.thing} is built from cubes with edges of 1 cm. It is "
            f"{self.length} cm long, {self.width} cm wide and {self.height} cm high. What is its "
            "volume in cubic centimetres?"
        )

    def edges(self) -> tuple[tuple[Step, ...], Edges]:
        """How the edges are found, and what they are."""
        return (), (self.length, self.width, self.height)

    def solve(self) -> Working:
        before, edges = self.edges()
        return _multiply(edges, before)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {5: 6, 6: 9}.get(grade, 12)
        for _ in range(100):
            a, b, c = (draws.between(2, most) for _ in range(3))
            faces = a * b + a * c + b * c
            if a * b * c not in (faces, 2 * faces, a + b + c):
                return cls(a, b, c, draws.one(_BLOCKS))
        raise NotDrawn("No box came up whose volume differs from its faces.")


@form("geometry and measurement", (8, 11), 2)
class EnlargedBox:
    """A box with its volume, and one whose edges are so many times as long."""

    length: int
    width: int
    height: int
    factor: int
    thing: str = "box"

    def __post_init__(self) -> None:
        check_whole(1, 1000, length=self.length, width=self.width, height=self.height)
        check_whole(2, 20, factor=self.factor)
        check_one_of(_BOXES, thing=self.thing)

    @property
    def volume(self) -> int:
        """The volume that the stem tells, of the first box."""
        return self.length * self.width * self.height

    def stem(self) -> str:
        unit = "cubic centimetre" if self.volume == 1 else "cubic centimetres"
        times = f"{self.factor} times as"
        return (
            f"A rectangular {self.thing} is {self.length} cm long, {self.width} cm wide and "
            f"{self.height} cm high, so its volume is {self.volume} {unit}. Another {self.thing} "
            f"is {times} long, {times} wide and {times} high. What is the volume of the other "
            f"{self.thing} in cubic centimetres?"
        )

    def edges(self) -> tuple[tuple[Step, ...], Edges]:
        """How the new edges are found, and what they are."""
        k = self.factor
        new = (self.length * k, self.width * k, self.height * k)
        old = (self.length, self.width, self.height)
        return (
            step("makes each edge {0} times as long", k),
            step("has {0}, {1} and {2} become {3}, {4} and {5}", *old, *new),
        ), new

    def solve(self) -> Working:
        before, edges = self.edges()
        return _multiply(edges, before)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 6 if grade < 10 else 9
        a, b, c = (draws.between(2, most) for _ in range(3))
        return cls(a, b, c, draws.between(2, 4 if grade < 10 else 6), draws.one(_BOXES))


@mal_rule("GM06")
def linear_scaling_of_volume(problem: EnlargedBox) -> Working:
    """Lets the volume grow by the factor of the lengths."""
    answer = Answer.number(problem.volume * problem.factor)
    return by_steps(
        answer,
        step("takes the volume to be {0} times as large", problem.factor),
        step("multiplies {0} by {1} and gets {2}", problem.volume, problem.factor, answer),
    )


@mal_rule("GM17")
def adds_dimensions_for_volume(problem: Box | EnlargedBox) -> Working:
    """Adds length, width and height."""
    before, edges = problem.edges()
    answer = Answer.number(sum(edges))
    return by_steps(
        answer,
        *before,
        step("adds the length, the width and the height"),
        step("finds {0} and {1} and {2} together and gets {3}", *edges, answer),
        key_step=len(before),
    )


@mal_rule("GM18")
def counts_the_faces_seen(problem: Box) -> Working:
    """Counts the squares on the three faces that are seen."""
    front = problem.length * problem.height
    side = problem.width * problem.height
    top = problem.length * problem.width
    answer = Answer.number(front + side + top)
    return by_steps(
        answer,
        step("counts the squares that can be seen, and none of the cubes inside"),
        step("finds {0} on the front, {1} on the side and {2} on top", front, side, top),
        step("adds {0}, {1} and {2} and gets {3}", front, side, top, answer),
    )


@mal_rule("GM19")
def surface_for_volume(problem: Box | EnlargedBox) -> Working:
    """Adds the areas of all six faces."""
    before, (long, wide, high) = problem.edges()
    top, front, side = long * wide, long * high, wide * high
    half = top + front + side
    answer = Answer.number(2 * half)
    return by_steps(
        answer,
        *before,
        step("covers the outside, with faces of {0}, {1} and {2}", top, front, side),
        step("adds the three faces to get {0}", half),
        step("doubles {0} for all six and gets {1}", half, answer),
        key_step=len(before),
    )
