"""Statements and problems with one thing changed, everything else as it was."""

from __future__ import annotations

from collections.abc import Mapping

from biaslab.studies.word_problems.treatments.outline import Outline
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    Container,
    Predicate,
    Problem,
    Question,
    Rate,
    Solution,
    Statement,
    Transfer,
    UnsolvableProblem,
    solve,
)
from schoolmath.problems.quantities import QuantityChain


def with_form(statement: Statement, form: ComparisonForm) -> Statement:
    """The statement with its comparison told this way round."""
    return Statement(statement.predicate, form, statement.phrasing, statement.dividing)


def with_phrasing(statement: Statement, phrasing: int) -> Statement:
    """The statement in another phrasing of its kind."""
    return Statement(statement.predicate, statement.form, phrasing, statement.dividing)


def with_number(statement: Statement, number: int) -> Statement:
    """The statement with another number."""
    predicate = statement.predicate
    changed: Predicate
    match predicate:
        case Container():
            changed = Container(predicate.agent, number, predicate.entity)
        case Transfer():
            changed = Transfer(predicate.receiver, predicate.sender, number, predicate.entity)
        case Comparison():
            changed = Comparison(
                predicate.type, predicate.agent_a, predicate.agent_b, number, predicate.entity
            )
        case Rate():
            changed = Rate(predicate.agent, number, predicate.entity, predicate.per)
    return Statement(changed, statement.form, statement.phrasing, statement.dividing)


def with_names(statement: Statement, names: Mapping[str, str]) -> Statement:
    """The statement about other people; who is not in the mapping stays."""
    predicate = statement.predicate
    changed: Predicate
    match predicate:
        case Container():
            changed = Container(
                names.get(predicate.agent, predicate.agent), predicate.quantity, predicate.entity
            )
        case Transfer():
            changed = Transfer(
                _named(names, predicate.receiver), _named(names, predicate.sender),
                predicate.quantity, predicate.entity,
            )  # fmt: skip
        case Comparison():
            changed = Comparison(
                predicate.type,
                names.get(predicate.agent_a, predicate.agent_a),
                names.get(predicate.agent_b, predicate.agent_b),
                predicate.quantity,
                predicate.entity,
            )
        case Rate():
            changed = Rate(
                names.get(predicate.agent, predicate.agent),
                predicate.quantity,
                predicate.entity,
                predicate.per,
            )
    if changed == predicate:
        return statement
    return Statement(changed, statement.form, statement.phrasing, statement.dividing)


def _named(names: Mapping[str, str], name: str | None) -> str | None:
    return None if name is None else names.get(name, name)


def asking(
    question: Question,
    *,
    agent: str | None = None,
    phrasing: int | None = None,
    now: bool | None = None,
) -> Question:
    """The question with what is given changed."""
    return Question(
        question.agent if agent is None else agent,
        question.entity,
        question.phrasing if phrasing is None else phrasing,
        question.now if now is None else now,
    )


def with_statement(problem: Problem, index: int, statement: Statement) -> Problem:
    """The problem with one statement put in the place of another."""
    statements = list(problem.statements)
    statements[index] = statement
    return Problem(tuple(statements), problem.question)


def with_numbers(problem: Problem, numbers: Mapping[int, int]) -> Problem:
    """The problem with other numbers in some sentences, by their indices."""
    return Problem(
        tuple(
            with_number(statement, numbers[index]) if index in numbers else statement
            for index, statement in enumerate(problem.statements)
        ),
        problem.question,
    )


def people(statement: Statement) -> tuple[str, ...]:
    """Everybody named in a statement."""
    predicate = statement.predicate
    if isinstance(predicate, Comparison):
        return predicate.agent_a, predicate.agent_b
    if isinstance(predicate, Transfer):
        return tuple(name for name in (predicate.sender, predicate.receiver) if name is not None)
    return (predicate.agent,)


def everybody(problem: Problem) -> tuple[str, ...]:
    """Everybody named in a problem, in the order of its logical form, each once."""
    named = [name for statement in problem.statements for name in people(statement)]
    return tuple(dict.fromkeys([*named, problem.question.agent]))


def changed_places(one: Problem, other: Problem) -> tuple[int, ...]:
    """Indices of the sentences that two problems of one length do not share."""
    places = [
        index
        for index, (a, b) in enumerate(zip(one.statements, other.statements, strict=True))
        if a is not b and a != b
    ]
    if one.question != other.question:
        places.append(len(one.statements))
    return tuple(places)


def path_chain(problem: Outline, told: Problem, solution: Solution) -> QuantityChain:
    """The first number, then each step's operation, number and amount."""
    return QuantityChain(
        told.statements[problem.start].predicate.quantity,
        tuple([step.operation for step in solution.steps]),
        tuple([step.right for step in solution.steps]),
        tuple([step.result for step in solution.steps]),
    )


def renumbered(told: Problem, problem: Outline, chain: QuantityChain) -> Problem | None:
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
