"""Stories that look proportional and are not: ropes, speeds, shared work, posts, pages."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import look_alike, vocabulary

_DIFFERENCES = {
    "laps": "{name} and {other} run round a track at the same speed, but {name} started first. "
    "When {name} had run {ahead} laps, {other} had run {behind} laps. When {other} has run "
    "{later} laps, how many laps has {name} run?",
    "ages": "{name} is {ahead} years old when {other} is {behind} years old. How old is {name} "
    "when {other} is {later} years old?",
    "pages": "{name} and {other} read the same book equally fast, but {name} began earlier. "
    "When {name} was on page {ahead}, {other} was on page {behind}. On which page is {name} when "
    "{other} is on page {later}?",
    "savings": "{name} and {other} each save the same amount every week. One day {name} has "
    "${ahead} and {other} has ${behind}. How many dollars does {name} have when {other} has "
    "${later}?",
}
_GROWING = {
    "field": (2, "A farmer needs {amount} hours to plough a square field with sides of {side} m. "
              "How many hours does a square field with sides of {new_side} m take at this pace?"),
    "paint": (2, "A painter needs {amount} litres of paint for a square wall with sides of "
              "{side} m. How many litres does a square wall with sides of {new_side} m take?"),
    "seed": (2, "A gardener needs {amount} kg of seed for a square lawn with sides of {side} m. "
             "How many kilograms does a square lawn with sides of {new_side} m take?"),
    "tank": (3, "A pump needs {amount} minutes to fill a tank that is a cube with edges of "
             "{side} m. How many minutes does it need for a cube with edges of {new_side} m?"),
}  # fmt: skip


@form("word problems", (5, 8), 3)
class ConstantDifference:
    """Two that keep their distance; what one has when the other has so much.

    Attributes:
        ahead: what the first has when the second has ``behind``.
        behind: less than that.
        later: what the second has later.
        name: the first person.
        other: the second person.
        story: what it is about.
    """

    ahead: int
    behind: int
    later: int
    name: str
    other: str
    story: str = "laps"

    def __post_init__(self) -> None:
        check_whole(2, 100_000, ahead=self.ahead, behind=self.behind, later=self.later)
        check_one_of(_DIFFERENCES, story=self.story)
        check_that(
            self.behind < self.ahead and self.behind < self.later,
            "The second must be behind at first and have more later.",
        )
        for name in (self.name, self.other):
            check_that(isinstance(name, str) and bool(name.strip()), "Both persons need a name.")

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order."""
        return Fraction(self.ahead), Fraction(self.behind), Fraction(self.later)

    def stem(self) -> str:
        return _DIFFERENCES[self.story].format(
            name=self.name, other=self.other, ahead=self.ahead, behind=self.behind, later=self.later
        )

    def solve(self) -> Working:
        gap = self.ahead - self.behind
        answer = Answer.number(self.later + gap)
        return by_steps(
            answer,
            step("sees that {0} and {1} stay {2} apart", self.behind, self.ahead, gap),
            step("adds {0} to {1} and gets {2}", gap, self.later, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            first, second = (each.text for each in draws.several(vocabulary().names, 2))
            behind, ratio = draws.between(2, 9), draws.between(2, 5)
            later = behind * draws.between(2, 6 if grade < 7 else 9)
            ahead = behind * ratio
            story = draws.one(tuple(_DIFFERENCES))
            # Nobody who reads it is to think of ages above a life's span.
            if later != ahead and not look_alike(first, second) and later + ahead < 100:
                return cls(ahead, behind, later, first, second, story)
        raise NotDrawn("No story came up.")


@form("word problems", (6, 9), 3)
class GrowingField:
    """What a square or a cube takes, and what one with longer sides takes."""

    side: int
    amount: int
    new_side: int
    story: str = "field"

    def __post_init__(self) -> None:
        check_whole(2, 100_000, side=self.side, amount=self.amount, new_side=self.new_side)
        check_one_of(_GROWING, story=self.story)
        check_that(self.side != self.new_side, "The sides must differ.")

    @property
    def factor(self) -> Fraction:
        """How many times as long the sides get."""
        return Fraction(self.new_side, self.side)

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order."""
        return Fraction(self.amount), Fraction(self.side), Fraction(self.new_side)

    def stem(self) -> str:
        return _GROWING[self.story][1].format(
            amount=self.amount, side=self.side, new_side=self.new_side
        )

    def solve(self) -> Working:
        power = _GROWING[self.story][0]
        factor, times = plain(self.factor), plain(self.factor**power)
        answer = plain(self.amount * self.factor**power)
        what = "area" if power == 2 else "volume"
        return by_steps(
            answer,
            step("finds the sides {0} times as long", factor),
            step(f"takes the {what} to be {{0}} times as large", times),
            step("multiplies {0} by {1} and gets {2}", self.amount, times, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        story = draws.one(tuple(_GROWING) if grade > 7 else ("field", "paint", "seed"))
        side = draws.between(2, 12) * (10 if story == "field" else 1)
        factor = draws.between(2, 4 if grade < 8 else 6)
        return cls(side, draws.between(2, 15), side * factor, story)


@mal_rule("WP21")
def proportion_for_difference(problem: ConstantDifference) -> Working:
    """Keeps the ratio though the difference stays."""
    ratio = plain(Fraction(problem.ahead, problem.behind))
    answer = plain(Fraction(problem.later * problem.ahead, problem.behind))
    return by_steps(
        answer,
        step("sees that {0} is {1} times {2}", problem.ahead, ratio, problem.behind),
        step("multiplies {0} by {1} and gets {2}", problem.later, ratio, answer),
    )


@mal_rule("WP22")
def linear_where_not_linear(problem: GrowingField) -> Working:
    """Lets time or material grow by the factor of the sides."""
    factor, answer = plain(problem.factor), plain(problem.amount * problem.factor)
    return by_steps(
        answer,
        step("finds the sides {0} times as long and takes everything to grow so", factor),
        step("multiplies {0} by {1} and gets {2}", problem.amount, factor, answer),
    )


def _middle(one: int, other: int) -> Working:
    answer = plain(Fraction(one + other, 2))
    return by_steps(answer, step("takes the middle of {0} and {1}: {2}", one, other, answer))


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

    def solve(self) -> Working:
        answer = plain(Fraction(2 * self.out * self.back, self.out + self.back))
        first = step("takes a way of {0} km each way", self.out * self.back)
        hours = self.out + self.back
        return by_steps(answer, first, step("divides it twice by {0} hours: {1}", hours, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several((20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120), 2)
        return cls(one, other + 5 * (grade > 9))


@mal_rule("WP25")
def mean_of_the_speeds(problem: ThereAndBack) -> Working:
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

    def solve(self) -> Working:
        answer = plain(Fraction(self.one * self.other, self.one + self.other))
        both = Fraction(self.one + self.other, self.one * self.other)
        first = step("finds that both empty {0} of the pool in an hour", both)
        return by_steps(answer, first, step("turns it over: {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*draws.several(range(2, 6 + grade), 2))


@mal_rule("WP27")
def mean_of_the_times(problem: WorkTogether) -> Working:
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

    def solve(self) -> Working:
        gaps = self.length // self.gap
        first = step("divides {0} by {1}: {2} gaps", self.length, self.gap, gaps)
        return by_steps(
            Answer.number(gaps + 1), first, step("adds one post: {0}", gaps + 1), key_step=1
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        gap = draws.between(2, 10)
        return cls(gap * draws.between(3, 3 * grade), gap)


@mal_rule("WP26")
def one_post_too_few(problem: Posts) -> Working:
    """Counts the gaps."""
    gaps = problem.length // problem.gap
    told = step("divides {0} by {1}: {2}", problem.length, problem.gap, gaps)
    return by_steps(Answer.number(gaps), told)


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

    def solve(self) -> Working:
        before = self.first - 1
        answer = self.last - before
        told = step("takes the {0} pages before from {1}: {2}", before, self.last, answer)
        return by_steps(Answer.number(answer), told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        first = draws.between(5, 20 * grade)
        return cls(first, first + draws.between(5, 30))


@mal_rule("WP28")
def last_minus_first(problem: PagesRead) -> Working:
    """One end is not counted."""
    answer = problem.last - problem.first
    told = step("takes {0} from {1}: {2}", problem.first, problem.last, answer)
    return by_steps(Answer.number(answer), told)
