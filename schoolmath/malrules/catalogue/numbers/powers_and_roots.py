"""Powers, products of powers, powers with fractions, and roots."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.numbers.order_of_operations import (
    RIGHT_ORDER,
    ArithmeticExpression,
    PowerInChain,
    with_powers_as_products,
)
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("number and operation", (8, 9), 1)
class PowerProduct:
    """Two powers of one number, multiplied; the answer is one power.

    Attributes:
        base: of both.
        one, other: the exponents.
    """

    base: int
    one: int
    other: int

    def __post_init__(self) -> None:
        if self.base < 2 or min(self.one, self.other) < 2 or max(self.one, self.other) > 40:
            raise ValueError("The base is from 2 and the exponents from 2 to 40.")

    def stem(self) -> str:
        return f"Write {self.base}^{self.one} × {self.base}^{self.other} as one power."

    def solve(self) -> Working:
        answer = Answer.label(f"{self.base}^{self.one + self.other}")
        told = step("counts {0} and {1} factors of {2}", self.one, self.other, self.base)
        return by_steps(answer, told, step("writes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 10), *draws.several(range(2, grade + 1), 2))


@mal_rule("NO153")
def multiplies_the_bases(problem: PowerProduct) -> Working:
    """(a·b)^(x+y)."""
    base = problem.base**2
    answer = Answer.label(f"{base}^{problem.one + problem.other}")
    return by_steps(
        answer,
        step("multiplies {0} by {0} and gets {1} below", problem.base, base),
        step("adds {0} and {1}: {2}", problem.one, problem.other, answer),
    )


@form("number and operation", (8, 11), 1)
class FractionalPower:
    """A number to the power of a half or a third, with a whole answer.

    Attributes:
        number: a square or a cube.
        root: 2 or 3.
    """

    number: int
    root: int

    def __post_init__(self) -> None:
        if self.root not in (2, 3) or self.value**self.root != self.number or self.number < 4:
            raise ValueError("The number is a square from 4, or a cube from 8.")

    @property
    def value(self) -> int:
        """The root."""
        return next(n for n in range(self.number + 2) if n**self.root >= self.number)

    def stem(self) -> str:
        return f"What is {self.number}^(1/{self.root})?"

    def solve(self) -> Working:
        told = step("looks for what gives {0} with {1} equal factors", self.number, self.root)
        return by_steps(Answer.number(self.value), told, step("finds {0}", self.value))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        root = 2 if draws.chance(0.7) else 3
        return cls(draws.between(3, 4 * grade if root == 2 else 12) ** root, root)


@mal_rule("NO154")
def multiplies_by_the_exponent(problem: FractionalPower) -> Working:
    """The fraction of the number."""
    answer = plain(Fraction(problem.number, problem.root))
    told = step("takes {0} of {1} and gets {2}", f"1/{problem.root}", problem.number, answer)
    return by_steps(answer, told)


@form("number and operation", (7, 9), 1)
class CubeRoot:
    """The cube root of a cube."""

    number: int

    def __post_init__(self) -> None:
        if self.number < 8 or self.root**3 != self.number:
            raise ValueError("The number is a cube from 8.")

    @property
    def root(self) -> int:
        """The cube root."""
        return next(n for n in range(self.number + 2) if n**3 >= self.number)

    def stem(self) -> str:
        return f"What is the cube root of {self.number}?"

    def solve(self) -> Working:
        told = step("looks for what gives {0} with {1} equal factors", self.number, 3)
        return by_steps(Answer.number(self.root), told, step("finds {0}", self.root))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 30 + grade) ** 3)


@mal_rule("NO202")
def cube_root_is_a_third(problem: CubeRoot) -> Working:
    """Divides by 3."""
    answer = plain(Fraction(problem.number, 3))
    return by_steps(answer, step("divides {0} by {1} and gets {2}", problem.number, 3, answer))


@form("number and operation", (9, 11), 1)
class Surd:
    """A root of a number with a square factor."""

    number: int

    def __post_init__(self) -> None:
        if self.number > 100_000 or self.square == 1 or self.square == self.number:
            raise ValueError("The number has a square factor from 4 and is no square.")

    @property
    def square(self) -> int:
        """The largest square that divides the number."""
        sizes = range(isqrt(max(1, self.number)), 0, -1)
        return next(each * each for each in sizes if self.number % (each * each) == 0)

    def stem(self) -> str:
        return f"Simplify √{self.number}."

    def outside(self, factor: int, wording: str) -> Working:
        """The rest under the root with a number in front."""
        rest = self.number // self.square
        answer = Answer.label(f"{factor}√{rest}")
        split = step("writes {0} as {1} × {2}", self.number, self.square, rest)
        return by_steps(
            answer, split, step(wording + " and writes {1}", self.square, answer), key_step=1
        )

    def solve(self) -> Working:
        return self.outside(isqrt(self.square), "takes the root of {0}")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        rest = draws.one((2, 3, 5, 6, 7, 10, 11))
        return cls(draws.between(2, grade) ** 2 * rest)


@mal_rule("NO156")
def square_factor_stays(problem: Surd) -> Working:
    """The square factor in front as it is."""
    return problem.outside(problem.square, "takes {0} to the front")


@form("number and operation", (9, 11), 1)
class SurdDifference:
    """A multiple of a root less the root itself."""

    times: int
    number: int

    def __post_init__(self) -> None:
        if self.times < 3 or self.number < 2 or isqrt(self.number) ** 2 == self.number:
            raise ValueError("Three or more roots of a number that is no square.")

    def stem(self) -> str:
        return f"What is {self.times}√{self.number} - √{self.number}?"

    def solve(self) -> Working:
        answer = Answer.label(f"{self.times - 1}√{self.number}")
        told = step("takes one of {0} such roots away", self.times)
        return by_steps(answer, told, step("writes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(3, grade + 3), draws.one((2, 3, 5, 6, 7, 10)))


@mal_rule("NO203")
def takes_the_root_away(problem: SurdDifference) -> Working:
    """5√2 - √2 is 5."""
    answer = Answer.label(str(problem.times))
    told = step("takes √{0} off {1}: {2}", problem.number, f"{problem.times}√{problem.number}",
                answer)  # fmt: skip
    return by_steps(answer, told)


@form("number and operation", (9, 11), 1)
class SurdTimes:
    """A whole number times a root."""

    times: int
    number: int

    def __post_init__(self) -> None:
        if self.times < 2 or self.number < 2 or isqrt(self.number) ** 2 == self.number:
            raise ValueError("A number from 2 times the root of a number that is no square.")

    def stem(self) -> str:
        return f"What is {self.times} × √{self.number}?"

    def solve(self) -> Working:
        answer = Answer.label(f"{self.times}√{self.number}")
        told = step("takes √{0} so many times: {1}", self.number, self.times)
        return by_steps(answer, told, step("writes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, grade + 3), draws.one((2, 3, 5, 6, 7, 10)))


@mal_rule("NO204")
def multiplies_into_the_root(problem: SurdTimes) -> Working:
    """a√b as √(ab)."""
    answer = Answer.label(f"√{problem.times * problem.number}")
    told = step("multiplies {0} by {1} under the root: {2}", problem.times, problem.number, answer)
    return by_steps(answer, told)


@form("number and operation", (8, 9), 1)
class SumOfPowers:
    """One power, or two powers added, the first perhaps with a minus sign in front.

    Attributes:
        bases: one or two, from 2.
        exponents: one for each base, from -6 to 6; 1, for a plain number, at the second only.
        negated: whether a minus sign stands before the first.
    """

    bases: tuple[int, ...]
    exponents: tuple[int, ...]
    negated: bool

    def __post_init__(self) -> None:
        if not 1 <= len(self.bases) == len(self.exponents) <= 2 or min(self.bases) < 2:
            raise ValueError("There are one or two bases, from 2, with an exponent each.")
        if any(abs(exponent) > 6 for exponent in self.exponents) or self.exponents[0] == 1:
            raise ValueError(f"Exponents are from -6 to 6, the first not 1: {self.exponents}.")

    @property
    def terms(self) -> tuple[tuple[int, int, bool], ...]:
        """Base, exponent and whether a minus sign stands in front."""
        minus = (self.negated, False)[: len(self.bases)]
        return tuple(zip(self.bases, self.exponents, minus, strict=True))

    @property
    def written(self) -> tuple[str, ...]:
        """The powers as they are written."""
        return tuple(
            f"{'-' * minus}{base}{'' if exponent == 1 else f'^{exponent}'}"
            for base, exponent, minus in self.terms
        )

    def stem(self) -> str:
        return f"What is {' + '.join(self.written)}?"

    def right_values(self) -> list[Fraction]:
        """What each power is, with its sign."""
        return [
            -(Fraction(base) ** exponent) if minus else Fraction(base) ** exponent
            for base, exponent, minus in self.terms
        ]

    def worked(self, changed: dict[int, tuple[Fraction, Step]]) -> Working | None:
        """The sum, where some of the powers are worked out in another way.

        Args:
            changed: value and step by the index of the power; None comes back if it is empty.
        """
        if not changed:
            return None
        values = self.right_values()
        steps = [
            step("works out {0} and gets {1}", text, value)
            for text, value in zip(self.written, values, strict=True)
        ]
        for index, (value, clause) in changed.items():
            values[index], steps[index] = value, clause
        total = sum(values, Fraction(0))
        if len(values) > 1:
            steps.append(step("adds {0} and {1} and gets {2}", *values, total))
        return Working(Answer.number(total), tuple(steps), min(changed))

    def solve(self) -> Working:
        found: dict[int, tuple[Fraction, Step]] = {}
        texts = zip(self.written, self.right_values(), strict=True)
        for index, (text, value) in enumerate(texts):
            base, exponent = self.bases[index], self.exponents[index]
            if exponent < 0:
                clause = step(
                    "takes {0} as a fraction with the power in the bottom and gets {1}", text, value
                )
            elif exponent == 0:
                clause = step("takes {0} to the power {1} as {2}", base, exponent, abs(value))
                if value < 0:
                    clause = step("takes {0} as the opposite of {1}, {2}", text, -value, value)
            elif value < 0:
                clause = step(
                    "raises {0} to the power {1}, puts the minus in front and gets {2}",
                    base,
                    exponent,
                    value,
                )
            else:
                clause = step("raises {0} to the power {1} and gets {2}", base, exponent, value)
            found[index] = (value, clause)
        worked = self.worked(found)
        if worked is None:
            raise ValueError("There are no powers.")
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        kind = draws.below(10)
        if kind == 0:
            return cls(
                (draws.between(2, 6),), (draws.one((-3, -2, 0, 2, 3, 4)),), draws.chance(0.3)
            )
        zero = draws.between(2, 12 if grade <= 8 else 20)
        even = draws.one(((2, 4), *((base, 2) for base in range(3, 10))))
        fraction = draws.one(((2, -2), (2, -3), (2, -4), (3, -2), (4, -2), (5, -2), (10, -2)))
        if kind < 5:
            return cls((even[0], zero), (even[1], 0), True)
        if kind < 7:
            pair = draws.several((fraction, (zero, 0)), 2)
            return cls((pair[0][0], pair[1][0]), (pair[0][1], pair[1][1]), False)
        even = draws.one(((2, 4), (3, 2), (4, 2), (5, 2)))
        return cls((even[0], fraction[0]), (even[1], fraction[1]), True)


@mal_rule("NO52")
def power_as_product(problem: SumOfPowers | PowerInChain | ArithmeticExpression) -> Working | None:
    """The base times the exponent."""
    if isinstance(problem, ArithmeticExpression):
        return with_powers_as_products(problem)
    if isinstance(problem, PowerInChain):
        product = problem.base * problem.exponent
        clause = step(
            "multiplies {0} by the exponent {1} and gets {2}",
            problem.base,
            problem.exponent,
            product,
        )
        return problem.with_power(product, clause, RIGHT_ORDER)
    changed = {}
    for index, (base, exponent, minus) in enumerate(problem.terms):
        product = -base * exponent if minus else base * exponent
        clause = step(
            "multiplies {0} by the exponent {1} and gets {2}",
            -base if minus else base,
            exponent,
            product,
        )
        changed[index] = (Fraction(product), clause)
    return problem.worked(changed)


@mal_rule("NO53")
def sign_inside_the_power(problem: SumOfPowers) -> Working | None:
    """The minus sign is raised to the power as well."""
    base, exponent, minus = problem.terms[0]
    if not minus or exponent % 2 or exponent == 0:
        return None
    value = Fraction(base) ** exponent
    clause = step(
        "raises {0}, with its minus sign, to the power {1} and gets {2}", -base, exponent, value
    )
    return problem.worked({0: (value, clause)})


@mal_rule("NO54")
def negative_exponent_gives_a_negative_number(problem: SumOfPowers) -> Working | None:
    """The minus of the exponent goes in front of the power."""
    changed = {}
    for index, (base, exponent, minus) in enumerate(problem.terms):
        if exponent < 0:
            value = Fraction(base**-exponent)
            value = value if minus else -value
            clause = step(
                "raises {0} to the power {1}, puts the minus of {2} in front and gets {3}",
                base,
                -exponent,
                problem.written[index],
                value,
            )
            changed[index] = (value, clause)
    return problem.worked(changed)


@mal_rule("NO55")
def zero_exponent_is_zero(problem: SumOfPowers) -> Working | None:
    """Anything to the power 0 is 0."""
    changed = {
        index: (Fraction(0), step("says that {0} is {1}, as there are no factors", text, 0))
        for index, text in enumerate(problem.written)
        if problem.exponents[index] == 0
    }
    return problem.worked(changed)
