"""Habits that show in several calculations: carries, lining up, rests, signs, powers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import add, mul

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.numbers.columns import (
    ColumnAddition,
    ColumnMultiplication,
    DecimalSum,
    columns,
)
from schoolmath.malrules.catalogue.numbers.division import Division, DivisionThenSum
from schoolmath.malrules.catalogue.numbers.order_of_operations import PowerInChain
from schoolmath.malrules.catalogue.numbers.places_and_factors import (
    PLACES,
    ExpandedForm,
    digits,
    number,
)
from schoolmath.malrules.catalogue.numbers.rounding import EstimatedSum, Rounding
from schoolmath.malrules.catalogue.numbers.signed_numbers import SignedSum
from schoolmath.malrules.rules import mal_rule


def _without_carry(first: int, second: int) -> int:
    return number([(upper + lower) % 10 for upper, lower in columns(first, second)])


def _needs_carry(first: int, second: int) -> bool:
    return any(upper + lower >= 10 for upper, lower in columns(first, second))


@mal_rule("NO12")
def no_carry(
    problem: ColumnAddition | DecimalSum | EstimatedSum | DivisionThenSum,
) -> Working | None:
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
    return by_steps(answer, *before, adding, key_step=len(before))


def _no_carry_in_columns(first: int, second: int) -> Working | None:
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
    return by_steps(
        Answer.number(result), *steps, step("reads the answer {0}", result), key_step=key or 0
    )


@mal_rule("NO13")
def write_both_digits(
    problem: ColumnAddition | ColumnMultiplication | DivisionThenSum,
) -> Working | None:
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
    return Working(Answer.number(written), tuple(steps), key)


@mal_rule("NO14")
def digits_as_ones(problem: ColumnAddition | ExpandedForm) -> Working | None:
    """Every digit counts as ones."""
    if isinstance(problem, ExpandedForm):
        faces = [int(str(part)[0]) for part in problem.parts]
    else:
        faces = [*reversed(digits(problem.first)), *reversed(digits(problem.second))]
        if len(faces) == 2:
            return None
    places = " + ".join(f"{{{index}}}" for index in range(len(faces)))
    total = sum(faces)
    return by_steps(
        Answer.number(total),
        step(f"reads every digit as ones and adds {places}", *faces),
        step("gets {0}", total),
    )


@mal_rule("NO15")
def left_aligned_columns(problem: ColumnAddition | ExpandedForm) -> Working | None:
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
    return Working(Answer.number(total), tuple(steps))


@mal_rule("NO16")
def carries_the_wrong_digit(
    problem: ColumnAddition | ColumnMultiplication | DivisionThenSum,
) -> Working | None:
    """The tens digit is written and the ones digit carried."""
    match problem:
        case ColumnAddition():
            return _swapped(columns(problem.first, problem.second), add, "adds", [])
        case DivisionThenSum():
            pairs = columns(problem.quotient, problem.added)
            return _swapped(pairs, add, "adds", [problem.division_step()])
        case ColumnMultiplication():
            if problem.second >= 10:
                return None
            pairs = [(digit, problem.second) for digit in digits(problem.first)]
            return _swapped(pairs, mul, "multiplies", [])


def _swapped(
    pairs: list[tuple[int, int]], combine: Callable[[int, int], int], word: str, before: list[Step]
) -> Working | None:
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
    return by_steps(answer, *steps, step("reads the answer {0}", answer), key_step=key)


@mal_rule("NO100")
def adds_the_digit_to_every_place(problem: ColumnAddition) -> Working | None:
    """A number of one digit is added in each column."""
    small, large = sorted((problem.first, problem.second))
    if small > 9 or large < 10:
        return None
    sums = [digit + small for digit in digits(large)]
    if max(sums) > 9:
        return None
    answer = Answer.number(number(sums))
    return by_steps(answer, step("adds {0} to each digit of {1}: {2}", small, large, answer))


@mal_rule("NO101")
def nought_times_n_is_n(problem: ColumnMultiplication) -> Working | None:
    """0 × n gives n in a column."""
    times, upper = sorted((problem.first, problem.second))
    if times > 9 or "0" not in str(upper):
        return None
    carried, written = 0, []
    for digit in digits(upper):
        carried, ones = divmod((digit or 1) * times + carried, 10)
        written.append(ones)
    answer = Answer.number(number([*written, carried]))
    said = step("says that {0} × {1} is {1}", 0, times)
    return by_steps(
        answer, said, step("works the other columns of {0} and gets {1}", upper, answer)
    )


def _quotient(problem: Division) -> int | None:
    return None if problem.dividend < problem.divisor else problem.dividend // problem.divisor


@mal_rule("NO107")
def last_nought_left_out(problem: Division) -> Working | None:
    """Stops when nothing is left, before the last digit."""
    quotient = _quotient(problem)
    if quotient is None or quotient % 10 or quotient < 100:
        return None
    answer = Answer.number(quotient // 10)
    told = step("divides {0} by {1} until nothing is left", problem.dividend, problem.divisor)
    return by_steps(answer, told, step("stops there and reads {0}", answer), key_step=1)


@mal_rule("NO205")
def quotient_written_backwards(problem: Division) -> Working | None:
    """Writes the digits of the quotient from the right."""
    quotient = _quotient(problem)
    if quotient is None or quotient < 10 or quotient % 10 == 0:
        return None
    answer = Answer.number(int(str(quotient)[::-1]))
    found = ", ".join(str(quotient))
    told = step("divides {0} by {1} and finds {2}", problem.dividend, problem.divisor, found)
    return by_steps(answer, told, step("writes them from the right: {0}", answer), key_step=1)


@mal_rule("NO108")
def rounding_down_lowers_the_digit(problem: Rounding) -> Working | None:
    """The digit goes one down where it should stay."""
    kept, rest = divmod(problem.number, problem.place)
    if 10 * rest // problem.place >= 5 or kept < 2:
        return None
    answer = Answer.number((kept - 1) * problem.place)
    told = step("rounds {0} down and makes the digit one less: {1}", problem.number, answer)
    return by_steps(answer, told)


@mal_rule("NO206")
def zeros_left_out(problem: Rounding) -> Working:
    """Writes the rounded digits only."""
    kept = (problem.number + problem.place // 2) // problem.place
    answer = Answer.number(kept)
    told = step("rounds {0} and writes the digits down to the place: {1}", problem.number, answer)
    return by_steps(answer, told)


def _signed(value: int, wording: str, *numbers: int) -> Working:
    return by_steps(Answer.number(value), step(wording, *numbers, value))


@mal_rule("NO137")
def two_minuses_make_a_plus(problem: SignedSum) -> Working | None:
    """Two negatives in a sum give the sum of the sizes."""
    if problem.first > 0 or (problem.second > 0) != problem.minus:
        return None
    one, other = -problem.first, abs(problem.second)
    told = "sees two minus signs, makes a plus and adds {0} and {1}: {2}"
    return _signed(one + other, told, one, other)


@mal_rule("NO138")
def difference_with_the_first_sign(problem: SignedSum) -> Working | None:
    """The difference of the sizes with the sign of the first number."""
    one, other = -problem.first, problem.second
    if one < 0 or other < 0 or problem.minus or one == other:
        return None
    told = "takes the smaller of {0} and {1} from the larger and keeps the first sign: {2}"
    return _signed(-abs(one - other), told, one, other)


@mal_rule("NO139")
def minus_goes_towards_zero(problem: SignedSum) -> Working | None:
    """Subtracts from the size and keeps the sign."""
    one, other = -problem.first, problem.second
    if not problem.minus or not one > other > 0:
        return None
    return _signed(other - one, "takes {1} from {0} and keeps the minus: {2}", one, other)


@mal_rule("NO144")
def product_before_the_power(problem: PowerInChain) -> Working:
    """(a·b) to the power."""
    product = problem.factor * problem.base
    power = product**problem.exponent
    answer = Answer.number(problem.first + power + problem.last)
    return by_steps(
        answer,
        step("multiplies {0} by {1} first: {2}", problem.factor, problem.base, product),
        step("takes it to the power {0}: {1}", problem.exponent, power),
        step("adds {0}, {1} and {2}: {3}", problem.first, power, problem.last, answer),
    )
