"""Decimals as fractions, in standard form, one after the other and between each other."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.exact_writing import as_written
from schoolmath.malrules.catalogue.numbers.decimal_operations import places_of, without_point
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("number and operation", (4, 7), 1)
class DecimalAsFraction:
    """A decimal below 1 as a fraction."""

    value: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.value < 1:
            raise ValueError("The decimal lies between 0 and 1.")
        places_of(self.value)

    @property
    def tail(self) -> int:
        """The digits behind the point as a number."""
        return without_point(self.value)

    def stem(self) -> str:
        return f"Write {write_decimal(self.value)} as a fraction."

    def solve(self) -> Worked:
        unit = 10 ** places_of(self.value)
        answer = Answer.number(self.value)
        written = step("writes the digits {0} over {1}", self.tail, unit)
        return Worked(answer, (written, step("writes it in lowest terms as {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = 10 if grade == 4 and draws.chance(0.2) else 100
        return cls(Fraction(draws.between(1, unit - 1), unit))


@mal_rule("NO120")
def one_over_the_digits(problem: DecimalAsFraction) -> Worked | None:
    """Writes 1 over the digits behind the point."""
    if problem.tail == 1:
        return None
    answer = as_written(1, problem.tail)
    return Worked(answer, (step("writes {0} over the digits {1}: {2}", 1, problem.tail, answer),))


@mal_rule("NO162")
def tenths_whatever_the_place(problem: DecimalAsFraction) -> Worked | None:
    """Writes the digits over 10, whatever their place."""
    if places_of(problem.value) == 1:
        return None
    answer = as_written(problem.tail, 10)
    return Worked(answer, (step("writes the digits {0} over {1}: {2}", problem.tail, 10, answer),))


@form("number and operation", (4, 6), 1)
class DecimalNext:
    """Decimals that go up by one in their last place, and what comes after .9.

    Attributes:
        last: the last one told, which ends in 9.
    """

    last: Fraction

    def __post_init__(self) -> None:
        if self.last <= 0 or not self.places or without_point(self.last) % 10 != 9:
            raise ValueError("The last decimal ends in 9.")

    @property
    def places(self) -> int:
        """Digits behind the point."""
        return places_of(self.last)

    def stem(self) -> str:
        unit = Fraction(1, 10**self.places)
        shown = [write_decimal(self.last - back * unit, self.places) for back in (2, 1, 0)]
        return f"What comes next: {', '.join(shown)}, ...?"

    def solve(self) -> Worked:
        unit = Fraction(1, 10**self.places)
        answer = Answer.decimal(self.last + unit)
        return Worked(
            answer,
            (
                step(
                    "adds {0} to {1} and gets {2}",
                    write_decimal(unit), write_decimal(self.last), answer,
                ),
            ),
        )  # fmt: skip

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade == 4:
            return cls(draws.between(0, 40) + Fraction(9, 10))
        return cls(draws.between(0, 40) + Fraction(10 * draws.between(0, 9) + 9, 100))


@mal_rule("NO122")
def after_nine_comes_ten(problem: DecimalNext) -> Worked:
    """Counts the digits behind the point on as a number of their own."""
    whole, tail = write_decimal(problem.last).split(".")
    answer = Answer.number(Fraction(f"{whole}.{int(tail) + 1}"), f"{whole}.{int(tail) + 1}")
    return Worked(
        answer,
        (
            step("counts on behind the point from {0} to {1}", int(tail), int(tail) + 1),
            step("writes {0}", answer),
        ),
    )


ENDLESS = Answer.label("infinitely many")
"""How many numbers lie between two."""


@form("number and operation", (5, 9), 2)
class Between:
    """How many decimals lie between two that follow each other with so many places.

    Attributes:
        low: the smaller one.
        high: the next one.
    """

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        places = max(places_of(self.low), places_of(self.high))
        if not places or self.low < 0 or self.high - self.low != Fraction(1, 10**places):
            raise ValueError("The decimals follow each other, as 0.3 and 0.4 do.")

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        places = max(places_of(self.low), places_of(self.high))
        return write_decimal(self.low, places), write_decimal(self.high, places)

    def stem(self) -> str:
        return f"How many decimals lie between {self.shown[0]} and {self.shown[1]}?"

    def solve(self) -> Worked:
        told = step("writes more and more places between {0} and {1}", *self.shown)
        return Worked(ENDLESS, (told, step("answers infinitely many")))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = 10 if grade == 5 or draws.chance(0.4) else 100
        low = draws.between(1, 9 * unit)
        return cls(Fraction(low, unit), Fraction(low + 1, unit))


@mal_rule("NO123")
def nothing_in_between(problem: Between) -> Worked:
    """Neighbours in counting have nothing between them."""
    told = step("counts from {0} straight on to {1}", *problem.shown)
    return Worked(Answer.label("0"), (told, step("answers {0}", 0)))


@mal_rule("NO163")
def nine_in_between(problem: Between) -> Worked:
    """Those with one more digit, and no others."""
    told = step("counts the decimals with one more place between {0} and {1}", *problem.shown)
    return Worked(Answer.label("9"), (told, step("answers {0}", 9)))


@form("number and operation", (8, 9), 1)
class StandardForm:
    """A number in standard form, written out.

    Attributes:
        front: from 1 up to 10.
        exponent: of 10; not 0.
    """

    front: Fraction
    exponent: int

    def __post_init__(self) -> None:
        if not 1 <= self.front < 10 or not 0 < abs(self.exponent) <= 12:
            raise ValueError("In standard form a number from 1 to below 10 stands in front.")
        places_of(self.front)

    def stem(self) -> str:
        return f"Write {write_decimal(self.front)} × 10^{self.exponent} as a number."

    def solve(self) -> Worked:
        answer = Answer.decimal(self.front * Fraction(10) ** self.exponent)
        way = "right" if self.exponent > 0 else "left"
        moved = step(
            f"moves the point of {{0}} by {{1}} places to the {way}",
            write_decimal(self.front), abs(self.exponent),
        )  # fmt: skip
        return Worked(answer, (moved, step("writes {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = 10 if grade == 8 else 100
        front = draws.between(1, 9) + Fraction(draws.between(1, unit - 1), unit)
        return cls(front, draws.between(2, 6) * draws.one((1, 1, -1)))


@mal_rule("NO155")
def appends_the_zeros(problem: StandardForm) -> Worked | None:
    """Writes as many zeros as the exponent says behind the digits."""
    if problem.exponent < 0 or problem.front.denominator == 1:
        return None
    digits = without_point(problem.front)
    answer = Answer.number(digits * 10**problem.exponent)
    return Worked(
        answer,
        (step("writes {0} zeros behind {1} and gets {2}", problem.exponent, digits, answer),),
    )


@mal_rule("NO164")
def zeros_behind_the_point(problem: StandardForm) -> Worked | None:
    """Writes as many zeros behind the point as a negative exponent says, then the digits."""
    if problem.exponent > 0:
        return None
    digits = str(without_point(problem.front))
    shown = f"0.{'0' * -problem.exponent}{digits}"
    answer = Answer.number(Fraction(shown), shown)
    told = step("writes {0} zeros behind the point, then {1}", -problem.exponent, digits)
    return Worked(answer, (told, step("gets {0}", answer)))


@mal_rule("NO220")
def power_of_ten_as_a_product(problem: StandardForm) -> Worked | None:
    """Takes 10^3 for 10 times 3."""
    if problem.exponent < 0:
        return None
    answer = Answer.decimal(problem.front * 10 * problem.exponent)
    first = step("takes {0}^{1} for {2}", 10, problem.exponent, 10 * problem.exponent)
    told = step("multiplies {0} by {1} and gets {2}", write_decimal(problem.front),
                10 * problem.exponent, answer)  # fmt: skip
    return Worked(answer, (first, told))


@mal_rule("NO226")
def point_the_other_way(problem: StandardForm) -> Worked:
    """Moves the point as for the opposite exponent."""
    answer = Answer.decimal(problem.front * Fraction(10) ** -problem.exponent)
    way = "left" if problem.exponent > 0 else "right"
    told = step(f"moves the point of {{0}} by {{1}} places to the {way} and gets {{2}}",
                write_decimal(problem.front), abs(problem.exponent), answer)  # fmt: skip
    return Worked(answer, (told,))
