"""Mean, median, mode and range of a list; means of groups, and values missing from a mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from schoolmath.malrules.answers import Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import places_for, plain
from schoolmath.malrules.forms import (
    NotDrawn,
    check_one_of,
    check_that,
    check_whole,
    check_wholes,
    form,
)
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import listed

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


def in_order(values: Sequence[int]) -> Step:
    """The step that puts the values in order."""
    return step(f"puts the values in order: {places_for(len(values))}", *sorted(values))


def add_up(values: Sequence[int]) -> Step:
    """The step that adds the values."""
    words = f"adds {places_for(len(values))} to get {{{len(values)}}}"
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

    def solve(self) -> Working:
        total, count = sum(self.values), len(self.values)
        answer = plain(Fraction(total, count))
        words = "divides {0} by {1}, the number of values, and gets {2}"
        return by_steps(answer, add_up(self.values), step(words, total, count, answer))

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

    def solve(self) -> Working:
        answer = plain(middle_of(sorted(self.values)))
        order = in_order(self.values)
        if len(self.values) % 2:
            return by_steps(answer, order, step("takes the value in the middle, {0}", answer))
        half = len(self.values) // 2
        one, two = sorted(self.values)[half - 1 : half + 1]
        words = "goes halfway between the two in the middle, {0} and {1}, and gets {2}"
        return by_steps(answer, order, step(words, one, two, answer))

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
    """The mode of a list that has one."""

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

    def solve(self) -> Working:
        value = most_common(self.values)
        answer = plain(value if value is not None else 0)
        return by_steps(
            answer,
            step("counts how often each value is there; {0} times is the most", self.most),
            step("takes the value that is there so often, {0}", answer),
            key_step=1,
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

    def solve(self) -> Working:
        low, high = min(self.values), max(self.values)
        answer = plain(high - low)
        return by_steps(
            answer,
            step("finds the smallest value, {0}, and the largest, {1}", low, high),
            step("subtracts {0} from {1} and gets {2}", low, high, answer),
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


_GROUPS = {
    "test": "In a test, {size} pupils of one class had a mean of {mean} points and {size2} pupils "
    "of another class had a mean of {mean2} points. What was the mean number of points of all "
    "these pupils together?",
    "steps": "On a trip, {size} children walked a mean of {mean} hundred steps and {size2} adults "
    "walked a mean of {mean2} hundred steps. How many hundred steps is the mean for all of them "
    "together?",
    "rope": "In one group, {size} pupils made a mean of {mean} rope jumps, and in another, "
    "{size2} pupils made a mean of {mean2}. What is the mean number of jumps of all these pupils "
    "together?",
}
_KNOWN = {
    "games": "A player scored {values} points in the first games. After one more game the mean is "
    "{mean} points a game. How many points did the player score in the last game?",
    "days": "A baker sold {values} cakes on the first days of a week. After one more day the mean "
    "is {mean} cakes a day. How many cakes did the baker sell on the last day?",
    "tests": "A pupil had {values} marks in the first tests. After one more test the mean is "
    "{mean} marks a test. How many marks did the pupil have in the last test?",
    "walks": "On the first days of a trip a group walked {values} km. After one more day the mean "
    "is {mean} km a day. How many kilometres did the group walk on the last day?",
}


@form("data analysis", (7, 11), 2)
class GroupMeans:
    """Two groups with their sizes and means; the mean of all is asked."""

    size: int
    mean: int
    other_size: int
    other_mean: int
    story: str = "test"

    def __post_init__(self) -> None:
        check_whole(2, 1000, size=self.size, other_size=self.other_size)
        check_whole(0, 1000, mean=self.mean, other_mean=self.other_mean)
        check_one_of(_GROUPS, story=self.story)

    def stem(self) -> str:
        return _GROUPS[self.story].format(
            size=self.size, mean=self.mean, size2=self.other_size, mean2=self.other_mean
        )

    @property
    def totals(self) -> tuple[int, int]:
        """The totals of both groups."""
        return self.size * self.mean, self.other_size * self.other_mean

    def solve(self) -> Working:
        first, second = self.totals
        total, count = first + second, self.size + self.other_size
        answer = plain(Fraction(total, count))
        return by_steps(
            answer,
            step("finds the totals of both groups, {0} and {1}", first, second),
            step("adds them to get {0} for {1} in all", total, count),
            step("divides {0} by {1} and gets {2}", total, count, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(400):
            size, other_size = draws.several(range(5, 41 if grade > 8 else 31, 5), 2)
            mean, other_mean = draws.several(range(20, 91, 2), 2)
            total = size * mean + other_size * other_mean
            # The mean of the larger group is not always the larger mean, for there are pupils
            # who take the one or the other.
            if total % (size + other_size) == 0 and (mean + other_mean) % 2 == 0:
                return cls(size, mean, other_size, other_mean, draws.one(tuple(_GROUPS)))
        raise NotDrawn("No groups came up with a whole mean.")


@form("data analysis", (6, 8), 2)
class MissingValue:
    """Values of which one is missing, and the mean that all must have."""

    known: tuple[int, ...]
    mean: int
    story: str = "games"

    def __post_init__(self) -> None:
        check_wholes(0, 10_000, 2, known=self.known)
        check_whole(0, 10_000, mean=self.mean)
        check_one_of(_KNOWN, story=self.story)

    def stem(self) -> str:
        values = listed([str(value) for value in self.known])
        return _KNOWN[self.story].format(values=values, mean=self.mean)

    @property
    def total(self) -> int:
        """What all values make together."""
        return self.mean * (len(self.known) + 1)

    def solve(self) -> Working:
        count, known = len(self.known) + 1, sum(self.known)
        answer = plain(self.total - known)
        return by_steps(
            answer,
            step("multiplies the mean {0} by {1} to get {2}", self.mean, count, self.total),
            add_up(self.known),
            step("subtracts {0} from {1} and gets {2}", known, self.total, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {6: 20, 7: 40}.get(grade, 80)
        for _ in range(400):
            known = tuple(draws.several(range(3, most), draws.between(3, 4)))
            mean = draws.between(min(known) + 1, max(known))
            missing = mean * (len(known) + 1) - sum(known)
            middle = middle_of(sorted(known))
            found = {missing, mean, middle, max(known)}
            if missing > 0 and middle.denominator == 1 and len(found) == 4:
                return cls(known, mean, draws.one(tuple(_KNOWN)))
        raise NotDrawn("No values came up with a mean that leaves one over.")


@mal_rule("DA10")
def average_of_averages(problem: GroupMeans) -> Working:
    """Takes the mean of the two means."""
    both = problem.mean + problem.other_mean
    answer = plain(Fraction(both, 2))
    return by_steps(
        answer,
        step("takes the means {0} and {1} by themselves", problem.mean, problem.other_mean),
        step("adds them to get {0}", both),
        step("halves {0} and gets {1}", both, answer),
    )


@mal_rule("DA11")
def missing_value_is_the_mean(problem: MissingValue) -> Working:
    """Takes the mean for the missing value."""
    answer = plain(problem.mean)
    return by_steps(
        answer, step("takes every value to be like the mean"), step("takes the mean, {0}", answer)
    )
