"""Numbers as a question wants them: amounts in two units, dozens, and places in an order.

"3 hours and 15 minutes" is one amount, of which 15 is no answer: 195 where minutes are asked for.
"2 dozen" is 24, and 2 where dozens are asked for. "7th" is a number only where a place is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from biaslab.studies.answers.asked import DOZEN, MONEY, QuestionTarget, singular
from biaslab.studies.answers.written_numbers import AnswerToken
from schoolmath.text.numbers import ORDINALS


def _sizes(*units: tuple[str, int]) -> dict[str, int]:
    return {name: size for names, size in units for name in names.split()}


_DIMENSIONS: tuple[Mapping[str, int], ...] = tuple(
    MappingProxyType(sizes)
    for sizes in (
        _sizes(("second sec", 1), ("minute min", 60), ("hour hr", 3600), ("day", 86_400),
               ("week", 604_800)),
        _sizes(("month", 1), ("year", 12)),
        _sizes(("inch", 1), ("foot feet ft", 12), ("yard", 36)),
        _sizes(("millimeter millimetre mm", 1), ("centimeter centimetre cm", 10),
               ("meter metre m", 1000), ("kilometer kilometre km", 1_000_000)),
        _sizes(("ounce", 1), ("pound", 16)),
        _sizes(("gram g", 1), ("kilogram kg", 1000)),
        _sizes(("cup", 1), ("pint", 2), ("quart", 4), ("gallon", 16)),
        _sizes(("milliliter millilitre ml", 1), ("liter litre", 1000)),
        _sizes(("cent", 1), ("dollar", 100)),
    )
)  # fmt: skip
"""Units that are written together, each with its size in the smallest of them."""

_RATES = frozenset({"a", "an", "per", "each", "every"})
_ORDINAL = re.compile(r"(\d{1,9})\s?(?:st|nd|rd|th)")


def for_question(
    text: str, tokens: Sequence[AnswerToken], target: QuestionTarget
) -> Iterator[AnswerToken]:
    """The tokens of a text, its numbers as the question wants them."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        behind = _second_part(text, tokens, at) if token.kind == "number" else None
        if behind is not None:
            yield _together(text, tokens, at, behind, target)
            at = behind + 2
            continue
        if target.order and token.kind == "word" and (place := _place(token.text)) is not None:
            token = token._replace(kind="number", value=Fraction(place))
        elif token.text.endswith("%") and _is_part(tokens, at, target):
            token = token._replace(role="division")  # 25% of the clients: nothing is calculated yet
        elif target.difference and token.role == "comparison":
            token = token._replace(role="plain")
        elif target.unit == DOZEN and token.value is not None and token.text.endswith(DOZEN):
            token = token._replace(value=token.value / 12)
        yield token
        at += 1


def is_of_another_unit(units: frozenset[str], text: str, target: QuestionTarget) -> bool:
    """Whether a number counts in another unit than the one that is asked for.

    Args:
        units: the words behind it.
        text: the number as it stands.
        target: what the question wants. Hours where minutes are asked for, dollars where cents or
            apples are, eggs where dozens of them are.
    """
    if target.unit in units:
        return False
    if "dollar" in units and target.cents:
        return True
    if not units.isdisjoint(MONEY) and target.things and not target.money:
        return units.isdisjoint(target.things)
    if target.unit == DOZEN:
        return bool(units) and DOZEN not in units and not text.lower().endswith(DOZEN)
    if target.unit not in target.things:
        return False  # money of which no unit was named
    sizes = _dimension(target.unit)
    return any(size != sizes[target.unit] for unit in units if (size := sizes.get(unit)))


def _is_part(tokens: Sequence[AnswerToken], at: int, target: QuestionTarget) -> bool:
    wanted = target.percent or target.share
    return not wanted and at + 1 < len(tokens) and tokens[at + 1].text == "of"


def _dimension(unit: str) -> Mapping[str, int]:
    return next((sizes for sizes in _DIMENSIONS if unit in sizes), {})


def _unit(text: str, tokens: Sequence[AnswerToken], at: int) -> str:
    """The unit of a number: the word behind it, or a sign of money before it."""
    if at + 1 < len(tokens) and tokens[at + 1].kind == "word":
        word = singular(tokens[at + 1].text)
        if _dimension(word):
            return word
    return "dollar" if text[: tokens[at].start].endswith("$") else ""


def _second_part(text: str, tokens: Sequence[AnswerToken], at: int) -> int | None:
    """Where the number in the smaller unit stands, such as the 15 of "3 hours and 15 minutes"."""
    large = _unit(text, tokens, at)
    if not large or tokens[at].value is None:
        return None
    behind = at + (1 if text[: tokens[at].start].endswith("$") else 2)
    if behind < len(tokens) and tokens[behind].text == "and":
        behind += 1
    if behind + 1 >= len(tokens) or tokens[behind].kind != "number":
        return None
    sizes, value = _dimension(large), tokens[behind].value
    small = sizes.get(singular(tokens[behind + 1].text))
    if small is None or value is None or not 0 <= value * small < sizes[large]:
        return None
    ahead = tokens[behind + 2].text if behind + 2 < len(tokens) else ""
    return None if ahead in _RATES or ahead.startswith("/") else behind


def _together(
    text: str, tokens: Sequence[AnswerToken], at: int, behind: int, target: QuestionTarget
) -> AnswerToken:
    first, second = tokens[at], tokens[behind]
    large = _unit(text, tokens, at)
    sizes = _dimension(large)
    wanted = sizes.get(target.unit)
    value = None
    if wanted is not None and first.value is not None and second.value is not None:
        small = sizes[singular(tokens[behind + 1].text)]
        value = (first.value * sizes[large] + second.value * small) / wanted
    return first._replace(end=tokens[behind + 1].end, value=value)


def _place(word: str) -> int | None:
    digits = _ORDINAL.fullmatch(word)
    return int(digits[1]) if digits else ORDINALS.get(word)
