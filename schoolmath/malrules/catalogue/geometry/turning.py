"""Angles measured and found, and points that are mirrored and turned."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.geometry.coordinates import write_point
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("geometry and measurement", (4, 6), 1)
class Protractor:
    """An arm of an angle on the two scales of a protractor.

    Attributes:
        one, other: what the scales show; together 180.
        kind: ``acute`` or ``obtuse``.
    """

    one: int
    other: int
    kind: str

    def __post_init__(self) -> None:
        if self.one + self.other != 180 or not 0 < self.one < 180 or self.one == 90:
            raise ValueError("The two scales show angles that make 180 degrees, not 90.")
        if self.kind not in {"acute", "obtuse"}:
            raise ValueError("The angle is acute or obtuse.")

    def read(self, *, small: bool, told: str) -> Worked:
        """One of the two numbers."""
        answer = Answer.number(min(self.one, self.other) if small else max(self.one, self.other))
        return Worked(answer, (step(told), step("reads {0}", answer)))

    def stem(self) -> str:
        return (
            f"The arm of an angle lies at {self.one} and {self.other} on the two scales of a "
            f"protractor. The angle is {self.kind}. How many degrees is it?"
        )

    def solve(self) -> Worked:
        small = self.kind == "acute"
        side = "below" if small else "above"
        return self.read(small=small, told=f"takes the scale that is {side} a right angle")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one = draws.between(2, 34) * 5 if grade < 6 else draws.between(10, 170)
        one += one == 90
        return cls(one, 180 - one, draws.one(("acute", "obtuse")))


@mal_rule("GM31")
def the_other_scale(problem: Protractor) -> Worked:
    """180 - a."""
    small = problem.kind == "obtuse"
    side = "below" if small else "above"
    return problem.read(small=small, told=f"takes the scale that is {side} a right angle")


@form("geometry and measurement", (4, 6), 1)
class LongerArms:
    """Which of two angles is larger; the smaller one has longer arms.

    Attributes:
        angle, arms: of angle A.
        other_angle, other_arms: of angle B.
    """

    angle: int
    arms: int
    other_angle: int
    other_arms: int

    def __post_init__(self) -> None:
        if self.angle == self.other_angle or self.arms == self.other_arms:
            raise ValueError("Angles and arms are different.")

    def stem(self) -> str:
        return (
            f"Angle A is {self.angle} degrees with arms of {self.arms} cm, and angle B is "
            f"{self.other_angle} degrees with arms of {self.other_arms} cm. Which angle is larger?"
        )

    def solve(self) -> Worked:
        answer = Answer.label("A" if self.angle > self.other_angle else "B")
        first = step("compares the turns {0} and {1}", self.angle, self.other_angle)
        return Worked(answer, (first, step("takes {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        small, large = sorted(draws.several(range(20, 90 + 10 * grade), 2))
        short, long = sorted(draws.several(range(3, 13), 2))
        pair = draws.several(((small, long), (large, short)), 2)
        return cls(*pair[0], *pair[1])


@mal_rule("GM32")
def longer_arms_larger_angle(problem: LongerArms) -> Worked:
    """Compares the arms."""
    answer = Answer.label("A" if problem.arms > problem.other_arms else "B")
    first = step("compares the arms {0} and {1}", problem.arms, problem.other_arms)
    return Worked(answer, (first, step("takes {0}", answer)))


@form("geometry and measurement", (7, 9), 1)
class ParallelAngle:
    """An angle at parallel lines, from another one.

    Attributes:
        angle: the one told; not 90.
        kind: ``co-interior``, ``alternate`` or ``corresponding``.
    """

    angle: int
    kind: str

    def __post_init__(self) -> None:
        if not 0 < self.angle < 180 or self.angle == 90:
            raise ValueError("The angle lies between 0 and 180 degrees and is not 90.")
        if self.kind not in {"co-interior", "alternate", "corresponding"}:
            raise ValueError("The angle is co-interior, alternate or corresponding.")

    def stem(self) -> str:
        return (
            f"A line crosses two parallel lines. One angle is {self.angle} degrees. How many "
            f"degrees is its {self.kind} angle?"
        )

    def taken(self, *, equal: bool) -> Worked:
        """The same angle, or what is missing to 180 degrees."""
        if equal:
            told = step("takes both angles as equal: {0}", self.angle)
            return Worked(Answer.number(self.angle), (told,))
        answer = Answer.number(180 - self.angle)
        return Worked(answer, (step("takes {0} from {1}: {2}", self.angle, 180, answer),))

    def solve(self) -> Worked:
        return self.taken(equal=self.kind != "co-interior")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        angle = draws.between(30, 85) if draws.chance(0.5) else draws.between(95, 140 + grade)
        return cls(angle, draws.one(("co-interior", "alternate", "corresponding")))


@mal_rule("GM33")
def all_parallel_angles_equal(problem: ParallelAngle) -> Worked | None:
    """Co-interior angles are equal too."""
    return problem.taken(equal=True) if problem.kind == "co-interior" else None


@mal_rule("GM62")
def alternate_angles_make_180(problem: ParallelAngle) -> Worked | None:
    """Alternate angles make 180 degrees."""
    return problem.taken(equal=False) if problem.kind == "alternate" else None


@form("geometry and measurement", (6, 8), 1)
class IsoscelesAngle:
    """A base angle of an isosceles triangle, from the angle at its top."""

    top: int

    def __post_init__(self) -> None:
        if not 0 < self.top < 180:
            raise ValueError("The angle at the top lies between 0 and 180 degrees.")

    def stem(self) -> str:
        return (
            f"The angle at the top of an isosceles triangle is {self.top} degrees. How many "
            "degrees is an angle at its base?"
        )

    def solve(self) -> Worked:
        rest = 180 - self.top
        answer = plain(Fraction(rest, 2))
        first = step("takes {0} from {1}: {2}", self.top, 180, rest)
        return Worked(answer, (first, step("shares {0} between two angles: {1}", rest, answer)), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        return cls(2 * draws.between(10, 75))


@mal_rule("GM63")
def isosceles_not_halved(problem: IsoscelesAngle) -> Worked:
    """180 - a."""
    answer = Answer.number(180 - problem.top)
    told = step("takes {0} from {1} for the angle: {2}", problem.top, 180, answer)
    return Worked(answer, (told,))


@mal_rule("GM64")
def takes_the_given_angle(problem: IsoscelesAngle) -> Worked:
    """The angle at the top for one of the equal ones."""
    told = step("takes the angle at the top as one of the equal ones: {0}", problem.top)
    return Worked(Answer.number(problem.top), (told,))


@form("geometry and measurement", (5, 7), 1)
class AnglesAtPoint:
    """The third angle round a point."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if min(self.first, self.second) < 1 or self.first + self.second >= 360:
            raise ValueError("The two angles make less than 360 degrees.")

    def stem(self) -> str:
        return (
            f"Three angles meet round a point. Two of them are {self.first} and {self.second} "
            "degrees. How many degrees is the third?"
        )

    def rest_of(self, whole: int) -> Worked:
        """What the two leave of a whole."""
        both = self.first + self.second
        answer = Answer.number(whole - both)
        first = step("adds {0} and {1}: {2}", self.first, self.second, both)
        return Worked(answer, (first, step("takes it from {0}: {1}", whole, answer)), 1)

    def solve(self) -> Worked:
        return self.rest_of(360)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(40, 70 + grade), draws.between(40, 80))


