"""The value of a power with a coefficient."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_linear
from schoolmath.malrules.forms import form
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (7, 10), 1)
class PowerValue:
    """``2x^3`` or ``2(x + 3)^2`` worked out for a number.

    Attributes:
        factor: in front; 1 or more.
        constant: what is added to x before the power is taken; 0 for none.
        exponent: 2 or more.
        x: the number for x, 1 or more.
    """

    factor: int
    constant: int
    exponent: int
    x: int

    def __post_init__(self) -> None:
        if self.factor < 1 or self.constant < 0 or self.exponent < 2 or self.x < 1:
            raise ValueError(
                "A power needs a factor and an x of 1 or more, a constant of 0 or more and an "
                "exponent of 2 or more."
            )

    def stem(self) -> str:
        return f"What is the value of {self.text} when x = {self.x}?"

    @property
    def text(self) -> str:
        """The expression."""
        base = f"({write_linear(1, self.constant)})" if self.constant else "x"
        return f"{'' if self.factor == 1 else self.factor}{base}^{self.exponent}"

    @property
    def base(self) -> int:
        """The number whose power is taken."""
        return self.x + self.constant

    @property
    def power(self) -> int:
        """The power without the factor."""
        return int(self.base**self.exponent)

    def solve(self) -> Worked:
        steps = []
        if self.constant:
            steps.append(step("adds {0} and {1} first: {2}", self.x, self.constant, self.base))
        steps.append(
            step("raises {0} to the power {1} and gets {2}", self.base, self.exponent, self.power)
        )
        value = self.factor * self.power
        if self.factor != 1:
            steps.append(step("multiplies {0} by {1} and gets {2}", self.factor, self.power, value))
        return Worked(Answer.number(value), tuple(steps), key_step=1 if self.constant else 0)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor = draws.between(2, 6)
        if grade >= 8 and draws.chance(0.6):
            return cls(factor, draws.between(1, 7), 2, draws.between(1, 6))
        exponent = draws.between(2, 3)
        return cls(factor, 0, exponent, draws.between(2, 10 if exponent == 2 else 6))
