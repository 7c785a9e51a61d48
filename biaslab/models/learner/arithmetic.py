"""A chain of calculations as a pupil does it: exact numbers, columns, carries that get lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from biaslab.models.learner.chances import Luck

REVERSED = {"+": "-", "-": "+", "*": "/", "/": "*"}
"""The operation that undoes each operation."""


class UnreadableSteps(ValueError):
    """The facts do not hold a chain of steps; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One calculation that a problem needs: `left operation right`.

    Attributes:
        comparison: whether the sentence compares two amounts.
        consistent: for a comparison, whether its wording suggests the needed operation.
        operation: the operation needed, one of ``+ - * /``.
        right: the number the sentence states.
        result: the right result, used only to tell whether a learner's answer is right.
        agent, what: whose amount of what the result is, for writing it down.
    """

    comparison: bool
    consistent: bool | None
    operation: str
    right: int
    result: int
    agent: str
    what: str


@dataclass(frozen=True, slots=True)
class Calculations:
    """Calculations in which each starts from the result of the one before.

    Attributes:
        start: the number the first step starts from.
    """

    start: int
    steps: tuple[ChainStep, ...]


def read_chain(steps: object) -> Calculations:
    """The chain in the ``steps`` of an item's facts.

    Args:
        steps: a list with ``rule``, ``consistent``, ``operation``, ``left``, ``right``,
            ``result`` and, for writing only, ``agent`` and ``what`` in each entry.

    Raises:
        UnreadableSteps: an entry lacks something, or a step does not continue the one before.
    """
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not steps:
        raise UnreadableSteps("there are no steps")
    start = _whole(steps[0], "left", 1)
    reached = start
    chain = []
    for number, facts in enumerate(steps, start=1):
        if _whole(facts, "left", number) != reached:
            raise UnreadableSteps(f"step {number} does not start from the result of the one before")
        step = _read_step(facts, number)
        reached = step.result
        chain.append(step)
    return Calculations(start, tuple(chain))


def _read_step(facts: Mapping[str, Any], number: int) -> ChainStep:
    operation = facts.get("operation")
    if operation not in REVERSED:
        raise UnreadableSteps(f"step {number} has no operation")
    return ChainStep(
        comparison=facts.get("rule") == "compare",
        consistent=facts.get("consistent"),
        operation=operation,
        right=_whole(facts, "right", number),
        result=_whole(facts, "result", number),
        agent=str(facts.get("agent", "")),
        what=str(facts.get("what", "")),
    )


def _whole(facts: object, name: str, number: int) -> int:
    value = facts.get(name) if isinstance(facts, Mapping) else None
    if not isinstance(value, int) or isinstance(value, bool):
        raise UnreadableSteps(f"step {number} has no whole number as “{name}”")
    return value


def calculate(
    left: Fraction, operation: str, right: int, carry_slip: float, chances: Luck
) -> Fraction:
    """The result of one calculation; additions and subtractions may lose carries.

    Each carry or borrow is forgotten with the probability of a carry slip. A carry out of the
    leftmost column is written down, not carried, and is never forgotten.
    """
    if operation == "*":
        return left * right
    if operation == "/":
        return left / right
    if carry_slip == 0.0 or left.denominator != 1 or left < 0 or right < 0:
        return left + right if operation == "+" else left - right
    if operation == "+":
        return Fraction(_add_in_columns(int(left), right, carry_slip, chances))
    if left < right:
        return left - right
    return Fraction(_subtract_in_columns(int(left), right, carry_slip, chances))


def _add_in_columns(left: int, right: int, carry_slip: float, chances: Luck) -> int:
    result, place, carry = 0, 1, 0
    while left or right:
        column = left % 10 + right % 10 + carry
        left, right = left // 10, right // 10
        if not (left or right):
            return result + column * place
        result += column % 10 * place
        carry = column // 10
        if carry and chances.happens(carry_slip):
            carry = 0
        place *= 10
    return result


def _subtract_in_columns(left: int, right: int, carry_slip: float, chances: Luck) -> int:
    result, place, borrow = 0, 1, 0
    while left:
        column = left % 10 - right % 10 - borrow
        borrow = int(column < 0)
        result += column % 10 * place
        if borrow and chances.happens(carry_slip):
            borrow = 0
        left, right, place = left // 10, right // 10, place * 10
    return result


def write_number(number: Fraction) -> str:
    """A number in Arabic numerals.

    Whole numbers stand as they are, others with a decimal point: exactly where that takes at
    most four places, otherwise rounded to two, or to as many as it takes not to look like a
    whole number that it is not.
    """
    if number.denominator == 1:
        return str(number.numerator)
    places = 4
    scaled = number * 10**places
    if scaled.denominator != 1:
        places = 2
        while round(number * 10**places) % 10**places == 0:
            places += 1
        scaled = Fraction(round(number * 10**places))
    digits = f"{abs(scaled.numerator):0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0")
    return f"-{text}" if number < 0 else text
