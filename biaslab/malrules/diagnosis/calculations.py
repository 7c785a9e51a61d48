"""The calculations and amounts that a written solution states, in the order of the text.

"15 + 6 = 21" and "15 plus 6 makes 21" are calculations; "Ben has 21" is a statement. A number
is never an answer just because it stands first in a sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_SIGNS = {
    "+": "+", "plus": "+", "added to": "+",
    "-": "-", "−": "-", "–": "-", "minus": "-", "take away": "-",
    "*": "*", "×": "*", "x": "*", "·": "*", "times": "*", "multiplied by": "*", r"\times": "*",
    "/": "/", "÷": "/", "divided by": "/", r"\div": "/",
}  # fmt: skip
_NUMBER = (
    r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]\d)|(?<![\w.,])-?\d{1,15}(?:\.\d{1,9})?(?!\d)"
)
_UNITS = r"(?:\s*(?!(?:and|is|are|equals?|makes?|gives?|plus|minus|times)\b)[A-Za-z']+){0,3}?"
_SIGN = (
    r"(?P<sign>\+|-|−|–|\*|×|·|/|÷|\\times|\\div|x(?=\s*\$?\d)|plus\b|minus\b|times\b"
    r"|take away\b|multiplied by\b|divided by\b|added to\b)"
)
_OPERAND = rf"\$?(?P<number>{_NUMBER})"
_OPERATOR = re.compile(rf"{_UNITS}\s*{_SIGN}\s*", re.IGNORECASE)
_FIRST = re.compile(_OPERAND)
_EQUALS = re.compile(
    rf"{_UNITS}\s*,?\s*(?:=|≈|equals\b|is equal to\b|is\b|makes\b|gives\b|gets\b|leaves\b"
    rf"|(?:so |and )?(?:you|we|she|he|they|that|this)(?: is| get| gets| have| has| leaves)\b)"
    rf"\s*(?:\*\*|\\boxed\{{)?\$?(?P<result>{_NUMBER})",
    re.IGNORECASE,
)
_NO_NUMBER = re.compile(
    r"^[ \t]*\(?\d{1,2}[.)](?=\s)|\b(?:steps?|questions?|problem|part)[ ]?#?\d{1,2}\b[:.)]?"
    r"|\*\*|\$|\\[()\[\]]|\\(?:boxed|text)\{|\}",
    re.IGNORECASE | re.MULTILINE,
)
"""List marks and labels, and marks of layout around numbers."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_RELATION = re.compile(r"\s*(?:times\b|(?:[A-Za-z]+\s+){0,2}?(?:more|fewer|less)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calculation:
    """A calculation as written: ``15 + 6 = 21``.

    Attributes:
        operands: its numbers.
        operations: the signs between them.
        result: what is said to come out; None where nothing is.
        sentence: where it stands.
        start: its place in the text.
    """

    operands: tuple[Fraction, ...]
    operations: tuple[str, ...]
    result: Fraction | None
    sentence: str
    start: int


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that is stated, not calculated and not part of a comparison."""

    value: Fraction
    sentence: str
    start: int


def read_calculations(text: str) -> tuple[Calculation | Stated, ...]:
    """What a solution calculates and states, in the order of the text."""
    found: list[Calculation | Stated] = []
    plain = _NO_NUMBER.sub(lambda match: " " * len(match[0]), text)
    for sentence, offset in _sentences(plain):
        place = 0
        while (first := _FIRST.search(sentence, place)) is not None:
            made, place = _from(sentence, first, offset)
            if made is not None:
                found.append(made)
    return tuple(found)


def _sentences(text: str) -> list[tuple[str, int]]:
    found, begin = [], 0
    for end in _SENTENCE_END.finditer(text):
        found.append((text[begin : end.start()], begin))
        begin = end.end()
    found.append((text[begin:], begin))
    return [(sentence, offset) for sentence, offset in found if sentence.strip()]


def _from(
    sentence: str, first: re.Match[str], offset: int
) -> tuple[Calculation | Stated | None, int]:
    operands, operations, end = [_value(first["number"])], [], first.end()
    while (sign := _OPERATOR.match(sentence, end)) is not None:
        number = _FIRST.match(sentence, sign.end())
        if number is None:
            break
        operations.append(_SIGNS[sign["sign"].lower()])
        operands.append(_value(number["number"]))
        end = number.end()
    start = offset + first.start()
    if operations:
        equals = _EQUALS.match(sentence, end)
        result = _value(equals["result"]) if equals else None
        made = Calculation(tuple(operands), tuple(operations), result, sentence.strip(), start)
        if equals and _OPERATOR.match(sentence, equals.end()) and _goes_on(sentence, equals.end()):
            # "18 - 5 = 13 - 4 = 9": the result begins the next calculation.
            return made, equals.start("result")
        return made, equals.end() if equals else end
    if _RELATION.match(sentence, end):
        return None, end
    return Stated(operands[0], sentence.strip(), start), end


def _goes_on(sentence: str, end: int) -> bool:
    sign = _OPERATOR.match(sentence, end)
    return sign is not None and _FIRST.match(sentence, sign.end()) is not None


def _value(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))
