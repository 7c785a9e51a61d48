"""Treatments of the order: of two numbers, and of the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.features import OPERAND_ORDER, SENTENCE_ORDER, Feature, Features
from biaslab.studies.word_problems.treatments.rewriting import (
    Outline,
    changed_places,
    check_sentence,
    choose,
    outline,
    outline_of_plan,
    people,
    solution_of,
    with_numbers,
)
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import DesignError, Draws, Operation, Problem, Statement, Transfer
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import EITHER
from schoolmath.problems.structure import SentenceKind

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


_ORDER_REASONS: Mapping[Feature, str] = {
    Feature.ORDER: "This is the treatment: one sentence stands before the one it builds on.",
}
_Cast = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class SentenceOrder:
    """In the order of solving, or with one comparison or rate moved forward."""

    name: str = "sentence-order"
    label: str = "Told in the order of solving, or not"
    question: str = "Is a problem harder when its sentences are not in the order of solving?"
    explanation: str = (
        "One comparison or rate is told directly before the sentence that it builds on: “Ben has "
        "3 more than Ana. Ana has 5.” It is the one you choose, or the first that can be moved. "
        "What somebody gives or gets happens in time, so a transfer keeps its place among all "
        "sentences about the same people."
    )
    source: str = "Rosenthal & Resnick 1974"
    expects: Expectation | None = SENTENCE_ORDER
    arms: Arms = Arms("in order of solving", "out of order")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _ORDER_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """The order of the sentences."""
        return frozenset(_ORDER_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure in which no sentence can be moved and the meaning stay."""
        cast = tuple(frozenset(filter(None, (part.agent, part.other))) for part in plan.parts)
        _order_target(outline_of_plan(plan), cast, sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:  # noqa: ARG002
        """The problem in order, and with one sentence moved."""
        problem = outline(base)
        order = (problem.start, *problem.path)
        if order != tuple(sorted(order)):
            return _put_in_order(base.problem, order)
        cast = tuple(frozenset(people(statement)) for statement in base.problem.statements)
        target = _order_target(problem, cast, base.sentence)
        moved = list(base.problem.statements)
        moved.insert(_premise(problem, target), moved.pop(target))
        x_prime = Problem(tuple(moved), base.problem.question)
        treated = changed_places(base.problem, x_prime)
        return Twins(base.problem, x_prime, treated, treated)

    def fault(self, x: Features, x_prime: Features) -> str:
        """The calculation follows the text in x, and does not in x'."""
        used = len(x.order) - x.irrelevant
        if list(x.order[:used]) != sorted(x.order[:used]):
            return "the first member is not in the order of solving"
        if list(x_prime.order[:used]) == sorted(x_prime.order[:used]):
            return "the other member is in the order of solving too"
        return ""


def _put_in_order(told: Problem, order: tuple[int, ...]) -> Twins:
    """A problem that is out of order, and the same in order."""
    statements = list(told.statements)
    for place, index in zip(sorted(order), order, strict=True):
        statements[place] = told.statements[index]
    happening = [s for s in told.statements if isinstance(s.predicate, Transfer)]
    x = Problem(tuple(statements), told.question)
    treated = changed_places(x, told)
    if [s for s in statements if isinstance(s.predicate, Transfer)] != happening or any(
        _crosses(told, statements, index) for index in range(len(statements))
    ):
        raise DesignError(
            "The sentences of this problem cannot be put in the order of solving: a transfer "
            "would come before or after something else than it does now.",
            "Tell what is given first, then what happens.",
            "structure",
        )
    return Twins(x, told, treated, treated)


def _crosses(told: Problem, statements: list[Statement], index: int) -> bool:
    """Whether a transfer has another sentence about its people on its other side."""
    one = told.statements[index]
    if not isinstance(one.predicate, Transfer):
        return False
    at = next(place for place, other in enumerate(statements) if other is one)
    for before, other in enumerate(told.statements):
        place = next(place for place, moved in enumerate(statements) if moved is other)
        shared = not set(people(one)).isdisjoint(people(other))
        if shared and (before < index) is not (place < at) and other is not one:
            return True
    return False


def _premise(problem: Outline, index: int) -> int:
    """The sentence that a step starts from."""
    step = problem.path.index(index)
    return problem.path[step - 1] if step else problem.start


def _order_target(problem: Outline, cast: _Cast, sentence: int | None) -> int:
    def objection(index: int) -> str:
        told = problem.told[index]
        if index not in problem.path:
            return (
                f"Sentence {index + 1} is no step of the calculation, so the order of solving "
                "does not say where it belongs."
            )
        if told.kind is SentenceKind.TRANSFER:
            return (
                f"Sentence {index + 1} is a transfer: told earlier it would happen earlier, so "
                "the meaning would change too."
            )
        for between in range(_premise(problem, index), index):
            if problem.told[between].kind is SentenceKind.TRANSFER and cast[between] & cast[index]:
                return (
                    f"Sentence {index + 1} tells of somebody for whom sentence {between + 1} "
                    "changes something; told before it, it would mean something else."
                )
        return ""

    return choose(
        problem,
        sentence,
        problem.path,
        objection,
        DesignError(
            "No sentence of this problem can be moved without changing the meaning: transfers "
            "happen in time, and what follows from them comes after them.",
            "Add a comparison or rate that does not follow a transfer, such as: "
            "container . comparison+",
            "structure",
        ),
    )
