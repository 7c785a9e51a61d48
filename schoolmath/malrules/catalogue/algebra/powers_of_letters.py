"""Powers of letters: collected, multiplied, divided and raised to a power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import (
    Answer,
    Step,
    Working,
    by_steps,
    step,
    write_power,
    write_terms,
)
from schoolmath.malrules.catalogue.numbers.powers_and_roots import PowerProduct
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_MOST_TERMS, _HIGHEST_POWER = 8, 9


@form("algebra", (7, 9), 1)
class PowerTerms:
    """Simplify ``4x^3 + 2x - x^3 + 5``.

    Attributes:
        terms: number and exponent of each, in their order: 0 for a number alone.
    """

    terms: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        numbers, exponents = zip(*self.terms, strict=True)
        check_that(2 <= len(numbers) <= _MOST_TERMS, f"From two to {_MOST_TERMS} terms are added.")
        check_that(0 not in numbers, "No term is 0.")
        check_that(
            min(exponents) >= 0 and 1 < max(exponents) <= _HIGHEST_POWER,
            f"The highest power is from the second to the {_HIGHEST_POWER}th.",
        )

    def stem(self) -> str:
        return f"Simplify {write_powers(self.terms)}."

    @property
    def collected(self) -> dict[int, int]:
        """How many there are of each power, in the order of the terms."""
        found: Counter[int] = Counter()
        for number, exponent in self.terms:
            found[exponent] += number
        return dict(found)

    def solve(self) -> Working:
        answer = powers(self.collected)
        like = [each for each in self.collected if self.group(each)[1:]]
        if not like:
            return by_steps(answer, step("sees terms that are all unlike and leaves {0}", answer))
        told = (
            step(
                "collects {0} into {1}",
                *(write_powers(self.group(each)), write_powers([(self.collected[each], each)])),
            )
            for each in like
        )
        return by_steps(answer, *told, step("writes {0}", answer))

    def left_by(self, idea: str, counts: Mapping[int, int]) -> Working:
        """What an idea leaves of each power."""
        answer = powers(counts)
        return by_steps(answer, step(idea, answer))

    def group(self, exponent: int) -> list[tuple[int, int]]:
        """The terms of one power."""
        return [each for each in self.terms if each[1] == exponent]

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        power = draws.between(2, grade - 4)
        first, second, other = draws.several(range(2, 10), 3)
        last = (other, draws.between(0, power - 1))
        return cls(((first, power), last, (second * draws.one((1, -1)), power)))


@form("algebra", (8, 10), 1)
class PolynomialDifference:
    """``(6x^2 + 2x - 5) - (3x^2 - x + 2)``.

    Attributes:
        first, second: number and exponent of each term in a bracket, in their order.
    """

    first: tuple[tuple[int, int], ...]
    second: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        PowerTerms(self.first + self.second)
        check_that(len(self.second) > 1, "Two terms or more stand behind the minus.")

    def stem(self) -> str:
        return f"Simplify ({write_powers(self.first)}) - ({write_powers(self.second)})."

    def without_brackets(self, idea: str, *, changes: int) -> Working:
        """What comes of changing the signs of the first terms behind the minus, so many."""
        turned = [(-number, power) for number, power in self.second[:changes]]
        terms = (*self.first, *turned, *self.second[changes:])
        answer = powers(PowerTerms(terms).collected)
        return by_steps(
            answer, step(idea + ": {0}", write_powers(terms)), step("collects: {0}", answer)
        )

    def solve(self) -> Working:
        told = "changes every sign behind the minus"
        return self.without_brackets(told, changes=len(self.second))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = (
            tuple((draws.between(2, grade) * draws.one((1, 1, -1)), power) for power in (2, 1, 0))
            for _ in range(2)
        )
        return cls(one, other)


def write_powers(terms: Iterable[tuple[int, int]]) -> str:
    """Terms one after another: ``4x^3 - x + 5``."""
    return write_terms((write_power(power) if power else "", number) for number, power in terms)


def powers(counts: Mapping[int, int]) -> Answer:
    """A polynomial by how many there are of each power."""
    return Answer.polynomial([counts.get(each, 0) for each in range(max(counts) + 1)])


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
    """``3x^2 × 4x^3``; typed ones may have x alone, or a number without it."""

    first: int
    one: int
    second: int
    other: int

    def __post_init__(self) -> None:
        if min(self.first, self.second) < 2 or min(self.one, self.other) < 0:
            raise ValueError("Numbers are from 2 and exponents from 0.")
        check_that(self.one + self.other > 0, "One of the terms has a letter.")

    def stem(self) -> str:
        first, second = (
            write_powers([term]) for term in ((self.first, self.one), (self.second, self.other))
        )
        return f"Simplify {first} × {second}."

    def written(self, number: int, wording: str) -> Working:
        """A number before the product of the powers."""
        answer = Answer.label(f"{number}{write_power(self.one + self.other)}")
        last = step(wording + ": {2}", self.first, self.second, answer)
        if not self.one or not self.other:
            return by_steps(answer, last)
        return by_steps(
            answer, step("adds {0} and {1} for x", self.one, self.other), last, key_step=1
        )

    def solve(self) -> Working:
        return self.written(self.first * self.second, "multiplies {0} by {1} for the number")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        numbers = draws.several(range(2, 8), 2)
        powers = draws.several(range(2, grade), 2)
        return cls(numbers[0], powers[0], numbers[1], powers[1])


_MOST_LETTERS, _LARGEST_NUMBER = 3, 9_999


@form("algebra", (8, 10), 1)
class Monomials:
    """``12x^4y^4 ÷ 3x^2y`` or ``(-4a^2) × 3ab``: terms of a number and powers of letters.

    Attributes:
        first, second: the numbers in front; none is 0, and a divisor divides without remainder.
        one, other: exponents by letter, from 1; none of a divisor is higher than that above it.
        sign: ``×`` or ``÷``.
    """

    first: int
    one: tuple[tuple[str, int], ...]
    sign: str
    second: int
    other: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        one, other = dict(self.one), dict(self.other)
        exponents = (*one.values(), *other.values())
        check_that(self.sign in ("×", "÷"), "Terms are multiplied or divided: × or ÷.")
        check_that(
            all(0 < abs(each) <= _LARGEST_NUMBER for each in (self.first, self.second)),
            f"The numbers have sizes from 1 to {_LARGEST_NUMBER:,}.",
        )
        check_that(
            0 < len(one | other) <= _MOST_LETTERS and len(exponents) == len(self.one + self.other),
            f"There are up to {_MOST_LETTERS} letters, each once in a term.",
        )
        check_that(
            min(exponents) > 0 and max(exponents) <= _HIGHEST_POWER,
            f"Exponents are from 1 to {_HIGHEST_POWER}.",
        )
        divides = self.first % self.second == 0 and min(map(self.subtract, *self.both)) >= 0
        check_that(self.sign == "×" or divides, "The second term divides the first.")

    @staticmethod
    def subtract(one: int, other: int) -> int:
        """What the exponents of a quotient come to."""
        return one - other

    @property
    def letters(self) -> list[str]:
        """Its letters, by the alphabet."""
        return sorted(dict(self.one) | dict(self.other))

    @property
    def both(self) -> tuple[list[int], list[int]]:
        """The exponents of its letters in the first term and in the second; 0 for none."""
        one, other = dict(self.one), dict(self.other)
        return [one.get(each, 0) for each in self.letters], [
            other.get(each, 0) for each in self.letters
        ]

    def stem(self) -> str:
        first, second = _monomial(self.first, self.one), _monomial(self.second, self.other)
        behind = f"({second})" if second.startswith("-") else second
        return f"Simplify {first} {self.sign} {behind}."

    def joined(
        self, law: Callable[[int, int], int], wording: str, number: int | None = None
    ) -> Working:
        """Both terms as one: how two exponents of a letter are joined, and the number in front."""
        multiplied = self.sign == "×"
        right = self.first * self.second if multiplied else self.first // self.second
        front = right if number is None else number
        exponents = [
            law(one, other) if one and other else max(one, other)
            for one, other in zip(*self.both, strict=True)
        ]
        text = _monomial(front, tuple(zip(self.letters, exponents, strict=True)))
        answer = Answer.label(text) if any(exponents) else Answer.number(front)
        steps = [
            step(f"{wording} for {letter}", one, other)
            for letter, one, other in zip(self.letters, *self.both, strict=True)
            if one and other
        ]
        does = "multiplies {0} by {1}" if multiplied else "divides {0} by {1}"
        if front != right:
            does = "adds {0} and {1}"
        last = step(f"{does} for the number: {{2}}", self.first, self.second, answer)
        return by_steps(answer, *steps, last, key_step=len(steps) if front != right else 0)

    def solve(self) -> Working:
        if self.sign == "×":
            return self.joined(int.__add__, "adds {0} and {1}")
        return self.joined(
            self.subtract, "subtracts the second exponent from the first, {0} - {1},"
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        letters = draws.one((("x", "y"), ("a", "b"), ("m", "n")))
        numbers, powers = draws.several(range(2, 8), 2), draws.several(range(2, grade), 2)
        first, second = ((letters[0], max(powers)), (letters[1], 4)), ((letters[0], min(powers)),)
        if draws.chance(0.5):
            return cls(numbers[0] * numbers[1], first, "÷", numbers[1], second)
        return cls(numbers[0], first, "×", numbers[1], second)


def _monomial(number: int, letters: Iterable[tuple[str, int]]) -> str:
    powers = "".join(write_power(each, letter) for letter, each in letters if each)
    front = {1: "", -1: "-"}.get(number, str(number)) if powers else str(number)
    return f"{front}{powers}"


@mal_rule("AL72")
def adds_the_numbers_in_front(problem: TermProduct | Monomials) -> Working | None:
    """Adds numbers and exponents."""
    if isinstance(problem, Monomials):
        total = problem.first + problem.second
        if problem.sign == "÷" or not total:
            return None
        return problem.joined(int.__add__, "adds {0} and {1}", total)
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
def multiplies_exponents(
    problem: ExponentLaws | TermProduct | Monomials | PowerProduct,
) -> Working | None:
    """Multiplies where exponents are added."""
    if isinstance(problem, PowerProduct):
        power = Answer.label(f"{problem.base}^{problem.one * problem.other}")
        return by_steps(
            power, step("multiplies {0} by {1}: {2}", problem.one, problem.other, power)
        )
    if isinstance(problem, TermProduct):
        exponent = problem.one * problem.other
        if not exponent:
            return None
        answer = Answer.label(f"{problem.first * problem.second}{write_power(exponent)}")
        return by_steps(
            answer,
            step("multiplies {0} by {1} for x", problem.one, problem.other),
            step(
                "multiplies {0} by {1} for the number: {2}", problem.first, problem.second, answer
            ),
        )
    if isinstance(problem, Monomials):
        shared = problem.sign == "×" and any(map(int.__mul__, *problem.both))
        return problem.joined(int.__mul__, "multiplies {0} by {1}") if shared else None
    return problem.simplified("times") if problem.times else None


@mal_rule("AL27")
def adds_exponents(problem: ExponentLaws) -> Working | None:
    """Adds where exponents are multiplied."""
    return problem.simplified("outer") if problem.outer > 1 else None


@mal_rule("AL28")
def divides_exponents(problem: ExponentLaws | Monomials) -> Working | None:
    """Divides where exponents are subtracted."""
    if isinstance(problem, Monomials):
        pairs = [both for both in zip(*problem.both, strict=True) if all(both)]
        if problem.sign == "×" or not pairs or any(one % other for one, other in pairs):
            return None
        return problem.joined(int.__floordiv__, "divides {0} by {1}")
    return problem.simplified("over") if problem.over else None
