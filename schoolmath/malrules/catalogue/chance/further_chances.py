"""Draws with the marble put back, spinners, coins, handshakes, and what comes in between posts."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.chance.compound_chances import TwoMarbles
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


def _product(one: Fraction, other: Fraction, words: tuple[str, str]) -> Working:
    answer = Answer.number(one * other)
    first = step("takes {0} for the first and {1} for the second", *words)
    return by_steps(answer, first, step("multiplies them: {0}", answer))


@mal_rule("PR19")
def second_bottom_unchanged(problem: TwoMarbles) -> Working:
    """f/n · (f-1)/n."""
    red, total = problem.red, problem.total
    words = (f"{red}/{total}", f"{red - 1}/{total}")
    return _product(Fraction(red, total), Fraction(red - 1, total), words)


@mal_rule("PR24")
def second_top_unchanged(problem: TwoMarbles) -> Working:
    """f/n · f/(n-1)."""
    red, total = problem.red, problem.total
    words = (f"{red}/{total}", f"{red}/{total - 1}")
    return _product(Fraction(red, total), Fraction(red, total - 1), words)


@mal_rule("PR25")
def adds_tops_and_bottoms_of_draws(problem: TwoMarbles) -> Working:
    """(f + f-1)/(n + n-1)."""
    red, total = problem.red, problem.total
    top, bottom = 2 * red - 1, 2 * total - 1
    answer = Answer.number(Fraction(top, bottom))
    first = step("adds {0} and {1} above, {2} and {3} below", red, red - 1, total, total - 1)
    return by_steps(answer, first, step("writes {0}", answer))


@form("probability", (7, 11), 2)
class WithReplacement:
    """Two draws with the marble put back."""

    red: int
    total: int

    def __post_init__(self) -> None:
        if not 1 < self.red < self.total:
            raise ValueError("Some marbles are red, at least two, and not all of them.")

    def stem(self) -> str:
        return (
            f"{self.red} of {self.total} marbles in a bag are red. One is drawn and put back, then "
            "another one is drawn. What is the probability that both are red?"
        )

    def solve(self) -> Working:
        share = Fraction(self.red, self.total)
        words = f"{self.red}/{self.total}"
        return _product(share, share, (words, words))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        total = draws.between(5, 2 * grade)
        return cls(draws.between(2, total - 2), total)


@mal_rule("PR20")
def takes_one_out_anyway(problem: WithReplacement) -> Working:
    """As if the first were not put back."""
    red, total = problem.red, problem.total
    words = (f"{red}/{total}", f"{red - 1}/{total - 1}")
    return _product(Fraction(red, total), Fraction(red - 1, total - 1), words)


@form("probability", (5, 7), 1)
class Spinner:
    """A spinner of which half is one sector, and the rest equal smaller ones.

    Attributes:
        colour: of the half.
        others: how many smaller sectors.
    """

    colour: str
    others: int

    def __post_init__(self) -> None:
        if not 2 <= self.others <= 60 or self.colour not in _COLOURS:
            raise ValueError(f"2 to 60 sectors are beside the half, which is {_COLOURS}.")

    def stem(self) -> str:
        return (
            f"Half of a spinner is one {self.colour} sector, and the other half has {self.others} "
            f"equal sectors of other colours. What is the probability of {self.colour}?"
        )

    def solve(self) -> Working:
        answer = Answer.number(Fraction(1, 2))
        return by_steps(answer, step("takes the part of the circle: {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.one(_COLOURS), draws.between(2, 2 * grade))


_COLOURS = ("red", "blue", "green", "yellow")


@mal_rule("PR18")
def each_sector_alike(problem: Spinner) -> Working:
    """1/n."""
    answer = Answer.number(Fraction(1, problem.others + 1))
    told = step("counts {0} sectors", problem.others + 1)
    return by_steps(answer, told, step("takes one of them: {0}", answer))


@form("probability", (6, 11), 2)
class Handshakes:
    """How many handshakes there are if everybody shakes hands with everybody once."""

    people: int

    def __post_init__(self) -> None:
        if not 3 <= self.people <= 10_000:
            raise ValueError("There are 3 to 10,000 people.")

    def stem(self) -> str:
        return f"{self.people} people all shake hands once. How many handshakes are there?"

    def solve(self) -> Working:
        answer = Answer.number(self.people * (self.people - 1) // 2)
        first = step("counts {0} for each of {1} people", self.people - 1, self.people)
        return by_steps(
            answer, first, step("halves it, as each has two people: {0}", answer), key_step=1
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(4, 10 * (grade - 3)))


@mal_rule("PR22")
def each_pair_twice(problem: Handshakes) -> Working:
    """n(n-1)."""
    answer = Answer.number(problem.people * (problem.people - 1))
    words = "counts {0} for each of {1} people: {2}"
    return by_steps(answer, step(words, problem.people - 1, problem.people, answer))


@mal_rule("PR26")
def everyone_with_everyone(problem: Handshakes) -> Working:
    """n·n."""
    answer = Answer.number(problem.people**2)
    words = "counts {0} for each of {0} people: {1}"
    return by_steps(answer, step(words, problem.people, answer))


@form("probability", (7, 9), 1)
class ExpectedCount:
    """How often something with a chance comes in so many trials."""

    top: int
    bottom: int
    trials: int

    def __post_init__(self) -> None:
        if not 1 < self.top < self.bottom or self.trials < 1:
            raise ValueError("The chance is a fraction with a top from 2, and there are trials.")

    def stem(self) -> str:
        return (
            f"The probability of red is {self.top}/{self.bottom}. How many reds do you expect in "
            f"{self.trials} spins?"
        )

    def solve(self) -> Working:
        answer = plain(Fraction(self.top * self.trials, self.bottom))
        told = step("takes {0} of {1}: {2}", f"{self.top}/{self.bottom}", self.trials, answer)
        return by_steps(answer, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(3, 9)
        return cls(draws.between(2, bottom - 1), bottom, bottom * draws.between(4, 3 * grade))


@mal_rule("PR27")
def divides_by_the_bottom_only(problem: ExpectedCount) -> Working:
    """n/b."""
    answer = plain(Fraction(problem.trials, problem.bottom))
    told = step("divides {0} by {1}: {2}", problem.trials, problem.bottom, answer)
    return by_steps(answer, told)


@mal_rule("PR28")
def half_the_time(problem: ExpectedCount) -> Working:
    """n/2."""
    answer = plain(Fraction(problem.trials, 2))
    told = step("expects half of {0}: {1}", problem.trials, answer)
    return by_steps(answer, told)
