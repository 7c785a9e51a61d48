"""What may be behind wrong answers to word problems, each worked out once.

Everything here is exact and the same for everybody, so it is kept by problem and answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from biaslab.malrules.catalogue.stories.problems import Story
from biaslab.malrules.diagnosis import (
    Calculation,
    Diagnosis,
    Separation,
    StepReading,
    UnreadStory,
    diagnose_written,
    find_separation,
    first_wrong_step,
    read_calculations,
    read_story,
)
from biaslab.problems.draws import Draws

_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Found:
    """A wrong answer to a story, and what may be behind it.

    Attributes:
        story: the problem.
        value: the answer as read, such as ``21`` or ``7/2``.
        diagnosis: everything known that gives this answer.
        exact: what the answer was rounded from, such as ``17/3`` for 5.67, where only that is
            explained; "" otherwise.
    """

    story: Story
    value: str
    diagnosis: Diagnosis
    exact: str = ""


def found_for(
    text: str, right: str, value: str | None, facts: Mapping[str, Any] | None = None
) -> Found | None:
    """What may be behind an answer; None where there is nothing to diagnose.

    That is a problem that is no word problem of steps, an answer that is no number, and a
    right one.

    Args:
        text: the problem as it was asked.
        right: its right answer.
        value: the answer as read; None: none could be read.
        facts: what the study knows of the problem, for texts that cannot be read.
    """
    story = _story(text)
    known = None if facts is None else Story.of_facts(facts)
    # Reading the text tells of people whom the facts do not name; the facts decide.
    if known is not None and (story is None or story.operations != known.operations):
        story = known
    if story is None or value is None or _number(right) != story.amounts[-1]:
        return None
    return _found(story, value)


@lru_cache(maxsize=256)
def next_problem(found: Found) -> Separation:
    """The problem to ask next, the same whenever it is asked for."""
    draws = Draws(f"next/{found.story.stem()}/{found.value}")
    return find_separation(found.story, found.diagnosis.candidates, draws)


def wrong_step(found: Found, text: str) -> StepReading | None:
    """What went wrong first in a written solution; None for a bare answer."""
    said = read_calculations(text)
    if not any(isinstance(each, Calculation) for each in said) and len(said) < 2:
        return None
    return first_wrong_step(found.story, text)


@lru_cache(maxsize=_KEPT)
def _story(text: str) -> Story | None:
    try:
        return read_story(text)
    except UnreadStory:
        return None


@lru_cache(maxsize=_KEPT)
def _found(story: Story, value: str) -> Found | None:
    number = _number(value)
    if number is None:
        return None
    written = diagnose_written(story, number)
    if written.diagnosis.correct:
        return None
    return Found(story, value, written.diagnosis, written.exact)


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
