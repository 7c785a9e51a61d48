"""Further habits with whole numbers in columns, divisions, rounding, signs and powers."""

from __future__ import annotations

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.digits import digits, number
from schoolmath.malrules.catalogue.numbers.column_addition import ColumnAddition
from schoolmath.malrules.catalogue.numbers.column_multiplication import ColumnMultiplication
from schoolmath.malrules.catalogue.numbers.order_of_operations import PowerInChain
from schoolmath.malrules.catalogue.numbers.rounding import Rounding
from schoolmath.malrules.catalogue.numbers.signed_numbers import SignedSum
from schoolmath.malrules.catalogue.numbers.whole_division import Division
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("NO100")
def adds_the_digit_to_every_place(problem: ColumnAddition) -> Worked | None:
    """A number of one digit is added in each column."""
    small, large = sorted((problem.first, problem.second))
    if small > 9 or large < 10:
        return None
    sums = [digit + small for digit in digits(large)]
    if max(sums) > 9:
        return None
    answer = Answer.number(number(sums))
    return Worked(answer, (step("adds {0} to each digit of {1}: {2}", small, large, answer),))


@mal_rule("NO101")
def nought_times_n_is_n(problem: ColumnMultiplication) -> Worked | None:
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
    return Worked(
        answer, (said, step("works the other columns of {0} and gets {1}", upper, answer))
    )


def _quotient(problem: Division) -> int | None:
    return None if problem.dividend < problem.divisor else problem.dividend // problem.divisor


@mal_rule("NO107")
def last_nought_left_out(problem: Division) -> Worked | None:
    """Stops when nothing is left, before the last digit."""
    quotient = _quotient(problem)
    if quotient is None or quotient % 10 or quotient < 100:
        return None
    answer = Answer.number(quotient // 10)
    told = step("divides {0} by {1} until nothing is left", problem.dividend, problem.divisor)
    return Worked(answer, (told, step("stops there and reads {0}", answer)), 1)


@mal_rule("NO205")
def quotient_written_backwards(problem: Division) -> Worked | None:
    """Writes the digits of the quotient from the right."""
    quotient = _quotient(problem)
    if quotient is None or quotient < 10 or quotient % 10 == 0:
        return None
    answer = Answer.number(int(str(quotient)[::-1]))
    found = ", ".join(str(quotient))
    told = step("divides {0} by {1} and finds {2}", problem.dividend, problem.divisor, found)
    return Worked(answer, (told, step("writes them from the right: {0}", answer)), 1)


@mal_rule("NO108")
def rounding_down_lowers_the_digit(problem: Rounding) -> Worked | None:
    """The digit goes one down where it should stay."""
    kept, rest = divmod(problem.number, problem.place)
    if 10 * rest // problem.place >= 5 or kept < 2:
        return None
    answer = Answer.number((kept - 1) * problem.place)
    told = step("rounds {0} down and makes the digit one less: {1}", problem.number, answer)
    return Worked(answer, (told,))


@mal_rule("NO206")
def zeros_left_out(problem: Rounding) -> Worked:
    """Writes the rounded digits only."""
    kept = (problem.number + problem.place // 2) // problem.place
    answer = Answer.number(kept)
    told = step("rounds {0} and writes the digits down to the place: {1}", problem.number, answer)
    return Worked(answer, (told,))


def _signed(value: int, told: str, *numbers: int) -> Worked:
    return Worked(Answer.number(value), (step(told, *numbers, value),))


@mal_rule("NO137")
def two_minuses_make_a_plus(problem: SignedSum) -> Worked | None:
    """Two negatives in a sum give the sum of the sizes."""
    if problem.first > 0 or (problem.second > 0) != problem.minus:
        return None
    one, other = -problem.first, abs(problem.second)
    told = "sees two minus signs, makes a plus and adds {0} and {1}: {2}"
    return _signed(one + other, told, one, other)


@mal_rule("NO138")
def difference_with_the_first_sign(problem: SignedSum) -> Worked | None:
    """The difference of the sizes with the sign of the first number."""
    one, other = -problem.first, problem.second
    if one < 0 or other < 0 or problem.minus or one == other:
        return None
    told = "takes the smaller of {0} and {1} from the larger and keeps the first sign: {2}"
    return _signed(-abs(one - other), told, one, other)


@mal_rule("NO139")
def minus_goes_towards_zero(problem: SignedSum) -> Worked | None:
    """Subtracts from the size and keeps the sign."""
    one, other = -problem.first, problem.second
    if not problem.minus or not one > other > 0:
        return None
    return _signed(other - one, "takes {1} from {0} and keeps the minus: {2}", one, other)


@mal_rule("NO144")
def product_before_the_power(problem: PowerInChain) -> Worked:
    """(a·b) to the power."""
    product = problem.factor * problem.base
    power = product**problem.exponent
    answer = Answer.number(problem.first + power + problem.last)
    return Worked(
        answer,
        (
            step("multiplies {0} by {1} first: {2}", problem.factor, problem.base, product),
            step("takes it to the power {0}: {1}", problem.exponent, power),
            step("adds {0}, {1} and {2}: {3}", problem.first, power, problem.last, answer),
        ),
    )
