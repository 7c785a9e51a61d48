"""Pairs made from texts of other people, rather than drawn from a design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biaslab.studies.study import Item, Pair, Value
from biaslab.studies.word_problems.cast import solved_facts
from biaslab.studies.word_problems.custom.imported import NAME, STATUS, ProofStatus
from biaslab.studies.word_problems.verification import split_sentences
from schoolmath.problems import Solution, Vocabulary
from schoolmath.problems.solving import Operation


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
