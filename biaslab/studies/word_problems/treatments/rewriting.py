"""What a treatment has to know of a problem, and problems with one thing changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from biaslab.studies.word_problems.treatments.treatment import Base
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    Container,
    DesignError,
    Operation,
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
from schoolmath.problems.chains import NOBODY, ChainPlan, PlannedPart
from schoolmath.problems.quantities import EITHER, QuantityChain
from schoolmath.problems.structure import SentenceKind, kind_of

ADDITIVE = (Operation.ADD, Operation.SUBTRACT, EITHER)
"""Signs of the steps that add or subtract."""

SIGN_WORDS = {
    Operation.ADD: "adds",
    Operation.SUBTRACT: "subtracts",
    Operation.MULTIPLY: "multiplies",
    Operation.DIVIDE: "divides",
}


@dataclass(frozen=True, slots=True)
class OutlinedSentence:
    """One sentence.

    Attributes:
        kind: what it says.
        sign: the calculation it stands for, `EITHER` where the numbers decide; "" where it
            stands for none.
        needed: whether the answer needs it.
        between: whether a transfer has a giver and a receiver; None where that may be drawn.
        inconsistent: whether the structure marks it so.
    """

    kind: SentenceKind
    sign: str
    needed: bool
    between: bool | None
    inconsistent: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """The sentences of a problem and the path to its answer.

    Attributes:
        told: what each sentence says, the question left out.
        start: index of the sentence that the path begins with.
        path: indices of the sentences that are steps, in the order of solving.
    """

    told: tuple[OutlinedSentence, ...]
    start: int
    path: tuple[int, ...]


@lru_cache(maxsize=64)
def outline_of_plan(plan: ChainPlan) -> Outline:
    """The outline of a structure."""
    return Outline(tuple(map(_outlined, plan.parts)), plan.start, plan.path)


def _outlined(part: PlannedPart) -> OutlinedSentence:
    between = None if part.other is None else part.other != NOBODY
    return OutlinedSentence(
        part.step.kind, part.sign, part.needed, between, part.step.consistent is False
    )


def outline(base: Base) -> Outline:
    """The outline of the problem that twins are made from.

    Raises:
        DesignError: it was read, and its answer stands in the text.
    """
    if base.plan is not None:
        return outline_of_plan(base.plan)
    solution = solution_of(base)
    if not solution.steps:
        raise DesignError(
            "There is nothing to calculate in this problem: its answer stands in the text.",
            "Ask for something that takes at least one step.",
            "structure",
        )
    signs = {step.sentence: step.operation for step in solution.steps}
    unused = frozenset(solution.unused)
    told = []
    start = 0
    for index, statement in enumerate(base.problem.statements):
        predicate = statement.predicate
        between = isinstance(predicate, Transfer) and None not in (
            predicate.sender, predicate.receiver,
        )  # fmt: skip
        needed = index not in unused
        if needed and index not in signs:
            start = index
        told.append(
            OutlinedSentence(kind_of(statement), signs.get(index, ""), needed, between, False)
        )
    return Outline(tuple(told), start, tuple(step.sentence for step in solution.steps))


def solution_of(base: Base) -> Solution:
    """The solution of the problem that twins are made from."""
    return base.solution or solve(base.problem)


def choose(
    problem: Outline,
    sentence: int | None,
    candidates: Iterable[int],
    objection: Callable[[int], str],
    nothing: DesignError,
) -> int:
    """The sentence to treat: the one asked for, or the first that nothing speaks against.

    Args:
        problem: its outline.
        sentence: what was asked for, or None.
        candidates: sentences to choose from, the preferred one first.
        objection: why a sentence cannot be treated, in a full sentence; "" where it can.
        nothing: what to raise where none can.

    Raises:
        DesignError: none can be treated, or not the one asked for (setting ``sentence``).
    """
    suitable = [index for index in candidates if not objection(index)]
    if sentence is None:
        if not suitable:
            raise nothing
        return suitable[0]
    check_sentence(problem, sentence)
    reason = objection(sentence)
    if reason:
        if not suitable:
            raise nothing
        raise DesignError(reason, f"Sentence {suitable[0] + 1} can be treated.", "sentence")
    return sentence


def check_sentence(problem: Outline, sentence: int) -> None:
    """Refuses the index of a sentence that is not there."""
    last = len(problem.told)
    if not 0 <= sentence < last:
        raise DesignError(
            f"There is no sentence {sentence + 1} to treat: the problem has {last} before its "
            "question.",
            f"Choose one from 1 to {last}.",
            "sentence",
        )


def refuse_sentence(sentence: int | None, label: str) -> None:
    """Refuses a choice of sentence by a treatment that has none to choose."""
    if sentence is not None:
        raise DesignError(
            f"“{label}” is not about one sentence, so none can be chosen.",
            "Leave the sentence out.",
            "sentence",
        )


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


def path_chain(problem: Outline, source: Problem, solution: Solution) -> QuantityChain:
    """The first number, then each step's operation, number and amount."""
    return QuantityChain(
        source.statements[problem.start].predicate.quantity,
        tuple([step.operation for step in solution.steps]),
        tuple([step.right for step in solution.steps]),
        tuple([step.result for step in solution.steps]),
    )


def renumbered(source: Problem, problem: Outline, chain: QuantityChain) -> Problem | None:
    """The problem with the numbers of a chain on its path; None where another sentence breaks.

    A sentence beside the path may divide what the path makes, or take from it.
    """
    numbers = dict(zip(problem.path, chain.numbers, strict=True))
    numbers[problem.start] = chain.first
    found = with_numbers(source, numbers)
    try:
        solve(found)
    except UnsolvableProblem:
        return None
    return found
