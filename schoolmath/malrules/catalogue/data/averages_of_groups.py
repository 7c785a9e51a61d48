"""The mean of two groups together, and a value that is missing from a mean."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.catalogue.data.data_lists import add_up, middle_of
from schoolmath.malrules.catalogue.exact_writing import listed, plain
from schoolmath.malrules.catalogue.field_checks import check_one_of, check_whole, check_wholes
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

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
    """Two groups with their sizes and means; the mean of all is asked.

    Raises:
        ValueError: a size is not from 2 to 1000 or a mean not from 0 to 1000, or the story is
            not known.
    """

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

    def solve(self) -> Worked:
        first, second = self.totals
        total, count = first + second, self.size + self.other_size
        answer = plain(Fraction(total, count))
        return Worked(
            answer,
            (
                step("finds the totals of both groups, {0} and {1}", first, second),
                step("adds them to get {0} for {1} in all", total, count),
                step("divides {0} by {1} and gets {2}", total, count, answer),
            ),
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
    """Values of which one is missing, and the mean that all must have.

    Raises:
        ValueError: there are fewer than 2 known values, a number is not from 0 to 10000, or the
            story is not known.
    """

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

    def solve(self) -> Worked:
        count, known = len(self.known) + 1, sum(self.known)
        answer = plain(self.total - known)
        return Worked(
            answer,
            (
                step("multiplies the mean {0} by {1} to get {2}", self.mean, count, self.total),
                add_up(self.known),
                step("subtracts {0} from {1} and gets {2}", known, self.total, answer),
            ),
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
def average_of_averages(problem: GroupMeans) -> Worked:
    """Takes the mean of the two means."""
    both = problem.mean + problem.other_mean
    answer = plain(Fraction(both, 2))
    return Worked(
        answer,
        (
            step("takes the means {0} and {1} by themselves", problem.mean, problem.other_mean),
            step("adds them to get {0}", both),
            step("halves {0} and gets {1}", both, answer),
        ),
    )


@mal_rule("DA11")
def missing_value_is_the_mean(problem: MissingValue) -> Worked:
    """Takes the mean for the missing value."""
    answer = plain(problem.mean)
    return Worked(
        answer,
        (
            step("takes every value to be like the mean"),
            step("takes the mean, {0}", answer),
        ),
    )
