"""Multiplication in columns by a number of one or two digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.digits import PLACES, digits, number
from schoolmath.malrules.catalogue.numbers.decimal_operations import DecimalProduct
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("number and operation", (4, 5), 1)
class ColumnMultiplication:
    """A whole number multiplied in columns.

    Attributes:
        first: the upper number, of two digits or more.
        second: the lower number, from 2 to 99 and no ten.
    """

    first: int
    second: int

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

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also with a 0 in the larger number."""
        if draws.chance(0.7):
            return cls.draw(draws, grade)
        return cls(100 * draws.between(1, 9) + draws.between(1, 9), draws.between(2, 9))


@mal_rule("NO17")
def add_carry_before_multiplying(problem: ColumnMultiplication | DecimalProduct) -> Worked | None:
    """The carried digit is added to the next digit before that is multiplied."""
    return _by_rows(problem, _carry_added_first, "adding what is carried before multiplying")


@mal_rule("NO18")
def forgets_carry_in_multiplication(
    problem: ColumnMultiplication | DecimalProduct,
) -> Worked | None:
    """What should be carried is forgotten."""
    return _by_rows(problem, _carry_forgotten, "writing the ones of each product")


@mal_rule("NO19")
def no_placeholder_zero(problem: ColumnMultiplication | DecimalProduct) -> Worked | None:
    """The row for the tens is not shifted."""
    first, second = _factors(problem)
    if not 10 < second < 100 or second % 10 == 0:
        return None
    tens, ones = divmod(second, 10)
    steps = (
        step("multiplies {0} by {1} and gets {2}", first, ones, first * ones),
        step(
            "multiplies {0} by the tens digit {1} and gets {2}",
            first,
            tens,
            first * tens,
        ),
        step("adds both rows as they stand and gets {0}", first * (ones + tens)),
    )
    return _with_point(problem, first * (ones + tens), steps, 1)


@mal_rule("NO20")
def partial_product_digits_only(problem: ColumnMultiplication) -> Worked | None:
    """Ones by ones and tens by tens, and nothing else."""
    if not (10 < problem.first < 100 and 10 < problem.second < 100):
        return None
    (tens, ones), (by_tens, by_ones) = divmod(problem.first, 10), divmod(problem.second, 10)
    low, high = ones * by_ones, 100 * tens * by_tens
    return Worked(
        Answer.number(low + high),
        (
            step("multiplies the ones, {0} by {1}, and gets {2}", ones, by_ones, low),
            step(
                "multiplies the tens, {0} by {1}, gets {2} and leaves the other products out",
                tens * 10,
                by_tens * 10,
                high,
            ),
            step("adds them and gets {0}", low + high),
        ),
        1,
    )


def _factors(problem: ColumnMultiplication | DecimalProduct) -> tuple[int, int]:
    return problem.whole if isinstance(problem, DecimalProduct) else (problem.first, problem.second)


def _with_point(
    problem: ColumnMultiplication | DecimalProduct, result: int, steps: tuple[Step, ...], key: int
) -> Worked:
    if isinstance(problem, DecimalProduct):
        answer = problem.place_point(result)
        return Worked(answer, (*steps, problem.point_step(answer)), key)
    return Worked(Answer.number(result), steps, key)


def _carry_added_first(digit: int, by: int, carry: int) -> int:
    return (digit + carry) * by


def _carry_forgotten(digit: int, by: int, _carry: int) -> int:
    return digit * by


def _row(first: int, by: int, combine: Callable[[int, int, int], int]) -> int:
    """The product of a number and a digit; the leftmost result is written in full."""
    written: list[int] = []
    carry, upper = 0, digits(first)
    for place, digit in enumerate(upper):
        product = combine(digit, by, carry)
        carry = product // 10
        written.append(product if place == len(upper) - 1 else product % 10)
    return number(written)


def _by_rows(
    problem: ColumnMultiplication | DecimalProduct,
    combine: Callable[[int, int, int], int],
    how: str,
) -> Worked | None:
    first, second = _factors(problem)
    multipliers = [(place, digit) for place, digit in enumerate(digits(second)) if digit]
    rows = [_row(first, digit, combine) for _, digit in multipliers]
    wrong = [row != first * digit for row, (_, digit) in zip(rows, multipliers, strict=True)]
    if not any(wrong):
        return None
    if second < 10 and isinstance(problem, ColumnMultiplication):
        return _digit_by_digit(first, second, combine)
    steps = []
    for (place, digit), row, bad in zip(multipliers, rows, wrong, strict=True):
        clause = f"multiplies {{0}} by the {PLACES[place]} digit {{1}}"
        clause += f", {how}, and gets {{2}}" if bad else " and gets {2}"
        steps.append(step(clause, first, digit, row))
    pairs = zip(rows, multipliers, strict=True)
    total = sum(row * 10**place for row, (place, _) in pairs)
    if len(rows) > 1:
        steps.append(step("adds the rows in their places and gets {0}", total))
    return _with_point(problem, total, tuple(steps), wrong.index(True))


def _digit_by_digit(first: int, by: int, combine: Callable[[int, int, int], int]) -> Worked:
    steps: list[Step] = []
    carry, key, upper = 0, None, digits(first)
    for place, digit in enumerate(upper):
        product = combine(digit, by, carry)
        if carry:
            key = place if key is None else key
            if combine is _carry_forgotten:
                clause = "multiplies {0} by {1}, passes over the carried {2} and writes {3}"
            else:
                clause = "adds the carried {2} to {0} first, multiplies by {1} and writes {3}"
            shown = [digit, by, carry]
        else:
            clause, shown = "multiplies {0} by {1} and writes {2}", [digit, by]
        full = place == len(upper) - 1
        written = product if full else product % 10
        if not full and product >= 10:
            clause += f" with {{{len(shown) + 1}}} to carry"
            steps.append(step(clause, *shown, written, product // 10))
        else:
            steps.append(step(clause, *shown, written))
        carry = product // 10
    result = _row(first, by, combine)
    steps.append(step("reads the answer {0}", result))
    return Worked(Answer.number(result), tuple(steps), key or 0)
