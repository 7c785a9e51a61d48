"""QTI 2.1 (and 2.0, 2.2): reading the multiple-choice items of a content package."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator
from urllib.parse import unquote
from xml.etree import ElementTree as Tree

from biaslab.files.errors import LETTERS, MAX_PACKAGE_FILES, MAX_ROWS, InterchangeError
from biaslab.files.formats.format import Format
from biaslab.files.formats.packages import open_package
from biaslab.files.formats.safe_xml import XmlRefused, parse_xml
from biaslab.files.found import FileEntry, FileReading

_MANIFEST = "imsmanifest.xml"
_ITEM = re.compile(r"ims(?:qti|apip)_?item_xmlv2p[0-9]", re.IGNORECASE)
_BLANKS = re.compile("[ \t\r\n]+")
_BLOCKS = {
    "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "blockquote",
    "pre", "dl", "dt", "dd",
}  # fmt: skip
_PICTURES = {"img", "svg", "object", "video", "audio", "math", "include"}
_FEEDBACK = {"feedbackInline", "feedbackBlock", "modalFeedback"}
# Instructions for scorers, and what depends on answers: none of it is the question.
_ASIDE = {*_FEEDBACK, "rubricBlock", "printedVariable", "stylesheet", "infoControl"}


def holds_qti(data: bytes) -> bool:
    """Whether a zip file is a content package, as those of QTI are."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return _MANIFEST in package.namelist()
    # What is no readable zip file is for the reader to tell.
    except Exception:
        return False


def read_qti(data: bytes) -> FileReading:
    """The questions of a content package in its manifest's order, numbered from 1.

    Raises:
        InterchangeError: it holds too much, is damaged, or has no items of QTI 2.
    """
    with open_package(data, "QTI package", MAX_PACKAGE_FILES) as package:
        names = set(package.namelist())
        if _MANIFEST not in names:
            raise InterchangeError(
                f"This zip file is no QTI package: there is no {_MANIFEST} in it."
            )
        hrefs = _items(package.read(_MANIFEST))
        files = [(href, package.read(href) if href in names else None) for href in hrefs]
    if not files:
        raise InterchangeError(
            "The QTI package has no items of QTI 2.0, 2.1 or 2.2; other versions are not read."
        )
    if len(files) > MAX_ROWS:
        raise InterchangeError(f"The package has more than {MAX_ROWS:,} questions. Split it.")
    return FileReading([_read(number, *each) for number, each in enumerate(files, start=1)])


def _items(manifest: bytes) -> list[str]:
    """Names of the files with items, as the manifest has them."""
    try:
        root = parse_xml(manifest)
    except XmlRefused as error:
        raise InterchangeError(f"The package's {_MANIFEST} was not read: {error}.") from error
    found = (
        posixpath.normpath(unquote(each.get("href", "")))
        for each in _all(root, "resource")
        if _ITEM.fullmatch(each.get("type", "").strip()) and each.get("href")
    )
    # A file named a thousand times is read once.
    return list(dict.fromkeys(found))


def _name(element: Tree.Element) -> str:
    """The name of an element, whatever the version of the standard."""
    return element.tag.rpartition("}")[2]


def _all(element: Tree.Element, name: str) -> Iterator[Tree.Element]:
    return (each for each in element.iter() if _name(each) == name)


def _read(number: int, href: str, data: bytes | None) -> FileEntry:
    """What is found in the file of an item."""
    name = posixpath.basename(href)
    if data is None:
        return FileEntry(number, name=name, refusal=f"the package has no file {href[:80]!r}")
    try:
        root = parse_xml(data)
    except XmlRefused as error:
        return FileEntry(number, name=name, refusal=f"its XML was not read: {error}")
    body = next((each for each in root if _name(each) == "itemBody"), None)
    if _name(root) != "assessmentItem" or body is None:
        return FileEntry(number, name=name, refusal="its file holds no question of QTI 2")
    name = root.get("title", "").strip() or name
    asking = [each for each in body.iter() if _name(each).endswith("Interaction")]
    if len(asking) != 1 or _name(asking[0]) != "choiceInteraction":
        kinds = " and ".join(sorted({_name(each) for each in asking})) or "nothing to answer"
        return FileEntry(number, name=name, refusal=f"it has {kinds}, not one choiceInteraction")
    return _question(number, name, root, body, asking[0])


