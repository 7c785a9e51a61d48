"""Right plan, wrong arithmetic: the slips that are told from misconceptions.

A slip is one thing: the answer, or the result of one step that is then carried on, is off by
one, two or ten, or two neighbouring digits of the answer are swapped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from schoolmath.malrules.answers import Answer, AnswerKind, write_decimal
from schoolmath.malrules.catalogue.stories.chain import REVERSED
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.catalogue.stories.working import (
    Deed,
    Edit,
    Ratio,
    ratio_of,
    reckon_ratio,
    work,
)
from schoolmath.malrules.forms import Form
from schoolmath.malrules.rules import Rule
from schoolmath.malrules.traces import Worked, step

OFFSETS = (1, -1, 2, -2, 10, -10)
"""By how much a result is off after a slip."""

_MOST_STEPS_AT_RANDOM = 5
_Ways: TypeAlias = Mapping[tuple[Ratio, bool], int]


@dataclass(frozen=True, slots=True)
class Slip:
    """One arithmetic slip on the right way.

    Attributes:
        what: in words, such as ``off by one``.
        step: index of the step whose result is wrong and carried on; None: the answer is.
        trace: what is done.
    """

    what: str
    step: int | None
    trace: Worked


class Null(StrEnum):
    """What a wrong answer is drawn from when nothing is behind it."""

    SLIP = "a random slip"
    """Each slip equally likely."""
    OPERATION = "random operations"
    """On stories: the operation of each step drawn at random, given a wrong answer."""


def slips(problem: Form) -> Iterator[Slip]:
    """Every slip on this problem whose answer is not the right one."""
    right = problem.solve()
    if right.answer.kind is not AnswerKind.NUMBER:
        return
    assert isinstance(right.answer.value, Fraction)
    yield from _final(right, right.answer.value)
    if isinstance(problem, Story):
        yield from _carried_on(problem, right.answer)


def _final(right: Worked, value: Fraction) -> Iterator[Slip]:
    for offset in OFFSETS:
        yield Slip(_off(offset), None, _written(right, _like(right.answer, value + offset)))
    if value.denominator == 1:
        for swapped in _swaps(int(value)):
            yield Slip("two digits swapped", None, _written(right, Answer.number(swapped)))


def _like(right: Answer, value: Fraction) -> Answer:
    """A number written as the right answer is: a decimal where that is one."""
    try:
        return Answer.number(value, write_decimal(value) if "." in right.shown else None)
    except ValueError:
        return Answer.number(value)  # without an end as a decimal


def _written(right: Worked, answer: Answer) -> Worked:
    clause = step("writes {0} in place of {1}", answer.shown, right.answer.shown)
    return Worked(answer, (*right.steps, clause), key_step=len(right.steps))


def _swaps(value: int) -> Iterator[int]:
    digits = str(abs(value))
    for left in range(len(digits) - 1):
        order = [*digits]
        order[left], order[left + 1] = order[left + 1], order[left]
        swapped = int("".join(order)) * (-1 if value < 0 else 1)
        if swapped != value and order[0] != "0":
            yield swapped


def _carried_on(story: Story, right: Answer) -> Iterator[Slip]:
    for index in story.steps[:-1]:
        for offset in OFFSETS:
            edit = Edit(Deed.OFFSET, offset=offset, aside="slips,")
            trace = work(story, {index: edit})
            if trace is not None and not trace.answer.same_as(right):
                yield Slip(f"{_off(offset)} and carried on", index, trace)


def _off(offset: int) -> str:
    words = {1: "one", 2: "two", 10: "ten"}
    return f"off by {words[abs(offset)]}"


def drawn_answers(problem: Form) -> Mapping[Fraction | str, int]:
    """How often each wrong answer comes up among all slips, which are equally likely."""
    # Forms are frozen dataclasses, which the protocol cannot say.
    hashable: Any = problem
    return _slipped(hashable)


@lru_cache(maxsize=4096)
def _slipped(problem: Any) -> Mapping[Fraction | str, int]:
    return Counter(slip.trace.answer.value for slip in slips(problem))


@lru_cache(maxsize=4096)
def _operations_at_random(story: Story, marked: frozenset[tuple[int, str]]) -> _Ways:
    """In how many ways each wrong answer comes up where every step's operation is drawn.

    Each amount comes with whether one of the marked operations (of a step) was among those drawn.
    """
    right = ratio_of(Fraction(story.amounts[-1]))
    first = max(0, len(story.operations) - _MOST_STEPS_AT_RANDOM)
    # How many ways lead to each amount, step by step; divisions by zero lead nowhere.
    ways: dict[tuple[Ratio, bool], int] = {(ratio_of(Fraction(story.amounts[first])), False): 1}
    for index, number in enumerate(story.numbers[first:], start=first):
        after: dict[tuple[Ratio, bool], int] = {}
        for (amount, met), count in ways.items():
            for operation in REVERSED:
                result = reckon_ratio(operation, amount, number)
                if result is not None:
                    key = result, met or (index, operation) in marked
                    after[key] = after.get(key, 0) + count
        ways = after
    return {key: count for key, count in ways.items() if key[0] != right}


def done_at_random(story: Story, operations: Mapping[int, str]) -> Fraction:
    """How likely one of these operations is done, by step, given random ones and a wrong answer."""
    ways = _operations_at_random(story, frozenset(operations.items()))
    return _share(sum(count for (_, met), count in ways.items() if met), ways.values())


def expected_by_chance(problem: Form, rule: Rule, null: Null = Null.SLIP) -> Fraction:
    """The probability that a wrong answer drawn at random is one that the rule gives.

    Args:
        problem: what was asked.
        rule: the rule that might be behind a wrong answer.
        null: what a wrong answer is drawn from. Stories know both; other forms slips only.

    Returns:
        An exact share; 0 where nothing can be drawn, or the rule gives no wrong answer.
    """
    return share_of(problem, {worked.answer.value for worked in rule.run(problem)}, null)


def share_of(problem: Form, answers: set[Fraction | str], null: Null = Null.SLIP) -> Fraction:
    """The share of the answers drawn at random that are among these."""
    if null is Null.SLIP:
        slipped = drawn_answers(problem)
        return _share(sum(map(slipped.__getitem__, answers & slipped.keys())), slipped.values())
    if not isinstance(problem, Story):
        return Fraction()
    drawn = _operations_at_random(problem, frozenset())
    given = {ratio_of(answer) for answer in answers if isinstance(answer, Fraction)}
    hits = sum(count for (amount, _), count in drawn.items() if amount in given)
    return _share(hits, drawn.values())


def _share(those: int, every: Iterable[int]) -> Fraction:
    total = sum(every)
    return Fraction(those, total) if total else Fraction()
