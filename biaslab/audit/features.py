"""What one text shows of the features that are audited: the one place that says how it is read.

A text that is read as a whole shows all of them, from its mental model and its solution. Of one
that is not, single clauses may show some; what they do not show is not told, never "no".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from biaslab.audit.clauses import Wording, evidence
from biaslab.problems import Comparison, Problem, ProblemError, Solution, Transfer
from biaslab.problems.quantities import carries
from biaslab.problems.reading import Times, read

SIGNAL_WORDS = {
    "more": r"more",
    "fewer, less": r"fewer|less",
    "altogether": r"altogether|in all|in total|total",
    "left": r"left",
    "each": r"each",
    "times": r"times|twice",
}
"""By name, the words that are looked for."""

_SIGNALS = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in SIGNAL_WORDS.items()
}


class Step(NamedTuple):
    """A calculation on the way to the answer.

    Attributes:
        operation: ``+``, ``-``, ``*`` or ``/``.
        carries: whether an addition carries or a subtraction borrows; None for the others.
    """

    operation: str
    carries: bool | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a text shows.

    Attributes:
        read: whether it was read as a whole, and solved.
        comparisons: the wording of each comparison found; None where it is not told.
        compares: whether it compares two amounts; None where that is not told.
        transfers: whether something is got, lost or handed over; None where that is not told.
        steps: to the answer, in order; None where the text is not solved.
        words: the signal words that stand in it, as `SIGNAL_WORDS` names them.
    """

    read: bool
    comparisons: tuple[Wording | None, ...]
    compares: bool | None
    transfers: bool | None
    steps: tuple[Step, ...] | None
    words: frozenset[str]


class Understood(NamedTuple):
    """A text that was read as a whole."""

    problem: Problem
    solution: Solution


def understood(text: str) -> Understood | None:
    """The mental model of a text and its solution; None where it is not read as a whole."""
    try:
        # What "3 times fewer" means changes the numbers, but nothing that is counted here.
        found = read(text, times=Times.AS_MANY)
    except ProblemError:
        return None
    if found.problem is None or found.solution is None:
        return None
    return Understood(found.problem, found.solution)


def shown(text: str, reader: Callable[[str], Understood | None] = understood) -> Shown:
    """What a text shows.

    Args:
        text: of one problem, its question included. Anything may be given.
        reader: reads a text as a whole.
    """
    words = frozenset(name for name, pattern in _SIGNALS.items() if pattern.search(text))
    whole = reader(text)
    if whole is None:
        found = evidence(text)
        return Shown(False, found.comparisons, found.compares, found.transfers, None, words)
    predicates = [statement.predicate for statement in whole.problem.statements]
    steps = whole.solution.steps
    # A comparison off the way to the answer has no operation that its words could suggest.
    wordings: list[Wording | None] = [
        Wording.CONSISTENT if step.consistent else Wording.INCONSISTENT
        for step in steps
        if step.consistent is not None
    ]
    compared = sum(isinstance(each, Comparison) for each in predicates)
    return Shown(
        True,
        (*wordings, *[None] * (compared - len(wordings))),
        compared > 0,
        any(isinstance(each, Transfer) for each in predicates),
        tuple(Step(step.operation, _carries(*step[-4:-1])) for step in steps),
        words,
    )


def _carries(operation: str, left: int, right: int) -> bool | None:
    return carries(operation, left, right) > 0 if operation in "+-" else None
