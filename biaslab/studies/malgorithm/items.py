"""Items that ask which of four rationales led to a choice, made from questions of the bank."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.malrules.bank import LETTERS, ChoiceItem
from biaslab.problems import Draws
from biaslab.studies.study import Item, Pair, content_hash

NAME = "malgorithm"
"""Name of the study."""

KEY_RULE = "key"
"""Stands for the right way where rules are named."""

PERMUTED, AS_THE_CHOICES = "permuted", "as the choices"
AS_TEXT, WITH_LETTER = "text", "letter"
NEUTRAL, AS_IN_THE_PAPER = "neutral", "as in the paper"


@dataclass(frozen=True, slots=True)
class Manner:
    """How an identification is put: the paper's open choices."""

    order: str = PERMUTED
    shown: str = AS_TEXT
    framing: str = NEUTRAL


def asks_question(facts: Mapping[str, Any]) -> bool:
    """Whether the question itself is asked first: once a question, with the key's choice."""
    return bool(facts["choice"] == facts["key"])


def pairs_of(question: ChoiceItem, manner: Manner) -> list[Pair]:
    """The pairs of a question in the order of its options; all share x."""
    x = identification(question, question.key, manner)
    return [
        Pair.of(
            x,
            identification(question, letter, manner),
            {
                "grade": question.grade,
                "dok": question.dok,
                "content_class": question.content_class,
                "rule": question.rules[letter],
            },
            cluster=question.id,
        )
        for letter in LETTERS
        if letter != question.key
    ]


def identification(question: ChoiceItem, choice: str, manner: Manner) -> Item:
    """The item that asks which rationale led to the choice with this letter.

    Its facts hold all that is counted later: ``rationales`` (texts by label, as shown),
    ``letters`` (whose rationale stands under a label), ``rules`` (by label, ``key`` for the
    right way), ``right`` and ``key_label`` (labels), ``lengths`` (characters by label) and
    ``value_inside`` (by label, whether the choice's text stands in the rationale).
    """
    letters = dict(zip(LETTERS, _order(question, manner), strict=True))
    label_of = {letter: label for label, letter in letters.items()}
    rationales = {label: question.rationales[letter] for label, letter in letters.items()}
    value = question.option(choice)
    facts: dict[str, Any] = {
        "question_id": question.id,
        "question": question.question,
        "options": dict(zip(LETTERS, question.options, strict=True)),
        "key": question.key,
        "choice": choice,
        "choice_text": value,
        "rationales": rationales,
        "letters": letters,
        "rules": {label: question.rules.get(letter, KEY_RULE) for label, letter in letters.items()},
        "right": label_of[choice],
        "key_label": label_of[question.key],
        "lengths": {label: len(text) for label, text in rationales.items()},
        "value_inside": {label: _stands_in(value, text) for label, text in rationales.items()},
        "grade": question.grade,
        "dok": question.dok,
        "content_class": question.content_class,
        "style": question.style,
        "order": manner.order,
        "shown": manner.shown,
        "framing": manner.framing,
        "problem": dict(question.problem),
    }
    text = "\n\n".join(
        (
            f"Question: {question.question}",
            _choice_line(question, choice, manner),
            "Rationales:\n" + "\n".join(f"{label}. {text}" for label, text in rationales.items()),
        )
    )
    answer = label_of[choice]
    # The question's id belongs to it: two questions may read alike and differ in grade.
    key = content_hash(NAME, text, answer, question.options, question.id)
    return Item(key, text, answer, facts, question.options)


def _choice_line(question: ChoiceItem, choice: str, manner: Manner) -> str:
    value = question.option(choice)
    written = f"{choice}. {value}" if manner.shown == WITH_LETTER else value
    if manner.framing == NEUTRAL:
        return f"Choice: {written}"
    if choice == question.key:
        return f"Correct choice: {written}"
    return f"Incorrect choice, made by a flawed algorithm: {written}"


def _order(question: ChoiceItem, manner: Manner) -> Sequence[str]:
    if manner.order == AS_THE_CHOICES:
        return LETTERS
    return Draws(f"{NAME}/order/{question.id}").several(LETTERS, len(LETTERS))


def _stands_in(value: str, text: str) -> bool:
    """Whether a choice's text stands in a rationale, not as part of a longer number or word."""
    pattern = rf"(?<![\w.,/]){re.escape(value)}(?![\w/]|[.,]\d)"
    return re.search(pattern, text, re.IGNORECASE if len(value) > 1 else 0) is not None
