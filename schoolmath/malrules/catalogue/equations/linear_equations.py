"""Linear equations with x on one side or on both."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_linear, write_term
from schoolmath.malrules.forms import form
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (7, 9), 1)
class LinearEquation:
    """``5x + 3 = 2x + 24``: letters and constant on the left, then on the right.

    Attributes:
        left_letters: how many x on the left; not 0.
        left_constant: what is added to them; may be 0.
        right_letters: how many x on the right; may be 0, not as many as on the left.
        right_constant: what is added on the right.
    """

    left_letters: int
    left_constant: int
    right_letters: int
    right_constant: int

    def __post_init__(self) -> None:
        if self.left_letters == 0 or self.left_letters == self.right_letters:
            raise ValueError("The equation needs x on the left, and not as often on the right.")
        if (self.left_letters, self.left_constant, self.right_letters) == (1, 0, 0):
            raise ValueError("There is nothing to solve in this equation.")

    def stem(self) -> str:
        left = write_linear(self.left_letters, self.left_constant)
        right = write_linear(self.right_letters, self.right_constant)
        return f"Solve {left} = {right}. What is x?"

    @property
    def letters(self) -> int:
        """How many x are left when those on the right are taken away."""
        return self.left_letters - self.right_letters

    @property
    def rest(self) -> int:
        """What they are worth."""
        return self.right_constant - self.left_constant

    def gathering(self) -> list[Step]:
        """The step that brings every x to the left; none where they are there."""
        if not self.right_letters:
            return []
        verb = "takes {0} from" if self.right_letters > 0 else "adds {0} to"
        return [
            step(
                verb + " both sides, which leaves {1} on the left",
                *(write_term(abs(self.right_letters)), write_term(self.letters)),
            )
        ]

    def undoing(self) -> list[Step]:
        """The step that brings every number to the right; none where they are there."""
        if not self.left_constant:
            return []
        verb = "takes {0} from" if self.left_constant > 0 else "adds {0} to"
        return [
            step(
                verb + " both sides, which leaves {1} on the right",
                *(abs(self.left_constant), self.rest),
            )
        ]

    def solve(self) -> Worked:
        steps = self.gathering() + self.undoing()
        value = Fraction(self.rest, self.letters)
        if self.letters != 1:
            steps.append(step("divides {0} by {1} and gets {2}", self.rest, self.letters, value))
        elif not self.left_constant:
            steps.append(step("reads off x = {0}", value))
        return Worked(Answer.number(value), tuple(steps), key_step=len(steps) - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sign = draws.one((1, 1, -1))
        kind = draws.below(4)
        if kind == 0:  # 8x + 3 = 5: the coefficient is the larger number
            rest = draws.between(2, 5)
            letters, constant = rest * draws.between(2, 5), draws.between(2, 9)
            return cls(letters, constant, 0, constant + rest)
        if kind == 1 or grade == 7:
            letters, x = draws.between(2, 6), draws.between(2, 9)
            constant = sign * letters * draws.between(1, 4)
            return cls(letters, constant, 0, letters * x + constant)
        letters, right, x = draws.between(2, 5), draws.between(2, 6), draws.between(2, 9)
        constant = sign * letters * draws.between(1, 3)
        return cls(letters + right, constant, right, letters * x + constant)
