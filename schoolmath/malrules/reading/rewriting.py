"""The same question in the way of writing that a form of the catalogue has.

``x + 1/3 = 7`` is worked out as ``7 - 1/3``, ``1/2 __ 1/3`` asks which is larger,
``x^2 + 5x + 6 = 0`` is ``(x + 2)(x + 3) = 0``. Tried only for what is read in no other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from schoolmath.text.numbers import read_phrase

_NUMBER = r"-?(?:\d+ \d+/\d+|\d+/\d+|\d+\.\d+|\.\d+|\d+)"
_BLANK = r"(?:_+|\?|□|\[ *\]|\( *\)|\.\.\.)"
_COMPARED = re.compile(
    rf"(?:.*?[:,])? *({_NUMBER}) *(?:_+|□|\[ *\]|\( *\)|○) *({_NUMBER}) *(?:\(.*\))?"
)
_QUADRATIC = re.compile(
    r"(?:solve:? *)?(\d*) ?x(?:\^2|²) *(?:([+-]) *(\d*) ?x)? *(?:([+-]) *(\d+))? *= *0\.?",
    re.IGNORECASE,
)
_ADDED = re.compile(
    rf"(?:solve(?: for [a-z])?:? *)?(?:([a-z]) *([+-]) *({_NUMBER})|({_NUMBER}) *\+ *([a-z]))"
    rf" *= *({_NUMBER})",
    re.IGNORECASE,
)
_RATIO = re.compile(
    rf"(\d+) ?[:/] ?(\d+) ?= ?(?:([a-z]|{_BLANK}) ?[:/] ?(\d+)|(\d+) ?[:/] ?([a-z]|{_BLANK}))",
    re.IGNORECASE,
)
_OPEN = re.compile(rf"[\d +×÷*xX-]*{_BLANK}[\d +-]*= *\d+|\d+ *= *[\d +-]*{_BLANK}[\d +-]*")
_SPELLED = r"[a-z]+(?:-[a-z]+)?(?: (?:hundred|thousand)(?: (?:and )?[a-z]+(?:-[a-z]+)?)?)?"


class Rewriting(NamedTuple):
    """A question written in another way.

    Attributes:
        text: the other way.
        answers: what an answer to the first is to the other, where that differs.
    """

    text: str
    answers: Mapping[str, str] = {}


def rewritings(text: str) -> Iterator[Rewriting]:
    """Other ways of writing a question that have the same answer, in the order to try them.

    Args:
        text: a problem as it is typed, with single spaces.
    """
    plain = text.strip().replace("−", "-").rstrip("?").strip() if "=" not in text else text.strip()
    for way in (_comparison, _quadratic, _unknown_addend, _ratio, _open_sentence):
        found = way(plain)
        if found is not None:
            yield found
    for pattern, put in _PHRASINGS:
        if (match := pattern.fullmatch(plain)) is not None:
            yield Rewriting(match.expand(put))
    spelled = _in_digits(plain)
    if spelled != plain:
        yield Rewriting(spelled)


def _phrasings(*pairs: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(words.replace("NUM", f"({_NUMBER})"), re.IGNORECASE), put)
        for words, put in pairs
    )


_PHRASINGS = _phrasings(
    (r"(?:what is )?NUM (?:subtracted|taken away|taken) from NUM", r"\2 - \1"),
    (r"(?:subtract|take away|take) NUM from NUM", r"\2 - \1"),
    (r"(?:what is )?NUM less than NUM", r"\2 - \1"),
    (r"(?:what is )?NUM more than NUM", r"\2 + \1"),
    (r"(?:what is )?NUM squared", r"\1^2"),
    (r"(?:what is )?NUM cubed", r"\1^3"),
    (r"(?:what is )?(?:sqrt ?\(? ?|the square root of |square root of )(\d+) ?\)?", r"√\1"),
    (r"(?:reduce|lower|cut) NUM by NUM ?%", r"Decrease \1 by \2%"),
    (r"(?:what is )?\( ?(\d+) ?([+-]) ?(\d+) ?\) ?[x×*] ?(\d+)", r"\4 × (\1 \2 \3)"),
    (r"(.*\d.*?) (?:is|equals|=)(?: \?)?", r"\1"),
    (r"(?:what is the |what's the |the )?next (?:number|term):? ?(?:in )?(\d[\d, -]*\d)",
     r"A pattern goes on in the same way: \1, _. Which number comes next?"),
    (r"(.*\S) (?:remainder|with remainder|and remainder)", r"\1"),
    (r"area (?:of )?(?:a |the )?circle,? (?:with )?(?:a )?radius (?:of )?(\d+)",
     r"area of a circle with radius \1"),
)  # fmt: skip


def _comparison(text: str) -> Rewriting | None:
    match = _COMPARED.fullmatch(text)
    if match is None:
        return None
    first, second = match[1], match[2]
    larger = {">": first, "<": second, "greater than": first, "less than": second}
    return Rewriting(f"Which is larger, {first} or {second}?", larger | {"=": "equal"})


def _quadratic(text: str) -> Rewriting | None:
    """An equation with whole roots, by its factors."""
    match = _QUADRATIC.fullmatch(text)
    if match is None:
        return None
    lead = int(match[1] or 1)
    middle = int((match[2] or "+") + (match[3] or "1")) if match[2] else 0
    last = int((match[4] or "+") + (match[5] or "0"))
    square = middle**2 - 4 * lead * last
    if not lead or square < 0 or isqrt(square) ** 2 != square:
        return None
    roots = [Fraction(-middle + sign * isqrt(square), 2 * lead) for sign in (-1, 1)]
    if any(root.denominator != 1 for root in roots):
        return None
    brackets = "".join(f"(x {'-' if root > 0 else '+'} {abs(root)})" for root in roots)
    return Rewriting(f"{brackets} = 0")


def _unknown_addend(text: str) -> Rewriting | None:
    """``x + 1/3 = 7`` is 7 - 1/3; with whole numbers it is an equation of its own."""
    match = _ADDED.fullmatch(text)
    if match is None:
        return None
    added, total = match[3] or match[4], match[6]
    if re.fullmatch(r"-?\d+", added) and re.fullmatch(r"-?\d+", total):
        return None
    return Rewriting(f"{total} {'+' if match[2] == '-' else '-'} {added}")


def _ratio(text: str) -> Rewriting | None:
    """A proportion as two equal fractions, the missing number on top."""
    match = _RATIO.fullmatch(text)
    if match is None:
        return None
    if match[3]:
        return Rewriting(f"{match[1]}/{match[2]} = _/{match[4]}")
    return Rewriting(f"{match[2]}/{match[1]} = _/{match[5]}")


def _open_sentence(text: str) -> Rewriting | None:
    """One blank in a number sentence is an unknown."""
    found = re.findall(_BLANK, text)
    if len(found) != 1 or not _OPEN.fullmatch(text):
        return None
    return Rewriting(text.replace(found[0], "x"))


_WORDS: Mapping[str, str] = {
    "plus": "+", "minus": "-", "take away": "-", "times": "×", "multiplied by": "×",
    "divided by": "÷",
}  # fmt: skip


def _in_digits(text: str) -> str:
    """``seventeen plus five`` in digits and signs."""
    signs = "|".join(_WORDS)
    match = re.fullmatch(rf"(?:what is )?({_SPELLED}) ({signs}) ({_SPELLED})", text, re.IGNORECASE)
    if match is None:
        return text
    values = [read_phrase(match[at].lower()) for at in (1, 3)]
    if any(len(each) != 1 or each[0].value is None for each in values):
        return text
    return f"{values[0][0].value} {_WORDS[match[2].lower()]} {values[1][0].value}"
