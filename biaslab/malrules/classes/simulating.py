"""Simulated pupils, to try a quiz on and to test the grouping. They say nothing of real ones."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction

from biaslab.malrules.answers import Answer
from biaslab.malrules.bank import LETTERS
from biaslab.malrules.classes.quizzes import Quiz
from biaslab.malrules.classes.sheets import Sheet
from biaslab.malrules.diagnosis import slips
from biaslab.problems.draws import Draws


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
    return tuple(_answer(draws, quiz, at, rule, slip, follows) for at in range(len(quiz.items)))


def _answer(
    draws: Draws, quiz: Quiz, at: int, rule: str | None, slip: float, follows: float
) -> Answer:
    right = quiz.right[at]
    gives = quiz.gives[at].get(rule, ()) if rule is not None else ()
    if draws.chance(slip):
        if quiz.design.letters:
            others = [letter for letter in LETTERS if letter != quiz.items[at].key]
            return quiz.options[at][draws.one(others)]
        slipped = [each.trace.answer for each in slips(quiz.problems[at])]
        return draws.one(slipped) if slipped else Answer.number(Fraction(right.value) + 1)
    if gives and draws.chance(follows):
        return draws.one(gives)
    return right


def simulate_class(draws: Draws, quiz: Quiz, followed: Sequence[str | None]) -> Sheet:
    """A sheet with one simulated pupil for each rule named (None: has understood)."""
    rows = {
        row: simulate_pupil(draws, quiz, rule, follows=0.9)
        for row, rule in enumerate(followed, start=1)
    }
    return Sheet(rows)


def write_sheet(quiz: Quiz, sheet: Sheet) -> str:
    """A sheet as CSV, as a teacher would fill it in; letters where the quiz has options."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["row", *range(1, len(quiz.items) + 1)])
    for row, answers in sheet.answers.items():
        writer.writerow([row, *(_cell(quiz, at, each) for at, each in enumerate(answers))])
    return text.getvalue()


def _cell(quiz: Quiz, at: int, answer: Answer | None) -> str:
    if answer is None:
        return ""
    if quiz.design.letters:
        for letter, option in quiz.options[at].items():
            if option.same_as(answer):
                return letter
    return answer.shown
