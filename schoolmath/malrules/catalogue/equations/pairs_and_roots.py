"""Two equations at once, products that are 0, and whole numbers between two bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_linear, write_term
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (8, 11), 2)
class Simultaneous:
    """``3x + y = 10`` and ``x - y = 2``; x is asked.

    Attributes:
        first: how many x in the first equation.
        first_right: its right side.
        second: how many x in the second.
        sign: ``+`` or ``-`` before y in the second equation.
        second_right: its right side.
    """

    first: int
    first_right: int
    second: int
    sign: str
    second_right: int

    def __post_init__(self) -> None:
        if self.sign not in {"+", "-"} or min(self.first, self.second) < 1:
            raise ValueError("Both equations have x, and y with a plus or a minus.")
        if self.first == self.second and self.sign == "+":
            raise ValueError("The equations must not have the same left side.")

    @property
    def adds(self) -> bool:
        """Whether y goes by adding the equations."""
        return self.sign == "-"

    def eliminated(self, *, add: bool) -> Worked | None:
        """X from the sum or the difference of the equations, as if y were gone."""
        letters = self.first + self.second if add else self.first - self.second
        right = (
            self.first_right + self.second_right if add else self.first_right - self.second_right
        )
        if not letters:
            return None
        answer = Answer.number(Fraction(right, letters))
        told = "adds the equations" if add else "takes the second equation from the first"
        left = write_term(letters)
        return Worked(
            answer,
            (
                step(told + ": {0} = {1}", left, right),
                step("divides {0} by {1} and gets {2}", right, letters, answer),
            ),
        )

    @property
    def x(self) -> Fraction:
        """The right x."""
        if self.adds:
            return Fraction(self.first_right + self.second_right, self.first + self.second)
        return Fraction(self.first_right - self.second_right, self.first - self.second)

    def stem(self) -> str:
        one, other = write_term(self.first), write_term(self.second)
        return (
            f"Solve {one} + y = {self.first_right} and {other} {self.sign} y = "
            f"{self.second_right}. What is x?"
        )

    def solve(self) -> Worked:
        worked = self.eliminated(add=self.adds)
        assert worked is not None
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.between(2, grade), draws.between(1, grade)
        first, second = draws.several(range(1, 6), 2)
        sign = draws.one(("+", "-"))
        first, second = max(first, second), min(first, second)
        right = second * x + (y if sign == "+" else -y)
        return cls(first, first * x + y, second, sign, right)


@mal_rule("AL49")
def always_subtracts(problem: Simultaneous) -> Worked | None:
    """Subtracts although the signs of y differ."""
    return problem.eliminated(add=False) if problem.adds else None


@mal_rule("AL60")
def adds_the_equations(problem: Simultaneous) -> Worked | None:
    """Adds although the signs of y are the same."""
    return None if problem.adds else problem.eliminated(add=True)


@mal_rule("AL61")
def fits_one_equation(problem: Simultaneous) -> Worked | None:
    """The smallest whole x from 1 with which the first equation has a y from 1."""
    y = problem.first_right - problem.first
    if y < 1:
        return None
    left = f"{write_term(problem.first)} + y = {problem.first_right}"
    told = step("looks for numbers that fit {0}", left)
    return Worked(Answer.number(1), (told, step("takes y as {0} and x as {1}", y, 1)))


@mal_rule("AL62")
def gives_the_other_letter(problem: Simultaneous) -> Worked:
    """Y for x."""
    y = Answer.number(problem.first_right - problem.first * problem.x)
    told = step("finds x as {0}", Answer.number(problem.x))
    return Worked(y, (told, step("finds the other number and answers {0}", y)), 1)


@form("algebra", (9, 11), 1)
class QuadraticRoots:
    """``(x - 3)(x + 5) = 0``.

    Attributes:
        first, second: what stands behind x in the brackets; neither 0.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        if not self.first or not self.second or self.first == self.second:
            raise ValueError("Different numbers other than 0 stand behind x in the brackets.")

    def stem(self) -> str:
        left = f"({write_linear(1, self.first)})({write_linear(1, self.second)})"
        return f"Solve {left} = 0. Which values of x make it true?"

    def roots(self, one: int, other: int, told: str) -> Worked:
        """Two values of x."""
        answer = Answer.label(f"{max(one, other)}, {min(one, other)}")
        return Worked(answer, (step(told, one, other), step("answers {0}", answer)))

    def solve(self) -> Worked:
        told = "makes each bracket zero with x as {0} and as {1}"
        return self.roots(-self.first, -self.second, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several(range(1, grade + 1), 2)
        return cls(one * draws.one((1, -1)), other * draws.one((1, -1)))


@mal_rule("AL47")
def roots_as_written(problem: QuadraticRoots) -> Worked:
    """The numbers of the brackets with their signs."""
    return problem.roots(problem.first, problem.second, "reads {0} and {1} from the brackets")


@form("algebra", (9, 11), 1)
class SquareEqualsMultiple:
    """``x^2 = 5x``."""

    factor: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2:
            raise ValueError("The number before x is from 2 in size.")

    def stem(self) -> str:
        return f"Solve x^2 = {self.factor}x. Which values of x make it true?"

    def solve(self) -> Worked:
        answer = Answer.label(f"{max(0, self.factor)}, {min(0, self.factor)}")
        told = step("takes x out of both sides: x is {0} or {1}", 0, self.factor)
        return Worked(answer, (told, step("answers {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 4 * grade) * draws.one((1, 1, -1)))


@mal_rule("AL48")
def divides_by_x(problem: SquareEqualsMultiple) -> Worked:
    """Divides by x, so that one root is left."""
    answer = Answer.label(str(problem.factor))
    return Worked(answer, (step("divides both sides by x: {0}", answer),))


@form("algebra", (7, 9), 1)
class IntegerSolutions:
    """How many whole numbers lie from one bound, included, to another one, left out."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.high - self.low < 2:
            raise ValueError("At least two whole numbers lie between the bounds.")

    def stem(self) -> str:
        return f"How many whole numbers n have {self.low} ≤ n < {self.high}?"

    def counted(self, first: int, last: int) -> Worked:
        """The numbers from one to another, both counted."""
        answer = Answer.number(last - first + 1)
        told = step("counts from {0} to {1}", first, last)
        return Worked(answer, (told, step("gets {0}", answer)))

    def solve(self) -> Worked:
        return self.counted(self.low, self.high - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        low = -draws.between(1, grade)
        return cls(low, draws.between(1, grade + 2))


@mal_rule("AL50")
def both_ends_count(problem: IntegerSolutions) -> Worked:
    """The open end counts too."""
    return problem.counted(problem.low, problem.high)


@mal_rule("AL63")
def no_end_counts(problem: IntegerSolutions) -> Worked:
    """The closed end is left out too."""
    return problem.counted(problem.low + 1, problem.high - 1)
