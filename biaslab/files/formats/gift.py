"""GIFT, Moodle's text format: reading and writing.

::Title:: [plain]Question { =right #why ~wrong #why not }
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from biaslab.files.errors import LETTERS, MAX_CELL
from biaslab.files.formats.format import FileEntry, FileReading, Format, OpenQuestion
from biaslab.files.formats.moodle import html_text
from biaslab.files.items import ImportedItem

_SHOWN = re.compile(r"(?<!\\)\{[^{}]*(?:(?<!\\)[=~#]|\b(?:T|F|TRUE|FALSE)\b)|^::", re.MULTILINE)
_ESCAPED = "\\~=#{}:"
_FORMAT = re.compile(r"\[(html|plain|moodle|markdown)\]")
_WEIGHT = re.compile(r"%(-?[0-9]{1,3}(?:\.[0-9]{1,7})?)%")
_BLANK = "_____"
_FULL = 100


@dataclass(frozen=True, slots=True)
class _MarkedText:
    """A text without its backslashes, and where its characters have a meaning.

    Attributes:
        text: the characters.
        signs: as long as the text; a blank stands for every character that was escaped.
    """

    text: str
    signs: str

    def cut(self, start: int, end: int | None = None) -> _MarkedText:
        return _MarkedText(self.text[start:end], self.signs[start:end])

    def stripped(self) -> _MarkedText:
        """Without blanks at the ends; escaped line ends go too, as they are blank."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, start + len(self.text.strip()))


class _NotChoice(Exception):
    """A question is none that can be taken over; the message is a clause."""


