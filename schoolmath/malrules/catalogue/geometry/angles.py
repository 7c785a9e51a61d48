"""Angles in triangles, polygons, on lines and at points; measured, parallel, and bearings."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
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

    def read(self, *, small: bool, wording: str) -> Working:
        """One of the two numbers."""
        answer = Answer.number(min(self.one, self.other) if small else max(self.one, self.other))
        return by_steps(answer, step(wording), step("reads {0}", answer))

    def stem(self) -> str:
        return (
            f"The arm of an angle lies at {self.one} and {self.other} on the two scales of a "
            f"protractor. The angle is {self.kind}. How many degrees is it?"
        )

    def solve(self) -> Working:
        small = self.kind == "acute"
        side = "below" if small else "above"
        return self.read(small=small, wording=f"takes the scale that is {side} a right angle")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one = draws.between(2, 34) * 5 if grade < 6 else draws.between(10, 170)
        one += one == 90
        return cls(one, 180 - one, draws.one(("acute", "obtuse")))


@mal_rule("GM31")
def the_other_scale(problem: Protractor) -> Working:
    """180 - a."""
    small = problem.kind == "obtuse"
    side = "below" if small else "above"
    return problem.read(small=small, wording=f"takes the scale that is {side} a right angle")


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

    def solve(self) -> Working:
        answer = Answer.label("A" if self.angle > self.other_angle else "B")
        first = step("compares the turns {0} and {1}", self.angle, self.other_angle)
        return by_steps(answer, first, step("takes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        small, large = sorted(draws.several(range(20, 90 + 10 * grade), 2))
        short, long = sorted(draws.several(range(3, 13), 2))
        pair = draws.several(((small, long), (large, short)), 2)
        return cls(*pair[0], *pair[1])


@mal_rule("GM32")
def longer_arms_larger_angle(problem: LongerArms) -> Working:
    """Compares the arms."""
    answer = Answer.label("A" if problem.arms > problem.other_arms else "B")
    first = step("compares the arms {0} and {1}", problem.arms, problem.other_arms)
    return by_steps(answer, first, step("takes {0}", answer))


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

    def taken(self, *, equal: bool) -> Working:
        """The same angle, or what is missing to 180 degrees."""
        if equal:
            told = step("takes both angles as equal: {0}", self.angle)
            return by_steps(Answer.number(self.angle), told)
        answer = Answer.number(180 - self.angle)
        return by_steps(answer, step("takes {0} from {1}: {2}", self.angle, 180, answer))

    def solve(self) -> Working:
        return self.taken(equal=self.kind != "co-interior")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        angle = draws.between(30, 85) if draws.chance(0.5) else draws.between(95, 140 + grade)
        return cls(angle, draws.one(("co-interior", "alternate", "corresponding")))


@mal_rule("GM33")
def all_parallel_angles_equal(problem: ParallelAngle) -> Working | None:
    """Co-interior angles are equal too."""
    return problem.taken(equal=True) if problem.kind == "co-interior" else None


@mal_rule("GM62")
def alternate_angles_make_180(problem: ParallelAngle) -> Working | None:
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

    def solve(self) -> Working:
        rest = 180 - self.top
        answer = plain(Fraction(rest, 2))
        first = step("takes {0} from {1}: {2}", self.top, 180, rest)
        return by_steps(
            answer, first, step("shares {0} between two angles: {1}", rest, answer), key_step=1
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        return cls(2 * draws.between(10, 75))


@mal_rule("GM63")
def isosceles_not_halved(problem: IsoscelesAngle) -> Working:
    """180 - a."""
    answer = Answer.number(180 - problem.top)
    told = step("takes {0} from {1} for the angle: {2}", problem.top, 180, answer)
    return by_steps(answer, told)


@mal_rule("GM64")
def takes_the_given_angle(problem: IsoscelesAngle) -> Working:
    """The angle at the top for one of the equal ones."""
    told = step("takes the angle at the top as one of the equal ones: {0}", problem.top)
    return by_steps(Answer.number(problem.top), told)


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

    def rest_of(self, whole: int) -> Working:
        """What the two leave of a whole."""
        both = self.first + self.second
        answer = Answer.number(whole - both)
        first = step("adds {0} and {1}: {2}", self.first, self.second, both)
        return by_steps(answer, first, step("takes it from {0}: {1}", whole, answer), key_step=1)

    def solve(self) -> Working:
        return self.rest_of(360)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(40, 70 + grade), draws.between(40, 80))


@mal_rule("GM34")
def half_turn_round_a_point(problem: AnglesAtPoint) -> Working | None:
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

    def solve(self) -> Working:
        outside = plain(Fraction(360, self.corners))
        answer = plain(180 - Fraction(360, self.corners))
        first = step("divides {0} by {1}: {2}", 360, self.corners, outside)
        return by_steps(answer, first, step("takes it from {0}: {1}", 180, answer), key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(5, 16 + 4 * grade))


@mal_rule("GM65")
def outside_for_inside(problem: RegularPolygonAngle) -> Working:
    """360/n."""
    answer = plain(Fraction(360, problem.corners))
    return by_steps(answer, step("divides {0} by {1}: {2}", 360, problem.corners, answer))


@form("geometry and measurement", (8, 10), 1)
class BackBearing:
    """The bearing of the way back."""

    bearing: int

    def __post_init__(self) -> None:
        if not 0 < self.bearing < 360 or self.bearing == 180:
            raise ValueError("The bearing lies between 0 and 360 degrees and is not 180.")

    def stem(self) -> str:
        return f"The bearing from A to B is {self.bearing} degrees. What is it from B to A?"

    def taken(self, answer: int, wording: str, *numbers: int) -> Working:
        """An angle and how it comes about."""
        return by_steps(Answer.number(answer), step(wording + ": {2}", *numbers, answer))

    def solve(self) -> Working:
        if self.bearing < 180:
            return self.taken(self.bearing + 180, "adds {0} to {1}", 180, self.bearing)
        return self.taken(self.bearing - 180, "takes {0} from {1}", 180, self.bearing)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(10, 170) if draws.chance(0.7) else draws.between(190, 340 + grade))


@mal_rule("GM66")
def from_a_full_turn(problem: BackBearing) -> Working:
    """360 - b."""
    return problem.taken(360 - problem.bearing, "takes {1} from {0}", 360, problem.bearing)


@mal_rule("GM67")
def from_a_half_turn(problem: BackBearing) -> Working | None:
    """180 - b."""
    if problem.bearing > 180:
        return None
    return problem.taken(180 - problem.bearing, "takes {1} from {0}", 180, problem.bearing)


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
    """Two angles of a triangle; the third is asked."""

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

    def take_from(self, whole: int, idea: Step) -> Working:
        """The third angle when the three are taken to make so many degrees."""
        known = self.first + self.second
        answer = Answer.number(whole - known)
        return by_steps(
            answer,
            idea,
            step("adds {0} and {1} to get {2}", self.first, self.second, known),
            step("subtracts {0} from {1} and gets {2}", known, whole, answer),
        )

    def solve(self) -> Working:
        return self.take_from(180, step("knows that the three angles make {0} degrees", 180))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        pace = 10 if grade < 5 else 5 if grade < 7 else 1
        # A wide third angle: two angles under 90 together, so that 90 can be wrongly used.
        most = 80 if draws.chance(0.75) else 160
        known = pace * draws.between(30 // pace, most // pace)
        first = pace * draws.between(-(-10 // pace), (known - 10) // pace)
        return cls(first, known - first)


class AngleOfTwo:
    """An angle that makes a known angle together with another one."""

    __slots__ = ()
    angle: int

    def take_from(self, whole: int, idea: Step) -> Working:
        """The other angle when both are taken to make so many degrees."""
        answer = Answer.number(whole - self.angle)
        return by_steps(
            answer, idea, step("subtracts {0} from {1} and gets {2}", self.angle, whole, answer)
        )


@form("geometry and measurement", (7, 7), 1)
class StraightAngle(AngleOfTwo):
    """An angle and its supplement."""

    angle: int

    def __post_init__(self) -> None:
        check_whole(1, 179, angle=self.angle)

    def stem(self) -> str:
        return (
            f"An angle measures {self.angle} degrees. How many degrees does its supplement measure?"
        )

    def solve(self) -> Working:
        return self.take_from(
            180, step("knows that an angle and its supplement make {0} degrees", 180)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        return cls(draws.between(6, 84))


@form("geometry and measurement", (7, 8), 1)
class ComplementAngle(AngleOfTwo):
    """An angle below 90 degrees and its complement."""

    angle: int

    def __post_init__(self) -> None:
        check_whole(1, 89, angle=self.angle)

    def stem(self) -> str:
        return (
            f"An angle measures {self.angle} degrees. How many degrees does its complement measure?"
        )

    def solve(self) -> Working:
        idea = step("knows that an angle and its complement make {0} degrees", 90)
        return self.take_from(90, idea)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        return cls(draws.between(6, 84))


@mal_rule("GM99")
def supplement_for_complement(problem: ComplementAngle) -> Working:
    """Takes the angle from 180 degrees."""
    return problem.take_from(180, step("takes both angles to make {0} degrees", 180))


@form("geometry and measurement", (8, 8), 1)
class PolygonAngleSum:
    """The sum of the angles of a polygon."""

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

    def solve(self) -> Working:
        triangles, answer = self.corners - 2, Answer.number(180 * (self.corners - 2))
        return by_steps(
            answer,
            step("splits a polygon of {0} corners into {1} triangles", self.corners, triangles),
            step("multiplies {0} by {1} and gets {2}", triangles, 180, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        return cls(draws.between(5, 60))


@mal_rule("GM14")
def uses_360(
    problem: TriangleAngle | StraightAngle | PolygonAngleSum | IsoscelesAngle,
) -> Working | None:
    """Uses 360 degrees as the whole."""
    if isinstance(problem, IsoscelesAngle):
        rest = 360 - problem.top
        answer = plain(Fraction(rest, 2))
        first = step("takes {0} from {1} and has {2}", problem.top, 360, rest)
        return by_steps(answer, first, step("halves {0} and gets {1}", rest, answer))
    if isinstance(problem, PolygonAngleSum):
        answer = Answer.number(360)
        return by_steps(
            answer,
            step("counts {0} corners, which change nothing", problem.corners),
            step("uses a full turn as the sum of the angles and gets {0}", answer),
            key_step=1,
        )
    return problem.take_from(360, step("takes all the angles together to be {0} degrees", 360))


@mal_rule("GM15")
def subtracts_from_90(problem: TriangleAngle | StraightAngle) -> Working | None:
    """Uses 90 degrees as the whole; where less is known than that."""
    known = problem.angle if isinstance(problem, StraightAngle) else problem.first + problem.second
    if known >= 90:
        return None
    return problem.take_from(90, step("takes all the angles together to be {0} degrees", 90))


@mal_rule("GM16")
def corners_times_180(problem: PolygonAngleSum | TriangleAngle) -> Working:
    """Takes 180 degrees for every corner."""
    if isinstance(problem, TriangleAngle):
        idea = step("counts {0} degrees for each of {1} corners, {2} in all", 180, 3, 540)
        return problem.take_from(540, idea)
    answer = Answer.number(180 * problem.corners)
    return by_steps(
        answer,
        step("counts {0} degrees for each of {1} corners", 180, problem.corners),
        step("multiplies {0} by {1} and gets {2}", problem.corners, 180, answer),
    )


@mal_rule("GM83")
def sum_of_the_known(problem: TriangleAngle | AnglesAtPoint) -> Working:
    """What the known angles make, and no more."""
    answer = Answer.number(problem.first + problem.second)
    first = step("finds the two angles {0} and {1}", problem.first, problem.second)
    last = step("adds {0} and {1} and gets {2}", problem.first, problem.second, answer)
    return by_steps(answer, first, last)


@mal_rule("GM84")
def takes_one_angle_off(problem: TriangleAngle | AnglesAtPoint) -> Working:
    """The whole less the first angle only."""
    whole = 180 if isinstance(problem, TriangleAngle) else 360
    answer = Answer.number(whole - problem.first)
    first = step("knows one angle of {0} degrees", problem.first)
    last = step("takes {0} from {1} and gets {2}", problem.first, whole, answer)
    return by_steps(answer, first, last)


@mal_rule("GM85")
def diagonals_for_triangles(problem: PolygonAngleSum) -> Working:
    """180 degrees for each diagonal from a corner: one too few."""
    lines = problem.corners - 3
    answer = Answer.number(180 * lines)
    return by_steps(
        answer,
        step("counts {0} diagonals from one of {1} corners", lines, problem.corners),
        step("multiplies {0} by {1} and gets {2}", lines, 180, answer),
    )
