"""An answer in another unit than the problem's: ``75 cents`` where the numbers are dollars.

It is the same amount, so it is put into the unit of the problem before anything is said of it.
Where the problem is to change one unit into another, an answer stays as it is written.
"""

from __future__ import annotations

import re
from fractions import Fraction

_SIZES = (
    {"cent": 1, "dollar": 100},
    {"penny": 1, "pound": 100},
    {"eurocent": 1, "euro": 100},
    {"millimeter": 1, "centimeter": 10, "meter": 1000, "kilometer": 1_000_000},
    {"inch": 1, "foot": 12, "yard": 36},
    {"gram": 1, "kilogram": 1000},
    {"milliliter": 1, "liter": 1000},
    {"second": 1, "minute": 60, "hour": 3600},
)
"""Units that can be put into each other, by how many of the smallest each is."""

_SIGNS = {"$": "dollar", "£": "pound", "€": "euro"}
_NAMES = {
    "¢": "cent", "c": "cent", "p": "penny", "pence": "penny", "pennies": "penny",
    "mm": "millimeter", "cm": "centimeter", "m": "meter", "km": "kilometer",
    "millimetre": "millimeter", "centimetre": "centimeter", "metre": "meter",
    "kilometre": "kilometer", "inches": "inch", "ft": "foot", "feet": "foot",
    "yd": "yard", "g": "gram", "kg": "kilogram", "ml": "milliliter", "l": "liter",
    "millilitre": "milliliter", "litre": "liter", "s": "second", "sec": "second",
    "min": "minute", "h": "hour", "hr": "hour",
}  # fmt: skip
_DIGITS = r"(?:\d[\d,]{0,11}(?:\.\d{1,6})?|\.\d{1,6})"
_TOLD = re.compile(
    rf"(?P<sign>[$£€]) ?(?P<money>{_DIGITS})"
    rf"|(?<![\d.,])(?P<number>{_DIGITS}) ?(?P<name>[a-z]+|¢)(?![²³^\w])",
    re.IGNORECASE | re.ASCII,
)
_OF_TWO_UNITS = re.compile(r"\b(?:area|volume|squared?|cub(?:e|ed|ic)|speed|per)\b|[²³]", re.I)
_ASKED = re.compile(r"\b(?:how many|to|into|in) (?:the )?([a-z]+)(?= |\?|\.?$)", re.IGNORECASE)


def in_unit_of(text: str, question: str) -> str:
    """An answer as a number of the unit that all numbers of a problem have.

    Args:
        text: an answer, a number with its unit: ``75 cents``, ``$0.75``, ``1.2 m``.
        question: the problem as it was typed.

    Returns:
        the answer as it is where it has no unit, the same one, or one that can't be put into the
        problem's, and where the problem has several.
    """
    given = _TOLD.fullmatch(text.strip().rstrip("."))
    sizes = _sizes_with(_unit(given)) if given is not None else None
    if given is None or sizes is None or _OF_TWO_UNITS.search(question):
        return text
    told = {unit for each in _TOLD.finditer(question) if (unit := _unit(each)) in sizes}
    told |= {unit for each in _ASKED.findall(question) if (unit := _called(each)) in sizes}
    if len(told) != 1:
        return text
    amount = Fraction((given["money"] or given["number"]).replace(",", ""))
    worth = amount * sizes[_unit(given)] / sizes[told.pop()]
    return text if worth == amount else str(worth)


def _unit(match: re.Match[str]) -> str:
    """The unit of a number, "" where it has none that is known."""
    return _SIGNS[match["sign"]] if match["sign"] else _called(match["name"])


def _called(name: str) -> str:
    """A unit by a name or short form of it."""
    name = name.lower()
    known = _NAMES.get(name) or _NAMES.get(name.removesuffix("s"), name.removesuffix("s"))
    return known if _sizes_with(known) is not None else ""


def _sizes_with(unit: str) -> dict[str, int] | None:
    return next((each for each in _SIZES if unit in each), None)
