"""Pairs made from texts that were read and solved, rather than drawn from a design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biaslab.problems import Solution, Vocabulary
from biaslab.problems.solving import Operation
from biaslab.studies.study import Item, Pair
from biaslab.studies.word_problems.cast import solved_facts
from biaslab.studies.word_problems.custom.imported import NAME


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
    return Pair.of(one, other, {"steps": steps, "treatment": treatment}, cluster=one.id)


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
