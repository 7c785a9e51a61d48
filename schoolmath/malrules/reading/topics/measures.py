"""Two amounts of one measure, one of them no whole number: together, how much more, what is left.

``Ralph walks 11/12 mile. Alice walks 2/3 mile. How much farther does Ralph walk?``
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from schoolmath.malrules.reading.topics.parts import GOES, with_fractions
from schoolmath.malrules.reading.topics.quantities import clauses
from schoolmath.text.plurals import singular_of

_AMOUNT = re.compile(
    r"(?P<money>[$£€₹])?(?<![\d/.])(?P<number>\d+ \d+/\d+|\d+/\d+|\d+\.\d+|\d+)(?![\d/]|\.\d)"
    r"(?: of an?)? ?(?P<unit>°? ?[a-z]+)?"
)
_TOGETHER = re.compile(r"\b(?:in all|in total|altogether|total|combined|together)\b")
_MORE = re.compile(
    r"\bhow (?:much|many) (?:more|less|farther|further|longer|shorter|heavier|lighter|taller|wider"
    r"|deeper|higher|faster|bigger)\b"
)
_LEFT = re.compile(r"\bhow (?:much|many|long)\b.*\b(?:left|remain(?:s|ing)?)\b")
_BY_HOW_MUCH = re.compile(
    r"\b(?:rises?|rose|risen|increased?s?|went up|goes up|falls?|fell|fallen|drops?|dropped"
    r"|decreased?s?|chang(?:es|ed)) from (?P<one>-?\d+(?:\.\d+)?)[^\d.-]* to "
    r"(?P<other>-?\d+(?:\.\d+)?)"
    r"[^\d]*\b(?:by how (?:much|many degrees)\b(?! percent)|what (?:is|was) the (?:rise|fall|drop"
    r"|increase|decrease|change)\b(?! percent| in percent| rate))[^\d%]*$"
)
_NO_DIFFERENCE = re.compile(r"\b(?:then|per|each|every)\b")
_LONGER_BY = re.compile(r"\b(?:longer|more|taller|wider|another|added|adds|heavier|deeper)\b")
_SHORTER_BY = re.compile(r"\b(?:shorter|less|fewer|smaller|lighter|lower|narrower)\b")
_NOW = re.compile(r"\bhow (?:much|long|tall|wide|heavy|deep|far)\b.*\bnow\b")
_TOLD_OF_MORE = re.compile(
    r"\b(?:each|every|per|times|twice|double|half|both|two|three|average|mean|another"
    r"|than|again|rest|others?|except|ratio|back|return|round trip)\b|%"
)
_OTHER_QUESTION = re.compile(
    r"\b(?:area|perimeter|volume|percent\w*|cost|price|needs?|must|should|reach|average|speed)\b"
)
_BUYS = re.compile(r"\b(?:buys?|bought|pays?|paid|spends?|spent)\b")
_THE_SAME = frozenset({"he", "she", "they", "i", "we", "it", "and", "then", "who", "you"})
_OTHER_ORDER = re.compile(r"\b(?:after|before)\b")


def two_measures(story: str) -> Sequence[str]:
    """The sum or the difference of two amounts in one unit; none where more is told of them."""
    story = with_fractions(story)
    if (changed := _BY_HOW_MUCH.search(story)) is not None and not _NO_DIFFERENCE.search(story):
        low, high = sorted((changed["one"], changed["other"]), key=Fraction)
        low = f"({low})" if low.startswith("-") else low
        return (f"{high} - {low}",) if Fraction(low.strip("()")) != Fraction(high) else ()
    told, question = clauses(story)
    text = re.sub(r"\bthe other (?=[a-z]+ (?:is|was|has)\b)", "the ", ". ".join(told))
    amounts = list(_AMOUNT.finditer(text))
    if len(amounts) != 2 or not question or re.search(r"\d", question):
        return ()
    asks = re.sub(r"\b(?:cost|price)\b", "", question) if amounts[0]["money"] else question
    if _OTHER_QUESTION.search(asks) or _SHORTER_BY.search(text):
        return ()
    (one, other), whole = (
        (each["number"] for each in amounts),
        [each["number"].isdigit() for each in amounts],
    )
    if all(whole) or _units(amounts) is None:
        return ()
    if _NOW.search(question) and _LONGER_BY.search(told[-1]) and len(told) == 2:
        return () if _TOLD_OF_MORE.search(told[0]) else (f"{one} + {other}",)
    if _TOLD_OF_MORE.search(text) or _LONGER_BY.search(text):
        return ()
    if _LEFT.search(question):
        between, behind = text[amounts[0].end() : amounts[1].start()], text[amounts[1].end() :]
        buys = amounts[0]["money"] and _BUYS.search(between)
        gone = buys or GOES.search(between) or re.match(rf"[^.;]*{GOES.pattern}", behind)
        alike = len(_things(text)) < 2 and not _OTHER_ORDER.search(text)
        goes = gone and alike and _spends_of_it(text)
        return (f"{one} - {other}",) if goes and _worth(one) > _worth(other) else ()
    if GOES.search(text) and not re.search(
        r"\b(?:reads?|eats?|ate|drinks?|drank|uses?|used)\b", text
    ):
        return ()
    if _MORE.search(question):
        less, more = sorted((one, other), key=_worth)
        return (f"{more} - {less}",) if less != more else ()
    return (f"{one} + {other}",) if _TOGETHER.search(question) else ()


def _spends_of_it(text: str) -> bool:
    """Whether who buys is who has the money, and the money is told of before."""
    buyer = re.search(rf"\b([a-z]+) {_BUYS.pattern}", text)
    return buyer is None or buyer[1] in _THE_SAME or text.startswith(f"{buyer[1]} ")


def _things(text: str) -> set[str]:
    """Of what the amounts are: ``2.5 kg of apples``."""
    return {singular_of(each) for each in re.findall(r"\d [a-z]+ of (?!the\b|it\b)([a-z]+)", text)}


def _worth(number: str) -> Fraction:
    return sum((Fraction(each) for each in number.split()), Fraction(0))


def _units(amounts: Sequence[re.Match[str]]) -> str | None:
    """The unit of both; None where they differ or one has none."""
    units = {each["money"] or singular_of((each["unit"] or "").strip("° ")) for each in amounts}
    return units.pop() if len(units) == 1 and "" not in units else None
