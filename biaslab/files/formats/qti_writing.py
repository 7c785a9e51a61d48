"""QTI 2.1: writing a content package of questions, and of a test that asks them in their order.

The names of elements and attributes, and their order, are those of the specification's binding:
IMS Question and Test Interoperability 2.1 and IMS Content Packaging 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from html import escape

from biaslab.files.decoding import clean
from biaslab.files.formats.open_questions import OpenQuestion
from biaslab.files.formats.packages import write_package
from biaslab.files.items.item import ImportedItem

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


def _open(name: str, asked: OpenQuestion) -> str:
    answer = asked.answer.strip()
    kind = "string"
    if asked.is_number:
        whole = "." not in answer and abs(int(answer)) <= _LARGEST_INTEGER
        kind = "integer" if whole else "float"
    body = f"""\
    <div>{_lines(asked.text)}</div>
    <p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="20"/></p>
"""
    told = {_SHOWN_ONCE_ANSWERED: asked.told} if asked.told else {}
    shown = f'<baseValue baseType="identifier">{_SHOWN_ONCE_ANSWERED}</baseValue>' if told else ""
    return _item(name, asked.name, kind, escape(answer), body, told, shown)


def _item(
    name: str, title: str, kind: str, right: str, body: str, told: Mapping[str, str], shows: str
) -> str:
    """The file of a question.

    Args:
        name: its identifier.
        title: as people see it.
        kind: base type of the response.
        right: the right response, escaped.
        body: what is asked, as XML.
        told: feedback by identifier.
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
        for of, text in sorted(told.items())
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
