"""Runs of results and expected numbers; what goes wrong there and with one chance."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.chance.compound_chances import (
    AtLeastOne,
    CoinTosses,
    EitherOfTwo,
    MoreDetail,
    PairOnTwoDice,
    SumOfTwoDice,
    TwoChances,
    TwoMarbles,
)
from schoolmath.malrules.catalogue.chance.single_chances import (
    BagComparison,
    DieRoll,
    MarbleDraw,
    NotOnDie,
    OutfitAtRandom,
)
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_WINS = {
    "star": "Some of the cards in a pack have a star. The probability of picking one of them is "
    "{chance}. A card is picked {picks} times and put back each time. {first} of the first {half} "
    "cards have a star. How many of the other {half} cards must have a star so that the number "
    "of stars is just the expected one?",
    "prize": "At a stall the probability that a ticket wins is {chance}. {picks} tickets are "
    "bought. {first} of the first {half} tickets win. How many of the other {half} tickets must "
    "win so that the number of wins is just the expected one?",
    "spinner": "The probability that a spinner stops on red is {chance}. It is spun {picks} "
    "times. It stops on red in {first} of the first {half} spins. In how many of the other "
    "{half} spins must it stop on red so that the number of reds is just the expected one?",
}


@form("probability", (6, 9), 2)
class NextInRun:
    """The next result after a run of others: tails after heads, or the highest of a die.

    Attributes:
        sides: 2 for a coin, more for a die numbered from 1.
        run: how often in a row something else came.
        name: who tosses or rolls.
    """

    sides: int
    run: int
    name: str = "Ana"

    def __post_init__(self) -> None:
        if min(self.sides, self.run) < 2:
            raise ValueError("There must be 2 or more sides and a run of 2 or more.")

    @property
    def odds(self) -> tuple[int, int]:
        """How many sides fit the question, and how many do not."""
        return 1, self.sides - 1

    def stem(self) -> str:
        if self.sides == 2:
            return (
                f"{self.name} tosses a fair coin {self.run} times, and it lands heads each time. "
                "What is the probability that it lands tails next time?"
            )
        return (
            f"A fair die has {self.sides} sides, numbered 1 to {self.sides}. {self.name} rolls it "
            f"{self.run} times, and it never shows {self.sides}. What is the probability that it "
            f"shows {self.sides} next time?"
        )

    def solve(self) -> Working:
        chance = f"1/{self.sides}"
        return by_steps(
            Answer.label(chance),
            step("sees that the {0} results before change nothing", self.run),
            step("counts {0} of {1} equally likely sides", 1, self.sides),
            step("answers {0}", chance),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sides, run = draws.one((2, 4, 6, 8, 10, 12, 20)), draws.between(4, 6 if grade < 8 else 12)
        return cls(sides, run, draws.one(vocabulary().names).text)


@form("probability", (7, 8), 2)
class ExpectedRemaining:
    """How many more are needed in the second half to reach the expected number.

    Attributes:
        top: of the probability.
        bottom: of the probability.
        picks: how many there are in all.
        first: how many came in the first half.
        setting: the story; one of star, prize, spinner.
    """

    top: int
    bottom: int
    picks: int
    first: int
    setting: str = "star"

    def __post_init__(self) -> None:
        if not 0 < self.top < self.bottom or self.picks < 2 or self.picks % 2:
            raise ValueError("It takes a proper fraction and an even number of picks.")
        if self.picks * self.top % self.bottom:
            raise ValueError(f"The expected number in {self.picks} picks must be whole.")
        if self.first < 0 or not 0 <= self.expected - self.first <= self.picks // 2:
            raise ValueError(f"{self.expected} cannot be reached after {self.first}.")
        if self.setting not in _WINS:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_WINS]}.")

    @property
    def chance(self) -> str:
        """The probability as it is written."""
        return f"{self.top}/{self.bottom}"

    @property
    def expected(self) -> int:
        """The expected number in all picks."""
        return self.picks * self.top // self.bottom

    def stem(self) -> str:
        return _WINS[self.setting].format(
            chance=self.chance, picks=self.picks, half=self.picks // 2, first=self.first
        )

    def solve(self) -> Working:
        answer = plain(self.expected - self.first)
        return by_steps(
            answer,
            step("takes {0} of {1} as expected: {2}", self.chance, self.picks, self.expected),
            step("subtracts the {0} of the first half and gets {1}", self.first, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        chances = (
            ((1, 2), (1, 4), (1, 5), (1, 10)) if grade == 7 else ((2, 5), (3, 8), (1, 6), (3, 10))
        )
        for _ in range(50):
            top, bottom = draws.one(chances)
            picks = 2 * bottom * draws.between(2, 20)
            expected = picks * top // bottom
            first = draws.between(2, expected - 1)
            fits = expected - first <= picks // 2 and 40 <= picks <= 240
            if fits and 2 * first != expected:
                return cls(top, bottom, picks, first, draws.one(tuple(_WINS)))
        raise NotDrawn("No expected number came up.")


@mal_rule("PR01")
def part_to_part(
    problem: (
        MarbleDraw
        | DieRoll
        | NotOnDie
        | NextInRun
        | SumOfTwoDice
        | PairOnTwoDice
        | TwoChances
        | TwoMarbles
        | AtLeastOne
        | EitherOfTwo
    ),
) -> Working | None:
    """Divides the favourable by the others, and not by all; of two chances each."""
    match problem:
        case TwoChances():
            return _both_part_to_part(problem.first, problem.second)
        case TwoMarbles():
            red, total = problem.red, problem.total
            return _both_part_to_part((red, total), (red - 1, total - 1))
    fit, others = problem.odds
    value = Fraction(fit, others)
    answer = Answer.label(str(value)) if isinstance(problem, NextInRun) else Answer.number(value)
    return by_steps(
        answer,
        step("counts {0} that fit and {1} others", fit, others),
        step("divides {0} by the {1} others and gets {2}", fit, others, answer),
        key_step=1,
    )


@mal_rule("PR03")
def fifty_fifty(
    problem: (
        MarbleDraw
        | DieRoll
        | NotOnDie
        | NextInRun
        | SumOfTwoDice
        | PairOnTwoDice
        | TwoChances
        | TwoMarbles
        | AtLeastOne
        | OutfitAtRandom
        | EitherOfTwo
        | BagComparison
        | MoreDetail
        | CoinTosses
    ),
) -> Working | None:
    """Sees two outcomes, this or not this, and holds them to be equally likely."""
    seen = step("counts two outcomes, yes and no")
    if isinstance(problem, BagComparison | MoreDetail):
        return by_steps(
            Answer.label("equal"),
            seen,
            step("gives everything the same chance and answers equal"),
            key_step=1,
        )
    half = Fraction(1, 2)
    answer = Answer.label(str(half)) if isinstance(problem, NextInRun) else Answer.number(half)
    shared = step("gives each of the {0} outcomes the same chance, {1}", 2, answer)
    return by_steps(answer, seen, shared)


@mal_rule("PR04")
def equally_likely_sums(problem: SumOfTwoDice | MarbleDraw | CoinTosses) -> Working | None:
    """Holds all sums to be equally likely, all numbers of heads, or three colours or more."""
    if isinstance(problem, MarbleDraw):
        colours = len(problem.colours)
        if colours == 2:
            return None
        fit = colours - 1 if problem.negated else 1
        named = step("counts the colours: {0}", colours)
    elif isinstance(problem, CoinTosses):
        colours, fit = problem.tosses + 1, 1
        named = step(f"counts the numbers of {problem.side} from {{0}} to {{1}}: {{2}}",
                     0, problem.tosses, colours)  # fmt: skip
    else:
        colours, fit = 2 * problem.sides - 1, 1
        named = step("counts the sums from {0} to {1}: {2}", 2, 2 * problem.sides, colours)
    answer = Answer.number(Fraction(fit, colours))
    return by_steps(
        answer,
        named,
        step("holds these {0} to be equally likely", colours),
        step("takes {0} of {1}: {2}", fit, colours, answer),
        key_step=1,
    )


@mal_rule("PR09")
def complement_forgotten(problem: NotOnDie | MarbleDraw | AtLeastOne) -> Working | None:
    """Gives the probability of the contrary and forgets to subtract it from 1."""
    if isinstance(problem, MarbleDraw) and not problem.negated:
        return None
    fit, others = problem.odds
    answer = Answer.number(Fraction(others, fit + others))
    contrary = (
        "of none at all" if isinstance(problem, AtLeastOne) else "as if the word not were missing"
    )
    return by_steps(
        answer,
        step(f"works out the probability {contrary}"),
        step("takes {0}, of {1} in all, and answers {2}", others, fit + others, answer),
        key_step=1,
    )


@mal_rule("PR10")
def due_after_a_run(problem: NextInRun) -> Working | None:
    """Holds what has not come for long to be due."""
    chance = f"1/{problem.sides}"
    return by_steps(
        Answer.label(f"more than {chance}"),
        step("sees that it has not come in {0} results", problem.run),
        step("thinks that it is due now to make up the balance"),
        step("answers more than {0}", chance),
        key_step=1,
    )


@mal_rule("PR11")
def expected_total(problem: ExpectedRemaining) -> Working | None:
    """Gives the expected number of all picks."""
    return by_steps(
        plain(problem.expected),
        step("takes {0} of all {1}", problem.chance, problem.picks),
        step("answers {0} and leaves the first half out", problem.expected),
        key_step=1,
    )


@mal_rule("PR12")
def half_of_expected(problem: ExpectedRemaining) -> Working | None:
    """Gives the expected number of the second half, rounded, whatever came in the first."""
    half = problem.picks // 2
    exact = Fraction(half * problem.top, problem.bottom)
    # Half up, as at school.
    rounded = (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    taken = step("takes {0} of the second {1}", problem.chance, half)
    if rounded == exact:
        return by_steps(plain(rounded), taken, step("answers {0}", rounded))
    return by_steps(
        plain(rounded), taken, step("rounds {0} and answers {1}", plain(exact), rounded)
    )


@mal_rule("PR13")
def repeats_the_first(problem: ExpectedRemaining | NextInRun) -> Working | None:
    """Expects what came before to come again."""
    if isinstance(problem, NextInRun):
        chance = f"1/{problem.sides}"
        return by_steps(
            Answer.label(f"less than {chance}"),
            step("sees that it has not come in {0} results", problem.run),
            step("thinks that things will go on as before"),
            step("answers less than {0}", chance),
            key_step=1,
        )
    return by_steps(
        plain(problem.first),
        step("reads that {0} came in the first half", problem.first),
        step("expects the same again and answers {0}", problem.first),
        key_step=1,
    )


def _both_part_to_part(first: tuple[int, int], second: tuple[int, int]) -> Working:
    left, right = (
        Fraction(first[0], first[1] - first[0]),
        Fraction(second[0], second[1] - second[0]),
    )
    answer = Answer.number(left * right)
    words = "divides {0} by the {1} others and gets {2}"
    return by_steps(
        answer,
        step(words, first[0], first[1] - first[0], left),
        step(words, second[0], second[1] - second[0], right),
        step("multiplies {0} by {1} and gets {2}", left, right, answer),
    )


@mal_rule("PR29")
def limit_counted_in(problem: DieRoll) -> Working | None:
    """The number itself counts as greater, or as less, than it."""
    fit = problem.odds[0] + 1
    if not problem.wanted.endswith("than") or fit == problem.sides:
        return None
    return problem.of_all(fit, "counts the sides that fit, the number itself with them: {0}")
