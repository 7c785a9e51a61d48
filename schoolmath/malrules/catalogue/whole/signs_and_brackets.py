"""Numbers with signs compared, taken to powers and divided; and what goes first in a chain."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra_writing import write_bracketed
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("number and operation", (5, 7), 1)
class SignedCompare:
    """Which of two numbers is larger; at least one is negative."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if self.first == self.second or min(self.first, self.second) >= 0:
            raise ValueError("The numbers are different, and one of them is negative.")

    def stem(self) -> str:
        return f"Which number is larger: {self.first} or {self.second}?"

    def solve(self) -> Worked:
        larger = max(self.first, self.second)
        told = step("looks which of {0} and {1} lies further right", self.first, self.second)
        return Worked(Answer.number(larger), (told, step("takes {0}", larger)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several(range(1, 10 * (grade - 3)), 2)
        return cls(-one, -other if draws.chance(0.7) else other)


@mal_rule("NO140")
def compares_sizes(problem: SignedCompare) -> Worked | None:
    """The one that is larger without its sign."""
    one, other = abs(problem.first), abs(problem.second)
    if one == other:
        return None
    chosen = problem.first if one > other else problem.second
    told = step("sees that {0} is more than {1}", max(one, other), min(one, other))
    return Worked(Answer.number(chosen), (told, step("takes {0}", chosen)))


@form("number and operation", (6, 7), 1)
class SignedDistance:
    """How far apart a negative and a positive number are."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if not self.low < 0 < self.high:
            raise ValueError("One number is negative and the other one positive.")

    def stem(self) -> str:
        return f"How far apart are {self.low} and {self.high}?"

    def solve(self) -> Worked:
        result = self.high - self.low
        told = step("adds {0} up to zero and {1} beyond", -self.low, self.high)
        return Worked(Answer.number(result), (told, step("gets {0}", result)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(-draws.between(1, 5 * grade), draws.between(1, 5 * grade))


@mal_rule("NO180")
def distance_of_the_sizes(problem: SignedDistance) -> Worked:
    """The difference of the sizes."""
    one, other = sorted((-problem.low, problem.high))
    told = step("takes {0} from {1} and gets {2}", one, other, other - one)
    return Worked(Answer.number(other - one), (told,))


@form("number and operation", (7, 8), 1)
class SignedPower:
    """A power of a negative number in brackets.

    Attributes:
        base: negative.
        exponent: 2 to 5.
    """

    base: int
    exponent: int

    def __post_init__(self) -> None:
        if not -100 < self.base < -1 or not 2 <= self.exponent <= 5:
            raise ValueError("The base is from -99 to -2, and the exponent from 2 to 5.")

    def stem(self) -> str:
        return f"What is ({self.base})^{self.exponent}?"

    def signed(self, sign: int, told: str) -> Worked:
        """The power of the size with a sign."""
        value = sign * abs(self.base) ** self.exponent
        return Worked(
            Answer.number(value),
            (
                step("multiplies {0} factors of {1}", self.exponent, abs(self.base)),
                step(told + " and gets {0}", value),
            ),
            1,
        )

    def solve(self) -> Worked:
        even = self.exponent % 2 == 0
        told = "pairs all minus signs" if even else "pairs the minus signs, of which one is left,"
        return self.signed(1 if even else -1, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        exponent = draws.one((2, 2, 3) if grade == 7 else (2, 3, 4))
        return cls(-draws.between(2, 20 if exponent == 2 else 9), exponent)


@mal_rule("NO141")
def the_minus_stays(problem: SignedPower) -> Worked | None:
    """Minus the power of the size."""
    if problem.exponent % 2:
        return None
    return problem.signed(-1, "keeps the minus in front")


@mal_rule("NO181")
def powers_are_positive(problem: SignedPower) -> Worked | None:
    """A plus for odd exponents as well."""
    if problem.exponent % 2 == 0:
        return None
    return problem.signed(1, "says that powers are positive")


@form("number and operation", (7, 8), 1)
class SignedQuotient:
    """A division in which one number or both are negative."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not self.first or not self.second or min(self.first, self.second) > 0:
            raise ValueError("One of the numbers is negative, and neither is 0.")

    def stem(self) -> str:
        return f"What is ({self.first}) ÷ {write_bracketed(self.second)}?"

    def signed(self, sign: int, told: str) -> Worked:
        """The quotient of the sizes with a sign."""
        size = Fraction(abs(self.first), abs(self.second))
        answer = plain(sign * size)
        first = step("divides {0} by {1}: {2}", abs(self.first), abs(self.second), plain(size))
        return Worked(answer, (first, step(told + " and gets {0}", answer)), 1)

    def solve(self) -> Worked:
        same = (self.first < 0) == (self.second < 0)
        return self.signed(
            1 if same else -1, "sees equal signs" if same else "sees different signs"
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor, times = draws.between(2, 9), draws.between(2, 6 + grade)
        if draws.chance(0.3):
            return cls(-divisor * times, -divisor)
        return cls(-divisor * times, divisor)


@mal_rule("NO182")
def divides_the_sizes(problem: SignedQuotient) -> Worked | None:
    """No minus in the quotient."""
    if problem.second < 0:
        return None
    return problem.signed(1, "reads the sizes only")


@form("number and operation", (5, 7), 1)
class BracketProduct:
    """A number times a sum in brackets."""

    factor: int
    first: int
    second: int

    def __post_init__(self) -> None:
        if self.factor < 2 or self.first < 1 or self.second < 1:
            raise ValueError("The factor is from 2, and the numbers in the bracket from 1.")

    def stem(self) -> str:
        return f"What is {self.factor} × ({self.first} + {self.second})?"

    def solve(self) -> Worked:
        inside = self.first + self.second
        return Worked(
            Answer.number(self.factor * inside),
            (
                step("adds {0} and {1} first: {2}", self.first, self.second, inside),
                step("multiplies {0} by {1}: {2}", self.factor, inside, self.factor * inside),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 9), *draws.several(range(2, 4 * grade), 2))


@mal_rule("NO142")
def brackets_not_seen(problem: BracketProduct) -> Worked:
    """Worked as if there were no brackets."""
    product = problem.factor * problem.first
    return Worked(
        Answer.number(product + problem.second),
        (
            step("multiplies {0} by {1} first: {2}", problem.factor, problem.first, product),
            step("adds {0} and gets {1}", problem.second, product + problem.second),
        ),
    )


@form("number and operation", (5, 7), 1)
class QuotientChain:
    """Two divisions one after the other."""

    first: int
    second: int
    third: int

    def __post_init__(self) -> None:
        if min(self.first, self.second, self.third) < 2:
            raise ValueError("All three numbers are from 2.")

    def stem(self) -> str:
        return f"What is {self.first} ÷ {self.second} ÷ {self.third}?"

    def solve(self) -> Worked:
        middle = plain(Fraction(self.first, self.second))
        answer = plain(Fraction(self.first, self.second * self.third))
        return Worked(
            answer,
            (
                step("divides {0} by {1} first: {2}", self.first, self.second, middle),
                step("divides {0} by {1}: {2}", middle, self.third, answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        third = draws.between(2, 4)
        second = third * draws.between(2, 4)
        return cls(second * third * draws.between(1, grade), second, third)


@mal_rule("NO143")
def from_right_to_left(problem: QuotientChain) -> Worked:
    """The last division first."""
    middle = Fraction(problem.second, problem.third)
    answer = plain(problem.first / middle)
    return Worked(
        answer,
        (
            step("divides {0} by {1} first: {2}", problem.second, problem.third, plain(middle)),
            step("divides {0} by {1}: {2}", problem.first, plain(middle), answer),
        ),
    )


@form("number and operation", (5, 7), 1)
class SquaredSum:
    """The square of a sum in brackets."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if min(self.first, self.second) < 1:
            raise ValueError("Both numbers are from 1.")

    def stem(self) -> str:
        return f"What is ({self.first} + {self.second})^2?"

    def solve(self) -> Worked:
        inside = self.first + self.second
        return Worked(
            Answer.number(inside**2),
            (
                step("adds {0} and {1} first: {2}", self.first, self.second, inside),
                step("multiplies {0} by itself: {1}", inside, inside**2),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, grade + 3), draws.between(2, grade + 3))


@mal_rule("NO183")
def power_takes_the_last(problem: SquaredSum) -> Worked:
    """Only the number beside the power is squared."""
    square = problem.second**2
    return Worked(
        Answer.number(problem.first + square),
        (
            step("multiplies {0} by itself: {1}", problem.second, square),
            step("adds {0} and gets {1}", problem.first, problem.first + square),
        ),
    )
