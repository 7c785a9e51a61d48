"""Division of whole numbers, and what comes after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.digits import digits
from schoolmath.malrules.catalogue.numbers.column_addition import carries
from schoolmath.malrules.catalogue.numbers.order_of_operations import (
    RIGHT_ORDER,
    OperationChain,
    work_out,
)
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws

CONTEXTS = {
    "beads": "boxes", "stickers": "albums", "marbles": "jars", "tiles": "crates",
    "cards": "folders", "shells": "baskets", "buttons": "tins", "stamps": "books",
}  # fmt: skip
"""What is shared, and into what."""


def long_division(dividend: int, divisor: int, *, writes_zero: bool) -> tuple[list[Step], int, int]:
    """Digit by digit from the left.

    Args:
        dividend: at least the divisor, and divisible by it.
        divisor: positive.
        writes_zero: whether a 0 is written where a digit does not divide.

    Returns:
        The steps, what is written as the quotient, and the index of the first step about a 0
        (0 if there is none).
    """
    steps: list[Step] = []
    quotient, key, left, places = "", None, 0, list(reversed(digits(dividend)))
    for place, digit in enumerate(places):
        left = left * 10 + digit
        count, rest = divmod(left, divisor)
        if count:
            quotient += str(count)
            steps.append(step("divides {0} by {1} and writes {2}", left, divisor, count))
        elif quotient:
            key = len(steps) if key is None else key
            if writes_zero or place == len(places) - 1:
                quotient += "0"
                steps.append(
                    step("sees that {0} does not go into {1} and writes {2}", divisor, left, 0)
                )
            else:
                steps.append(
                    step("sees that {0} does not go into {1} and writes nothing", divisor, left)
                )
        left = rest
    return steps, int(quotient), key or 0


def has_inner_zero(value: int) -> bool:
    """Whether a 0 stands between other digits."""
    return "0" in str(value)[1:-1]


@form("number and operation", (4, 6), 1)
class Division:
    """A division that comes out even, or of a number by a larger one.

    Attributes:
        dividend: what is divided.
        divisor: by what.
    """

    dividend: int
    divisor: int

    def __post_init__(self) -> None:
        if self.dividend < 1 or self.divisor < 2:
            raise ValueError(
                f"{self.dividend} ÷ {self.divisor}: both are positive, no division by 1."
            )
        if self.dividend > self.divisor and self.dividend % self.divisor:
            raise ValueError(f"{self.dividend} ÷ {self.divisor} leaves a remainder.")

    def stem(self) -> str:
        return f"What is {self.dividend} ÷ {self.divisor}?"

    def solve(self) -> Worked:
        if self.dividend >= self.divisor:
            steps, result, key = long_division(self.dividend, self.divisor, writes_zero=True)
            steps.append(step("reads the answer {0}", result))
            return Worked(Answer.number(result), tuple(steps), key)
        value = Fraction(self.dividend, self.divisor)
        written = f"{self.dividend}/{self.divisor}"
        steps = [step("writes {0} ÷ {1} as {2}", self.dividend, self.divisor, written)]
        if str(value) != written:
            steps.append(step("simplifies it to {0}", value))
        return Worked(Answer.number(value), tuple(steps))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade >= 6 or (grade == 5 and draws.chance(0.5)):
            dividend = draws.between(2, 12)
            return cls(dividend, dividend * draws.between(2, 9))
        divisor = draws.between(2, 9)
        return cls(divisor * _quotient_with_zero(draws, grade), divisor)

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also with a 0 at the end of the quotient, or none in it."""
        if draws.chance(0.6):
            return cls.draw(draws, grade)
        divisor = draws.between(2, 9)
        return cls(divisor * draws.between(11, 99) * draws.one((1, 10)), divisor)


