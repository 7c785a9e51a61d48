"""Decimals compared, between each other, as fractions and in standard form."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.numbers.columns import places_of, without_point
from schoolmath.malrules.catalogue.numbers.ordering import NumberKind, Ordering
from schoolmath.malrules.catalogue.writing import as_written, places_for
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import listed

_DECIMAL = re.compile(r"\d+\.\d+")


@form("number and operation", (4, 8), 1)
class DecimalComparison:
    """The largest of two or more decimals, each as it is written."""

    decimals: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.decimals) < 2 or not all(map(_DECIMAL.fullmatch, self.decimals)):
            raise ValueError("There must be two or more decimals, such as 0.5 and 0.355.")
        if len({Fraction(each) for each in self.decimals}) < len(self.decimals):
            raise ValueError("Two of the decimals are equal.")

    def stem(self) -> str:
        if len(self.decimals) == 2:
            return f"Which is larger, {listed([*self.decimals], 'or')}?"
        return f"Which of these decimals is the largest: {listed([*self.decimals], 'or')}?"

    def solve(self) -> Working:
        most = max(len(places(each)) for each in self.decimals)
        largest = max(self.decimals, key=Fraction)
        filled = [f"{each}{'0' * (most - len(places(each)))}" for each in self.decimals]
        return by_steps(
            Answer.label(largest),
            step("thinks of all of them with {0} decimal places", most)
            if len({*map(len, map(places, self.decimals))}) > 1
            else step("looks at the decimal places from left to right, {0} of them", most),
            step(f"compares {places_for(len(filled))}", *filled),
            step("picks {0}", largest),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        whole = 0 if grade < 6 else draws.one((0, 0, draws.between(1, 9)))
        for _ in range(200):
            tenths = draws.between(1, 8)
            largest = draws.between(tenths * 10 + 1, 98)
            long = draws.between(100, 10 * largest - 1)
            longest = draws.between(12, 98 if grade < 6 else 998)
            fractions = (f"{tenths}", f"{largest}", f"{long}", f"{longest:04}")
            # No zero at an end, and each of the four is the choice of another idea.
            if all(each[-1] != "0" for each in fractions) and longest < long > largest:
                drawn = tuple(f"{whole}.{each}" for each in draws.several(fractions, 4))
                if len({Fraction(each) for each in drawn}) == 4:
                    return cls(drawn)
        raise NotDrawn("No decimals to compare came up.")


def places(decimal: str) -> str:
    """The digits after the point."""
    return decimal.partition(".")[2]


@mal_rule("NO39")
def longer_is_larger(problem: DecimalComparison | Ordering) -> Working | None:
    """Compares the digits after the point as whole numbers, after the parts before it."""
    if isinstance(problem, Ordering):
        if problem.kind is not NumberKind.DECIMAL:
            return None
        return problem.by(
            lambda each: (_whole(each), int(places(each) or 0)),
            step("reads the digits after the point as whole numbers"),
        )
    rivals = _leading(problem)
    read = {each: int(places(each)) for each in rivals}
    largest = max(read.values())
    chosen = [each for each in rivals if read[each] == largest]
    if len(rivals) < 2 or 1 < len(chosen) < len(problem.decimals):
        return None  # Nothing to compare, or two of many look equal.
    same = len(chosen) > 1
    digits = [str(number) for number in read.values()]
    return by_steps(
        Answer.label("equal" if same else chosen[0]),
        step(f"reads the digits after the point as {places_for(len(digits))}", *digits),
        step("says that they are equal, as each is read as {0}", largest)
        if same
        else step("takes {0} as the largest of these", largest),
        step("answers equal") if same else step("picks {0}", chosen[0]),
    )


@mal_rule("NO40")
def shorter_is_larger(problem: DecimalComparison | Ordering) -> Working | None:
    """Takes the decimal with the fewest digits; among equally long ones the larger."""
    if isinstance(problem, Ordering):
        if problem.kind is not NumberKind.DECIMAL:
            return None
        return problem.by(
            lambda each: (_whole(each), -len(places(each)), Fraction(each)),
            step("takes fewer digits after the point as bigger parts"),
        )
    rivals = _leading(problem)
    lengths = [len(places(each)) for each in rivals]
    if len({*lengths}) == 1:
        return None  # Nothing is shorter.
    fewest = min(lengths)
    chosen = max((each for each in rivals if len(places(each)) == fewest), key=Fraction)
    return by_steps(
        Answer.label(chosen),
        step(f"counts the decimal digits of {places_for(len(rivals))}", *rivals),
        step("takes the one with the fewest, {0}, as having the biggest parts", fewest),
        step("picks {0}", chosen),
        key_step=1,
    )


@mal_rule("NO213")
def longest_is_largest(problem: DecimalComparison) -> Working | None:
    """Takes the decimal with the most digits, whatever digits they are."""
    rivals = _leading(problem)
    lengths = [len(places(each)) for each in rivals]
    most = max(lengths)
    if len(rivals) < 2 or lengths.count(most) > 1:
        return None  # Nothing to compare, or two are equally long.
    chosen = rivals[lengths.index(most)]
    return by_steps(
        Answer.label(chosen),
        step(f"counts the decimal digits of {places_for(len(rivals))}", *rivals),
        step("takes the one with the most, {0}, as the largest", most),
        step("picks {0}", chosen),
        key_step=1,
    )


def by_denominator(problem: DecimalComparison) -> Working | None:
    """What items of bank 2 and before told of the longest decimal, as NO33.

    It is no mal-rule: who thinks of decimals as fractions and of their denominators takes the
    shorter one for larger (Steinle & Stacey 2004).
    """
    bottoms = [10 ** len(places(each)) for each in problem.decimals]
    largest = max(bottoms)
    if bottoms.count(largest) > 1:
        return None
    chosen = problem.decimals[bottoms.index(largest)]
    told = places_for(len(bottoms))
    return by_steps(
        Answer.label(chosen),
        step(f"thinks of them as fractions over {told}", *bottoms),
        step("takes the denominator {0} as making the largest number", largest),
        step("picks {0}", chosen),
        key_step=1,
    )


def _leading(problem: DecimalComparison) -> list[str]:
    """Those with the largest whole part: what stands before the point is compared first."""
    whole = max(map(_whole, problem.decimals))
    return [each for each in problem.decimals if _whole(each) == whole]


def _whole(decimal: str) -> int:
    return int(decimal.partition(".")[0])


@form("number and operation", (4, 7), 1)
class DecimalAsFraction:
    """A decimal as a fraction; those that are drawn are below 1."""

    value: Fraction

    def __post_init__(self) -> None:
        if self.value <= 0 or self.value.denominator == 1:
            raise ValueError("The decimal is above 0 and no whole number.")
        places_of(self.value)

    @property
    def tail(self) -> int:
        """The digits behind the point as a number."""
        return without_point(self.value)

    def stem(self) -> str:
        return f"Write {write_decimal(self.value)} as a fraction."

    def solve(self) -> Working:
        unit = 10 ** places_of(self.value)
        answer = Answer.number(self.value)
        written = step("writes the digits {0} over {1}", self.tail, unit)
        return by_steps(answer, written, step("writes it in lowest terms as {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = 10 if grade == 4 and draws.chance(0.2) else 100
        return cls(Fraction(draws.between(1, unit - 1), unit))


@mal_rule("NO120")
def one_over_the_digits(problem: DecimalAsFraction) -> Working | None:
    """Writes 1 over the digits behind the point."""
    if problem.tail == 1 or problem.value > 1:
        return None
    answer = as_written(1, problem.tail)
    return by_steps(answer, step("writes {0} over the digits {1}: {2}", 1, problem.tail, answer))


@mal_rule("NO162")
def tenths_whatever_the_place(problem: DecimalAsFraction) -> Working | None:
    """Writes the digits over 10, whatever their place."""
    if places_of(problem.value) == 1:
        return None
    answer = as_written(problem.tail, 10)
    return by_steps(answer, step("writes the digits {0} over {1}: {2}", problem.tail, 10, answer))


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

    def solve(self) -> Working:
        unit = Fraction(1, 10**self.places)
        answer = Answer.decimal(self.last + unit)
        return by_steps(
            answer,
            step(
                "adds {0} to {1} and gets {2}",
                write_decimal(unit),
                write_decimal(self.last),
                answer,
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade == 4:
            return cls(draws.between(0, 40) + Fraction(9, 10))
        return cls(draws.between(0, 40) + Fraction(10 * draws.between(0, 9) + 9, 100))


@mal_rule("NO122")
def after_nine_comes_ten(problem: DecimalNext) -> Working:
    """Counts the digits behind the point on as a number of their own."""
    whole, tail = write_decimal(problem.last).split(".")
    answer = Answer.number(Fraction(f"{whole}.{int(tail) + 1}"), f"{whole}.{int(tail) + 1}")
    return by_steps(
        answer,
        step("counts on behind the point from {0} to {1}", int(tail), int(tail) + 1),
        step("writes {0}", answer),
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

    def solve(self) -> Working:
        told = step("writes more and more places between {0} and {1}", *self.shown)
        return by_steps(ENDLESS, told, step("answers infinitely many"))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = 10 if grade == 5 or draws.chance(0.4) else 100
        low = draws.between(1, 9 * unit)
        return cls(Fraction(low, unit), Fraction(low + 1, unit))


@mal_rule("NO123")
def nothing_in_between(problem: Between) -> Working:
    """Neighbours in counting have nothing between them."""
    told = step("counts from {0} straight on to {1}", *problem.shown)
    return by_steps(Answer.label("0"), told, step("answers {0}", 0))


@mal_rule("NO163")
def nine_in_between(problem: Between) -> Working:
    """Those with one more digit, and no others."""
    told = step("counts the decimals with one more place between {0} and {1}", *problem.shown)
    return by_steps(Answer.label("9"), told, step("answers {0}", 9))


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

    def solve(self) -> Working:
        answer = Answer.decimal(self.front * Fraction(10) ** self.exponent)
        way = "right" if self.exponent > 0 else "left"
        moved = step(
            f"moves the point of {{0}} by {{1}} places to the {way}",
            write_decimal(self.front), abs(self.exponent),
        )  # fmt: skip
        return by_steps(answer, moved, step("writes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = 10 if grade == 8 else 100
        front = draws.between(1, 9) + Fraction(draws.between(1, unit - 1), unit)
        return cls(front, draws.between(2, 6) * draws.one((1, 1, -1)))


@mal_rule("NO155")
def appends_the_zeros(problem: StandardForm) -> Working | None:
    """Writes as many zeros as the exponent says behind the digits."""
    if problem.exponent < 0 or problem.front.denominator == 1:
        return None
    digits = without_point(problem.front)
    answer = Answer.number(digits * 10**problem.exponent)
    return by_steps(
        answer, step("writes {0} zeros behind {1} and gets {2}", problem.exponent, digits, answer)
    )


@mal_rule("NO164")
def zeros_behind_the_point(problem: StandardForm) -> Working | None:
    """Writes as many zeros behind the point as a negative exponent says, then the digits."""
    if problem.exponent > 0:
        return None
    digits = str(without_point(problem.front))
    shown = f"0.{'0' * -problem.exponent}{digits}"
    answer = Answer.number(Fraction(shown), shown)
    told = step("writes {0} zeros behind the point, then {1}", -problem.exponent, digits)
    return by_steps(answer, told, step("gets {0}", answer))


@mal_rule("NO220")
def power_of_ten_as_a_product(problem: StandardForm) -> Working | None:
    """Takes 10^3 for 10 times 3."""
    if problem.exponent < 0:
        return None
    answer = Answer.decimal(problem.front * 10 * problem.exponent)
    first = step("takes {0}^{1} for {2}", 10, problem.exponent, 10 * problem.exponent)
    told = step("multiplies {0} by {1} and gets {2}", write_decimal(problem.front),
                10 * problem.exponent, answer)  # fmt: skip
    return by_steps(answer, first, told)


@mal_rule("NO226")
def point_the_other_way(problem: StandardForm) -> Working:
    """Moves the point as for the opposite exponent."""
    answer = Answer.decimal(problem.front * Fraction(10) ** -problem.exponent)
    way = "left" if problem.exponent > 0 else "right"
    told = step(f"moves the point of {{0}} by {{1}} places to the {way} and gets {{2}}",
                write_decimal(problem.front), abs(problem.exponent), answer)  # fmt: skip
    return by_steps(answer, told)


@mal_rule("NO251")
def zeros_behind_the_decimal(problem: StandardForm) -> Working | None:
    """3.2 × 10^4 is 3.20000."""
    if problem.exponent < 0 or problem.front.denominator == 1:
        return None
    written = write_decimal(problem.front) + "0" * problem.exponent
    told = step("writes {0} zeros behind {1}", problem.exponent, write_decimal(problem.front))
    return by_steps(Answer.number(problem.front, written), told, step("writes {0}", written))
