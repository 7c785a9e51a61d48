"""Simulated pupils, to try a quiz on and to test the grouping. They say nothing of real ones."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.classes.items import Quiz, QuizItem
from schoolmath.malrules.classes.sheets import ClassSheet
from schoolmath.malrules.diagnosis import slips
from schoolmath.problems.draws import Draws


def simulate_pupil(
    draws: Draws, quiz: Quiz, rule: str | None = None, *, slip: float = 0.05, follows: float = 1.0
) -> tuple[Answer | None, ...]:
    """The answers of somebody who follows one rule where it can show, and else works rightly.

    Args:
        draws: random choices.
        quiz: what is asked.
        rule: its id; None: somebody who has understood.
        slip: how often an answer is a slip: another option, or a slip of arithmetic.
        follows: how often the rule is followed where it can be.
    """
    return tuple(_answer(draws, item, rule, slip, follows) for item in quiz.items)


def _answer(draws: Draws, item: QuizItem, rule: str | None, slip: float, follows: float) -> Answer:
    gives = item.gives.get(rule, ()) if rule is not None else ()
    if draws.chance(slip):
        return _slipped(draws, item)
    if gives and draws.chance(follows):
        return draws.one(gives)
    return item.right


def _slipped(draws: Draws, item: QuizItem) -> Answer:
    """Another option, or a slip of arithmetic; the right answer where neither is known."""
    if item.options:
        return draws.one([each for letter, each in item.options.items() if letter != item.key])
    slipped = [each.trace.answer for each in slips(item.problems[0])] if item.problems else []
    if slipped:
        return draws.one(slipped)
    value = item.right.value
    return Answer.number(value + 1) if isinstance(value, Fraction) else item.right


def simulate_class(draws: Draws, quiz: Quiz, followed: Sequence[str | None]) -> ClassSheet:
    """A sheet with one simulated pupil for each rule named (None: has understood)."""
    rows = {
        row: simulate_pupil(draws, quiz, rule, follows=0.9)
        for row, rule in enumerate(followed, start=1)
    }
    return ClassSheet(rows)


def write_sheet(quiz: Quiz, sheet: ClassSheet) -> str:
    """A sheet as CSV, as a teacher would fill it in; letters where the quiz has options."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["row", *range(1, len(quiz.items) + 1)])
    for row, answers in sheet.answers.items():
        writer.writerow([row, *map(_cell, quiz.items, answers)])
    return text.getvalue()


def _cell(item: QuizItem, answer: Answer | None) -> str:
    if answer is None:
        return ""
    chosen = (letter for letter, each in item.options.items() if each.same_as(answer))
    return next(chosen, answer.shown)
