"""Exact answers: what somebody answers, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


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
    def number(cls, value: int | Fraction, shown: str | None = None) -> Answer:
        """A number; written as a whole number or a fraction in lowest terms unless told."""
        exact = Fraction(value)
        return cls(AnswerKind.NUMBER, exact, str(exact) if shown is None else shown)

    @classmethod
    def decimal(cls, value: int | Fraction, places: int | None = None) -> Answer:
        """A number written as a decimal, with so many places or as many as it needs.

        Raises:
            ValueError: it has no end as a decimal, or not within the places.
        """
        return cls.number(value, write_decimal(Fraction(value), places))

    @classmethod
    def expression(cls, text: str, shown: str | None = None) -> Answer:
        """An expression, from text that sympy reads (``*`` and ``**`` written out)."""
        import sympy

        return cls(AnswerKind.EXPRESSION, str(sympy.expand(sympy.sympify(text))), shown or text)

    @classmethod
    def label(cls, text: str) -> Answer:
        """A choice or a phrase."""
        return cls(AnswerKind.LABEL, " ".join(text.lower().split()), text)

    def same_as(self, other: Answer) -> bool:
        """Whether both are marked alike: 2/4 is 1/2, and 0.50 is 0.5."""
        return self.kind is other.kind and self.value == other.value

    def __str__(self) -> str:
        return self.shown


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
