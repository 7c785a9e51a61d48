"""A problem with three distractors and every way to tell how one comes to each option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.bank.balancing import distinctive
from schoolmath.malrules.bank.options import (
    DISTRACTORS,
    EVEN,
    Distractor,
    as_written,
    choose,
    plausible,
    rank_of,
    written_alike,
    wrong_answers,
)
from schoolmath.malrules.bank.rationales import RationaleStyle, RationaleTelling, tellings
from schoolmath.malrules.forms import Form
from schoolmath.malrules.traces import Worked
from schoolmath.problems.draws import Draws


@dataclass(frozen=True, slots=True)
class ItemDraft:
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
    told: tuple[tuple[RationaleTelling, ...], ...]


_CHOICES = 3
"""So many choices of distractors are tried, each without those that cannot be told."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """A problem and what three distractors can be chosen from.

    Attributes:
        problem, grade, question, right: the problem, for whom, its stem and its key.
        possible: wrong answers that can be options.
        every: all wrong answers that the library gives.
        chosen: three of the possible ones.
    """

    problem: Form
    grade: int
    question: str
    right: Worked
    possible: tuple[Distractor, ...]
    every: tuple[Distractor, ...]
    chosen: tuple[Distractor, ...]

    @property
    def rank(self) -> int:
        """How many of the chosen are less than the key."""
        return rank_of(self.right.answer, self.chosen)


def candidates(
    draws: Draws, problem: Form, grade: int, *, strict: bool, ranks: Sequence[float] = EVEN
) -> Candidates | None:
    """What can be options of an item on this problem; None where there are no three.

    Args:
        draws: random choices among distractors.
        problem: the problem.
        grade: that it was drawn for.
        strict: only distractors that fit one rule of the library.
        ranks: by how much the key has been smallest, second, third and largest too often.
    """
    right = problem.solve()
    every = wrong_answers(problem, right)
    found = [each for each in every if not each.others] if strict else every
    if len(found) < DISTRACTORS:
        return None
    question = problem.stem()
    possible = [
        each for each in found if plausible(problem, question, right.answer, each.worked.answer)
    ]
    chosen = choose(draws, right, possible, ranks, grade)
    if chosen is None:
        return None
    return Candidates(problem, grade, question, right, tuple(possible), tuple(every), chosen)


def draft(
    draws: Draws, found: Candidates, style: RationaleStyle, ranks: Sequence[float] = EVEN
) -> ItemDraft | None:
    """A draft of an item; None where no three distractors and the key can be told.

    Args:
        draws: random choices among distractors.
        found: what there is to choose from.
        style: of the rationales.
        ranks: as for `candidates`.
    """
    possible, chosen = found.possible, found.chosen
    for _ in range(_CHOICES):
        key, options = dressed(found.right, chosen)
        told = tellings_of(found.question, key, options, style, found.every)
        if all(told):
            return ItemDraft(found.question, key, options, told)
        mute = {each.rule.id for each, ways in zip(options, told[1:], strict=True) if not ways}
        possible = tuple(each for each in possible if each.rule.id not in mute)
        again = choose(draws, found.right, possible, ranks, found.grade) if told[0] else None
        if again is None:
            return None
        chosen = again
    return None


def dressed(
    right: Worked, distractors: Sequence[Distractor]
) -> tuple[Worked, tuple[Distractor, ...]]:
    """Key and distractors with their answers written alike."""
    answers: list[Answer] = [right.answer, *(each.worked.answer for each in distractors)]
    shown = written_alike(answers)
    key = replace(right, answer=replace(right.answer, shown=shown[0]))
    return key, tuple(map(as_written, distractors, shown[1:]))


def tellings_of(
    question: str,
    right: Worked,
    distractors: Sequence[Distractor],
    style: RationaleStyle,
    every: Sequence[Distractor],
) -> tuple[tuple[RationaleTelling, ...], ...]:
    """The tellings of the key and of each distractor, such that each leads to its own alone.

    Args:
        question: what is asked.
        right: the key.
        distractors: the wrong options.
        style: of the rationales.
        every: all wrong answers that the library gives on the problem.
    """
    traces = [right, *(each.worked for each in distractors)]
    told = [tellings(question, worked, style) for worked in traces]
    return tuple(map(tuple, distinctive(told, traces, [each.worked for each in every])))
