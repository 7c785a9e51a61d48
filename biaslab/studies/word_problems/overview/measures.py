"""What one word problem is like, in numbers: as difficult as its steps, numbers and words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from biaslab.studies import Item
from biaslab.studies.word_problems.item_facts import sentences_of, steps_of, structure_of
from biaslab.studies.word_problems.overview.readability import reading_grade
from biaslab.studies.word_problems.overview.sentence_marks import numbers_in, words_in

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
class Measure:
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
    Measure(
        "steps", "Reasoning steps", "How many calculations lead to the answer.", True, _steps
    ),
    Measure(
        "operations", "Operations", "What the calculations are.", False,
        lambda item: [OPERATION_NAMES[step.operation] for step in steps_of(item)],
    ),
    Measure(
        "carries", "Carries and borrows", "How many there are in all its calculations.", True,
        _carries,
    ),
    Measure(
        "numbers", "Numbers", "Every number in the text.", True,
        lambda item: [int(number) for number in _plain_numbers(item)],
    ),
    Measure(
        "digits", "Digits of a number", "How long every number in the text is.", True,
        lambda item: [len(number) for number in _plain_numbers(item)],
    ),
    Measure(
        "zeros", "Zero digits", "How many zeros stand in the numbers of the text.", True,
        lambda item: [sum(number.count("0") for number in _plain_numbers(item))],
    ),
    Measure(
        "kinds", "Sentence kinds", "What the sentences before the question say.", False,
        sentence_kinds,
    ),
    Measure(
        "words", "Words", "How many words the problem has, numbers included.", True,
        lambda item: [len(words_in(item.text))],
    ),
    Measure(
        "grade", "Reading grade",
        "Flesch-Kincaid: the school year (US) in which such a text is easily read.", True, _grade,
    ),
)  # fmt: skip
"""All measures, in the order in which they are shown."""
