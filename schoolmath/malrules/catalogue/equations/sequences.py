"""Amounts that grow by a percentage, and sequences that grow by the same number."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.equations.graphs_and_functions import MatchPattern
from schoolmath.malrules.catalogue.writing import (
    write_bracketed,
    write_linear,
    write_money,
    write_next,
    write_ordinal,
)
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_USES = ("savings account", "college fund", "holiday fund", "bicycle fund")


@form("algebra", (8, 11), 2)
class Growth:
    """``$1000 at 10% a year, 3 years``; for an even number of years half way is told.

    Attributes:
        name: whose money it is.
        use: what it is put into, with no article.
        start: whole dollars, above 0.
        percent: growth of a year, above 0.
        years: 2 or more.
    """

    name: str
    use: str
    start: int
    percent: int
    years: int

    def __post_init__(self) -> None:
        if self.start <= 0 or self.percent <= 0 or self.years < 2:
            raise ValueError("Growth needs a start and percentage above 0 and 2 years or more.")
        if (self.after(self.years) * 100).denominator != 1:
            raise ValueError("The amount at the end must come out in whole cents.")

    def stem(self) -> str:
        half = ""
        if self.years % 2 == 0:
            count = self.years // 2
            span = "1 year" if count == 1 else f"{count} years"
            half = f" After {span} there is {write_money(self.after(count))}."
        return (
            f"{self.name} puts {write_money(Fraction(self.start))} into a {self.use}. The amount "
            f"grows by {self.percent}% each year.{half} How much is in it after {self.years} years?"
        )

    @property
    def rate(self) -> Fraction:
        """The percentage as a number."""
        return Fraction(self.percent, 100)

    def after(self, years: int) -> Fraction:
        """The amount after so many years."""
        return self.start * (1 + self.rate) ** years

    def solve(self) -> Working:
        value = self.after(self.years)
        factor = write_decimal(1 + self.rate)
        return by_steps(
            _dollars(value),
            step("sees that {0}% more each year means multiplying by {1}", self.percent, factor),
            step(
                "multiplies {0} by {1} once for each of the {2} years and gets {3}",
                *(write_money(Fraction(self.start)), factor, self.years, write_money(value)),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        name, use = draws.one(vocabulary().names).text, draws.one(_USES)
        if grade == 8 or draws.chance(0.5):
            percent = draws.one((5, 10, 20, 25, 30, 40, 50))
            start = 400 if percent % 10 else 100
            return cls(name, use, start * draws.between(1, 24), percent, 2)
        percent = draws.one((10, 20, 30, 50))
        return cls(name, use, 100 * draws.between(1, 30), percent, 4)


def _dollars(amount: Fraction) -> Answer:
    return Answer.number(amount, write_money(amount))


@mal_rule("AL34")
def simple_growth(problem: Growth) -> Working | None:
    """Adds the growth of the first year every year."""
    each = problem.start * problem.rate
    value = problem.start + problem.years * each
    return by_steps(
        _dollars(value),
        step(
            "works out {0}% of {1} once: {2}",
            *(problem.percent, write_money(Fraction(problem.start)), write_money(each)),
        ),
        step("adds the same {0} for each of the {1} years", write_money(each), problem.years),
        step("gets {0}", write_money(value)),
        key_step=1,
    )


def power_of_parts(problem: Growth) -> Working:
    """The power of a sum taken part by part, in (1 + rate)^years."""
    small = problem.rate**problem.years
    value = problem.start * (1 + small)
    return by_steps(
        _dollars(value),
        step(
            "writes the growth of a year as {0} + {1}, to the power {2}",
            *(1, write_decimal(problem.rate), problem.years),
        ),
        step(
            "takes the power of {0} and of {1} one by one and adds: {2}",
            *(1, write_decimal(problem.rate), write_decimal(1 + small)),
        ),
        step(
            "multiplies {0} by {1} and gets {2}",
            write_money(Fraction(problem.start)),
            write_decimal(1 + small),
            write_money(value),
        ),
        key_step=1,
    )


def doubled_half(problem: Growth) -> Working | None:
    """Twice the amount of half the time; None for an odd number of years."""
    if problem.years % 2:
        return None
    count = problem.years // 2
    half = problem.after(count)
    return by_steps(
        _dollars(2 * half),
        step("sees that {0} years are twice {1}", problem.years, count),
        step(
            "doubles the amount after half the time, {0}, and gets {1}",
            *(write_money(half), write_money(2 * half)),
        ),
        key_step=1,
    )


@form("algebra", (6, 9), 2)
class NthTerm:
    """A formula for the nth term of ``5, 8, 11, ...``

    Attributes:
        first: the first term.
        difference: from a term to the next; not 0.
    """

    first: int
    difference: int

    def __post_init__(self) -> None:
        if self.difference == 0:
            raise ValueError("The terms of the sequence must change.")

    def stem(self) -> str:
        return f"What is the nth term of the sequence {_shown(self.first, self.difference)}?"

    @property
    def shift(self) -> int:
        """What is added to n times the difference."""
        return self.first - self.difference

    def solve(self) -> Working:
        answer = Answer.polynomial((self.shift, self.difference), "n")
        return by_steps(
            answer,
            step(
                "sees that every term differs from the one before by {0}, so n is "
                "multiplied by {0}",
                self.difference,
            ),
            step(
                "compares {0} with the first term {1} and writes {2}",
                *(self.difference, self.first, answer.shown),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        difference = draws.between(2, grade)
        shift = draws.between(1, grade + 6)
        if grade >= 8 and draws.chance(0.3):
            return cls(shift + 3 * difference, -difference)
        return cls(difference + shift, difference)


@form("algebra", (5, 9), 2)
class SequenceTerm:
    """The 10th term of ``5, 8, 11, ...``; for an even place the term half way is told.

    Attributes:
        first: the first term.
        difference: from a term to the next; not 0.
        place: which term is asked for; above 3.
    """

    first: int
    difference: int
    place: int

    def __post_init__(self) -> None:
        if self.difference == 0 or self.place < 4:
            raise ValueError("The terms must change, and a term behind the 3rd is asked for.")

    def stem(self) -> str:
        half = ""
        if self.place % 2 == 0:
            place = self.place // 2
            half = f" Its {write_ordinal(place)} term is {self.term(place)}."
        shown = _shown(self.first, self.difference)
        return (
            f"A sequence goes on in the same way: {shown}{half} "
            f"What is its {write_ordinal(self.place)} term?"
        )

    def term(self, place: int) -> int:
        """The term at this place."""
        return self.first + (place - 1) * self.difference

    def solve(self) -> Working:
        return _stepped(self, self.place - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        difference = draws.between(2, grade)
        first = difference + draws.between(1, grade + 4)
        if draws.chance(0.4):
            first = draws.between(1, difference - 1)
        return cls(first, difference, 2 * draws.between(4, 4 + grade))


def _shown(first: int, difference: int) -> str:
    return f"{first}, {first + difference}, {first + 2 * difference}, ..."


def _stepped(problem: SequenceTerm, steps: int) -> Working:
    change = steps * problem.difference
    value = problem.first + change
    return by_steps(
        Answer.number(value),
        step(
            "takes {0} steps of {1} from the first term to the {2}: {3}",
            *(steps, problem.difference, write_ordinal(problem.place), change),
        ),
        step("works out {0} {1} and gets {2}", *(problem.first, write_next(change), value)),
    )


@mal_rule("AL16")
def step_as_formula(problem: NthTerm | SequenceTerm) -> Working | None:
    """Takes the step from a term to the next for the rule of all terms."""
    difference = problem.difference
    idea = step("sees that {0} is added to each term to get the next", difference)
    if isinstance(problem, NthTerm):
        answer = Answer.polynomial((difference, 1), "n")
        return by_steps(
            answer,
            idea,
            step("puts n in the place of the term before and writes {0}", answer.shown),
            key_step=1,
        )
    value = problem.place + difference
    return by_steps(
        Answer.number(value),
        idea,
        step(
            "puts the place {0} where the term before belongs and gets {1}", *(problem.place, value)
        ),
        key_step=1,
    )


@mal_rule("AL17")
def one_step_too_many(problem: NthTerm | SequenceTerm | MatchPattern) -> Working | None:
    """Takes as many steps as the place says, though the first term needs none."""
    if isinstance(problem, MatchPattern):
        value = 4 + 3 * problem.squares
        first = step("takes {0} steps of {1} from the first square", problem.squares, 3)
        last = step("starts from {0} and gets {1}", 4, value)
        return by_steps(Answer.number(value), first, last)
    if isinstance(problem, SequenceTerm):
        return _stepped(problem, problem.place)
    answer = Answer.polynomial((problem.first, problem.difference), "n")
    return by_steps(
        answer,
        step("takes n steps of {0} from the first term", problem.difference),
        step("starts from {0} and writes {1}", problem.first, answer.shown),
    )


@mal_rule("AL18")
def whole_object(problem: SequenceTerm | Growth) -> Working | None:
    """Doubles what is known half way."""
    if isinstance(problem, Growth):
        return doubled_half(problem)
    if problem.place % 2:
        return None
    place = problem.place // 2
    half = problem.term(place)
    return by_steps(
        Answer.number(2 * half),
        step(
            "sees that {0} is twice {1} and takes the {2} term, {3}",
            *(problem.place, place, write_ordinal(place), half),
        ),
        step("doubles {0} and gets {1}", write_bracketed(half), 2 * half),
        key_step=1,
    )


def joined_formula(problem: NthTerm) -> Working | None:
    """The formula with its two terms joined to one."""
    answer = Answer.polynomial((0, problem.first), "n")
    if not problem.shift or not problem.first:
        return None
    return by_steps(
        answer,
        step("finds {0}", write_linear(problem.difference, problem.shift, "n")),
        step("joins both terms to one and writes {0}", answer.shown),
        key_step=1,
    )
