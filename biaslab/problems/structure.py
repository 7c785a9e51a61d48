"""The structure of a problem: which kinds of sentence follow each other.

Opedal et al. (2024), section 3: one container followed by comparisons, transfers, rates and
containers. Written as a line of text, for example
``container . transfer- . comparison+ inconsistent . rate*``, where the sign is the operation
that the step needs.
"""

from __future__ import annotations

from biaslab.problems.logic import (
    Comparison,
    Container,
    Problem,
    Rate,
    Statement,
    Transfer,
)
from biaslab.problems.solving import Solution, solve

SEPARATOR = " . "


def describe(problem: Problem, solution: Solution | None = None) -> str:
    """One line for the problem's structure, from its statements and solution."""
    signs = {step.sentence: step for step in (solution or solve(problem)).steps}
    parts = []
    for index, statement in enumerate(problem.statements):
        part = _kind(statement)
        step = signs.get(index)
        if step is not None:
            part += step.operation
            if step.consistent is not None:
                part += " consistent" if step.consistent else " inconsistent"
        parts.append(part)
    return SEPARATOR.join(parts)


def _kind(statement: Statement) -> str:
    match statement.predicate:
        case Container():
            return "container"
        case Transfer():
            return "transfer"
        case Comparison():
            return "comparison"
        case Rate():
            return "rate"
