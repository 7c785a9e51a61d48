"""Multiplication in columns by a number of one or two digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from biaslab.malrules.answers import Answer
from biaslab.malrules.catalogue.digits import PLACES, digits, number
from biaslab.malrules.forms import form
from biaslab.malrules.traces import Worked, step
from biaslab.problems.draws import Draws


@form
@dataclass(frozen=True, slots=True)
class ColumnMultiplication:
    """A whole number multiplied in columns.

    Attributes:
        first: the upper number, of two digits or more.
        second: the lower number, from 2 to 99 and no ten.
    """

    first: int
    second: int
    content_class: ClassVar[str] = "number and operation"
    grades: ClassVar[tuple[int, int]] = (4, 5)
    dok: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not (10 <= self.first < 100_000 and 2 <= self.second < 100 and self.second % 10):
            raise ValueError(
                f"{self.first} × {self.second}: the first number has two to five digits, the "
                "second is from 2 to 99 and no ten."
            )

    def stem(self) -> str:
        return f"What is {self.first} × {self.second}?"

    def solve(self) -> Worked:
        result = self.first * self.second
        if self.second >= 10:
            tens, ones = divmod(self.second, 10)
            steps = [
                step("multiplies {0} by {1} and gets {2}", self.first, ones, self.first * ones),
                step(
                    "multiplies {0} by {1}, for the tens, and gets {2}",
                    self.first,
                    tens * 10,
                    self.first * tens * 10,
                ),
                step("adds both rows and gets {0}", result),
            ]
            return Worked(Answer.number(result), tuple(steps), 1)
        steps = []
        carry, last = 0, len(digits(self.first)) - 1
        for place, digit in enumerate(digits(self.first)):
            product = digit * self.second + carry
            clause, shown = f"multiplies the {PLACES[place]} {{0}} by {{1}}", [digit, self.second]
            if carry:
                clause += ", adds the carried {2}"
                shown.append(carry)
            if product >= 10 and place < last:
                clause += f", writes {{{len(shown)}}} and carries {{{len(shown) + 1}}}"
                shown += [product % 10, product // 10]
            else:
                clause += f" and writes {{{len(shown)}}}"
                shown.append(product)
            steps.append(step(clause, *shown))
            carry = product // 10
        steps.append(step("reads the answer {0}", result))
        return Worked(Answer.number(result), tuple(steps), min(1, last))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade >= 5 or draws.chance(0.3):
            first = number([draws.between(2, 9), draws.between(1, 9)])
            return cls(first, number([draws.between(2, 9), draws.between(2, 9)]))
        second = draws.between(3, 9)
        upper = [draws.between(9 // second + 1, 9), draws.between(1, 9)]
        if draws.chance(0.4):
            upper.append(draws.between(1, 9))
        # The ones digit is large enough that there is something to carry.
        if upper[0] * second < 10:
            upper[0] = 9
        return cls(number(upper), second)
