"""A text of a file, read and solved, with what a pair needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from biaslab.problems import Predicate, ReasoningStep, Solution, Statement
from biaslab.problems.reading import AtTheEnd, ReadText, read
from biaslab.problems.structure import describe
from biaslab.studies.word_problems.custom.text_pairs import TextMember

_REMEMBERED = 64
"""Texts read last: both members of a row, and their bodies, may be the same."""


@dataclass(frozen=True)
class Understood:
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


def _moved(step: ReasoningStep, sentence: int) -> ReasoningStep:
    return ReasoningStep(
        sentence, step.rule, step.consistent, step.possession, step.operation, step.left,
        step.right, step.result,
    )  # fmt: skip


@lru_cache(maxsize=_REMEMBERED)
def understand(text: str) -> Understood:
    """Reads and solves a text."""
    return Understood(text, read(text))
