"""Stories whose plain calculation forgets something about the world, such as a rest."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
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
    """So many things in groups of one size; how many groups are needed, or how many are left?"""

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

    def solve(self) -> Working:
        quotient, rest = divmod(self.total, self.size)
        words = "divides {0} by {1}: {2} full groups, and {3} left over"
        divided = step(words, self.total, self.size, quotient, rest)
        if self.asked == "left":
            answer = Answer.number(rest)
            return by_steps(
                answer, divided, step("gives what is left over, {0}", answer), key_step=1
            )
        answer = Answer.number(quotient + 1)
        return by_steps(
            answer,
            divided,
            step("needs one more group for the {0} left over", rest),
            step("adds {0} to {1} and gets {2}", 1, quotient, answer),
            key_step=1,
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
def remainder_dropped(problem: GroupsNeeded) -> Working:
    """Gives the quotient and forgets the remainder."""
    quotient, rest = divmod(problem.total, problem.size)
    answer = Answer.number(quotient)
    return by_steps(
        answer,
        step("divides {0} by {1}", problem.total, problem.size),
        step("lays the remainder {0} aside", rest),
        step("takes the quotient, {0}", answer),
        key_step=1,
    )


@mal_rule("WP19")
def remainder_reported(problem: GroupsNeeded) -> Working:
    """Writes the quotient with its remainder."""
    quotient, rest = divmod(problem.total, problem.size)
    answer = Answer.label(f"{quotient} R {rest}")
    return by_steps(
        answer,
        step("divides {0} by {1}", problem.total, problem.size),
        step("does not ask what the remainder {0} means in the story", rest),
        step("writes {0}", answer),
        key_step=1,
    )


def divide_exactly(problem: GroupsNeeded) -> Working:
    """The exact quotient, though parts of a group make no sense."""
    value = Fraction(problem.total, problem.size)
    answer = Answer.number(value, write_mixed(value))
    if 100 % value.denominator == 0:
        answer = plain(value)
    return by_steps(
        answer,
        step("takes the division as the answer, whatever it means for whole groups"),
        step("divides {0} by {1} and gets {2}", problem.total, problem.size, answer),
    )


_ROPES = {
    "rope": "A climber needs a rope of {needed} m and ties together pieces of rope that are each "
    "{piece} m long. How many pieces are needed?",
    "string": "A child wants a kite string of {needed} m and knots together pieces of string that "
    "are each {piece} m long. How many pieces does the child need?",
    "washing line": "Between two poles that are {needed} m apart, a neighbour ties a washing line "
    "made of pieces that are each {piece} m long. How many pieces are needed?",
}
_PLANKS = {
    "planks": "A carpenter has {count} planks that are each {length} m long. How many boards of "
    "{piece} m can be sawn from them, each from one plank?",
    "ribbons": "A tailor has {count} ribbons that are each {length} m long. How many ribbons of "
    "{piece} m can be cut from them without sewing?",
    "pipes": "A plumber has {count} pipes that are each {length} m long. How many pipes of "
    "{piece} m can be cut from them without joining?",
}


def _check_lengths(**lengths: object) -> None:
    for name, value in lengths.items():
        check_that(
            isinstance(value, Fraction) and value > 0,
            f"The {name} must be a fraction above 0, not {value!r}.",
        )
        if isinstance(value, Fraction):
            write_decimal(value)


@form("word problems", (5, 8), 3)
class TiedRopes:
    """A length made of pieces that are tied together; the knots take some of it."""

    needed: Fraction
    piece: Fraction
    story: str = "rope"

    def __post_init__(self) -> None:
        _check_lengths(needed=self.needed, piece=self.piece)
        check_one_of(_ROPES, story=self.story)
        check_that(
            self.count.denominator == 1 and self.count > 1,
            "The pieces must make the length exactly, and be two or more.",
        )

    @property
    def count(self) -> Fraction:
        """How many pieces make the length without knots."""
        return self.needed / self.piece

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order."""
        return self.needed, self.piece

    def stem(self) -> str:
        return _ROPES[self.story].format(needed=plain(self.needed), piece=plain(self.piece))

    def solve(self) -> Working:
        answer = Answer.label(f"more than {self.count}")
        words = "divides {0} by {1}: {2} pieces would do without knots"
        return by_steps(
            answer,
            step(words, plain(self.needed), plain(self.piece), self.count),
            step("sees that every knot takes some of the length"),
            step("says more than {0}", self.count),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        pieces = ((1, 2), (3, 2), (5, 2), (3, 4), (5, 4), (4, 5), (6, 5), (3, 5), (2, 5))
        piece = Fraction(*draws.one(pieces[: 5 if grade < 6 else None]))
        return cls(piece * draws.between(4, 24), piece, draws.one(tuple(_ROPES)))


@form("word problems", (5, 8), 3)
class SawnPlanks:
    """Pieces cut from planks; what is left of a plank cannot be joined."""

    count: int
    length: Fraction
    piece: Fraction
    story: str = "planks"

    def __post_init__(self) -> None:
        check_whole(2, 10_000, count=self.count)
        _check_lengths(length=self.length, piece=self.piece)
        check_one_of(_PLANKS, story=self.story)
        check_that(
            self.length > self.piece and self.length % self.piece != 0,
            "A plank must be longer than a piece, with something left over.",
        )

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order."""
        return Fraction(self.count), self.length, self.piece

    def stem(self) -> str:
        return _PLANKS[self.story].format(
            count=self.count, length=plain(self.length), piece=plain(self.piece)
        )

    def solve(self) -> Working:
        each = self.length // self.piece
        answer = Answer.number(self.count * each)
        rest = plain(self.length % self.piece)
        words = "fits {0} of {1} m into {2} m, with {3} m left that is of no use"
        return by_steps(
            answer,
            step(words, each, plain(self.piece), plain(self.length), rest),
            step("multiplies {0} by {1} and gets {2}", self.count, each, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(200):
            piece = Fraction(draws.one((2, 2, 3, 4) if grade < 7 else (2, 3, 4, 5)), 2)
            length = piece * draws.between(1, 4) + Fraction(draws.between(1, 3), 2)
            count = draws.between(3, 12)
            whole = length * count / piece
            if length % piece and whole.denominator == 1:
                return cls(count, length, piece, draws.one(tuple(_PLANKS)))
        raise NotDrawn("No planks came up with something left over.")


@mal_rule("WP23")
def direct_computation(problem: TiedRopes | SawnPlanks | GroupsNeeded) -> Working:
    """Computes as if knots, leftovers and parts of a group did not matter."""
    if isinstance(problem, GroupsNeeded):
        return divide_exactly(problem)
    if isinstance(problem, TiedRopes):
        answer = plain(problem.count)
        needed, piece = plain(problem.needed), plain(problem.piece)
        idea = step("takes the pieces to make {0} m with nothing lost to the knots", needed)
        return by_steps(
            answer, idea, step("divides {0} by {1} and gets {2}", needed, piece, answer)
        )
    total = problem.count * problem.length
    answer = plain(total / problem.piece)
    idea = step(
        "multiplies {0} by {1}, as if all were one length of {2} m",
        *(problem.count, plain(problem.length), plain(total)),
    )
    result = step("divides {0} by {1} and gets {2}", plain(total), plain(problem.piece), answer)
    return by_steps(answer, idea, result)
