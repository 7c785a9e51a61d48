"""Linear inequalities."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_linear
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws

_REVERSED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}


@form("algebra", (7, 9), 1)
class Inequality:
    """``-2x + 3 < 9``.

    Attributes:
        letters: how many x; not 0 or 1.
        constant: what is added to them; may be 0.
        sign: ``<``, ``>``, ``≤`` or ``≥``.
        right: the number on the right.
    """

    letters: int
    constant: int
    sign: str
    right: int

    def __post_init__(self) -> None:
        if self.letters in (0, 1):
            raise ValueError("The inequality needs a coefficient other than 0 and 1.")
        if self.sign not in _REVERSED:
            raise ValueError(f"{self.sign!r} is no sign of an inequality: use < > ≤ ≥.")

    def stem(self) -> str:
        left = write_linear(self.letters, self.constant)
        return f"Solve {left} {self.sign} {self.right}. Which values of x make it true?"

    @property
    def rest(self) -> int:
        """The right side when the constant is gone."""
        return self.right - self.constant

    def undoing(self) -> list[Step]:
        """The step that takes the constant to the right; none where there is none."""
        if not self.constant:
            return []
        verb = "takes {0} from" if self.constant > 0 else "adds {0} to"
        return [
            step(verb + " both sides, which leaves {1} on the right", abs(self.constant), self.rest)
        ]

    def bounded(self, bound: Fraction, *, turned: bool) -> Answer:
        """The answer with this bound and the sign as it was, or turned round."""
        return Answer.label(f"x {_REVERSED[self.sign] if turned else self.sign} {bound}")

    def dividing(self, rest: Fraction, *, turned: bool) -> tuple[Answer, Step]:
        """The last step: this is divided by the coefficient."""
        answer = self.bounded(rest / self.letters, turned=turned)
        if turned:
            words = "divides {0} by {1}, turns the sign round and writes {2}"
        elif self.letters < 0:
            words = "divides {0} by {1}, keeps the sign as it was and writes {2}"
        else:
            words = "divides {0} by {1} and writes {2}"
        return answer, step(words, rest, self.letters, answer.shown)

    def solve(self) -> Worked:
        answer, last = self.dividing(Fraction(self.rest), turned=self.letters < 0)
        steps = (*self.undoing(), last)
        return Worked(answer, steps, key_step=len(steps) - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        size = draws.between(2, grade - 1)
        bound = draws.between(1, 9) * draws.one((1, -1))
        constant = size * draws.between(1, 4) * draws.one((1, 1, -1))
        sign = draws.one(tuple(_REVERSED))
        return cls(-size, constant, sign, constant - size * bound)


@mal_rule("AL14")
def sign_not_reversed(problem: Inequality) -> Worked | None:
    """Divides by a negative number and lets the sign stand."""
    if problem.letters > 0:
        return None
    answer, last = problem.dividing(Fraction(problem.rest), turned=False)
    steps = (*problem.undoing(), last)
    return Worked(answer, steps, key_step=len(steps) - 1)
