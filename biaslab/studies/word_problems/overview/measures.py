"""What one word problem is like, in numbers: as difficult as its steps, numbers and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from biaslab.studies import Item
from biaslab.studies.word_problems.overview.sentence_marks import numbers_in, words_in
from biaslab.studies.word_problems.verification import sentences_of, steps_of, structure_of

_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(r"[^aeiouyl]e$|[aeiouy]le$|[^aeiouytd]ed$")
_SILENT_ES = re.compile(r"[^aeiouyl]es$")
_SOUNDED_ES = re.compile(r"(?:[sxzcg]|[cs]h)es$")
_APART = re.compile(r"i[ao](?!u)|eo|[ui]u|ua|y[aio]|[aeiou]ing$")
_TOGETHER = re.compile(r"[tscg]i[ao]|[qg]ua|^y[aio]|[aeiou]y[aio]")


@lru_cache(maxsize=50_000)
def syllables(word: str) -> int:
    """How many syllables an English word has, at least one; an estimate from its letters."""
    lower = word.lower()
    count = len(_VOWELS.findall(lower))
    count -= len(_SILENT.findall(lower))
    if _SILENT_ES.search(lower) and not _SOUNDED_ES.search(lower):
        count -= 1
    count += len(_APART.findall(lower)) - len(_TOGETHER.findall(lower))
    return max(1, count)


def reading_grade(words: Sequence[str], sentences: int) -> float:
    """The Flesch-Kincaid grade: the school year (US) in which such a text is easily read.

    Args:
        words: all words of the text; a number in digits counts as one syllable.
        sentences: how many they make.

    Raises:
        ValueError: there is no word or no sentence.
    """
    if not words or sentences < 1:
        raise ValueError("A reading grade needs at least one word and one sentence.")
    sounds = sum(1 if word[0].isdigit() else syllables(word) for word in words)
    return 0.39 * len(words) / sentences + 11.8 * sounds / len(words) - 15.59


Level: TypeAlias = int | float | str
"""A value of a measure: a number, or a name such as ``addition``."""

OPERATION_NAMES = {
    "+": "addition",
    "-": "subtraction",
    "*": "multiplication",
    "/": "division",
}
_KINDS = ("container", "transfer", "comparison", "rate")


@dataclass(frozen=True, slots=True)
class ProblemMeasure:
    """Something that is measured of every problem.

    Attributes:
        name: short, for tables and links.
        label: on screens and axes.
        explanation: one line for someone who does not know it.
        numeric: whether its levels are numbers; they have a mean then.
        read: its levels in one problem: one, or one for each number or sentence; none where
            they are not known.
    """

    name: str
    label: str
    explanation: str
    numeric: bool
    read: Callable[[Item], Sequence[Level]]


def sentence_kinds(item: Item) -> list[str]:
    """The kinds of the sentences: container, transfer, comparison (and its wording), rate."""
    kinds = []
    for part in structure_of(item).split(" . "):
        kind, _, rest = part.partition(" ")
        kind = kind.rstrip("+-*/±")
        if kind in _KINDS:
            wording = [word for word in rest.split() if word in ("consistent", "inconsistent")]
            kinds.append(" ".join((kind, *wording)))
    return kinds


def _steps(item: Item) -> list[Level]:
    steps = steps_of(item)
    return [len(steps)] if steps else []


def _carries(item: Item) -> list[Level]:
    steps = steps_of(item)
    return [sum(step.carries for step in steps)] if steps else []


def _plain_numbers(item: Item) -> list[str]:
    return [number.replace(",", "") for number in numbers_in(item.text)]


def _grade(item: Item) -> list[Level]:
    words = words_in(item.text)
    return [reading_grade(words, len(sentences_of(item)))] if words else []


MEASURES = (
    ProblemMeasure(
        "steps", "Reasoning steps", "How many calculations lead to the answer.", True, _steps
    ),
    ProblemMeasure(
        "operations", "Operations", "What the calculations are.", False,
        lambda item: [OPERATION_NAMES[step.operation] for step in steps_of(item)],
    ),
    ProblemMeasure(
        "carries", "Carries and borrows", "How many there are in all its calculations.", True,
        _carries,
    ),
    ProblemMeasure(
        "numbers", "Numbers", "Every number in the text.", True,
        lambda item: [int(number) for number in _plain_numbers(item)],
    ),
    ProblemMeasure(
        "digits", "Digits of a number", "How long every number in the text is.", True,
        lambda item: [len(number) for number in _plain_numbers(item)],
    ),
    ProblemMeasure(
        "zeros", "Zero digits", "How many zeros stand in the numbers of the text.", True,
        lambda item: [sum(number.count("0") for number in _plain_numbers(item))],
    ),
    ProblemMeasure(
        "kinds", "Sentence kinds", "What the sentences before the question say.", False,
        sentence_kinds,
    ),
    ProblemMeasure(
        "words", "Words", "How many words the problem has, numbers included.", True,
        lambda item: [len(words_in(item.text))],
    ),
    ProblemMeasure(
        "grade", "Reading grade",
        "Flesch-Kincaid: the school year (US) in which such a text is easily read.", True, _grade,
    ),
)  # fmt: skip
"""All measures, in the order in which they are shown."""
