"""Numbers for every part of a structure: those of the path, then those that nobody needs.

The path's numbers come from `schoolmath.problems.quantities.chain`. Sentences that the answer does
not need get numbers of their own, different from the answer and from every other number, and
the amounts they speak of stay from 1 to 999 like all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from schoolmath.problems import Draws, Operation
from schoolmath.problems.chains import NOBODY, ChainPlan, PlannedPart
from schoolmath.problems.quantities import (
    EITHER,
    LARGEST_RESULT,
    NumberRange,
    QuantityChain,
    Signs,
    apply,
    chain,
    suiting,
)
from schoolmath.problems.structure import SentenceKind

_DRAWS = 40
"""So many numbers are drawn for a sentence that is not needed before the path's are given up."""

_BACK = {Operation.ADD: Operation.SUBTRACT, Operation.SUBTRACT: Operation.ADD}


@dataclass(frozen=True, slots=True)
class PartNumbers:
    """The number and the calculation of every part.

    Attributes:
        values: the number that each part states.
        signs: its calculation; "" for a container.
        answer: the amount asked for.
    """

    values: tuple[int, ...]
    signs: tuple[str, ...]
    answer: int


def is_lone(plan: ChainPlan) -> bool:
    """Whether every part is on the path and nobody else's amount is touched by it."""
    return all(part.needed for part in plan.parts) and not any(
        part.step.kind is SentenceKind.TRANSFER and part.other for part in plan.parts
    )


def draw_numbers(
    plan: ChainPlan, draws: Draws, signs: Signs, numbers: NumberRange
) -> PartNumbers | None:
    """Numbers for all parts, or None when this attempt reached a dead end."""
    found = chain(draws, signs, plan.operations, numbers)
    if found is None:
        return None
    if is_lone(plan):
        # The path is the whole text, in the order of the text.
        return PartNumbers(
            (found.first, *found.numbers), ("", *found.operations), found.amounts[-1]
        )
    return _Sides(plan, found, draws, signs, numbers).draw()


def main_thing(plan: ChainPlan) -> str:
    """The thing that the path is said to count; "" where it is drawn."""
    return next((part.step.thing for part in plan.parts if part.needed and part.step.thing), "")


@lru_cache(maxsize=64)
def things_of_parts(plan: ChainPlan) -> tuple[str, ...]:
    """For every part a key of the other thing that it counts; "" where it counts the path's."""
    main = main_thing(plan)
    return tuple(
        ""
        if part.needed or (main and part.step.thing == main)
        else part.step.thing or (f"part {index}" if part.aside else "")
        for index, part in enumerate(plan.parts)
    )


class _Sides:
    """Everybody's amounts in the order of the text, while numbers are drawn for the sides."""

    __slots__ = ("_amounts", "_draws", "_numbers", "_own", "_plan", "_signs", "_stated", "_taken")

    def __init__(
        self, plan: ChainPlan, path: QuantityChain, draws: Draws, signs: Signs, numbers: NumberRange
    ) -> None:
        self._plan = plan
        self._own = things_of_parts(plan)
        self._draws = draws
        self._signs = signs
        self._numbers = numbers
        self._amounts: dict[tuple[str, int | str], int] = {}
        self._stated: dict[int, tuple[int, str]] = {plan.start: (path.first, "")}
        for index, number, sign in zip(plan.path, path.numbers, path.operations, strict=True):
            self._stated[index] = (number, sign)
        self._taken = {path.first, *path.numbers, *path.amounts[-1:]}

    def draw(self) -> PartNumbers | None:
        """The numbers of all parts."""
        for index, part in enumerate(self._plan.parts):
            if index not in self._stated and not self._choose(index, part):
                return None
            if not self._happen(index, part):
                return None
        last = self._plan.path[-1]
        answer = self._amounts[self._plan.asked, self._plan.parts[last].packed]
        stated = [self._stated[index] for index in range(len(self._plan.parts))]
        return PartNumbers(
            tuple(number for number, _ in stated), tuple(sign for _, sign in stated), answer
        )

    def _choose(self, index: int, part: PlannedPart) -> bool:
        """Draws the number of a part that is not needed; whether there is one."""
        before = None
        if part.step.kind is not SentenceKind.CONTAINER:
            compares = part.step.kind is SentenceKind.COMPARISON
            source = part.other if compares and part.other else part.agent
            before = self._amounts.get((source, self._counted(index, part)))
        sign = part.sign
        options: Sequence[int] = range(self._numbers.low, self._numbers.high + 1)
        if sign == EITHER:
            sign = self._signs.choose(
                can_subtract=before is None or before > self._numbers.low,
            )
        if before is not None:
            options = suiting(sign, before, self._numbers)
        if not options:
            return False
        for _ in range(_DRAWS):
            number = self._draws.one(options)
            if number not in self._taken:
                self._taken.add(number)
                self._stated[index] = (number, sign)
                return True
        return False

    def _counted(self, index: int, part: PlannedPart) -> int | str:
        return self._own[index] or part.packed

    def _happen(self, index: int, part: PlannedPart) -> bool:
        """What the sentence does to amounts; whether all of them stay in range."""
        number, sign = self._stated[index]
        counted = self._counted(index, part)
        changed: list[tuple[tuple[str, int | str], str, int | None]] = []
        match part.step.kind:
            case SentenceKind.CONTAINER:
                self._amounts[part.agent, counted] = number
            case SentenceKind.TRANSFER:
                mine = (part.agent, counted)
                changed.append((mine, sign, self._amounts.get(mine)))
                if part.other is not None and part.other != NOBODY:
                    other = (part.other, counted)
                    changed.append((other, _BACK[sign], self._amounts.get(other)))
            case SentenceKind.COMPARISON:
                known = self._amounts.get((part.other or "", counted))
                changed.append(((part.agent, counted), sign, known))
            case SentenceKind.RATE:
                known = self._before_packing(part)
                changed.append(((part.agent, counted), sign, known))
        for key, operation, before in changed:
            if before is None:
                continue
            if operation == Operation.DIVIDE and before % number:
                return False
            after = apply(operation, before, number)
            if not 1 <= after <= LARGEST_RESULT:
                return False
            self._amounts[key] = after
        return True

    def _before_packing(self, part: PlannedPart) -> int:
        premise = part.premise
        assert premise is not None  # a rate always goes on from an amount
        return self._amounts[part.agent, self._plan.parts[premise].packed]


def possible(plan: ChainPlan, numbers: NumberRange, attempts: int) -> bool:
    """Whether numbers for the structure are found within so many attempts."""
    draws = Draws("possible")
    signs = Signs(draws)
    return any(draw_numbers(plan, draws, signs, numbers) is not None for _ in range(attempts))
