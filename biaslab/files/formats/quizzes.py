"""The formats of quizzes: those in which questions with and without options are written alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from biaslab.files.formats.gift import write_gift
from biaslab.files.formats.moodle import write_moodle
from biaslab.files.formats.open_questions import OpenQuestion
from biaslab.files.formats.qti_writing import write_qti
from biaslab.files.items.item import ImportedItem

Questions: TypeAlias = Sequence[ImportedItem | OpenQuestion]


@dataclass(frozen=True, slots=True)
class QuizFormat:
    """A format for programs that ask pupils.

    Attributes:
        name: on the command line and in links.
        label: on screens.
        suffix: of the file, with its dot.
        mime: type of the file for a browser.
        program: what reads it, as a phrase.
        write: the file, from questions and a title; the title may be empty.
    """

    name: str
    label: str
    suffix: str
    mime: str
    program: str
    write: Callable[[Questions, str], bytes]


QUIZ_FORMATS: Mapping[str, QuizFormat] = {
    each.name: each
    for each in (
        QuizFormat(
            "gift", "GIFT", ".gift", "text/plain", "for Moodle, as text",
            lambda questions, _: write_gift(questions).encode(),
        ),
        QuizFormat(
            "moodle", "Moodle XML", ".xml", "application/xml", "for Moodle, as XML",
            lambda questions, _: write_moodle(questions),
        ),
        QuizFormat(
            "qti", "QTI 2.1 (zip)", ".zip", "application/zip",
            "for other learning platforms, as a package of IMS QTI 2.1", write_qti,
        ),
    )
}  # fmt: skip
"""What can be written, by name."""
