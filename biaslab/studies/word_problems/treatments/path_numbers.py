"""The numbers on the path to a problem's answer, as a chain, and other numbers put in."""

from __future__ import annotations

from biaslab.problems import Problem, Solution, UnsolvableProblem, solve
from biaslab.problems.quantities import Chain
from biaslab.studies.word_problems.treatments.outline import Outline
from biaslab.studies.word_problems.treatments.rewriting import with_numbers


def path_chain(problem: Outline, told: Problem, solution: Solution) -> Chain:
    """The first number, then each step's operation, number and amount."""
    return Chain(
        told.statements[problem.start].predicate.quantity,
        tuple([step.operation for step in solution.steps]),
        tuple([step.right for step in solution.steps]),
        tuple([step.result for step in solution.steps]),
    )


def renumbered(told: Problem, problem: Outline, chain: Chain) -> Problem | None:
    """The problem with the numbers of a chain on its path; None where another sentence breaks.

    A sentence beside the path may divide what the path makes, or take from it.
    """
    numbers = dict(zip(problem.path, chain.numbers, strict=True))
    numbers[problem.start] = chain.first
    found = with_numbers(told, numbers)
    try:
        solve(found)
    except UnsolvableProblem:
        return None
    return found
