"""Quadratic equations: a square alone, or a product of two brackets."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal, write_polynomial
from schoolmath.malrules.catalogue.algebra_writing import exact_root, write_linear
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (8, 11), 1)
class SquareEquation:
    """``x^2 = 49`` or ``4x^2 + 20 = 164``, with rational roots.

    Attributes:
        factor: how many squares; 1 or more.
        constant: what is added to them; may be 0.
        right: the right side; above the constant.
        positive: whether only the positive root is asked for.
    """

    factor: int
    constant: int
    right: int
    positive: bool = False

    def __post_init__(self) -> None:
        if self.factor < 1 or self.right <= self.constant:
            raise ValueError("The equation needs a factor of 1 or more and a square above 0.")
        if exact_root(self.square) is None:
            raise ValueError("The roots of this equation must be whole numbers or fractions.")

    def stem(self) -> str:
        left = write_polynomial((self.constant, 0, self.factor))
        asked = "What is the positive solution?" if self.positive else "What are all solutions?"
        return f"Solve {left} = {self.right}. {asked}"

    @property
    def square(self) -> Fraction:
        """What the square of x is worth."""
        return Fraction(self.right - self.constant, self.factor)

    def undoing(self) -> list[Step]:
        """The steps that leave the square of x alone."""
        steps = []
        rest = self.right - self.constant
        if self.constant:
            verb = "takes {0} from" if self.constant > 0 else "adds {0} to"
            words = verb + " both sides, which leaves {1} on the right"
            steps.append(step(words, abs(self.constant), rest))
        if self.factor != 1:
            steps.append(step("divides {0} by {1}: {2}", rest, self.factor, self.square))
        return steps

    def rooted(self, square: Fraction) -> tuple[Answer, Step] | None:
        """The solutions when x times x is this; None where it is below 0."""
        if square < 0:
            return None
        root = exact_root(square)
        shown = f"sqrt({square})" if root is None else str(root)
        if self.positive:
            answer = Answer.expression(shown) if root is None else Answer.number(root)
            return answer, step("takes the square root of {0}: {1}", square, answer.shown)
        answer = Answer.label(f"{shown} and -{shown}" if square else "0")
        return answer, step("takes both square roots of {0}: {1}", square, answer.shown)

    def solve(self) -> Worked:
        rooted = self.rooted(self.square)
        if rooted is None:
            raise AssertionError("the constructor lets no such equation pass")
        steps = (*self.undoing(), rooted[1])
        return Worked(rooted[0], steps, key_step=len(steps) - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        positive = grade == 8 or draws.chance(0.4)
        side = draws.one((2, 3, 4) if positive else (1, 1, 2, 3))
        factor = side * side
        root = draws.between(3, 15) if side == 1 else side * draws.between(2, 12 // side)
        # The root when the constant is carried across as it is.
        other = root + draws.one((2, 4, 6, 8, -2) if root > 4 else (2, 4, 6, 8))
        constant = factor * (other**2 - root**2) // 2
        return cls(factor, constant, factor * root**2 + constant, positive)


@form("algebra", (9, 11), 2)
class FactoredEquation:
    """``(x - 3)(x - 5) = 8``, with rational roots.

    Attributes:
        first: what is taken from x in the first bracket; not 0.
        second: what is taken from x in the second bracket; not 0.
        right: the right side; not 0.
        larger: whether only the larger root is asked for.
    """

    first: int
    second: int
    right: int
    larger: bool = False

    def __post_init__(self) -> None:
        if 0 in (self.first, self.second, self.right):
            raise ValueError("The brackets hold two terms each, and the right side is not 0.")
        if exact_root(self._discriminant) is None:
            raise ValueError("The roots of this equation must be whole numbers or fractions.")

    @property
    def _discriminant(self) -> Fraction:
        return Fraction((self.first - self.second) ** 2 + 4 * self.right)

    def stem(self) -> str:
        asked = "What is the larger solution?" if self.larger else "What are all solutions?"
        return f"Solve {self.brackets(self.first, self.second)} = {self.right}. {asked}"

    @staticmethod
    def brackets(first: Fraction | int, second: Fraction | int) -> str:
        """A product that is 0 for these two numbers."""
        return f"({write_linear(1, -first)})({write_linear(1, -second)})"

    @property
    def roots(self) -> tuple[Fraction, Fraction]:
        """Both roots, the larger one first."""
        total, width = self.first + self.second, exact_root(self._discriminant) or Fraction(0)
        return (total + width) / 2, (total - width) / 2

    def answered(self, one: Fraction, other: Fraction) -> Answer:
        """The answer when these are the solutions."""
        high, low = max(one, other), min(one, other)
        if self.larger:
            return Answer.number(high)
        return Answer.label(f"{high} and {low}" if high != low else str(high))

    def factoring(self) -> list[Step]:
        """The steps to a product that is 0."""
        polynomial = write_polynomial(
            (self.first * self.second - self.right, -self.first - self.second, 1)
        )
        return [
            step("multiplies out and brings everything to one side: {0} = {1}", polynomial, 0),
            step("writes it as a product: {0} = {1}", self.brackets(*self.roots), 0),
        ]

    def solve(self) -> Worked:
        answer = self.answered(*self.roots)
        words = "sets each bracket equal to {0} and solves both equations, which gives {1}"
        last = step(words, 0, answer.shown)
        return Worked(answer, (*self.factoring(), last), key_step=2)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(60):
            high, low = draws.between(1, 9), -draws.between(1, 9)
            first = draws.between(-9, 9)
            second = high + low - first
            right = first * second - high * low
            if high != -low and 0 < right <= 10 + grade and 0 not in (first, second):
                return cls(first, second, right)
        raise NotDrawn("No product of two brackets with a small right side came up.")


@mal_rule("AL31")
def only_the_positive_root(problem: SquareEquation | FactoredEquation) -> Worked | None:
    """Leaves out the negative solution."""
    if isinstance(problem, SquareEquation):
        root = exact_root(problem.square)
        if problem.positive or root is None:
            return None
        answer = Answer.label(str(root))
        last = step("takes the positive square root of {0}: {1}", problem.square, root)
        steps = (*problem.undoing(), last)
        return Worked(answer, steps, key_step=len(steps) - 1)
    high, low = problem.roots
    if problem.larger or not low < 0 < high:
        return None
    last = step("takes the positive solution: {0}", high)
    return Worked(Answer.label(str(high)), (*problem.factoring(), last), key_step=2)


@mal_rule("AL32")
def halves_to_undo_a_square(problem: SquareEquation) -> Worked | None:
    """Takes half of the square for its root."""
    half = problem.square / 2
    try:
        shown = write_decimal(half)
    except ValueError:
        shown = str(half)
    answer = Answer.number(half, shown) if problem.positive else Answer.label(shown)
    last = step("halves {0} to undo the square and gets {1}", problem.square, shown)
    steps = (*problem.undoing(), last)
    return Worked(answer, steps, key_step=len(steps) - 1)


@mal_rule("AL33")
def each_factor_is_the_right_side(problem: FactoredEquation) -> Worked | None:
    """Uses the rule for a product that is 0 where it is not 0."""
    first, second = problem.first + problem.right, problem.second + problem.right
    answer = problem.answered(Fraction(first), Fraction(second))
    return Worked(
        answer,
        (
            step(
                "sets each bracket equal to {0}: {1} = {0} and {2} = {0}",
                problem.right,
                write_linear(1, -problem.first),
                write_linear(1, -problem.second),
            ),
            step("gets x = {0} and x = {1}", first, second),
            step("gives {0}", answer.shown),
        ),
    )