@form("number and operation", (4, 5), 2)
class DivisionThenSum:
    """A number shared equally, and more added to each part.

    Attributes:
        dividend: what is shared; a multiple of the divisor.
        divisor: among how many.
        added: what each part gets afterwards.
        thing: what is shared, one of `CONTEXTS`.
    """

    dividend: int
    divisor: int
    added: int
    thing: str

    def __post_init__(self) -> None:
        if self.divisor < 2 or self.dividend < self.divisor or self.dividend % self.divisor:
            raise ValueError(f"{self.dividend} cannot be shared equally among {self.divisor}.")
        if self.added < 2 or self.thing not in CONTEXTS:
            raise ValueError(
                f"Nobody can add {self.added} {self.thing}: at least two of {', '.join(CONTEXTS)}."
            )

    @property
    def quotient(self) -> int:
        """What each part has before more is added."""
        return self.dividend // self.divisor

    def stem(self) -> str:
        holders = CONTEXTS[self.thing]
        holder = "box" if holders == "boxes" else holders[:-1]
        return (
            f"{self.dividend} {self.thing} are shared equally among {self.divisor} {holders}. "
            f"Then {self.added} more {self.thing} are put into each {holder}. "
            f"How many {self.thing} are in each {holder} now?"
        )

    def division_step(self) -> Step:
        """The first step, done right."""
        return step("divides {0} by {1} and gets {2}", self.dividend, self.divisor, self.quotient)

    def solve(self) -> Worked:
        result = self.quotient + self.added
        adding = step("adds {0} to {1} and gets {2}", self.added, self.quotient, result)
        return Worked(Answer.number(result), (self.division_step(), adding))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor = draws.between(2, 9)
        thing = draws.one(list(CONTEXTS))
        for _ in range(40):
            quotient = _quotient_with_zero(draws, 4)
            added = draws.between(15, 89 if grade <= 4 else 389)
            ones = quotient % 10 + added % 10
            if carries(quotient, added) and ones >= 10:
                return cls(divisor * quotient, divisor, added, thing)
        raise NotDrawn(f"No division with a sum that carries came up for grade {grade}.")


def _quotient_with_zero(draws: Draws, grade: int) -> int:
    high, low = draws.between(1, 9), draws.between(1, 9)
    if grade >= 5 and draws.chance(0.6):
        middle = draws.between(0, 9)
        return high * 1000 + low + (middle * 10 if draws.chance(0.5) else middle * 100)
    return high * 100 + low


@mal_rule("NO21")
def drops_zero_in_quotient(problem: Division | DivisionThenSum) -> Worked | None:
    """The zero inside the quotient is left out."""
    if problem.dividend < problem.divisor:
        return None
    if not has_inner_zero(problem.dividend // problem.divisor):
        return None
    steps, quotient, key = long_division(problem.dividend, problem.divisor, writes_zero=False)
    if isinstance(problem, Division):
        steps.append(step("reads the answer {0}", quotient))
        return Worked(Answer.number(quotient), tuple(steps), key)
    result = quotient + problem.added
    return Worked(
        Answer.number(result),
        (
            step(
                "divides {0} by {1}, writes nothing where {1} does not go into a digit, and "
                "gets {2}",
                problem.dividend,
                problem.divisor,
                quotient,
            ),
            step("adds {0} to {1} and gets {2}", problem.added, quotient, result),
        ),
    )


@mal_rule("NO22")
def larger_divided_by_smaller(problem: Division | OperationChain) -> Worked | None:
    """The larger number is divided by the smaller one, whichever comes first."""
    if isinstance(problem, OperationChain):
        turned = work_out(problem.numbers, problem.signs, RIGHT_ORDER, larger_by_smaller=True)
        return turned if turned and turned.answer != problem.solve().answer else None
    if problem.dividend >= problem.divisor:
        return None
    result = Answer.number(Fraction(problem.divisor, problem.dividend))
    return Worked(
        result,
        (
            step(
                "takes the larger number {0} and divides it by the smaller number {1}",
                problem.divisor,
                problem.dividend,
            ),
            step("gets {0}", result),
        ),
    )
