"""Rationales told from a trace, with the final answer hidden.

A trace can be told in several ways: more or fewer of its steps, with or without the results of
steps. All of them are given, so that whoever puts an item together can choose lengths that do
not give the right option away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from biaslab.malrules.answers import Answer, AnswerKind
from biaslab.malrules.rules import Card
from biaslab.malrules.traces import Worked


class Style(StrEnum):
    """How a rationale is told."""

    TERSE = "terse"
    """The step that shows the idea, with at most one more."""
    WORKED = "worked"
    """Several steps with their arithmetic, a sentence each."""
    TEACHER = "teacher"
    """What to look for, and one question to ask."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One way to tell a trace.

    Attributes:
        text: the rationale.
        told: the clauses of the trace that it tells, as they stand in it.
        numbers: how many numbers it contains.
    """

    text: str
    told: tuple[str, ...]
    numbers: int


NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:/\d+)?")
"""A number as it stands in a rationale: ``12``, ``2.50``, ``3/4``."""

_MOST_TELLINGS = 12
# Where a clause can end early: before its result, or before what is done next.
_CUT = re.compile(
    r",? (?:and|or) (?=[a-z]+s\b)|, (?=[a-z]+s\b)|,? (?:so|then|which|to get|to find) |: |; "
    r"| = |, so "
)
_RESULT = re.compile(
    r"(?: = [^=]*|: [^:]*|,? (?:and (?:gets|writes|gives|has|reads)|to get|so) .*)$"
)
_FEWEST_WORDS = 3

# How the key is looked at in the manner of the cards, without a word on whether it is right.
GENERAL_LOOKS = (
    "Look at each step.",
    "Look for where each number comes from.",
    "Look for a reason given for every step of the working.",
    "Look for how the pupil decides what to do first and what to do after that.",
    "Look in the working for the meaning that the pupil gives to each of the numbers in turn.",
    "Look for a picture, a table or a few words beside the calculation that show what the pupil "
    "takes the question to ask for, and why each step follows from the one before.",
)
GENERAL_PROBES = (
    "Why does this work?",
    "How do you know that this step is allowed?",
    "Can you show me with a drawing how you worked this out?",
    "What would you do in the same way, and what differently, with other numbers?",
    "How could you check this in a way that has nothing to do with the way you worked it out?",
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Whether a text gives an answer away."""

    answer: Answer
    shown: str

    def given_in(self, text: str) -> bool:
        """Whether the answer stands in the text, as written or as an equal number."""
        if _pattern(self.shown, self.answer.kind).search(text):
            return True
        if self.answer.kind is not AnswerKind.NUMBER:
            return False
        value = abs(self.answer.value) if isinstance(self.answer.value, Fraction) else None
        return any(read_number(found) == value for found in NUMBER.findall(text))


def tellings(worked: Worked, shown: str, style: Style, card: Card | None = None) -> list[Telling]:
    """Every way in which a rationale may tell this trace; empty where none hides the answer.

    Args:
        worked: the trace and its answer.
        shown: the answer as the option writes it.
        style: terse, worked or teacher.
        card: of the mal-rule; None for the right way.
    """
    hidden = Hidden(worked.answer, shown)
    clauses = [step.text for step in worked.steps]
    versions = [_versions(clause, hidden) for clause in clauses]
    if not any(versions):
        return []
    if style is Style.TEACHER:
        return _teacher(worked, versions, hidden, card)
    found: dict[str, Telling] = {}
    for steps in _choices(worked, versions, style):
        longest = tuple(versions[index][0] for index in steps)
        shortest = tuple(versions[index][-1] for index in steps)
        for chosen in (longest, shortest):
            text = _join(chosen, style)
            told = tuple(clauses[index] for index in steps)
            found.setdefault(text, Telling(text, told, len(NUMBER.findall(text))))
        if len(found) >= _MOST_TELLINGS:
            break
    return list(found.values())


def numbers_in(text: str) -> set[str]:
    """The numbers that stand in a text, as written."""
    return set(NUMBER.findall(text))


