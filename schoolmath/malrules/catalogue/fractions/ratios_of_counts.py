"""The ratio of one count to another, or to both together."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("number and operation", (5, 7), 1)
class CountsRatio:
    """The ratio of one count to another, or to all.

    Attributes:
        first: the count that is named first in the question.
        second: the other one.
        of_all: whether the ratio to both together is asked for.
    """

    first: int
    second: int
    of_all: bool

    def __post_init__(self) -> None:
        if min(self.first, self.second) < 1 or self.first == self.second:
            raise ValueError("Two different counts from 1.")

    def stem(self) -> str:
        other = "all the beads" if self.of_all else "blue beads"
        return (
            f"A bag holds {self.first} red beads and {self.second} blue beads. "
            f"What is the ratio of red beads to {other}?"
        )

    @property
    def against(self) -> int:
        """What the first count is compared with."""
        return self.first + self.second if self.of_all else self.second

    def solve(self) -> Working:
        answer = _ratio(self.first, self.against)
        counted = step("writes {0} to {1}", self.first, self.against)
        if not self.of_all:
            return by_steps(answer, counted, step("gives {0}", answer))
        added = step("adds {0} and {1}: {2}", self.first, self.second, self.against)
        return by_steps(answer, added, counted, step("gives {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several(range(2, 2 * grade + 2), 2)
        return cls(one, other, draws.chance(0.5))


def _ratio(first: int, second: int) -> Answer:
    shared = gcd(first, second)
    return Answer.number(Fraction(first, second), f"{first // shared}:{second // shared}")


@mal_rule("NO254")
def ratio_the_other_way_round(problem: CountsRatio) -> Working:
    """What is named last is written first."""
    answer = _ratio(problem.against, problem.first)
    told = step("writes {0} to {1}", problem.against, problem.first)
    return by_steps(answer, told, step("gives {0}", answer))


@mal_rule("NO255")
def part_and_whole_in_a_ratio(problem: CountsRatio) -> Working:
    """The other part for all, or all for the other part."""
    total = problem.first + problem.second
    against = problem.second if problem.of_all else total
    answer = _ratio(problem.first, against)
    told = step("writes {0} to {1}", problem.first, against)
    return by_steps(answer, told, step("gives {0}", answer))
