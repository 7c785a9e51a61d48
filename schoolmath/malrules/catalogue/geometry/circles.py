"""Circles, enlarged circles and cones, with answers in units of pi."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import check_one_of, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_GIVEN = ("radius", "diameter")
_ROUND = ("plate", "coin", "lid", "badge", "mirror")

_SQUARES_RADIUS = "squares the radius {0} to get {1}"
_DOUBLES_RADIUS = "doubles the radius {0} to get {1}"


def _halved(given_length: str, size: int) -> tuple[tuple[Step, ...], Fraction]:
    radius = Fraction(size, 2) if given_length == "diameter" else Fraction(size)
    if given_length == "radius":
        return (), radius
    return (step("halves the diameter {0} for the radius {1}", size, plain(radius)),), radius


def _measure(before: tuple[Step, ...], radius: Fraction, area: bool) -> Working:
    answer = plain(radius**2 if area else 2 * radius)
    words = "squares the radius {0}" if area else "doubles the radius {0}"
    result = step("gets {0} times pi", answer)
    return by_steps(answer, *before, step(words, plain(radius)), result, key_step=len(before))


@form("geometry and measurement", (7, 8), 1)
class Circle:
    """A circle whose area or circumference is asked as a number of pi."""

    size: int
    given: str = "diameter"
    asked: str = "area"

    def __post_init__(self) -> None:
        check_whole(1, 1000, size=self.size)
        check_one_of(_GIVEN, given=self.given)
        check_one_of(("area", "circumference"), asked=self.asked)

    def stem(self) -> str:
        unit = "square centimetres" if self.asked == "area" else "centimetres"
        return (
            f"A circle has a {self.given} of {self.size} cm. Its {self.asked} in {unit} is a "
            "number times pi. What is this number?"
        )

    def radius(self) -> tuple[tuple[Step, ...], Fraction]:
        """How the radius is found, and what it is."""
        return _halved(self.given, self.size)

    def work_on(self, before: tuple[Step, ...], radius: Fraction, *, area: bool) -> Working:
        """The answer from this radius, by the area of the circle or by its circumference."""
        return _measure(before, radius, area)

    def solve(self) -> Working:
        return self.work_on(*self.radius(), area=self.asked == "area")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        radius = draws.between(3, 12 if grade == 7 else 25)
        given = draws.one(("diameter", "diameter", "radius"))
        size = 2 * radius if given == "diameter" else radius
        return cls(size, given, draws.one(("area", "circumference")))


@form("geometry and measurement", (7, 9), 2)
class EnlargedCircle:
    """A round thing and one that is so many times as wide, whose area is asked."""

    size: int
    factor: int
    given: str = "diameter"
    thing: str = "plate"

    def __post_init__(self) -> None:
        check_whole(1, 1000, size=self.size)
        check_whole(2, 20, factor=self.factor)
        check_one_of(_GIVEN, given=self.given)
        check_one_of(_ROUND, thing=self.thing)

    def stem(self) -> str:
        return (
            f"A round {self.thing} has a {self.given} of {self.size} cm. The {self.given} of a "
            f"larger round {self.thing} is {self.factor} times as long. The area of the larger "
            f"{self.thing} in square centimetres is a number times pi. What is this number?"
        )

    @property
    def half(self) -> Fraction:
        """The radius of the smaller one."""
        return _halved(self.given, self.size)[1]

    def radius(self) -> tuple[tuple[Step, ...], Fraction]:
        """How the radius of the larger one is found, and what it is."""
        before, small = _halved(self.given, self.size)
        large = small * self.factor
        words = "makes the radius {0} times {1}, which is {2}"
        return (*before, step(words, self.factor, plain(small), plain(large))), large

    def work_on(self, before: tuple[Step, ...], radius: Fraction, *, area: bool) -> Working:
        """The answer from this radius, by the area of the circle or by its circumference."""
        return _measure(before, radius, area)

    def solve(self) -> Working:
        return self.work_on(*self.radius(), area=True)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        radius, factor = draws.between(3, 12), draws.between(2, 4 if grade < 9 else 6)
        given = draws.one(("diameter", "diameter", "radius"))
        size = 2 * radius if given == "diameter" else radius
        return cls(size, factor, given, draws.one(_ROUND))


@form("geometry and measurement", (8, 9), 1)
class Cone:
    """A cone whose volume is asked as a number of pi."""

    size: int
    height: int
    given: str = "radius"

    def __post_init__(self) -> None:
        check_whole(1, 1000, size=self.size, height=self.height)
        check_one_of(_GIVEN, given=self.given)

    def stem(self) -> str:
        return (
            f"The base of a cone has a {self.given} of {self.size} cm, and the cone is "
            f"{self.height} cm high. Its volume in cubic centimetres is a number times pi. "
            "What is this number?"
        )

    def radius(self) -> tuple[tuple[Step, ...], Fraction]:
        """How the radius of the base is found, and what it is."""
        return _halved(self.given, self.size)

    def work_on(self, before: tuple[Step, ...], radius: Fraction, *, area: bool) -> Working:
        """The volume from this radius, with the area of the base or with its circumference."""
        base = radius**2 if area else 2 * radius
        words = _SQUARES_RADIUS if area else _DOUBLES_RADIUS
        answer = plain(base * self.height / 3)
        return by_steps(
            answer,
            *before,
            step(words, plain(radius), plain(base)),
            step(
                "multiplies {0} by the height {1}, divides by {2} and gets {3} times pi",
                *(plain(base), self.height, 3, answer),
            ),
            key_step=len(before),
        )

    def solve(self) -> Working:
        return self.work_on(*self.radius(), area=True)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        radius, height = draws.between(3, 9 if grade == 8 else 15), 3 * draws.between(1, 5)
        given = draws.one(("diameter", "diameter", "diameter", "radius"))
        return cls(2 * radius if given == "diameter" else radius, height, given)


@mal_rule("GM09")
def diameter_as_radius(problem: Circle | EnlargedCircle | Cone) -> Working | None:
    """Puts the diameter where the radius belongs."""
    if problem.given == "radius":
        return None
    wrong: tuple[Step, ...] = (step("takes the diameter {0} for the radius", problem.size),)
    radius = Fraction(problem.size)
    if isinstance(problem, EnlargedCircle):
        radius *= problem.factor
        words = "makes it {0} times as long, which is {1}"
        wrong = (*wrong, step(words, problem.factor, plain(radius)))
    area = not isinstance(problem, Circle) or problem.asked == "area"
    worked = problem.work_on(wrong, radius, area=area)
    return Working(worked.answer, worked.steps, 0)


@mal_rule("GM10")
def circumference_for_area(problem: Circle | EnlargedCircle | Cone) -> Working:
    """Doubles the radius where it is to be squared; for a circumference the reverse."""
    area = isinstance(problem, Circle) and problem.asked == "circumference"
    return problem.work_on(*problem.radius(), area=area)


@mal_rule("GM20")
def cone_without_a_third(problem: Cone) -> Working:
    """Takes the cone for a cylinder."""
    before, radius = problem.radius()
    base, answer = plain(radius**2), plain(radius**2 * problem.height)
    return by_steps(
        answer,
        *before,
        step(_SQUARES_RADIUS, plain(radius), base),
        step("uses base times height for the cone: {0} times {1}", base, problem.height),
        step("gets {0} times pi", answer),
        key_step=len(before) + 1,
    )


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

    def solve(self) -> Working:
        answer = Answer.label(f"{self.radius} pi + {2 * self.radius}")
        first = step("takes half of the way round: {0} pi", self.radius)
        last = step("adds the diameter {0} to it: {1}", 2 * self.radius, answer)
        return by_steps(answer, first, last, key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 10 * grade))


@mal_rule("GM76")
def arc_only(problem: Semicircle) -> Working:
    """The arc without the straight side."""
    answer = Answer.label(f"{problem.radius} pi")
    return by_steps(answer, step("goes along the curved side: {0}", answer))


@mal_rule("GM86")
def whole_circle_for_a_half(problem: Semicircle) -> Working:
    """All of the circumference, and the straight side."""
    answer = Answer.label(f"{2 * problem.radius} pi + {2 * problem.radius}")
    first = step("takes all of the way round: {0} pi", 2 * problem.radius)
    return by_steps(
        answer, first, step("adds a side of {0} to it: {1}", 2 * problem.radius, answer)
    )


@mal_rule("GM87")
def radius_for_the_straight_side(problem: Semicircle) -> Working:
    """The arc, and one radius."""
    answer = Answer.label(f"{problem.radius} pi + {problem.radius}")
    first = step("takes half of the way round: {0} pi", problem.radius)
    return by_steps(
        answer, first, step("adds the radius {0} to it: {1}", problem.radius, answer), key_step=1
    )
