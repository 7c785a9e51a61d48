"""A part, and then a part of the rest."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.field_checks import (
    check_one_of,
    check_share,
    check_that,
    check_whole,
)
from schoolmath.malrules.catalogue.stories.unit_prices import BagOnSale
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

_STORIES = {
    "sweets": "A class has {total} sweets. The pupils eat {first} of them, and later {second} of "
    "the rest. How many sweets are left?",
    "pages": "A book has {total} pages. A pupil reads {first} of them in the first week and "
    "{second} of the rest in the second week. How many pages are left to read?",
    "stamps": "A collector has {total} stamps, sells {first} of them and gives away {second} of "
    "the rest. How many stamps are left?",
    "flour": "A baker has {total} kg of flour. The baker uses {first} of it for bread and {second} "
    "of the rest for cakes. How many kilograms are left?",
    "seats": "A cinema has {total} seats. Groups book {first} of them, and {second} of the rest "
    "are sold at the door. How many seats stay empty?",
}


@form("word problems", (5, 8), 2)
class FractionOfRest:
    """A fraction of the whole is used, then a fraction of the rest; what is left?

    Attributes:
        total: the whole.
        first: the fraction of the whole.
        second: the fraction of the rest.
        written: ``fraction`` or ``percent``.
        story: what it is about.

    Raises:
        ValueError: the parts are not whole or no fractions between 0 and 1, a percent is not
            whole, or the words are not known.
    """

    total: int
    first: Fraction
    second: Fraction
    written: str = "fraction"
    story: str = "sweets"

    def __post_init__(self) -> None:
        check_whole(2, 1_000_000, total=self.total)
        check_share(first=self.first, second=self.second)
        check_one_of(("fraction", "percent"), written=self.written)
        check_one_of(_STORIES, story=self.story)
        parts = (self.total * self.first, self.total * self.second)
        whole = (*parts, self.total * (1 - self.first) * self.second)
        check_that(
            all(part.denominator == 1 for part in whole), "Every part must be a whole number."
        )
        check_that(
            self.written == "fraction"
            or 100 % self.first.denominator == 0 == 100 % self.second.denominator,
            "A percent must be a whole number.",
        )

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order; percents as fractions."""
        return Fraction(self.total), self.first, self.second

    def write(self, share: Fraction) -> str:
        """A share as the story writes it: ``1/3`` or ``25%``."""
        return f"{share * 100}%" if self.written == "percent" else str(share)

    def stem(self) -> str:
        return _STORIES[self.story].format(
            total=self.total, first=self.write(self.first), second=self.write(self.second)
        )

    def take(self, second_of: Fraction, words: str) -> Worked:
        """What is left where the second share is taken of this amount."""
        used = self.total * self.first
        rest, taken = self.total - used, second_of * self.second
        answer = Answer.number(rest - taken)
        return Worked(
            answer,
            (
                step("takes {0} of {1}, which is {2}", self.write(self.first), self.total, used),
                step("subtracts {0} from {1} to get {2}", used, self.total, rest),
                step(words, self.write(self.second), second_of, taken),
                step("subtracts {0} from {1} and gets {2}", taken, rest, answer),
            ),
            2,
        )

    def solve(self) -> Worked:
        words = "takes {0} of the rest {1}, which is {2}"
        return self.take(self.total * (1 - self.first), words)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        written = "fraction" if grade < 7 or draws.chance(0.5) else "percent"
        bottoms = (2, 3, 4, 5, 6) if written == "fraction" else (2, 4, 5, 10)
        for _ in range(200):
            tops = (1, 1, 1, 2, 3)
            first = Fraction(draws.one(tops), draws.one(bottoms))
            second = Fraction(draws.one(tops), draws.one(bottoms))
            total = (
                12 * draws.between(2, 20) if written == "fraction" else 20 * draws.between(2, 25)
            )
            if first + second >= 1:
                continue
            try:
                return cls(total, first, second, written, draws.one(tuple(_STORIES)))
            except ValueError:
                continue
        raise NotDrawn("No parts came up that are whole numbers.")


@mal_rule("WP24")
def part_of_the_wrong_whole(problem: FractionOfRest | BagOnSale) -> Worked:
    """Takes the second fraction of the whole, too."""
    if isinstance(problem, FractionOfRest):
        words = "takes {0} of the whole {1} again, which is {2}"
        return problem.take(Fraction(problem.total), words)
    words = "multiplies {0} by {1} for the price of the bag, {2}"
    cut = "takes {0} of the price {1} of a whole kilogram, which is {2}"
    found = problem.finish(problem.price * problem.amount, Fraction(problem.price), (words, cut))
    return Worked(found.answer, found.steps, 1)
