"""A text of a file, read and solved, with what a pair needs to know of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from biaslab.files.formats.format import TableRow
from biaslab.studies.word_problems.custom.imported import OPERATIONS, TextMember
from biaslab.studies.word_problems.files.layouts import FileTreatment, PairLayout
from schoolmath.problems import (
    Comparison,
    ComparisonType,
    InexactDivision,
    Predicate,
    Question,
    Rate,
    ReasoningStep,
    Solution,
    Statement,
    Transfer,
    UnsolvableProblem,
    Vocabulary,
    solve,
    vocabulary,
)
from schoolmath.problems.quantities import carries
from schoolmath.problems.reading import AtTheEnd, ReadText, Times, describe_statement, read
from schoolmath.problems.reading.texts import below_none, unsure
from schoolmath.problems.structure import describe
from schoolmath.problems.vocabulary import remembered

_REMEMBERED = 64
"""Texts read last: both members of a row, and their bodies, may be the same."""


@dataclass(frozen=True)
class TextReading:
    """One text as it was understood.

    Attributes:
        text: word for word.
        read: its sentences and mental model.
    """

    text: str
    read: ReadText

    @property
    def solution(self) -> Solution | None:
        """Its solution, whose steps name sentences of the text; None where there is none."""
        return self._solution

    @cached_property
    def _solution(self) -> Solution | None:
        found = self.read.solution
        if found is None:
            return None
        places = [
            index
            for index, sentence in enumerate(self.read.sentences)
            if isinstance(sentence.said, Statement | AtTheEnd)
        ]
        if places == list(range(len(places))):
            return found
        steps = tuple(_moved(step, places[step.sentence]) for step in found.steps)
        return Solution(steps, found.answer, tuple(places[index] for index in found.unused))

    @property
    def sentence(self) -> int | None:
        """The first sentence that could not be read, from 0."""
        for index, sentence in enumerate(self.read.sentences):
            if sentence.said is None:
                return index
        return None

    @property
    def fault(self) -> str:
        """Why there is no solution, as a sentence; empty where there is one."""
        if self.read.solution is not None:
            return ""
        if self.sentence is None:
            return self.read.fault or "The text is no whole problem."
        unread = self.read.sentences[self.sentence]
        why = f": {unread.reason}" if unread.reason else "."
        return f"Sentence {self.sentence + 1}, “{unread.text}”, cannot be read{why}"

    def cannot_be(self, label: Fraction) -> str:
        """Why a text without a solution can't lead to an answer, as a sentence.

        Empty where that is not certain. It is where every sentence was read and the steps lead to
        a fraction, or by way of less than nothing to another number.
        """
        problem, words = self.read.problem, self.read.words
        if problem is None or self.read.solution is not None:
            return ""
        try:
            found = solve(problem)
        except InexactDivision as error:
            # A second sentence that multiplies could make the fraction whole again.
            alone = sum(_multiplies(each.predicate) for each in problem.statements) == 1
            return str(error) if alone and label.denominator == 1 else ""
        except UnsolvableProblem:
            return ""
        certain = found.answer != label and not unsure(problem, found, words)
        return below_none(found, words) if certain else ""

    def in_words(self) -> tuple[str, ...]:
        """Each sentence as it was read, in plain words; empty where it was not."""
        return tuple(
            "" if sentence.said is None else describe_statement(sentence.said, self.read.words)
            for sentence in self.read.sentences
        )

    def has(self, kind: type[Predicate]) -> bool:
        """Whether a sentence says something of this kind."""
        return any(
            isinstance(sentence.said, Statement) and isinstance(sentence.said.predicate, kind)
            for sentence in self.read.sentences
        )

    def member(self) -> TextMember:
        """What a pair is made of."""
        assert self.solution is not None
        assert self.read.problem is not None
        assert self.read.solution is not None
        return TextMember(
            self.text,
            tuple(sentence.text for sentence in self.read.sentences),
            describe(self.read.problem, self.read.solution),
            self.solution,
            self.read.words,
        )


def _multiplies(predicate: Predicate) -> bool:
    if isinstance(predicate, Comparison):
        return predicate.type is ComparisonType.MULTIPLICATIVE
    return isinstance(predicate, Rate)


def _moved(step: ReasoningStep, sentence: int) -> ReasoningStep:
    return ReasoningStep(
        sentence, step.rule, step.consistent, step.possession, step.operation, step.left,
        step.right, step.result,
    )  # fmt: skip


def understand(text: str, times: Times = Times.AS_MANY) -> TextReading:
    """Reads and solves a text.

    Args:
        text: word for word.
        times: what "3 times more" and "3 times fewer" mean in it.
    """
    return _understood(vocabulary(), text, times)


@lru_cache(maxsize=_REMEMBERED)
def _understood(words: Vocabulary, text: str, times: Times) -> TextReading:
    return TextReading(text, read(text, words, times))


def understand_by(text: str, labels: Collection[Fraction]) -> TextReading:
    """Reads and solves a text whose answer its file gives.

    "3 times fewer" can mean two things; the answer tells which, and where it is neither answer the
    text is read as the released data have it.
    """
    found = understand(text)
    if not found.read.settled_times or found.solution is None or found.solution.answer in labels:
        return found
    other = understand(text, Times.ON_TOP)
    meant = other.solution is not None and other.solution.answer in labels
    return other if meant else found


_MORE_BEHIND = re.compile(
    r"\d+ (?!more\b|fewer\b|less\b|times\b)[^,.]*\b(?:more|fewer|less) than\b"
)
_PRONOUN = re.compile(r"\b(?:he|she|they|his|her|their|him|them|it|its)\b", re.IGNORECASE)
_NOW = re.compile(r"\bnow\b", re.IGNORECASE)


def one_sided(member: TextReading, other: TextReading) -> tuple[str, ...]:
    """What is odd in a member and not in the other one, each a sentence."""
    return tuple(
        remark
        for remark in (
            _plurals(member, other),
            _behind(member, other),
            _pronouns(member, other),
            _question(member, other),
        )
        if remark
    )


def _plurals(member: TextReading, other: TextReading) -> str:
    odd = sorted(_odd_plurals(member.text) - _odd_plurals(other.text))
    if not odd:
        return ""
    words = " and ".join(f"“{word}”" for word in odd)
    return f"{words} is no usual plural, and the other member does not have it."


@remembered
def _odd_plural() -> re.Pattern[str]:
    """Plurals made by adding an s where that is not done, by our nouns or by their endings."""
    ours = {
        f"{noun.singular}s"
        for noun in vocabulary().nouns.values()
        if noun.countable and noun.plural != f"{noun.singular}s"
    }
    known = "|".join(sorted(map(re.escape, ours | {"mouses"})))
    return re.compile(
        rf"\b(?:{known}|[^\W\d_]+(?:[^aeiou\W\d_]ys|chs|shs|sss|xs|zs))\b", re.IGNORECASE
    )


def _odd_plurals(text: str) -> set[str]:
    return set(map(str.lower, _odd_plural().findall(text)))


def _behind(member: TextReading, other: TextReading) -> str:
    """Such as "5 liters of milk more than" beside "5 liters more milk than"."""
    behind = [
        sentence.text
        for sentence in member.read.sentences
        if isinstance(sentence.said, Statement)
        and isinstance(sentence.said.predicate, Comparison)
        and _MORE_BEHIND.search(sentence.text)
    ]
    if not behind or _MORE_BEHIND.search(other.text):
        return ""
    return f"“{behind[0]}” says “more” or “fewer” after what is counted; the other member does not."


def _pronouns(member: TextReading, other: TextReading) -> str:
    mine, others = (
        sorted(word.lower() for word in _PRONOUN.findall(each.text)) for each in (member, other)
    )
    if not mine or mine == others or len(mine) < len(others):
        return ""
    words = ", ".join(f"“{word}”" for word in mine)
    return f"It has the pronouns {words}; the other member does not have the same."


def _question(member: TextReading, other: TextReading) -> str:
    one, two = _question_words(member), _question_words(other)
    if one is None or two is None or one == two:
        return ""
    return "Its question is worded otherwise than that of the other member."


def _question_words(member: TextReading) -> tuple[str, ...] | None:
    for sentence in member.read.sentences:
        if isinstance(sentence.said, Question):
            plain = _PRONOUN.sub("one's", _NOW.sub("", sentence.text))
            plain = plain.replace(sentence.said.agent, "")
            return tuple(re.findall(r"[\w'-]+", plain.lower()))
    return None


_NAMES = {
    "addition": "Addition", "add": "Addition", "+": "Addition", "plus": "Addition",
    "subtraction": "Subtraction", "subtract": "Subtraction", "-": "Subtraction",
    "minus": "Subtraction",
}  # fmt: skip


def treatment_fault(treatment: FileTreatment, arm: str, member: TextReading) -> str:
    """Why a member is not what its column calls it, as a sentence; empty where it is."""
    assert member.solution is not None
    steps = member.solution.steps
    if treatment is FileTreatment.CONSISTENCY:
        wanted = arm == "x"
        names = {True: "consistent", False: "inconsistent"}
        if any(step.consistent is (not wanted) for step in steps):
            return f"The file calls it {names[wanted]}, and its comparison is {names[not wanted]}."
    if treatment is FileTreatment.TRANSFER_COMPARISON:
        other = Comparison if arm == "x" else Transfer
        if member.has(other):
            said, found = (
                ("transfers", "a comparison") if arm == "x" else ("comparisons", "a transfer")
            )
            return f"The file says that it has {said} only, and it has {found}."
    return ""


def carry_faults(layout: PairLayout, arm: str, member: TextReading, row: TableRow) -> Iterator[str]:
    """What the labels of a carry file say wrongly of a member, each a sentence."""
    if layout.treatment is not FileTreatment.CARRY:
        return
    assert member.solution is not None
    steps = member.solution.steps
    found = sum(carries(step.operation, step.left, step.right) for step in steps)
    what = " and ".join(step.equation() for step in steps)
    if arm == "x":
        if found:
            yield f"The file says that nothing is carried, and {what} carries {_times(found)}."
    else:
        label = row.cells.get(layout.carries, "").strip()
        if label and label.removesuffix(".0") != str(found):
            yield (
                f"The column “{layout.carries}” says {label[:20]}, and {what} carries "
                f"{_times(found)}."
            )
    label = row.cells.get(layout.operation, "").strip()
    operations = {OPERATIONS.get(step.operation, "") for step in steps}
    if label and operations != {_NAMES.get(label.lower(), label)}:
        yield f"The column “{layout.operation}” says {label[:40]}, and the text needs {what}."


def steps_label(layout: PairLayout, row: TableRow) -> int | None:
    """The number of reasoning steps that the file gives; None where it gives none."""
    label = row.cells.get(layout.steps, "").strip().removesuffix(".0") if layout.steps else ""
    return int(label) if re.fullmatch(r"[0-9]{1,3}", label) else None


def step_faults(layout: PairLayout, member: TextReading, row: TableRow) -> Iterator[str]:
    """What a label of the number of steps says wrongly, as a sentence."""
    label = row.cells.get(layout.steps, "").strip() if layout.steps else ""
    assert member.solution is not None
    found = len(member.solution.steps)
    if label and label.removesuffix(".0") != str(found):
        yield (
            f"The column “{layout.steps}” says {label[:20]}, and the text takes {found} "
            f"{'step' if found == 1 else 'steps'}."
        )


def _times(count: int) -> str:
    return {0: "nothing", 1: "once", 2: "twice"}.get(count, f"{count} times")
