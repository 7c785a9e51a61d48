"""Areas of triangles, and right triangles."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Self

from schoolmath.malrules.answers import Answer, AnswerKind, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.figures import DrawnShape
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_AREAS = ("triangle", "triangular flag", "triangular sail", "triangular sign")
_TRIPLES = (
    *((3, 4, 5), (6, 8, 10), (5, 12, 13), (9, 12, 15), (8, 15, 17), (12, 16, 20), (7, 24, 25)),
    *((15, 20, 25), (10, 24, 26), (20, 21, 29), (18, 24, 30), (16, 30, 34), (12, 35, 37)),
    *((9, 40, 41), (21, 28, 35), (24, 32, 40), (27, 36, 45), (30, 40, 50), (28, 45, 53)),
    *((20, 48, 52), (33, 56, 65), (36, 48, 60), (24, 45, 51), (11, 60, 61), (15, 36, 39)),
)
_ASKED = ("hypotenuse", "leg", "perimeter")


def write_root(number: int) -> Answer:
    """The square root of a whole number: a number where it is whole, otherwise ``sqrt(194)``."""
    outside, inside = 1, number
    for factor in range(2, isqrt(number) + 1):
        while inside % factor**2 == 0:
            outside, inside = outside * factor, inside // factor**2
    if inside <= 1:
        return Answer.number(outside * inside)
    # As sympy writes it, which `Answer.expression` gives, but made without sympy, which is slow.
    value = f"sqrt({inside})" if outside == 1 else f"{outside}*sqrt({inside})"
    return Answer(AnswerKind.EXPRESSION, value, f"sqrt({number})")


@form("geometry and measurement", (5, 7), 1)
class TriangleArea:
    """A triangle with its base and height, whose area is asked.

    Attributes:
        side: another side; 0 where it is not told, as people ask.
    """

    base: int
    height: int
    side: int
    thing: str = "triangle"

    def __post_init__(self) -> None:
        check_whole(1, 1000, base=self.base, height=self.height)
        check_whole(0, 1000, side=self.side)
        check_one_of(_AREAS, thing=self.thing)
        check_that(
            not self.side or self.side > self.height,
            "The sloping side must be longer than the height.",
        )

    def stem(self) -> str:
        if not self.side:
            return (
                f"A {self.thing} has a base of {self.base} cm and a height of {self.height} cm. "
                "What is its area in square centimetres?"
            )
        return (
            f"A {self.thing} has a base of {self.base} cm. Another of its sides is {self.side} cm "
            f"long, and its height above the base is {self.height} cm. What is its area in square "
            "centimetres?"
        )

    def solve(self) -> Working:
        product, answer = self.base * self.height, plain(Fraction(self.base * self.height, 2))
        return by_steps(
            answer,
            step(
                "multiplies the base {0} by the height {1}: {2}", *(self.base, self.height), product
            ),
            step("halves {0} and gets {1}", product, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {5: 10, 6: 16}.get(grade, 24)
        base, height = 2 * draws.between(2, most // 2), draws.between(3, most)
        return cls(base, height, height + draws.between(1, 5), draws.one(_AREAS))


@mal_rule("GM03")
def triangle_area_without_half(problem: TriangleArea) -> Working:
    """Multiplies base and height and stops."""
    answer = Answer.number(problem.base * problem.height)
    return by_steps(
        answer,
        step("takes base times height for the area: {0} times {1}", problem.base, problem.height),
        step("gets {0}", answer),
    )


@mal_rule("GM04")
def slant_side_as_height(problem: TriangleArea) -> Working | None:
    """Takes the sloping side for the height."""
    if not problem.side:
        return None
    product = problem.base * problem.side
    answer = plain(Fraction(product, 2))
    return by_steps(
        answer,
        step("takes the sloping side {0} for the height", problem.side),
        step("multiplies the base {0} by {1} to get {2}", problem.base, problem.side, product),
        step("halves {0} and gets {1}", product, answer),
    )


@form("geometry and measurement", (8, 9), 1)
class RightTriangle:
    """A right triangle with two known sides: both legs, or the hypotenuse and a leg.

    Attributes:
        first: a leg; the hypotenuse where the missing leg is asked.
        second: a leg.
        asked: ``hypotenuse``, ``leg`` or ``perimeter``.
    """

    first: int
    second: int
    asked: str = "hypotenuse"

    def __post_init__(self) -> None:
        check_whole(1, 1000, first=self.first, second=self.second)
        check_one_of(_ASKED, asked=self.asked)
        check_that(
            self.asked != "leg" or self.first > self.second,
            "The hypotenuse must be longer than the leg.",
        )
        check_that(isqrt(self.square) ** 2 == self.square, "The third side must be a whole number.")

    @property
    def square(self) -> int:
        """The square of the third side."""
        sign = -1 if self.asked == "leg" else 1
        return self.first**2 + sign * self.second**2

    def stem(self) -> str:
        if self.asked == "leg":
            return (
                f"The hypotenuse of a right triangle is {self.first} cm long, and one leg is "
                f"{self.second} cm long. How many centimetres long is the other leg?"
            )
        legs = f"The legs of a right triangle are {self.first} cm and {self.second} cm long. "
        if self.asked == "perimeter":
            return legs + "What is the perimeter of the triangle in centimetres?"
        return legs + "How many centimetres long is its hypotenuse?"

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        if self.asked == "leg":
            return (
                "The picture shows a right triangle and how long its hypotenuse and one leg are. "
                "How many centimetres long is the other leg?"
            )
        legs = "The picture shows a right triangle and how long its legs are. "
        if self.asked == "perimeter":
            return legs + "What is the perimeter of the triangle in centimetres?"
        return legs + "How many centimetres long is its hypotenuse?"

    def figure(self) -> DrawnShape:
        """The triangle with the two sides that are known."""
        if self.asked == "leg":
            return DrawnShape("right triangle", "", f"{self.second} cm", f"{self.first} cm")
        return DrawnShape("right triangle", f"{self.first} cm", f"{self.second} cm")

    def around(self, third: int) -> Answer:
        """The answer to what is asked, once the third side is taken to be so long."""
        return Answer.number(third + (self.asked == "perimeter") * (self.first + self.second))

    def solve(self) -> Working:
        third = isqrt(self.square)
        verb = "takes the square {1} away from" if self.asked == "leg" else "adds the square {1} to"
        steps: tuple[Step, ...] = (
            step(f"{verb} the square {{0}} for {{2}}", self.first**2, self.second**2, self.square),
            step("takes the square root of {0} and gets {1}", self.square, third),
        )
        answer = self.around(third)
        if self.asked == "perimeter":
            words = "adds {0}, {1} and {2} and gets {3}"
            steps = (*steps, step(words, self.first, self.second, third, answer))
        return Working(answer, steps)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            one, two, hypotenuse = draws.one(_TRIPLES[: 8 if grade == 8 else None])
            if draws.chance(0.5):
                one, two = two, one
            asked = draws.one(("leg", "leg", "perimeter", "perimeter", "hypotenuse"))
            if asked == "leg":
                return cls(hypotenuse, one, asked)
            # The area must not be the perimeter, for those who use the other formula.
            if asked == "hypotenuse" or one * two != 2 * (one + two + hypotenuse):
                return cls(one, two, asked)
        raise NotDrawn("No right triangle came up.")


@mal_rule("GM11")
def adds_the_legs(problem: RightTriangle) -> Working:
    """Takes the hypotenuse to be as long as both legs together."""
    leg = problem.asked == "leg"
    third = problem.first - problem.second if leg else problem.first + problem.second
    verb = "subtracts {1} from {0}" if leg else "adds {0} and {1}"
    idea = step("takes the two legs together to be as long as the hypotenuse")
    found = step(f"{verb} and gets {{2}} for the third side", problem.first, problem.second, third)
    answer = problem.around(third)
    if problem.asked != "perimeter":
        return by_steps(answer, idea, found)
    words = "adds {0}, {1} and {2} and gets {3}"
    return by_steps(answer, idea, found, step(words, problem.first, problem.second, third, answer))


@mal_rule("GM12")
def forgets_the_square_root(problem: RightTriangle) -> Working:
    """Stops at the square of the third side."""
    answer = problem.around(problem.square)
    verb = "subtracts {1} from {0}" if problem.asked == "leg" else "adds {0} and {1}"
    steps: tuple[Step, ...] = (
        step("squares both sides, {0} and {1}", problem.first, problem.second),
        step(
            f"{verb} and uses {{2}} as the third side",
            *(problem.first**2, problem.second**2, problem.square),
        ),
    )
    if problem.asked == "perimeter":
        words = "adds {0}, {1} and {2} and gets {3}"
        steps = (*steps, step(words, problem.first, problem.second, problem.square, answer))
    return Working(answer, steps, 1)


@mal_rule("GM13")
def adds_squares_for_a_leg(problem: RightTriangle) -> Working | None:
    """Adds the squares though the hypotenuse is known."""
    if problem.asked != "leg":
        return None
    total = problem.first**2 + problem.second**2
    answer = write_root(total)
    return by_steps(
        answer,
        step("treats {0} and {1} as the two legs", problem.first, problem.second),
        step(
            "adds their squares, {0} and {1}, to get {2}",
            problem.first**2,
            problem.second**2,
            total,
        ),
        step("takes the square root of {0} and gets {1}", total, answer),
    )
