"""Rationales told from a trace, with the final answer hidden.

A trace can be told in several ways: more or fewer of its steps, with or without the results of
steps. All of them are given, so that whoever puts an item together can choose lengths that do
not give the right option away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from schoolmath.malrules.answers import Answer, AnswerKind, Working


class RationaleStyle(StrEnum):
    """How a rationale is told."""

    TERSE = "terse"
    """The step that shows the idea, with at most one more."""
    WORKED = "worked"
    """Several steps with their arithmetic, a sentence each."""
    TEACHER = "teacher"
    """The step that shows the idea, and one of `QUESTIONS` to ask about it."""


@dataclass(frozen=True, slots=True)
class RationaleTelling:
    """One way to tell a trace.

    Attributes:
        text: the rationale.
        told: the clauses that it tells, as they stand in it.
        numbers: how many numbers it contains.
        strain: how far it is from the plainest: 1 for each clause with “this number” in the
            place of the answer.
        steps: which steps of the trace the clauses tell.
    """

    text: str
    told: tuple[str, ...]
    numbers: int
    strain: int = 0
    steps: tuple[int, ...] = ()


NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:/\d+)?")
"""A number as it stands in a rationale: ``12``, ``2.50``, ``3/4``."""

POINTED, POINTED_TEXT = "this number", "this answer"
"""Stand in the places of an answer that is hidden: a number, or anything else."""

_SIGNED = re.compile(r"(?<![\w)])-?" + NUMBER.pattern + "|" + NUMBER.pattern)
_MOST_TELLINGS = 24
# Where a clause can end early: before its result, or before what is done next.
_CUT = re.compile(
    r",? (?:and|or) (?=[a-z]+s\b)|, (?=[a-z]+s\b)|, (?:so|then|which) | to (?:get|find) |: |; | = "
    r"|, (?=\$?-?\d[\d.,/]*%?$)"
)
_RESULT = re.compile(
    r"(?: = [^=]*|: [^:]*|,? and (?:gets|writes|gives|has|reads) .*| to get .*|, (?:so|which) .*)$"
)
_LISTED = re.compile(
    r"\d,? (?:and |or )?this (?:number|answer)|this (?:number|answer),? (?:and |or )?\d"
)
_FEWEST_WORDS = 3
_SIZES = {
    RationaleStyle.TERSE: (1, 2),
    RationaleStyle.WORKED: (2, 3, 4),
    RationaleStyle.TEACHER: (1, 2),
}
"""How many steps are told together."""

QUESTIONS = (
    "How did you get this?",
    "What did you do first?",
    "Why did you choose this way?",
    "Can you tell me each of your steps once more?",
    "How could you check this in another way?",
    "What does each number of your working stand for?",
    "Can you show with a drawing what you did here?",
    "What would you do if the numbers were ten times larger?",
    "Which words of the question told you what to do?",
    "How would you explain this line to somebody who has missed the lesson?",
    "Is there a step of which you are less sure than of the others, and why?",
    "What did you expect before you began, and how does your result fit with that?",
)
"""What a teacher may ask about any working, right or wrong. Nothing in a question may depend on
the option that it stands with: which ones are asked is drawn for the item, before anything else
is chosen (see `Balance.choose`)."""


@dataclass(frozen=True, slots=True)
class GiveawayCheck:
    """Whether a text gives an answer away.

    Attributes:
        answer: what is hidden.
        shown: as its option writes it.
        question: numbers of the question: they may be told though they equal the answer, as
            21/24 where it is to be written as 7/8.
    """

    answer: Answer
    shown: str
    question: frozenset[str] | set[str] = frozenset()

    def given_in(self, text: str) -> bool:
        """Whether the answer stands in the text, as written or as an equal number.

        A decimal and an equal fraction are not counted as one: in a question that asks for the
        one from the other there would be nothing left to tell.
        """
        # Looked for plainly first: hardly any text has it, and patterns take long to make.
        begins = self.shown.split(maxsplit=1)[0].lower()
        if begins in text.lower() and _pattern(self.shown, self.answer.kind).search(text):
            return True
        if self.answer.kind is not AnswerKind.NUMBER:
            return False
        return any(
            found not in self.question
            and read_number(found) == self.answer.value
            and ("/" in found) == ("/" in self.shown)
            for found in _SIGNED.findall(text)
        )


def tellings(question: str, working: Working, style: RationaleStyle) -> list[RationaleTelling]:
    """Every way in which a rationale may tell this trace; empty where none hides the answer.

    Each of them tells the step that shows the idea.

    In the teacher style a question follows, which `asking` adds.

    Args:
        question: what is asked.
        working: the trace, and its answer as the option writes it.
        style: terse, worked or teacher.
    """
    hidden = GiveawayCheck(
        working.answer, working.answer.shown, frozenset(NUMBER.findall(question))
    )
    clauses = [step.text for step in working.steps]
    versions = [_versions(clause, hidden) for clause in clauses]
    if not versions[working.key_step]:
        return []
    found: dict[str, RationaleTelling] = {}
    for steps in _choices(working, versions, style):
        longest = tuple([versions[index][0] for index in steps])
        shortest = tuple([versions[index][-1] for index in steps])
        for chosen in (longest, shortest):
            text = _join(chosen, style)
            if text not in found:
                strain = text.count(POINTED) + text.count(POINTED_TEXT)
                found[text] = RationaleTelling(
                    text, chosen, len(NUMBER.findall(text)), strain, steps
                )
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


def _choices(
    working: Working, versions: list[list[str]], style: RationaleStyle
) -> list[tuple[int, ...]]:
    """Which steps may be told together: the key step, and others around it."""
    can = [index for index, each in enumerate(versions) if each]
    key = working.key_step
    sets = [steps for size in _SIZES[style] for steps in combinations(can, size) if key in steps]
    # A single step is worked when it calculates with at least two numbers.
    alone = style is RationaleStyle.WORKED and (not sets or len(numbers_in(versions[key][-1])) > 1)
    return [*sets, (key,)] if alone else sets


def _versions(clause: str, hidden: GiveawayCheck) -> list[str]:
    """A clause with the answer hidden: first as long as can be, last without its result."""
    if hidden.given_in(clause):
        cut = _cut_before(clause, hidden)
        found = _pointed_at(clause, hidden) if cut is None else [cut]
    else:
        found = [clause]
    if found:
        shorter = _RESULT.sub("", found[-1])
        if shorter != found[-1] and _stands(shorter):
            found.append(shorter)
    return found


def _cut_before(clause: str, hidden: GiveawayCheck) -> str | None:
    """The longest beginning of the clause that does not give the answer away."""
    for place in reversed(list(_CUT.finditer(clause))):
        start = clause[: place.start()]
        if _stands(start) and not hidden.given_in(start):
            return start
    return None


def _pointed_at(clause: str, hidden: GiveawayCheck) -> list[str]:
    """The clause with “this number” in the places of the answer, where that hides it."""
    number = hidden.answer.kind is AnswerKind.NUMBER
    if number and not hidden.question.isdisjoint(NUMBER.findall(hidden.shown)):
        # Whoever reads the question would see which of its numbers is meant.
        return []
    if not (number or re.search(r"\d.*\w|\w.*\d", hidden.shown)):
        return []
    words = POINTED if number else POINTED_TEXT
    pointed = _pattern(hidden.shown, hidden.answer.kind).sub(words, clause)
    pointed = pointed.replace(f"${words}", words)
    if not _stands(pointed.replace(words, "")):
        return []
    # In a list of the question's numbers the one that is left out would be known at once.
    return [] if _LISTED.search(pointed) or hidden.given_in(pointed) else [pointed]


def _stands(clause: str) -> bool:
    return (
        len(clause.split()) >= _FEWEST_WORDS
        and clause.count("(") == clause.count(")")
        and clause[:3] != "so "
    )


def _join(clauses: tuple[str, ...], style: RationaleStyle) -> str:
    clauses = tuple(clause.removeprefix("so ") for clause in clauses)
    if style is RationaleStyle.WORKED:
        return " ".join(_sentence(clause) for clause in clauses)
    return _sentence(", then ".join(clauses))


def _sentence(clause: str) -> str:
    return clause[:1].upper() + clause[1:] + "."


def asking(text: str, question: str) -> str:
    """A rationale with the question that follows it; "" for none."""
    return f"{text} {question}" if question else text


def questions_for(answers: Sequence[Answer]) -> list[str]:
    """The `QUESTIONS` that hold none of an item's answers, right or wrong."""
    hidden = [GiveawayCheck(answer, answer.shown) for answer in answers]
    return [each for each in QUESTIONS if not any(one.given_in(each) for one in hidden)]


@lru_cache(maxsize=65_536)
def _pattern(answer: str, kind: AnswerKind) -> re.Pattern[str]:
    """Finds an answer as it is written and not within a longer number or word."""
    exact = r"\s+".join(re.escape(part) for part in answer.split())
    if kind is AnswerKind.NUMBER:
        return re.compile(rf"(?<!\d)(?<!\d[.,/]){exact}(?!\d)(?![.,/]\d)")
    flags = 0 if len(answer) <= 2 else re.IGNORECASE
    return re.compile(rf"(?<![\w.^]){exact}(?![\w^]|\.\d)", flags)
