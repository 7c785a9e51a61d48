"""What one text shows of the features that are audited: the one place that says how it is read.

A text that is read as a whole shows all of them, from its mental model and its solution. Of one
that is not, single clauses may show some; what they do not show is not told, never "no".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from biaslab.audit.clauses import ComparisonWording, evidence
from schoolmath.problems import Comparison, Problem, ProblemError, Solution, Transfer
from schoolmath.problems.quantities import carries
from schoolmath.problems.reading import Times, read
from schoolmath.problems.stories import understand

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


class AnswerStep(NamedTuple):
    """A calculation on the way to the answer.

    Attributes:
        operation: ``+``, ``-``, ``*`` or ``/``.
        carries: whether an addition carries or a subtraction borrows; None for the others, and
            where a number is not whole.
    """

    operation: str
    carries: bool | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a text shows.

    Attributes:
        read: whether it was read as a whole, to its answer.
        comparisons: the wording of each comparison found; None where it is not told.
        compares: whether it compares two amounts; None where that is not told.
        transfers: whether something is got, lost or handed over; None where that is not told.
        steps: to the answer, in order; None where the text is not solved.
        words: the signal words that stand in it, as `SIGNAL_WORDS` names them.
    """

    read: bool
    comparisons: tuple[ComparisonWording | None, ...]
    compares: bool | None
    transfers: bool | None
    steps: tuple[AnswerStep, ...] | None
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class AuditReading:
    """What the readers make of a text.

    Attributes:
        problem: its mental model, where it has one, and solution: of that.
        equations: the steps to its answer as equations, "18 - 3 = 15"; None without an answer.
    """

    problem: Problem | None
    solution: Solution | None
    equations: tuple[str, ...] | None


def understood(text: str) -> AuditReading:
    """What a text says as a whole: by its mental model, else by the numbers of its story."""
    try:
        # What "3 times fewer" means changes the numbers, but nothing that is counted here.
        exact = read(text, times=Times.AS_MANY)
    except ProblemError:
        exact = None
    if exact is not None and exact.problem is not None:
        # What is read sentence by sentence and doubted is not solved in another way.
        solution = exact.solution
        equations = None if solution is None else tuple(s.equation() for s in solution.steps)
        return AuditReading(exact.problem if solution else None, solution, equations)
    story = understand(text)
    return AuditReading(None, None, None if story.answer is None else story.steps)


def shown(text: str, reader: Callable[[str], AuditReading] = understood) -> Shown:
    """What a text shows.

    Args:
        text: of one problem, its question included. Anything may be given.
        reader: reads a text as a whole.
    """
    words = frozenset(name for name, pattern in _SIGNALS.items() if pattern.search(text))
    whole = reader(text)
    steps = None if whole.equations is None else tuple(map(_step, whole.equations))
    if whole.problem is None or whole.solution is None:
        found = evidence(text)
        return Shown(
            steps is not None, found.comparisons, found.compares, found.transfers, steps, words
        )
    predicates = [statement.predicate for statement in whole.problem.statements]
    # A comparison off the way to the answer has no operation that its words could suggest.
    wordings: list[ComparisonWording | None] = [
        ComparisonWording.CONSISTENT if step.consistent else ComparisonWording.INCONSISTENT
        for step in whole.solution.steps
        if step.consistent is not None
    ]
    compared = sum(isinstance(each, Comparison) for each in predicates)
    return Shown(
        True,
        (*wordings, *[None] * (compared - len(wordings))),
        compared > 0,
        any(isinstance(each, Transfer) for each in predicates),
        steps,
        words,
    )


def _step(equation: str) -> AnswerStep:
    left, operation, right, *_ = equation.split()
    carried = operation in "+-" and left.isdigit() and right.isdigit()
    return AnswerStep(operation, carries(operation, int(left), int(right)) > 0 if carried else None)
