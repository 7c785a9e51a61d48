"""QTI 2.1 (and 2.0, 2.2): reading and writing multiple-choice items in content packages."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from html import escape
from urllib.parse import unquote
from xml.etree import ElementTree as Tree

from biaslab.files.decoding import clean
from biaslab.files.errors import LETTERS, MAX_PACKAGE_FILES, MAX_ROWS, InterchangeError
from biaslab.files.formats.format import FileEntry, FileReading, Format, OpenQuestion
from biaslab.files.formats.zip_and_xml import XmlRefused, open_package, parse_xml, write_package
from biaslab.files.items import ImportedItem

_MANIFEST_FILE = "imsmanifest.xml"
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
            return _MANIFEST_FILE in package.namelist()
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
        if _MANIFEST_FILE not in names:
            raise InterchangeError(
                f"This zip file is no QTI package: there is no {_MANIFEST_FILE} in it."
            )
        hrefs = _items(package.read(_MANIFEST_FILE))
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
        raise InterchangeError(f"The package's {_MANIFEST_FILE} was not read: {error}.") from error
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
    """What is about each choice, by identifier; of no choice too, for a remark."""
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


# Writing: questions, and a test that asks them in their order. The names of elements and
# attributes, and their order, are those of the specification's binding: IMS Question and Test
# Interoperability 2.1 and IMS Content Packaging 1.1.


_QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_MANIFEST = "http://www.imsglobal.org/xsd/imscp_v1p1"
_MATCH_CORRECT = "http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")
# What every system can hold as a whole number; larger ones are compared as decimals.
_LARGEST_INTEGER = 2**31 - 1
_SHOWN_ONCE_ANSWERED = "told"


def single_blanks(text: str) -> str:
    """The text as XHTML shows it: single blanks, none at the ends of a line."""
    return "\n".join(re.sub(r"[ \t]+", " ", line).strip(" ") for line in text.split("\n"))


def write_qti(questions: Sequence[ImportedItem | OpenQuestion], title: str = "") -> bytes:
    """A zip file with a question in each file.

    Rationales, and what is told of an open question, are feedback once it is answered.

    Args:
        questions: in their order.
        title: of a test that asks them all; without one, the package is a bank of questions.
    """
    items: dict[str, str] = {}
    for each in questions:
        name = _unused(_identifier(each), items)
        items[name] = _open(name, each) if isinstance(each, OpenQuestion) else _choice(name, each)
    members = {f"items/{name}.xml": text for name, text in items.items()}
    test, called = {}, clean(title)
    if called:
        tells = any("<modalFeedback" in text for text in items.values())
        test = {"test.xml": _test(called, list(items), tells)}
    manifest = {"imsmanifest.xml": _manifest(list(items), bool(test))}
    return write_package({
        name: text.encode() for name, text in (manifest | test | members).items()
    })  # fmt: skip


def _identifier(question: ImportedItem | OpenQuestion) -> str:
    """What a question is called where names begin with a letter and hold no blanks."""
    name = question.name if isinstance(question, OpenQuestion) else question.id
    return f"item-{_NO_NAME.sub('-', name)[:80]}"


def _unused(name: str, used: dict[str, str]) -> str:
    """The name, with a number behind it where it is taken."""
    number, free = 1, name
    while free in used:
        number += 1
        free = f"{name}-{number}"
    return free


def _choice(name: str, item: ImportedItem) -> str:
    choices = "\n".join(
        f'      <simpleChoice identifier="{letter}">{_lines(option)}</simpleChoice>'
        for letter, option in zip(item.letters, item.options, strict=True)
    )
    passage = f"    <div>{_lines(item.passage)}</div>\n" if item.passage else ""
    body = f"""{passage}\
    <choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">
      <prompt>{_lines(item.question)}</prompt>
{choices}
    </choiceInteraction>
"""
    chosen = '<variable identifier="RESPONSE"/>' if item.rationales else ""
    return _item(name, item.id, "identifier", item.key, body, item.rationales, chosen)


def _open(name: str, question: OpenQuestion) -> str:
    answer = question.answer.strip()
    kind = "string"
    if question.is_number:
        whole = "." not in answer and abs(int(answer)) <= _LARGEST_INTEGER
        kind = "integer" if whole else "float"
    body = f"""\
    <div>{_lines(question.text)}</div>
    <p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="20"/></p>
