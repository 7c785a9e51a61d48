"""Mean speeds there and back, work together, posts of a fence, and pages read."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


def _middle(one: int, other: int) -> Worked:
    answer = plain(Fraction(one + other, 2))
    return Worked(answer, (step("takes the middle of {0} and {1}: {2}", one, other, answer),))


@form("word problems", (8, 11), 2)
class ThereAndBack:
    """A way out at one speed and back at another."""

    out: int
    back: int

    def __post_init__(self) -> None:
        if self.out < 1 or self.back < 1 or self.out == self.back:
            raise ValueError("The speeds are positive and different.")

    def stem(self) -> str:
        return (
            f"A car goes out at {self.out} km/h and comes back the same way at {self.back} km/h. "
            "What is its mean speed in km/h?"
        )

    def solve(self) -> Worked:
        answer = plain(Fraction(2 * self.out * self.back, self.out + self.back))
        first = step("takes a way of {0} km each way", self.out * self.back)
        hours = self.out + self.back
        return Worked(answer, (first, step("divides it twice by {0} hours: {1}", hours, answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several((20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120), 2)
        return cls(one, other + 5 * (grade > 9))


@mal_rule("WP25")
def mean_of_the_speeds(problem: ThereAndBack) -> Worked:
    """(a + b)/2."""
    return _middle(problem.out, problem.back)


@form("word problems", (7, 11), 3)
class WorkTogether:
    """Two pumps that work together."""

    one: int
    other: int

    def __post_init__(self) -> None:
        if self.one < 1 or self.other < 1 or self.one == self.other:
            raise ValueError("The times are positive and different.")

    def stem(self) -> str:
        return (
            f"One pump empties a pool in {self.one} hours, another one in {self.other} hours. How "
            "many hours do both need together?"
        )

    def solve(self) -> Worked:
        answer = plain(Fraction(self.one * self.other, self.one + self.other))
        both = Fraction(self.one + self.other, self.one * self.other)
        first = step("finds that both empty {0} of the pool in an hour", both)
        return Worked(answer, (first, step("turns it over: {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*draws.several(range(2, 6 + grade), 2))


@mal_rule("WP27")
def mean_of_the_times(problem: WorkTogether) -> Worked:
    """(a + b)/2."""
    return _middle(problem.one, problem.other)


@form("word problems", (3, 6), 2)
class Posts:
    """Posts of a fence, also at both ends."""

    length: int
    gap: int

    def __post_init__(self) -> None:
        if self.gap < 1 or self.length <= self.gap or self.length % self.gap:
            raise ValueError("The length is a multiple of the gap, at least twice.")

    def stem(self) -> str:
        return (
            f"A fence is {self.length} m long and has a post every {self.gap} m, also at both "
            "ends. How many posts does it have?"
        )

    def solve(self) -> Worked:
        gaps = self.length // self.gap
        first = step("divides {0} by {1}: {2} gaps", self.length, self.gap, gaps)
        return Worked(Answer.number(gaps + 1), (first, step("adds one post: {0}", gaps + 1)), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        gap = draws.between(2, 10)
        return cls(gap * draws.between(3, 3 * grade), gap)


@mal_rule("WP26")
def one_post_too_few(problem: Posts) -> Worked:
    """Counts the gaps."""
    gaps = problem.length // problem.gap
    told = step("divides {0} by {1}: {2}", problem.length, problem.gap, gaps)
    return Worked(Answer.number(gaps), (told,))


@form("word problems", (3, 6), 2)
class PagesRead:
    """Pages from one to another, both read."""

    first: int
    last: int

    def __post_init__(self) -> None:
        if not 0 < self.first < self.last:
            raise ValueError("The last page comes after the first one.")

    def stem(self) -> str:
        return (
            f"A child reads from the top of page {self.first} to the end of page {self.last}. How "
            "many pages does the child read?"
        )

    def solve(self) -> Worked:
        before = self.first - 1
        answer = self.last - before
        told = step("takes the {0} pages before from {1}: {2}", before, self.last, answer)
        return Worked(Answer.number(answer), (told,))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        first = draws.between(5, 20 * grade)
        return cls(first, first + draws.between(5, 30))


@mal_rule("WP28")
def last_minus_first(problem: PagesRead) -> Worked:
    """One end is not counted."""
    answer = problem.last - problem.first
    told = step("takes {0} from {1}: {2}", problem.first, problem.last, answer)
    return Worked(Answer.number(answer), (told,))
