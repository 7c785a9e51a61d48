"""Sums and products of decimals."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.numbers.column_addition import columns
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws

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

    def solve(self) -> Worked:
        same = [write_decimal(each, self.places) for each in (self.first, self.second)]
        answer = Answer.decimal(self.first + self.second)
        steps = [step("lines {0} and {1} up at the point", *self.shown)]
        if tuple(same) != self.shown:
            steps.append(step("fills up to {0} and {1}", *same))
        steps.append(step("adds equal places and gets {0}", answer))
        return Worked(answer, tuple(steps))

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
    """A decimal multiplied by another one, or by 10, 100 or 1000.

    Attributes:
        first: a decimal, no whole number.
        second: a decimal, or 10, 100 or 1000.
    """

    first: Fraction
    second: Fraction

    def __post_init__(self) -> None:
        _require_positive_decimals(self.first, self.second)
        whole = self.second.denominator == 1 and self.second not in POWERS_OF_TEN
        if self.first.denominator == 1 or whole:
            raise ValueError(
                f"{self.first} × {self.second}: the first is a decimal, the second a decimal or "
                "10, 100 or 1000."
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

    def solve(self) -> Worked:
        answer = Answer.decimal(self.first * self.second)
        if self.zeros:
            moving = step("moves every digit {0} to the left for × {1}", self.zeros, self.second)
            return Worked(answer, (moving, step("gets {0}", answer)))
        first, second = self.whole
        multiplying = step("multiplies {0} by {1} and gets {2}", first, second, first * second)
        return Worked(answer, (multiplying, self.point_step(answer)), 1)

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
def right_aligned_decimals(problem: DecimalSum) -> Worked | None:
    """The last digits stand in one column, as with whole numbers."""
    if places_of(problem.first) == places_of(problem.second):
        return None
    first, second = without_point(problem.first), without_point(problem.second)
    answer = Answer.decimal(Fraction(first + second, 10**problem.places), problem.places)
    return Worked(
        answer,
        (
            step("lines {0} and {1} up at their last digits", *problem.shown),
            step("adds {0} and {1} and gets {2}", first, second, first + second),
            step("keeps {0} places and writes {1}", problem.places, answer),
        ),
    )


@mal_rule("NO42")
def two_separate_whole_numbers(problem: DecimalSum | DecimalProduct) -> Worked | None:
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
    return Worked(
        answer,
        (
            step(clause % "before", before, more_before, left),
            step(clause % "behind", behind, more_behind, right),
            step("writes {0}", answer),
        ),
        1,
    )


def _sides(shown: str) -> tuple[int, int]:
    before, _, behind = shown.partition(".")
    return int(before), int(behind or 0)


@mal_rule("NO43")
def keeps_addition_places_in_decimal_product(problem: DecimalProduct) -> Worked | None:
    """The product has as many places as the longer factor."""
    if problem.zeros:
        return None
    first, second = problem.whole
    places = max(places_of(problem.first), places_of(problem.second))
    answer = Answer.decimal(Fraction(first * second, 10**places), places)
    return Worked(
        answer,
        (
            step("multiplies {0} by {1} and gets {2}", first, second, first * second),
            step("keeps as many places as the numbers have, {0}, and writes {1}", places, answer),
        ),
        1,
    )


@mal_rule("NO44")
def times_ten_adds_a_zero(problem: DecimalProduct) -> Worked | None:
    """A zero at the end, as with whole numbers."""
    if not problem.zeros:
        return None
    answer = Answer.number(problem.first, problem.shown[0] + "0" * problem.zeros)
    zeros = "a zero" if problem.zeros == 1 else "the zeros"
    return Worked(
        answer,
        (
            step(f"puts {zeros} of {{0}} behind {{1}}", problem.second, problem.shown[0]),
            step("gets {0}", answer),
        ),
    )
