"""Pupils' work on somebody's own questions: a kept set of items, read as typed problems.

A question counts where its reading leaves no doubt about the right answer and the set's key says
the same. The wrong work is that of our mal-rules; the set's wrong options play no part.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from biaslab.studies.study import Design, Setting, StoredItems, StoredSources
from schoolmath.malrules.bank.traps import PupilWork, mistakes_on, traps_of
from schoolmath.malrules.forms import Form, listed
from schoolmath.malrules.reading import UnreadProblem, read_problem
from schoolmath.malrules.reading.given_answers import read_given
from schoolmath.problems import DesignError, Draws
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from biaslab.files.items import ImportedItem

CUSTOM_ITEMS = Setting(
    "items", "Problems from",
    "BiasLab's own problems, or the questions of a set of items that was imported.", "items", "",
)  # fmt: skip
_MOST_CHARACTERS = 600
"""Of a question; a longer one is left out."""


def custom_works(
    stored: StoredSources | None, design: Design, draws: Draws, *, trap: bool
) -> Iterator[PupilWork]:
    """Every work on the questions of a design's set once, all questions in turn.

    Args:
        stored: where sets are kept.
        design: names the set.
        draws: the stream of random choices.
        trap: whether works give the right answer by a mal-rule, else a wrong one.

    Raises:
        DesignError: there is no such set, or no question of it gives a work.
    """
    named = str(design.settings[CUSTOM_ITEMS.name])
    items = None if stored is None else stored.item_set(named)
    if items is None:
        raise DesignError(
            f"There is no set of items {named!r} in this file of runs.",
            "Choose one of those that are saved, or import the items again.",
            CUSTOM_ITEMS.name,
        )
    rounds = [draws.several(each, len(each)) for each in _works(items, trap=trap) if each]
    if not rounds:
        raise DesignError(
            f"No question of the set {named!r} can be read as a problem on which a mal-rule "
            + ("gives the right answer." if trap else "goes wrong."),
            "Import questions such as “52 − 17” or “What is 3/4 of 20?”, or take BiasLab's own.",
            CUSTOM_ITEMS.name,
        )
    for turn in range(max(map(len, rounds))):
        now = [each[turn] for each in rounds if turn < len(each)]
        yield from draws.several(now, len(now))


def _works(items: StoredItems, *, trap: bool) -> Iterator[list[PupilWork]]:
    for item, problem in _usable(items):
        grade = item.grade or listed(problem).grades[0]
        of = traps_of if trap else mistakes_on
        yield of(problem, grade, text=item.question)


def usable_sentence(items: StoredItems) -> str:
    """How many questions of a set can be used, and why not all."""
    usable = sum(1 for _ in _usable(items))
    return (
        f"{usable} of {count(len(items), 'question')} can be used: those that we read without "
        "doubt, and whose key agrees."
    )


def _usable(items: StoredItems) -> Iterator[tuple[ImportedItem, Form]]:
    for item in items:
        problem = problem_of(item.question, item.options["ABCDEFGH".index(item.key)])
        if problem is not None and not item.passage:
            yield item, problem


@lru_cache(maxsize=4096)
def problem_of(question: str, key: str) -> Form | None:
    """The typed problem that a question asks; None where that, or its answer, is in doubt.

    Args:
        question: as it is printed.
        key: the right answer, as it is printed.
    """
    if len(question) > _MOST_CHARACTERS:
        return None
    try:
        meanings = [form for group in read_problem(question).meanings for form in group]
    except UnreadProblem:
        return None
    right = meanings[0].solve().answer
    if not all(each.solve().answer.same_as(right) for each in meanings):
        return None
    given = read_given(key, right, ())
    return meanings[0] if given is not None and given.same_as(right) else None
