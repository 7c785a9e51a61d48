"""One or the other of two sorts, and one statement against two together."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_GROUPS = {
    "cards": "A pack has {total} cards. {first} are hearts, {second} are kings, and {both} of the "
    "kings {is_} a heart. One card is drawn. What is the probability that it is a heart or a "
    "king?",
    "clubs": "Of {total} pupils, {first} play chess, {second} play football, and {both} of them "
    "{do} both. One pupil is chosen at random. What is the probability that this pupil plays "
    "chess or football?",
    "pets": "Of {total} families, {first} have a cat, {second} have a dog, and {both} of them "
    "{has} both. One family is chosen at random. What is the probability that it has a cat or "
    "a dog?",
}
_JOBS = ("works in a bank", "drives a bus", "sells shoes", "teaches at a school")
_HOBBIES = {
    "plays the violin": "loves music and goes to every concert in town",
    "grows roses": "loves flowers and reads books on gardens",
    "runs marathons": "loves sport and is up early each day",
    "writes poems": "loves reading and keeps a diary",
}


@form("probability", (8, 11), 2)
class EitherOfTwo:
    """One or the other of two things that overlap.

    Attributes:
        total: all of them.
        first: those of the first sort.
        second: those of the second sort.
        both: those of both sorts.
        setting: the story; one of cards, clubs, pets.

    Raises:
        ValueError: the numbers do not fit together, or there is no such story.
    """

    total: int
    first: int
    second: int
    both: int
    setting: str = "clubs"

    def __post_init__(self) -> None:
        if not 0 < self.both < min(self.first, self.second):
            raise ValueError("Some must be of both sorts and some of one only.")
        if self.first + self.second - self.both >= self.total:
            raise ValueError("Some must be of neither sort.")
        if self.setting not in _GROUPS:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_GROUPS]}.")

    def stem(self) -> str:
        one = self.both == 1
        return _GROUPS[self.setting].format(
            total=self.total,
            first=self.first,
            second=self.second,
            both=self.both,
            is_="is" if one else "are",
            do="does" if one else "do",
            has="has" if one else "have",
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many fit the question, and how many do not."""
        either = self.first + self.second - self.both
        return either, self.total - either

    def solve(self) -> Worked:
        either = self.odds[0]
        answer = Answer.number(Fraction(either, self.total))
        return Worked(
            answer,
            (
                step("adds {0} and {1}", self.first, self.second),
                step("subtracts the {0} counted twice and has {1}", self.both, either),
                step("divides {0} by {1} and gets {2}", either, self.total, answer),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(50):
            total = draws.one((20, 24, 25, 30, 36, 40, 50, 60) if grade < 10 else range(20, 101))
            first, second = draws.between(5, total // 2), draws.between(5, total // 2)
            both = draws.between(1, min(first, second) - 1)
            either = first + second - both
            if either < total and total not in (2 * either, 2 * (first + second)):
                return cls(total, first, second, both, draws.one(("clubs", "pets")))
        raise NotDrawn("No two sorts came up.")


@form("probability", (9, 11), 2)
class MoreDetail:
    """Which is likelier: a statement A, or A and another together?

    Raises:
        ValueError: the job or the hobby is not known.
    """

    name: str
    job: str
    hobby: str

    def __post_init__(self) -> None:
        if self.job not in _JOBS or self.hobby not in _HOBBIES:
            raise ValueError(f"Use a job of {[*_JOBS]} and a hobby of {[*_HOBBIES]}.")

    def stem(self) -> str:
        return (
            f"{self.name} {_HOBBIES[self.hobby]}. Statement A: {self.name} {self.job}. "
            f"Statement B: {self.name} {self.hobby}. "
            "Which is more likely, A, or A and B?"
        )

    def solve(self) -> Worked:
        return Worked(
            Answer.label("A"),
            (
                step("sees that A and B can be true only when A is true"),
                step("so A alone is at least as likely, and answers A"),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        name = draws.one(vocabulary().names).text
        return cls(name, draws.one(_JOBS), draws.one(tuple(_HOBBIES)))
