"""Operand order: which of the two numbers of a sum or product comes first in the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.expectations import OPERAND_ORDER
from biaslab.studies.word_problems.features import Feature, Features
from biaslab.studies.word_problems.treatments.outline import (
    Outline,
    check_sentence,
    outline,
    outline_of_plan,
    solution_of,
)
from biaslab.studies.word_problems.treatments.rewriting import with_numbers
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import DesignError, Draws, Operation
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import EITHER

_OPERAND_REASONS: Mapping[Feature, str] = {
    Feature.NUMBERS: "This is the treatment: the same two numbers have changed places.",
}
_COMMUTATIVE = (Operation.ADD, Operation.MULTIPLY)


@dataclass(frozen=True, slots=True)
class OperandOrder:
    """The two numbers of the first step, the larger or the smaller one first."""

    name: str = "operand-order"
    label: str = "Larger or smaller number first"
    question: str = "Is a sum harder when the smaller of its two numbers comes first?"
    explanation: str = (
        "The first number of the calculation and the number of its first step change places: "
        "“Ana has 14. She gets 3.” becomes “Ana has 3. She gets 14.” That step must add or "
        "multiply, because only there the order does not matter for the result."
    )
    source: str = "Groen & Parkman 1972; De Corte & Verschaffel 1987"
    expects: Expectation | None = OPERAND_ORDER
    arms: Arms = Arms("larger first", "smaller first")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _OPERAND_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """Where two numbers stand."""
        return frozenset(_OPERAND_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure whose first step subtracts or divides."""
        _check_operands(outline_of_plan(plan), sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:  # noqa: ARG002
        """The problem with its first two numbers in either order."""
        problem = outline(base)
        _check_operands(problem, base.sentence)
        step = solution_of(base).steps[0]
        start = base.problem.statements[problem.start].predicate.quantity
        places = sorted((problem.start, step.sentence))
        if step.operation not in _COMMUTATIVE:
            return None
        if start == step.right or 1 in (start, step.right):
            if base.plan is None:
                raise DesignError(
                    f"The two numbers of the first step are {start} and {step.right}: exchanged, "
                    "they would change nothing, or a singular into a plural.",
                    "Use two different numbers, none of them 1.",
                    "numbers",
                )
            return None
        large, small = max(start, step.right), min(start, step.right)
        x, x_prime = (
            with_numbers(base.problem, dict(zip(places, order, strict=True)))
            for order in ((large, small), (small, large))
        )
        treated = tuple(places)
        return Twins(x, x_prime, treated, treated)

    def fault(self, x: Features, x_prime: Features) -> str:
        """The first two numbers of the calculation are exchanged, all others stay."""
        exchanged = (x.numbers[1], x.numbers[0], *x.numbers[2:])
        if x_prime.numbers != exchanged:
            return "more than the first two numbers has changed places"
        larger_first = x.numbers[0] > x.numbers[1]
        if larger_first is not (x.order[0] < x.order[1]):
            return "the larger number does not come first"
        return ""


def _check_operands(problem: Outline, sentence: int | None) -> None:
    first = problem.path[0]
    if sentence is not None:
        check_sentence(problem, sentence)
        if sentence not in (first, problem.start):
            raise DesignError(
                f"Sentence {sentence + 1} does not hold one of the first two numbers of the "
                "calculation; later steps work on an amount that the text does not state.",
                f"Sentence {first + 1} can be treated.",
                "sentence",
            )
    if problem.told[first].sign not in (*_COMMUTATIVE, EITHER):
        verb = "subtracts" if problem.told[first].sign == Operation.SUBTRACT else "divides"
        raise DesignError(
            f"The first step {verb}: with its numbers exchanged it would be another calculation, "
            "so the answer would change too.",
            "Let the first step add or multiply, such as: container . transfer+",
            "structure",
        )
