"""Equations of one bracket, and of a number from which x is taken away."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_linear
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (7, 9), 1)
class BracketEquation:
    """``2(x + 3) = 14``.

    Attributes:
        factor: in front of the bracket; not 0, 1 or -1.
        constant: behind x in the bracket; not 0.
        right: what it is worth.
    """

    factor: int
    constant: int
    right: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2 or not self.constant:
            raise ValueError(
                "A bracket needs a factor above 1 in size and a constant other than 0."
            )

    def stem(self) -> str:
        return f"Solve {self.factor}({write_linear(1, self.constant)}) = {self.right}. What is x?"

    def undone(self, inside: int, first: str) -> Worked:
        """Solved once the bracket is gone: what stands behind the term in x is ``inside``."""
        value = Fraction(self.right - inside, self.factor)
        return Worked(
            Answer.number(value),
            (
                step(first, self.factor, write_linear(self.factor, inside)),
                step("brings the number to the right, which leaves {0} there", self.right - inside),
                step("divides {0} by {1} and gets {2}", self.right - inside, self.factor, value),
            ),
        )

    def solve(self) -> Worked:
        return self.undone(
            self.factor * self.constant, "multiplies everything in the bracket by {0}: {1}"
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor = draws.between(2, 6 if grade < 9 else 9)
        constant = draws.between(1, 9) * draws.one((1, 1, -1))
        return cls(factor, constant, factor * (draws.between(1, 12) + constant))


@form("algebra", (7, 8), 1)
class SubtractedUnknown:
    """``20 - x = 8``: how much is taken away is asked."""

    total: int
    left: int

    def __post_init__(self) -> None:
        if not self.total or not self.left:
            raise ValueError("Neither number of the equation is 0.")

    def stem(self) -> str:
        return f"Solve {self.total} - x = {self.left}. What is x?"

    def solve(self) -> Worked:
        value = self.total - self.left
        return Worked(
            Answer.number(value),
            (
                step("asks what is taken from {0} to leave {1}", self.total, self.left),
                step("takes {0} from {1} and gets {2}", self.left, self.total, value),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        left = draws.between(3, 19 if grade == 7 else 60)
        return cls(left + draws.between(2, 19), left)


@mal_rule("AL39")
def adds_where_x_is_taken_away(problem: SubtractedUnknown) -> Worked:
    """Brings the number across as if x were added to it: a + c."""
    value = problem.total + problem.left
    return Worked(
        Answer.number(value),
        (step("adds {0} to {1} and gets {2}", problem.total, problem.left, value),),
    )


@mal_rule("AL40")
def subtracts_the_other_way(problem: SubtractedUnknown) -> Worked:
    """Takes the first number from the right side, as if x stood alone: c - a."""
    value = problem.left - problem.total
    return Worked(
        Answer.number(value),
        (step("takes {0} from {1} and gets {2}", problem.total, problem.left, value),),
    )
