"""Two draws without putting back, and at least one of several rolls."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import form
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary


@form("probability", (7, 11), 2)
class TwoMarbles:
    """Two draws without putting back; both red?

    Raises:
        ValueError: there are not two red marbles and another.
    """

    red: int
    total: int
    name: str = "Ana"

    def __post_init__(self) -> None:
        if not 2 <= self.red < self.total:
            raise ValueError("There must be two red marbles or more, and others.")

    def stem(self) -> str:
        return (
            f"A bag holds {self.total} marbles, and {self.red} of them are red. {self.name} draws "
            "two marbles one after the other and does not put the first back. "
            "What is the probability that both are red?"
        )

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The probabilities of the first draw, and of the second after it."""
        return Fraction(self.red, self.total), Fraction(self.red - 1, self.total - 1)

    def solve(self) -> Worked:
        left, right = self.chances
        answer = Answer.number(left * right)
        return Worked(
            answer,
            (
                step("takes {0} of {1} for the first draw", self.red, self.total),
                step("takes {0} of {1} for the second", self.red - 1, self.total - 1),
                step("multiplies {0} by {1} and gets {2}", left, right, answer),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        red = draws.between(2, 6 if grade < 9 else 9)
        others = draws.between(2, 8 if grade < 9 else 12)
        return cls(red, red + others, draws.one(vocabulary().names).text)


@form("probability", (9, 11), 2)
class AtLeastOne:
    """At least one of the highest number in some rolls of a die.

    Raises:
        ValueError: the die has fewer than 3 sides, or there are fewer than 2 rolls.
    """

    sides: int
    rolls: int
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.sides < 3 or self.rolls < 2:
            raise ValueError("There must be 3 or more sides and 2 or more rolls.")

    def stem(self) -> str:
        return (
            f"A fair die has {self.sides} sides, numbered 1 to {self.sides}. {self.name} "
            f"rolls it {self.rolls} times. "
            f"What is the probability that it shows {self.sides} at least once?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many of the ordered results fit the question, and how many do not."""
        none = (self.sides - 1) ** self.rolls
        return self.sides**self.rolls - none, none

    def solve(self) -> Worked:
        none = Fraction(self.odds[1], sum(self.odds))
        answer = Answer.number(1 - none)
        return Worked(
            answer,
            (
                step("sees that one roll misses with {0}", Fraction(self.sides - 1, self.sides)),
                step("finds that all {0} rolls miss with {1}", self.rolls, none),
                step("subtracts {0} from {1} and gets {2}", none, 1, answer),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sides = draws.one((4, 6, 8, 10, 12, 20))
        rolls = draws.between(2, 3 if grade == 9 else 4)
        rolls += 2 * rolls == sides  # Otherwise the chance in proportion would be one half.
        return cls(sides, rolls, draws.one(vocabulary().names).text)
