"""Terms to be collected, and the minus sign that is read as standing before a group."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_next, write_sum, write_term
from schoolmath.malrules.catalogue.equations.number_sentences import Blank
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (6, 9), 1)
class LikeTerms:
    """Simplify ``9x - 4x + 2x + 5``.

    Attributes:
        letters: the coefficients of the terms in x; none is 0.
        constants: the terms without a letter; none is 0.
    """

    letters: tuple[int, ...]
    constants: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.letters or not self.constants or 0 in self.letters + self.constants:
            raise ValueError("An expression to simplify has terms with x and without, none 0.")

    def stem(self) -> str:
        return f"Simplify {self.text}."

    @property
    def text(self) -> str:
        """The expression as it stands."""
        rest = " ".join(write_next(each) for each in self.constants)
        return f"{write_letters(self.letters)} {rest}"

    def solve(self) -> Worked:
        return _collected(self, sum(self.letters), sum(self.constants))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 5 if grade < 8 else 9
        taken, added = draws.between(2, most), draws.between(2, most)
        letters = (taken + added + draws.between(1, most), -taken, added)
        constants: tuple[int, ...] = (draws.between(2, 9),)
        if grade >= 7:
            lost, more = draws.between(2, 6), draws.between(2, 6)
            constants = (lost + more + draws.between(1, 9), -lost, more)
        return cls(letters, constants)


def write_letters(coefficients: tuple[int, ...]) -> str:
    """Terms in x one after another: ``9x - 4x + 2x``."""
    text = write_term(coefficients[0])
    for each in coefficients[1:]:
        text += f" - {write_term(-each)}" if each < 0 else f" + {write_term(each)}"
    return text


def _collected(problem: LikeTerms, letters: int, constants: int) -> Worked:
    answer = Answer.polynomial((constants, letters))
    steps: list[Step] = []
    if len(problem.letters) > 1:
        terms = write_letters(problem.letters)
        steps.append(step("collects {0} into {1}", terms, write_term(letters)))
    if len(problem.constants) > 1:
        steps.append(step("collects {0} into {1}", write_sum(problem.constants), constants))
    if letters and constants:
        steps.append(
            step("leaves terms with a letter and numbers apart and writes {0}", answer.shown)
        )
    else:
        steps.append(step("writes {0}", answer.shown))
    return Worked(answer, tuple(steps), key_step=len(steps) - 1)


def _grouped(terms: tuple[int, ...]) -> int | None:
    # What comes of reading the first minus as standing before all that follows; None where
    # nothing follows the term with the minus.
    for place, term in enumerate(terms[1:-1], 1):
        if term < 0:
            return sum(terms[:place]) + term - sum(terms[place + 1 :])
    return None


def _group(terms: tuple[int, ...]) -> int:
    place = next(place for place, term in enumerate(terms) if place and term < 0)
    return -terms[place] + sum(terms[place + 1 :])


@mal_rule("AL13")
def detached_minus(problem: Blank | LikeTerms) -> Worked | None:
    """Puts together what stands behind a minus sign before taking it away."""
    if isinstance(problem, Blank):
        return _detached_in_blank(problem)
    letters, constants = _grouped(problem.letters), _grouped(problem.constants)
    if letters is None and constants is None:
        return None
    steps = []
    if letters is not None:
        steps.append(
            step(
                "joins what stands behind the minus in {0} to {1} and takes it all away: {2}",
                write_letters(problem.letters),
                write_term(_group(problem.letters)),
                write_term(letters),
            )
        )
    if constants is not None:
        steps.append(
            step(
                "joins what stands behind the minus in {0} to {1} and takes it all away: {2}",
                *(write_sum(problem.constants), _group(problem.constants), constants),
            )
        )
    answer = Answer.polynomial(
        (
            sum(problem.constants) if constants is None else constants,
            sum(problem.letters) if letters is None else letters,
        )
    )
    return Worked(answer, (*steps, step("writes {0}", answer.shown)))


def _detached_in_blank(problem: Blank) -> Worked | None:
    value = _grouped(problem.left)
    if value is None:
        return None
    steps = [
        step(
            "joins what stands behind the minus in {0} to {1}",
            *(write_sum(problem.left), _group(problem.left)),
        ),
        step("takes {0} away at once and gets {1}", _group(problem.left), value),
    ]
    if problem.right:
        steps.append(
            step(
                "takes the {0} of the other side from {1} and gets {2}",
                *(problem.right, value, value - problem.right),
            )
        )
    return Worked(Answer.number(value - problem.right), tuple(steps))
