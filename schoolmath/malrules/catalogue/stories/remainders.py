"""Stories of a division with a remainder, in which the remainder has a meaning."""

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

_ASKED = ("left", "needed")
_STORIES = {
    "buses": (
        "A school takes {total} pupils on a trip by bus. Each bus takes {size} pupils. ",
        "How many buses are needed for all of them?",
        "As many buses as possible leave full. How many pupils are then left for one more bus?",
    ),
    "eggs": (
        "A farmer packs {total} eggs into boxes that hold {size} eggs each. ",
        "How many boxes are needed for all the eggs?",
        "As many boxes as possible are filled. How many eggs are left over?",
    ),
    "tables": (
        "A dinner has {total} guests. Each table has {size} seats. ",
        "How many tables are needed for all the guests?",
        "As many tables as possible are filled. How many guests are then left for one more table?",
    ),
    "photos": (
        "An album has room for {size} photos on each page. A family has {total} photos. ",
        "How many pages are needed for all of them?",
        "As many pages as possible are filled. How many photos are then left over?",
    ),
    "tents": (
        "A camp has {total} scouts, who sleep in tents. Each tent holds {size} scouts. ",
        "How many tents are needed for all of them?",
        "As many tents as possible are filled. How many scouts are then left for one more tent?",
    ),
}


@form("word problems", (4, 6), 2)
class GroupsNeeded:
    """So many things in groups of one size; how many groups are needed, or how many are left?

    Raises:
        ValueError: a number is too small or too large, nothing is left over, or the words are
            not known.
    """

    total: int
    size: int
    asked: str = "needed"
    story: str = "buses"

    def __post_init__(self) -> None:
        check_whole(2, 1_000_000, total=self.total, size=self.size)
        check_one_of(_ASKED, asked=self.asked)
        check_one_of(_STORIES, story=self.story)
        check_that(self.total > self.size, "There must be more things than one group takes.")
        check_that(self.total % self.size != 0, "The division must leave a remainder.")

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order."""
        order = (self.size, self.total) if self.story == "photos" else (self.total, self.size)
        return tuple(Fraction(number) for number in order)

    def stem(self) -> str:
        start, needed, left = _STORIES[self.story]
        question = needed if self.asked == "needed" else left
        return start.format(total=self.total, size=self.size) + question

    def solve(self) -> Worked:
        quotient, rest = divmod(self.total, self.size)
        words = "divides {0} by {1}: {2} full groups, and {3} left over"
        divided = step(words, self.total, self.size, quotient, rest)
        if self.asked == "left":
            answer = Answer.number(rest)
            return Worked(answer, (divided, step("gives what is left over, {0}", answer)), 1)
        answer = Answer.number(quotient + 1)
        return Worked(
            answer,
            (
                divided,
                step("needs one more group for the {0} left over", rest),
                step("adds {0} to {1} and gets {2}", 1, quotient, answer),
            ),
            1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            size = draws.between(4, 9) if grade == 4 else draws.between(6, 12 if grade == 5 else 36)
            quotient, rest = draws.between(4, 12 if grade == 4 else 35), draws.between(1, size - 1)
            if rest != quotient:
                asked = draws.one(("needed", "needed", "left"))
                return cls(quotient * size + rest, size, asked, draws.one(tuple(_STORIES)))
        raise NotDrawn("No division came up.")


def write_mixed(value: Fraction) -> str:
    """A number as a mixed number: ``31 1/3``."""
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole} {Fraction(rest, value.denominator)}" if rest else str(whole)


@mal_rule("WP18")
def remainder_dropped(problem: GroupsNeeded) -> Worked:
    """Gives the quotient and forgets the remainder."""
    quotient, rest = divmod(problem.total, problem.size)
    answer = Answer.number(quotient)
    return Worked(
        answer,
        (
            step("divides {0} by {1}", problem.total, problem.size),
            step("lays the remainder {0} aside", rest),
            step("takes the quotient, {0}", answer),
        ),
        1,
    )


@mal_rule("WP19")
def remainder_reported(problem: GroupsNeeded) -> Worked:
    """Writes the quotient with its remainder."""
    quotient, rest = divmod(problem.total, problem.size)
    answer = Answer.label(f"{quotient} R {rest}")
    return Worked(
        answer,
        (
            step("divides {0} by {1}", problem.total, problem.size),
            step("does not ask what the remainder {0} means in the story", rest),
            step("writes {0}", answer),
        ),
        1,
    )


def divide_exactly(problem: GroupsNeeded) -> Worked:
    """The exact quotient, though parts of a group make no sense."""
    value = Fraction(problem.total, problem.size)
    answer = Answer.number(value, write_mixed(value))
    if 100 % value.denominator == 0:
        answer = plain(value)
    return Worked(
        answer,
        (
            step("takes the division as the answer, whatever it means for whole groups"),
            step("divides {0} by {1} and gets {2}", problem.total, problem.size, answer),
        ),
    )
