"""Choosing numbers so that every amount on the way is in range.

Two ways, for the two kinds of study:

- `chain`: numbers for a given sequence of operations, drawn one by one among those that keep
  every intermediate result whole and in range. Nothing is drawn and thrown away as a whole,
  which is what skewed the released data towards small numbers.
- `carry_twins`: two sums (or differences) of numbers with as many digits and one answer, built
  digit by digit, one without a carry and one with exactly so many in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from schoolmath.problems.draws import Draws
from schoolmath.problems.errors import DesignError
from schoolmath.problems.logic import Operation

LARGEST_RESULT = 999
"""No intermediate result is above this (Opedal et al. 2024, section 4.2)."""


class NumberRange(NamedTuple):
    """Smallest and largest number that may stand in a problem's text."""

    low: int
    high: int


@lru_cache(maxsize=2**16)
def carries(operation: str, left: int, right: int) -> int:
    """How many carries a written addition has, or borrows a subtraction.

    Zero for the other operations and for numbers below 0, where the paper's feature is not
    defined.
    """
    if operation == Operation.SUBTRACT:
        return carries(Operation.ADD, left - right, right)
    if operation != Operation.ADD or left < 0 or right < 0:
        return 0
    # Each carry takes ten from a place and gives one to the next: nine less in the digits.
    return (_digit_sum(left) + _digit_sum(right) - _digit_sum(left + right)) // 9


@lru_cache(maxsize=10_000)
def _digit_sum(number: int) -> int:
    return sum(map(int, str(number)))


def apply(operation: str, left: int, right: int) -> int:
    """The result of one operation; a division must leave no remainder."""
    if operation == Operation.ADD:
        return left + right
    if operation == Operation.SUBTRACT:
        return left - right
    if operation == Operation.MULTIPLY:
        return left * right
    return left // right


EITHER = "±"
"""In a sequence of operations: add or subtract, whichever the numbers allow."""


class Signs:
    """Chooses between adding and subtracting so that both are as frequent in the long run.

    The numbers are drawn first and the sign after them, because drawing numbers that suit a
    sign given in advance favours small ones. Where subtraction is impossible the sum is
    remembered, and later choices lean the other way, gently enough to stay unpredictable.
    """

    __slots__ = ("_draws", "_surplus")

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._surplus = 0

    def choose(self, *, can_subtract: bool) -> str:
        """The next sign."""
        lean = min(max(0.5 + 0.02 * self._surplus, 0.2), 0.8)
        subtract = can_subtract and self._draws.chance(lean)
        self._surplus += -1 if subtract else 1
        return Operation.SUBTRACT if subtract else Operation.ADD


@dataclass(frozen=True, slots=True)
class QuantityChain:
    """A first number, then operations with a number each, and the amount after each."""

    first: int
    operations: tuple[str, ...]
    numbers: tuple[int, ...]
    amounts: tuple[int, ...]


def chain(
    draws: Draws, signs: Signs, operations: Sequence[str], numbers: NumberRange
) -> QuantityChain | None:
    """Numbers for the operations in order, or None when this attempt reached a dead end.

    Every amount stays from 1 to `LARGEST_RESULT`, divisions are exact, and the last amount,
    the answer, differs from every number in the text. Numbers are spread as evenly over the
    range as the arithmetic allows: a divisor is chosen before the number that makes the
    amount divisible.

    Args:
        draws: the stream of random choices.
        signs: resolves operations that are `EITHER`.
        operations: signs of `Operation`, or `EITHER`.
        numbers: range of all numbers in the text.
    """
    todo = list(operations)
    if todo[0] == EITHER:
        todo[0] = signs.choose(can_subtract=True)
    first, divisor = _first(draws, todo[0], numbers)
    amount = first
    chosen: list[int] = []
    amounts: list[int] = []
    for index, operation in enumerate(todo):
        divides_next = index + 1 < len(todo) and todo[index + 1] == Operation.DIVIDE
        if operation == EITHER:
            number, operation = _either(draws, signs, amount, numbers, divides_next)
            todo[index] = operation
        else:
            number = divisor or _draw(draws, operation, amount, numbers)
        divisor = 0
        if divides_next and number:
            number, divisor = _divisible(draws, operation, amount, numbers)
        if not number:
            return None
        amount = apply(operation, amount, number)
        chosen.append(number)
        amounts.append(amount)
    if amount == first or amount in chosen:
        return None
    return QuantityChain(first, tuple(todo), tuple(chosen), tuple(amounts))


