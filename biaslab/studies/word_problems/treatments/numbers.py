"""Treatments of the numbers: with or without a carry, small or large; built digit by digit.

All numbers that are added or subtracted have digits from 1 to 9 only: with no zero anywhere,
two sets of numbers cannot differ in their zeros.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.features import (
    CARRY,
    NUMBER_SIZE,
    Feature,
    Features,
    step_carries,
)
from biaslab.studies.word_problems.treatments.rewriting import (
    ADDITIVE,
    Outline,
    choose,
    outline,
    outline_of_plan,
    path_chain,
    refuse_sentence,
    renumbered,
    solution_of,
)
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import DesignError, Draws, Operation
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import EITHER, LARGEST_RESULT, NumberRange, QuantityChain, apply


def lengths(numbers: NumberRange, shortest: int) -> tuple[int, ...]:
    """Numbers of digits that the range holds, those that it holds wholly where there are any.

    Raises:
        DesignError: it holds none with so many digits or more.
    """
    partly, wholly = [], []
    for length in range(shortest, len(str(LARGEST_RESULT)) + 1):
        low, high = 10 ** (length - 1), 10**length - 1
        if numbers.low <= high and low <= numbers.high:
            partly.append(length)
        if numbers.low <= max(low, 2) and high <= numbers.high:
            wholly.append(length)
    if not partly:
        raise DesignError(
            f"Numbers from {numbers.low} to {numbers.high} have fewer than {shortest} digits, so "
            "the digits of one cannot carry into the next without making it longer.",
            "Numbers from 10 to 99 work.",
            "numbers",
        )
    return tuple(wholly or partly)


class _Bounds(NamedTuple):
    low: int
    high: int


@cache
def _bounds(operations: tuple[str, ...], lead: int) -> tuple[tuple[_Bounds, _Bounds], ...]:
    """Before each operation, and at the end: what a digit may be, and what the first one may.

    So that the operations that follow find something to add or take away: at least 1 at every
    place, and at least `lead` at the first.
    """
    found = []
    for index in range(len(operations) + 1):
        sign = operations[index] if index < len(operations) else ""
        run = len(tuple(itertools.takewhile(sign.__eq__, operations[index:])))
        up = run if sign == Operation.ADD else 0
        down = run if sign == Operation.SUBTRACT else 0
        found.append((_Bounds(down, 9 - up), _Bounds(1 + down * lead, 9 - up * lead)))
    return tuple(found)


def carry_free(
    draws: Draws, operations: tuple[str, ...], length: int, numbers: NumberRange, lead: int = 1
) -> QuantityChain | None:
    """Numbers for the operations, none of whose sums carries and none of whose differences borrows.

    Args:
        draws: the stream of random choices.
        operations: signs of `Operation`; those that multiply or divide take any number.
        length: digits of the numbers that are added or subtracted, and of the first one.
        numbers: range of all numbers.
        lead: the least first digit of the numbers that are added or subtracted.
    """
    bounds = _bounds(operations, lead)
    first = 0
    for place in range(length):
        low, high = bounds[0][place == length - 1]
        low = max(low, lead if place == length - 1 else 1)
        if low > high:
            return None
        first += draws.between(low, high) * 10**place
    amount, chosen, amounts = first, list[int](), list[int]()
    for index, operation in enumerate(operations):
        if operation in (Operation.ADD, Operation.SUBTRACT):
            number = _added(draws, operation, amount, (length, lead), bounds[index + 1])
        else:
            options = _factors(operation, amount, numbers)
            number = draws.one(options) if options else 0
        if not number:
            return None
        amount = apply(operation, amount, number)
        chosen.append(number)
        amounts.append(amount)
    stated = (first, *chosen)
    if amount in stated or not numbers.low <= min(stated) <= max(stated) <= numbers.high:
        return None
    return QuantityChain(first, operations, tuple(chosen), tuple(amounts))


def _added(
    draws: Draws,
    operation: str,
    amount: int,
    shape: tuple[int, int],
    bounds: tuple[_Bounds, _Bounds],
) -> int:
    """A number to add or subtract without carrying; 0: there is none.

    Its shape is how many digits it has, and the least first one; the bounds are those of the
    result's digits.
    """
    length, lead = shape
    number, power = 0, 1
    for place in range(length):
        digit = amount // power % 10
        low, high = bounds[place == length - 1]
        smallest = lead if place == length - 1 else 1
        if operation == Operation.ADD:
            least, most = max(smallest, low - digit), min(9, high - digit)
        else:
            least, most = max(smallest, digit - high), min(9, digit - low)
        if least > most:
            return 0
        number += draws.between(least, most) * power
        power *= 10
    return number


@cache
def _factors(operation: str, amount: int, numbers: NumberRange) -> tuple[int, ...]:
    low, high = max(numbers.low, 2), numbers.high
    if operation == Operation.MULTIPLY:
        return tuple(range(low, min(high, LARGEST_RESULT // amount) + 1))
    return tuple(d for d in range(low, min(high, amount - 1) + 1) if amount % d == 0)


class NumberPair(NamedTuple):
    """Two numbers of the text: of a step, and of what stands before it."""

    before: int
    number: int


def carry_twin(
    draws: Draws, chain: QuantityChain, target: int, count: int, numbers: NumberRange
) -> NumberPair | None:
    """Two other numbers with which one step has so many carries, and nothing else changes.

    The amount after the step stays, and so does the amount before the sentence before it; the
    amount between the two changes, with as many digits as before.

    Args:
        draws: the stream of random choices.
        chain: numbers, none of whose additive steps carries, apart from the target.
        target: which operation it is; the one before it, if any, adds or subtracts too.
        count: carries or borrows that the step is to have; 0 for none.
        numbers: range of all numbers.
    """
    before = chain.operations[target - 1] if target else ""
    start = (chain.amounts[target - 2] if target > 1 else chain.first) if target else 0
    shown = NumberPair(chain.numbers[target - 1] if target else chain.first, chain.numbers[target])
    middle = chain.amounts[target - 1] if target else chain.first
    end = chain.amounts[target]
    places = len(str(max(start, middle, end)))
    patterns = list(itertools.combinations(range(places - 1), count))
    for carrying in draws.several(patterns, len(patterns)):
        found = [0, 0]
        between = 0
        for place in range(places):
            power = 10**place
            options = _fillings(
                before, chain.operations[target],
                (start // power % 10, end // power % 10),
                (power <= shown.before, power <= shown.number),
                (place - 1 in carrying, place in carrying),
            )  # fmt: skip
            if not options:
                break
            digits = draws.one(options)
            between += digits.middle * power
            found[0] += digits.before * power
            found[1] += digits.number * power
        else:
            twin = NumberPair(*found)
            inside = numbers.low <= min(twin) <= max(twin) <= numbers.high
            as_long = len(str(between)) == len(str(middle))
            if inside and as_long and chain.amounts[-1] not in twin:
                return twin
    return None


class _Digits(NamedTuple):
    middle: int
    before: int
    number: int


@cache
def _fillings(
    before: str,
    operation: str,
    span: tuple[int, int],
    present: tuple[bool, bool],
    carry: tuple[bool, bool],
) -> tuple[_Digits, ...]:
    """Every way to fill one place of the two numbers.

    Args:
        before: the operation before, "" where the amount before the step is itself stated.
        operation: the step's.
        span: this place's digit of the amount before that, and of the amount after the step.
        present: whether the two numbers have a digit here.
        carry: whether the step carries (or borrows) into this place, and out of it.
    """
    start, end = span
    into, out = int(carry[0]), 10 * int(carry[1])
    found = []
    for number in range(1, 10) if present[1] else (0,):
        if operation == Operation.ADD:
            middle = end + out - number - into
        else:
            middle = end + number + into - out
        if not 0 <= middle <= 9:
            continue
        stated = {"": middle, Operation.ADD: middle - start}.get(before, start - middle)
        if (1 <= stated <= 9) if present[0] else stated == 0:
            found.append(_Digits(middle, stated, number))
    return tuple(found)


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
