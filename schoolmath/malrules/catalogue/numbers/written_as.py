"""A number as factors, primes, places or with a power of ten; which digit is in which place."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.numbers.places_and_factors import (
    PLACES,
    by_digit,
    digits,
    is_prime,
)
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_MOST_SPLITS = 8
_MULTIPLES = (3, 4, 5)
"""So many multiples are listed by who lists them for factors."""


def _listed(numbers: list[int], *ideas: Step) -> Working:
    answer = Answer.label(", ".join(map(str, numbers)))
    return by_steps(answer, *ideas, step("writes {0}", answer))


def _joined(sign: str, numbers: list[int], *ideas: Step) -> Working:
    answer = Answer.label(f" {sign} ".join(map(str, numbers)))
    return by_steps(answer, *ideas, step("writes {0}", answer))


@form("number and operation", (4, 6), 1)
class FactorList:
    """All factors of a whole number from 2 to 1,000."""

    number: int

    def __post_init__(self) -> None:
        check_that(1 < self.number <= 1_000, "The number is from 2 to 1,000.")

    @property
    def factors(self) -> list[int]:
        """Its factors, from 1 to itself."""
        return [by for by in range(1, self.number + 1) if self.number % by == 0]

    def stem(self) -> str:
        return f"What are all the factors of {self.number}?"

    def solve(self) -> Working:
        return _listed(self.factors, step("looks for every number that divides {0}", self.number))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 3 * grade) * draws.between(2, 8))


@mal_rule("NO239")
def leaves_out_the_ends(problem: FactorList) -> tuple[Working, ...]:
    """The factors without 1, without the number, or without both."""
    found = problem.factors
    told = step("looks for the numbers in between that divide {0}", problem.number)
    lists = (found[1:-1], found[:-1], found[1:])
    return tuple(_listed(each, told) for each in lists if each)


@mal_rule("NO240")
def primes_for_factors(problem: FactorList) -> Working | None:
    """The prime factors alone, each once."""
    primes = [each for each in problem.factors if is_prime(each)]
    return _listed(primes, step("looks for the primes that divide {0}", problem.number))


@mal_rule("NO241")
def multiples_for_factors(problem: FactorList) -> tuple[Working, ...]:
    """The first multiples."""
    told = step("counts on by {0}", problem.number)
    return tuple(
        _listed([problem.number * each for each in range(1, many + 1)], told) for many in _MULTIPLES
    )


@form("number and operation", (6, 8), 1)
class PrimeProduct:
    """A number as a product of primes; from 4 to 10,000 and no prime."""

    number: int

    def __post_init__(self) -> None:
        check_that(
            3 < self.number <= 10_000 and not is_prime(self.number),
            "The number is from 4 to 10,000 and no prime.",
        )

    @property
    def primes(self) -> list[int]:
        """Its primes, each as often as it divides the number, from the smallest."""
        found, rest, by = [], self.number, 2
        while rest > 1:
            while rest % by == 0:
                found.append(by)
                rest //= by
            by += 1
        return found

    def stem(self) -> str:
        return f"Write {self.number} as a product of prime factors."

    def solve(self) -> Working:
        return _joined(
            "×", self.primes, step("divides {0} by primes until none is left", self.number)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(
            prod(draws.one((2, 2, 3, 3, 5)) for _ in range(grade - 3)) * draws.one((2, 3, 7))
        )


@mal_rule("NO242")
def stops_before_the_primes(problem: PrimeProduct) -> tuple[Working, ...]:
    """Two factors of which one at least is no prime."""
    n = problem.number
    pairs = [(by, n // by) for by in range(2, int(n**0.5) + 1) if n % by == 0]
    told = step("looks for two numbers whose product is {0}", n)
    return tuple(_joined("×", [*pair], told) for pair in pairs if not all(map(is_prime, pair)))[
        :_MOST_SPLITS
    ]


@mal_rule("NO243")
def each_prime_once(problem: PrimeProduct) -> Working | None:
    """Every prime once, however often it divides the number."""
    told = step("looks for the primes that divide {0}", problem.number)
    once = sorted(set(problem.primes))
    return _joined("×", once, told) if len(once) > 1 else None


@form("number and operation", (3, 5), 1)
class PlaceSum:
    """A number to be written in expanded form; of two places or more that are not 0."""

    number: int

    def __post_init__(self) -> None:
        check_that(10 < self.number < 1_000_000, "The number is from 11 to 999,999.")
        check_that(len(self.parts) > 1, "Two of its digits at least are not 0.")

    @property
    def parts(self) -> list[int]:
        """What its digits are worth, without those that are 0."""
        return [*by_digit(self.number)]

    def stem(self) -> str:
        return f"Write {self.number} in expanded form."

    def solve(self) -> Working:
        return _joined("+", self.parts, step("takes what each digit of {0} is worth", self.number))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(1, 9) * 10**grade + draws.between(1, 10**grade - 1))


@mal_rule("NO244")
def digits_without_places(problem: PlaceSum) -> tuple[Working, ...]:
    """The digits themselves, with or without those that are 0."""
    written = digits(problem.number)[::-1]
    told = step("takes the digits of {0} one by one", problem.number)
    found = [_joined("+", [each for each in written if each], told)]
    return (*found, _joined("+", written, told)) if 0 in written else tuple(found)


@form("number and operation", (8, 8), 1)
class ScientificForm:
    """A number to be written in scientific notation; at least 10, or below 1 and above 0."""

    number: Fraction

    def __post_init__(self) -> None:
        check_that(
            0 < self.number < 1 or 10 <= self.number <= 10**12, "The number is from 10, or below 1."
        )
        write_decimal(self.number)

    @property
    def exponent(self) -> int:
        """The exponent of 10."""
        front, exponent = self.number, 0
        while front >= 10:
            front, exponent = front / 10, exponent + 1
        while front < 1:
            front, exponent = front * 10, exponent - 1
        return exponent

    def stem(self) -> str:
        return f"Write {write_decimal(self.number)} in scientific notation."

    def with_front(self, front: Fraction, exponent: int, *ideas: Step) -> Working:
        """A number in front and an exponent, right or wrong, and how they come about."""
        answer = Answer.label(f"{write_decimal(front)} × 10^{exponent}")
        return by_steps(answer, *ideas, step("writes {0}", answer))

    def solve(self) -> Working:
        front = self.number / Fraction(10) ** self.exponent
        moved = step(
            "moves the point of {0} by {1} places", write_decimal(self.number), abs(self.exponent)
        )
        return self.with_front(front, self.exponent, moved)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        front, power = draws.between(11, 99), draws.between(1, 5)
        small = draws.chance(0.4)
        return cls(Fraction(front) * Fraction(10) ** (-power - 2 if small else power))


@mal_rule("NO245")
def exponent_from_zeros(problem: ScientificForm) -> Working | None:
    """As many as there are zeros, behind the digits or behind the point."""
    shown = write_decimal(problem.number)
    zeros = len(shown) - len(shown.rstrip("0")) if problem.number >= 10 else shown.count("0") - 1
    exponent = zeros if problem.number >= 10 else -zeros
    if exponent in (0, problem.exponent) or ("." in shown and problem.number >= 10):
        return None
    front = problem.number / Fraction(10) ** problem.exponent
    return problem.with_front(front, exponent, step("counts the zeros of {0}: {1}", shown, zeros))


@mal_rule("NO246")
def whole_number_in_front(problem: ScientificForm) -> Working | None:
    """The digits as a whole number, with the power of ten that is left."""
    digits_of = write_decimal(problem.number).replace(".", "").strip("0")
    if len(digits_of) < 2:
        return None
    exponent = problem.exponent - len(digits_of) + 1
    told = step("writes the digits of {0} as they stand", write_decimal(problem.number))
    return problem.with_front(Fraction(int(digits_of)), exponent, told) if exponent else None


@mal_rule("NO247")
def exponent_of_the_wrong_sign(problem: ScientificForm) -> Working:
    """The places are counted, their direction is not seen."""
    places = abs(problem.exponent)
    told = step("counts the places that the point moves: {0}", places)
    front = problem.number / Fraction(10) ** problem.exponent
    return problem.with_front(front, -problem.exponent, told)


PARTS = ("tenths", "hundredths", "thousandths")
"""Names of the places behind the point, from the left."""


@form("number and operation", (3, 5), 1)
class DigitInPlace:
    """The digit in a place of a number.

    Attributes:
        number: as it is written, with a point or without.
        place: its name, such as ``tens`` or ``hundredths``.
    """

    number: str
    place: str

    def __post_init__(self) -> None:
        whole, _, part = self.number.partition(".")
        check_that(
            f"{whole}{part}".isdigit() and len(whole) <= len(PLACES) and len(part) < 4,
            "The number has at most nine digits before the point and three behind it.",
        )
        check_that(self.place in PLACES or self.place in PARTS, "It is the name of a place.")
        check_that(
            self.at(self.place) is not None, f"{self.number} has a digit in its {self.place}."
        )

    def at(self, place: str) -> str | None:
        """The digit in a place; None where there is none."""
        whole, _, part = self.number.partition(".")
        digits = whole[::-1] if place in PLACES else part
        index = (PLACES if place in PLACES else PARTS).index(place)
        return digits[index] if index < len(digits) else None

    def stem(self) -> str:
        return f"Which digit is in the {self.place} place of {self.number}?"

    def solve(self) -> Working:
        answer = Answer.number(int(self.at(self.place) or 0))
        return by_steps(answer, step(f"counts the places to the {self.place}: {{0}}", answer))

    def taken_at(self, place: str) -> Working | None:
        """The digit of another place; None where there is none, or the same one."""
        digit = self.at(place)
        if digit is None or digit == self.at(self.place):
            return None
        return by_steps(
            Answer.number(int(digit)), step(f"counts the places to the {place}: {{0}}", digit)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        digits = draws.several(range(1, 10), 6)
        if grade == 3:
            return cls("".join(map(str, digits[:4])), draws.one(PLACES[1:4]))
        whole, part = "".join(map(str, digits[:3])), "".join(map(str, digits[3:]))
        return cls(f"{whole}.{part}", draws.one((*PLACES[1:3], *PARTS[:2])))


@mal_rule("NO256")
def tens_for_tenths(problem: DigitInPlace) -> Working | None:
    """The place of the same name on the other side of the point."""
    other = {"tens": "tenths", "hundreds": "hundredths", "thousands": "thousandths"}
    back = {part: whole for whole, part in other.items()}
    place = (other | back).get(problem.place)
    return problem.taken_at(place) if place else None


@mal_rule("NO257")
def places_one_off(problem: DigitInPlace) -> Working | None:
    """The ones are left out before the point; behind it the first place is taken for ones."""
    if problem.place in PARTS:
        index = PARTS.index(problem.place)
        return problem.taken_at(PARTS[index + 1]) if index + 1 < len(PARTS) else None
    index = PLACES.index(problem.place)
    return problem.taken_at(PLACES[index - 1]) if index else None
