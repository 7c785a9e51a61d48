"""Pairs that a person imported, corrected or made from texts, asked like those of any study.

The pairs are not drawn: they lie in the file of runs as a set (`biaslab.runs.library.pair_sets`).
This module knows what asking them means, and is given the sets by whoever has the file open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from biaslab.models import Skill
from biaslab.studies.answers.numeric import NumericStudy
from biaslab.studies.designs import value_of
from biaslab.studies.results import Expectation
from biaslab.studies.strategies import WORD_PROBLEM_STRATEGIES
from biaslab.studies.study import (
    Arms,
    Design,
    Item,
    Pair,
    Setting,
    StoredPairs,
    StoredSources,
    Stratum,
    Value,
)
from biaslab.studies.word_problems.cast import solved_facts
from biaslab.studies.word_problems.verification import split_sentences
from schoolmath.problems import DesignError, Draws, Solution, Vocabulary
from schoolmath.problems.logic import Operation

NAME = "imported"

STATUS = "status"
"""The stratum that says how far a pair was proved."""


class ProofStatus(StrEnum):
    """How far what a file says of a pair was proved when it was imported."""

    PROVED = "proved"
    """Read, solved, and everything that the file says of it is so."""
    LABELLED = "labelled"
    """Not read; the file's answer is taken."""
    CONTRADICTED = "contradicted"
    """Read, and its label or the difference between its members is wrong."""


