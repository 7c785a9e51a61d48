"""Answers as people write them: numbers with units, fractions, expressions, choices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from schoolmath.malrules.answers import Answer, AnswerKind
from schoolmath.malrules.reading.tokens import take_apart
from schoolmath.malrules.reading.writing import in_one_line
from schoolmath.text.workings import stated_last

MOST_SIGNS = 60
"""Longest answer that is looked at."""
MOST_OF_A_WORKING = 2_000
"""Longest answer with its working."""
_MOST_DIGITS = 15

_MIXED = re.compile(r"(-?)(\d+) (\d+)/(\d+)", re.ASCII)
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)", re.ASCII)
_FRACTION = re.compile(r"(-?\d+)/(-?\d+)", re.ASCII)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?", re.ASCII)
_AROUND = re.compile(r"^[$€£]\s*|\s*(?:[$€£%°]|\([a-zA-Z ]+\)|[a-zA-Z]+[²³]?\.?)+$")
_EQUALS = re.compile(r"^(?:[a-z]|answer|ans)\s*[=:]\s*", re.IGNORECASE)


def read_given(
    text: str, right: Answer, known: Iterable[Answer], *, new_phrases: bool = True
) -> Answer | None:
    """What somebody answered; None where the text cannot be an answer of this kind.

    Compared first with how known answers are written, then read as a number, an expression or,
    where the right answer is a choice or a phrase, taken as it stands. What is no number itself,
    such as an answer with its working ("2/3 * 4/6 = 12/12 = 1"), is read by what stands last.

    Args:
        text: the answer as it is written, not blank.
        right: the right answer.
        known: answers that are known for this problem, such as those of mal-rules.
        new_phrases: whether a phrase that is not known can be an answer.
    """
    answers = (right, *known)
    last = stated_last(text) if len(text) <= MOST_OF_A_WORKING else text
    for said in (text, last):
        for each in answers:
            if folded(each.shown) == folded(said):
                return each
    if right.kind is AnswerKind.NUMBER:
        for said in (_EQUALS.sub("", text.strip()), last):
            value = read_number(said)
            if value is not None:
                return Answer.number(value * _scale(right), said)
        return None
    if not new_phrases or len(text) > MOST_SIGNS:
        return None
    if right.kind is not AnswerKind.EXPRESSION:
        return Answer.label(text)
    whole, end = _expression(text), _expression(last)
    return end if end is not None and end.kind is AnswerKind.EXPRESSION else whole


def read_number(text: str) -> Fraction | None:
    """A whole number, decimal (with point or comma), fraction or mixed number."""
    plain = text.replace("−", "-").strip()
    plain = _AROUND.sub("", _AROUND.sub("", plain)).strip()
    if sum(map(str.isdigit, plain)) > 2 * _MOST_DIGITS:
        return None
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


def folded(text: str) -> str:
    """A text without what does not matter in comparing answers: case, spaces, kinds of minus."""
    return re.sub(r"\s+", "", text.casefold().replace("−", "-"))


def _expression(text: str) -> Answer | None:
    """A number or a linear expression; None for any other, which is not told from a slip."""
    line = take_apart(in_one_line(text))
    if len(line.slots) != 1 or line.shape not in {"⟨x⟩", "⟨n⟩", "⟨f⟩"}:
        return Answer.label(text) if line.slots else None
    parts = line.slots[0].parts
    coefficients = [parts.get("constant", parts.get("value")), parts.get("factor", Fraction(0))]
    numbers = [each for each in coefficients if isinstance(each, Fraction)]
    return Answer.polynomial(numbers) if len(numbers) == 2 else None


def _scale(right: Answer) -> Fraction:
    """What a number as written is worth: 25 % may be kept as 25 or as 1/4."""
    written = read_number(right.shown)
    if not written or not isinstance(right.value, Fraction) or not right.value:
        return Fraction(1)
    return right.value / written
