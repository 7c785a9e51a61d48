"""Quadratic equations, two equations at once, products that are 0, whole solutions."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import (
    Answer,
    Step,
    Working,
    by_steps,
    step,
    write_decimal,
    write_polynomial,
)
from schoolmath.malrules.catalogue.writing import exact_root, write_linear, write_term
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
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

    def solve(self) -> Working:
        rooted = self.rooted(self.square)
        if rooted is None:
            raise AssertionError("the constructor lets no such equation pass")
        steps = (*self.undoing(), rooted[1])
        return Working(rooted[0], steps, key_step=len(steps) - 1)

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

    def solve(self) -> Working:
        answer = self.answered(*self.roots)
        words = "sets each bracket equal to {0} and solves both equations, which gives {1}"
        last = step(words, 0, answer.shown)
        return by_steps(answer, *self.factoring(), last, key_step=2)

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
def only_the_positive_root(problem: SquareEquation | FactoredEquation) -> Working | None:
    """Leaves out the negative solution."""
    if isinstance(problem, SquareEquation):
        root = exact_root(problem.square)
        if problem.positive or root is None:
            return None
        answer = Answer.label(str(root))
        last = step("takes the positive square root of {0}: {1}", problem.square, root)
        steps = (*problem.undoing(), last)
        return Working(answer, steps, key_step=len(steps) - 1)
    high, low = problem.roots
    if problem.larger or not low < 0 < high:
        return None
    last = step("takes the positive solution: {0}", high)
    return by_steps(Answer.label(str(high)), *problem.factoring(), last, key_step=2)


@mal_rule("AL32")
def halves_to_undo_a_square(problem: SquareEquation) -> Working | None:
    """Takes half of the square for its root."""
    half = problem.square / 2
    try:
        shown = write_decimal(half)
    except ValueError:
        shown = str(half)
    answer = Answer.number(half, shown) if problem.positive else Answer.label(shown)
    last = step("halves {0} to undo the square and gets {1}", problem.square, shown)
    steps = (*problem.undoing(), last)
    return Working(answer, steps, key_step=len(steps) - 1)


@mal_rule("AL33")
def each_factor_is_the_right_side(problem: FactoredEquation) -> Working | None:
    """Uses the rule for a product that is 0 where it is not 0."""
    first, second = problem.first + problem.right, problem.second + problem.right
    answer = problem.answered(Fraction(first), Fraction(second))
    return by_steps(
        answer,
        step(
            "sets each bracket equal to {0}: {1} = {0} and {2} = {0}",
            problem.right,
            write_linear(1, -problem.first),
            write_linear(1, -problem.second),
        ),
        step("gets x = {0} and x = {1}", first, second),
        step("gives {0}", answer.shown),
    )


@form("algebra", (8, 11), 2)
class Simultaneous:
    """``3x + y = 10`` and ``x - y = 2``; x is asked.

    Attributes:
        first: how many x in the first equation.
        first_right: its right side.
        second: how many x in the second.
        sign: ``+`` or ``-`` before y in the second equation.
        second_right: its right side.
    """

    first: int
    first_right: int
    second: int
    sign: str
    second_right: int

    def __post_init__(self) -> None:
        if self.sign not in {"+", "-"} or min(self.first, self.second) < 1:
            raise ValueError("Both equations have x, and y with a plus or a minus.")
        if self.first == self.second and self.sign == "+":
            raise ValueError("The equations must not have the same left side.")

    @property
    def adds(self) -> bool:
        """Whether y goes by adding the equations."""
        return self.sign == "-"

    def eliminated(self, *, add: bool) -> Working | None:
        """X from the sum or the difference of the equations, as if y were gone."""
        letters = self.first + self.second if add else self.first - self.second
        right = (
            self.first_right + self.second_right if add else self.first_right - self.second_right
        )
        if not letters:
            return None
        answer = Answer.number(Fraction(right, letters))
        told = "adds the equations" if add else "takes the second equation from the first"
        left = write_term(letters)
        return by_steps(
            answer,
            step(told + ": {0} = {1}", left, right),
            step("divides {0} by {1} and gets {2}", right, letters, answer),
        )

    @property
    def x(self) -> Fraction:
        """The right x."""
        if self.adds:
            return Fraction(self.first_right + self.second_right, self.first + self.second)
        return Fraction(self.first_right - self.second_right, self.first - self.second)

    def stem(self) -> str:
        one, other = write_term(self.first), write_term(self.second)
        return (
            f"Solve {one} + y = {self.first_right} and {other} {self.sign} y = "
            f"{self.second_right}. What is x?"
        )

    def solve(self) -> Working:
        worked = self.eliminated(add=self.adds)
        assert worked is not None
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        x, y = draws.between(2, grade), draws.between(1, grade)
        first, second = draws.several(range(1, 6), 2)
        sign = draws.one(("+", "-"))
        first, second = max(first, second), min(first, second)
        right = second * x + (y if sign == "+" else -y)
        return cls(first, first * x + y, second, sign, right)


@mal_rule("AL49")
def always_subtracts(problem: Simultaneous) -> Working | None:
    """Subtracts although the signs of y differ."""
    return problem.eliminated(add=False) if problem.adds else None


@mal_rule("AL60")
def adds_the_equations(problem: Simultaneous) -> Working | None:
    """Adds although the signs of y are the same."""
    return None if problem.adds else problem.eliminated(add=True)


@mal_rule("AL61")
def fits_one_equation(problem: Simultaneous) -> Working | None:
    """The smallest whole x from 1 with which the first equation has a y from 1."""
    y = problem.first_right - problem.first
    if y < 1:
        return None
    left = f"{write_term(problem.first)} + y = {problem.first_right}"
    told = step("looks for numbers that fit {0}", left)
    return by_steps(Answer.number(1), told, step("takes y as {0} and x as {1}", y, 1))


@mal_rule("AL62")
def gives_the_other_letter(problem: Simultaneous) -> Working:
    """Y for x."""
    y = Answer.number(problem.first_right - problem.first * problem.x)
    told = step("finds x as {0}", Answer.number(problem.x))
    return by_steps(y, told, step("finds the other number and answers {0}", y), key_step=1)


@form("algebra", (9, 11), 1)
class QuadraticRoots:
    """``(x - 3)(x + 5) = 0``.

    Attributes:
        first, second: what stands behind x in the brackets; neither 0.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        if not self.first or not self.second or self.first == self.second:
            raise ValueError("Different numbers other than 0 stand behind x in the brackets.")

    def stem(self) -> str:
        left = f"({write_linear(1, self.first)})({write_linear(1, self.second)})"
        return f"Solve {left} = 0. Which values of x make it true?"

    def roots(self, one: int, other: int, wording: str) -> Working:
        """Two values of x."""
        answer = Answer.label(f"{max(one, other)}, {min(one, other)}")
        return by_steps(answer, step(wording, one, other), step("answers {0}", answer))

    def solve(self) -> Working:
        told = "makes each bracket zero with x as {0} and as {1}"
        return self.roots(-self.first, -self.second, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several(range(1, grade + 1), 2)
        return cls(one * draws.one((1, -1)), other * draws.one((1, -1)))


@mal_rule("AL47")
def roots_as_written(problem: QuadraticRoots) -> Working:
    """The numbers of the brackets with their signs."""
    return problem.roots(problem.first, problem.second, "reads {0} and {1} from the brackets")


@form("algebra", (9, 11), 1)
class SquareEqualsMultiple:
    """``x^2 = 5x``."""

    factor: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2:
            raise ValueError("The number before x is from 2 in size.")

    def stem(self) -> str:
        return f"Solve x^2 = {self.factor}x. Which values of x make it true?"

    def solve(self) -> Working:
        answer = Answer.label(f"{max(0, self.factor)}, {min(0, self.factor)}")
        told = step("takes x out of both sides: x is {0} or {1}", 0, self.factor)
        return by_steps(answer, told, step("answers {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 4 * grade) * draws.one((1, 1, -1)))


@mal_rule("AL48")
def divides_by_x(problem: SquareEqualsMultiple) -> Working:
    """Divides by x, so that one root is left."""
    answer = Answer.label(str(problem.factor))
    return by_steps(answer, step("divides both sides by x: {0}", answer))


@form("algebra", (7, 9), 1)
class IntegerSolutions:
    """How many whole numbers lie from one bound, included, to another one, left out."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.high - self.low < 2:
            raise ValueError("At least two whole numbers lie between the bounds.")

    def stem(self) -> str:
        return f"How many whole numbers n have {self.low} ≤ n < {self.high}?"

    def counted(self, first: int, last: int) -> Working:
        """The numbers from one to another, both counted."""
        answer = Answer.number(last - first + 1)
        told = step("counts from {0} to {1}", first, last)
        return by_steps(answer, told, step("gets {0}", answer))

    def solve(self) -> Working:
        return self.counted(self.low, self.high - 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        low = -draws.between(1, grade)
        return cls(low, draws.between(1, grade + 2))


@mal_rule("AL50")
def both_ends_count(problem: IntegerSolutions) -> Working:
    """The open end counts too."""
    return problem.counted(problem.low, problem.high)


@mal_rule("AL63")
def no_end_counts(problem: IntegerSolutions) -> Working:
    """The closed end is left out too."""
    return problem.counted(problem.low + 1, problem.high - 1)
