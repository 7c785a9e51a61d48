"""A quiz of a class for learning platforms, in any format of quizzes.

export = export_quiz(quiz, "qti")
export.content          # the bytes of a zip file
"""

from __future__ import annotations

from collections.abc import Iterator

from biaslab.files.decoding import clean
from biaslab.files.errors import InterchangeError
from biaslab.files.exporting import Export
from biaslab.files.formats.open_questions import OpenQuestion
from biaslab.files.formats.quizzes import QUIZ_FORMATS
from biaslab.files.items.item import ImportedItem
from schoolmath.malrules.classes import Quiz


def export_quiz(quiz: Quiz, form: str) -> Export:
    """The questions of a quiz in their order, with the same letters as on paper.

    What is behind a wrong option is left out: pupils would read it. A question without options is
    one with a number where its answer is one, else a short answer.

    Args:
        quiz: the quiz.
        form: one of `QUIZ_FORMATS`.

    Raises:
        InterchangeError: there is no such format.
    """
    if form not in QUIZ_FORMATS:
        names = ", ".join(QUIZ_FORMATS)
        raise InterchangeError(f"There is no format {form!r}. Formats are {names}.")
    questions = list(_questions(quiz))
    content = QUIZ_FORMATS[form].write(questions, f"{quiz.about}, quiz {quiz.code}")
    return Export(content, len(questions), (), ())


def _questions(quiz: Quiz) -> Iterator[ImportedItem | OpenQuestion]:
    for number, item in enumerate(quiz.items, start=1):
        text = clean(item.question)
        if item.options:
            options = tuple(clean(answer.shown) for answer in item.options.values())
            yield ImportedItem(text, options, item.key)
        else:
            yield OpenQuestion(f"{number:02} {item.id}", text, clean(item.right.shown))
