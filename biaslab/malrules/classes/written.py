"""What a pupil wrote into a cell, as an answer to an item."""

from __future__ import annotations

import re
from fractions import Fraction

from biaslab.malrules.answers import Answer, AnswerKind
from biaslab.malrules.classes.quizzes import Quiz

BLANKS = frozenset({"", "-", "–", "—", "?", ".", "/", "n/a", "na", "blank"})
"""Cells that mean that nothing was answered, in lower case."""

UNITS = frozenset(
    {
        "mm", "cm", "dm", "km", "ml", "cl", "dl", "kg", "min", "hour", "hours", "day", "days",
        "dollar", "dollars", "cent", "cents", "euro", "euros", "rest", "remainder", "degree",
        "degrees", "percent", "unit", "units", "square", "cubic",
    }
)  # fmt: skip
"""Words that may stand beside a number."""

_LETTER = re.compile(r"\(?([A-Da-d])[.):]?")
_MIXED = re.compile(r"(-?)(\d+) (\d+)/(\d+)", re.ASCII)
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)", re.ASCII)
_FRACTION = re.compile(r"(-?\d+)/(-?\d+)", re.ASCII)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?", re.ASCII)
_AROUND = re.compile(r"^[$€£]\s*|\s*(?:[$€£%°]|[a-zA-Z]+[²³]?\.?)+$")


def is_blank(text: str) -> bool:
    """Whether nothing was answered."""
    return text.casefold() in BLANKS


def read_written(text: str, quiz: Quiz, item: int) -> Answer | None:
    """The answer in a cell that is not blank; None where no answer can be read.

    A letter is the option with this letter in a quiz with options. Anything else is compared
    with what is known to be written for this item, then read as a number.
    """
    if quiz.design.letters and (match := _LETTER.fullmatch(text)):
        return quiz.options[item][match[1].upper()]
    right = quiz.right[item]
    wanted = _folded(text)
    for known in (right, *(each for given in quiz.gives[item].values() for each in given)):
        if _folded(known.shown) == wanted:
            return known
    if right.kind is not AnswerKind.NUMBER:
        return None
    value = read_number(text)
    if value is None:
        return None
    return Answer.number(value * _scale(right), text)


def read_number(text: str) -> Fraction | None:
    """A whole number, decimal (with point or comma), fraction or mixed number."""
    plain = text.replace("−", "-").strip()
    plain = _AROUND.sub("", _AROUND.sub("", plain)).strip()
    try:
        if match := _MIXED.fullmatch(plain):
            size = int(match[2]) + Fraction(int(match[3]), int(match[4]))
            return -size if match[1] else size
        if match := _FRACTION.fullmatch(plain.replace(" ", "")):
            return Fraction(int(match[1]), int(match[2]))
        if _THOUSANDS.fullmatch(plain):
            return Fraction(plain.replace(",", "").replace(" ", ""))
        plain = plain.replace(",", ".")
        return Fraction(plain) if _NUMBER.fullmatch(plain) else None
    except ZeroDivisionError:
        return None


def words_of(quiz: Quiz, item: int) -> frozenset[str]:
    """The words that an answer to this item can have, in lower case."""
    texts = [*quiz.items[item].options]
    texts += [each.shown for given in quiz.gives[item].values() for each in given]
    return UNITS.union(*(words_in(text) for text in texts))


def words_in(text: str) -> list[str]:
    """Runs of two or more letters, in lower case."""
    return [word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text)]


def digits_of(quiz: Quiz, item: int) -> int:
    """Most digits that a known answer to this item has."""
    known = [quiz.right[item], *(each for given in quiz.gives[item].values() for each in given)]
    return max(sum(sign.isdigit() for sign in each.shown) for each in known)


def _scale(right: Answer) -> Fraction:
    """What a number as written is worth: 25 % may be kept as 25 or as 1/4."""
    written = read_number(right.shown)
    if not written or not isinstance(right.value, Fraction) or not right.value:
        return Fraction(1)
    return right.value / written


def _folded(text: str) -> str:
    return re.sub(r"\s+", "", text.casefold().replace("−", "-"))
