"""What a treatment has to know of a problem, whether it was drawn for a structure or read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from biaslab.studies.word_problems.treatments.treatment import Base
from schoolmath.problems import DesignError, Operation, Solution, Transfer, solve
from schoolmath.problems.chains import NOBODY, ChainPlan, PlannedPart
from schoolmath.problems.quantities import EITHER
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