def _first(draws: Draws, operation: str, numbers: NumberRange) -> tuple[int, int]:
    """A first number that suits the first operation, and its divisor where that divides.

    Before a subtraction it is the larger of two draws, so that the two numbers of the
    subtraction together are spread evenly over the range.
    """
    low, high = numbers
    if operation == Operation.SUBTRACT and high > low:
        one = draws.between(low, high)
        other = draws.between(low, high - 1)
        return max(one, other + 1 if other >= one else other), 0
    if operation == Operation.DIVIDE and high >= 2 * max(low, 2):
        divisor = draws.between(max(low, 2), high // 2)
        smallest = max(2, -(-low // divisor))
        return divisor * draws.between(smallest, high // divisor), divisor
    return draws.between(low, high), 0


def _draw(draws: Draws, operation: str, amount: int, numbers: NumberRange) -> int:
    """A number for the operation, or 0 where there is none."""
    options = suiting(operation, amount, numbers)
    return draws.one(options) if options else 0


def _either(
    draws: Draws, signs: Signs, amount: int, numbers: NumberRange, divides_next: bool
) -> tuple[int, str]:
    number = draws.between(*numbers)
    if amount + number > LARGEST_RESULT:
        return (number, Operation.SUBTRACT) if number < amount else (0, EITHER)
    # Before a division the number is chosen again for its divisor; the sign must not depend
    # on a number that is given up.
    can_subtract = amount > numbers.high if divides_next else amount > number
    return number, signs.choose(can_subtract=can_subtract)


def _divisible(draws: Draws, operation: str, amount: int, numbers: NumberRange) -> tuple[int, int]:
    """A number after which the amount is divisible, and the divisor; zeros where none is."""
    by_divisor = _by_divisor(operation, amount, numbers)
    if not by_divisor:
        return 0, 0
    divisor, options = draws.one(by_divisor)
    return draws.one(options), divisor


@cache
def _by_divisor(
    operation: str, amount: int, numbers: NumberRange
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found: dict[int, list[int]] = {}
    for number in suiting(operation, amount, numbers):
        for divisor in _divisors(apply(operation, amount, number), *numbers):
            found.setdefault(divisor, []).append(number)
    return tuple((divisor, tuple(options)) for divisor, options in found.items())


@cache
def _divisors(value: int, low: int, high: int) -> tuple[int, ...]:
    return tuple(d for d in range(max(low, 2), min(high, value // 2) + 1) if value % d == 0)


@cache
def suiting(operation: str, amount: int, numbers: NumberRange) -> Sequence[int]:
    """Numbers of the range that can be used with this operation on this amount.

    Nothing is multiplied or divided by 1, and every result is from 1 to `LARGEST_RESULT`.
    """
    low, high = numbers
    if operation == Operation.ADD:
        return range(low, min(high, LARGEST_RESULT - amount) + 1)
    if operation == Operation.SUBTRACT:
        return range(low, min(high, amount - 1) + 1)
    if operation == Operation.MULTIPLY:
        return range(max(low, 2), min(high, LARGEST_RESULT // amount) + 1)
    return _divisors(amount, low, high)


class Sum(NamedTuple):
    """Two numbers of a comparison: what is known, and by how much the other differs."""

    known: int
    difference: int


@dataclass(frozen=True, slots=True)
class CarryTwins:
    """Two problems with one answer: `plain` without, `carrying` with carries or borrows."""

    answer: int
    plain: Sum
    carrying: Sum
    carries: int
    zeros: int
    """Zero digits in the two numbers, the same in both twins."""


class _Digit(NamedTuple):
    """One position of both twins: the answer's digit and the difference's in each twin."""

    answer: int
    plain: int
    carrying: int


@cache
def _digits(
    operation: str, carry_in: int, carry_out: int, zero: bool, leading: bool
) -> tuple[_Digit, ...]:
    """Every way to fill one position of both twins.

    The plain twin has neither carry in nor out. With `zero`, exactly one of the two operand
    digits is 0 in either twin; without, none is. In the leading position no digit is 0.
    """
    found = []
    for answer in range(10):
        for plain in range(10):
            for carrying in range(10):
                p = _operand_digits(operation, answer, plain, 0, 0)
                c = _operand_digits(operation, answer, carrying, carry_in, carry_out)
                if p is None or c is None or (leading and answer == 0):
                    continue
                if p.count(0) == c.count(0) == int(zero):
                    found.append(_Digit(answer, plain, carrying))
    return tuple(found)


def _operand_digits(
    operation: str, answer: int, difference: int, carry_in: int, carry_out: int
) -> tuple[int, int] | None:
    """Digits of (known, difference) at one position, or None where they do not fit.

    Adding, known + difference + carry in = answer + 10 carry out; subtracting is the same sum
    read backwards: answer + difference + carry in = known + 10 carry out.
    """
    if operation == Operation.ADD:
        known = answer + 10 * carry_out - difference - carry_in
    else:
        known = answer + difference + carry_in - 10 * carry_out
    return (known, difference) if 0 <= known <= 9 else None


def carry_twins(
    draws: Draws, operation: str, count: int, zero: bool, digits: int = 3
) -> CarryTwins:
    """Two sums (or differences) of numbers with so many digits, and the same answer with as many.

    Args:
        draws: the stream of random choices.
        operation: `Operation.ADD` or `Operation.SUBTRACT`.
        count: carries (or borrows) of the carrying twin, a chain of neighbouring places: from 1
            to one less than the digits. There is none into a further digit.
        zero: whether the numbers of each twin hold one zero digit (in a place that does not
            carry, and so with fewer carries than there can be) or none.
        digits: of all numbers, 2 or more.

    Raises:
        DesignError: that many carries leave no place for a zero.
    """
    others = digits - 1 - count
    if zero and not others:
        raise DesignError(
            f"With {count} carries no digit of the numbers can be zero in both twins alike.",
            "Ask for fewer carries, or for no zero digits.",
            "carries",
        )
    first = others - draws.below(others + 1) if others else 0
    carried = [int(first <= place < first + count) for place in range(digits)]
    at = carried.index(0) if zero else digits
    while True:
        places = [
            draws.one(
                _digits(
                    operation,
                    carried[place - 1] if place else 0,
                    carried[place],
                    place == at,
                    place == digits - 1,
                )
            )
            for place in range(digits)
        ]
        answer = sum(place.answer * 10**power for power, place in enumerate(places))
        plain = sum(place.plain * 10**power for power, place in enumerate(places))
        carrying = sum(place.carrying * 10**power for power, place in enumerate(places))
        sign = -1 if operation == Operation.ADD else 1
        twins = CarryTwins(
            answer,
            Sum(answer + sign * plain, plain),
            Sum(answer + sign * carrying, carrying),
            count,
            int(zero),
        )
        if plain != carrying and answer not in (*twins.plain, *twins.carrying):
            return twins
