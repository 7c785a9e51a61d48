"""Simulated learners: solvers that make known mistakes with known probabilities.

A learner reads the steps of a problem from the request's facts and works through them with
its own results, so a mistake in one step carries into the next. It never sees the right
answer. Its luck depends on its name, the problem's facts and the sampling seed only, not on the
words of the prompt: the reasoning of a first request and the answer to a second one agree.

Its text is the number alone, or, when the last sentence asked is about thinking step by step,
one sentence per step, as in ``Ben has 18 - 3 = 15 apples.`` Temperature has no meaning for it.

Some learners also say which of several rationales led to a choice
(`biaslab.models.learner.choosing`), judge an amount after labelled examples
(`biaslab.models.learner.judging`), by a word or by the probabilities of two, decide between
options (`biaslab.models.learner.deciding`), or weigh a right answer against a wrong one
(`biaslab.models.learner.weighing`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from hashlib import blake2b
from typing import Any

from biaslab.models.learner.chances import Luck, RandomLuck, every_way
from biaslab.models.learner.choosing import Choosing
from biaslab.models.learner.deciding import DecisionPolicy
from biaslab.models.learner.judging import AmountJudgement
from biaslab.models.learner.weighing import Weighing
from biaslab.models.requests import Skill

# A chain of calculations as a pupil does it: exact numbers, columns, carries that get lost.


REVERSED = {"+": "-", "-": "+", "*": "/", "/": "*"}
"""The operation that undoes each operation."""


class UnreadableSteps(ValueError):
    """The facts do not hold a chain of steps; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One calculation that a problem needs: `left operation right`.

    Attributes:
        comparison: whether the sentence compares two amounts.
        consistent: for a comparison, whether its wording suggests the needed operation.
        operation: the operation needed, one of ``+ - * /``.
        right: the number the sentence states.
        result: the right result, used only to tell whether a learner's answer is right.
        agent, what: whose amount of what the result is, for writing it down.
    """

    comparison: bool
    consistent: bool | None
    operation: str
    right: int
    result: int
    agent: str
    what: str


@dataclass(frozen=True, slots=True)
class Calculations:
    """Calculations in which each starts from the result of the one before.

    Attributes:
        start: the number the first step starts from.
    """

    start: int
    steps: tuple[ChainStep, ...]


def read_chain(steps: object) -> Calculations:
    """The chain in the ``steps`` of an item's facts.

    Args:
        steps: a list with ``rule``, ``consistent``, ``operation``, ``left``, ``right``,
            ``result`` and, for writing only, ``agent`` and ``what`` in each entry.

    Raises:
        UnreadableSteps: an entry lacks something, or a step does not continue the one before.
    """
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not steps:
        raise UnreadableSteps("there are no steps")
    start = _whole(steps[0], "left", 1)
    reached = start
    chain = []
    for number, facts in enumerate(steps, start=1):
        if _whole(facts, "left", number) != reached:
            raise UnreadableSteps(f"step {number} does not start from the result of the one before")
        step = _read_step(facts, number)
        reached = step.result
        chain.append(step)
    return Calculations(start, tuple(chain))


def _read_step(facts: Mapping[str, Any], number: int) -> ChainStep:
    operation = facts.get("operation")
    if operation not in REVERSED:
        raise UnreadableSteps(f"step {number} has no operation")
    return ChainStep(
        comparison=facts.get("rule") == "compare",
        consistent=facts.get("consistent"),
        operation=operation,
        right=_whole(facts, "right", number),
        result=_whole(facts, "result", number),
        agent=str(facts.get("agent", "")),
        what=str(facts.get("what", "")),
    )


def _whole(facts: object, name: str, number: int) -> int:
    value = facts.get(name) if isinstance(facts, Mapping) else None
    if not isinstance(value, int) or isinstance(value, bool):
        raise UnreadableSteps(f"step {number} has no whole number as “{name}”")
    return value


def calculate(
    left: Fraction, operation: str, right: int, carry_slip: float, chances: Luck
) -> Fraction:
    """The result of one calculation; additions and subtractions may lose carries.

    Each carry or borrow is forgotten with the probability of a carry slip. A carry out of the
    leftmost column is written down, not carried, and is never forgotten.
    """
    if operation == "*":
        return left * right
    if operation == "/":
        return left / right
    if carry_slip == 0.0 or left.denominator != 1 or left < 0 or right < 0:
        return left + right if operation == "+" else left - right
    if operation == "+":
        return Fraction(_add_in_columns(int(left), right, carry_slip, chances))
    if left < right:
        return left - right
    return Fraction(_subtract_in_columns(int(left), right, carry_slip, chances))


def _add_in_columns(left: int, right: int, carry_slip: float, chances: Luck) -> int:
    result, place, carry = 0, 1, 0
    while left or right:
        column = left % 10 + right % 10 + carry
        left, right = left // 10, right // 10
        if not (left or right):
            return result + column * place
        result += column % 10 * place
        carry = column // 10
        if carry and chances.happens(carry_slip):
            carry = 0
        place *= 10
    return result


def _subtract_in_columns(left: int, right: int, carry_slip: float, chances: Luck) -> int:
    result, place, borrow = 0, 1, 0
    while left:
        column = left % 10 - right % 10 - borrow
        borrow = int(column < 0)
        result += column % 10 * place
        if borrow and chances.happens(carry_slip):
            borrow = 0
        left, right, place = left // 10, right // 10, place * 10
    return result


def write_number(number: Fraction) -> str:
    """A number in Arabic numerals.

    Whole numbers stand as they are, others with a decimal point: exactly where that takes at
    most four places, otherwise rounded to two, or to as many as it takes not to look like a
    whole number that it is not.
    """
    if number.denominator == 1:
        return str(number.numerator)
    places = 4
    scaled = number * 10**places
    if scaled.denominator != 1:
        places = 2
        while round(number * 10**places) % 10**places == 0:
            places += 1
        scaled = Fraction(round(number * 10**places))
    digits = f"{abs(scaled.numerator):0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0")
    return f"-{text}" if number < 0 else text


PREFIX = "learner"
"""What the spec of a learner begins with."""

_SLIPS = (-2, -1, 1, 2)
"""By how much a careless result is off."""

NO_ANSWER = "I do not know."
"""What a learner writes who gives up."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A solver and the probabilities of its mistakes, each between 0 and 1.

    Attributes:
        name: as in ``learner:NAME``.
        label: name on screens.
        explanation: one line for teachers.
        keyword_probability: per comparison whose wording suggests the wrong operation: does
            what the word suggests, which reverses the operation.
        reversal: per comparison, whatever its wording: reverses the operation.
        comparison_slip: per comparison: the result is off by 1 or 2.
        carry_slip: per carry or borrow: forgets it, so the result is off by 10, 100, ...
        random_slip: per step: the result is off by 1 or 2.
        forgetting: per step: leaves the step out.
        giving_up: per problem: gives no answer.
        choosing: how it tells which rationale led to a choice; None: it cannot.
        judging: how it judges amounts after labelled examples; None: it cannot.
        deciding: how it decides between options; None: it cannot.
        weighing: how it weighs a right answer against a wrong one; None: it cannot.
        always_adds: whether it adds in every step, whatever the sentence says.
    """

    name: str
    label: str
    explanation: str
    keyword_probability: float = 0.0
    reversal: float = 0.0
    comparison_slip: float = 0.0
    carry_slip: float = 0.0
    random_slip: float = 0.0
    forgetting: float = 0.0
    giving_up: float = 0.0
    choosing: Choosing | None = None
    judging: AmountJudgement | None = None
    deciding: DecisionPolicy | None = None
    weighing: Weighing | None = None
    always_adds: bool = False

    def __post_init__(self) -> None:
        for probability in self.probabilities.values():
            if not 0.0 <= probability <= 1.0:
                raise ValueError(f"Learner {self.name} has {probability} as a probability.")

    @property
    def probabilities(self) -> dict[str, float]:
        """Every probability by its name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.type == "float"}

    @property
    def spec(self) -> str:
        """What opens it."""
        return f"{PREFIX}:{self.name}"

    @property
    def skills(self) -> frozenset[Skill]:
        """What it can be asked; one that always gives up solves nothing."""
        has = {
            Skill.SOLVE: self.giving_up < 1.0,
            Skill.IDENTIFY: self.choosing is not None,
            Skill.JUDGE: self.judging is not None,
            Skill.DECIDE: self.deciding is not None,
            Skill.WEIGH: self.weighing is not None,
            Skill.REVIEW: self.choosing is not None,
        }
        return frozenset(skill for skill, able in has.items() if able)

    def work(self, facts: Mapping[str, Any], seed: int) -> WrittenWork:
        """Works through a problem.

        Args:
            facts: the item's facts; only ``steps`` is worked with, all of it decides luck.
            seed: other seeds, other luck.

        Raises:
            UnreadableSteps: the facts hold no chain of steps.
        """
        chain = read_chain(facts.get("steps"))
        luck = RandomLuck(luck_seed(self.name, facts, seed))
        if luck.happens(self.giving_up):
            return WrittenWork((), None)
        value = Fraction(chain.start)
        lines = []
        for step in chain.steps:
            done = self._do(step, value, luck)
            value = done.value
            if done.line:
                lines.append(done.line)
        return WrittenWork(tuple(lines) or (f"{write_number(value)}.",), value)

    def expected_accuracy(self, steps: Sequence[Mapping[str, Any]]) -> float:
        """The exact probability that the final answer is right.

        Mistakes that cancel out count as right, as they do when answers are read.

        Args:
            steps: the ``steps`` of an item's facts.

        Raises:
            UnreadableSteps: they are not a chain of steps.
        """
        chain = read_chain(steps)
        reached = self._distribution(chain)
        return (1.0 - self.giving_up) * reached.get(Fraction(chain.steps[-1].result), 0.0)

    def _distribution(self, chain: Calculations) -> dict[Fraction, float]:
        reached = {Fraction(chain.start): 1.0}
        for step in chain.steps:
            after: dict[Fraction, float] = {}
            for left, before in reached.items():

                def work(
                    chances: Luck, left: Fraction = left, step: ChainStep = step
                ) -> _StepResult:
                    return self._do(step, left, chances)

                for probability, done in every_way(work):
                    after[done.value] = after.get(done.value, 0.0) + before * probability
            reached = after
        return reached

    def _do(self, step: ChainStep, left: Fraction, chances: Luck) -> _StepResult:
        if chances.happens(self.forgetting):
            return _StepResult(left, "")
        operation = self._operation(step, chances)
        value = calculate(left, operation, step.right, self.carry_slip, chances)
        if self._slips(step, chances):
            value += chances.one_of(_SLIPS)
        sum_ = f"{write_number(left)} {operation} {step.right} = {write_number(value)}"
        if step.agent and step.what:
            return _StepResult(value, f"{step.agent} has {sum_} {step.what}.")
        return _StepResult(value, f"{sum_}.")

    def _operation(self, step: ChainStep, chances: Luck) -> str:
        if self.always_adds:
            return "+"
        reverses = step.comparison and (
            (step.consistent is False and chances.happens(self.keyword_probability))
            or chances.happens(self.reversal)
        )
        chosen = REVERSED[step.operation] if reverses else step.operation
        return step.operation if chosen == "/" and step.right == 0 else chosen

    def _slips(self, step: ChainStep, chances: Luck) -> bool:
        return (step.comparison and chances.happens(self.comparison_slip)) or chances.happens(
            self.random_slip
        )


@dataclass(frozen=True, slots=True)
class WrittenWork:
    """What a learner wrote down.

    Attributes:
        lines: one sentence per step that it did; none when it gave up.
        value: the number it ended with; None when it gave up.
    """

    lines: tuple[str, ...]
    value: Fraction | None

    def text(self, reasoning: bool) -> str:
        """The reasoning, or the answer alone."""
        if self.value is None:
            return NO_ANSWER
        return " ".join(self.lines) if reasoning else write_number(self.value)


@dataclass(frozen=True, slots=True)
class _StepResult:
    value: Fraction
    line: str


def luck_seed(name: str, facts: Mapping[str, Any], seed: int) -> int:
    """What a learner's luck at these facts is drawn with."""
    text = json.dumps([name, seed, dict(facts)], ensure_ascii=False, sort_keys=True)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
