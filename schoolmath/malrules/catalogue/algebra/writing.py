"""How sums, terms and equations are written in algebra problems."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from schoolmath.malrules.answers import write_decimal, write_polynomial


def write_sum(terms: Sequence[int]) -> str:
    """Numbers with their signs: ``20 - 5 + 3``."""
    text = str(terms[0])
    for term in terms[1:]:
        text += f" - {-term}" if term < 0 else f" + {term}"
    return text


def write_term(coefficient: int | Fraction, letter: str = "x") -> str:
    """A coefficient and its letter: ``3x``, ``-x``, ``0``."""
    return write_polynomial((0, coefficient), letter)


def write_linear(coefficient: int | Fraction, constant: int | Fraction, letter: str = "x") -> str:
    """A term in a letter and a constant: ``3x + 4``."""
    return write_polynomial((constant, coefficient), letter)


def write_next(value: int | Fraction) -> str:
    """A number as it stands behind others in a sum: ``+ 4``, ``- 3``."""
    return f"- {-value}" if value < 0 else f"+ {value}"


def write_bracketed(value: int | Fraction) -> str:
    """A number as it stands behind a sign: a negative one in brackets."""
    return f"({value})" if value < 0 else str(value)


def write_money(amount: Fraction) -> str:
    """Dollars and cents: ``$1331.00``; more places only where the amount has them.

    Raises:
        ValueError: the amount has no end as a decimal.
    """
    try:
        return f"${write_decimal(amount, 2)}"
    except ValueError:
        return f"${write_decimal(amount)}"


def write_ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def exact_root(value: Fraction) -> Fraction | None:
    """The square root of a number that is a square of a fraction; None for others."""
    from math import isqrt

    if value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    root = Fraction(top, bottom)
    return root if root * root == value else None
