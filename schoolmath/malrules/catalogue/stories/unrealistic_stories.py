"""Stories in which the plain calculation forgets something about the world."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.field_checks import check_one_of, check_that, check_whole
from schoolmath.malrules.catalogue.stories.remainders import GroupsNeeded, divide_exactly
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

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
    """A length made of pieces that are tied together; the knots take some of it.

    Raises:
        ValueError: a length is not above 0 or does not end as a decimal, the pieces do not make
            the length exactly, or the story is not known.
    """

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

    def solve(self) -> Worked:
        answer = Answer.label(f"more than {self.count}")
        words = "divides {0} by {1}: {2} pieces would do without knots"
        return Worked(
            answer,
            (
                step(words, plain(self.needed), plain(self.piece), self.count),
                step("sees that every knot takes some of the length"),
                step("says more than {0}", self.count),
            ),
            1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        pieces = ((1, 2), (3, 2), (5, 2), (3, 4), (5, 4), (4, 5), (6, 5), (3, 5), (2, 5))
        piece = Fraction(*draws.one(pieces[: 5 if grade < 6 else None]))
        return cls(piece * draws.between(4, 24), piece, draws.one(tuple(_ROPES)))


@form("word problems", (5, 8), 3)
class SawnPlanks:
    """Pieces cut from planks; what is left of a plank cannot be joined.

    Raises:
        ValueError: a number is too small or too large, a length does not end as a decimal,
            nothing is left of a plank, or the story is not known.
    """

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

    def solve(self) -> Worked:
        each = self.length // self.piece
        answer = Answer.number(self.count * each)
        rest = plain(self.length % self.piece)
        words = "fits {0} of {1} m into {2} m, with {3} m left that is of no use"
        return Worked(
            answer,
            (
                step(words, each, plain(self.piece), plain(self.length), rest),
                step("multiplies {0} by {1} and gets {2}", self.count, each, answer),
            ),
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
def direct_computation(problem: TiedRopes | SawnPlanks | GroupsNeeded) -> Worked:
    """Computes as if knots, leftovers and parts of a group did not matter."""
    if isinstance(problem, GroupsNeeded):
        return divide_exactly(problem)
    if isinstance(problem, TiedRopes):
        answer = plain(problem.count)
        needed, piece = plain(problem.needed), plain(problem.piece)
        idea = step("takes the pieces to make {0} m with nothing lost to the knots", needed)
        return Worked(
            answer, (idea, step("divides {0} by {1} and gets {2}", needed, piece, answer))
        )
    total = problem.count * problem.length
    answer = plain(total / problem.piece)
    idea = step(
        "multiplies {0} by {1}, as if all were one length of {2} m",
        *(problem.count, plain(problem.length), plain(total)),
    )
    result = step("divides {0} by {1} and gets {2}", plain(total), plain(problem.piece), answer)
    return Worked(answer, (idea, result))
