"""How answers, sums, terms and equations are written: exact, as money, with their signs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from schoolmath.malrules.answers import Answer, write_decimal, write_polynomial
from schoolmath.text.figures import listed


def as_written(top: int, bottom: int) -> Answer:
    """A fraction just as it comes out, not reduced: 2/6 stays 2/6.

    Raises:
        ZeroDivisionError: the bottom is 0.
    """
    if bottom < 0:
        top, bottom = -top, -bottom
    return Answer.number(Fraction(top, bottom), f"{top}/{bottom}")


def plain(value: Fraction | int) -> Answer:
    """A whole number or a decimal where it ends, otherwise a fraction in lowest terms."""
    exact = Fraction(value)
    try:
        return Answer.decimal(exact)
    except ValueError:
        return Answer.number(exact)


def money(value: Fraction | int) -> Answer:
    """An amount of money with two places.

    Raises:
        ValueError: it is not a whole number of cents.
    """
    return Answer.decimal(value, 2)


def dollars(value: Fraction | int) -> str:
    """An amount of money as it stands in a sentence: $30, or $28.62 where there are cents."""
    exact = Fraction(value)
    return f"${exact}" if exact.denominator == 1 else f"${write_decimal(exact, 2)}"


def places_for(count: int, start: int = 0) -> str:
    """The places of so many numbers in the template of a step: ``{0}, {1} and {2}``."""
    return listed(f"{{{start + place}}}" for place in range(count))


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
