"""Sums and products in columns, of whole numbers and of decimals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.numbers.places_and_factors import PLACES, digits, number
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


def columns(first: int, second: int) -> list[tuple[int, int]]:
    """The digits that stand one above the other, from the ones on; 0 where there is none."""
    upper, lower = digits(first), digits(second)
    width = max(len(upper), len(lower))
    upper += [0] * (width - len(upper))
    lower += [0] * (width - len(lower))
    return list(zip(upper, lower, strict=True))


def carries(first: int, second: int) -> int:
    """How many columns have to be carried from, the leftmost among them."""
    carry = times = 0
    for upper, lower in columns(first, second):
        carry = int(upper + lower + carry >= 10)
        times += carry
    return times


@form("number and operation", (3, 4), 1)
class ColumnAddition:
    """Two whole numbers added."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not (0 < self.first < 100_000 and 0 < self.second < 100_000):
            raise ValueError(
                f"{self.first} + {self.second}: both numbers are positive and have at most five "
                "digits."
            )

    def stem(self) -> str:
        return f"What is {self.first} + {self.second}?"

    def solve(self) -> Working:
        steps = []
        carry, key, pairs = 0, None, columns(self.first, self.second)
        for place, (upper, lower) in enumerate(pairs):
            total = upper + lower + carry
            name = PLACES[place]
            start = f"adds {{0}} and {{1}} in the {name} column"
            shown: list[int] = [upper, lower]
            if carry:
                start += " and the carried {2}"
                shown.append(carry)
            if total >= 10 and place < len(pairs) - 1:
                key = place if key is None else key
                start += f", writes {{{len(shown)}}} and carries {{{len(shown) + 1}}}"
                shown += [total % 10, total // 10]
            else:
                start += f" and writes {{{len(shown)}}}"
                shown.append(total)
            steps.append(step(start, *shown))
            carry = total // 10
        result = self.first + self.second
        steps.append(step("reads the answer {0}", result))
        return Working(Answer.number(result), tuple(steps), key or 0)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(40):
            width = 2 if grade <= 3 and draws.chance(0.5) else 3 if grade <= 3 else 4
            upper = [draws.between(1, 9) for _ in range(width)]
            lower = [draws.between(1, 9) for _ in range(width - (width > 2 and draws.chance(0.6)))]
            if len(lower) == width and upper[-1] + lower[-1] >= 9:
                upper[-1], lower[-1] = draws.between(1, 4), draws.between(1, 4)
            problem = cls(number(upper), number(lower))
            if carries(problem.first, problem.second):
                return problem
        raise NotDrawn(f"No addition with a carry came up for grade {grade}.")

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also with a number of one digit."""
        if draws.chance(0.7):
            return cls.draw(draws, grade)
        small = draws.between(1, 5)
        large = [draws.between(1, 9 - small) for _ in range(draws.between(2, 3))]
        return cls(int("".join(map(str, large))), small)


POWERS_OF_TEN = (10, 100, 1000)


def places_of(value: Fraction) -> int:
    """How many digits stand behind the point.

    Raises:
        ValueError: the number has no end as a decimal.
    """
    return len(write_decimal(value).partition(".")[2])


def without_point(value: Fraction) -> int:
    """The number that is left when the point is not seen: 27 for 0.27."""
    return int(value * 10 ** places_of(value))


def _require_positive_decimals(*values: Fraction) -> None:
    for value in values:
        if value <= 0:
            raise ValueError(f"{value} is not positive.")
        places_of(value)


def _any_decimal(draws: Draws, places: int) -> Fraction:
    """From 1.1 up to 10, with so many places, the last of them not 0."""
    units = draws.between(10 ** (places - 1), 10**places - 1)
    return Fraction(units * 10 + draws.between(1, 9), 10**places)


@form("number and operation", (4, 6), 1)
class DecimalSum:
    """Two decimals added; at least one of them is no whole number."""

    first: Fraction
    second: Fraction

    def __post_init__(self) -> None:
        _require_positive_decimals(self.first, self.second)
        if self.places == 0:
            raise ValueError(f"{self.first} and {self.second} are whole numbers, not decimals.")

    @property
    def places(self) -> int:
        """The places of the longer one."""
        return max(places_of(self.first), places_of(self.second))

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return write_decimal(self.first), write_decimal(self.second)

    @property
    def aligned(self) -> tuple[int, int]:
        """Both in units of the smallest place, so that equal places stand in one column."""
        unit = 10**self.places
        return int(self.first * unit), int(self.second * unit)

    def stem(self) -> str:
        return f"What is {self.shown[0]} + {self.shown[1]}?"

    def solve(self) -> Working:
        same = [write_decimal(each, self.places) for each in (self.first, self.second)]
        answer = Answer.decimal(self.first + self.second)
        steps = [step("lines {0} and {1} up at the point", *self.shown)]
        if tuple(same) != self.shown:
            steps.append(step("fills up to {0} and {1}", *same))
        steps.append(step("adds equal places and gets {0}", answer))
        return Working(answer, tuple(steps))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(40):
            places = draws.between(1, 2) if grade >= 6 else 1
            first = _any_decimal(draws, places)
            second = _any_decimal(draws, places + (not draws.chance(0.2)))
            problem = cls(*draws.several((first, second), 2))
            if any(upper + lower >= 10 for upper, lower in columns(*problem.aligned)):
                return problem
        raise NotDrawn(f"No sum of decimals with a carry came up for grade {grade}.")


@form("number and operation", (5, 6), 1)
class DecimalProduct:
    """A decimal multiplied by another one or by a whole number.

    Attributes:
        first: a decimal, no whole number.
        second: a decimal or a whole number from 2.
    """

    first: Fraction
    second: Fraction

    def __post_init__(self) -> None:
        _require_positive_decimals(self.first, self.second)
        if self.first.denominator == 1 or self.second == 1:
            raise ValueError(
                f"{self.first} × {self.second}: the first is a decimal, the second another number "
                "than 1."
            )

    @property
    def whole(self) -> tuple[int, int]:
        """Both without their points."""
        return without_point(self.first), without_point(self.second)

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return write_decimal(self.first), write_decimal(self.second)

    @property
    def zeros(self) -> int:
        """How many zeros the second number has if it is 10, 100 or 1000; else 0."""
        return len(str(self.second)) - 1 if self.second in POWERS_OF_TEN else 0

    def stem(self) -> str:
        return f"What is {self.shown[0]} × {self.shown[1]}?"

    def place_point(self, product: int) -> Answer:
        """The answer when the point is put where it belongs."""
        return Answer.decimal(
            Fraction(product, 10 ** (places_of(self.first) + places_of(self.second)))
        )

    def point_step(self, answer: Answer) -> Step:
        """How the point is put."""
        places = places_of(self.first) + places_of(self.second)
        return step("puts the point {0} digits from the right and gets {1}", places, answer)

    def solve(self) -> Working:
        answer = Answer.decimal(self.first * self.second)
        if self.zeros:
            moving = step("moves every digit {0} to the left for × {1}", self.zeros, self.second)
            return by_steps(answer, moving, step("gets {0}", answer))
        first, second = self.whole
        multiplying = step("multiplies {0} by {1} and gets {2}", first, second, first * second)
        return by_steps(answer, multiplying, self.point_step(answer), key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        first = Fraction(draws.between(1, 9) * 10 + draws.between(2, 9), 10)
        kind = draws.below(10)
        if kind < 2:
            return cls(first, Fraction(draws.one(POWERS_OF_TEN[: grade - 3])))
        if kind < 5:
            return cls(first, Fraction(draws.between(3, 9), 10))
        return cls(first, Fraction(draws.between(1, 9) * 10 + draws.between(2, 9), 10))

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also with three digits in front."""
        if draws.chance(0.6):
            return cls.draw(draws, grade)
        return cls(_any_decimal(draws, 1) + 10 * draws.between(1, 9), _any_decimal(draws, 1))


@mal_rule("NO41")
def right_aligned_decimals(problem: DecimalSum) -> Working | None:
    """The last digits stand in one column, as with whole numbers."""
    if places_of(problem.first) == places_of(problem.second):
        return None
    first, second = without_point(problem.first), without_point(problem.second)
    answer = Answer.decimal(Fraction(first + second, 10**problem.places), problem.places)
    return by_steps(
        answer,
        step("lines {0} and {1} up at their last digits", *problem.shown),
        step("adds {0} and {1} and gets {2}", first, second, first + second),
        step("keeps {0} places and writes {1}", problem.places, answer),
    )


@mal_rule("NO42")
def two_separate_whole_numbers(problem: DecimalSum | DecimalProduct) -> Working | None:
    """What stands before the point and what stands behind it are two whole numbers."""
    sides = [_sides(text) for text in problem.shown]
    if isinstance(problem, DecimalSum):
        (before, behind), (more_before, more_behind) = sides
        left, right = before + more_before, behind + more_behind
        clause = "adds {0} and {1} %s the point and gets {2}"
    else:
        (before, behind), (more_before, more_behind) = sides
        # A whole number multiplies either side.
        more_behind = more_before if problem.zeros else more_behind
        left, right = before * more_before, behind * more_behind
        clause = "multiplies {0} by {1} %s the point and gets {2}"
    answer = Answer.number(Fraction(f"{left}.{right}"), f"{left}.{right}")
    return by_steps(
        answer,
        step(clause % "before", before, more_before, left),
        step(clause % "behind", behind, more_behind, right),
        step("writes {0}", answer),
        key_step=1,
    )


def _sides(operator: str) -> tuple[int, int]:
    before, _, behind = operator.partition(".")
    return int(before), int(behind or 0)


@mal_rule("NO43")
def keeps_addition_places_in_decimal_product(problem: DecimalProduct) -> Working | None:
    """The product has as many places as the longer factor."""
    if problem.zeros:
        return None
    first, second = problem.whole
    places = max(places_of(problem.first), places_of(problem.second))
    answer = Answer.decimal(Fraction(first * second, 10**places), places)
    return by_steps(
        answer,
        step("multiplies {0} by {1} and gets {2}", first, second, first * second),
        step("keeps as many places as the numbers have, {0}, and writes {1}", places, answer),
        key_step=1,
    )


@mal_rule("NO44")
def times_ten_adds_a_zero(problem: DecimalProduct) -> Working | None:
    """A zero at the end, as with whole numbers."""
    if not problem.zeros:
        return None
    answer = Answer.number(problem.first, problem.shown[0] + "0" * problem.zeros)
    zeros = "a zero" if problem.zeros == 1 else "the zeros"
    return by_steps(
        answer,
        step(f"puts {zeros} of {{0}} behind {{1}}", problem.second, problem.shown[0]),
        step("gets {0}", answer),
    )


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

    def solve(self) -> Working:
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
            return Working(Answer.number(result), tuple(steps), 1)
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
        return Working(Answer.number(result), tuple(steps), min(1, last))

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
def add_carry_before_multiplying(problem: ColumnMultiplication | DecimalProduct) -> Working | None:
    """The carried digit is added to the next digit before that is multiplied."""
    return _by_rows(problem, _carry_added_first, "adding what is carried before multiplying")


@mal_rule("NO18")
def forgets_carry_in_multiplication(
    problem: ColumnMultiplication | DecimalProduct,
) -> Working | None:
    """What should be carried is forgotten."""
    return _by_rows(problem, _carry_forgotten, "writing the ones of each product")


@mal_rule("NO19")
def no_placeholder_zero(problem: ColumnMultiplication | DecimalProduct) -> Working | None:
    """The row for the tens is not shifted."""
    first, second = _factors(problem)
    if not 10 < second < 100 or second % 10 == 0:
        return None
    tens, ones = divmod(second, 10)
    steps = (
        step("multiplies {0} by {1} and gets {2}", first, ones, first * ones),
        step("multiplies {0} by the tens digit {1} and gets {2}", first, tens, first * tens),
        step("adds both rows as they stand and gets {0}", first * (ones + tens)),
    )
    return _with_point(problem, first * (ones + tens), steps, 1)


@mal_rule("NO20")
def partial_product_digits_only(problem: ColumnMultiplication) -> Working | None:
    """Ones by ones and tens by tens, and nothing else."""
    if not (10 < problem.first < 100 and 10 < problem.second < 100):
        return None
    (tens, ones), (by_tens, by_ones) = divmod(problem.first, 10), divmod(problem.second, 10)
    low, high = ones * by_ones, 100 * tens * by_tens
    return by_steps(
        Answer.number(low + high),
        step("multiplies the ones, {0} by {1}, and gets {2}", ones, by_ones, low),
        step(
            "multiplies the tens, {0} by {1}, gets {2} and leaves the other products out",
            tens * 10,
            by_tens * 10,
            high,
        ),
        step("adds them and gets {0}", low + high),
        key_step=1,
    )


def _factors(problem: ColumnMultiplication | DecimalProduct) -> tuple[int, int]:
    return problem.whole if isinstance(problem, DecimalProduct) else (problem.first, problem.second)


def _with_point(
    problem: ColumnMultiplication | DecimalProduct, result: int, steps: tuple[Step, ...], key: int
) -> Working:
    if isinstance(problem, DecimalProduct):
        answer = problem.place_point(result)
        return by_steps(answer, *steps, problem.point_step(answer), key_step=key)
    return Working(Answer.number(result), steps, key)


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
) -> Working | None:
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


def _digit_by_digit(first: int, by: int, combine: Callable[[int, int, int], int]) -> Working:
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
    return Working(Answer.number(result), tuple(steps), key or 0)


@mal_rule("NO258")
def product_without_its_point(problem: DecimalProduct) -> Working:
    """2.5 × 0.4 is 100: the product of the digits as it stands."""
    first, second = problem.whole
    product = first * second
    return by_steps(
        Answer.number(product),
        step("multiplies {0} by {1} and writes {2}", first, second, product),
    )