def _question(
    number: int, name: str, root: Tree.Element, body: Tree.Element, asking: Tree.Element
) -> FileEntry:
    choices = [each for each in asking if _name(each) == "simpleChoice"]
    ids = [each.get("identifier", "") for each in choices]
    declared = next(
        (
            each
            for each in root
            if _name(each) == "responseDeclaration"
            and each.get("identifier") == asking.get("responseIdentifier")
        ),
        None,
    )
    right = set() if declared is None else _values(declared)
    partly = set() if declared is None else set(_scoring(declared)) - right
    for place, of in enumerate(ids):
        if of in partly:
            letter = LETTERS[place] if place < len(LETTERS) else str(place + 1)
            return FileEntry(number, name=name, refusal=f"option {letter} is right in part")
    prompt = next((each for each in asking if _name(each) == "prompt"), None)
    before, pictures = _text(body, {"choiceInteraction"})
    asked, more = ("", 0) if prompt is None else _text(prompt)
    options = [_text(each) for each in choices]
    told = _feedback(root, choices)
    remarks = []
    if set(told) - set(ids):
        remarks.append("its feedback that belongs to no option was left out")
    if any(True for _ in _all(body, "rubricBlock")):
        remarks.append("its instructions (rubricBlock) were left out")
    lost = pictures + more + sum(count for _, count in options)
    return FileEntry(
        number,
        question=asked or before,
        passage=before if asked else "",
        options=tuple(text for text, _ in options),
        right=tuple(place for place, of in enumerate(ids) if of in right),
        rationales=tuple(told.get(of, "") for of in ids),
        name=name,
        remarks=tuple(remarks),
        lost=("it has a picture, which cannot be taken over",) if lost else (),
    )


def _values(declared: Tree.Element) -> set[str]:
    """The responses declared as correct."""
    return {
        (value.text or "").strip()
        for correct in _all(declared, "correctResponse")
        for value in _all(correct, "value")
    }


def _scoring(declared: Tree.Element) -> Iterator[str]:
    """The responses that score something."""
    for entry in _all(declared, "mapEntry"):
        try:
            if float(entry.get("mappedValue", "0")) > 0:
                yield entry.get("mapKey", "")
        except ValueError:
            continue


def _feedback(root: Tree.Element, choices: Iterable[Tree.Element]) -> dict[str, str]:
    """What is told of each choice, by identifier; of no choice too, for a remark."""
    told: dict[str, str] = {}
    for each in root:
        if _name(each) == "modalFeedback" and each.get("showHide", "show") == "show":
            text = _text(each)[0]
            if text:
                told.setdefault(each.get("identifier", ""), text)
    for choice in choices:
        of = choice.get("identifier", "")
        for inline in _all(choice, "feedbackInline"):
            text = _text(inline)[0]
            if text and inline.get("identifier") == of and inline.get("showHide") != "hide":
                told.setdefault(of, text)
    return told


def _text(element: Tree.Element, without: Iterable[str] = ()) -> tuple[str, int]:
    """The text of a part of a question, and how many pictures and the like it loses.

    Line breaks (``br``) stay, blocks begin on lines of their own; powers and indices keep a sign.
    """
    aside = _ASIDE | set(without)
    parts: list[str] = [""]
    pictures = 0
    # Strangers may nest deeper than functions may call each other.
    waiting: list[Tree.Element | str | None] = [*_content(element)[::-1]]
    while waiting:
        each = waiting.pop()
        if each is None:
            parts.append("")
        elif isinstance(each, str):
            parts[-1] += each
        elif _name(each) not in aside:
            name = _name(each)
            pictures += name in _PICTURES
            if name == "br":
                parts[-1] += "\n"
            elif name in ("sup", "sub"):
                parts[-1] += "^" if name == "sup" else "_"
            if name in _BLOCKS:
                parts.append("")
                waiting.append(None)
            waiting += _content(each)[::-1]
    lines = ("\n".join(line.strip(" ") for line in part.split("\n")) for part in parts)
    return "\n".join(part for part in lines if part).strip(), pictures


def _content(element: Tree.Element) -> list[Tree.Element | str]:
    """The texts and elements within an element; blanks of the source are single ones."""
    content: list[Tree.Element | str] = [_BLANKS.sub(" ", element.text or "")]
    for child in element:
        content += [child, _BLANKS.sub(" ", child.tail or "")]
    return content


FORMAT = Format(
    name="qti",
    endings=(".zip",),
    rank=35,
    decisive=True,
    package="QTI package (ZIP)",
    holds=holds_qti,
    items=lambda source: read_qti(source.data),
)
