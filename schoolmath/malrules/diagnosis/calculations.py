"""The calculations, amounts and operations that a written solution states, in their order.

"15 + 6 = 21" and "15 plus 6 makes 21" are calculations; "Ben has 21" is a statement. A number
is never an answer just because it stands first in a sentence. A name that a line gives a number
("ben = 15") stands for it in calculations. A third of something ("1/3 * 15") is 15 / 3.

Operation and number are two findings. ``17 - 18 = 2`` where 18 is to be added is the reversed
operation, and that is miscalculated; from the 2 alone neither could be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from schoolmath.malrules.catalogue.stories.chain import COMPARISON
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis.diagnosing import is_rounded

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


def _number_of(numbers: Mapping[str, tuple[str, int]], place: int, name: re.Match[str]) -> str:
    """The number that a name has at this place; the name itself where it has none yet."""
    number, known_from = numbers.get(name[0], (name[0], 0))
    return number if known_from <= place else name[0]


def _sentences(text: str) -> list[tuple[str, int]]:
    found, begin = [], 0
    for end in _SENTENCE_END.finditer(text):
        found.append((text[begin : end.start()], begin))
        begin = end.end()
    found.append((text[begin:], begin))
    return [(sentence, offset) for sentence, offset in found if sentence.strip()]


def _from(
    sentence: str, first: re.Match[str], offset: int, question: str
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
        made = Calculation(*_of_parts(operands, operations), result, question, start)
        if equals and _goes_on(sentence, equals.end()):
            # "18 - 5 = 13 - 4 = 9": the result begins the next calculation.
            return made, equals.start("result")
        return made, equals.end() if equals else end
    if _RELATION.match(sentence, end) or (over and Fraction(above) == 1):
        return None, end
    return StatedNumber(operands[0], question, start), end


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


@dataclass(frozen=True, slots=True)
class WrittenOperation:
    """One calculation of two numbers, as written.

    Attributes:
        left, right: its numbers; operation: one of ``+ - * /``.
        result: what is said to come out, or what does where nothing is said; None: nothing is
            said, and nothing can come out (a division by 0).
        miscalculated: whether the result is another number than the calculation gives.
    """

    left: Fraction
    operation: str
    right: Fraction
    result: Fraction | None
    miscalculated: bool


def written_operations(story: Story, text: str) -> Mapping[int, WrittenOperation]:
    """The calculation that a working does at each step, by the step's index from 0.

    A calculation is a step's if it takes the step's number together with the amount that the
    step starts from: the right one, or what the working has there. Where none does, it is one that
    takes this number together with an amount, where the number is nothing else in problem and
    working. What is divided by something else is not, nor is a check of a result
    (``35 - 18 = 17`` after ``17 + 18``). A step that is done in two ways is left out.

    Args:
        story: the problem.
        text: reasoning and answer, as written.
    """
    pieces = list(_pieces(read_calculations(text)))
    amounts = [Fraction(each) for each in story.amounts]
    told = [Fraction(each) for each in story.numbers_in_text]
    reckoned = {*amounts, *(each.result for each in pieces)}
    numbers = {Fraction(each) for each in (*story.numbers, *story.irrelevant)}
    found: dict[int, WrittenOperation] = {}
    reached: Fraction | None = None
    for index, number in enumerate(map(Fraction, story.numbers)):
        have = {amounts[index], amounts[index] if reached is None else reached}
        own = [each for each in pieces if any(_takes(each, number, one) for one in have)]
        if not own and told.count(number) == 1 and number not in reckoned:
            own = [
                each
                for each in pieces
                if numbers.intersection((each.left, each.right)) == {number}
                and (each.right == number or each.operation != "/")
                and each.left != each.right
                and each.result not in have
            ]
        reached = None
        if own and len({each.operation for each in own}) == 1:
            found[index] = own[-1]
            reached = own[-1].result
    return found


def reversed_comparisons(
    story: Story, operations: Mapping[int, WrittenOperation]
) -> Mapping[int, bool]:
    """Of the inconsistent comparisons whose operation is written: whether the words' one is done.

    Args:
        story: the problem.
        operations: of `written_operations`.
    """
    return {
        index: operations[index].operation == story.keywords[index]
        for index in inconsistent_comparisons(story)
        if index in operations
    }


def inconsistent_comparisons(story: Story) -> Sequence[int]:
    """The steps where a comparison's words suggest another operation than is needed."""
    return [
        index
        for index in story.steps
        if story.concepts[index] == COMPARISON and story.inconsistent(index)
    ]


def _pieces(calculations: Sequence[object]) -> Iterator[WrittenOperation]:
    """Calculations of several numbers, taken apart from left to right."""
    for each in calculations:
        if not isinstance(each, Calculation):
            continue
        value = each.operands[0]
        steps = list(zip(each.operations, each.operands[1:], strict=True))
        for place, (operation, number) in enumerate(steps):
            exact = exactly(operation, value, number)
            stated = each.result if place == len(steps) - 1 else None
            result = exact if stated is None else stated
            yield WrittenOperation(value, operation, number, result, is_other(result, exact))
            if exact is None:
                break
            value = exact


def is_other(number: Fraction | None, exact: Fraction | None) -> bool:
    """Whether what is written is another number than what comes out, rounded or not."""
    if number is None or exact is None:
        return number is not exact
    return number != exact and not is_rounded(number, exact)


def _takes(piece: WrittenOperation, number: Fraction, amount: Fraction) -> bool:
    turned = (piece.left, piece.right) == (number, amount) and piece.operation != "/"
    return turned or (piece.left, piece.right) == (amount, number)
