"""Amounts that grow by a percentage each year."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.algebra_writing import write_money
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_USES = ("savings account", "college fund", "holiday fund", "bicycle fund")


@form("algebra", (8, 11), 2)
class Growth:
    """``$1000 at 10% a year, 3 years``; for an even number of years half way is told.

    Attributes:
        name: whose money it is.
        use: what it is put into, with no article.
        start: whole dollars, above 0.
        percent: growth of a year, above 0.
        years: 2 or more.
    """

    name: str
    use: str
    start: int
    percent: int
    years: int

    def __post_init__(self) -> None:
        if self.start <= 0 or self.percent <= 0 or self.years < 2:
            raise ValueError("Growth needs a start and percentage above 0 and 2 years or more.")
        if (self.after(self.years) * 100).denominator != 1:
            raise ValueError("The amount at the end must come out in whole cents.")

    def stem(self) -> str:
        half = ""
        if self.years % 2 == 0:
            count = self.years // 2
            span = "1 year" if count == 1 else f"{count} years"
            half = f" After {span} there is {write_money(self.after(count))}."
        return (
            f"{self.name} puts {write_money(Fraction(self.start))} into a {self.use}. The amount "
            f"grows by {self.percent}% each year.{half} How much is in it after {self.years} years?"
        )

    @property
    def rate(self) -> Fraction:
        """The percentage as a number."""
        return Fraction(self.percent, 100)

    def after(self, years: int) -> Fraction:
        """The amount after so many years."""
        return self.start * (1 + self.rate) ** years

    def solve(self) -> Worked:
        value = self.after(self.years)
        factor = write_decimal(1 + self.rate)
        return Worked(
            _dollars(value),
            (
                step(
                    "sees that {0}% more each year means multiplying by {1}", self.percent, factor
                ),
                step(
                    "multiplies {0} by {1} once for each of the {2} years and gets {3}",
                    *(write_money(Fraction(self.start)), factor, self.years, write_money(value)),
                ),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        name, use = draws.one(vocabulary().names).text, draws.one(_USES)
        if grade == 8 or draws.chance(0.5):
            percent = draws.one((5, 10, 20, 25, 30, 40, 50))
            start = 400 if percent % 10 else 100
            return cls(name, use, start * draws.between(1, 24), percent, 2)
        percent = draws.one((10, 20, 30, 50))
        return cls(name, use, 100 * draws.between(1, 30), percent, 4)


def _dollars(amount: Fraction) -> Answer:
    return Answer.number(amount, write_money(amount))


@mal_rule("AL34")
def simple_growth(problem: Growth) -> Worked | None:
    """Adds the growth of the first year every year."""
    each = problem.start * problem.rate
    value = problem.start + problem.years * each
    return Worked(
        _dollars(value),
        (
            step(
                "works out {0}% of {1} once: {2}",
                *(problem.percent, write_money(Fraction(problem.start)), write_money(each)),
            ),
            step("adds the same {0} for each of the {1} years", write_money(each), problem.years),
            step("gets {0}", write_money(value)),
        ),
        key_step=1,
    )


def power_of_parts(problem: Growth) -> Worked:
    """The power of a sum taken part by part, in (1 + rate)^years."""
    small = problem.rate**problem.years
    value = problem.start * (1 + small)
    return Worked(
        _dollars(value),
        (
            step(
                "writes the growth of a year as {0} + {1}, to the power {2}",
                *(1, write_decimal(problem.rate), problem.years),
            ),
            step(
                "takes the power of {0} and of {1} one by one and adds: {2}",
                *(1, write_decimal(problem.rate), write_decimal(1 + small)),
            ),
            step(
                "multiplies {0} by {1} and gets {2}",
                write_money(Fraction(problem.start)),
                write_decimal(1 + small),
                write_money(value),
            ),
        ),
        key_step=1,
    )


def doubled_half(problem: Growth) -> Worked | None:
    """Twice the amount of half the time; None for an odd number of years."""
    if problem.years % 2:
        return None
    count = problem.years // 2
    half = problem.after(count)
    return Worked(
        _dollars(2 * half),
        (
            step("sees that {0} years are twice {1}", problem.years, count),
            step(
                "doubles the amount after half the time, {0}, and gets {1}",
                *(write_money(half), write_money(2 * half)),
            ),
        ),
        key_step=1,
    )
