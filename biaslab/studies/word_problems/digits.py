"""Numbers built digit by digit, so that additions carry, and subtractions borrow, as asked.

All numbers that are added or subtracted have digits from 1 to 9 only: with no zero anywhere,
two sets of numbers cannot differ in their zeros.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

from schoolmath.problems import DesignError, Draws, Operation
from schoolmath.problems.quantities import LARGEST_RESULT, NumberRange, QuantityChain, apply


def lengths(numbers: NumberRange, shortest: int) -> tuple[int, ...]:
    """Numbers of digits that the range holds, those that it holds wholly where there are any.

    Raises:
        DesignError: it holds none with so many digits or more.
    """
    partly, wholly = [], []
    for length in range(shortest, len(str(LARGEST_RESULT)) + 1):
        low, high = 10 ** (length - 1), 10**length - 1
        if numbers.low <= high and low <= numbers.high:
            partly.append(length)
        if numbers.low <= max(low, 2) and high <= numbers.high:
            wholly.append(length)
    if not partly:
        raise DesignError(
            f"Numbers from {numbers.low} to {numbers.high} have fewer than {shortest} digits, so "
            "the digits of one cannot carry into the next without making it longer.",
            "Numbers from 10 to 99 work.",
            "numbers",
        )
    return tuple(wholly or partly)


class _Bounds(NamedTuple):
    low: int
    high: int


@cache
def _bounds(operations: tuple[str, ...], lead: int) -> tuple[tuple[_Bounds, _Bounds], ...]:
    """Before each operation, and at the end: what a digit may be, and what the first one may.

    So that the operations that follow find something to add or take away: at least 1 at every
    place, and at least `lead` at the first.
    """
    found = []
    for index in range(len(operations) + 1):
        sign = operations[index] if index < len(operations) else ""
        run = len(tuple(itertools.takewhile(sign.__eq__, operations[index:])))
        up = run if sign == Operation.ADD else 0
        down = run if sign == Operation.SUBTRACT else 0
        found.append((_Bounds(down, 9 - up), _Bounds(1 + down * lead, 9 - up * lead)))
    return tuple(found)


def carry_free(
    draws: Draws, operations: tuple[str, ...], length: int, numbers: NumberRange, lead: int = 1
) -> QuantityChain | None:
    """Numbers for the operations, none of whose sums carries and none of whose differences borrows.

    Args:
        draws: the stream of random choices.
        operations: signs of `Operation`; those that multiply or divide take any number.
        length: digits of the numbers that are added or subtracted, and of the first one.
        numbers: range of all numbers.
        lead: the least first digit of the numbers that are added or subtracted.
    """
    bounds = _bounds(operations, lead)
    first = 0
    for place in range(length):
        low, high = bounds[0][place == length - 1]
        low = max(low, lead if place == length - 1 else 1)
        if low > high:
            return None
        first += draws.between(low, high) * 10**place
    amount, chosen, amounts = first, list[int](), list[int]()
    for index, operation in enumerate(operations):
        if operation in (Operation.ADD, Operation.SUBTRACT):
            number = _added(draws, operation, amount, (length, lead), bounds[index + 1])
        else:
            options = _factors(operation, amount, numbers)
            number = draws.one(options) if options else 0
        if not number:
            return None
        amount = apply(operation, amount, number)
        chosen.append(number)
        amounts.append(amount)
    stated = (first, *chosen)
    if amount in stated or not numbers.low <= min(stated) <= max(stated) <= numbers.high:
        return None
    return QuantityChain(first, operations, tuple(chosen), tuple(amounts))


def _added(
    draws: Draws,
    operation: str,
    amount: int,
    shape: tuple[int, int],
    bounds: tuple[_Bounds, _Bounds],
) -> int:
    """A number to add or subtract without carrying; 0: there is none.

    Its shape is how many digits it has, and the least first one; the bounds are those of the
    result's digits.
    """
    length, lead = shape
    number, power = 0, 1
    for place in range(length):
        digit = amount // power % 10
        low, high = bounds[place == length - 1]
        smallest = lead if place == length - 1 else 1
        if operation == Operation.ADD:
            least, most = max(smallest, low - digit), min(9, high - digit)
        else:
            least, most = max(smallest, digit - high), min(9, digit - low)
        if least > most:
            return 0
        number += draws.between(least, most) * power
        power *= 10
    return number


@cache
def _factors(operation: str, amount: int, numbers: NumberRange) -> tuple[int, ...]:
    low, high = max(numbers.low, 2), numbers.high
    if operation == Operation.MULTIPLY:
        return tuple(range(low, min(high, LARGEST_RESULT // amount) + 1))
    return tuple(d for d in range(low, min(high, amount - 1) + 1) if amount % d == 0)


class NumberPair(NamedTuple):
    """Two numbers of the text: of a step, and of what stands before it."""

    before: int
    number: int


def carry_twin(
    draws: Draws, chain: QuantityChain, target: int, count: int, numbers: NumberRange
) -> NumberPair | None:
    """Two other numbers with which one step has so many carries, and nothing else changes.

    The amount after the step stays, and so does the amount before the sentence before it; the
    amount between the two changes, with as many digits as before.

    Args:
        draws: the stream of random choices.
        chain: numbers, none of whose additive steps carries, apart from the target.
        target: which operation it is; the one before it, if any, adds or subtracts too.
        count: carries or borrows that the step is to have; 0 for none.
        numbers: range of all numbers.
    """
    before = chain.operations[target - 1] if target else ""
    start = (chain.amounts[target - 2] if target > 1 else chain.first) if target else 0
    shown = NumberPair(chain.numbers[target - 1] if target else chain.first, chain.numbers[target])
    middle = chain.amounts[target - 1] if target else chain.first
    end = chain.amounts[target]
    places = len(str(max(start, middle, end)))
    patterns = list(itertools.combinations(range(places - 1), count))
    for carrying in draws.several(patterns, len(patterns)):
        found = [0, 0]
        between = 0
        for place in range(places):
            power = 10**place
            options = _fillings(
                before, chain.operations[target],
                (start // power % 10, end // power % 10),
                (power <= shown.before, power <= shown.number),
                (place - 1 in carrying, place in carrying),
            )  # fmt: skip
            if not options:
                break
            digits = draws.one(options)
            between += digits.middle * power
            found[0] += digits.before * power
            found[1] += digits.number * power
        else:
            twin = NumberPair(*found)
            inside = numbers.low <= min(twin) <= max(twin) <= numbers.high
            as_long = len(str(between)) == len(str(middle))
            if inside and as_long and chain.amounts[-1] not in twin:
                return twin
    return None


class _Digits(NamedTuple):
    middle: int
    before: int
    number: int


@cache
def _fillings(
    before: str,
    operation: str,
    known: tuple[int, int],
    present: tuple[bool, bool],
    carry: tuple[bool, bool],
) -> tuple[_Digits, ...]:
    """Every way to fill one place of the two numbers.

    Args:
        before: the operation before, "" where the amount before the step is itself stated.
        operation: the step's.
        known: this place's digit of the amount before that, and of the amount after the step.
        present: whether the two numbers have a digit here.
        carry: whether the step carries (or borrows) into this place, and out of it.
    """
    start, end = known
    into, out = int(carry[0]), 10 * int(carry[1])
    found = []
    for number in range(1, 10) if present[1] else (0,):
        if operation == Operation.ADD:
            middle = end + out - number - into
        else:
            middle = end + number + into - out
        if not 0 <= middle <= 9:
            continue
        stated = {"": middle, Operation.ADD: middle - start}.get(before, start - middle)
        if (1 <= stated <= 9) if present[0] else stated == 0:
            found.append(_Digits(middle, stated, number))
    return tuple(found)
