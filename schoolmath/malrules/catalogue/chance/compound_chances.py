"""Two dice, and two results together."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import form
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_DICE = (4, 6, 8, 10, 12)


@form("probability", (7, 9), 2)
class SumOfTwoDice:
    """The sum of two dice that somebody rolls.

    Raises:
        ValueError: the dice have fewer than 3 sides or cannot show this sum.
    """

    total: int
    sides: int = 6
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.sides < 3 or not 2 <= self.total <= 2 * self.sides:
            raise ValueError(f"Two dice with {self.sides} sides cannot show {self.total}.")

    def stem(self) -> str:
        return (
            f"Two fair dice each have {self.sides} sides, numbered 1 to {self.sides}. "
            f"{self.name} rolls them together. "
            f"What is the probability that the sum is {self.total}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many of the ordered results fit the question, and how many do not."""
        ways = self.sides - abs(self.total - self.sides - 1)
        return ways, self.sides**2 - ways

    def solve(self) -> Worked:
        return _of_ordered(self.odds[0], self.sides)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sides = draws.one(_DICE[:3] if grade == 7 else _DICE)
        return cls(draws.between(3, 2 * sides - 1), sides, draws.one(vocabulary().names).text)


@form("probability", (7, 11), 2)
class PairOnTwoDice:
    """Two different numbers on two dice, in any order.

    Raises:
        ValueError: the numbers are equal or not on the dice.
    """

    first: int
    second: int
    sides: int = 6
    name: str = "Ana"

    def __post_init__(self) -> None:
        on_dice = min(self.first, self.second) >= 1 and max(self.first, self.second) <= self.sides
        if self.first == self.second or not on_dice:
            raise ValueError(f"There must be two different numbers from 1 to {self.sides}.")

    def stem(self) -> str:
        return (
            f"Two fair dice each have {self.sides} sides, numbered 1 to {self.sides}. "
            f"{self.name} rolls them together. What is the probability that one of them shows "
            f"{self.first} and the other shows {self.second}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many of the ordered results fit the question, and how many do not."""
        return 2, self.sides**2 - 2

    def solve(self) -> Worked:
        return _of_ordered(2, self.sides)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sides = draws.one(_DICE[:3] if grade < 9 else _DICE)
        first, second = sorted(draws.several(range(1, sides + 1), 2))
        return cls(first, second, sides, draws.one(vocabulary().names).text)


@form("probability", (7, 9), 2)
class TwoChances:
    """Two spinners that both stop on red, or a coin and a die.

    A pair of 2 sides, 1 of them wanted, is a coin; otherwise it is a spinner with equal parts,
    some of them red.

    Attributes:
        first: the number of wanted and of all parts of the first.
        second: the same of the second.

    Raises:
        ValueError: nothing or everything is wanted.
    """

    first: tuple[int, int]
    second: tuple[int, int]

    def __post_init__(self) -> None:
        for wanted, parts in (self.first, self.second):
            if not 0 < wanted < parts:
                raise ValueError("Some parts must be wanted and others not.")

    def stem(self) -> str:
        return (
            f"{self._described(self.first, 'A')} {self._described(self.second, 'B')} "
            f"What is the probability that {self._wanted(self.first, 'A')} and "
            f"{self._wanted(self.second, 'B')}?"
        )

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The two probabilities."""
        return Fraction(*self.first), Fraction(*self.second)

    def solve(self) -> Worked:
        left, right = self.chances
        answer = Answer.number(left * right)
        return Worked(
            answer,
            (
                step("finds the probabilities {0} and {1}", left, right),
                step("multiplies {0} by {1} and gets {2}", left, right, answer),
            ),
            key_step=1,
        )

    @staticmethod
    def _described(device: tuple[int, int], letter: str) -> str:
        wanted, parts = device
        if device == (1, 2):
            return f"Coin {letter} is fair and is tossed once."
        if device == (1, 6):
            return f"Die {letter} is fair, has the numbers 1 to 6 and is rolled once."
        are = "is" if wanted == 1 else "are"
        return f"Spinner {letter} has {parts} equal parts, {wanted} of which {are} red."

    @staticmethod
    def _wanted(device: tuple[int, int], letter: str) -> str:
        if device == (1, 2):
            return f"coin {letter} lands heads"
        if device == (1, 6):
            return f"die {letter} shows 6"
        return f"spinner {letter} stops on red"

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 6 if grade == 7 else 10

        def spinner() -> tuple[int, int]:
            parts = draws.between(3, most)
            wanted = draws.between(1, min(4, parts - 1))
            # Half red would make red as likely as not, and its odds 1.
            return (wanted, parts) if 2 * wanted != parts else (wanted, parts + 1)

        first = draws.one(((1, 2), spinner(), spinner()))
        second = draws.one(((1, 6), spinner(), spinner()))
        return cls(first, second)


def _of_ordered(ways: int, sides: int) -> Worked:
    answer = Answer.number(Fraction(ways, sides**2))
    return Worked(
        answer,
        (
            step("counts {0} × {0} = {1} equally likely results", sides, sides**2),
            step("counts the ways in both orders: {0}", ways),
            step("divides {0} by {1} and gets {2}", ways, sides**2, answer),
        ),
        key_step=1,
    )
