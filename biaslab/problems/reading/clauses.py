"""A sentence that says several things, taken apart: "Ana gives Ben 3 pens, and Cem 2 pens".

Each part has to be a sentence of its own once the beginning that it shares with the part before
is put in front of it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from biaslab.problems.reading.entities import Things
from biaslab.problems.reading.reasons import why_unread
from biaslab.problems.reading.said import Said
from biaslab.problems.reading.sentences import Unclear, read_clause
from biaslab.problems.reading.shapes import all_shapes
from biaslab.problems.reading.words import plain_words

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
    said: Said | None
    reason: str = ""


def read_sentence(text: str, things: Things) -> tuple[Clause, ...]:
    """What a sentence says, part by part."""
    try:
        whole = read_clause(text, things)
    except Unclear as error:
        return (Clause(text, None, str(error)),)
    if whole is not None:
        return tuple(Clause(text, said) for said in whole)
    unclear: list[str] = []
    apart = _apart(text, things, unclear)
    return apart or (Clause(text, None, unclear[0] if unclear else why_unread(text)),)


def _apart(text: str, things: Things, unclear: list[str]) -> tuple[Clause, ...]:
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
    said: tuple[Said, ...]


def _part(
    part: str, beginnings: tuple[str, ...], things: Things, unclear: list[str]
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