"""
    told = {_SHOWN_ONCE_ANSWERED: question.told} if question.told else {}
    shown = f'<baseValue baseType="identifier">{_SHOWN_ONCE_ANSWERED}</baseValue>' if told else ""
    return _item(name, question.name, kind, escape(answer), body, told, shown)


def _item(
    name: str, title: str, kind: str, right: str, body: str, comments: Mapping[str, str], shows: str
) -> str:
    """The file of a question.

    Args:
        name: its identifier.
        title: as people see it.
        kind: base type of the response.
        right: the right response, escaped.
        body: what is asked, as XML.
        comments: feedback by identifier.
        shows: the expression that says which feedback is shown, as XML; empty where there is none.
    """
    outcome = (
        '  <outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>\n'
        if shows
        else ""
    )
    feedback = "".join(
        f'  <modalFeedback outcomeIdentifier="FEEDBACK" identifier="{of}" showHide="show">'
        f"{_lines(text)}</modalFeedback>\n"
        for of, text in sorted(comments.items())
    )
    return f"""{_HEAD}\
<assessmentItem xmlns="{_QTI}" identifier="{name}" title="{escape(title)}" adaptive="false" \
timeDependent="false">
  <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="{kind}">
    <correctResponse>
      <value>{right}</value>
    </correctResponse>
  </responseDeclaration>
  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float">
    <defaultValue>
      <value>0</value>
    </defaultValue>
  </outcomeDeclaration>
{outcome}\
  <itemBody>
{body}\
  </itemBody>
{_processing(kind, shows)}\
{feedback}\
</assessmentItem>
"""


def _processing(kind: str, shows: str) -> str:
    """How a response is scored: by the standard's template where it does all that is wanted."""
    if not shows and kind != "float":
        return f'  <responseProcessing template="{_MATCH_CORRECT}"/>\n'
    # The specification says nothing for certain of decimals compared with match.
    compared = '<equal toleranceMode="exact">{}</equal>' if kind == "float" else "<match>{}</match>"
    condition = compared.format('<variable identifier="RESPONSE"/><correct identifier="RESPONSE"/>')
    feedback = (
        f'    <setOutcomeValue identifier="FEEDBACK">{shows}</setOutcomeValue>\n' if shows else ""
    )
    return f"""\
  <responseProcessing>
    <responseCondition>
      <responseIf>
        {condition}
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue>\
</setOutcomeValue>
      </responseIf>
      <responseElse>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue>\
</setOutcomeValue>
      </responseElse>
    </responseCondition>
{feedback}\
  </responseProcessing>
"""


def _test(title: str, items: Sequence[str], tells: bool) -> str:
    named = escape(title)
    refs = "\n".join(
        f'      <assessmentItemRef identifier="{name}" href="items/{name}.xml"/>' for name in items
    )
    # Feedback is shown after each question, so it is handed in by itself.
    mode = "individual" if tells else "simultaneous"
    control = '    <itemSessionControl showFeedback="true"/>\n' if tells else ""
    content = blake2b(" ".join((title, *items)).encode(), digest_size=8).hexdigest()
    return f"""{_HEAD}\
<assessmentTest xmlns="{_QTI}" identifier="test-{content}" title="{named}">
  <testPart identifier="part-1" navigationMode="nonlinear" submissionMode="{mode}">
{control}\
    <assessmentSection identifier="section-1" title="{named}" visible="true">
{refs}
    </assessmentSection>
  </testPart>
</assessmentTest>
"""


def _manifest(items: Sequence[str], has_test: bool) -> str:
    test = ""
    if has_test:
        needed = "\n".join(f'      <dependency identifierref="{name}"/>' for name in items)
        test = f"""\
    <resource identifier="test" type="imsqti_test_xmlv2p1" href="test.xml">
      <file href="test.xml"/>
{needed}
    </resource>
"""
    resources = "".join(
        f"""\
    <resource identifier="{name}" type="imsqti_item_xmlv2p1" href="items/{name}.xml">
      <file href="items/{name}.xml"/>
    </resource>
"""
        for name in items
    )
    return f"""{_HEAD}\
<manifest xmlns="{_MANIFEST}" identifier="manifest">
  <metadata>
    <schema>QTIv2.1 Package</schema>
    <schemaversion>1.0.0</schemaversion>
  </metadata>
  <organizations/>
  <resources>
{test}{resources}\
  </resources>
</manifest>
"""


def _lines(text: str) -> str:
    """Plain text as XHTML."""
    return "<br/>".join(escape(line) for line in single_blanks(text).split("\n"))
