"""Exact answers, how they are written, and the steps by which somebody comes to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache


class AnswerKind(StrEnum):
    """What an answer is."""

    NUMBER = "number"
    """Exact: a whole number, fraction or finite decimal."""
    EXPRESSION = "expression"
    """Algebra or a root, such as ``3*x + 2`` or ``sqrt(194)``."""
    LABEL = "label"
    """A choice or a phrase, such as ``A``, ``x < -3``, ``31 R 12``."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody answers.

    Attributes:
        kind: what it is.
        value: what is compared: a `Fraction` for numbers; for expressions sympy's text of the
            expanded expression; for labels the label in lower case with single spaces.
        shown: as it is written, such as ``2.50``, ``3/4``, ``x^7``. Two answers with one value
            may be written in different ways and are the same answer.
    """

    kind: AnswerKind
    value: Fraction | str
    shown: str

    @classmethod
    def number(cls, value: int | Fraction, text: str | None = None) -> Answer:
        """A number; written as a whole number or a fraction in lowest terms unless told."""
        exact = Fraction(value)
        return cls(AnswerKind.NUMBER, exact, str(exact) if text is None else text)

    @classmethod
    def decimal(cls, value: int | Fraction, places: int | None = None) -> Answer:
        """A number written as a decimal, with so many places or as many as it needs.

        Raises:
            ValueError: it has no end as a decimal, or not within the places.
        """
        return cls.number(value, write_decimal(Fraction(value), places))

    @classmethod
    def expression(cls, text: str, display: str | None = None) -> Answer:
        """An expression, from text that sympy reads (``*`` and ``**`` written out)."""
        import sympy

        return cls(AnswerKind.EXPRESSION, str(sympy.expand(sympy.sympify(text))), display or text)

    @classmethod
    def polynomial(cls, coefficients: Sequence[int | Fraction], letter: str = "x") -> Answer:
        """A polynomial in one letter, from its constant upwards: ``(2, 3)`` is ``3x + 2``.

        The value is the one that `expression` gives, and made without sympy, which is slow.
        """
        return cls(
            AnswerKind.EXPRESSION,
            _sympy_text(coefficients, letter),
            write_polynomial(coefficients, letter),
        )

    @classmethod
    def terms(cls, counts: Mapping[str, int]) -> Answer:
        """A sum of terms in several letters: ``{"a": 6, "b": 3}`` is ``6a + 3b``.

        Args:
            counts: the number before each product of letters (``ab``, ``x^2y``), in the order of
                writing; ``""`` for a number alone.
        """
        sorted_out = {sorted_letters(letters): number for letters, number in counts.items()}
        value = write_terms(sorted(sorted_out.items()))
        return cls(AnswerKind.EXPRESSION, value, write_terms(counts.items()))

    @classmethod
    def power(cls, exponent: int | Fraction, letter: str = "x") -> Answer:
        """A power of one letter, ``x^7``; the value is the one that `expression` gives."""
        exact = Fraction(exponent)
        return cls(AnswerKind.EXPRESSION, _sympy_power(exact, letter), write_power(exact, letter))

    @classmethod
    def label(cls, text: str) -> Answer:
        """A choice or a phrase."""
        return cls(AnswerKind.LABEL, " ".join(text.lower().split()), text)

    def same_as(self, other: Answer) -> bool:
        """Whether both are marked alike: 2/4 is 1/2, and 0.50 is 0.5."""
        return self.kind is other.kind and self.value == other.value

    def __str__(self) -> str:
        return self.shown


def write_terms(terms: Iterable[tuple[str, int]]) -> str:
    """Terms one after another, each with its number, as they are written: ``2a - 3b + 4a``."""
    text = ""
    for letters, number in terms:
        if not number:
            continue
        size = "" if abs(number) == 1 and letters else str(abs(number))
        sign = ("- " if number < 0 else "+ ") if text else "-" if number < 0 else ""
        text += f"{' ' if text else ''}{sign}{size}{letters}"
    return text or "0"


_TERM = r"\d{0,6}(?:[a-z](?:\^[1-9])?){0,3}"


def sorted_letters(product: str) -> str:
    """A product of letters with its powers by the alphabet: ``y^2x`` is ``xy^2``, ``aa`` a^2."""
    powers: Counter[str] = Counter()
    for letter, power in re.findall(r"([a-z])(?:\^(\d))?", product):
        powers[letter] += int(power or 1)
    return "".join(write_power(powers[each], each) for each in sorted(powers))


def read_terms(text: str) -> list[tuple[str, int]]:
    """The terms of a sum with letters, ``2a - 3b + 4a``; empty where it is none."""
    plain = re.sub(r"[\s*×]+", "", text.replace("−", "-"))
    if not re.fullmatch(rf"-?{_TERM}(?:[+-]{_TERM}){{0,9}}", plain, re.ASCII):
        return []
    found = re.findall(r"([+-]?)(\d*)((?:[a-z](?:\^\d)?)*)", plain)
    return [
        (sorted_letters(letters), int(number or 1) * (-1 if sign == "-" else 1))
        for sign, number, letters in found
        if number or letters
    ]


def write_decimal(value: Fraction, places: int | None = None) -> str:
    """A number as a decimal without rounding.

    Args:
        value: the number.
        places: so many digits after the point; None: as many as it needs.

    Raises:
        ValueError: it has no end as a decimal, or not within the places.
    """
    needed, rest = 0, value.denominator
    while rest % 10 == 0:
        rest //= 10
        needed += 1
    twos = fives = 0
    while rest % 2 == 0:
        rest //= 2
        twos += 1
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        raise ValueError(f"{value} has no end as a decimal.")
    needed += max(twos, fives)
    shown = needed if places is None else places
    if shown < needed:
        raise ValueError(f"{value} needs {needed} places, not {shown}.")
    digits = str(abs(value.numerator) * 10**shown // value.denominator).rjust(shown + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-shown]}.{digits[-shown:]}" if shown else digits)


def write_polynomial(coefficients: Sequence[int | Fraction], letter: str = "x") -> str:
    """A polynomial as a pupil writes it, highest power first: ``x^2 - 3x + 1``.

    Args:
        coefficients: from the constant upwards.
        letter: its letter.
    """
    text = ""
    for power in range(len(coefficients) - 1, -1, -1):
        exact = Fraction(coefficients[power])
        if exact == 0:
            continue
        size = abs(exact)
        if power == 0:
            term = str(size)
        else:
            factor = "" if size == 1 else str(size) if size.denominator == 1 else f"({size})"
            term = factor + write_power(power, letter)
        text += _joined(text, exact < 0, term)
    return text or "0"


def write_power(exponent: int | Fraction, letter: str = "x") -> str:
    """A power of a letter as a pupil writes it: ``x^7``, ``x``, ``x^(5/2)``, ``1``."""
    exact = Fraction(exponent)
    if exact == 0:
        return "1"
    if exact == 1:
        return letter
    return f"{letter}^{exact}" if exact.denominator == 1 else f"{letter}^({exact})"


def _joined(before: str, negative: bool, term: str) -> str:
    if not before:
        return f"-{term}" if negative else term
    return f" - {term}" if negative else f" + {term}"


def _sympy_text(coefficients: Sequence[int | Fraction], letter: str) -> str:
    terms = [(power, Fraction(each)) for power, each in enumerate(coefficients) if each]
    # sympy writes the highest power first, but 2 - 3*x where that avoids a minus at the start.
    if not (len(terms) == 2 and terms[0][0] == 0 and terms[0][1] > 0 > terms[1][1]):
        terms.reverse()
    text = ""
    for power, exact in terms:
        size = abs(exact)
        if power == 0:
            term = str(size)
        else:
            term = _sympy_power(Fraction(power), letter)
            if size.numerator != 1:
                term = f"{size.numerator}*{term}"
            if size.denominator != 1:
                term = f"{term}/{size.denominator}"
        text += _joined(text, exact < 0, term)
    return text or "0"


def _sympy_power(exponent: Fraction, letter: str) -> str:
    if exponent in (0, 1):
        return letter if exponent else "1"
    if abs(exponent) == Fraction(1, 2):
        return f"sqrt({letter})" if exponent > 0 else f"1/sqrt({letter})"
    if exponent == -1:
        return f"1/{letter}"
    if exponent > 0 and exponent.denominator == 1:
        return f"{letter}**{exponent}"
    return f"{letter}**({exponent})"


_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is done.

    Attributes:
        template: a clause in the third person present, such as ``takes {0} from {1} in the ones
            column and writes {2}``: no capital at the start, no full stop, no digit, and a
            place for every number, each at least once.
        numbers: the numbers as they are written, in the order of their places.
    """

    template: str
    numbers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        places = _places(self.template)
        self.template.format(*self.numbers)
        if places != frozenset(range(len(self.numbers))):
            raise ValueError(f"The places of “{self.template}” are not those of {self.numbers}.")

    @property
    def text(self) -> str:
        """The clause with its numbers."""
        return self.template.format(*self.numbers)


@lru_cache(maxsize=8192)
def _places(template: str) -> frozenset[int]:
    """The places for numbers in a template, looked for once: millions of steps share a few."""
    if _DIGIT.search(re.sub(r"\{\d+\}", "", template)):
        raise ValueError(f"A number stands in the words of “{template}”: give it a place.")
    return frozenset(int(place) for place in re.findall(r"\{(\d+)\}", template))


def step(template: str, *numbers: object) -> Step:
    """A step from numbers of any exact kind, written as `str` writes them."""
    return Step(template, tuple(str(number) for number in numbers))


@dataclass(frozen=True, slots=True)
class Working:
    """An answer and the way to it.

    Attributes:
        answer: what comes out.
        steps: what is done, in order; at least one. The first one that shows the idea (for a
            mal-rule: where it goes wrong) is ``steps[key_step]``.
        key_step: index of the step that a one-clause rationale tells.
    """

    answer: Answer
    steps: tuple[Step, ...]
    key_step: int = 0


def by_steps(answer: Answer, *steps: Step, key_step: int = 0) -> Working:
    """An answer and the way to it, step by step; see `Working`."""
    return Working(answer, steps, key_step)
