"""A fraction of an amount."""

from __future__ import annotations

from math import gcd, lcm
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_STORIES = {
    "plain": "What is {part} of {amount}?",
    "beads": "{name} has {amount} beads. {part} of them are red. How many beads are red?",
    "pages": "{name}'s book has {amount} pages. {name} has read {part} of them. "
    "How many pages has {name} read?",
    "stickers": "{name} has {amount} stickers and gives away {part} of them. "
    "How many stickers does {name} give away?",
    "pupils": "{name} counts {amount} pupils in the hall. {part} of them wear glasses. "
    "How many of these pupils wear glasses?",
}


@form("number and operation", (4, 6), 1)
class FractionOf:
    """``2/3`` of 12.

    Attributes:
        top: of the fraction.
        bottom: of the fraction.
        amount: what the fraction is taken of.
        setting: the story; one of plain, beads, pages, stickers, pupils.
        name: who is in the story.

    Raises:
        ValueError: the fraction is not proper, the share is not whole, or there is no such story.
    """

    top: int
    bottom: int
    amount: int
    setting: str = "plain"
    name: str = "Ana"

    def __post_init__(self) -> None:
        if not 0 < self.top < self.bottom:
            raise ValueError("The numerator must lie between 0 and the denominator.")
        if self.amount < 1 or self.amount % self.bottom:
            raise ValueError(f"{self.amount} does not divide into {self.bottom} whole parts.")
        if self.setting not in _STORIES:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_STORIES]}.")

    @property
    def part(self) -> str:
        """The fraction as it is written."""
        return f"{self.top}/{self.bottom}"

    def stem(self) -> str:
        return _STORIES[self.setting].format(part=self.part, amount=self.amount, name=self.name)

    def solve(self) -> Worked:
        one = self.amount // self.bottom
        answer = Answer.number(one * self.top)
        return Worked(
            answer,
            (
                step("divides {0} by {1} to get one part, {2}", self.amount, self.bottom, one),
                step("takes {0} such parts: {0} × {1} = {2}", self.top, one, answer.shown),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        largest, most = {4: (6, 60), 5: (9, 120)}.get(grade, (12, 200))
        for _ in range(100):
            bottom = draws.between(3, largest)
            top = draws.between(2, bottom - 1)
            # Divisible by both, so that the fraction turned over gives a whole number too.
            amount = lcm(top, bottom) * draws.between(1, 6)
            if gcd(top, bottom) == 1 and 2 * bottom <= amount <= most:
                name = draws.one(vocabulary().names).text
                return cls(top, bottom, amount, draws.one(tuple(_STORIES)), name)
        raise NotDrawn("No fraction of an amount came up.")
