"""The next problem: numbers for which each remaining explanation gives another answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import TypeVar

from schoolmath.malrules.catalogue.stories.chain import COMPARISON, PART, RATE, UNDONE
from schoolmath.malrules.catalogue.stories.problems import (
    Story,
    StoryPlan,
    draw_chain_plan,
    draw_plan,
    numbers_for,
    story_of,
)
from schoolmath.malrules.catalogue.stories.told import ToldStory
from schoolmath.malrules.diagnosis.diagnosing import SLIPPED, Candidate, pairs
from schoolmath.malrules.diagnosis.slips import drawn_answers
from schoolmath.malrules.forms import Form, NotDrawn, draw_widely, listed
from schoolmath.malrules.rules import rules
from schoolmath.problems.draws import Draws
from schoolmath.problems.quantities import NumberRange

_T = TypeVar("_T")

_ATTEMPTS = 400
_MOST_STEPS = 4
_SAME_PLAN_SHARE = 0.4
_REFINEMENTS = 12
"""So many complete problems are compared for being clear of slips, and like the first in steps and
size, before one is taken."""

_DIGITS = re.compile(r"\d+")

_Answers = dict[Fraction | str, str]
"""What an explanation can answer, as it is written by its value."""


@dataclass(frozen=True, slots=True)
class ExpectedAnswers:
    """What an explanation answers on a problem: rule ids, and every answer they can give.

    Answers are written as a pupil would write them: decimals where the problem has decimals.
    """

    rules: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Separation:
    """A problem that tells explanations apart, or why there is none.

    Attributes:
        problem: None where not even two explanations could be told apart.
        complete: every explanation gives answers of its own, none of them right.
        expected: what each explanation answers on the problem.
        together: groups of explanations that the problem does not tell apart.
        reason: what is not told apart and why; "" where the problem is complete.
    """

    problem: Form | None
    complete: bool
    expected: tuple[ExpectedAnswers, ...]
    together: tuple[tuple[tuple[str, ...], ...], ...]
    reason: str


def separating_problem(
    problem: Form, candidates: Sequence[Candidate], draws: Draws, *, most_steps: int = _MOST_STEPS
) -> Form | None:
    """The next problem for which every explanation, and the correct method, differ.

    Returns:
        None where none was found; `find_separation` says why and gives the next best.
    """
    found = find_separation(problem, candidates, draws, most_steps=most_steps)
    return found.problem if found.complete else None


def find_separation(
    problem: Form, candidates: Sequence[Candidate], draws: Draws, *, most_steps: int = _MOST_STEPS
) -> Separation:
    """The problem that tells most of the explanations apart.

    Single rules are told apart where there are any; otherwise pairs.

    Args:
        problem: the problem that was answered.
        candidates: what may be behind the answer.
        draws: the stream of random choices.
        most_steps: most steps of a story.
    """
    single: list[tuple[str, ...]] = [each.rules for each in candidates if len(each.rules) == 1]
    wanted = list(dict.fromkeys(single or [each.rules for each in candidates]))
    if not wanted:
        return Separation(None, False, (), (), "There is no other explanation to separate.")
    best: Separation | None = None
    rank: tuple[int, Fraction, int] | None = None
    complete = 0
    for offered in _offers(problem, draws, wanted, most_steps):
        answers = [_answers(offered, names) for names in wanted]
        groups = _groups(answers)
        unclear = _unclear_share(offered, answers)
        now = (len(groups), -unclear, _likeness(problem, offered))
        if rank is None or now > rank:
            best, rank = _separation(offered, wanted, answers, groups, most_steps), now
        if len(groups) == len(wanted):
            complete += 1
            if (unclear == 0 and now[2] == 0) or complete >= _REFINEMENTS:
                break
    if best is None:
        none = "Other numbers that fit could not be put into this problem."
        return Separation(None, False, (), (tuple(wanted),), none)
    if not best.expected:
        return Separation(None, False, (), (tuple(wanted),), _reason(wanted, (), most_steps))
    return best


def _offers(
    problem: Form, draws: Draws, answers: Sequence[tuple[str, ...]], most_steps: int
) -> Iterator[Form]:
    """Problems to choose from: the same plan with other numbers first and now and then."""
    for _ in range(_ATTEMPTS):
        if isinstance(problem, Story):
            story = story_of(
                Story, draws, _plan(draws, problem, answers, most_steps), _range(problem)
            )
            if story is not None:
                yield story
            continue
        low, high = listed(problem).grades
        try:
            if isinstance(problem, ToldStory):
                yield problem.varied(draws)
            else:
                yield draw_widely(type(problem), draws, draws.between(low, high))
        except NotDrawn:
            continue


def _range(story: Story) -> NumberRange:
    return numbers_for(5 if max(story.numbers_in_text) > 20 else 3)


def _plan(
    draws: Draws, story: Story, answers: Sequence[tuple[str, ...]], most_steps: int
) -> StoryPlan:
    plan = StoryPlan.of(story)
    names = {name for each in answers for name in each}
    if len(plan.operations) <= most_steps and draws.chance(_SAME_PLAN_SHARE):
        return plan
    if plan.concepts[0] in (UNDONE, PART) and "WP17" in names:
        while (drawn := draw_plan(draws, 4)).concepts[0] != UNDONE:
            pass
        return drawn if len(drawn.operations) <= most_steps else plan
    length = draws.between(min(2, most_steps), most_steps)
    drawn = draw_chain_plan(
        draws,
        length,
        bystander=plan.bystander or ("WP06" in names and draws.chance(0.3)),
        irrelevant=plan.irrelevant or "WP16" in names,
    )
    if "WP10" in names and RATE not in drawn.concepts:
        at = draws.below(length)
        return replace(
            drawn,
            concepts=_with(drawn.concepts, at, RATE),
            operations=_with(drawn.operations, at, "*"),
            inconsistent=_with(drawn.inconsistent, at, False),
        )
    if "WP01" in names and not any(drawn.inconsistent):
        at = draws.below(length)
        return replace(
            drawn,
            concepts=_with(drawn.concepts, at, COMPARISON),
            inconsistent=_with(drawn.inconsistent, at, True),
            bystander=False,
        )
    return drawn


def _with(values: tuple[_T, ...], at: int, value: _T) -> tuple[_T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _answers(problem: Form, names: tuple[str, ...]) -> _Answers:
    """Every wrong answer that an explanation can give on a problem."""
    right = problem.solve().answer.value
    if len(names) == 1:
        found = [worked.answer for worked in rules()[names[0]].run(problem)]
    elif isinstance(problem, Story):
        found = [each.trace.answer for each in pairs(problem) if each.rules == names]
    else:
        found = []
    return {each.value: each.shown for each in found if SLIPPED in names or each.value != right}


def _groups(answers: Sequence[_Answers]) -> list[list[int]]:
    """Which explanations give answers in common; without an answer they stay with all such.

    An explanation that gives nothing wrong differs from the others, but not from the correct
    method; such a problem is only ever half as good, so they do not count as groups.
    """
    groups: list[list[int]] = []
    for index, own in enumerate(answers):
        if not own:
            continue
        touching = [g for g in groups if any(answers[other].keys() & own for other in g)]
        merged = [index, *(each for group in touching for each in group)]
        groups = [group for group in groups if group not in touching] + [sorted(merged)]
    return sorted(groups)


def _unclear_share(problem: Form, answers: Sequence[_Answers]) -> Fraction:
    """Share of the answers that a slip gives too, or that a pupil would not write down."""
    drawn = drawn_answers(problem)
    right = problem.solve().answer.value
    whole = isinstance(right, Fraction) and right.denominator == 1 and right >= 0
    every = [value for own in answers for value in own]
    unclear = 0
    for value in every:
        odd = whole and isinstance(value, Fraction) and (value < 0 or value.denominator != 1)
        unclear += odd or value in drawn
    return Fraction(unclear, max(1, len(every)))


def _likeness(problem: Form, form: Form) -> int:
    """How far a problem is from the first in steps and in digits of its numbers; 0 where it isn't,
    the more below 0 the less alike.
    """
    steps = len(form.solve().steps) - len(problem.solve().steps)
    sizes = [sorted(map(len, _DIGITS.findall(each.stem()))) for each in (problem, form)]
    digits = sum(abs(one - other) for one, other in zip_longest(*sizes, fillvalue=0))
    return -3 * abs(steps) - digits


def _separation(
    problem: Form,
    others: Sequence[tuple[str, ...]],
    answers: Sequence[_Answers],
    groups: list[list[int]],
    most_steps: int,
) -> Separation:
    complete = len(groups) == len(others)
    silent = [index for index, own in enumerate(answers) if not own]
    together = [group for group in [*groups, silent] if len(group) > 1]
    named = tuple(tuple(others[index] for index in group) for group in together)
    expected = tuple(
        ExpectedAnswers(names, tuple(own[value] for value in sorted(own, key=str)))
        for names, own in zip(others, answers, strict=True)
    )
    if not groups or (len(others) > 1 and len(groups) + bool(silent) < 2):
        return Separation(None, False, (), (tuple(others),), _reason(others, (), most_steps))
    quiet = [others[index] for index in silent]
    alike = [name for group in named for name in group if name not in quiet]
    reason = "" if complete else _reason(alike, quiet, most_steps)
    return Separation(problem, complete, expected, named, reason)


def _reason(
    alike: Sequence[tuple[str, ...]], silent: Sequence[tuple[str, ...]], most_steps: int
) -> str:
    """Why a problem is not complete: explanations that agree, or that give nothing wrong."""
    told = []
    if alike:
        told.append(
            f"None of {_ATTEMPTS} problems tried makes {_listed(alike)} give answers that all "
            "differ."
            if len(alike) > 1
            else f"In none of {_ATTEMPTS} problems tried does {_listed(alike)} give a wrong answer "
            "of its own."
        )
    if silent:
        told.append(f"On the problem found {_listed(silent)} leads to no wrong answer.")
    if most_steps == 1:
        told.append(
            "In problems of one step they often come to the same calculation: take two steps."
        )
    return " ".join(told)


def _listed(names: Sequence[tuple[str, ...]]) -> str:
    """Explanations by the names of their rules."""
    known = rules()
    return ", ".join(
        "“{}”".format(", then ".join(known[one].card.name if one in known else one for one in each))
        for each in names
    )
