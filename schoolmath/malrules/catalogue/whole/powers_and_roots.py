"""Products of powers, powers with fractions, and roots."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
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

    def solve(self) -> Worked:
        answer = Answer.label(f"{self.base}^{self.one + self.other}")
        told = step("counts {0} and {1} factors of {2}", self.one, self.other, self.base)
        return Worked(answer, (told, step("writes {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 10), *draws.several(range(2, grade + 1), 2))


@mal_rule("NO153")
def multiplies_the_bases(problem: PowerProduct) -> Worked:
    """(a·b)^(x+y)."""
    base = problem.base**2
    answer = Answer.label(f"{base}^{problem.one + problem.other}")
    return Worked(
        answer,
        (
            step("multiplies {0} by {0} and gets {1} below", problem.base, base),
            step("adds {0} and {1}: {2}", problem.one, problem.other, answer),
        ),
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

    def solve(self) -> Worked:
        told = step("looks for what gives {0} with {1} equal factors", self.number, self.root)
        return Worked(Answer.number(self.value), (told, step("finds {0}", self.value)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        root = 2 if draws.chance(0.7) else 3
        return cls(draws.between(3, 4 * grade if root == 2 else 12) ** root, root)


@mal_rule("NO154")
def multiplies_by_the_exponent(problem: FractionalPower) -> Worked:
    """The fraction of the number."""
    answer = plain(Fraction(problem.number, problem.root))
    told = step("takes {0} of {1} and gets {2}", f"1/{problem.root}", problem.number, answer)
    return Worked(answer, (told,))


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

    def solve(self) -> Worked:
        told = step("looks for what gives {0} with {1} equal factors", self.number, 3)
        return Worked(Answer.number(self.root), (told, step("finds {0}", self.root)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 30 + grade) ** 3)


@mal_rule("NO202")
def cube_root_is_a_third(problem: CubeRoot) -> Worked:
    """Divides by 3."""
    answer = plain(Fraction(problem.number, 3))
    return Worked(answer, (step("divides {0} by {1} and gets {2}", problem.number, 3, answer),))


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

    def outside(self, factor: int, told: str) -> Worked:
        """The rest under the root with a number in front."""
        rest = self.number // self.square
        answer = Answer.label(f"{factor}√{rest}")
        split = step("writes {0} as {1} × {2}", self.number, self.square, rest)
        return Worked(answer, (split, step(told + " and writes {1}", self.square, answer)), 1)

    def solve(self) -> Worked:
        return self.outside(isqrt(self.square), "takes the root of {0}")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        rest = draws.one((2, 3, 5, 6, 7, 10, 11))
        return cls(draws.between(2, grade) ** 2 * rest)


@mal_rule("NO156")
def square_factor_stays(problem: Surd) -> Worked:
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

    def solve(self) -> Worked:
        answer = Answer.label(f"{self.times - 1}√{self.number}")
        told = step("takes one of {0} such roots away", self.times)
        return Worked(answer, (told, step("writes {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(3, grade + 3), draws.one((2, 3, 5, 6, 7, 10)))


@mal_rule("NO203")
def takes_the_root_away(problem: SurdDifference) -> Worked:
    """5√2 - √2 is 5."""
    answer = Answer.label(str(problem.times))
    told = step("takes √{0} off {1}: {2}", problem.number, f"{problem.times}√{problem.number}",
                answer)  # fmt: skip
    return Worked(answer, (told,))


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

    def solve(self) -> Worked:
        answer = Answer.label(f"{self.times}√{self.number}")
        told = step("takes √{0} so many times: {1}", self.number, self.times)
        return Worked(answer, (told, step("writes {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, grade + 3), draws.one((2, 3, 5, 6, 7, 10)))


@mal_rule("NO204")
def multiplies_into_the_root(problem: SurdTimes) -> Worked:
    """a√b as √(ab)."""
    answer = Answer.label(f"√{problem.times * problem.number}")
    told = step("multiplies {0} by {1} under the root: {2}", problem.times, problem.number, answer)
    return Worked(answer, (told,))
