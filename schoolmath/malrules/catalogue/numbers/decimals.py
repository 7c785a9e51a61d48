"""Decimals subtracted, divided by decimals, and multiplied or divided by 10, 100 and 1000."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.numbers.columns import POWERS_OF_TEN, places_of, without_point
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("number and operation", (4, 6), 1)
class DecimalDifference:
    """A decimal taken from a larger one; at least one of them is no whole number."""

    first: Fraction
    second: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.second < self.first:
            raise ValueError("The second number is above 0 and smaller than the first.")
        if not self.places:
            raise ValueError(f"{self.first} and {self.second} are whole numbers, not decimals.")

    @property
    def places(self) -> int:
        """The places of the longer one."""
        return max(places_of(self.first), places_of(self.second))

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return write_decimal(self.first), write_decimal(self.second)

    def stem(self) -> str:
        return f"What is {self.shown[0]} - {self.shown[1]}?"

    def solve(self) -> Working:
        same = [write_decimal(each, self.places) for each in (self.first, self.second)]
        answer = Answer.decimal(self.first - self.second)
        steps = [step("lines {0} and {1} up at the point", *self.shown)]
        if tuple(same) != self.shown:
            steps.append(step("fills up to {0} and {1}", *same))
        steps.append(step("subtracts equal places and gets {0}", answer))
        return Working(answer, tuple(steps))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        places = draws.between(0, 2) if grade >= 6 else draws.between(0, 1)
        unit = 10**places
        first = Fraction(draws.between(20 * unit + 1, 60 * unit), unit)
        longer = 10 ** (places + 1)
        second = Fraction(draws.between(1, 9) * longer + draws.between(1, longer - 1), longer)
        if second.denominator == 1:
            second += Fraction(1, longer)
        return cls(first, second)


def _cut(value: Fraction, places: int) -> Fraction:
    """The number without what stands behind so many places."""
    return Fraction(int(value * 10**places), 10**places)


@mal_rule("NO112")
def copies_the_digit_under_nothing(problem: DecimalDifference) -> Working | None:
    """Where the upper number has no digit, the lower one is written down."""
    places = places_of(problem.first)
    kept = _cut(problem.second, places)
    tail = problem.second - kept
    if not tail or kept > problem.first:
        return None
    answer = Answer.decimal(problem.first - kept + tail)
    digits = problem.shown[1][-(places_of(problem.second) - places) :]
    return by_steps(
        answer,
        step("lines {0} and {1} up at the point", *problem.shown),
        step("writes {0} down, as nothing stands above it", digits),
        step("subtracts the other places and gets {0}", answer),
        key_step=1,
    )


@mal_rule("NO113")
def leaves_out_the_extra_digit(problem: DecimalDifference) -> Working | None:
    """Places without a partner are not worked."""
    places = min(places_of(problem.first), places_of(problem.second))
    first, second = _cut(problem.first, places), _cut(problem.second, places)
    if (first, second) == (problem.first, problem.second):
        return None
    answer = Answer.decimal(first - second)
    return by_steps(
        answer,
        step(
            "leaves out what has no partner and takes {0} from {1}",
            write_decimal(second),
            write_decimal(first),
        ),
        step("gets {0}", answer),
    )


@form("number and operation", (5, 7), 1)
class DecimalQuotient:
    """A number divided by a decimal, with a quotient that ends.

    Attributes:
        first: what is divided.
        second: a decimal, no whole number.
    """

    first: Fraction
    second: Fraction

    def __post_init__(self) -> None:
        if self.first <= 0 or self.second <= 0 or self.second.denominator == 1:
            raise ValueError("A positive number is divided by a positive decimal.")
        for each in (self.first, self.second, self.first / self.second):
            places_of(each)

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return write_decimal(self.first), write_decimal(self.second)

    def stem(self) -> str:
        return f"What is {self.shown[0]} ÷ {self.shown[1]}?"

    def solve(self) -> Working:
        by = 10 ** places_of(self.second)
        answer = Answer.decimal(self.first / self.second)
        moved = [write_decimal(each * by) for each in (self.first, self.second)]
        return by_steps(
            answer,
            step("multiplies both {0} and {1} by {2}: {3} ÷ {4}", *self.shown, by, *moved),
            step("divides {0} by {1} and gets {2}", *moved, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        second = Fraction(draws.one((2, 3, 4, 5, 5, 6, 8, 12)), 10)
        if grade == 5 or draws.chance(0.3):
            return cls(second * 10 * draws.between(1, 9), second)
        return cls(second * draws.between(2, 24), second)


@mal_rule("NO259")
def quotient_of_the_digits(problem: DecimalQuotient) -> Working | None:
    """45 ÷ 0.9 is 5: the numbers divided as they stand without their points."""
    one, other = without_point(problem.first), without_point(problem.second)
    if Fraction(one, other).denominator != 1 or places_of(problem.first) >= places_of(
        problem.second
    ):
        return None
    answer = Answer.number(Fraction(one, other))
    return by_steps(answer, step("divides {0} by {1} and writes {2}", one, other, answer))


@mal_rule("NO260")
def point_moved_the_other_way(problem: DecimalQuotient) -> Working:
    """45 ÷ 0.9 is 0.5: the point of the quotient goes to the left."""
    places = places_of(problem.second)
    moved = problem.second * 10**places
    quotient = problem.first / moved
    answer = Answer.decimal(quotient / 10**places)
    return by_steps(
        answer,
        step("divides {0} by {1} and gets {2}", problem.shown[0], moved, write_decimal(quotient)),
        step("moves the point {0} to the left: {1}", places, answer),
        key_step=1,
    )


@mal_rule("NO115")
def keeps_the_places_of_the_first(problem: DecimalQuotient) -> Working | None:
    """Divides without the points and writes as many places as the first number has."""
    places = places_of(problem.first)
    one, other = without_point(problem.first), without_point(problem.second)
    quotient = Fraction(one, other)
    if not places or quotient.denominator != 1:
        return None
    answer = Answer.decimal(quotient / 10**places)
    return by_steps(
        answer,
        step("divides {0} by {1} and gets {2}", one, other, quotient),
        step("writes as many places as {0} has: {1}", problem.shown[0], answer),
        key_step=1,
    )


@mal_rule("NO116")
def half_for_division_by_half(problem: DecimalQuotient) -> Working | None:
    """÷ 0.5 is read as half of it."""
    if problem.second != Fraction(1, 2):
        return None
    answer = plain(problem.first / 2)
    return by_steps(
        answer,
        step(
            "reads ÷ {0} as half of it, divides {1} by {2} and gets {3}",
            problem.shown[1],
            problem.shown[0],
            2,
            answer,
        ),
    )


@form("number and operation", (4, 6), 1)
class PowerOfTenShift:
    """A number multiplied or divided by 10, 100 or 1000.

    Attributes:
        value: a positive decimal or whole number.
        by: 10, 100 or 1000.
        divided: whether it is divided.
    """

    value: Fraction
    by: int
    divided: bool

    def __post_init__(self) -> None:
        if self.value <= 0 or self.by not in POWERS_OF_TEN:
            raise ValueError("A positive number is multiplied or divided by 10, 100 or 1000.")
        places_of(self.value)

    @property
    def shown(self) -> str:
        """The number as it is written."""
        return write_decimal(self.value)

    @property
    def zeros(self) -> int:
        """By how many places it moves."""
        return len(str(self.by)) - 1

    def moved(self, places: int, *, left: bool) -> Fraction:
        """The number with its digits so many places further."""
        by = Fraction(10**places) if not left else Fraction(1, 10**places)
        return self.value * by

    def stem(self) -> str:
        return f"What is {self.shown} {'÷' if self.divided else '×'} {self.by}?"

    def solve(self) -> Working:
        answer = Answer.decimal(self.moved(self.zeros, left=self.divided))
        told = "makes {0} smaller" if self.divided else "makes {0} larger"
        return by_steps(
            answer,
            step(
                told + " by {1} places, for {2}, and gets {3}",
                self.shown,
                self.zeros,
                self.by,
                answer,
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        by = draws.one((10, 10, 100) if grade < 6 else POWERS_OF_TEN)
        whole = 10 * draws.between(1, 90) + draws.one((0, 0, draws.between(1, 9)))
        value = Fraction(whole * 10 + draws.one((0, 5, draws.between(1, 9))), 10)
        return cls(value, by, draws.chance(0.6))


@mal_rule("NO117")
def strikes_a_zero(problem: PowerOfTenShift) -> Working | None:
    """Deletes a 0 inside the number to divide by 10."""
    digits = problem.shown
    if not problem.divided or problem.by != 10 or "0" not in digits or digits.startswith("0"):
        return None
    value = Fraction(digits[::-1].replace("0", "", 1)[::-1])
    answer = Answer.decimal(value)
    return by_steps(
        answer,
        step("takes the {0} out of {1}, for ÷ {2}, and gets {3}", 0, digits, problem.by, answer),
    )


@mal_rule("NO118")
def one_step_whatever_the_power(problem: PowerOfTenShift) -> Working | None:
    """Moves the digits by one place for 100 and 1000 too."""
    if problem.zeros < 2:
        return None
    answer = Answer.decimal(problem.moved(1, left=problem.divided))
    return by_steps(
        answer, step("moves the digits of {0} by {1} place and gets {2}", problem.shown, 1, answer)
    )


@mal_rule("NO119")
def moves_the_wrong_way(problem: PowerOfTenShift) -> Working:
    """Larger for a division, smaller for a product."""
    answer = Answer.decimal(problem.moved(problem.zeros, left=not problem.divided))
    told = "makes {0} larger" if problem.divided else "makes {0} smaller"
    return by_steps(
        answer, step(told + " by {1} places and gets {2}", problem.shown, problem.zeros, answer)
    )
