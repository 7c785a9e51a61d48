"""Short equations with a quotient, a fraction or a minus in front of x."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


def _found(value: Fraction | int, told: str, *numbers: object) -> Worked:
    answer = Answer.number(value)
    return Worked(answer, (step(told, *numbers, answer),))


@form("algebra", (7, 8), 1)
class QuotientEquation:
    """``x/4 = 12``."""

    divisor: int
    right: int

    def __post_init__(self) -> None:
        if self.divisor < 2 or self.right == 0:
            raise ValueError("x is divided by a number from 2, and the right side is not 0.")

    def stem(self) -> str:
        return f"Solve x/{self.divisor} = {self.right}. What is x?"

    def solve(self) -> Worked:
        told = "multiplies {0} by {1} and gets {2}"
        return _found(self.right * self.divisor, told, self.right, self.divisor)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 9), draws.between(2, 4 * grade))


@mal_rule("AL41")
def divides_again(problem: QuotientEquation) -> Worked:
    """Divides where it should multiply."""
    told = "divides {0} by {1} and gets {2}"
    return _found(Fraction(problem.right, problem.divisor), told, problem.right, problem.divisor)


@form("algebra", (7, 8), 1)
class NegatedUnknown:
    """``-x = 5``."""

    right: int

    def __post_init__(self) -> None:
        if not self.right:
            raise ValueError("The right side is not 0.")

    def stem(self) -> str:
        return f"Solve -x = {self.right}. What is x?"

    def solve(self) -> Worked:
        return _found(-self.right, "changes the sign of both sides: {1} for {0}", self.right)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(1, 9 * grade) * draws.one((1, 1, -1)))


@mal_rule("AL42")
def minus_x_is_x(problem: NegatedUnknown) -> Worked:
    """X is the right side as it stands."""
    return _found(problem.right, "reads the right side {0} as x: {1}", problem.right)


@form("algebra", (7, 8), 1)
class FractionEquation:
    """``2/3 x = 12``."""

    top: int
    bottom: int
    right: int

    def __post_init__(self) -> None:
        if not 1 < self.top < self.bottom or not self.right:
            raise ValueError("A proper fraction with a top from 2 times x, and a right side.")

    def stem(self) -> str:
        return f"{self.top}/{self.bottom} of x is {self.right}. What is x?"

    def solve(self) -> Worked:
        value = Fraction(self.right * self.bottom, self.top)
        fraction = f"{self.top}/{self.bottom}"
        return _found(value, "divides {0} by {1} and gets {2}", self.right, fraction)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(3, 9)
        top = draws.between(2, bottom - 1)
        return cls(top, bottom, top * draws.between(1, grade + 3))


@mal_rule("AL58")
def multiplies_by_the_fraction(problem: FractionEquation) -> Worked:
    """The fraction of the right side."""
    value = Fraction(problem.right * problem.top, problem.bottom)
    fraction = f"{problem.top}/{problem.bottom}"
    return _found(value, "takes {0} of {1} and gets {2}", fraction, problem.right)


@form("algebra", (7, 8), 1)
class QuotientSumEquation:
    """``x/3 + 2 = 8``."""

    divisor: int
    constant: int
    right: int

    def __post_init__(self) -> None:
        if self.divisor < 2 or self.constant < 1:
            raise ValueError("x is divided by a number from 2, and a number from 1 is added.")

    def stem(self) -> str:
        return f"Solve x/{self.divisor} + {self.constant} = {self.right}. What is x?"

    def solve(self) -> Worked:
        left = self.right - self.constant
        answer = Answer.number(left * self.divisor)
        return Worked(
            answer,
            (
                step("takes {0} from {1}: {2}", self.constant, self.right, left),
                step("multiplies {0} by {1} and gets {2}", left, self.divisor, answer),
            ),
            1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        constant = draws.between(1, grade + 2)
        return cls(draws.between(2, 9), constant, constant + draws.between(2, 12))


@mal_rule("AL43")
def clears_the_fraction_partly(problem: QuotientSumEquation) -> Worked:
    """The constant is not multiplied."""
    raised = problem.right * problem.divisor
    answer = Answer.number(raised - problem.constant)
    return Worked(
        answer,
        (
            step("multiplies x and {0} by {1}: {2}", problem.right, problem.divisor, raised),
            step("takes {0} from {1} and gets {2}", problem.constant, raised, answer),
        ),
    )


@form("algebra", (7, 8), 1)
class NegativeProduct:
    """``4x = -12``."""

    factor: int
    right: int

    def __post_init__(self) -> None:
        if self.factor < 2 or self.right >= 0:
            raise ValueError("The factor is from 2, and the right side is negative.")

    def stem(self) -> str:
        return f"Solve {self.factor}x = {self.right}. What is x?"

    def solve(self) -> Worked:
        value = Fraction(self.right, self.factor)
        return _found(value, "divides {0} by {1} and gets {2}", self.right, self.factor)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor = draws.between(2, 9)
        return cls(factor, -factor * draws.between(2, grade + 4))


@mal_rule("AL59")
def answer_without_the_sign(problem: NegativeProduct) -> Worked:
    """The quotient of the sizes."""
    value = Fraction(-problem.right, problem.factor)
    return _found(value, "divides {0} by {1} and gets {2}", -problem.right, problem.factor)