@lru_cache(maxsize=65_536)
def read_number(text: str) -> Fraction | None:
    """The value of a number as it is written, None where it has none."""
    plain = text.replace(",", "")
    try:
        return Fraction(plain)
    except (ValueError, ZeroDivisionError):
        return None


def _choices(worked: Worked, versions: list[list[str]], style: Style) -> list[tuple[int, ...]]:
    """Which steps may be told together; the key step is told wherever it can be."""
    can = [index for index, each in enumerate(versions) if each]
    key = worked.key_step
    sizes = (1, 2) if style is Style.TERSE else (2, 3, 4)
    sets = [steps for size in sizes for steps in combinations(can, size)]
    if style is Style.WORKED and not sets:
        sets = [(index,) for index in can]
    if key in can:
        sets = [steps for steps in sets if key in steps]
    return sets


def _versions(clause: str, hidden: Hidden) -> list[str]:
    """A clause with the answer hidden: as long as can be, and without its result."""
    longest = clause if not hidden.given_in(clause) else _cut_before(clause, hidden)
    if longest is None:
        return []
    shorter = _RESULT.sub("", longest)
    if shorter != longest and _stands(shorter):
        return [longest, shorter]
    return [longest]


def _cut_before(clause: str, hidden: Hidden) -> str | None:
    """The longest beginning of the clause that does not give the answer away."""
    for place in reversed(list(_CUT.finditer(clause))):
        start = clause[: place.start()]
        if _stands(start) and not hidden.given_in(start):
            return start
    return None


def _stands(clause: str) -> bool:
    return (
        len(clause.split()) >= _FEWEST_WORDS
        and clause.count("(") == clause.count(")")
        and clause[:3] != "so "
    )


def _join(clauses: tuple[str, ...], style: Style) -> str:
    clauses = tuple(clause.removeprefix("so ") for clause in clauses)
    if style is Style.WORKED:
        return " ".join(_sentence(clause) for clause in clauses)
    return _sentence(", then ".join(clauses))


def _sentence(clause: str) -> str:
    return clause[:1].upper() + clause[1:] + "."


def _teacher(
    worked: Worked, versions: list[list[str]], hidden: Hidden, card: Card | None
) -> list[Telling]:
    known = set().union(*(numbers_in(step.text) for step in worked.steps))
    if card is None:
        looks, probes = list(GENERAL_LOOKS), list(GENERAL_PROBES)
    else:
        looks = [_without(card.look_for, known, hidden)]
        probes = [_without(card.probe, known, hidden)]
    told_first = worked.key_step if versions[worked.key_step] else None
    index = told_first
    if index is None:
        index = next(place for place, each in enumerate(versions) if each)
    clause = worked.steps[index].text
    found: dict[str, Telling] = {}
    for version in versions[index]:
        for look in looks:
            for probe in probes:
                text = " ".join(part for part in (_sentence(version), look, probe) if part)
                found.setdefault(text, Telling(text, (clause,), len(NUMBER.findall(text))))
    return list(found.values())


def _without(text: str, known: set[str], hidden: Hidden) -> str:
    """The sentences of a card whose numbers, if any, are this trace's own."""
    kept = [
        sentence
        for sentence in re.split(r"(?<=[.?!]) (?=[A-Z“\"])", text)
        if numbers_in(sentence) <= known and not hidden.given_in(sentence)
    ]
    return " ".join(kept)


@lru_cache(maxsize=65_536)
def _pattern(shown: str, kind: AnswerKind) -> re.Pattern[str]:
    """Finds an answer as it is written and not within a longer number or word."""
    exact = r"\s+".join(re.escape(part) for part in shown.split())
    if kind is AnswerKind.NUMBER:
        return re.compile(rf"(?<!\d)(?<!\d[.,/]){exact}(?!\d)(?![.,/]\d)")
    flags = 0 if len(shown) <= 2 else re.IGNORECASE
    return re.compile(rf"(?<![\w.^]){exact}(?![\w^]|\.\d)", flags)
