"""The next result after a run of others, and how many are still expected."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.traces import Worked, step
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

    Raises:
        ValueError: a number is below 2.
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

    def solve(self) -> Worked:
        chance = f"1/{self.sides}"
        return Worked(
            Answer.label(chance),
            (
                step("sees that the {0} results before change nothing", self.run),
                step("counts {0} of {1} equally likely sides", 1, self.sides),
                step("answers {0}", chance),
            ),
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

    Raises:
        ValueError: a number is out of range, the expected number is not whole or cannot be
            reached, or there is no such story.
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

    def solve(self) -> Worked:
        answer = plain(self.expected - self.first)
        return Worked(
            answer,
            (
                step("takes {0} of {1} as expected: {2}", self.chance, self.picks, self.expected),
                step(
                    "subtracts the {0} of the first half and gets {1}",
                    self.first,
                    answer,
                ),
            ),
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