@mal_rule("GM34")
def half_turn_round_a_point(problem: AnglesAtPoint) -> Worked | None:
    """180 for 360."""
    return problem.rest_of(180) if problem.first + problem.second < 180 else None


@form("geometry and measurement", (7, 9), 1)
class RegularPolygonAngle:
    """An inside angle of a regular polygon."""

    corners: int

    def __post_init__(self) -> None:
        if not 5 <= self.corners <= 1000:
            raise ValueError("The polygon has 5 to 1,000 sides.")

    def stem(self) -> str:
        return (
            f"A regular polygon has {self.corners} sides. How many degrees is each of its inside "
            "angles?"
        )

    def solve(self) -> Worked:
        outside = plain(Fraction(360, self.corners))
        answer = plain(180 - Fraction(360, self.corners))
        first = step("divides {0} by {1}: {2}", 360, self.corners, outside)
        return Worked(answer, (first, step("takes it from {0}: {1}", 180, answer)), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(5, 16 + 4 * grade))


@mal_rule("GM65")
def outside_for_inside(problem: RegularPolygonAngle) -> Worked:
    """360/n."""
    answer = plain(Fraction(360, problem.corners))
    return Worked(answer, (step("divides {0} by {1}: {2}", 360, problem.corners, answer),))


@form("geometry and measurement", (8, 10), 1)
class BackBearing:
    """The bearing of the way back."""

    bearing: int

    def __post_init__(self) -> None:
        if not 0 < self.bearing < 360 or self.bearing == 180:
            raise ValueError("The bearing lies between 0 and 360 degrees and is not 180.")

    def stem(self) -> str:
        return f"The bearing from A to B is {self.bearing} degrees. What is it from B to A?"

    def taken(self, answer: int, told: str, *numbers: int) -> Worked:
        """An angle and how it comes about."""
        return Worked(Answer.number(answer), (step(told + ": {2}", *numbers, answer),))

    def solve(self) -> Worked:
        if self.bearing < 180:
            return self.taken(self.bearing + 180, "adds {0} to {1}", 180, self.bearing)
        return self.taken(self.bearing - 180, "takes {0} from {1}", 180, self.bearing)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(10, 170) if draws.chance(0.7) else draws.between(190, 340 + grade))


