"""The value of a number in digits, and the ways of writing that are ambiguous.

Conventions, those of English: a comma between groups of three digits separates thousands, and
so do spaces ("1 000") and apostrophes; a single point is always the decimal point, so "1.000"
is one; "3,5" has no value; an unspaced "1/2" is a fraction, unless its value is whole ("18/3"),
which is a division left undone.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from biaslab.text.numbers import MOST_DIGITS

VULGAR_FRACTIONS = "".join(
    sign
    for sign in map(chr, [*range(0xBC, 0xBF), *range(0x2150, 0x215F)])
    if unicodedata.numeric(sign, 0)
)
"""Signs such as ½."""

_GROUPED = re.compile(
    r"[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:'[0-9]{3})+|(?:\{,\}[0-9]{3})+|(?:\\,[0-9]{3})+"
    r"|(?:[ \u00a0][0-9]{3})+)(?:\.[0-9]+)?"
)
_GROUPED_BY_POINTS = re.compile(r"[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})")
_DECIMAL = re.compile(r"[0-9]*\.[0-9]+")
_NON_DIGITS = re.compile(r"[^0-9.]+")
_INTEGERS = re.compile(r"[0-9]+")


def value_of_digits(text: str) -> tuple[Fraction | None, str]:
    """The number that digits write, and its role; no value where they are ambiguous."""
    if len(text) > MOST_DIGITS:
        return None, "plain"
    if text.isdecimal():
        return Fraction(int(text)), "plain"
    if _DECIMAL.fullmatch(text):
        return Fraction(text), "plain"
    if text[-1] in VULGAR_FRACTIONS:
        whole = text[:-1].strip()
        part = Fraction(unicodedata.numeric(text[-1])).limit_denominator(100)
        return Fraction(whole or 0) + part, "plain"
    if "frac" in text:
        return _value_of_latex(text)
    if "/" in text:
        *whole_part, numerator, denominator = (int(digits) for digits in _INTEGERS.findall(text))
        return _value_of_fraction(whole_part, numerator, denominator)
    if _GROUPED.fullmatch(text) and text[0] != "0":
        return Fraction(_NON_DIGITS.sub("", text)), "plain"
    if _GROUPED_BY_POINTS.fullmatch(text) and text[0] != "0":
        return Fraction(text.replace(".", "").replace(",", ".")), "plain"
    return None, "plain"


def _value_of_fraction(
    whole: list[int], numerator: int, denominator: int
) -> tuple[Fraction | None, str]:
    if denominator == 0:
        return None, "plain"
    part = Fraction(numerator, denominator)
    if whole:
        return (whole[0] + part if part < 1 else None), "plain"
    return part, ("division" if part.denominator == 1 else "plain")


def _value_of_latex(text: str) -> tuple[Fraction | None, str]:
    whole, _, rest = text.partition("\\")
    digits = _INTEGERS.findall(rest)
    if len(digits) == 1:
        digits = list(digits[0])
    return _value_of_fraction([int(whole)] if whole else [], int(digits[0]), int(digits[1]))
