"""How exact a number is: significant figures, and the bounds of rounded numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.numbers.decimal_operations import places_of
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


def rounded(value: Fraction, places: int) -> Fraction:
    """To so many places behind the point, a half up."""
    unit = Fraction(1, 10**places)
    return (value / unit + Fraction(1, 2)).__floor__() * unit


@form("number and operation", (7, 9), 1)
class SignificantFigures:
    """A decimal below 1 that begins with zeros, to some significant figures.

    Attributes:
        value: below 1/10.
        figures: 1 to 3.
    """

    value: Fraction
    figures: int

    def __post_init__(self) -> None:
        if not 0 < self.value < Fraction(1, 10) or not 1 <= self.figures <= 3:
            raise ValueError("The decimal lies between 0 and 0.1, and has 1 to 3 figures to keep.")
        places_of(self.value)

    @property
    def leading(self) -> int:
        """Zeros between the point and the first figure."""
        tail = write_decimal(self.value).partition(".")[2]
        return len(tail) - len(tail.lstrip("0"))

    def to_places(self, places: int, *, key: str) -> Worked:
        """The number rounded to so many places, by a reason."""
        answer = Answer.decimal(rounded(self.value, places), places)
        steps = (
            step(key, self.figures),
            step("rounds {0} to {1} places: {2}", write_decimal(self.value), places, answer),
        )
        return Worked(answer, steps)

    def stem(self) -> str:
        figures = "figure" if self.figures == 1 else "figures"
        return f"Round {write_decimal(self.value)} to {self.figures} significant {figures}."

    def solve(self) -> Worked:
        return self.to_places(
            self.leading + self.figures,
            key="counts {0} figures from the first one that is not zero",
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        digits = draws.between(1001, 9999)
        digits += digits % 10 == 0
        return cls(Fraction(digits, 10 ** draws.one((5, 6))), draws.between(2, min(3, grade - 5)))


@mal_rule("NO109")
def figures_are_places(problem: SignificantFigures) -> Worked | None:
    """Rounds to so many places behind the point."""
    if rounded(problem.value, problem.figures) == 0:
        return None
    return problem.to_places(problem.figures, key="counts {0} places from the point")


@form("number and operation", (8, 11), 1)
class Bounds:
    """The upper bound of a rounded length.

    Attributes:
        value: the length as it is told.
        unit: to what it was rounded.
    """

    value: Fraction
    unit: Fraction

    def __post_init__(self) -> None:
        if self.unit <= 0 or self.value <= 0 or (self.value / self.unit).denominator != 1:
            raise ValueError("A rounded length is a multiple of what it was rounded to.")
        places_of(self.value)
        places_of(self.unit)

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return write_decimal(self.value), write_decimal(self.unit)

    def stem(self) -> str:
        told = f"{self.shown[0]} cm is rounded to the nearest {self.shown[1]}."
        return f"{told} What is the upper bound?"

    def solve(self) -> Worked:
        half = self.unit / 2
        answer = plain(self.value + half)
        return Worked(
            answer,
            (
                step("takes half of {0}, which is {1}", self.shown[1], plain(half)),
                step("adds it to {0} and gets {1}", self.shown[0], answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = draws.one((Fraction(1, 10), Fraction(1), Fraction(10), Fraction(1, 100)))
        return cls(unit * draws.between(12, 90 + grade), unit)


@mal_rule("NO110")
def whole_unit_for_a_half(problem: Bounds) -> Worked:
    """Adds the whole unit."""
    answer = plain(problem.value + problem.unit)
    return Worked(
        answer, (step("adds {0} to {1} and gets {2}", problem.shown[1], problem.shown[0], answer),)
    )


@mal_rule("NO166")
def bound_ends_in_four(problem: Bounds) -> Worked:
    """The largest number with one more digit that rounds down to the value."""
    answer = plain(problem.value + problem.unit * Fraction(4, 10))
    return Worked(
        answer,
        (step("takes the last number that rounds down to {0}: {1}", problem.shown[0], answer),),
    )


@form("number and operation", (9, 11), 2)
class BoundsOfDifference:
    """The greatest difference of two rounded numbers.

    Attributes:
        first: the larger one.
        second: the smaller one.
        unit: to what both were rounded.
    """

    first: int
    second: int
    unit: int

    def __post_init__(self) -> None:
        if self.unit < 1 or not self.unit <= self.second < self.first:
            raise ValueError("The first number is larger, and both are at least the unit.")
        if self.first % self.unit or self.second % self.unit:
            raise ValueError("Rounded numbers are multiples of what they were rounded to.")

    def stem(self) -> str:
        return (
            f"Two numbers are {self.first} and {self.second}, each to the nearest {self.unit}. "
            "What is the greatest possible difference?"
        )

    def between(self, high: Fraction, low: Fraction) -> Worked:
        """The difference of two bounds."""
        answer = plain(high - low)
        return Worked(
            answer,
            (
                step(
                    "takes {0} for {1} and {2} for {3}",
                    plain(high), self.first, plain(low), self.second,
                ),
                step("subtracts them and gets {0}", answer),
            ),
        )  # fmt: skip

    def solve(self) -> Worked:
        half = Fraction(self.unit, 2)
        return self.between(self.first + half, self.second - half)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = draws.one((1, 10, 10, 100)) if grade < 11 else draws.one((1, 5, 10, 100))
        second = draws.between(1, 30)
        return cls(unit * (second + draws.between(2, 40)), unit * second, unit)


@mal_rule("NO167")
def upper_minus_upper(problem: BoundsOfDifference) -> Worked:
    """The upper bound of both."""
    half = Fraction(problem.unit, 2)
    return problem.between(problem.first + half, problem.second + half)


@mal_rule("NO221")
def the_lower_bound(problem: Bounds) -> Worked:
    """Half of the unit less, where the upper bound is asked."""
    half = problem.unit / 2
    answer = plain(problem.value - half)
    return Worked(
        answer,
        (
            step("takes half of {0}, which is {1}", problem.shown[1], plain(half)),
            step("subtracts it from {0} and gets {1}", problem.shown[0], answer),
        ),
        1,
    )
