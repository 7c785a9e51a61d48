"""A sentence that says several things, taken apart: "Ana gives Ben 3 pens, and Cem 2 pens".

Each part has to be a sentence of its own once the beginning that it shares with the part before
is put in front of it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from schoolmath.problems.reading.entities import TextEntities
from schoolmath.problems.reading.sentences import Unclear, read_clause
from schoolmath.problems.reading.shapes import MOST_WORDS, all_shapes
from schoolmath.problems.reading.utterances import Utterance
from schoolmath.problems.reading.words import plain_words


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


MOST_PARTS = 10
"""A sentence of more parts is not taken apart."""

_JOINT = re.compile(r",? (?:and then|and|but then|but|then|while|whereas) |, ")


class Clause(NamedTuple):
    """A part of a text that says one thing, or that could not be read.

    Attributes:
        text: as it stands.
        said: what it says; None where it was not read.
        reason: why not, and what to write instead; "" where it was.
    """

    text: str
    said: Utterance | None
    reason: str = ""


def read_sentence(text: str, things: TextEntities) -> tuple[Clause, ...]:
    """What a sentence says, part by part."""
    try:
        whole = read_clause(text, things)
    except Unclear as error:
        return (Clause(text, None, str(error)),)
    if whole is not None:
        return tuple(Clause(text, said) for said in whole)
    unclear: list[str] = []
    separated = _separated(text, things, unclear)
    return separated or (Clause(text, None, unclear[0] if unclear else why_unread(text)),)


def _separated(text: str, things: TextEntities, unclear: list[str]) -> tuple[Clause, ...]:
    """The parts of a sentence, none if it has no such parts; notes what is unclear in them."""
    joints = list(_JOINT.finditer(text))
    if not 0 < len(joints) < MOST_PARTS:
        return ()
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(text)]
    found: list[Clause] = []
    beginnings: tuple[str, ...] = ()
    first = 0
    while first < len(starts):
        for last in range(first, len(ends)):
            part = text[starts[first] : ends[last]]
            read = _part(part, beginnings, things, unclear)
            if read is not None:
                break
        else:
            return ()
        found += [Clause(part, said) for said in read.said]
        beginnings = _beginnings(read.whole)
        first = last + 1
    return tuple(found) if len(found) > 1 else ()


class _Part(NamedTuple):
    whole: str
    said: tuple[Utterance, ...]


def _part(
    part: str, beginnings: tuple[str, ...], things: TextEntities, unclear: list[str]
) -> _Part | None:
    for beginning in ("", *beginnings):
        whole = f"{beginning} {part}".strip()
        try:
            said = read_clause(whole, things)
        except Unclear as error:
            unclear.append(str(error))
            continue
        if said is not None:
            return _Part(whole, said)
    return None


def _beginnings(text: str) -> tuple[str, ...]:
    """What the next part may share: the subject, the subject and the verb, all to the number."""
    words = plain_words(text.rstrip(" .?!"))
    match = all_shapes().match(words.raw, words.plain)
    if match is None:
        return ()
    places = sorted(match.gaps.values())
    if places[0][0] != 0 or len(places) < 2:
        return ()
    ends = [places[0][1], places[1][0]]
    if "q" in match.gaps:
        ends.append(match.gaps["q"][0])
    return tuple(dict.fromkeys(" ".join(words.raw[:end]) for end in ends))
