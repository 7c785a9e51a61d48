"""Word problems as questions of a quiz, whose answer is a number.

The calculations are what pupils see after they have answered.
"""

from __future__ import annotations

from biaslab.files.decoding import clean
from biaslab.files.formats.open_questions import OpenQuestion
from biaslab.studies.word_problems.files.members import Taken
from biaslab.studies.word_problems.verification import steps_of


def as_question(taken: Taken) -> OpenQuestion:
    """The problem as a question, called after its number, its pair and its member."""
    return OpenQuestion(
        f"{taken.row:04} {taken.pair} {taken.arm}",
        clean(taken.item.text),
        taken.item.answer,
        clean(solution_text(taken)),
    )


def solution_text(taken: Taken) -> str:
    """The calculations, one on a line; empty where they are not known."""
    return "\n".join(step.in_words() for step in steps_of(taken.item))
