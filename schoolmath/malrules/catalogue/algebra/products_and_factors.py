"""Two brackets multiplied, expressions in factors, and powers of letters."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, isqrt
from typing import Self

from schoolmath.malrules.answers import (
    Answer,
    Step,
    Working,
    by_steps,
    step,
    write_polynomial,
    write_power,
)
from schoolmath.malrules.catalogue.algebra.like_terms_and_brackets import LinearProduct
from schoolmath.malrules.catalogue.numbers.powers_and_roots import PowerProduct
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


@form("algebra", (8, 10), 1)
class LetterPowerSum:
    """``x^3 + x^4``, which cannot be written shorter."""

    one: int
    other: int

    def __post_init__(self) -> None:
        if min(self.one, self.other) < 2 or self.one == self.other:
            raise ValueError("Two different powers from the second on are added.")

    def stem(self) -> str:
        return f"Simplify x^{self.one} + x^{self.other}."

    def solve(self) -> Working:
        answer = Answer.label(f"x^{self.one} + x^{self.other}")
        told = step("sees different powers, {0} and {1}", self.one, self.other)
        return by_steps(answer, told, step("keeps {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*draws.several(range(2, grade + 3), 2))


@mal_rule("AL36")
def adds_exponents_in_a_sum(problem: LetterPowerSum) -> Working:
    """x^(a+b) for x^a + x^b."""
    answer = Answer.label(write_power(problem.one + problem.other))
    told = step("adds {0} and {1}: {2}", problem.one, problem.other, answer)
    return by_steps(answer, told)


@form("algebra", (8, 10), 1)
class PowerOfTerm:
    """``(2x^3)^2``; typed ones may have x alone in the bracket."""

    number: int
    inner: int
    outer: int

    def __post_init__(self) -> None:
        if min(self.number, self.outer) < 2 or self.inner < 1 or self.outer > 6:
            raise ValueError("A number from 2 stands before a power, all of it to a power to 6.")

    def stem(self) -> str:
        return f"Simplify ({self.number}{write_power(self.inner)})^{self.outer}."

    def written(self, number: int, wording: str) -> Working:
        """A number before the power of a power."""
        answer = Answer.label(f"{number}{write_power(self.inner * self.outer)}")
        first = step("multiplies {0} by {1} for x", self.inner, self.outer)
        return by_steps(answer, first, step(wording + ": {1}", self.number, answer), key_step=1)

    def solve(self) -> Working:
        return self.written(self.number**self.outer, "takes {0} to the power too")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 5), draws.between(2, grade - 3), draws.between(2, 3))


@mal_rule("AL71")
def number_left_out_of_the_power(problem: PowerOfTerm) -> Working:
    """Powers the letter only."""
    return problem.written(problem.number, "writes {0} in front")


@form("algebra", (8, 10), 1)
class TermProduct:
    """``3x^2 × 4x^3``; typed ones may have x alone."""

    first: int
    one: int
    second: int
    other: int

    def __post_init__(self) -> None:
        if min(self.first, self.second) < 2 or min(self.one, self.other) < 1:
            raise ValueError("Numbers are from 2 and exponents from 1.")

    def stem(self) -> str:
        first, second = (
            f"{number}{write_power(exponent)}"
            for number, exponent in ((self.first, self.one), (self.second, self.other))
        )
        return f"Simplify {first} × {second}."

    def written(self, number: int, wording: str) -> Working:
        """A number before the product of the powers."""
        answer = Answer.label(f"{number}{write_power(self.one + self.other)}")
        first = step("adds {0} and {1} for x", self.one, self.other)
        return by_steps(
            answer, first, step(wording + ": {2}", self.first, self.second, answer), key_step=1
        )

    def solve(self) -> Working:
        return self.written(self.first * self.second, "multiplies {0} by {1} for the number")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        numbers = draws.several(range(2, 8), 2)
        powers = draws.several(range(2, grade), 2)
        return cls(numbers[0], powers[0], numbers[1], powers[1])


@mal_rule("AL72")
def adds_the_numbers_in_front(problem: TermProduct) -> Working:
    """Adds numbers and exponents."""
    return problem.written(problem.first + problem.second, "adds {0} and {1} for the number")


@form("algebra", (8, 10), 1)
class ExponentLaws:
    """``(x^3)^2 * x^4 / x^2``, or a part of it.

    Attributes:
        inner: exponent of the first power; 2 or more.
        outer: the power it is raised to; 1 for none.
        times: exponent of the power it is multiplied by; 0 for none.
        over: exponent of the power it is divided by; 0 for none.
    """

    inner: int
    outer: int = 1
    times: int = 0
    over: int = 0

    def __post_init__(self) -> None:
        if self.inner < 2 or self.outer < 1 or self.times < 0 or self.over < 0:
            raise ValueError("The exponents must be whole numbers, and the first one 2 or more.")
        if (self.outer, self.times, self.over) == (1, 0, 0):
            raise ValueError("There is nothing to simplify in one power.")

    def stem(self) -> str:
        text = write_power(self.inner)
        if self.outer > 1:
            text = f"({text})^{self.outer}"
        if self.times:
            text += f" * {write_power(self.times)}"
        if self.over:
            text += f" / {write_power(self.over)}"
        return f"Write {text} as one power of x."

    def solve(self) -> Working:
        return self.simplified()

    def simplified(self, wrong: str = "") -> Working:
        """The way to one power, with one law wrong: ``outer``, ``times``, ``over`` or none."""
        exponent = Fraction(self.inner)
        steps: list[Step] = []
        place = 0
        for law, number in (("outer", self.outer), ("times", self.times), ("over", self.over)):
            if number == (1 if law == "outer" else 0):
                continue
            if law == wrong:
                place = len(steps)
            words, result = _LAWS[law, law == wrong]
            before, exponent = exponent, result(exponent, number)
            steps.append(step(words, before, number, exponent))
        answer = Answer.power(exponent)
        return by_steps(answer, *steps, step("writes {0}", answer.shown), key_step=place)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        over = draws.between(2, 3 if grade == 8 else 5)
        inner, outer = draws.between(2, 9), draws.between(2, 5)
        # So that the exponents can be divided: a quotient that a pupil would write down.
        rest = -inner * outer % over
        return cls(inner, outer, rest + over * draws.between(0 if rest > 1 else 1, 3), over)


# By law, right and wrong: the clause, and what becomes of the exponents.
_LAWS: dict[tuple[str, bool], tuple[str, Callable[[Fraction, int], Fraction]]] = {
    ("outer", False): (
        "multiplies the exponents {0} and {1} of the power of a power: {2}",
        lambda exponent, number: exponent * number,
    ),
    ("outer", True): (
        "adds the exponents {0} and {1} of the power of a power: {2}",
        lambda exponent, number: exponent + number,
    ),
    ("times", False): (
        "adds the exponents {0} and {1} of the product: {2}",
        lambda exponent, number: exponent + number,
    ),
    ("times", True): (
        "multiplies the exponents {0} and {1} of the product: {2}",
        lambda exponent, number: exponent * number,
    ),
    ("over", False): (
        "subtracts the exponents of the quotient, {0} minus {1}: {2}",
        lambda exponent, number: exponent - number,
    ),
    ("over", True): (
        "divides the exponents of the quotient, {0} by {1}: {2}",
        lambda exponent, number: exponent / number,
    ),
}


@mal_rule("AL26")
def multiplies_exponents(problem: ExponentLaws | TermProduct | PowerProduct) -> Working | None:
    """Multiplies where exponents are added."""
    if isinstance(problem, PowerProduct):
        power = Answer.label(f"{problem.base}^{problem.one * problem.other}")
        return by_steps(
            power, step("multiplies {0} by {1}: {2}", problem.one, problem.other, power)
        )
    if isinstance(problem, TermProduct):
        exponent = problem.one * problem.other
        answer = Answer.label(f"{problem.first * problem.second}{write_power(exponent)}")
        return by_steps(
            answer,
            step("multiplies {0} by {1} for x", problem.one, problem.other),
            step(
                "multiplies {0} by {1} for the number: {2}", problem.first, problem.second, answer
            ),
        )
    return problem.simplified("times") if problem.times else None


@mal_rule("AL27")
def adds_exponents(problem: ExponentLaws) -> Working | None:
    """Adds where exponents are multiplied."""
    return problem.simplified("outer") if problem.outer > 1 else None


@mal_rule("AL28")
def divides_exponents(problem: ExponentLaws) -> Working | None:
    """Divides where exponents are subtracted."""
    return problem.simplified("over") if problem.over else None