@mal_rule("GM66")
def from_a_full_turn(problem: BackBearing) -> Worked:
    """360 - b."""
    return problem.taken(360 - problem.bearing, "takes {1} from {0}", 360, problem.bearing)


@mal_rule("GM67")
def from_a_half_turn(problem: BackBearing) -> Worked | None:
    """180 - b."""
    if problem.bearing > 180:
        return None
    return problem.taken(180 - problem.bearing, "takes {1} from {0}", 180, problem.bearing)


def _to_point(x: int, y: int, told: str) -> Worked:
    answer = Answer.label(write_point(x, y))
    return Worked(answer, (step(told), step("writes {0}", answer)))


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

    def solve(self) -> Worked:
        if self.axis == "x":
            return _to_point(self.x, -self.y, "turns the sign of the second number")
        return _to_point(-self.x, self.y, "turns the sign of the first number")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.several(range(1, grade + 3), 2)
        return cls(x * draws.one((1, 1, -1)), y * draws.one((1, 1, -1)), draws.one(("x", "y")))


@mal_rule("GM37")
def changes_the_named_coordinate(problem: Reflect) -> Worked:
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

    def turned(self, way: str) -> Worked:
        """The point after a turn."""
        if way == "clockwise":
            return _to_point(self.y, -self.x, "swaps the numbers and turns the sign of the second")
        return _to_point(-self.y, self.x, "swaps the numbers and turns the sign of the first")

    def solve(self) -> Worked:
        return self.turned(self.way)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.several(range(1, grade + 3), 2)
        way = draws.one(("clockwise", "anticlockwise"))
        return cls(x * draws.one((1, 1, -1)), y * draws.one((1, 1, -1)), way)


@mal_rule("GM38")
def mirrors_for_a_turn(problem: Rotate) -> Worked:
    """Reflects in the x-axis."""
    return _to_point(problem.x, -problem.y, "turns the sign of the second number")


@mal_rule("GM68")
def turns_the_other_way(problem: Rotate) -> Worked:
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

    def solve(self) -> Worked:
        x, y = (self.x1 + self.x2) // 2, (self.y1 + self.y2) // 2
        return _to_point(x, y, "adds the coordinates and halves")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.between(1, grade), draws.between(1, grade)
        return cls(x, y, x + 2 * draws.between(1, 6), y + 2 * draws.between(1, 6))


@mal_rule("GM69")
def half_the_difference(problem: Midpoint) -> Worked:
    """The differences halved."""
    x, y = (problem.x2 - problem.x1) // 2, (problem.y2 - problem.y1) // 2
    return _to_point(x, y, "subtracts the coordinates and halves")


@mal_rule("GM70")
def adds_and_does_not_halve(problem: Midpoint) -> Worked:
    """The sums."""
    x, y = problem.x1 + problem.x2, problem.y1 + problem.y2
    return _to_point(x, y, "adds the coordinates")
