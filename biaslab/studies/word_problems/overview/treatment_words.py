"""The words of a text that a treatment leaves alone, with those masked that it changes."""

from __future__ import annotations

import re
from collections.abc import Callable

from biaslab.studies.word_problems.overview.sentence_marks import names_in, words_in

# One word each, whatever they are made of: "times as many ... as" and "times fewer ... than" are
# the two sides of the consistency treatment.
_RELATIONS = re.compile(r"\b(?:as many|as much|more|fewer|less|than|as)\b")
RELATIONAL = ("consistency", "predicate")
"""Treatments that turn a relation round, or put another one in its place."""


def names_masked(text: str) -> str:
    """With one letter for every name."""
    for name in names_in(text):
        text = re.sub(rf"\b{re.escape(name)}\b", "A", text)
    return text


def relations_masked(text: str, treatment: str) -> str:
    """With one letter for "more", "as many" and so on where the treatment is about them."""
    return _RELATIONS.sub("R", text) if treatment in RELATIONAL else text


def _without_numbers(text: str) -> list[str]:
    return re.sub(r"\d+", "N", text).split()


def _without_relations(text: str) -> list[str]:
    """In the order of the alphabet, because the treatment turns the sentence round."""
    return sorted(words_in(re.sub(r"\d+", "N", names_masked(_RELATIONS.sub("R", text)))))


BARE: dict[str, Callable[[str], list[str]]] = {
    "consistency": _without_relations,
    "carry": _without_numbers,
    "number-size": _without_numbers,
    "name-familiarity": lambda text: names_masked(text).split(),
}
"""The words of a treated sentence that a treatment has to leave as they are."""
