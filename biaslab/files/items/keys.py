"""Whether the key of an item is right, where its problem can be worked out here."""

from __future__ import annotations

import re
from fractions import Fraction

from biaslab.files.columns.problems import problem_text
from biaslab.files.items.equivalence import answer_of, same_option
from biaslab.files.items.item import ImportedItem
from biaslab.malrules.answers import Answer, AnswerKind
from biaslab.malrules.reading import UnreadProblem, read_problem
from biaslab.malrules.reading.answers import read_given

_DECIMAL = re.compile(r"\d[.,](\d+)(?!.*\d)")


def contradicted_key(item: ImportedItem) -> str:
    """What the problem gives where the key says something else, as a clause; else "".

    Nothing is said where the problem has several meanings and the key is right in one of them,
    where the key is the right answer rounded, or where it cannot be compared.
    """
    parts = {"passage": item.passage, "question": item.question}
    try:
        meanings = read_problem(problem_text(parts, tuple(parts))).meanings
    except UnreadProblem:
        return ""
    rights = [group[0].solve().answer for group in meanings]
    if any(_may_be(item.option(item.key), right) for right in rights):
        return ""
    right = rights[0]
    fitting = [letter for letter in item.letters if _may_be(item.option(letter), right)]
    where = f" (option {fitting[0]})" if len(fitting) == 1 else ""
    return (
        f"worked out here its problem gives {right}{where}, and its key says "
        f"{item.option(item.key)[:60]} ({item.key})"
    )


def _may_be(option: str, right: Answer) -> bool:
    """Whether an option says this answer, or nothing that can be compared with it."""
    if right.kind is AnswerKind.LABEL or same_option(option, right.shown):
        return True
    # LaTeX around a number is no part of what people type.
    given = read_given(option, right, (), new_phrases=False) or answer_of(option)[0]
    if given.kind is not right.kind or given.same_as(right):
        return True
    places = _DECIMAL.search(option)
    if places is None or isinstance(given.value, str) or isinstance(right.value, str):
        return False
    half = Fraction(1, 2 * 10 ** len(places[1]))
    return abs(given.value - right.value) <= half
