"""The value of an expression or a function for a number."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_linear, write_next
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (6, 8), 1)
class ExpressionValue:
    """``3x + 4`` worked out for a number.

    Attributes:
        factor: how many x; at least 2.
        constant: what is added; may be 0 or negative.
        x: the number for x, 0 or more.
    """

    factor: int
    constant: int
    x: int

    def __post_init__(self) -> None:
        _check(self.factor, self.x)

    def stem(self) -> str:
        text = write_linear(self.factor, self.constant)
        return f"What is the value of {text} when x = {self.x}?"

    def solve(self) -> Worked:
        return _worked_out(self.factor, self.constant, self.x)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        constant = draws.between(2, 9)
        if grade >= 7 and draws.chance(0.4):
            constant = -constant
        return cls(draws.between(2, 9), constant, draws.between(3, 4 + grade))


@form("algebra", (8, 10), 1)
class FunctionValue:
    """``f(x) = 2x + 3``; what is ``f(4)``?

    Attributes:
        factor: how many x; at least 2.
        constant: what is added; not 0.
        x: the number in the bracket, 0 or more.
    """

    factor: int
    constant: int
    x: int

    def __post_init__(self) -> None:
        _check(self.factor, self.x)
        if self.constant == 0:
            raise ValueError("The function needs a constant other than 0.")

    def stem(self) -> str:
        text = write_linear(self.factor, self.constant)
        return f"A function is given by f(x) = {text}. What is f({self.x})?"

    def solve(self) -> Worked:
        return _worked_out(self.factor, self.constant, self.x)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        constant = draws.between(2, 12) * draws.one((1, 1, -1))
        return cls(draws.between(2, 9), constant, draws.between(2, grade + 3))


def _check(factor: int, x: int) -> None:
    if factor < 2 or x < 0:
        raise ValueError("The factor of x is 2 or more and the number for x 0 or more.")


def _worked_out(factor: int, constant: int, x: int) -> Worked:
    product = factor * x
    steps = [step("puts {0} for x and multiplies {1} by {0}: {2}", x, factor, product)]
    if constant:
        steps.append(
            step(
                "works out {0} {1} and gets {2}",
                *(product, write_next(constant), product + constant),
            )
        )
    return Worked(Answer.number(product + constant), tuple(steps))


@mal_rule("AL24")
def function_sign_as_factor(problem: FunctionValue) -> Worked | None:
    """Takes f for a number that is multiplied by what stands in the bracket."""
    product = problem.factor * problem.x
    return Worked(
        Answer.number(product),
        (
            step("reads f({0}) as f times {0} and takes {1} for f", problem.x, problem.factor),
            step("multiplies {0} by {1} and gets {2}", problem.factor, problem.x, product),
        ),
    )
