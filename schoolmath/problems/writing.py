"""Putting statements into words, sentence by sentence.

The phrasings are data (assets/vocabulary/phrasings.yaml); this module chooses the kind of
sentence that says a statement and fills its gaps. No sentence depends on the ones around it:
no pronouns, no "then", so a pair of problems can differ in one sentence alone.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from schoolmath.problems.errors import VocabularyError
from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.vocabulary import ASSETS, Vocabulary, vocabulary
from schoolmath.text.yaml_files import read_yaml

MINIMUM_PHRASINGS = 4
"""Every kind of sentence has at least this many phrasings."""

_KINDS = (
    "container",
    "transfer between",
    "transfer gained",
    "transfer lost",
    "comparison more",
    "comparison fewer",
    "comparison times as many",
    "comparison times fewer",
    "comparison part as many",
    "rate of each",
    "rate of packing",
    "question",
)


class Text(NamedTuple):
    """A problem in words: its sentences in order, the question last."""

    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)


@cache
def phrasings(path: Path = ASSETS / "phrasings.yaml") -> dict[str, tuple[str, ...]]:
    """Templates of every kind of sentence, checked for completeness.

    Raises:
        VocabularyError: a kind is missing or has fewer than four phrasings.
    """
    loaded = read_yaml(path)["phrasings"]
    for kind in _KINDS:
        if len(loaded.get(kind, ())) < MINIMUM_PHRASINGS:
            raise VocabularyError(
                f"{path.name}: {kind!r} needs at least {MINIMUM_PHRASINGS} phrasings."
            )
    return {kind: tuple(templates) for kind, templates in loaded.items()}


def sentence_kind(statement: Statement) -> str:
    """Which list of phrasings says this statement."""
    predicate = statement.predicate
    if isinstance(predicate, Container):
        return "container"
    if isinstance(predicate, Transfer):
        if predicate.sender is None:
            return "transfer gained"
        return "transfer lost" if predicate.receiver is None else "transfer between"
    if isinstance(predicate, Comparison):
        more = statement.form is ComparisonForm.A_MORE
        if predicate.type is ComparisonType.ADDITIVE:
            return "comparison more" if more else "comparison fewer"
        if statement.form is ComparisonForm.B_PART:
            return "comparison part as many"
        return "comparison times as many" if more else "comparison times fewer"
    return "rate of packing" if statement.dividing else "rate of each"


def write_statement(statement: Statement, words: Vocabulary | None = None) -> str:
    """One declarative sentence, with a capital where it begins with "the farmer"."""
    sentence = _statement(statement, words or vocabulary())
    return sentence if sentence[0].isupper() else sentence[0].upper() + sentence[1:]


def _statement(statement: Statement, words: Vocabulary) -> str:
    predicate = statement.predicate
    template = phrasings()[sentence_kind(statement)][statement.phrasing]
    if isinstance(predicate, Container):
        return template.format(
            agent=predicate.agent,
            q=predicate.quantity,
            n=words.write(predicate.entity, predicate.quantity),
        )
    if isinstance(predicate, Transfer):
        return template.format(
            sender=predicate.sender,
            receiver=predicate.receiver,
            q=predicate.quantity,
            n=words.write(predicate.entity, predicate.quantity),
        )
    if isinstance(predicate, Comparison):
        first = statement.form is ComparisonForm.A_MORE
        return template.format(
            subject=predicate.agent_a if first else predicate.agent_b,
            object=predicate.agent_b if first else predicate.agent_a,
            q=predicate.quantity,
            n=words.write(predicate.entity, predicate.quantity),
            many=words.write(predicate.entity, 2),
        )
    return _write_rate(template, predicate, words)


def _write_rate(template: str, predicate: Rate, words: Vocabulary) -> str:
    unit = words.units[predicate.per.unit]
    return template.format(
        agent=predicate.agent,
        q=predicate.quantity,
        n=words.write(predicate.entity, predicate.quantity),
        many=words.write(predicate.entity, 2),
        container=unit.singular,
        containers=unit.plural,
    )


def write_question(question: Question, words: Vocabulary | None = None) -> str:
    """The question at the end."""
    words = words or vocabulary()
    return phrasings()["question"][question.phrasing].format(
        agent=question.agent,
        many=words.write(question.entity, 2),
        now=" now" if question.now else "",
    )


def write(problem: Problem, words: Vocabulary | None = None) -> Text:
    """The whole problem, one sentence for each statement and one for the question."""
    words = words or vocabulary()
    sentences = [write_statement(statement, words) for statement in problem.statements]
    sentences.append(write_question(problem.question, words))
    return Text(tuple(sentences))
