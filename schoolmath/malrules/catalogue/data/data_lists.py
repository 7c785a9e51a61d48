"""Mean, median, mode and range of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from schoolmath.malrules.catalogue.exact_writing import listed, plain
from schoolmath.malrules.catalogue.field_checks import check_one_of, check_that, check_wholes
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws

_TOPICS = {
    "goals": "These are the goals that a team scored in its games",
    "books": "These are the numbers of books that some pupils read in a month",
    "points": "These are the points of some pupils in a quiz",
    "visitors": "These are the numbers of visitors of a small museum on some days",
    "minutes": "These are the minutes that some pupils needed for a puzzle",
    "seeds": "These are the numbers of seeds that came up in some pots",
}
PLAIN = "plain"
"""The topic of numbers without a story; none of those that are drawn."""


def places(count: int, start: int = 0) -> str:
    """The places of a list in the template of a step: `{0}, {1} and {2}`."""
    return listed([f"{{{start + i}}}" for i in range(count)])


def in_order(values: Sequence[int]) -> Step:
    """The step that puts the values in order."""
    return step(f"puts the values in order: {places(len(values))}", *sorted(values))


def add_up(values: Sequence[int]) -> Step:
    """The step that adds the values."""
    words = f"adds {places(len(values))} to get {{{len(values)}}}"
    return step(words, *values, sum(values))


def middle_of(values: Sequence[int]) -> Fraction:
    """The middle of a list as it stands; between two values, halfway."""
    half = len(values) // 2
    if len(values) % 2:
        return Fraction(values[half])
    return Fraction(values[half - 1] + values[half], 2)


def most_common(values: Sequence[int]) -> int | None:
    """The value that is there most often; None where there are several or all are there once."""
    counts = sorted(((values.count(value), value) for value in set(values)), reverse=True)
    if counts[0][0] == 1 or (len(counts) > 1 and counts[0][0] == counts[1][0]):
        return None
    return counts[0][1]


@dataclass(frozen=True, slots=True)
class _OfList:
    """Something asked of a list; not a problem by itself.

    Raises:
        ValueError: there are fewer than 3 values or not whole ones, or the topic is not known.
    """

    values: tuple[int, ...]
    topic: str = "points"
    asked: ClassVar[str]

    def __post_init__(self) -> None:
        check_wholes(-10_000, 10_000, 3, values=self.values)
        check_one_of((*_TOPICS, PLAIN), topic=self.topic)

    def stem(self) -> str:
        if self.topic == PLAIN:
            return f"What is the {self.asked} of {listed(list(map(str, self.values)))}?"
        told = ", ".join(map(str, self.values))
        return f"{_TOPICS[self.topic]}: {told}. What is the {self.asked} of these numbers?"


def _draw_values(draws: Draws, grade: int, count: int, *, repeated: int = 2) -> tuple[int, ...]:
    """Values of which one is there so many times, in random order."""
    most = {5: 12, 6: 20}.get(grade, 40)
    different = draws.several(range(1, most + 1), count - repeated + 1)
    values = different + different[:1] * (repeated - 1)
    return tuple(draws.several(values, len(values)))


def _sum_of_wholes(values: tuple[int, ...]) -> bool:
    used = [value for value in values if value]
    return sum(values) % len(values) == 0 and sum(values) % len(used) == 0


@form("data analysis", (5, 7), 1)
class MeanOfList(_OfList):
    """The mean of a list."""

    asked = "mean"

    def solve(self) -> Worked:
        total, count = sum(self.values), len(self.values)
        answer = plain(Fraction(total, count))
        words = "divides {0} by {1}, the number of values, and gets {2}"
        return Worked(answer, (add_up(self.values), step(words, total, count, answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        topic, zero = draws.one(tuple(_TOPICS)), grade > 5 and draws.chance(0.5)
        for _ in range(600):
            values = _draw_values(draws, grade, draws.between(4, 6))
            if zero:
                values = tuple(draws.several((*values, 0), len(values) + 1))
            if not _sum_of_wholes(values):
                continue
            mean = Fraction(sum(values), len(values))
            others = {mean, middle_of(sorted(values)), Fraction(max(values))}
            if len(others | {Fraction(most_common(values) or 0)}) == 4:
                return cls(values, topic)
        raise NotDrawn("No list came up whose averages differ.")


@form("data analysis", (6, 7), 1)
class MedianOfList(_OfList):
    """The median of a list."""

    asked = "median"

    def solve(self) -> Worked:
        answer = plain(middle_of(sorted(self.values)))
        order = in_order(self.values)
        if len(self.values) % 2:
            return Worked(answer, (order, step("takes the value in the middle, {0}", answer)))
        half = len(self.values) // 2
        one, two = sorted(self.values)[half - 1 : half + 1]
        words = "goes halfway between the two in the middle, {0} and {1}, and gets {2}"
        return Worked(answer, (order, step(words, one, two, answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        topic, zero = draws.one(tuple(_TOPICS)), draws.chance(0.5)
        for _ in range(400):
            values = _draw_values(draws, grade, draws.one((5, 7)))
            if zero:
                values = tuple(draws.several((*values[:-1], 0), len(values)))
            ends = Fraction(min(values) + max(values), 2)
            common = Fraction(most_common(values) or 0)
            right = middle_of(sorted(values))
            if len({right, middle_of(values), ends, common, Fraction(max(values))}) == 5:
                return cls(values, topic)
        raise NotDrawn("No list came up whose averages differ.")

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also lists with two numbers in the middle."""
        drawn = cls.draw(draws, grade)
        if draws.chance(0.7):
            return drawn
        return cls(drawn.values[:-1] if len(drawn.values) % 2 else drawn.values, drawn.topic)


@form("data analysis", (5, 6), 1)
class ModeOfList(_OfList):
    """The mode of a list that has one.

    Raises:
        ValueError: also where no value is there more often than all others.
    """

    asked = "mode"

    def __post_init__(self) -> None:
        _OfList.__post_init__(self)
        check_that(
            most_common(self.values) is not None,
            "One value must be there more often than every other.",
        )

    @property
    def most(self) -> int:
        """How often the mode is there."""
        return max(self.values.count(value) for value in self.values)

    def solve(self) -> Worked:
        value = most_common(self.values)
        answer = plain(value if value is not None else 0)
        return Worked(
            answer,
            (
                step("counts how often each value is there; {0} times is the most", self.most),
                step("takes the value that is there so often, {0}", answer),
            ),
            1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(400):
            often = draws.between(2, 4)
            values = _draw_values(draws, grade, draws.between(5, 8), repeated=often)
            mode = Fraction(most_common(values) or 0)
            found = {mode, Fraction(often), middle_of(sorted(values)), Fraction(max(values))}
            if len(found) == 4:
                return cls(values, draws.one(tuple(_TOPICS)))
        raise NotDrawn("No list came up whose averages differ.")


@form("data analysis", (5, 6), 1)
class RangeOfList(_OfList):
    """The range of a list."""

    asked = "range"

    def solve(self) -> Worked:
        low, high = min(self.values), max(self.values)
        answer = plain(high - low)
        return Worked(
            answer,
            (
                step("finds the smallest value, {0}, and the largest, {1}", low, high),
                step("subtracts {0} from {1} and gets {2}", low, high, answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(400):
            values = _draw_values(draws, grade, draws.between(5, 7))
            spread = max(values) - min(values)
            ends = abs(values[-1] - values[0])
            if min(values) > 1 and ends and len({spread, ends, max(values)}) == 3:
                return cls(values, draws.one(tuple(_TOPICS)))
        raise NotDrawn("No list came up whose ends are not its smallest and largest.")
