"""Why a sentence could not be read, and what to write instead."""

from __future__ import annotations

import re
from typing import NamedTuple

from biaslab.problems.reading.shapes import MOST_WORDS
from biaslab.problems.reading.words import plain_words


class _Sign(NamedTuple):
    """What in a sentence tells why it was not read."""

    pattern: re.Pattern[str]
    reason: str


def _sign(pattern: str, reason: str) -> _Sign:
    return _Sign(re.compile(pattern), reason)


# Looked for in plain forms: has for had, fewer for less, digits for number words.
_SIGNS = (
    _sign(
        r"\d [.,] \d",
        "Only whole numbers are read: write the amounts in a smaller unit, such as cents.",
    ),
    _sign(r"%|\bpercent\b", "Percentages are not read: write a whole number."),
    _sign(
        r"\b(?:yesterday|tomorrow|ago|last (?:week|month|year|night))\b",
        "When it was is not read: leave that out and tell things in the order they happened.",
    ),
    _sign(
        r"\btimes more\b",
        "“Times more” can mean two things: write “times as many ... as”.",
    ),
    _sign(
        r"\bhow many more\b|\bhow many fewer\b|\bdifference\b",
        "The difference of two people is not asked for here: ask how many one person has.",
    ),
    _sign(
        r"^how many\b.*\b(?:they|we|both|all of)\b|^how many\b.*\band\b",
        "It asks for several people together: ask how many one person has.",
    ),
    _sign(
        r"^(?:how|what|which|who|why|when)\b",
        "This question is not known: ask “How many ... does ... have?”.",
    ),
    _sign(r"\b(?:i|we|you|me|us)\b", "Write a name in place of “I”, “we” or “you”."),
    _sign(
        r"\bmost\b|\b(?:largest|smallest|fewest)\b",
        "Only two people are compared at a time: write “3 more ... than ...”.",
    ),
    _sign(
        r"\bwhich (?:is|are)\b|\bwho\b",
        "Two things are said in one sentence: write a sentence for each.",
    ),
    _sign(
        r"^(?!.*\b(?:more|fewer|times)\b).*\bthan\b",
        "It compares, but not how many: write “3 more ... than” or “3 fewer ... than”.",
    ),
    _sign(
        r"\bas many\b(?!.*\bas many\b)",
        "Write how many times: “2 times as many ... as”.",
    ),
    _sign(
        r"\bhas \d+ (?:more|fewer)\b(?!.*\bthan\b)",
        "It does not say than who: add “than ...”, or write “gets 3 ...” for what is added.",
    ),
    _sign(r"\b1 / \d", "A part of an amount is read in “half as many ... as” only."),
    _sign(
        r"\b(?:some|few|several|lot|lots|couple|many)\b",
        "It does not say how many: write a number.",
    ),
    _sign(r"\bnot\b|n't\b", "What somebody does not have is not read: leave it out."),
    _sign(r"^\D*$", "It tells no amount: leave it out, or write it with a number."),
)
_OTHERWISE = (
    "This sentence is not known: write one thing in it, as in “Ana has 5 apples”, “Ana gives Ben "
    "3 apples” or “Ana has 2 more apples than Ben”."
)


def why_unread(sentence: str) -> str:
    """A sentence saying why this one was not read and what to do."""
    words = plain_words(sentence.rstrip(" .?!"))
    if len(words.raw) > MOST_WORDS:
        return f"It has more than {MOST_WORDS} words: write shorter sentences."
    if sentence[0].islower():
        return "It begins with a small letter: write names and sentences with a capital one."
    plain = " ".join(words.plain)
    return next((sign.reason for sign in _SIGNS if sign.pattern.search(plain)), _OTHERWISE)
