"""Two brackets multiplied, and expressions in factors."""

from __future__ import annotations

from math import gcd, isqrt
from typing import Self

from schoolmath.malrules.answers import (
    Answer,
    Working,
    by_steps,
    step,
    write_polynomial,
)
from schoolmath.malrules.catalogue.algebra.like_terms_and_brackets import LinearProduct
from schoolmath.malrules.catalogue.writing import write_linear
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (8, 10), 1)
class DoubleBracket:
    """``(x + 3)(x + 4)``, to be expanded.

    Attributes:
        first, second: what stands behind x; neither 0.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        if not self.first or not self.second:
            raise ValueError("The brackets have two terms each.")

    @property
    def brackets(self) -> tuple[str, str]:
        """What stands in them."""
        return write_linear(1, self.first), write_linear(1, self.second)

    def stem(self) -> str:
        return f"Expand ({self.brackets[0]})({self.brackets[1]})."

    def expanded(self, *terms: int, wording: str, numbers: tuple[object, ...]) -> Working:
        """A polynomial from its constant upwards, and how it comes about."""
        answer = Answer.polynomial(terms)
        return by_steps(answer, step(wording, *numbers), step("writes {0}", answer))

    def solve(self) -> Working:
        total, product = self.first + self.second, self.first * self.second
        told = "adds {0} and {1} for x, and multiplies them for the number: {2}, {3}"
        numbers = (self.first, self.second, total, product)
        return self.expanded(product, total, 1, wording=told, numbers=numbers)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several(range(1, grade + 1), 2)
        return cls(one * draws.one((1, 1, -1)), other * draws.one((1, 1, -1)))


@mal_rule("AL45")
def firsts_and_lasts_only(
    problem: DoubleBracket | LinearProduct,
) -> Working | tuple[Working, ...] | None:
    """X^2 + ab; (x - a)^2 as x^2 - a^2 too."""
    if isinstance(problem, LinearProduct):
        if problem.has_one_term:
            return None
        told = "multiplies the first terms with each other, and the last ones"
        last = problem.constant * problem.second_constant
        found = problem.with_middle(last, 0, told)
        if last > 0 > problem.constant and problem.is_square:
            squared = "squares both terms and keeps the minus between them"
            return found, problem.with_middle(-last, 0, squared)
        return found
    if problem.first + problem.second == 0:
        return None
    product = problem.first * problem.second
    told = "multiplies x by x, and {0} by {1}: {2}"
    numbers = (problem.first, problem.second, product)
    return problem.expanded(product, 0, 1, wording=told, numbers=numbers)


@mal_rule("AL64")
def adds_the_numbers_at_the_end(problem: DoubleBracket) -> Working:
    """x^2 + (a+b)x + (a+b)."""
    total = problem.first + problem.second
    told = "adds {0} and {1} for x and for the number: {2}"
    numbers = (problem.first, problem.second, total)
    return problem.expanded(total, total, 1, wording=told, numbers=numbers)


@mal_rule("AL65")
def minus_times_minus_is_minus(problem: DoubleBracket) -> Working | None:
    """The number gets a minus where both are negative."""
    if problem.first > 0 or problem.second > 0:
        return None
    total, product = problem.first + problem.second, -problem.first * problem.second
    told = "adds {0} and {1} for x, and takes minus times minus as minus: {2}, {3}"
    numbers = (problem.first, problem.second, total, product)
    return problem.expanded(product, total, 1, wording=told, numbers=numbers)


@mal_rule("AL66")
def adds_everything(problem: DoubleBracket) -> Working:
    """2x + a + b."""
    total = problem.first + problem.second
    told = "adds the brackets: x and x, {0} and {1}"
    return problem.expanded(total, 2, wording=told, numbers=(problem.first, problem.second))


@form("algebra", (8, 10), 1)
class CommonFactorOut:
    """``6x + 9``, to be factorised.

    Attributes:
        letters: how many x.
        constant: what is added.
    """

    letters: int
    constant: int

    def __post_init__(self) -> None:
        if self.letters < 2 or self.constant == 0 or self.shared == 1:
            raise ValueError("Both terms share a factor from 2.")

    @property
    def shared(self) -> int:
        """The highest common factor."""
        return gcd(self.letters, self.constant)

    def stem(self) -> str:
        return f"Factorise {write_linear(self.letters, self.constant)}."

    def bracket(self, constant: int, wording: str) -> Working:
        """The factor in front of a bracket."""
        inside = write_linear(self.letters // self.shared, constant)
        answer = Answer.label(f"{self.shared}({inside})")
        first = step("finds the factor {0}", self.shared)
        last = step(wording + " and writes {1}", self.shared, answer)
        return by_steps(answer, first, last, key_step=1)

    def solve(self) -> Working:
        return self.bracket(self.constant // self.shared, "divides both terms by {0}")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        shared = draws.between(2, grade)
        one, other = draws.one(((1, 2), (2, 3), (3, 2), (2, 5), (3, 4), (4, 3), (5, 3), (1, 3)))
        return cls(shared * one, shared * other * draws.one((1, 1, -1)))


@mal_rule("AL46")
def divides_the_first_term_only(problem: CommonFactorOut) -> Working:
    """The second term stays."""
    return problem.bracket(problem.constant, "divides the term in x by {0}")


@form("algebra", (8, 10), 1)
class DifferenceOfSquares:
    """``x^2 - 9``, to be factorised.

    Attributes:
        root: of the number that is taken away.
    """

    root: int

    def __post_init__(self) -> None:
        if self.root < 2:
            raise ValueError("The number is a square from 4.")

    def stem(self) -> str:
        return f"Factorise x^2 - {self.root**2}."

    def solve(self) -> Working:
        answer = Answer.label(f"(x + {self.root})(x - {self.root})")
        told = step("takes the root of {0}: {1}", self.root**2, self.root)
        return by_steps(answer, told, step("writes it with both signs: {0}", answer), key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 20 + 2 * grade))


@mal_rule("AL67")
def same_sign_twice(problem: DifferenceOfSquares) -> Working:
    """(x - a)(x - a)."""
    answer = Answer.label(f"(x - {problem.root})(x - {problem.root})")
    told = step("takes the root of {0}: {1}", problem.root**2, problem.root)
    return by_steps(answer, told, step("writes it with a minus in both: {0}", answer), key_step=1)


@mal_rule("AL68")
def the_number_in_both(problem: DifferenceOfSquares) -> Working:
    """(x + 9)(x - 9) for x^2 - 9."""
    number = problem.root**2
    answer = Answer.label(f"(x + {number})(x - {number})")
    told = step("takes the number {0}", number)
    return by_steps(answer, told, step("writes it with both signs: {0}", answer))


_LARGEST_LAST = 10_000


@form("algebra", (8, 10), 1)
class FactoriseQuadratic:
    """``x^2 - 7x + 12``, to be factorised; drawn ones have two numbers of one sign.

    Attributes:
        middle: of x.
        last: not 0.
    """

    middle: int
    last: int

    def __post_init__(self) -> None:
        check_that(0 < abs(self.last) <= _LARGEST_LAST, "The last number is not 0, and not large.")
        check_that(self.pair is not None, "Two whole numbers have this sum and this product.")

    @property
    def pair(self) -> tuple[int, int] | None:
        """The two numbers, the one of the smaller size first."""
        sizes = range(1, isqrt(abs(self.last)) + 1)
        numbers = (sign * n for n in sizes for sign in (1, -1) if self.last % n == 0)
        fits = ((n, self.last // n) for n in numbers if n + self.last // n == self.middle)
        return next(fits, None)

    def stem(self) -> str:
        return f"Factorise {write_polynomial((self.last, self.middle, 1))}."

    def written(self, one: int, other: int, wording: str) -> Working:
        """Two brackets with these numbers."""
        answer = Answer.label(f"({write_linear(1, one)})({write_linear(1, other)})")
        first = step("looks for two numbers with the product {0}", self.last)
        return by_steps(
            answer, first, step(wording, one, other), step("writes {0}", answer), key_step=1
        )

    def solve(self) -> Working:
        told = "takes {0} and {1}, which add up to the number before x"
        return self.written(*(self.pair or (1, 1)), told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.one(((1, 6), (2, 6), (3, 4), (2, 3), (3, 8), (4, 6), (2, 9), (3, 6),
                                (2, 8), (4, 5), (2, 10), (5, 6), (3, 10), (4, 9), (2, 12),
                                (1, 12), (1, 8), (3, 5), (2, 4), (6, 8)))  # fmt: skip
        scale = 1 if grade < 9 else draws.one((1, 1, 2))
        sign = draws.one((1, 1, -1, -1))
        return cls(sign * scale * (one + other), scale * scale * one * other)


@mal_rule("AL69")
def plus_for_minus(problem: FactoriseQuadratic) -> Working | None:
    """A plus in both brackets."""
    if problem.pair is None or min(problem.pair) > 0:
        return None
    one, other = map(abs, problem.pair)
    return problem.written(one, other, wording="takes {0} and {1} with plus in both brackets")


@mal_rule("AL70")
def any_pair_with_the_product(problem: FactoriseQuadratic) -> Working | None:
    """The pair with the next smaller first number that multiplies to the last one."""
    one, _other = problem.pair or (1, 1)
    lower = [n for n in range(2, one) if problem.last % n == 0]
    if not lower or problem.middle < 0 or problem.last < 0:
        return None
    told = "takes {0} and {1}, which multiply to it"
    return problem.written(lower[-1], problem.last // lower[-1], told)
