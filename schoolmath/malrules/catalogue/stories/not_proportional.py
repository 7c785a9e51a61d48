"""Stories that look proportional and are not."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.field_checks import check_one_of, check_that, check_whole
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
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

    Raises:
        ValueError: the numbers are not in this order, a name is empty, or the story is not
            known.
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
            name=self.name,
            other=self.other,
            ahead=self.ahead,
            behind=self.behind,
            later=self.later,
        )

    def solve(self) -> Worked:
        gap = self.ahead - self.behind
        answer = Answer.number(self.later + gap)
        return Worked(
            answer,
            (
                step("sees that {0} and {1} stay {2} apart", self.behind, self.ahead, gap),
                step("adds {0} to {1} and gets {2}", gap, self.later, answer),
            ),
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
    """What a square or a cube takes, and what one with longer sides takes.

    Raises:
        ValueError: a number is too small or too large, the sides are alike, or the story is not
            known.
    """

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

    def solve(self) -> Worked:
        power = _GROWING[self.story][0]
        factor, times = plain(self.factor), plain(self.factor**power)
        answer = plain(self.amount * self.factor**power)
        what = "area" if power == 2 else "volume"
        return Worked(
            answer,
            (
                step("finds the sides {0} times as long", factor),
                step(f"takes the {what} to be {{0}} times as large", times),
                step("multiplies {0} by {1} and gets {2}", self.amount, times, answer),
            ),
            1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        story = draws.one(tuple(_GROWING) if grade > 7 else ("field", "paint", "seed"))
        side = draws.between(2, 12) * (10 if story == "field" else 1)
        factor = draws.between(2, 4 if grade < 8 else 6)
        return cls(side, draws.between(2, 15), side * factor, story)


@mal_rule("WP21")
def proportion_for_difference(problem: ConstantDifference) -> Worked:
    """Keeps the ratio though the difference stays."""
    ratio = plain(Fraction(problem.ahead, problem.behind))
    answer = plain(Fraction(problem.later * problem.ahead, problem.behind))
    return Worked(
        answer,
        (
            step("sees that {0} is {1} times {2}", problem.ahead, ratio, problem.behind),
            step("multiplies {0} by {1} and gets {2}", problem.later, ratio, answer),
        ),
    )


@mal_rule("WP22")
def linear_where_not_linear(problem: GrowingField) -> Worked:
    """Lets time or material grow by the factor of the sides."""
    factor, answer = plain(problem.factor), plain(problem.amount * problem.factor)
    return Worked(
        answer,
        (
            step("finds the sides {0} times as long and takes everything to grow so", factor),
            step("multiplies {0} by {1} and gets {2}", problem.amount, factor, answer),
        ),
    )
