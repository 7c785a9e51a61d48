"""How the exact answers to fraction, percent and ratio problems are written."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer, write_decimal


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


def listed(words: list[str], joint: str = "and") -> str:
    """Words with commas and a joint before the last: a, b and c."""
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
