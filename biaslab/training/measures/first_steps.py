"""How a problem was worked, read from what a model wrote: which operation, and whether reversed.

Whether an answer is right says little about a model of which a third of the sums go wrong. The
first operation that it writes says whether it understood who has more.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from biaslab.studies.study import Item
from biaslab.studies.word_problems.error_models import (
    REVERSE,
    StoryShape,
    numbers_of,
    shape_of,
    wrong_answers,
)
from biaslab.studies.word_problems.verification import steps_of
from schoolmath.malrules.catalogue.stories.chain import REVERSED
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import is_rounded
from schoolmath.problems import Operation

_CALCULATION = re.compile(r"\d\s*([-+*/x−–×÷])\s*\d")
_SIGNS = {
    "−": Operation.SUBTRACT, "–": Operation.SUBTRACT,
    "x": Operation.MULTIPLY, "×": Operation.MULTIPLY, "÷": Operation.DIVIDE,
}  # fmt: skip


def first_operation(text: str) -> str | None:
    """The operation of the first ``number operation number`` in a text; None without any."""
    found = _CALCULATION.search(text)
    return None if found is None else str(_SIGNS.get(found[1], found[1]))


def additive_operation(item: Item) -> str | None:
    """``+`` or ``-``, whichever a one-step problem needs; None for all other problems."""
    steps = steps_of(item)
    if len(steps) != 1 or steps[0].operation not in (Operation.ADD, Operation.SUBTRACT):
        return None
    return steps[0].operation


def reversed_answers(item: Item) -> frozenset[Fraction]:
    """What reversing the operation at a comparison gives, at all of them or at one.

    Where a wording is inconsistent this is what mal-rule WP01 of the catalogue gives. WP01 does
    not apply where every wording is consistent; there the operation is reversed all the same, and
    in a problem without a comparison at its changes. Those are the control: a model that follows
    the words gives such answers where the wording is inconsistent and not there, one that guesses
    gives them everywhere. Some are below zero, which no model is taught to write.
    """
    story = Story.of_facts(item.facts)
    if story is None:
        return frozenset()
    shape = _misleading(shape_of(story))
    found = wrong_answers(shape, numbers_of(story), (REVERSE,)).get(REVERSE, ())
    return frozenset(map(Fraction, found))


def is_reversed(item: Item, value: str | None) -> bool:
    """Whether an answer as read is one of `reversed_answers`, also rounded to a decimal."""
    try:
        given = Fraction(value or "")
    except (ValueError, ZeroDivisionError):
        return False
    return any(given == each or is_rounded(given, each) for each in reversed_answers(item))


def _misleading(shape: StoryShape) -> StoryShape:
    """The shape as if its words suggested the other operation, where they do so nowhere."""
    if shape.inconsistent():
        return shape
    compared = shape.comparisons if any(shape.comparisons) else shape.transfers
    keywords = tuple(
        REVERSED[operation] if here else keyword
        for operation, keyword, here in zip(shape.operations, shape.keywords, compared, strict=True)
    )
    return replace(shape, comparisons=compared, keywords=keywords)
