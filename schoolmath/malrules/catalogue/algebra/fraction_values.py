"""The value of an algebraic fraction."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_linear, write_next, write_term
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (9, 11), 1)
class FractionValue:
    """``(x + 6)/6`` worked out for a number.

    Attributes:
        factor: how many x on top; 1 or more.
        constant: what is added on top; not 0.
        divisor: what stands below; 2 or more.
        x: the number for x, 0 or more.
    """

    factor: int
    constant: int
    divisor: int
    x: int

    def __post_init__(self) -> None:
        if self.factor < 1 or self.constant == 0 or self.divisor < 2 or self.x < 0:
            raise ValueError(
                "A fraction needs a factor of 1 or more, a constant other than 0, a divisor of "
                "2 or more and an x of 0 or more."
            )

    def stem(self) -> str:
        text = f"({write_linear(self.factor, self.constant)})/{self.divisor}"
        return f"What is the value of {text} when x = {self.x}?"

    @property
    def product(self) -> int:
        """The first term on top."""
        return self.factor * self.x

    def solve(self) -> Worked:
        top = self.product + self.constant
        value = Fraction(top, self.divisor)
        return Worked(
            Answer.number(value),
            (
                step("puts {0} for x and works out the whole top: {1}", self.x, top),
                step("divides the top {0} by {1} and gets {2}", top, self.divisor, value),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor, factor = draws.between(2, 12), draws.between(1 if grade == 9 else 2, 6)
        # So that the top can be divided.
        x = divisor // gcd(divisor, factor) * draws.between(2, 6)
        return cls(factor, divisor, divisor, x)


@mal_rule("AL30")
def cancels_terms(problem: FractionValue) -> Worked | None:
    """Strikes out a number that is added on top against the same number below."""
    if problem.constant != problem.divisor:
        return None
    term = write_term(problem.factor)
    steps = [
        step(
            "strikes out the {0} that is added on top and the {0} below: {1}",
            *(problem.divisor, term),
        )
    ]
    if problem.factor == 1:
        steps.append(step("puts {0} for x: {0}", problem.x))
    else:
        steps.append(step("puts {0} for x in {1} and gets {2}", problem.x, term, problem.product))
    return Worked(Answer.number(problem.product), tuple(steps))


def divided_in_part(problem: FractionValue) -> tuple[Worked, ...]:
    """Each way to divide only one of the two terms on top."""
    first = Fraction(problem.product, problem.divisor)
    second = Fraction(problem.constant, problem.divisor)
    ways = [
        Worked(
            Answer.number(first + problem.constant),
            (
                step(
                    "divides the first term on top, {0}, by {1}: {2}",
                    *(problem.product, problem.divisor, first),
                ),
                step(
                    "works out {0} {1} and gets {2}",
                    *(first, write_next(problem.constant), first + problem.constant),
                ),
            ),
        )
    ]
    if second.denominator == 1 and problem.product != problem.constant:
        ways.append(
            Worked(
                Answer.number(problem.product + second),
                (
                    step(
                        "divides the second term on top, {0}, by {1}: {2}",
                        *(problem.constant, problem.divisor, second),
                    ),
                    step(
                        "works out {0} {1} and gets {2}",
                        *(problem.product, write_next(second), problem.product + second),
                    ),
                ),
            )
        )
    return tuple(ways)
