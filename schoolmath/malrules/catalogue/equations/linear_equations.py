"""Linear equations and inequalities, and an equation that says what a sentence says."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import write_linear, write_term
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (7, 9), 1)
class LinearEquation:
    """``5x + 3 = 2x + 24``: letters and constant on the left, then on the right.

    Attributes:
        left_letters: how many x on the left; not 0.
        left_constant: what is added to them; may be 0.
        right_letters: how many x on the right; may be 0, not as many as on the left.
        right_constant: what is added on the right.
    """

    left_letters: int
    left_constant: int
    right_letters: int
    right_constant: int

    def __post_init__(self) -> None:
        if self.left_letters == 0 or self.left_letters == self.right_letters:
            raise ValueError("The equation needs x on the left, and not as often on the right.")
        if (self.left_letters, self.left_constant, self.right_letters) == (1, 0, 0):
            raise ValueError("There is nothing to solve in this equation.")

    def stem(self) -> str:
        left = write_linear(self.left_letters, self.left_constant)
        right = write_linear(self.right_letters, self.right_constant)
        return f"Solve {left} = {right}. What is x?"

    @property
    def letters(self) -> int:
        """How many x are left when those on the right are taken away."""
        return self.left_letters - self.right_letters

    @property
    def rest(self) -> int:
        """What they are worth."""
        return self.right_constant - self.left_constant

    def gathering(self) -> list[Step]:
        """The step that brings every x to the left; none where they are there."""
        if not self.right_letters:
            return []
        verb = "takes {0} from" if self.right_letters > 0 else "adds {0} to"
        return [
            step(
                verb + " both sides, which leaves {1} on the left",
                *(write_term(abs(self.right_letters)), write_term(self.letters)),
            )
        ]

    def undoing(self) -> list[Step]:
        """The step that brings every number to the right; none where they are there."""
        if not self.left_constant:
            return []
        verb = "takes {0} from" if self.left_constant > 0 else "adds {0} to"
        return [
            step(
                verb + " both sides, which leaves {1} on the right",
                *(abs(self.left_constant), self.rest),
            )
        ]

    def solve(self) -> Working:
        steps = self.gathering() + self.undoing()
        value = Fraction(self.rest, self.letters)
        if self.letters != 1:
            steps.append(step("divides {0} by {1} and gets {2}", self.rest, self.letters, value))
        elif not self.left_constant:
            steps.append(step("reads off x = {0}", value))
        return Working(Answer.number(value), tuple(steps), key_step=len(steps) - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sign = draws.one((1, 1, -1))
        kind = draws.below(4)
        if kind == 0:  # 8x + 3 = 5: the coefficient is the larger number
            rest = draws.between(2, 5)
            letters, constant = rest * draws.between(2, 5), draws.between(2, 9)
            return cls(letters, constant, 0, constant + rest)
        if kind == 1 or grade == 7:
            letters, x = draws.between(2, 6), draws.between(2, 9)
            constant = sign * letters * draws.between(1, 4)
            return cls(letters, constant, 0, letters * x + constant)
        letters, right, x = draws.between(2, 5), draws.between(2, 6), draws.between(2, 9)
        constant = sign * letters * draws.between(1, 3)
        return cls(letters + right, constant, right, letters * x + constant)


_REVERSED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}


@form("algebra", (7, 9), 1)
class Inequality:
    """``-2x + 3 < 9``.

    Attributes:
        letters: how many x; not 0.
        constant: what is added to them; may be 0 unless there is one x.
        sign: ``<``, ``>``, ``≤`` or ``≥``.
        right: the number on the right.
    """

    letters: int
    constant: int
    sign: str
    right: int

    def __post_init__(self) -> None:
        if not self.letters or (self.letters, self.constant) == (1, 0):
            raise ValueError("The inequality needs a coefficient other than 0, and one of x alone.")
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
        if self.letters == 1:
            return answer, step("writes {0}", answer.shown)
        if turned:
            words = "divides {0} by {1}, turns the sign round and writes {2}"
        elif self.letters < 0:
            words = "divides {0} by {1}, keeps the sign as it was and writes {2}"
        else:
            words = "divides {0} by {1} and writes {2}"
        return answer, step(words, rest, self.letters, answer.shown)

    def solve(self) -> Working:
        answer, last = self.dividing(Fraction(self.rest), turned=self.letters < 0)
        steps = (*self.undoing(), last)
        return Working(answer, steps, key_step=len(steps) - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        size = draws.between(2, grade - 1)
        bound = draws.between(1, 9) * draws.one((1, -1))
        constant = size * draws.between(1, 4) * draws.one((1, 1, -1))
        sign = draws.one(tuple(_REVERSED))
        return cls(-size, constant, sign, constant - size * bound)


@mal_rule("AL14")
def sign_not_reversed(problem: Inequality) -> Working | None:
    """Divides by a negative number and lets the sign stand."""
    if problem.letters > 0:
        return None
    answer, last = problem.dividing(Fraction(problem.rest), turned=False)
    steps = (*problem.undoing(), last)
    return Working(answer, steps, key_step=len(steps) - 1)


@form("algebra", (7, 9), 1)
class BracketEquation:
    """``2(x + 3) = 14``.

    Attributes:
        factor: in front of the bracket; not 0, 1 or -1.
        constant: behind x in the bracket; not 0.
        right: what it is worth.
    """

    factor: int
    constant: int
    right: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2 or not self.constant:
            raise ValueError(
                "A bracket needs a factor above 1 in size and a constant other than 0."
            )

    def stem(self) -> str:
        return f"Solve {self.factor}({write_linear(1, self.constant)}) = {self.right}. What is x?"

    def undone(self, inside: int, first: str) -> Working:
        """Solved once the bracket is gone: what stands behind the term in x is ``inside``."""
        value = Fraction(self.right - inside, self.factor)
        return by_steps(
            Answer.number(value),
            step(first, self.factor, write_linear(self.factor, inside)),
            step("brings the number to the right, which leaves {0} there", self.right - inside),
            step("divides {0} by {1} and gets {2}", self.right - inside, self.factor, value),
        )

    def solve(self) -> Working:
        return self.undone(
            self.factor * self.constant, "multiplies everything in the bracket by {0}: {1}"
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor = draws.between(2, 6 if grade < 9 else 9)
        constant = draws.between(1, 9) * draws.one((1, 1, -1))
        return cls(factor, constant, factor * (draws.between(1, 12) + constant))


_PART = re.compile(r" ?([+-]?) ?(?:(\d*)\((-?\d*)x ([+-]) (\d+)\)|(\d*)(x)|(\d+))", re.ASCII)


def collected(text: str, *, copies: bool, keeps_minus: bool = False) -> tuple[int, int]:
    """The number of x and the constant of terms and brackets.

    Args:
        text: such as ``3(2x + 4) - 5`` or ``7 - (x - 2)``.
        copies: whether only the first term in a bracket is multiplied, or gets the minus before
            it, and the second is copied.
        keeps_minus: whether a second term with a minus keeps it behind a factor with a minus.

    Raises:
        ValueError: it is something else.
    """
    letters = constant = at = 0
    while at < len(text):
        match = _PART.match(text, at)
        check_that(match is not None and match.end() > at, "It has terms in x, and brackets.")
        assert match is not None
        check_that(not at or bool(match[1]), "A sign is missing.")
        sign = -1 if match[1] == "-" else 1
        if match[5]:
            factor = sign * int(match[2] or 1)
            letters += factor * ({"": 1, "-": -1}.get(match[3]) or int(match[3]))
            copied = sign if match[2] else 1
            second = int(match[4] + match[5])
            product = (copied if copies else factor) * second
            constant += -product if keeps_minus and factor < 0 and second < 0 else product
        elif match[7]:
            letters += sign * int(match[6] or 1)
        else:
            constant += sign * int(match[8])
        at = match.end()
    return letters, constant


@form("algebra", (7, 9), 2)
class BracketTerms:
    """Terms in x and brackets, to be simplified: ``2(3x - 4) + 5``, ``7 - (x - 2)``.

    Attributes:
        text: the terms, with spaces round the signs between them.
    """

    text: str

    def __post_init__(self) -> None:
        check_that("(" in self.text and "=" not in self.text, "It has brackets and no =.")
        self.solve()

    def stem(self) -> str:
        return f"Simplify {self.text}."

    def simplified(self, idea: str, *, copies: bool, keeps_minus: bool = False) -> Working:
        """What is left when the brackets are gone; see `collected`."""
        letters, constant = collected(self.text, copies=copies, keeps_minus=keeps_minus)
        answer = Answer.polynomial((constant, letters))
        return by_steps(answer, step(idea), step("collects the terms and writes {0}", answer.shown))

    def solve(self) -> Working:
        return self.simplified("multiplies everything in the brackets", copies=False)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        factor, inside = draws.between(2, 5), draws.between(2, 5)
        constant, more = draws.between(1, 9), draws.between(1, 9)
        return cls(f"{factor}({inside}x + {constant}) + {more}")


@form("algebra", (8, 9), 2)
class EquationWithBrackets:
    """An equation in x with brackets on a side or on both: ``3(2x + 4) - 5 = 4x + 1``.

    Attributes:
        text: the equation, with spaces round its signs.
    """

    text: str

    def __post_init__(self) -> None:
        check_that(self.text.count("=") == 1 and "(" in self.text, "It has brackets and one =.")
        check_that(bool(self._letters(copies=False)), "There is one x that makes it true.")

    def sides(self, *, copies: bool) -> list[tuple[int, int]]:
        """The number of x and the constant of each side; ``copies``: only the first term in a
        bracket is multiplied, the second copied.
        """
        return [collected(side.strip(), copies=copies) for side in self.text.split("=")]

    def _letters(self, *, copies: bool) -> int:
        (left, _), (right, _) = self.sides(copies=copies)
        return left - right

    def solved(self, idea: str, *, copies: bool) -> Working | None:
        """The way to x when the brackets are gone; None where no x is left."""
        (left, one), (right, other) = self.sides(copies=copies)
        letters, number = left - right, other - one
        if not letters:
            return None
        answer = Answer.number(Fraction(number, letters))
        without = f"{write_linear(left, one)} = {write_linear(right, other)}"
        return by_steps(
            answer,
            step(idea + ": {0}", without),
            step("brings each to its side: {0} = {1}", write_term(letters), number),
            step("divides {0} by {1} and gets {2}", number, letters, answer),
        )

    def stem(self) -> str:
        return f"Solve {self.text}. What is x?"

    def solve(self) -> Working:
        worked = self.solved("multiplies everything in the brackets", copies=False)
        assert worked is not None
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        factor, inside, value = draws.between(2, 5), draws.between(2, 5), draws.between(1, 9)
        constant, more = draws.between(1, 9), draws.between(1, 9)
        right = factor * (inside * value + constant) + more
        return cls(f"{factor}({inside}x + {constant}) + {more} = {right}")


@form("algebra", (7, 8), 1)
class SubtractedUnknown:
    """``20 - x = 8``: how much is taken away is asked."""

    total: int
    left: int

    def __post_init__(self) -> None:
        if not self.total or not self.left:
            raise ValueError("Neither number of the equation is 0.")

    def stem(self) -> str:
        return f"Solve {self.total} - x = {self.left}. What is x?"

    def solve(self) -> Working:
        value = self.total - self.left
        return by_steps(
            Answer.number(value),
            step("asks what is taken from {0} to leave {1}", self.total, self.left),
            step("takes {0} from {1} and gets {2}", self.left, self.total, value),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        left = draws.between(3, 19 if grade == 7 else 60)
        return cls(left + draws.between(2, 19), left)


@mal_rule("AL39")
def adds_where_x_is_taken_away(problem: SubtractedUnknown) -> Working:
    """Brings the number across as if x were added to it: a + c."""
    value = problem.total + problem.left
    return by_steps(
        Answer.number(value),
        step("adds {0} to {1} and gets {2}", problem.total, problem.left, value),
    )


@mal_rule("AL40")
def subtracts_the_other_way(problem: SubtractedUnknown) -> Working:
    """Takes the first number from the right side, as if x stood alone: c - a."""
    value = problem.left - problem.total
    return by_steps(
        Answer.number(value),
        step("takes {0} from {1} and gets {2}", problem.total, problem.left, value),
    )


# Where, what there is more of, what there is less of; the nouns begin with different letters.
_CONTEXTS = (
    ("At a college", "students", "professors"),
    ("At a school", "pupils", "teachers"),
    ("In a hall", "chairs", "tables"),
    ("In a library", "books", "shelves"),
    ("On a farm", "hens", "goats"),
    ("In a park", "trees", "benches"),
    ("In a zoo", "birds", "lions"),
    ("At a station", "passengers", "trains"),
    ("In a kitchen", "cups", "pots"),
    ("On a lake", "ducks", "boats"),
)


@form("algebra", (8, 11), 2)
class WordEquation:
    """``There are 6 times as many students (S) as professors (P).``

    Attributes:
        place: where, as a sentence begins.
        many: what there is more of, in the plural.
        few: what it is compared with, in the plural.
        factor: how many times as many; 2 or more.
        extra: how many more than that; may be 0.
    """

    place: str
    many: str
    few: str
    factor: int
    extra: int

    def __post_init__(self) -> None:
        if not self.many or not self.few or self.many[0].upper() == self.few[0].upper():
            raise ValueError("The two nouns of the sentence begin with different letters.")
        if self.factor < 2 or self.extra < 0:
            raise ValueError("The factor is 2 or more and what is added 0 or more.")

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of what there is more of and less of."""
        return self.many[0].upper(), self.few[0].upper()

    @property
    def counted(self) -> str:
        """The comparison: ``4 more than 6 times``."""
        more = f"{self.extra} more than " if self.extra else ""
        return f"{more}{self.factor} times"

    def stem(self) -> str:
        many, few = self.letters
        return (
            f"{self.place} there are {self.counted} as many {self.many} ({many}) as "
            f"{self.few} ({few}). Which equation says this?"
        )

    def equation(self, coefficient: int, extra: int) -> Answer:
        """What there is more of, from what there is less of."""
        many, few = self.letters
        factor = "" if coefficient == 1 else coefficient
        return Answer.label(f"{many} = {factor}{few}" + (f" + {extra}" if extra else ""))

    def solve(self) -> Working:
        many, few = self.letters
        answer = self.equation(self.factor, self.extra)
        more = step("adds {0} and writes {1}", self.extra, answer.shown)
        return by_steps(
            answer,
            step(f"sees that {many} is the larger number and stands alone on one side"),
            step(f"multiplies {few}, the smaller number, by {{0}}", self.factor),
            more if self.extra else step("writes {0}", answer.shown),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        place, many, few = draws.one(_CONTEXTS)
        return cls(place, many, few, draws.between(2, 4 + grade // 2), draws.between(2, 9))


@mal_rule("AL15")
def in_the_order_of_the_words(problem: WordEquation) -> Working | None:
    """Writes numbers, signs and letters one after another as the sentence names them."""
    many, few = problem.letters
    more = f" + {problem.extra}" if problem.extra else ""
    answer = Answer.label(f"{problem.factor}{many}{more} = {few}")
    return by_steps(
        answer,
        step(
            f"follows the words and puts the {{0}} next to {many}, which is named first",
            problem.factor,
        ),
        step(f"puts {few}, which is named last, behind the equals sign: {{0}}", answer.shown),
    )
