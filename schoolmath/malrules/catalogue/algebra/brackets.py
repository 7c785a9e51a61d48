"""A factor in front of a bracket: multiplied out, or worked out for a number."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import (
    write_bracketed,
    write_linear,
    write_next,
    write_term,
)
from schoolmath.malrules.catalogue.equations.short_equations import BracketEquation
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (6, 9), 1)
class BracketValue:
    """``3(x + 4)`` worked out for a number.

    Attributes:
        factor: in front of the bracket; not 0, 1 or -1.
        constant: inside; not 0.
        x: the number for x.
    """

    factor: int
    constant: int
    x: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2 or self.constant == 0:
            raise ValueError(
                "A bracket needs a factor above 1 in size and a constant other than 0."
            )

    def stem(self) -> str:
        return f"What is the value of {self.text} when x = {self.x}?"

    @property
    def text(self) -> str:
        """The expression."""
        return f"{self.factor}({write_linear(1, self.constant)})"

    @property
    def inside(self) -> int:
        """The value of the bracket."""
        return self.x + self.constant

    def solve(self) -> Worked:
        value = self.factor * self.inside
        return Worked(
            Answer.number(value),
            (
                step("puts {0} for x: the bracket is worth {1}", self.x, self.inside),
                step(
                    "multiplies the whole bracket, {0} times {1}, and gets {2}",
                    *(self.factor, write_bracketed(self.inside), value),
                ),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor, constant = draws.between(2, 6 + grade // 3), draws.between(2, 9)
        if grade >= 7 and draws.chance(0.5):
            return cls(-factor, -constant, draws.between(1, constant + 4))
        return cls(factor, constant, draws.between(2, 9))


@form("algebra", (7, 9), 1)
class BracketExpansion:
    """``9x - 4(x - 3)`` written without brackets.

    Attributes:
        letters: how many x stand in front; 0 for none.
        factor: in front of the bracket; not 0, 1 or -1.
        constant: inside the bracket; not 0.
    """

    letters: int
    factor: int
    constant: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2 or self.constant == 0:
            raise ValueError(
                "A bracket needs a factor above 1 in size and a constant other than 0."
            )

    def stem(self) -> str:
        return f"Write {self.text} without brackets and simplify."

    @property
    def text(self) -> str:
        """The expression."""
        inside = write_linear(1, self.constant)
        if not self.letters:
            return f"{self.factor}({inside})"
        return f"{write_term(self.letters)} {write_next(self.factor)}({inside})"

    @property
    def total(self) -> int:
        """The right coefficient of x."""
        return self.letters + self.factor

    def solve(self) -> Worked:
        product = self.factor * self.constant
        answer = Answer.polynomial((product, self.total))
        return Worked(
            answer,
            (
                step(
                    "multiplies both terms of the bracket by {0}: {1} and {2}",
                    *(self.factor, write_term(self.factor), product),
                ),
                step("collects the terms and writes {0}", answer.shown),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor, constant = draws.between(2, grade - 1), draws.between(2, 9)
        return cls(factor + draws.between(1, 7), -factor, -constant)


@mal_rule("AL06")
def first_term_only(problem: BracketValue | BracketExpansion | BracketEquation) -> Worked | None:
    """Multiplies the first term in the bracket and copies the second."""
    factor, constant = problem.factor, problem.constant
    if isinstance(problem, BracketEquation):
        return problem.undone(
            constant, "multiplies the x in the bracket by {0} and copies the rest: {1}"
        )
    idea = step(
        "multiplies the x in the bracket by {0} and copies the rest: {1}",
        *(factor, write_linear(factor, constant)),
    )
    if isinstance(problem, BracketExpansion):
        answer = Answer.polynomial((constant, problem.total))
        return Worked(answer, (idea, step("collects the terms and writes {0}", answer.shown)))
    value = factor * problem.x + constant
    return Worked(Answer.number(value), (idea, _put_in(problem, constant, value)))


@mal_rule("AL07")
def lost_sign(problem: BracketValue | BracketExpansion) -> Worked | None:
    """Keeps the minus inside although the factor outside is negative too."""
    factor, constant = problem.factor, problem.constant
    if factor > 0 or constant > 0:
        return None
    product = -factor * constant
    idea = step(
        "multiplies {0} by {1} and keeps a minus: {2}",
        *(factor, write_bracketed(constant), product),
    )
    if isinstance(problem, BracketExpansion):
        answer = Answer.polynomial((product, problem.total))
        return Worked(answer, (idea, step("collects the terms and writes {0}", answer.shown)))
    value = factor * problem.x + product
    return Worked(Answer.number(value), (idea, _put_in(problem, product, value)))


def _put_in(problem: BracketValue, constant: int, value: int) -> Step:
    return step(
        "puts {0} for x in {1} and gets {2}",
        *(problem.x, write_linear(problem.factor, constant), value),
    )
