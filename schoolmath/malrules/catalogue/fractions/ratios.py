"""Sharing in a ratio, and two pairs in proportion."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Self

from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.fractions.percents import PercentOf
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

_SHARES = {
    "beads": "In a box the ratio of red beads to blue beads is {first}:{second}. "
    "There are {total} beads, all red or blue. How many beads are red?",
    "segment": "A point N lies on the segment AB so that AN:NB = {first}:{second}. "
    "AB is {total} cm long. How many centimetres long is AN?",
    "paint": "A painter mixes white and green paint in the ratio {first}:{second} and makes "
    "{total} litres. How many litres of white paint are in the mixture?",
    "farm": "On a farm the ratio of goats to sheep is {first}:{second}. There are {total} goats "
    "and sheep together. How many goats are there?",
}
_PROPORTIONS = {
    "picture": "A picture is enlarged so that a side of {first} cm becomes {second} cm long. "
    "How many centimetres long does a side of {third} cm become?",
    "recipe": "A cook needs {second} spoons of sugar for {first} cups of flour. "
    "How many spoons of sugar go with {third} cups of flour?",
    "paint": "A painter mixes {second} litres of blue with {first} litres of white. "
    "How many litres of blue give the same colour with {third} litres of white?",
    "walk": "At a steady pace a walker takes {second} minutes for {first} rounds of a park. "
    "How many minutes do {third} rounds take?",
}


@form("number and operation", (6, 7), 2)
class RatioShare:
    """A total in the ratio ``first:second``; the first share is asked for.

    Raises:
        ValueError: a number is below 1, the shares are not whole, or there is no such setting.
    """

    first: int
    second: int
    total: int
    setting: str = "beads"

    def __post_init__(self) -> None:
        if min(self.first, self.second, self.total) < 1:
            raise ValueError("The numbers of the ratio and the total must be 1 or more.")
        if self.total * self.first % (self.first + self.second):
            raise ValueError(f"{self.total} does not divide into whole shares.")
        if self.setting not in _SHARES:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_SHARES]}.")

    def stem(self) -> str:
        return _SHARES[self.setting].format(first=self.first, second=self.second, total=self.total)

    def solve(self) -> Worked:
        parts = self.first + self.second
        answer = plain(Fraction(self.total * self.first, parts))
        one = plain(Fraction(self.total, parts))
        return Worked(
            answer,
            (
                step("adds {0} and {1} to get {2} parts", self.first, self.second, parts),
                step("divides {0} by {1} to get {2} for one part", self.total, parts, one),
                step("multiplies {0} by {1} and gets {2}", one, self.first, answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 120 if grade == 6 else 300
        for _ in range(200):
            first, second = draws.between(2, 7), draws.between(2, 9)
            # Whole for those who take first/second or 1/first of the total.
            total = (first + second) * lcm(first, second) * draws.between(1, 3)
            if first != second and gcd(first, second) == 1 and total <= most:
                return cls(first, second, total, draws.one(tuple(_SHARES)))
        raise NotDrawn("No ratio came up.")


@form("number and operation", (6, 8), 2)
class Proportion:
    """``first`` goes with ``second``; what goes with ``third``?

    Raises:
        ValueError: a number is below 1, or there is no such setting.
    """

    first: int
    second: int
    third: int
    setting: str = "picture"

    def __post_init__(self) -> None:
        # 1 would want its nouns in the singular, and asks for no proportion.
        if min(self.first, self.second, self.third) < 2:
            raise ValueError("The numbers must be 2 or more.")
        if self.setting not in _PROPORTIONS:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_PROPORTIONS]}.")

    def stem(self) -> str:
        return _PROPORTIONS[self.setting].format(
            first=self.first, second=self.second, third=self.third
        )

    def solve(self) -> Worked:
        answer = plain(Fraction(self.third * self.second, self.first))
        factor = plain(Fraction(self.second, self.first))
        return Worked(
            answer,
            (
                step("finds that {0} is {1} times {2}", self.second, factor, self.first),
                step("multiplies {0} by {1} and gets {2}", self.third, factor, answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {6: 9, 7: 12}.get(grade, 15)
        for _ in range(200):
            first, second = draws.between(2, most), draws.between(2, most)
            if abs(first - second) < 2:
                continue
            shared = gcd(first, second)
            third = first * second // shared**2 * draws.between(1, 5)
            if third in (first, second) or not 2 <= third <= 60:
                continue
            drawn = cls(first, second, third, draws.one(tuple(_PROPORTIONS)))
            if third + second - first > 0 and drawn.solve().answer.value <= 200:  # type: ignore[operator]
                return drawn
        raise NotDrawn("No proportion came up.")


@mal_rule("NO64")
def part_to_part_as_part_of_whole(problem: RatioShare) -> Worked | None:
    """Uses the ratio as a fraction of the whole."""
    answer = plain(Fraction(problem.total * problem.first, problem.second))
    fraction = f"{problem.first}/{problem.second}"
    return Worked(
        answer,
        (
            step("reads {0} as the fraction {1}", f"{problem.first}:{problem.second}", fraction),
            step("takes {0} of {1} and gets {2}", fraction, problem.total, answer),
        ),
    )


@mal_rule("NO65")
def divides_by_the_ratio_number(problem: RatioShare | PercentOf) -> Worked | None:
    """Divides the whole by the ratio number of the share asked for, or by the percent."""
    if isinstance(problem, PercentOf):
        share = plain(Fraction(problem.amount, problem.percent))
        return Worked(
            share,
            (
                step("takes the {0} of {0}% as the number to divide by", problem.percent),
                step("divides {0} by {1} and gets {2}", problem.amount, problem.percent, share),
            ),
        )
    answer = plain(Fraction(problem.total, problem.first))
    return Worked(
        answer,
        (
            step("takes {0} of the ratio as the number to divide by", problem.first),
            step("divides {0} by {1} and gets {2}", problem.total, problem.first, answer),
        ),
    )


@mal_rule("NO66")
def adds_the_difference(problem: Proportion | RatioShare) -> Worked | None:
    """Keeps the difference instead of the ratio."""
    difference = problem.second - problem.first
    if isinstance(problem, RatioShare):
        answer = plain(Fraction(problem.total - difference, 2))
        size = abs(difference)
        less = "less" if difference >= 0 else "more"
        return Worked(
            answer,
            (
                step(
                    f"reads {{0}} as {{1}} {less} than the other share",
                    f"{problem.first}:{problem.second}",
                    size,
                ),
                step("splits {0} into two shares {1} apart", problem.total, size),
                step("gets {0}", answer),
            ),
        )
    answer = plain(problem.third + difference)
    verb = "adds {1} to" if difference >= 0 else "subtracts {1} from"
    return Worked(
        answer,
        (
            step(
                "finds that {0} and {1} are {2} apart",
                problem.first,
                problem.second,
                abs(difference),
            ),
            step(f"{verb} {{0}} and gets {{2}}", problem.third, abs(difference), answer),
        ),
    )
