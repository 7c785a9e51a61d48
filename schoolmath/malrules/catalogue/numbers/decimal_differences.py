"""Decimals subtracted, of which one may be longer, and what becomes of the empty place."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.numbers.decimal_operations import places_of
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
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

    def solve(self) -> Worked:
        same = [write_decimal(each, self.places) for each in (self.first, self.second)]
        answer = Answer.decimal(self.first - self.second)
        steps = [step("lines {0} and {1} up at the point", *self.shown)]
        if tuple(same) != self.shown:
            steps.append(step("fills up to {0} and {1}", *same))
        steps.append(step("subtracts equal places and gets {0}", answer))
        return Worked(answer, tuple(steps))

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
def copies_the_digit_under_nothing(problem: DecimalDifference) -> Worked | None:
    """Where the upper number has no digit, the lower one is written down."""
    places = places_of(problem.first)
    kept = _cut(problem.second, places)
    tail = problem.second - kept
    if not tail or kept > problem.first:
        return None
    answer = Answer.decimal(problem.first - kept + tail)
    digits = problem.shown[1][-(places_of(problem.second) - places) :]
    return Worked(
        answer,
        (
            step("lines {0} and {1} up at the point", *problem.shown),
            step("writes {0} down, as nothing stands above it", digits),
            step("subtracts the other places and gets {0}", answer),
        ),
        1,
    )


@mal_rule("NO113")
def leaves_out_the_extra_digit(problem: DecimalDifference) -> Worked | None:
    """Places without a partner are not worked."""
    places = min(places_of(problem.first), places_of(problem.second))
    first, second = _cut(problem.first, places), _cut(problem.second, places)
    if (first, second) == (problem.first, problem.second):
        return None
    answer = Answer.decimal(first - second)
    return Worked(
        answer,
        (
            step(
                "leaves out what has no partner and takes {0} from {1}",
                write_decimal(second), write_decimal(first),
            ),
            step("gets {0}", answer),
        ),
    )  # fmt: skip