def read_gift(text: str) -> FileReading:
    """The questions of a GIFT file, numbered from 1."""
    found: list[FileEntry] = []
    comments = categories = 0
    for line, block in _blocks(text):
        kept = [each for each in block if not each.lstrip().startswith("//")]
        comments += len(block) - len(kept)
        asked = [each for each in kept if not each.lstrip().upper().startswith("$CATEGORY:")]
        categories += len(kept) - len(asked)
        source = "\n".join(asked)
        if source.strip():
            found.append(_question(len(found) + 1, line, source))
    remarks = []
    if comments:
        remarks.append(f"{comments} lines of comments were passed over.")
    if categories:
        remarks.append(f"{categories} lines that name a category were passed over.")
    return FileReading(found, tuple(remarks))


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Questions stand apart by blank lines."""
    block: list[str] = []
    start = 1
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(plain.split("\n"), start=1):
        if line.strip():
            if not block:
                start = number
            block.append(line)
        elif block:
            yield start, block
            block = []
    if block:
        yield start, block


def _question(number: int, line: int, source: str) -> FileEntry:
    name = f"line {line}"
    if len(source) > 20 * MAX_CELL:
        return FileEntry(number, name=name, refusal=f"it has {len(source):,} characters")
    body = _marked(source).stripped()
    if body.signs.startswith("::"):
        end = body.signs.find("::", 2)
        if end > 0:
            name = f"{body.text[2:end].strip()}, line {line}"
            body = body.cut(end + 2).stripped()
    try:
        return _choice(number, name, body)
    except _NotChoice as error:
        return FileEntry(number, name=name, refusal=str(error))


def _marked(source: str) -> _MarkedText:
    text, signs = [], []
    at = 0
    while at < len(source):
        character = source[at]
        following = source[at + 1 : at + 2]
        if character == "\\" and following and following in _ESCAPED + "n":
            text.append("\n" if following == "n" else following)
            signs.append(" ")
            at += 2
        else:
            text.append(character)
            signs.append(character)
            at += 1
    return _MarkedText("".join(text), "".join(signs))


def _choice(number: int, name: str, body: _MarkedText) -> FileEntry:
    start = body.signs.find("{")
    if start < 0:
        raise _NotChoice("it is a text without answers, no question")
    end = body.signs.find("}", start)
    if end < 0:
        raise _NotChoice("its { is never closed (a blank line within the question?)")
    if "{" in body.signs[end:]:
        raise _NotChoice("it has two groups of answers")
    answers = body.cut(start + 1, end)
    behind = body.text[end + 1 :].strip()
    asked = body.text[:start].strip()
    if behind:
        asked = f"{asked} {_BLANK} {behind}"
    form = _FORMAT.match(asked)
    asked, pictures = _in_format(asked, form[1] if form else "moodle")
    _check_kind(answers)
    remarks = []
    general = answers.signs.find("####")
    if general >= 0:
        remarks.append("its general feedback was left out")
        answers = answers.cut(0, general)
    options: list[str] = []
    right: list[int] = []
    rationales: list[str] = []
    for sign, answer in _answers(answers):
        option, told, weight = _answer(answer, sign, form[1] if form else "moodle")
        letter = LETTERS[len(options)] if len(options) < len(LETTERS) else str(len(options) + 1)
        if 0 < weight < _FULL:
            raise _NotChoice(f"option {letter} is right in part ({float(weight):g} %)")
        if weight >= _FULL:
            right.append(len(options))
        options.append(option)
        rationales.append(told)
    return FileEntry(
        number,
        question=asked,
        options=tuple(options),
        right=tuple(right),
        rationales=tuple(rationales),
        name=name,
        remarks=tuple(remarks),
        lost=("its question has a picture, which cannot be taken over",) if pictures else (),
    )


def _check_kind(answers: _MarkedText) -> None:
    said = answers.signs.strip()
    if not said:
        raise _NotChoice("it is an essay question, not multiple choice")
    if said.split("#")[0].strip().upper() in ("T", "F", "TRUE", "FALSE"):
        raise _NotChoice("it is a true-false question, not multiple choice")
    if said.startswith("#") and not said.startswith("####"):
        raise _NotChoice("it is a numerical question, not multiple choice")
    if "~" not in said:
        kind = "a matching" if "->" in said else "a short-answer"
        raise _NotChoice(f"it is {kind} question, not multiple choice")


def _answers(answers: _MarkedText) -> Iterator[tuple[str, _MarkedText]]:
    starts = [at for at, sign in enumerate(answers.signs) if sign in "=~"]
    if answers.text[: starts[0]].strip():
        raise _NotChoice("a text stands before its first answer")
    for start, end in zip(starts, [*starts[1:], len(answers.text)], strict=True):
        yield answers.signs[start], answers.cut(start + 1, end).stripped()


def _answer(answer: _MarkedText, sign: str, form: str) -> tuple[str, str, Fraction]:
    """Text, feedback and weight of one answer."""
    weight = Fraction(_FULL if sign == "=" else 0)
    said = _WEIGHT.match(answer.signs)
    if said:
        weight = Fraction(said[1])
        answer = answer.cut(said.end()).stripped()
    feedback = answer.signs.find("#")
    option = answer.text if feedback < 0 else answer.text[:feedback]
    told = "" if feedback < 0 else answer.text[feedback + 1 :]
    return _in_format(option, form)[0], _in_format(told, form)[0], weight


def _in_format(text: str, form: str) -> tuple[str, int]:
    text = text.strip()
    said = _FORMAT.match(text)
    if said:
        text, form = text[said.end() :].strip(), said[1]
    if form == "html" and len(text) <= MAX_CELL:
        return html_text(text)
    return text, 0


def write_gift(questions: Iterable[ImportedItem | OpenQuestion]) -> str:
    """Questions of the types multiple choice, numerical and short answer.

    Rationales stand as feedback, what is told of an open question as general feedback. A number
    has no tolerance.
    """
    return "\n\n".join(map(_written, questions)) + "\n"


def _written(question: ImportedItem | OpenQuestion) -> str:
    if isinstance(question, OpenQuestion):
        return _open_written(question)
    return _choice_written(question)


def _open_written(question: OpenQuestion) -> str:
    answer = question.answer.strip()
    right = f"#{answer}:0" if question.is_number else f"={_escaped(answer)}"
    feedback = f" ####{_escaped(question.told)}" if question.told else ""
    return f"::{_escaped(question.name)}:: [plain]{_escaped(question.text)} {{{right}{feedback}}}"


def _choice_written(item: ImportedItem) -> str:
    lines = [f"::{item.id}:: [plain]{_escaped(item.question)} {{"]
    for letter, option in zip(item.letters, item.options, strict=True):
        right = letter == item.key
        sign = "=" if right else "~"
        if option.startswith("%"):
            sign += "%100%" if right else "%0%"
        line = f"  {sign}{_in_plain(option)}"
        if letter in item.rationales:
            line += f" #{_in_plain(item.rationales[letter])}"
        lines.append(line)
    return "\n".join([*lines, "}"])


def _in_plain(text: str) -> str:
    """Escaped, and marked as plain where it begins like the name of a format."""
    return ("[plain]" if _FORMAT.match(text) else "") + _escaped(text)


def _escaped(text: str) -> str:
    """The text with a backslash before every sign that GIFT gives a meaning."""
    return re.sub(r"[\\~=#{}:]", r"\\\g<0>", text).replace("\n", "\\n")


FORMAT = Format(
    name="gift",
    endings=(".gift",),
    rank=20,
    begins=lambda start: _SHOWN.search(start) is not None,
    items=lambda source: read_gift(source.text),
)
