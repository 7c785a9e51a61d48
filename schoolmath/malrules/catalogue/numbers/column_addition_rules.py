"""How addition in columns goes wrong: carrying, face values and lining up."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.digits import PLACES, digits, number
from schoolmath.malrules.catalogue.numbers.column_addition import ColumnAddition, columns
from schoolmath.malrules.catalogue.numbers.column_multiplication import ColumnMultiplication
from schoolmath.malrules.catalogue.numbers.decimal_operations import DecimalSum
from schoolmath.malrules.catalogue.numbers.place_value import ExpandedForm
from schoolmath.malrules.catalogue.numbers.rounding import EstimatedSum
from schoolmath.malrules.catalogue.numbers.whole_division import DivisionThenSum
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step


def _without_carry(first: int, second: int) -> int:
    return number([(upper + lower) % 10 for upper, lower in columns(first, second)])


def _needs_carry(first: int, second: int) -> bool:
    return any(upper + lower >= 10 for upper, lower in columns(first, second))


@mal_rule("NO12")
def no_carry(
    problem: ColumnAddition | DecimalSum | EstimatedSum | DivisionThenSum,
) -> Worked | None:
    """Every carry is dropped."""
    match problem:
        case ColumnAddition():
            return _no_carry_in_columns(problem.first, problem.second)
        case DecimalSum():
            first, second = problem.aligned
            if not _needs_carry(first, second):
                return None
            result = Fraction(_without_carry(first, second), 10**problem.places)
            answer = Answer.decimal(result, problem.places)
            before = [step("lines {0} and {1} up at the point", *problem.shown)]
        case EstimatedSum():
            first, second = problem.rounded
            answer = Answer.number(_without_carry(first, second))
            before = [problem.rounding_step(problem.rounded)]
        case DivisionThenSum():
            first, second = problem.quotient, problem.added
            answer = Answer.number(_without_carry(first, second))
            before = [problem.division_step()]
    if not _needs_carry(first, second):
        return None
    adding = step("adds column by column and writes the ones of each sum, which gives {0}", answer)
    return Worked(answer, (*before, adding), len(before))


def _no_carry_in_columns(first: int, second: int) -> Worked | None:
    if not _needs_carry(first, second):
        return None
    steps: list[Step] = []
    key = None
    for place, (upper, lower) in enumerate(columns(first, second)):
        total = upper + lower
        clause = f"adds {{0}} and {{1}} in the {PLACES[place]} column"
        if total >= 10:
            key = place if key is None else key
            clause += " to {2}, writes {3} and goes on"
            steps.append(step(clause, upper, lower, total, total % 10))
        else:
            steps.append(step(clause + " and writes {2}", upper, lower, total))
    result = _without_carry(first, second)
    return Worked(Answer.number(result), (*steps, step("reads the answer {0}", result)), key or 0)


@mal_rule("NO13")
def write_both_digits(
    problem: ColumnAddition | ColumnMultiplication | DivisionThenSum,
) -> Worked | None:
    """Every column's result is written in full."""
    before: list[Step] = []
    word = "adds"
    match problem:
        case ColumnAddition():
            pairs = columns(problem.first, problem.second)
        case DivisionThenSum():
            pairs = columns(problem.quotient, problem.added)
            before = [problem.division_step()]
        case ColumnMultiplication():
            if problem.second >= 10:
                return None
            pairs = [(digit, problem.second) for digit in digits(problem.first)]
            word = "multiplies"
    results = [one * two if word == "multiplies" else one + two for one, two in pairs]
    if all(result < 10 for result in results[:-1]):
        return None
    steps = list(before)
    for place, ((one, two), result) in enumerate(zip(pairs, results, strict=True)):
        clause = f"{word} {{0}} and {{1}} in the {PLACES[place]} column and writes {{2}} in full"
        steps.append(step(clause, one, two, result))
    written = int("".join(str(result) for result in reversed(results)))
    steps.append(step("reads the answer {0}", written))
    key = len(before) + next(place for place, result in enumerate(results) if result >= 10)
    return Worked(Answer.number(written), tuple(steps), key)


@mal_rule("NO14")
def digits_as_ones(problem: ColumnAddition | ExpandedForm) -> Worked | None:
    """Every digit counts as ones."""
    if isinstance(problem, ExpandedForm):
        faces = [int(str(part)[0]) for part in problem.parts]
    else:
        faces = [*reversed(digits(problem.first)), *reversed(digits(problem.second))]
        if len(faces) == 2:
            return None
    places = " + ".join(f"{{{index}}}" for index in range(len(faces)))
    total = sum(faces)
    return Worked(
        Answer.number(total),
        (
            step(f"reads every digit as ones and adds {places}", *faces),
            step("gets {0}", total),
        ),
    )


@mal_rule("NO15")
def left_aligned_columns(problem: ColumnAddition | ExpandedForm) -> Worked | None:
    """The numbers are lined up on the left."""
    given = problem.parts if isinstance(problem, ExpandedForm) else (problem.first, problem.second)
    width = max(len(str(each)) for each in given)
    padded = [each * 10 ** (width - len(str(each))) for each in given]
    moved = [(old, new) for old, new in zip(given, padded, strict=True) if old != new]
    if not moved:
        return None
    steps = [
        step("lines the numbers up on the left, so that {0} counts as {1}", *moved[0]),
        *(step("lets {0} count as {1}", *pair) for pair in moved[1:]),
    ]
    places = " + ".join(f"{{{index}}}" for index in range(len(padded)))
    total = sum(padded)
    steps.append(step(f"adds {places} and gets {{{len(padded)}}}", *padded, total))
    return Worked(Answer.number(total), tuple(steps))


@mal_rule("NO16")
def carries_the_wrong_digit(
    problem: ColumnAddition | ColumnMultiplication | DivisionThenSum,
) -> Worked | None:
    """The tens digit is written and the ones digit carried."""
    match problem:
        case ColumnAddition():
            return _swapped(columns(problem.first, problem.second), _plus, "adds", [])
        case DivisionThenSum():
            pairs = columns(problem.quotient, problem.added)
            return _swapped(pairs, _plus, "adds", [problem.division_step()])
        case ColumnMultiplication():
            if problem.second >= 10:
                return None
            pairs = [(digit, problem.second) for digit in digits(problem.first)]
            return _swapped(pairs, _times, "multiplies", [])


def _plus(one: int, two: int) -> int:
    return one + two


def _times(one: int, two: int) -> int:
    return one * two


def _swapped(
    pairs: list[tuple[int, int]],
    combine: Callable[[int, int], int],
    word: str,
    before: list[Step],
) -> Worked | None:
    steps, written = list(before), []
    carry, key = 0, None
    for place, (one, two) in enumerate(pairs):
        result = combine(one, two) + carry
        shown: list[int] = [one, two]
        clause = f"{word} {{0}} and {{1}} in the {PLACES[place]} column"
        if carry:
            clause += ", adds the carried {2}"
            shown.append(carry)
        if result >= 10 and place < len(pairs) - 1:
            key = len(steps) if key is None else key
            tens, ones = divmod(result, 10)
            clause += f", writes {{{len(shown)}}} and carries {{{len(shown) + 1}}}"
            shown += [tens, ones]
            written.append(tens)
            carry = ones
        else:
            clause += f" and writes {{{len(shown)}}}"
            shown.append(result)
            written.append(result)
            carry = 0
        steps.append(step(clause, *shown))
    if key is None:
        return None
    answer = Answer.number(number(written))
    return Worked(answer, (*steps, step("reads the answer {0}", answer)), key)