SET = Setting(
    "set", "Set of pairs", "Which of the sets of pairs that were imported or made.",
    "set", "",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportedStudy(NumericStudy):
    """The study of a person's own pairs.

    Attributes:
        stored: where sets are; None while no file of runs is open.
    """

    name: str = NAME
    title: str = "A set of pairs of your own"
    question: str = "Does the model do better on the first or on the second member of your pairs?"
    source: str = "the set itself: pairs that were imported, corrected or made by a person"
    asks: Skill = Skill.SOLVE
    expects: Expectation | None = None
    arms: Arms = Arms("first member", "second member")
    strata: tuple[Stratum, ...] = (
        Stratum(
            STATUS, "proof",
            "Proved: read, solved, and as its file says. Labelled: not read, the file's answer is "
            "taken. Contradicted: read, and the file says something else of it.",
        ),
        Stratum("steps", "reasoning steps", "How many calculations lead to the answer."),
        Stratum("treatment", "treatment", "What differs between the members of a pair."),
    )  # fmt: skip
    settings: tuple[Setting, ...] = (SET,)
    strategies = WORD_PROBLEM_STRATEGIES
    system: str | None = None
    baselines = ("always-plus", "keyword")
    beside = (STATUS, str(ProofStatus.PROVED))
    stored: StoredSources | None = None

    def with_stored(self, stored: StoredSources) -> ImportedStudy:
        """The same study with the sets of a file."""
        return replace(self, stored=stored)

    def size(self, design: Design) -> int:
        """How many pairs the design's set has.

        Raises:
            DesignError: no set is named, or there is no such set.
        """
        return len(self._set(design))

    def draw(self, design: Design) -> Iterator[Pair]:
        """Pairs of the set in an order that the seed decides, so that the first are a sample."""
        kept = self._set(design)
        draws = Draws(f"{self.name}/{design.seed}")
        yield from kept.at(draws.several(range(len(kept)), design.n))

    def unlike(self, pair: Pair) -> Mapping[str, float]:
        """Lengths, sizes of numbers, steps: nobody has proved that a file's members share them."""
        from biaslab.studies.word_problems.overview import amounts

        return amounts(pair)

    def _set(self, design: Design) -> StoredPairs:
        chosen = str(value_of(design, SET))
        if not chosen:
            raise DesignError(
                "No set of pairs is chosen.",
                "Import a file of pairs, then choose its set.",
                SET.name,
            )
        found = None if self.stored is None else self.stored.pair_set(chosen)
        if found is None:
            raise DesignError(
                f"There is no set of pairs {chosen!r} in this file of runs.",
                "Choose one of those that are saved, or import the pairs again.",
                SET.name,
            )
        return found


EXPERIMENT = ImportedStudy()


@dataclass(frozen=True, slots=True)
class TextMember:
    """One member as its text stands, and how it was solved.

    Attributes:
        text: word for word.
        sentences: of the text, the question last.
        structure: the line that describes it.
        solution: its steps and answer; the sentences in it are those of the text.
        words: the vocabulary that writes its things.
    """

    text: str
    sentences: tuple[str, ...]
    structure: str
    solution: Solution
    words: Vocabulary


def text_pair(
    x: TextMember, x_prime: TextMember, treatment: str, more: Mapping[str, Any] | None = None
) -> Pair:
    """A pair that can be kept in a set and asked like any other.

    Args:
        x: the member that is easier by hypothesis.
        x_prime: the other one.
        treatment: what differs, in a word or two, for breaking effects down.
        more: further facts for both items, JSON-ready, such as the row of a file.
    """
    treated = differing(x.sentences, x_prime.sentences)
    one, other = (_item(member, treated, more or {}) for member in (x, x_prime))
    steps = max(len(x.solution.steps), len(x_prime.solution.steps))
    strata: dict[str, Value] = {
        STATUS: str(ProofStatus.PROVED), "steps": steps, "treatment": treatment,
    }  # fmt: skip
    return Pair.of(one, other, strata, cluster=one.id)


@dataclass(frozen=True, slots=True)
class GivenMember:
    """One member of a pair whose answer is taken from a file.

    Attributes:
        text: word for word.
        answer: as the file has it.
        read: the same as it was understood; None where it was not.
    """

    text: str
    answer: str
    read: TextMember | None = None


def given_pair(
    x: GivenMember,
    x_prime: GivenMember,
    treatment: str,
    status: ProofStatus,
    steps: int | None = None,
    more: Mapping[str, Any] | None = None,
) -> Pair:
    """A pair that was not proved, with the answers of its file.

    Args:
        x: the member that is easier by hypothesis.
        x_prime: the other one.
        treatment: as for `text_pair`.
        status: labelled or contradicted.
        steps: reasoning steps as the file gives them; None: those of the members where both
            were read, else none are told.
        more: as for `text_pair`.
    """
    one, other = (
        split_sentences(member.text) if member.read is None else member.read.sentences
        for member in (x, x_prime)
    )
    treated = differing(one, other)
    items = [
        _given_item(member, sentences, treated, more or {})
        for member, sentences in ((x, one), (x_prime, other))
    ]
    strata: dict[str, Value] = {STATUS: str(status), "treatment": treatment}
    if steps is None and x.read is not None and x_prime.read is not None:
        steps = max(len(x.read.solution.steps), len(x_prime.read.solution.steps))
    if steps is not None:
        strata["steps"] = steps
    return Pair.of(items[0], items[1], strata, cluster=items[0].id)


def _given_item(
    member: GivenMember,
    sentences: tuple[str, ...],
    treated: tuple[int, ...],
    more: Mapping[str, Any],
) -> Item:
    inside = [index for index in treated if index < len(sentences)]
    facts: dict[str, Any] = {"sentences": list(sentences), "treated": inside}
    read = member.read
    # The steps of a reading that the file contradicts are no way to the file's answer.
    if read is not None and str(read.solution.answer) == member.answer:
        facts = solved_facts(sentences, inside, read.structure, read.solution, read.words)
    return Item.of(NAME, member.text, member.answer, facts | dict(more))


def differing(x: tuple[str, ...], x_prime: tuple[str, ...]) -> tuple[int, ...]:
    """Indices of sentences that are not the same in both members."""
    longest = max(len(x), len(x_prime))
    return tuple(i for i in range(longest) if x[i : i + 1] != x_prime[i : i + 1])


def _item(member: TextMember, treated: tuple[int, ...], more: Mapping[str, Any]) -> Item:
    inside = [index for index in treated if index < len(member.sentences)]
    facts = solved_facts(member.sentences, inside, member.structure, member.solution, member.words)
    return Item.of(NAME, member.text, str(member.solution.answer), facts | dict(more))


OPERATIONS = {Operation.ADD: "Addition", Operation.SUBTRACT: "Subtraction"}
"""The two operations as the released carry file calls them."""
