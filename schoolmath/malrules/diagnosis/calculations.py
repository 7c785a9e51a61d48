"""The calculations and amounts that a written solution states, in the order of the text.

"15 + 6 = 21" and "15 plus 6 makes 21" are calculations; "Ben has 21" is a statement. A number
is never an answer just because it stands first in a sentence. A name that a line gives a number
("ben = 15") stands for it in calculations. A third of something ("1/3 * 15") is 15 / 3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

_SIGNS = {
    "+": "+", "plus": "+", "added to": "+",
    "-": "-", "−": "-", "–": "-", "minus": "-", "take away": "-",
    "*": "*", "×": "*", "x": "*", "·": "*", "times": "*", "multiplied by": "*", r"\times": "*",
    "/": "/", "÷": "/", "divided by": "/", r"\div": "/",
}  # fmt: skip
_OVER = "\u2044"
"""The fraction slash, between the halves of a fraction in what is read."""
_NUMBER = (
    r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]\d)"
    rf"|(?<![\w.,{_OVER}])-?\d{{1,15}}(?:\.\d{{1,9}}|{_OVER}\d{{1,9}})?(?!\d)"
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
_FRACTION = re.compile(
    r"\\d?frac\s?\{\s?(\d{1,9})\s?\}\s?\{\s?(0*[1-9]\d{0,7})\s?\}"
    r"|(?<![\w.,/])(\d{1,9})/(0*[1-9]\d{0,7})(?!\d|[./]\d)"
)
_GIVEN = re.compile(rf"^[ \t]*([A-Za-z]\w{{0,60}})\s*=\s*({_NUMBER})[ \t]*(?:#.*)?$", re.MULTILINE)
_NAME = re.compile(
    r"(?<![\w.])[A-Za-z]\w{0,60}(?=\s*[-+*/×÷·−])|(?<=[-+*/×÷·−]\s)[A-Za-z]\w{0,60}(?!\w)"
)
_EQUATION = re.compile(r"\s*=\s*[A-Za-z]\w{0,60}\s*[-+*/×÷·−]\s*\$?\d")
"""Goes on where both sides of an equation are changed: "145 - 311 = g - 311"."""
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
class StatedNumber:
    """A number that is stated, not calculated and not part of a comparison."""

    value: Fraction
    sentence: str
    start: int


def read_calculations(text: str) -> tuple[Calculation | StatedNumber, ...]:
    """What a solution calculates and states, in the order of the text."""
    found: list[Calculation | StatedNumber] = []
    plain = _NO_NUMBER.sub(lambda match: " " * len(match[0]), _FRACTION.sub(_as_fraction, text))
    given = _given(plain)
    for sentence, offset in _sentences(plain):
        told = sentence.strip().replace(_OVER, "/")
        read = _NAME.sub(partial(_number_of, given, offset), sentence)
        place = 0
        while (first := _FIRST.search(read, place)) is not None:
            made, place = _from(read, first, offset, told)
            if made is not None:
                found.append(made)
    return tuple(found)


def _as_fraction(match: re.Match[str]) -> str:
    """A fraction with its slash, as long as what it stands for."""
    above, below = (each for each in match.groups() if each)
    return f"{above}{_OVER}{below}".ljust(len(match[0]))


def _given(text: str) -> dict[str, tuple[str, int]]:
    """Names that lines give a number, and nowhere another one: the number, and where from on."""
    found: dict[str, tuple[str, int]] = {}
    twice = set()
    for match in _GIVEN.finditer(text):
        number, _ = found.setdefault(match[1], (match[2], match.end()))
        if number != match[2]:
            twice.add(match[1])
    return {name: where for name, where in found.items() if name not in twice}


def _number_of(given: Mapping[str, tuple[str, int]], place: int, name: re.Match[str]) -> str:
    """The number that a name has at this place; the name itself where it has none yet."""
    number, known_from = given.get(name[0], (name[0], 0))
    return number if known_from <= place else name[0]


def _sentences(text: str) -> list[tuple[str, int]]:
    found, begin = [], 0
    for end in _SENTENCE_END.finditer(text):
        found.append((text[begin : end.start()], begin))
        begin = end.end()
    found.append((text[begin:], begin))
    return [(sentence, offset) for sentence, offset in found if sentence.strip()]


def _from(
    sentence: str, first: re.Match[str], offset: int, told: str
) -> tuple[Calculation | StatedNumber | None, int]:
    operands, operations, end = [_value(first["number"])], list[str](), first.end()
    while (sign := _OPERATOR.match(sentence, end)) is not None:
        number = _FIRST.match(sentence, sign.end())
        if number is None:
            break
        operations.append(_SIGNS[sign["sign"].lower()])
        operands.append(_value(number["number"]))
        end = number.end()
    start = offset + first.start()
    above, over, below = first["number"].partition(_OVER)
    worked_out = sentence[: first.start()].rstrip().endswith("=") or _EQUALS.match(sentence, end)
    if over and Fraction(above) != 1 and (operations or worked_out):
        # "14/7 = 2" is a division; "the answer is 14/7" a number, and a third a part of something.
        operands[:1] = Fraction(above), Fraction(below)
        operations.insert(0, "/")
    if operations and _EQUATION.match(sentence, end):
        return None, end
    if operations:
        equals = _EQUALS.match(sentence, end)
        result = _value(equals["result"]) if equals else None
        made = Calculation(*_of_parts(operands, operations), result, told, start)
        if equals and _goes_on(sentence, equals.end()):
            # "18 - 5 = 13 - 4 = 9": the result begins the next calculation.
            return made, equals.start("result")
        return made, equals.end() if equals else end
    if _RELATION.match(sentence, end) or (over and Fraction(above) == 1):
        return None, end
    return StatedNumber(operands[0], told, start), end


def _of_parts(
    operands: Sequence[Fraction], operations: Sequence[str]
) -> tuple[tuple[Fraction, ...], tuple[str, ...]]:
    """Times a third as divided by 3, wherever the third stands."""
    numbers, signs = list(operands), list(operations)
    if signs[0] == "*" and _is_part(numbers[0]) and not _is_part(numbers[1]):
        numbers[:2] = numbers[1], numbers[0]
    for place, sign in enumerate(signs):
        if sign in "*/" and _is_part(numbers[place + 1]):
            signs[place] = "/" if sign == "*" else "*"
            numbers[place + 1] = 1 / numbers[place + 1]
    return tuple(numbers), tuple(signs)


def _is_part(number: Fraction) -> bool:
    return number.numerator == 1 and number.denominator > 1


def _goes_on(sentence: str, end: int) -> bool:
    sign = _OPERATOR.match(sentence, end)
    return sign is not None and _FIRST.match(sentence, sign.end()) is not None


def _value(text: str) -> Fraction:
    return Fraction(text.replace(",", "").replace(_OVER, "/"))


def exactly(operation: str, left: Fraction, right: Fraction) -> Fraction | None:
    """What comes out of one of ``+ - * /``; None for a division by 0."""
    if operation == "/":
        return None if right == 0 else left / right
    return left * right if operation == "*" else left + right if operation == "+" else left - right
