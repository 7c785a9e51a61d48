"""Number size: the same problem with small numbers and with large ones."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.digits import carry_free, lengths
from biaslab.studies.word_problems.expectations import NUMBER_SIZE
from biaslab.studies.word_problems.features import Feature, Features
from biaslab.studies.word_problems.treatments.carry import ATTEMPTS
from biaslab.studies.word_problems.treatments.outline import (
    ADDITIVE,
    Outline,
    outline,
    outline_of_plan,
    refuse_sentence,
    solution_of,
)
from biaslab.studies.word_problems.treatments.rewriting import renumbered
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import DesignError, Draws, Operation
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import EITHER, NumberRange, QuantityChain

_SIZE_REASONS: Mapping[Feature, str] = {
    Feature.NUMBERS: (
        "This is the treatment: every number that is calculated with is at least half as large "
        "again."
    ),
    Feature.ANSWER: "Larger numbers lead to another answer.",
}


@dataclass(frozen=True, slots=True)
class NumberSize:
    """Small numbers, and larger ones of the same length."""

    name: str = "number-size"
    label: str = "Small or large numbers"
    question: str = "Is the same problem harder with larger numbers?"
    explanation: str = (
        "Every number that the answer needs is at least half as large again in one text as in "
        "the other. The numbers have as many digits and the amounts on the way too, no sum "
        "carries and no difference borrows, and there are no zeros, so that size alone differs. "
        "Only for steps that add or subtract: when a larger number multiplies, its digits carry "
        "differently."
    )
    source: str = "Groen & Parkman 1972; Zbrodoff & Logan 2005"
    expects: Expectation | None = NUMBER_SIZE
    arms: Arms = Arms("small numbers", "large numbers")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _SIZE_REASONS)
    one_answer: bool = False

    @property
    def changes(self) -> frozenset[Feature]:
        """The numbers and the answer."""
        return frozenset(_SIZE_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure with a step that multiplies or divides, and a choice of sentence."""
        refuse_sentence(sentence, self.label)
        _check(outline_of_plan(plan))

    def twins(self, base: Base, draws: Draws) -> Twins | None:
        """The problem with small and with large numbers, all of them drawn anew."""
        refuse_sentence(base.sentence, self.label)
        problem = outline(base)
        _check(problem)
        operations = tuple([step.operation for step in solution_of(base).steps])
        found = _size_attempt(draws, operations, base.numbers)
        if found is None:
            signs = operations if base.plan is None else base.plan.operations
            if not _size_possible(_most_even(signs), base.numbers):
                raise DesignError(
                    f"With numbers from {base.numbers.low} to {base.numbers.high} this problem "
                    "has no larger numbers of as many digits with as many carries: too many "
                    "steps in a row go one way, or the range is too narrow.",
                    "Let some steps add and others subtract, with numbers from 10 to 99.",
                    "numbers",
                )
            return None
        distractors = {
            statement.predicate.quantity
            for statement, told in zip(base.problem.statements, problem.told, strict=True)
            if not told.needed
        }
        if distractors & {chain.amounts[-1] for chain in found}:
            return None
        small, large = (renumbered(base.problem, problem, chain) for chain in found)
        if small is None or large is None:
            return None
        treated = tuple(sorted((problem.start, *problem.path)))
        return Twins(small, large, treated, treated)

    def fault(self, x: Features, x_prime: Features) -> str:
        """Every number of the calculation is at least half as large again in x'."""
        used = len(x.numbers) - x.irrelevant
        pairs = list(zip(x.numbers, x_prime.numbers, strict=True))
        if not all(2 * large >= 3 * small for small, large in pairs[:used]):
            return "a number is not half as large again"
        if any(small != large for small, large in pairs[used:]):
            return "a number that is not needed differs"
        return ""


def _check(problem: Outline) -> None:
    for index in problem.path:
        if problem.told[index].sign not in ADDITIVE:
            raise DesignError(
                f"Sentence {index + 1} multiplies or divides; with larger numbers its digits "
                "would carry differently, so carries would change too.",
                "Use steps that add or subtract, such as: container . transfer+ . comparison-",
                "structure",
            )


def _size_attempt(
    draws: Draws, operations: tuple[str, ...], numbers: NumberRange
) -> tuple[QuantityChain, QuantityChain] | None:
    possible = lengths(numbers, 1)
    for _ in range(ATTEMPTS):
        length = draws.one(possible)
        # A lone digit is not 1, which would take a singular: the smallest pair is 2 and 3.
        large = carry_free(draws, operations, length, numbers, lead=3 if length == 1 else 2)
        small = large and _reduced(draws, large, numbers)
        if small and large:
            return small, large
    return None


@cache
def _size_possible(operations: tuple[str, ...], numbers: NumberRange) -> bool:
    draws = Draws("possible")
    return any(_size_attempt(draws, operations, numbers) for _ in range(ATTEMPTS))


def _most_even(signs: tuple[str, ...]) -> tuple[str, ...]:
    """The signs with open ones chosen against those before: the easiest to find numbers for."""
    chosen: list[str] = []
    for sign in signs:
        turn = Operation.SUBTRACT if chosen[-1:] == [Operation.ADD] else Operation.ADD
        chosen.append(turn if sign == EITHER else sign)
    return tuple(chosen)


def _reduced(draws: Draws, large: QuantityChain, numbers: NumberRange) -> QuantityChain | None:
    """The chain with smaller first digits, all other digits as they are; None: none found."""
    unit = 10 ** (len(str(large.first)) - 1)
    stated = (large.first, *large.numbers)
    leads = [number // unit for number in stated]
    lone = unit == 1
    # Two thirds of the number at most, whatever the digits after the first one are.
    ranges = tuple([range(1 + lone, (2 * lead - (not lone)) // 3 + 1) for lead in leads])
    signs = tuple([1 if operation == Operation.ADD else -1 for operation in large.operations])
    open_ = _open_amounts(signs, ranges[1:])
    options = [lead for lead in ranges[0] if lead in open_[0]]
    if not options:
        return None
    amount = draws.one(options)
    small = [large.first + (amount - leads[0]) * unit]
    for index, sign in enumerate(signs):
        options = [d for d in ranges[index + 1] if amount + sign * d in open_[index + 1]]
        lead = draws.one(options)
        amount += sign * lead
        small.append(stated[index + 1] + (lead - leads[index + 1]) * unit)
    amounts = tuple(
        itertools.accumulate(
            (sign * number for sign, number in zip(signs, small[1:], strict=True)),
            initial=small[0],
        )
    )[1:]
    if min(small) < numbers.low or amounts[-1] in small:
        return None
    return QuantityChain(small[0], large.operations, tuple(small[1:]), amounts)


def _open_amounts(signs: tuple[int, ...], ranges: tuple[range, ...]) -> list[frozenset[int]]:
    """Before each step, and at the end: the first digits from which the rest can be done."""
    found = [frozenset(range(1, 10))]
    for sign, options in zip(reversed(signs), reversed(ranges), strict=True):
        after = found[-1]
        found.append(
            frozenset(
                amount
                for amount in range(1, 10)
                if any(amount + sign * digit in after for digit in options)
            )
        )
    return found[::-1]
