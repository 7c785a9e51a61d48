"""Numbers put in order, and sizes without a sign: what people ask that has one list or number."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.forms import check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_MOST = 8


class NumberKind(StrEnum):
    """What numbers are put in order."""

    WHOLE = "whole numbers"
    DECIMAL = "decimals"
    FRACTION = "fractions"


_WRITTEN = {
    NumberKind.WHOLE: re.compile(r"-?\d{1,9}"),
    NumberKind.DECIMAL: re.compile(r"\d{1,6}(?:\.\d{1,6})?"),
    NumberKind.FRACTION: re.compile(r"[1-9]\d{0,3}/[1-9]\d{0,3}"),
}


@form("number and operation", (3, 7), 1)
class Ordering:
    """Numbers of one kind to put in order.

    Attributes:
        numbers: each as it is written: ``("0.5", "0.45")``, ``("1/2", "1/3")``, ``("-3", "5")``.
        descending: whether the largest comes first.
    """

    numbers: tuple[str, ...]
    descending: bool = False

    def __post_init__(self) -> None:
        check_that(3 <= len(self.numbers) <= _MOST, f"There are from 3 to {_MOST} numbers.")
        kinds = [
            kind for kind, pattern in _WRITTEN.items() if all(map(pattern.fullmatch, self.numbers))
        ]
        check_that(bool(kinds), "The numbers are all whole, all decimals or all fractions.")
        values = {Fraction(each) for each in self.numbers}
        check_that(len(values) == len(self.numbers), "Two of the numbers are equal.")

    @property
    def kind(self) -> NumberKind:
        """What the numbers are."""
        return next(
            kind for kind, pattern in _WRITTEN.items() if all(map(pattern.fullmatch, self.numbers))
        )

    def stem(self) -> str:
        first = "largest" if self.descending else "smallest"
        return f"Put these numbers in order, the {first} first: {', '.join(self.numbers)}."

    def by(self, key: Callable[[str], Any], *ideas: Step) -> Working | None:
        """The order that somebody sees; None where two of the numbers look equal to them."""
        keys = [key(each) for each in self.numbers]
        if len(set(keys)) < len(keys):
            return None
        between = " > " if self.descending else " < "
        in_order = sorted(self.numbers, key=key, reverse=self.descending)
        answer = Answer.label(between.join(in_order))
        return by_steps(answer, *ideas, step("writes {0}", answer))

    def solve(self) -> Working:
        worked = self.by(Fraction, step("compares the numbers {0}", ", ".join(self.numbers)))
        assert worked is not None
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade < 5:
            tenths, more, long = draws.between(2, 8), draws.between(1, 9), draws.between(111, 188)
            return cls(tuple(draws.several((f"0.{tenths}", f"0.0{more}", f"0.{long}"), 3)))
        if grade < 6:
            one, two, three = draws.several(range(2, 10), 3)
            return cls((f"{one - 1}/{one}", f"1/{two}", f"2/{2 * three + 1}"))
        one, two, three = draws.several(range(1, 20), 3)
        return cls((str(-one), str(two), str(-three)))


@form("number and operation", (6, 7), 1)
class AbsoluteValue:
    """A number, or a difference, between the bars of an absolute value; it is negative.

    Attributes:
        first: the number, or that from which the second is taken.
        second: what is taken away; 0 where there is one number.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        check_whole(0, 10_000, second=self.second)
        check_that(self.first - self.second < 0, "What stands between the bars is negative.")

    @property
    def inside(self) -> int:
        """The value of what stands between the bars."""
        return self.first - self.second

    def stem(self) -> str:
        return f"What is |{self.first}{f' - {self.second}' if self.second else ''}|?"

    def solve(self) -> Working:
        return by_steps(
            Answer.number(-self.inside),
            step("works out {0} between the bars", self.inside),
            step("takes its distance from zero, {0}", -self.inside),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if draws.chance(0.5):
            return cls(-draws.between(2, 5 * grade), 0)
        first = draws.between(1, 9)
        return cls(first, first + draws.between(1, 2 * grade))


@mal_rule("NO236")
def keeps_the_sign_between_bars(problem: AbsoluteValue) -> Working:
    """The value between the bars with its minus."""
    return by_steps(
        Answer.number(problem.inside),
        step("reads the bars as brackets and works out {0}", problem.inside),
    )
