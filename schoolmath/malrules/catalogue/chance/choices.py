"""How many ways there are to choose or to order."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import perm, prod
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import listed
from schoolmath.malrules.forms import form
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "outfit": ("outfit", ("shirts", "pairs of trousers", "hats", "scarves")),
    "meal": ("meal", ("soups", "main dishes", "desserts", "drinks")),
    "bicycle": ("bicycle", ("frames", "saddles", "bells", "colours")),
    "code": ("code", ("letters", "digits", "signs", "colours")),
}
_EVENTS = {
    "boat race": "boats",
    "cycling race": "cyclists",
    "horse race": "horses",
    "running race": "runners",
    "swimming race": "swimmers",
}


@dataclass(frozen=True, slots=True)
class _OneOfEach:
    counts: tuple[int, ...]
    setting: str = "outfit"
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.setting not in _CHOICES:
            raise ValueError(f"There is no setting {self.setting!r}: use one of {[*_CHOICES]}.")
        if not 2 <= len(self.counts) <= 4 or min(self.counts) < 2:
            raise ValueError("There must be 2 to 4 things to choose, each of 2 or more kinds.")

    @property
    def _described(self) -> str:
        made, things = _CHOICES[self.setting]
        offered = [f"{count} {thing}" for count, thing in zip(self.counts, things, strict=False)]
        return f"{self.name} can choose from {listed(offered)}. Every {made} has one of each."

    def _product(self) -> Step:
        factors = " × ".join(f"{{{place}}}" for place in range(len(self.counts)))
        words = f"multiplies the numbers: {factors} = {{{len(self.counts)}}}"
        return step(words, *self.counts, prod(self.counts))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        """Two to four things, each in a few kinds."""
        number = 3 if grade == 6 else draws.between(3, 4)
        counts = tuple(draws.between(2, 6 if grade == 6 else 8) for _ in range(number))
        return cls(counts, draws.one(tuple(_CHOICES)), draws.one(vocabulary().names).text)


@form("probability", (6, 8), 1)
class Outfits(_OneOfEach):
    """How many outfits there are from 3 shirts, 4 pairs of trousers and 2 hats.

    Raises:
        ValueError: there are not 2 to 4 things of 2 or more kinds, or there is no such setting.
    """

    def stem(self) -> str:
        return f"{self._described} How many different {_CHOICES[self.setting][0]}s are there?"

    def solve(self) -> Worked:
        answer = Answer.number(prod(self.counts))
        return Worked(answer, (self._product(), step("answers {0}", answer)))


@form("probability", (7, 9), 2)
class OutfitAtRandom(_OneOfEach):
    """The probability of one outfit where one of each thing is taken at random.

    Raises:
        ValueError: there are not 2 to 4 things of 2 or more kinds, or there is no such setting.
    """

    def stem(self) -> str:
        made = _CHOICES[self.setting][0]
        return (
            f"{self._described} {self.name} puts one together at random and hopes for one special "
            f"{made}. What is the probability of getting it?"
        )

    def solve(self) -> Worked:
        ways = prod(self.counts)
        answer = Answer.number(Fraction(1, ways))
        return Worked(
            answer, (self._product(), step("takes {0} of {1} ways: {2}", 1, ways, answer))
        )


@form("probability", (7, 11), 2)
class Prizes:
    """How many ways there are to give different prizes to some of the runners.

    Raises:
        ValueError: there are not 2 or 3 prizes, not more runners than prizes, or no
            such event.
    """

    runners: int
    prizes: int
    event: str = "running race"

    def __post_init__(self) -> None:
        if self.prizes not in (2, 3) or self.runners <= self.prizes:
            raise ValueError("There must be 2 or 3 prizes and more runners than prizes.")
        if self.event not in _EVENTS:
            raise ValueError(f"There is no event {self.event!r}: use one of {[*_EVENTS]}.")

    def stem(self) -> str:
        prizes = "first and second prize" if self.prizes == 2 else "first, second and third prize"
        return (
            f"In a {self.event} there are {self.runners} {_EVENTS[self.event]}. No two of them "
            f"finish together. In how many ways can {prizes} go to them?"
        )

    @property
    def left(self) -> tuple[int, ...]:
        """How many runners each prize can go to."""
        return tuple(range(self.runners, self.runners - self.prizes, -1))

    def solve(self) -> Worked:
        answer = Answer.number(perm(self.runners, self.prizes))
        slots = listed([f"{{{place}}}" for place in range(self.prizes)])
        return Worked(
            answer,
            (
                step(f"sees that the prizes can go to {slots} of them in turn", *self.left),
                step("multiplies these numbers and gets {0}", answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        prizes = 2 if grade == 7 else draws.between(2, 3)
        runners = draws.between(prizes + 2, 15 if grade < 9 else 30)
        return cls(runners, prizes, draws.one(tuple(_EVENTS)))
