"""Carries: the same problem with numbers that do not carry, and with numbers of which one does."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.digits import NumberPair, carry_free, carry_twin, lengths
from biaslab.studies.word_problems.expectations import CARRY
from biaslab.studies.word_problems.features import Feature, Features, step_carries
from biaslab.studies.word_problems.treatments.outline import (
    ADDITIVE,
    Outline,
    choose,
    outline,
    outline_of_plan,
    solution_of,
)
from biaslab.studies.word_problems.treatments.rewriting import path_chain, renumbered
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import DesignError, Draws, Operation
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import EITHER, NumberRange, QuantityChain

ATTEMPTS = 40
"""Draws of numbers before the problem itself is drawn again."""

_CARRY_REASONS: Mapping[Feature, str] = {
    Feature.CARRIES: "This is the treatment: one step carries (or borrows), or none does.",
    Feature.NUMBERS: (
        "Other carries need other numbers: the step's own and the one before it. They have as "
        "many digits, none of them zero; all other numbers and the answer stay."
    ),
}


@dataclass(frozen=True, slots=True)
class CarryTreatment:
    """No step carries, or exactly one does.

    Attributes:
        count: how many carries (or borrows) that step has.
    """

    count: int = 1
    name: str = "carry"
    label: str = "With or without a carry"
    question: str = "Is the same problem harder when its numbers need a carry or a borrow?"
    explanation: str = (
        "In one text no sum carries and no difference borrows; in the other one step does, the "
        "one you choose or the first that can. Only that step's number and the number before it "
        "differ. The other amounts, the numbers of digits and the answer are the same. Carries "
        "are those of written addition and subtraction; steps that multiply or divide have the "
        "same numbers in both texts, and are never the step that carries."
    )
    source: str = "Hitch 1978; Fürst & Hitch 2000; Opedal et al. 2024, section 5.4"
    expects: Expectation | None = CARRY
    arms: Arms = Arms("no carry", "carry")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _CARRY_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """Carries, and the numbers that make them."""
        return frozenset(_CARRY_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure in which no step can carry without others changing."""
        _carry_target(outline_of_plan(plan), sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:
        """The problem with numbers without a carry, and with one."""
        problem = outline(base)
        sentence = _carry_target(problem, base.sentence)
        step = problem.path.index(sentence)
        before = problem.path[step - 1] if step else problem.start
        own = path_chain(problem, base.problem, solution_of(base))
        found = self._kept(draws, own, step, base.numbers) if base.plan is None else None
        found = found or self._drawn(draws, base, own.operations, step)
        if found is None:
            return None
        x = renumbered(base.problem, problem, found[0])
        x_prime = renumbered(base.problem, problem, found[1])
        distractors = {
            statement.predicate.quantity
            for statement, told in zip(base.problem.statements, problem.told, strict=True)
            if not told.needed
        }
        if x is None or x_prime is None or found[0].amounts[-1] in distractors:
            return None
        treated = tuple(sorted((before, sentence)))
        return Twins(x, x_prime, treated, treated)

    def _kept(
        self, draws: Draws, own: QuantityChain, step: int, numbers: NumberRange
    ) -> tuple[QuantityChain, QuantityChain] | None:
        """A twin of the problem's own numbers, where they carry as one of the members should."""
        counts = _carries(own)
        others = [count for index, count in enumerate(counts) if index != step]
        if any(others) or counts[step] not in (0, self.count):
            return None
        around = (own.first if step == 0 else own.numbers[step - 1], own.numbers[step])
        if any("0" in str(number) or number == 1 for number in around):
            return None
        for _ in range(ATTEMPTS):
            wanted = 0 if counts[step] else self.count
            twin = carry_twin(draws, own, step, wanted, numbers)
            if twin is not None and 1 not in twin:
                other = _with(own, step, twin)
                return (other, own) if counts[step] else (own, other)
        return None

    def _drawn(
        self, draws: Draws, base: Base, operations: tuple[str, ...], step: int
    ) -> tuple[QuantityChain, QuantityChain] | None:
        found = _carry_attempt(draws, operations, step, self.count, base.numbers)
        if found is None and not self._could(base, operations, step):
            raise DesignError(
                f"With numbers from {base.numbers.low} to {base.numbers.high} there are no two "
                "sets of numbers with one answer and as many digits, one of which carries.",
                "Numbers from 10 to 99, or from 100 to 999, work for most problems.",
                "numbers",
            )
        return found

    def _could(self, base: Base, operations: tuple[str, ...], step: int) -> bool:
        """Whether drawing again, with other signs where they are open, could help."""
        signs = operations if base.plan is None else base.plan.operations
        if EITHER not in signs:
            return _carry_possible(operations, step, self.count, base.numbers)
        # Open signs are many chains; what the range must hold at least is the step itself.
        window = signs[max(step - 1, 0) : step + 1]
        return any(
            _carry_possible(chosen, len(window) - 1, self.count, base.numbers)
            for chosen in itertools.product(*(_either(sign) for sign in window))
        )

    def fault(self, x: Features, x_prime: Features) -> str:
        """No step of x carries; exactly one step of x' does, so many times."""
        if any(x.carries):
            return "a step carries in the member that should have no carry"
        if sorted(x_prime.carries) != [*([0] * (len(x.carries) - 1)), self.count]:
            return f"the steps of the other member carry {x_prime.carries} times"
        return ""


def _carry_attempt(
    draws: Draws, operations: tuple[str, ...], step: int, count: int, numbers: NumberRange
) -> tuple[QuantityChain, QuantityChain] | None:
    """Numbers without a carry, and with so many; all of one length."""
    possible = [length for length in lengths(numbers, 2) if length > count]
    if not possible:
        return None
    for _ in range(ATTEMPTS):
        plain = carry_free(draws, operations, draws.one(possible), numbers)
        twin = plain and carry_twin(draws, plain, step, count, numbers)
        if plain and twin:
            return plain, _with(plain, step, twin)
    return None


@cache
def _carry_possible(
    operations: tuple[str, ...], step: int, count: int, numbers: NumberRange
) -> bool:
    draws = Draws("possible")
    return any(_carry_attempt(draws, operations, step, count, numbers) for _ in range(ATTEMPTS))


def _either(sign: str) -> tuple[str, ...]:
    return (Operation.ADD, Operation.SUBTRACT) if sign == EITHER else (sign,)


def _with(chain: QuantityChain, step: int, twin: NumberPair) -> QuantityChain:
    """The chain with the numbers of one step and of what is before it exchanged."""
    numbers = [chain.first, *chain.numbers]
    numbers[step], numbers[step + 1] = twin
    return QuantityChain(numbers[0], chain.operations, tuple(numbers[1:]), chain.amounts)


def _carries(chain: QuantityChain) -> list[int]:
    before = (chain.first, *chain.amounts)
    return [
        step_carries(operation, left, right)
        for operation, left, right in zip(chain.operations, before, chain.numbers, strict=False)
    ]


def _carry_target(problem: Outline, sentence: int | None) -> int:
    def objection(index: int) -> str:
        told = problem.told[index]
        if index not in problem.path:
            return f"Sentence {index + 1} is no step of the calculation, so nothing carries there."
        if told.sign not in ADDITIVE:
            return (
                f"Sentence {index + 1} multiplies or divides; carries are defined for sums and "
                "differences only."
            )
        step = problem.path.index(index)
        if step and problem.told[problem.path[step - 1]].sign not in ADDITIVE:
            return (
                f"The amount before sentence {index + 1} comes from sentence "
                f"{problem.path[step - 1] + 1}, which multiplies or divides: that calculation "
                "would change too."
            )
        return ""

    if any(problem.told[index].sign in ADDITIVE for index in problem.path):
        reason = (
            "Every sum and difference of this problem follows a step that multiplies or divides, "
            "and that calculation would change too."
        )
    else:
        reason = (
            "Every step of this problem multiplies or divides; carries are defined for sums and "
            "differences only."
        )
    return choose(
        problem,
        sentence,
        problem.path,
        objection,
        DesignError(
            reason,
            "Let a step that adds or subtracts come first, such as: container . transfer+",
            "structure",
        ),
    )
