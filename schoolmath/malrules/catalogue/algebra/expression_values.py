"""The value of an expression, a function, an algebraic fraction or a power for a number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step, write_terms
from schoolmath.malrules.catalogue.writing import write_linear, write_next, write_term
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (6, 8), 1)
class ExpressionValue:
    """``3x + 4`` worked out for a number.

    Attributes:
        factor: how many x; at least 2.
        constant: what is added; may be 0 or negative.
        x: the number for x, 0 or more.
    """

    factor: int
    constant: int
    x: int

    def __post_init__(self) -> None:
        _check(self.factor, self.x)

    def stem(self) -> str:
        text = write_linear(self.factor, self.constant)
        return f"What is the value of {text} when x = {self.x}?"

    def solve(self) -> Working:
        return _worked_out(self.factor, self.constant, self.x)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        constant = draws.between(2, 9)
        if grade >= 7 and draws.chance(0.4):
            constant = -constant
        return cls(draws.between(2, 9), constant, draws.between(3, 4 + grade))


@form("algebra", (6, 8), 1)
class TwoLetterValue:
    """``3a - 2b`` worked out for two numbers.

    Attributes:
        factors: how many of each letter, the second negative where it is taken away.
        letters: the two letters.
        values: the number for each, 0 or more.
    """

    factors: tuple[int, int]
    letters: tuple[str, str]
    values: tuple[int, int]

    def __post_init__(self) -> None:
        if self.factors[0] < 1 or not self.factors[1] or min(self.values) < 0:
            raise ValueError("Both letters have a number in front, and stand for 0 or more.")
        if self.letters[0] == self.letters[1]:
            raise ValueError("The letters are different.")

    def stem(self) -> str:
        text = write_terms(zip(self.letters, self.factors, strict=True))
        (one, other), (first, second) = self.letters, self.values
        return f"What is the value of {text} when {one} = {first} and {other} = {second}?"

    def taken_together(self, read: Callable[[int, int], int], idea: Step) -> Working:
        """The sum or difference, each term read from its number in front and its value."""
        one, other = (
            read(abs(factor), value)
            for factor, value in zip(self.factors, self.values, strict=True)
        )
        minus = self.factors[1] < 0
        answer = Answer.number(one - other if minus else one + other)
        words = "takes {1} from {0} and gets {2}" if minus else "adds {0} and {1} and gets {2}"
        return by_steps(answer, idea, step(words, one, other, answer))

    def solve(self) -> Working:
        idea = step("multiplies {0} and {1} by the numbers in front", *self.values)
        return self.taken_together(lambda factor, value: factor * value, idea)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factors = draws.between(2, 9), draws.between(2, grade) * draws.one((1, -1))
        values = draws.between(2, grade), draws.between(2, 9)
        return cls(factors, draws.one((("a", "b"), ("x", "y"), ("m", "n"))), values)


@form("algebra", (8, 10), 1)
class FunctionValue:
    """``f(x) = 2x + 3``; what is ``f(4)``?

    Attributes:
        factor: how many x; at least 2.
        constant: what is added; not 0.
        x: the number in the bracket, 0 or more.
    """

    factor: int
    constant: int
    x: int

    def __post_init__(self) -> None:
        _check(self.factor, self.x)
        if self.constant == 0:
            raise ValueError("The function needs a constant other than 0.")

    def stem(self) -> str:
        text = write_linear(self.factor, self.constant)
        return f"A function is given by f(x) = {text}. What is f({self.x})?"

    def solve(self) -> Working:
        return _worked_out(self.factor, self.constant, self.x)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        constant = draws.between(2, 12) * draws.one((1, 1, -1))
        return cls(draws.between(2, 9), constant, draws.between(2, grade + 3))


def _check(factor: int, x: int) -> None:
    if factor < 2 or x < 0:
        raise ValueError("The factor of x is 2 or more and the number for x 0 or more.")


def _worked_out(factor: int, constant: int, x: int) -> Working:
    product = factor * x
    steps = [step("puts {0} for x and multiplies {1} by {0}: {2}", x, factor, product)]
    if constant:
        steps.append(
            step(
                "works out {0} {1} and gets {2}",
                *(product, write_next(constant), product + constant),
            )
        )
    return Working(Answer.number(product + constant), tuple(steps))


@mal_rule("AL24")
def function_sign_as_factor(problem: FunctionValue) -> Working | None:
    """Takes f for a number that is multiplied by what stands in the bracket."""
    product = problem.factor * problem.x
    return by_steps(
        Answer.number(product),
        step("reads f({0}) as f times {0} and takes {1} for f", problem.x, problem.factor),
        step("multiplies {0} by {1} and gets {2}", problem.factor, problem.x, product),
    )


@form("algebra", (9, 11), 1)
class FractionValue:
    """``(x + 6)/6`` worked out for a number.

    Attributes:
        factor: how many x on top; 1 or more.
        constant: what is added on top; not 0.
        divisor: what stands below; 2 or more.
        x: the number for x, 0 or more.
    """

    factor: int
    constant: int
    divisor: int
    x: int

    def __post_init__(self) -> None:
        if self.factor < 1 or self.constant == 0 or self.divisor < 2 or self.x < 0:
            raise ValueError(
                "A fraction needs a factor of 1 or more, a constant other than 0, a divisor of "
                "2 or more and an x of 0 or more."
            )

    def stem(self) -> str:
        text = f"({write_linear(self.factor, self.constant)})/{self.divisor}"
        return f"What is the value of {text} when x = {self.x}?"

    @property
    def product(self) -> int:
        """The first term on top."""
        return self.factor * self.x

    def solve(self) -> Working:
        top = self.product + self.constant
        value = Fraction(top, self.divisor)
        return by_steps(
            Answer.number(value),
            step("puts {0} for x and works out the whole top: {1}", self.x, top),
            step("divides the top {0} by {1} and gets {2}", top, self.divisor, value),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor, factor = draws.between(2, 12), draws.between(1 if grade == 9 else 2, 6)
        # So that the top can be divided.
        x = divisor // gcd(divisor, factor) * draws.between(2, 6)
        return cls(factor, divisor, divisor, x)


@mal_rule("AL30")
def cancels_terms(problem: FractionValue) -> Working | None:
    """Strikes out a number that is added on top against the same number below."""
    if problem.constant != problem.divisor:
        return None
    term = write_term(problem.factor)
    steps = [
        step(
            "strikes out the {0} that is added on top and the {0} below: {1}",
            *(problem.divisor, term),
        )
    ]
    if problem.factor == 1:
        steps.append(step("puts {0} for x: {0}", problem.x))
    else:
        steps.append(step("puts {0} for x in {1} and gets {2}", problem.x, term, problem.product))
    return Working(Answer.number(problem.product), tuple(steps))


def divided_in_part(problem: FractionValue) -> tuple[Working, ...]:
    """Each way to divide only one of the two terms on top."""
    first = Fraction(problem.product, problem.divisor)
    second = Fraction(problem.constant, problem.divisor)
    ways = [
        by_steps(
            Answer.number(first + problem.constant),
            step(
                "divides the first term on top, {0}, by {1}: {2}",
                *(problem.product, problem.divisor, first),
            ),
            step(
                "works out {0} {1} and gets {2}",
                *(first, write_next(problem.constant), first + problem.constant),
            ),
        )
    ]
    if second.denominator == 1 and problem.product != problem.constant:
        ways.append(
            by_steps(
                Answer.number(problem.product + second),
                step(
                    "divides the second term on top, {0}, by {1}: {2}",
                    *(problem.constant, problem.divisor, second),
                ),
                step(
                    "works out {0} {1} and gets {2}",
                    *(problem.product, write_next(second), problem.product + second),
                ),
            )
        )
    return tuple(ways)


@form("algebra", (7, 10), 1)
class PowerValue:
    """``2x^3`` or ``2(x + 3)^2`` worked out for a number.

    Attributes:
        factor: in front; 1 or more.
        constant: what is added to x before the power is taken; 0 for none.
        exponent: 2 or more.
        x: the number for x, 1 or more.
    """

    factor: int
    constant: int
    exponent: int
    x: int

    def __post_init__(self) -> None:
        if self.factor < 1 or self.constant < 0 or self.exponent < 2 or self.x < 1:
            raise ValueError(
                "A power needs a factor and an x of 1 or more, a constant of 0 or more and an "
                "exponent of 2 or more."
            )

    def stem(self) -> str:
        return f"What is the value of {self.text} when x = {self.x}?"

    @property
    def text(self) -> str:
        """The expression."""
        base = f"({write_linear(1, self.constant)})" if self.constant else "x"
        return f"{'' if self.factor == 1 else self.factor}{base}^{self.exponent}"

    @property
    def base(self) -> int:
        """The number whose power is taken."""
        return self.x + self.constant

    @property
    def power(self) -> int:
        """The power without the factor."""
        return int(self.base**self.exponent)

    def solve(self) -> Working:
        steps = []
        if self.constant:
            steps.append(step("adds {0} and {1} first: {2}", self.x, self.constant, self.base))
        steps.append(
            step("raises {0} to the power {1} and gets {2}", self.base, self.exponent, self.power)
        )
        value = self.factor * self.power
        if self.factor != 1:
            steps.append(step("multiplies {0} by {1} and gets {2}", self.factor, self.power, value))
        return Working(Answer.number(value), tuple(steps), key_step=1 if self.constant else 0)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor = draws.between(2, 6)
        if grade >= 8 and draws.chance(0.6):
            return cls(factor, draws.between(1, 7), 2, draws.between(1, 6))
        exponent = draws.between(2, 3)
        return cls(factor, 0, exponent, draws.between(2, 10 if exponent == 2 else 6))


@mal_rule("AL104")
def divides_the_last_term(problem: FractionValue) -> Working | None:
    """(x + 5)/2 is x + 5/2: the line below the top is read as a division of what is nearest."""
    last = Fraction(problem.constant, problem.divisor)
    value = problem.product + last
    return by_steps(
        Answer.number(value),
        step("divides {0} by {1}: {2}", problem.constant, problem.divisor, last),
        step("adds {0} and gets {1}", problem.product, value),
    )
