"""Right plan, wrong arithmetic; and the rules that a pupil follows beyond what slips would bring.

A slip is one thing: the answer, or the result of one step that is then carried on, is off by
one, two or ten, or two neighbouring digits of the answer are swapped.

A pupil is said to follow a rule only if at least two of the wrong answers are exactly what
the rule gives, that is far more than slips would bring about, and the rule shows in a good
part of the problems where it can show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from schoolmath.malrules.answers import Answer, AnswerKind, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.stories.chain import (
    REVERSED,
    Deed,
    Edit,
    Ratio,
    ratio_of,
    reckon_ratio,
    work,
)
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.forms import Form
from schoolmath.malrules.rules import Rule, rules_for

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
    trace: Working


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


def _final(right: Working, value: Fraction) -> Iterator[Slip]:
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


def _written(right: Working, answer: Answer) -> Working:
    clause = step("writes {0} in place of {1}", answer.shown, right.answer.shown)
    return by_steps(answer, *right.steps, clause, key_step=len(right.steps))


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


LEAST_HITS = 2
"""So many answers at least must be what the rule gives."""
LEAST_SHARE = Fraction(1, 3)
"""Least share of the problems where the rule can show in which it must show."""
SLIP_RATE = Fraction(1, 20)
"""How often a pupil who has understood slips."""
MOST_CHANCE = Fraction(1, 10_000)
"""A rule is named only if slips would bring about so many hits less often than this."""
_LEAST_PER_ITEM = Fraction(1, 40)
"""Share of slips that the rule is taken to explain where the listed slips explain fewer:
not every slip is in the list."""


@dataclass(frozen=True, slots=True)
class LikelyRule:
    """A rule that some answers of one pupil follow.

    Attributes:
        rule: its id.
        hits: indices of the answers that are what the rule gives.
        chances: indices of the answered problems where the rule would give a wrong answer.
        by_chance: probability that slips alone bring about so many hits or more.
    """

    rule: str
    hits: tuple[int, ...]
    chances: tuple[int, ...]
    by_chance: Fraction


def likely_rules(answers: Sequence[tuple[Form, Answer | None]]) -> tuple[LikelyRule, ...]:
    """The rules that one pupil seems to follow; those with most hits first.

    Several rules that explain the same answers are all given: look at the hits, and ask the
    problem that `separating_problem` finds. A pupil with none is not thereby without any
    misconception: there may be one that is not known.

    Args:
        answers: problems and answers; None: not answered.
    """
    given = [(index, problem, each) for index, (problem, each) in enumerate(answers) if each]
    wrong = [each for each in given if not each[2].same_as(each[1].solve().answer)]
    hits: dict[str, list[int]] = {}
    known: dict[str, Rule] = {}
    for index, problem, answer in wrong:
        for rule in rules_for(problem):
            if any(worked.answer.same_as(answer) for worked in rule.run(problem)):
                hits.setdefault(rule.id, []).append(index)
                known[rule.id] = rule
    found = [
        _follow(known[name], tuple(seen), given)
        for name, seen in hits.items()
        if len(seen) >= LEAST_HITS
    ]
    likely = [each for each in found if each is not None]
    return tuple(sorted(likely, key=lambda each: (-len(each.hits), each.by_chance, each.rule)))


def _follow(
    rule: Rule, hits: tuple[int, ...], answers: Sequence[tuple[int, Form, Answer]]
) -> LikelyRule | None:
    chances, shares = [], []
    for index, problem, _ in answers:
        right = problem.solve().answer
        if all(worked.answer.same_as(right) for worked in rule.run(problem)):
            continue
        chances.append(index)
        shares.append(SLIP_RATE * max(expected_by_chance(problem, rule), _LEAST_PER_ITEM))
    if Fraction(len(hits), len(chances)) < LEAST_SHARE:
        return None
    by_chance = _at_least(len(hits), shares)
    if by_chance > MOST_CHANCE:
        return None
    return LikelyRule(rule.id, hits, tuple(chances), by_chance)


def _at_least(count: int, shares: Sequence[Fraction]) -> Fraction:
    """Probability of so many successes or more in independent trials with these chances.

    The chances are rounded up to millionths, so that the exact numbers stay short.
    """
    unit = 10**6
    none_to_count = [1] + [0] * count
    for share in shares:
        yes = -(-share.numerator * unit // share.denominator)
        no = unit - yes
        after = [none_to_count[k] * no for k in range(count + 1)]
        for k in range(count):
            after[k + 1] += none_to_count[k] * yes
        after[count] += none_to_count[count] * yes
        none_to_count = after
    return Fraction(none_to_count[count], unit ** len(shares))
