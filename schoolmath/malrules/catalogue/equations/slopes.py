"""The slope of a line, from points or its equation; tables of proportional quantities."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import (
    write_bracketed,
    write_linear,
    write_next,
    write_term,
)
from schoolmath.malrules.figures import Grid
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (8, 9), 1)
class SlopeOfPoints:
    """The slope of the line through ``(1, 2)`` and ``(5, 10)``."""

    x1: int
    y1: int
    x2: int
    y2: int

    def __post_init__(self) -> None:
        if self.x1 == self.x2:
            raise ValueError("A line through two points with one x has no slope.")

    def stem(self) -> str:
        return (
            f"A line goes through the points ({self.x1}, {self.y1}) and ({self.x2}, {self.y2}). "
            "What is its slope?"
        )

    @property
    def run(self) -> int:
        """The difference of the x values."""
        return self.x2 - self.x1

    @property
    def rise(self) -> int:
        """The difference of the y values."""
        return self.y2 - self.y1

    def differences(self) -> Step:
        """The step that takes both differences."""
        return step(
            "takes {0} from {1} and gets the rise {2}, takes {3} from {4} and gets the run {5}",
            *(self.y1, self.y2, self.rise, self.x1, self.x2, self.run),
        )

    def solve(self) -> Working:
        value = Fraction(self.rise, self.run)
        return by_steps(
            Answer.number(value),
            self.differences(),
            step("divides the rise {0} by the run {1} and gets {2}", self.rise, self.run, value),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x1, run = draws.between(1, 6), draws.between(2, 6)
        rise = run * draws.between(2, 5)
        if draws.chance(0.5):  # a fraction
            rise = draws.one([each for each in range(2, 13) if each % run])
        if grade > 8 and draws.chance(0.4):
            rise = -rise
        y1 = draws.between(-9, 9)
        if y1 * run == rise * x1:  # through the origin
            y1 += 2
        return cls(x1, y1, x1 + run, y1 + rise)


@form("algebra", (8, 9), 1)
class SlopeOfLine:
    """The slope of ``y = 3x + 7``.

    Attributes:
        slope: not 0.
        intercept: where the line meets the y axis; may be 0.
    """

    slope: int
    intercept: int

    def __post_init__(self) -> None:
        if self.slope == 0:
            raise ValueError("The slope of this line must not be 0.")

    def stem(self) -> str:
        return f"What is the slope of the line y = {write_linear(self.slope, self.intercept)}?"

    def solve(self) -> Working:
        return by_steps(
            Answer.number(self.slope),
            step("looks for what y gains when x grows by {0}", 1),
            step("reads off the number that x is multiplied by: {0}", self.slope),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        signs = (1, -1) if grade > 8 else (1, 1, -1)
        slope = draws.between(2, 9) * draws.one(signs)
        return cls(slope, draws.between(1, 12) * draws.one(signs))


@form("algebra", (8, 9), 2)
class SlopeOfStandardForm:
    """The slope of ``6x + 2y = 8``.

    Attributes:
        a: the coefficient of x; not 0.
        b: the coefficient of y; not 0.
        c: the right side.
    """

    a: int
    b: int
    c: int

    def __post_init__(self) -> None:
        if self.a == 0 or self.b == 0:
            raise ValueError("The equation of the line needs both x and y.")

    def stem(self) -> str:
        second = f"{'-' if self.b < 0 else '+'} {write_term(abs(self.b), 'y')}"
        return f"What is the slope of the line {write_term(self.a)} {second} = {self.c}?"

    @property
    def slope(self) -> Fraction:
        """The slope."""
        return Fraction(-self.a, self.b)

    def alone(self, letters: int) -> Step:
        """The step that leaves the y term alone, with so many x on the right."""
        text = f"{self.c} {write_next(letters)[0]} {write_term(abs(letters))}"
        return step(
            "brings {0} to the right side: {1} = {2}",
            *(write_term(self.a), write_term(self.b, "y"), text),
        )

    def solve(self) -> Working:
        last = (
            step("reads off the slope {0}", self.slope)
            if self.b == 1
            else step("divides everything by {0}, so the slope is {1}", self.b, self.slope)
        )
        return by_steps(Answer.number(self.slope), self.alone(-self.a), last)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        b = draws.between(2, 6)
        a = b * draws.between(2, 5) * draws.one((1, -1) if grade > 8 else (1,))
        return cls(a, b, b * draws.between(1, 12))


@mal_rule("AL20")
def height_for_slope(problem: SlopeOfPoints) -> Working | None:
    """Says how high the line is, where asked how steep."""
    return by_steps(
        Answer.number(problem.y2),
        step("looks at the second point, ({0}, {1})", problem.x2, problem.y2),
        step("gives how high the line is there: {0}", problem.y2),
        key_step=1,
    )


@mal_rule("AL21")
def ratio_of_one_point(problem: SlopeOfPoints) -> Working | None:
    """Divides the coordinates of the second point."""
    if problem.x2 == 0:
        return None
    value = Fraction(problem.y2, problem.x2)
    return by_steps(
        Answer.number(value),
        step("takes the second point, ({0}, {1})", problem.x2, problem.y2),
        step("divides {0} by {1} and gets {2}", problem.y2, problem.x2, value),
    )


@mal_rule("AL22")
def intercept_for_slope(problem: SlopeOfLine | SlopeOfStandardForm) -> Working | None:
    """Gives where the line meets the y axis."""
    if isinstance(problem, SlopeOfLine):
        if not problem.intercept:
            return None
        return by_steps(
            Answer.number(problem.intercept),
            step("looks for the slope in the number that stands alone"),
            step("gives {0}", problem.intercept),
        )
    value = Fraction(problem.c, problem.b)
    return by_steps(
        Answer.number(value),
        problem.alone(-problem.a),
        step(
            "divides by {0} and gives the number that stands alone as slope: {1}",
            *(problem.b, value),
        ),
        key_step=1,
    )


@mal_rule("AL23")
def coefficient_for_slope(problem: SlopeOfStandardForm) -> Working | None:
    """Gives the coefficient of x though y does not stand alone."""
    return by_steps(
        Answer.number(problem.a),
        step("leaves the equation as it is, with {0} beside x", write_term(problem.b, "y")),
        step("takes the number in front of x: {0}", problem.a),
        key_step=1,
    )


def upside_down(problem: SlopeOfPoints | SlopeOfLine | SlopeOfStandardForm) -> Working | None:
    """Run over rise; None for a level line."""
    if isinstance(problem, SlopeOfPoints):
        if problem.rise == 0:
            return None
        value = Fraction(problem.run, problem.rise)
        last = step(
            "divides the run {0} by the rise {1} and gets {2}",
            *(problem.run, write_bracketed(problem.rise), value),
        )
        return by_steps(Answer.number(value), problem.differences(), last, key_step=1)
    value = 1 / Fraction(problem.slope)
    return by_steps(
        Answer.number(value),
        step("finds that y changes by {0} when x changes by {1}", problem.slope, 1),
        step("puts the change of x over the change of y and gives {0}", value),
        key_step=1,
    )


@form("algebra", (6, 8), 2)
class ProportionalTable:
    """``x: 2, 5`` and ``y: 6, ?``

    Attributes:
        x1: first x, above 0.
        y1: the y that goes with it, above 0.
        x2: second x, above 0, another than the first.
    """

    x1: int
    y1: int
    x2: int

    def __post_init__(self) -> None:
        if min(self.x1, self.y1, self.x2) < 1 or self.x1 == self.x2:
            raise ValueError("The table needs numbers above 0 and two different x.")

    def stem(self) -> str:
        return (
            f"In a table y is proportional to x. For x = {self.x1} it says y = {self.y1}. "
            f"What is y for x = {self.x2}?"
        )

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        return "In the table y is proportional to x. Which number is missing?"

    def figure(self) -> Grid:
        """The table with its empty place."""
        return Grid(("x", str(self.x1), str(self.x2)), (("y", str(self.y1), "?"),))

    @property
    def rate(self) -> Fraction:
        """How many times x is y."""
        return Fraction(self.y1, self.x1)

    def solve(self) -> Working:
        value = self.rate * self.x2
        return by_steps(
            Answer.number(value),
            step("divides {0} by {1}: y is {2} times x", self.y1, self.x1, self.rate),
            step("multiplies {0} by {1} and gets {2}", self.x2, self.rate, value),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        rate, x1 = draws.between(2, grade), draws.between(2, 7)
        count = draws.between(1, 6)
        if rate * count == x1:
            count += 1
        return cls(x1, rate * x1, rate * count)


@mal_rule("AL35")
def same_difference(problem: ProportionalTable) -> Working | None:
    """Changes y by as much as x changes."""
    change = problem.x2 - problem.x1
    value = problem.y1 + change
    return by_steps(
        Answer.number(value),
        step("sees how far it is from x = {0} to x = {1}: {2}", problem.x1, problem.x2, change),
        step(
            "changes y by the same amount, {0} {1}, and gets {2}",
            *(problem.y1, write_next(change), value),
        ),
        key_step=1,
    )


@mal_rule("AL19")
def run_over_rise(
    problem: SlopeOfPoints | SlopeOfLine | SlopeOfStandardForm | ProportionalTable,
) -> Working | None:
    """Takes the rate the wrong way up."""
    if not isinstance(problem, ProportionalTable):
        return upside_down(problem)
    rate = 1 / problem.rate
    value = rate * problem.x2
    return by_steps(
        Answer.number(value),
        step("divides {0} by {1}, the x by the y, and gets {2}", problem.x1, problem.y1, rate),
        step("multiplies {0} by {1} and gets {2}", problem.x2, rate, value),
    )


@mal_rule("AL108")
def differences_in_two_orders(problem: SlopeOfPoints) -> Working | None:
    """Takes one difference from the first point to the second and the other one back."""
    value = -Fraction(problem.rise, problem.run)
    if not value:
        return None
    return by_steps(
        Answer.number(value),
        step(
            "takes {0} - {1} for y and gets {2}",
            problem.y2,
            write_bracketed(problem.y1),
            problem.rise,
        ),
        step(
            "takes {0} - {1} for x and gets {2}",
            problem.x1,
            write_bracketed(problem.x2),
            -problem.run,
        ),
        step("divides {0} by {1} and gets {2}", problem.rise, -problem.run, value),
        key_step=1,
    )
