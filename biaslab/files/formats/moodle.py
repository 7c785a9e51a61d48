"""Moodle XML: reading and writing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree as Tree

from biaslab.files.errors import LETTERS, MAX_CELL, MAX_ROWS, InterchangeError
from biaslab.files.formats.format import FileEntry, FileReading, Format, OpenQuestion
from biaslab.files.formats.zip_and_xml import XmlRefused, parse_xml
from biaslab.files.items import ImportedItem

_BREAKS = {"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol"}
_SILENT = {"script", "style"}
_PICTURES = {"img", "svg", "object", "video", "audio", "iframe", "canvas", "math"}


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.pictures = 0
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _BREAKS:
            self.parts.append("\n")
        elif tag in ("sup", "sub"):
            self.parts.append("^" if tag == "sup" else "_")
        elif tag in _PICTURES:
            self.pictures += 1
        elif tag in _SILENT:
            self._silent += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.parts.append("\n")
        elif tag in _SILENT and self._silent:
            self._silent -= 1

    def handle_data(self, data: str) -> None:
        if not self._silent:
            # Line ends in the source of a page are blanks.
            self.parts.append(re.sub(r"\s+", " ", data))


def html_text(source: str) -> tuple[str, int]:
    """The text of a piece of HTML, and how many pictures and the like it loses.

    Powers and indices keep a sign: ``x<sup>2</sup>`` is ``x^2``.
    """
    parser = _Text()
    parser.feed(source)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line), parser.pictures


_FULL = 100
_FRACTION = re.compile(r"-?[0-9]{1,3}(?:\.[0-9]{1,10})?")
_TAGS = ("grade", "dok", "class", "topic")


def read_moodle(data: bytes) -> FileReading:
    """The questions of a Moodle XML file, numbered from 1.

    Raises:
        InterchangeError: it is no such XML, or it declares a document type or entities.
    """
    try:
        root = parse_xml(data)
    except XmlRefused as error:
        raise InterchangeError(f"The XML was not read: {error}.") from error
    if root.tag != "quiz":
        raise InterchangeError(
            f"This is XML, but not Moodle's: it begins with <{root.tag[:40]}>, not with <quiz>."
        )
    found: list[FileEntry] = []
    categories = 0
    for question in root.iterfind("question"):
        if question.get("type") == "category":
            categories += 1
        elif len(found) >= MAX_ROWS:
            raise InterchangeError(f"The file has more than {MAX_ROWS:,} questions. Split it.")
        else:
            found.append(_question(len(found) + 1, question))
    remarks = (f"{categories} categories were passed over.",) if categories else ()
    return FileReading(found, remarks)


def _question(number: int, question: Tree.Element) -> FileEntry:
    name = (question.findtext("name/text") or "").strip()
    kind = question.get("type", "")
    if kind != "multichoice":
        said = f"of the type {kind[:40]!r}" if kind else "without a type"
        return FileEntry(number, name=name, refusal=f"it is {said}, not multichoice")
    asked, pictures = _text(question.find("questiontext"))
    remarks = []
    if _text(question.find("generalfeedback"))[0]:
        remarks.append("its general feedback was left out")
    options: list[str] = []
    right: list[int] = []
    rationales: list[str] = []
    for answer in question.iterfind("answer"):
        letter = LETTERS[len(options)] if len(options) < len(LETTERS) else str(len(options) + 1)
        said = answer.get("fraction", "").strip()
        if not _FRACTION.fullmatch(said):
            refusal = f"option {letter} has the fraction {said[:20]!r}, which is no number"
            return FileEntry(number, name=name, refusal=refusal)
        share = Fraction(said)
        if 0 < share < _FULL:
            refusal = f"option {letter} is right in part ({float(share):g} %)"
            return FileEntry(number, name=name, refusal=refusal)
        if share >= _FULL:
            right.append(len(options))
        option, more = _text(answer)
        pictures += more
        options.append(option)
        rationales.append(_text(answer.find("feedback"))[0])
    tags = _tags(question)
    return FileEntry(
        number,
        question=asked,
        options=tuple(options),
        right=tuple(right),
        rationales=tuple(rationales),
        grade=tags.get("grade", ""),
        dok=tags.get("dok", ""),
        content_class=tags.get("class", ""),
        topic=tags.get("topic", ""),
        name=name,
        remarks=tuple(remarks),
        lost=("it has a picture, which cannot be taken over",) if pictures else (),
    )


def _text(element: Tree.Element | None) -> tuple[str, int]:
    """The text of a part of a question, and how many pictures it loses."""
    if element is None:
        return "", 0
    text = element.findtext("text") or ""
    pictures = sum(1 for _ in element.iterfind("file"))
    # Moodle's own word for a part without a format is HTML.
    if element.get("format", "html") == "html" and len(text) <= MAX_CELL:
        text, shown = html_text(text)
        return text, max(pictures, shown)
    return text.strip(), pictures


def _tags(question: Tree.Element) -> dict[str, str]:
    """Tags such as ``grade:4``, as `write_moodle` writes them."""
    tags = {}
    for tag in question.iterfind("tags/tag"):
        name, colon, value = (tag.findtext("text") or "").partition(":")
        if colon and name.strip().lower() in _TAGS:
            tags[name.strip().lower()] = value.strip()
    return tags


def write_moodle(questions: Iterable[ImportedItem | OpenQuestion]) -> bytes:
    """Questions in plain text, of the types multichoice, numerical and shortanswer.

    Rationales stand as feedback, what is told of an open question as general feedback. A number
    has no tolerance.
    """
    root = Tree.Element("quiz")
    for each in questions:
        root.append(_open(each) if isinstance(each, OpenQuestion) else _choice(each))
    Tree.indent(root)
    written: bytes = Tree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _begun(kind: str, name: str, text: str, wording: str = "") -> Tree.Element:
    """A question with what all types have."""
    question = Tree.Element("question", type=kind)
    Tree.SubElement(Tree.SubElement(question, "name"), "text").text = name
    _add_text(question, "questiontext", text)
    if wording:
        _add_text(question, "generalfeedback", wording)
    for tag, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0")):
        Tree.SubElement(question, tag).text = value
    return question


def _open(open_question: OpenQuestion) -> Tree.Element:
    kind = "numerical" if open_question.is_number else "shortanswer"
    question = _begun(kind, open_question.name, open_question.text, open_question.told)
    # A star would stand for any letters.
    right = _add_text(question, "answer", open_question.answer.strip().replace("*", r"\*"))
    right.set("fraction", "100")
    if open_question.is_number:
        Tree.SubElement(right, "tolerance").text = "0"
    return question


def _choice(item: ImportedItem) -> Tree.Element:
    question = _begun("multichoice", item.id, item.question)
    for name, value in (
        ("single", "true"), ("shuffleanswers", "false"), ("answernumbering", "ABCD"),
    ):  # fmt: skip
        Tree.SubElement(question, name).text = value
    for letter, option in zip(item.letters, item.options, strict=True):
        answer = _add_text(question, "answer", option)
        answer.set("fraction", "100" if letter == item.key else "0")
        if letter in item.rationales:
            _add_text(answer, "feedback", item.rationales[letter])
    tags = Tree.Element("tags")
    values = (item.grade, item.dok, item.content_class, item.topic)
    for tag, fact in zip(_TAGS, values, strict=True):
        if fact:
            Tree.SubElement(Tree.SubElement(tags, "tag"), "text").text = f"{tag}:{fact}"
    if len(tags):
        question.append(tags)
    return question


def _add_text(parent: Tree.Element, name: str, text: str) -> Tree.Element:
    """A part of a question that holds this plain text, added to its parent."""
    element = Tree.SubElement(parent, name, format="plain_text")
    Tree.SubElement(element, "text").text = text
    return element


FORMAT = Format(
    name="moodle",
    endings=(".xml",),
    rank=30,
    begins=lambda start: start.lstrip().startswith("<"),
    decisive=True,
    says_encoding=True,
    items=lambda source: read_moodle(source.data),
)
