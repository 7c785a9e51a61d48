"""A problem with three distractors and every way to tell how one comes to each option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from biaslab.malrules.answers import Answer
from biaslab.malrules.bank.balancing import distinctive
from biaslab.malrules.bank.options import (
    DISTRACTORS,
    Distractor,
    as_written,
    choose,
    plausible,
    written_alike,
    wrong_answers,
)
from biaslab.malrules.bank.rationales import Style, Telling, tellings
from biaslab.malrules.forms import Form
from biaslab.malrules.traces import Worked
from biaslab.problems.draws import Draws


@dataclass(frozen=True, slots=True)
class Draft:
    """What an item is put together from.

    Attributes:
        question: the problem's stem.
        right: the key and its trace.
        distractors: three, of different rules.
        told: the tellings of the key and of each distractor.
    """

    question: str
    right: Worked
    distractors: tuple[Distractor, ...]
    told: tuple[tuple[Telling, ...], ...]


def draft(draws: Draws, problem: Form, style: Style, *, strict: bool) -> Draft | None:
    """A draft of an item on this problem; None where it has no three distractors.

    Args:
        draws: random choices among distractors.
        problem: the problem.
        style: of the rationales.
        strict: only distractors that fit one rule of the library.
    """
    right = problem.solve()
    found = wrong_answers(problem, right)
    if strict:
        found = [each for each in found if not each.others]
    if len(found) < DISTRACTORS:
        return None
    question = problem.stem()
    candidates = [
        each for each in found if plausible(problem, question, right.answer, each.worked.answer)
    ]
    chosen = choose(draws, right, candidates)
    if chosen is None:
        return None
    right, chosen = dressed(right, chosen)
    told = told_by(question, right, chosen, style)
    if not all(told):
        return None
    return Draft(question, right, chosen, told)


def dressed(
    right: Worked, distractors: Sequence[Distractor]
) -> tuple[Worked, tuple[Distractor, ...]]:
    """Key and distractors with their answers written alike."""
    answers: list[Answer] = [right.answer, *(each.worked.answer for each in distractors)]
    shown = written_alike(answers)
    key = replace(right, answer=replace(right.answer, shown=shown[0]))
    return key, tuple(map(as_written, distractors, shown[1:]))


def told_by(
    question: str, right: Worked, distractors: Sequence[Distractor], style: Style
) -> tuple[tuple[Telling, ...], ...]:
    """The tellings of the key and of each distractor, such that no two can be confused."""
    traces = [right, *(each.worked for each in distractors)]
    told = [tellings(question, worked, style) for worked in traces]
    return tuple(map(tuple, distinctive(told, traces)))
