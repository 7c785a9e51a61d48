"""The chance of one draw or one roll."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import listed
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_COLOURS = ("black", "blue", "green", "orange", "red", "white", "yellow")


@form("probability", (6, 8), 1)
class MarbleDraw:
    """One marble from a bag.

    Attributes:
        colours: of the marbles; the first is the one asked for.
        counts: how many there are of each.
        negated: whether the question is for any other colour than the first.

    Raises:
        ValueError: there are fewer than two colours, one twice or unknown, or a count below 1.
    """

    colours: tuple[str, ...]
    counts: tuple[int, ...]
    negated: bool = False

    def __post_init__(self) -> None:
        known = set(self.colours) <= set(_COLOURS) and len({*self.colours}) == len(self.colours)
        if len(self.colours) < 2 or not known:
            raise ValueError(f"There must be two or more of the colours {listed([*_COLOURS])}.")
        if len(self.counts) != len(self.colours) or min(self.counts) < 1:
            raise ValueError("Each colour needs a number of marbles, 1 or more.")

    def stem(self) -> str:
        told = [
            f"{count} {colour}" for count, colour in zip(self.counts, self.colours, strict=True)
        ]
        return (
            f"A bag holds {listed(told)} marbles. One marble is drawn without looking. "
            f"What is the probability that it is {'not ' * self.negated}{self.colours[0]}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many marbles fit the question, and how many do not."""
        asked, others = self.counts[0], sum(self.counts[1:])
        return (others, asked) if self.negated else (asked, others)

    def solve(self) -> Worked:
        fit, total = self.odds[0], sum(self.counts)
        answer = Answer.number(Fraction(fit, total))
        return Worked(
            answer,
            (
                step("counts {0} marbles in all", total),
                step("counts {0} marbles that fit the question", fit),
                step("divides {0} by {1} and gets {2}", fit, total, answer),
            ),
            key_step=2,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        kinds = 3 if grade == 6 else draws.between(3, 4)
        for _ in range(50):
            counts = tuple(draws.between(1 if grade > 6 else 2, 9) for _ in range(kinds))
            share = Fraction(counts[0], sum(counts))
            if share not in (Fraction(1, 2), Fraction(1, kinds)):
                colours = tuple(draws.several(_COLOURS, kinds))
                return cls(colours, counts, draws.chance(0.4))
        raise NotDrawn("No bag of marbles came up.")


@form("probability", (7, 8), 1)
class NotOnDie:
    """The probability that a die does not show one of its highest numbers.

    Attributes:
        sides: of the die, at least 3; they are numbered from 1.
        lowest: the lowest number that is not wanted.
        name: who rolls it.

    Raises:
        ValueError: a number is out of range.
    """

    sides: int
    lowest: int
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.sides < 3 or not 1 < self.lowest <= self.sides:
            raise ValueError("A die has 3 or more sides, and the numbers not wanted are on it.")

    def stem(self) -> str:
        unwanted = (
            f"the number {self.sides}"
            if self.lowest == self.sides
            else f"a number greater than {self.lowest - 1}"
        )
        return (
            f"A fair die has {self.sides} sides, numbered 1 to {self.sides}. {self.name} rolls it "
            f"once. What is the probability that it does not show {unwanted}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many sides fit the question, and how many do not."""
        return self.lowest - 1, self.sides - self.lowest + 1

    def solve(self) -> Worked:
        answer = Answer.number(Fraction(self.odds[0], self.sides))
        against = Fraction(self.odds[1], self.sides)
        return Worked(
            answer,
            (
                step("finds the probability {0} of what is not wanted", against),
                step("subtracts {0} from {1} and gets {2}", against, 1, answer),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 12 if grade == 7 else 20
        for _ in range(50):
            sides = draws.one([each for each in (4, 6, 8, 10, 12, 20) if each <= most])
            lowest = draws.between(3, sides)
            if 2 * (lowest - 1) != sides:
                return cls(sides, lowest, draws.one(vocabulary().names).text)
        raise NotDrawn("No roll of a die came up.")
