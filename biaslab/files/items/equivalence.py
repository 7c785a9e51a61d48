"""Whether two options of a file are one answer: 2/4 and 1/2, 50% and 0.5, $2.50 and $2.5.

Only numbers are compared by value. Texts of a file are never given to a program that evaluates
expressions: x + x and 2x count as different.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from schoolmath.malrules import Answer

_DIGITS = "[0-9]{1,30}"
_WHOLE = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,9}|[0-9]{1,30})"
_VALUE = re.compile(
    rf"(?P<before>[$£€]?)\s*(?P<sign>-?)\s*(?P<currency>[$£€]?)\s*(?:"
    rf"(?:(?P<mixed>{_DIGITS})\s+)?(?P<top>{_DIGITS})\s*/\s*(?P<bottom>{_DIGITS})"
    rf"|(?P<whole>{_WHOLE})?(?:\.(?P<places>{_DIGITS}))?"
    r")\s*(?P<percent>%?)\s*(?P<unit>[^0-9]*)"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_LONGEST = 200


def answer_of(option: str) -> tuple[Answer, str]:
    """What an option says, and the unit behind it.

    A number where it is one (a fraction, a decimal, a percentage, an amount of money), else the
    text itself.
    """
    text = _plain(option)
    match = _VALUE.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None or not (match["top"] or match["whole"] or match["places"]):
        return Answer.label(option), ""
    if match["top"]:
        if int(match["bottom"]) == 0:
            return Answer.label(option), ""
        value = Fraction(int(match["top"]), int(match["bottom"])) + int(match["mixed"] or 0)
    else:
        places = match["places"] or ""
        digits = (match["whole"] or "").replace(",", "") + places
        value = Fraction(int(digits), 10 ** len(places))
    if match["sign"]:
        value = -value
    if match["percent"]:
        value /= 100
    unit = match["before"] + match["currency"] + " ".join(match["unit"].lower().split())
    return Answer.number(value, option), unit.strip(" .")


def same_option(first: str, second: str) -> bool:
    """Whether two options are one answer.

    A unit given with only one of them makes no difference.
    """
    (answer, unit), (other, other_unit) = answer_of(first), answer_of(second)
    return answer.same_as(other) and (unit == other_unit or not unit or not other_unit)


def same_text(first: str, second: str) -> bool:
    """Whether two options are written alike but for case and blanks."""
    return " ".join(first.lower().split()) == " ".join(second.lower().split())


def _plain(option: str) -> str:
    r"""A number without LaTeX around it: ``\( \frac{1}{2} \)`` is 1/2."""
    text = option.strip()
    for start, end in (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")):
        if text.startswith(start) and text.endswith(end) and len(text) > len(start + end):
            text = text[len(start) : -len(end)].strip()
            break
    if len(text) > _LONGEST:
        return text
    text = _FRACTION.sub(r" \1/\2", text).replace("\\%", "%").replace("−", "-")
    return "".join(map(_plain_fraction, text)).strip()


def _plain_fraction(character: str) -> str:
    """½ is " 1/2", with a blank so that 2½ is a mixed number."""
    if unicodedata.decomposition(character).startswith("<fraction>"):
        return " " + unicodedata.normalize("NFKC", character).replace("⁄", "/")
    return character
