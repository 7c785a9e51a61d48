"""A missing number in a table of two proportional quantities."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_next
from schoolmath.malrules.catalogue.equations.slopes import (
    SlopeOfLine,
    SlopeOfPoints,
    SlopeOfStandardForm,
    upside_down,
)
from schoolmath.malrules.figures.kinds import Grid
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


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

    def solve(self) -> Worked:
        value = self.rate * self.x2
        return Worked(
            Answer.number(value),
            (
                step("divides {0} by {1}: y is {2} times x", self.y1, self.x1, self.rate),
                step("multiplies {0} by {1} and gets {2}", self.x2, self.rate, value),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        rate, x1 = draws.between(2, grade), draws.between(2, 7)
        count = draws.between(1, 6)
        if rate * count == x1:
            count += 1
        return cls(x1, rate * x1, rate * count)


@mal_rule("AL35")
def same_difference(problem: ProportionalTable) -> Worked | None:
    """Changes y by as much as x changes."""
    change = problem.x2 - problem.x1
    value = problem.y1 + change
    return Worked(
        Answer.number(value),
        (
            step("sees how far it is from x = {0} to x = {1}: {2}", problem.x1, problem.x2, change),
            step(
                "changes y by the same amount, {0} {1}, and gets {2}",
                *(problem.y1, write_next(change), value),
            ),
        ),
        key_step=1,
    )


@mal_rule("AL19")
def run_over_rise(
    problem: SlopeOfPoints | SlopeOfLine | SlopeOfStandardForm | ProportionalTable,
) -> Worked | None:
    """Takes the rate the wrong way up."""
    if not isinstance(problem, ProportionalTable):
        return upside_down(problem)
    rate = 1 / problem.rate
    value = rate * problem.x2
    return Worked(
        Answer.number(value),
        (
            step("divides {0} by {1}, the x by the y, and gets {2}", problem.x1, problem.y1, rate),
            step("multiplies {0} by {1} and gets {2}", problem.x2, rate, value),
        ),
    )
