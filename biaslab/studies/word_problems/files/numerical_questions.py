"""Word problems as numerical questions for Moodle: GIFT and Moodle XML.

The calculations stand as general feedback, which pupils see after they have answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as Tree

from biaslab.files.decoding import clean
from biaslab.files.formats.gift import escaped_gift
from biaslab.files.formats.moodle import add_text
from biaslab.studies.word_problems.files.members import Taken
from biaslab.studies.word_problems.verification import steps_of

_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?")


def no_number(answer: str) -> str:
    """Why an answer cannot be that of a numerical question, as a clause; empty where it can."""
    if _NUMBER.fullmatch(answer.strip()):
        return ""
    return f"its answer {answer[:40]!r} is no plain number"


def question_name(taken: Taken) -> str:
    """What the question is called: its number, its pair and its member."""
    return f"{taken.row:04} {taken.pair} {taken.arm}"


def solution_text(taken: Taken) -> str:
    """The calculations, one on a line; empty where they are not known."""
    return "\n".join(step.in_words() for step in steps_of(taken.item))


def write_numerical_gift(questions: Iterable[Taken]) -> str:
    """Numerical questions in GIFT; the answer has no tolerance."""
    return "\n\n".join(map(_in_gift, questions)) + "\n"


def _in_gift(taken: Taken) -> str:
    told = clean(solution_text(taken))
    feedback = f" ####{escaped_gift(told)}" if told else ""
    asked = escaped_gift(clean(taken.item.text))
    return (
        f"::{escaped_gift(question_name(taken))}:: [plain]{asked} "
        f"{{#{taken.item.answer.strip()}:0{feedback}}}"
    )


def write_numerical_moodle(questions: Iterable[Taken]) -> bytes:
    """Questions of the type numerical in Moodle XML; the answer has no tolerance."""
    root = Tree.Element("quiz")
    for taken in questions:
        question = Tree.SubElement(root, "question", type="numerical")
        Tree.SubElement(Tree.SubElement(question, "name"), "text").text = question_name(taken)
        add_text(question, "questiontext", clean(taken.item.text))
        if told := clean(solution_text(taken)):
            add_text(question, "generalfeedback", told)
        for name, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0")):
            Tree.SubElement(question, name).text = value
        answer = add_text(question, "answer", taken.item.answer.strip())
        answer.set("fraction", "100")
        Tree.SubElement(answer, "tolerance").text = "0"
    Tree.indent(root)
    written: bytes = Tree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"
