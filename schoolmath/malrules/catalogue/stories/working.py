"""Working through a story, rightly or with something else done at some of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import gcd

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.stories.chain import COMPARISON, PART, UNDONE, Chain
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.solving import Operation


class Deed(StrEnum):
    """What is done at a step in place of what it needs."""

    OPERATION = "another operation"
    SKIP = "nothing"
    ASSIGN = "the number is taken for the amount"
    COLUMNS = "a written procedure goes wrong"
    OFFSET = "the result is off"


@dataclass(frozen=True, slots=True)
class Edit:
    """What somebody does at one step.

    Attributes:
        deed: what is done.
        operation: for another operation, which.
        offset: for a result that is off, by how much.
        aside: words that go before the clause, ending in a comma or "and", such as
            ``sees “more”,``.
    """

    deed: Deed
    operation: str = ""
    offset: int = 0
    aside: str = ""


def work(story: Chain, edits: Mapping[int, Edit]) -> Worked | None:
    """The chain with the edits made at their steps; None where a number is undefined.

    Args:
        story: the problem.
        edits: what is done otherwise, by the index of the step.
    """
    amount = Fraction(story.start)
    clauses = [_opening(story)]
    key: int | None = None
    for index in story.steps:
        edit = edits.get(index)
        if edit is not None and edit.deed is Deed.COLUMNS and not _slips(story, index, amount):
            edit = None
        if edit is not None and key is None:
            key = len(clauses)
        done = _do(story, index, amount, edit)
        if done is None:
            return None
        amount, clause = done
        clauses.append(clause)
    answer = Answer.number(amount)
    if answer.shown not in clauses[-1].numbers:
        clauses[-1] = _with_answer(clauses[-1], answer)
    return Worked(answer, tuple(clauses), len(clauses) - 1 if key is None else key)


def _opening(story: Chain) -> Step:
    name = story.agents[0]
    if story.concepts[0] == PART:
        return step("starts with {0}, what both have together", story.start)
    if story.concepts[0] == UNDONE:
        return step(f"starts with {{0}}, what {name or 'there'} has at the end", story.start)
    return step(f"starts with {{0}}, what {name} has" if name else "starts with {0}", story.start)


def _with_answer(clause: Step, answer: Answer) -> Step:
    place = len(clause.numbers)
    return Step(f"{clause.template} and answers {{{place}}}", (*clause.numbers, answer.shown))


def _do(
    story: Chain, index: int, amount: Fraction, edit: Edit | None
) -> tuple[Fraction, Step] | None:
    number, operation = story.numbers[index], story.operations[index]
    if edit is None:
        done = reckon(operation, amount, number)
        return None if done is None else (done, clause_of(operation, amount, number, done))
    match edit.deed:
        case Deed.SKIP:
            return amount, step("leaves out the sentence with {0}", number)
        case Deed.ASSIGN:
            who = story.agents[index + 1]
            return Fraction(number), step(
                f"takes {{0}} for what {who} has" if who else "takes {0} for the amount", number
            )
        case Deed.COLUMNS:
            wrong = in_columns(operation, amount, number)
        case Deed.OPERATION:
            operation = edit.operation
            wrong = reckon(operation, amount, number)
        case Deed.OFFSET:
            wrong = reckon(operation, amount, number)
            wrong = None if wrong is None else wrong + edit.offset
    if wrong is None:
        return None
    return wrong, clause_of(operation, amount, number, wrong, edit.aside)


def _slips(story: Chain, index: int, amount: Fraction) -> bool:
    return in_columns(story.operations[index], amount, story.numbers[index]) is not None


def clause_of(
    operation: str, left: Fraction, right: int, result: Fraction, aside: str = ""
) -> Step:
    """One calculation as a clause, with the words before it."""
    numbers = (left, right, result)
    match operation:
        case Operation.ADD:
            clause = "adds {1} to {0} and gets {2}"
        case Operation.SUBTRACT:
            clause = "takes {1} from {0} and gets {2}"
        case Operation.MULTIPLY:
            clause = "multiplies {0} by {1} and gets {2}"
        case _:
            clause = "divides {0} by {1} and gets {2}"
    return step(f"{aside} {clause}" if aside else clause, *numbers)


def reckon(operation: str, left: Fraction, right: int) -> Fraction | None:
    """One exact calculation; None for a division by zero."""
    match operation:
        case Operation.ADD:
            return left + right
        case Operation.SUBTRACT:
            return left - right
        case Operation.MULTIPLY:
            return left * right
    return None if right == 0 else left / right


Ratio = tuple[int, int]
"""A fraction in its lowest terms, numerator and denominator: hashed many times sooner than one of
the standard library's."""


def ratio_of(value: Fraction) -> Ratio:
    """The numerator and denominator of a fraction."""
    return value.numerator, value.denominator


def reckon_ratio(operation: str, left: Ratio, right: int) -> Ratio | None:
    """What `reckon` does, where a great many results are counted."""
    top, bottom = left
    match operation:
        case Operation.ADD:
            return top + right * bottom, bottom
        case Operation.SUBTRACT:
            return top - right * bottom, bottom
        case Operation.MULTIPLY:
            shared = gcd(right, bottom)
            return top * (right // shared), bottom // shared
    if right == 0:
        return None
    shared = gcd(top, right) * (1 if right > 0 else -1)
    return top // shared, bottom * (right // shared)


def in_columns(operation: str, left: int | Fraction, right: int) -> Fraction | None:
    """A sum without its carries, or a difference with the smaller digit from the larger.

    None where there is nothing to go wrong: another operation, no carry, no borrow, or
    numbers that are not written in columns.
    """
    if left.denominator != 1 or left < 0 or right < 0:
        return None
    whole = int(left)
    if operation == Operation.ADD:
        wrong = without_carries(whole, right)
        return None if wrong == whole + right else Fraction(wrong)
    if operation == Operation.SUBTRACT and whole >= right:
        wrong = smaller_from_larger_digits(whole, right)
        return None if wrong == whole - right else Fraction(wrong)
    return None


def without_carries(top: int, bottom: int) -> int:
    """A sum whose carries are dropped: 47 + 38 is 75, and 88 + 39 is 117.

    As in `biaslab.models`, the leftmost column is written in full: nothing is carried there.
    """
    result, place = 0, 1
    while top or bottom:
        column = top % 10 + bottom % 10
        top, bottom = top // 10, bottom // 10
        result += (column % 10 if top or bottom else column) * place
        place *= 10
    return result


def smaller_from_larger_digits(top: int, bottom: int) -> int:
    """A difference taken digit by digit, whichever is on top: 431 - 163 is 332. As NO01."""
    result, place = 0, 1
    while top or bottom:
        result += abs(top % 10 - bottom % 10) * place
        top, bottom, place = top // 10, bottom // 10, place * 10
    return result


def comparison_word(operation: str) -> str:
    """The relational word that suggests an operation."""
    return {
        Operation.ADD: "more",
        Operation.SUBTRACT: "fewer",
        Operation.MULTIPLY: "times as many",
        Operation.DIVIDE: "times fewer",
    }[operation]


def is_multiplicative_comparison(story: Chain, index: int) -> bool:
    """Whether a step is told as "so many times as many"."""
    times = story.operations[index] in (Operation.MULTIPLY, Operation.DIVIDE)
    return times and story.concepts[index] == COMPARISON
