"""QTI 2.1: packages as the specification wants them, read back; those of others read safely."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from xml.etree.ElementTree import Element

import defusedxml.ElementTree as SafeTree
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files import ImportedItem, ImportReport, InterchangeError, export_items, import_bytes
from biaslab.files.exporting import export_quiz
from biaslab.files.formats.format import OpenQuestion
from biaslab.files.formats.qti import single_blanks, write_qti
from biaslab.files.items import same_text, without_feedback
from schoolmath.malrules.bank import BankDesign, make_items
from schoolmath.malrules.classes import Quiz, QuizDesign, make_quiz
from tests.files.test_round_trips import items

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
CP = "{http://www.imsglobal.org/xsd/imscp_v1p1}"

CONTENT = {
    "assessmentItem": "responseDeclaration* outcomeDeclaration* templateDeclaration* "
    "templateProcessing? stylesheet* itemBody? responseProcessing? modalFeedback*",
    "responseDeclaration": "defaultValue? correctResponse? mapping? areaMapping?",
    "correctResponse": "value+",
    "outcomeDeclaration": "defaultValue? matchTable? interpolationTable?",
    "defaultValue": "value+",
    "value": "",
    "itemBody": "(div|p|choiceInteraction)*",
    "div": "br*",
    "p": "textEntryInteraction",
    "textEntryInteraction": "",
    "choiceInteraction": "prompt? simpleChoice+",
    "prompt": "br*",
    "simpleChoice": "br*",
    "modalFeedback": "br*",
    "br": "",
    "responseProcessing": "(responseCondition|setOutcomeValue)*",
    "responseCondition": "responseIf responseElseIf* responseElse?",
    "responseIf": "(match|equal) setOutcomeValue*",
    "responseElse": "setOutcomeValue*",
    "match": "variable correct",
    "equal": "variable correct",
    "variable": "",
    "correct": "",
    "baseValue": "",
    "setOutcomeValue": "(baseValue|variable)",
    "assessmentTest": "outcomeDeclaration* timeLimits? stylesheet* testPart+ outcomeProcessing? "
    "testFeedback*",
    "testPart": "preCondition* branchRule* itemSessionControl? timeLimits? assessmentSection+",
    "itemSessionControl": "",
    "assessmentSection": "preCondition* branchRule* itemSessionControl? timeLimits? selection? "
    "ordering? rubricBlock* assessmentItemRef*",
    "assessmentItemRef": "",
    "manifest": "metadata? organizations resources manifest*",
    "metadata": "schema? schemaversion?",
    "schema": "",
    "schemaversion": "",
    "organizations": "organization*",
    "resources": "resource*",
    "resource": "metadata? file* dependency*",
    "file": "",
    "dependency": "",
}
"""What elements hold, in the specification's order, as far as a package of ours can have it."""
ATTRIBUTES = {
    "assessmentItem": "identifier title adaptive timeDependent",
    "responseDeclaration": "identifier cardinality baseType",
    "outcomeDeclaration": "identifier cardinality baseType",
    "choiceInteraction": "responseIdentifier shuffle maxChoices",
    "simpleChoice": "identifier",
    "textEntryInteraction": "responseIdentifier expectedLength",
    "modalFeedback": "outcomeIdentifier identifier showHide",
    "variable": "identifier",
    "correct": "identifier",
    "baseValue": "baseType",
    "setOutcomeValue": "identifier",
    "equal": "toleranceMode",
    "assessmentTest": "identifier title",
    "testPart": "identifier navigationMode submissionMode",
    "itemSessionControl": "showFeedback",
    "assessmentSection": "identifier title visible",
    "assessmentItemRef": "identifier href",
    "manifest": "identifier",
    "resource": "identifier type href",
    "file": "href",
    "dependency": "identifierref",
}
"""The attributes that the specification requires, and those of ours that it allows."""
TEXTS = {
    "value", "div", "p", "prompt", "simpleChoice", "modalFeedback", "baseValue", "schema",
    "schemaversion",
}  # fmt: skip
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9._-]*")

ITEM = ImportedItem(
    question="What is 1/2 < x & y?\nSay it.",
    options=("<b>1</b>", "2", "3"),
    key="B",
    passage="Ann sings.\n\nBen sleeps.",
    rationales={"A": "Adds \"1\" & '2'", "B": "Works it out"},
)
OPEN = (
    OpenQuestion("1 whole", "How many?", "7", "3 + 4 = 7"),
    OpenQuestion("2 decimal", "How much?", "2.50"),
    OpenQuestion("3 large", "How many?", "99999999999"),
    OpenQuestion("4 fraction", "What part?", "1/2"),
)


def members(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as file:
        return {name: file.read(name) for name in file.namelist()}


def roots(package: bytes) -> dict[str, Element]:
    return {name: SafeTree.fromstring(text) for name, text in members(package).items()}


def packed(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(f"{name}.xml", text)
    return out.getvalue()


def manifest_of(*names: str, kind: str = "imsqti_item_xmlv2p1") -> str:
    resources = "".join(f'<resource type="{kind}" href="{name}.xml"/>' for name in names)
    return f'<manifest xmlns="{CP[1:-1]}"><resources>{resources}</resources></manifest>'


CORRECT = "<correctResponse><value>a</value></correctResponse>"


def item_of(body: str, declared: str = CORRECT) -> str:
    return (
        f'<assessmentItem xmlns="{QTI[1:-1]}" title="Sums"><responseDeclaration identifier="R" '
        f'cardinality="single" baseType="identifier">{declared}</responseDeclaration>'
        f"<itemBody>{body}</itemBody></assessmentItem>"
    )


CHOICES = (
    '<choiceInteraction responseIdentifier="R" maxChoices="1">'
    '<simpleChoice identifier="a">5</simpleChoice><simpleChoice identifier="b">6</simpleChoice>'
    "</choiceInteraction>"
)


def read(*texts: str) -> ImportReport:
    names = [f"i{number}" for number in range(len(texts))]
    files = dict(zip(names, texts, strict=True))
    return import_bytes(packed(imsmanifest=manifest_of(*names), **files), "quiz.zip")


def refused(text: str) -> str:
    (refusal,) = read(text).refused
    return refusal.reason


def faults(root: Element) -> list[str]:
    """What of an element and all within it the specification does not allow."""
    found = []
    for element in root.iter():
        name = element.tag.removeprefix(QTI).removeprefix(CP)
        children = [child.tag.removeprefix(QTI).removeprefix(CP) for child in element]
        wanted = "".join(
            f"(?:{part.rstrip('*+?')} ){part[len(part.rstrip('*+?')) :]}"
            if "(" not in part
            else re.sub(r"(\w+)", r"(?:\1 )", part)
            for part in CONTENT[name].split()
        )
        if not re.fullmatch(wanted, "".join(f"{child} " for child in children)):
            found.append(f"{name} holds {children}")
        # With a template, the rules of response processing are the template's.
        if set(element.keys()) - {"template"} != set(ATTRIBUTES.get(name, "").split()):
            found.append(f"{name} has {sorted(element.keys())}")
        between = [element.text, *(child.tail for child in element)]
        if name not in TEXTS and any(text and text.strip() for text in between):
            found.append(f"{name} holds text")
        for attribute in ("identifier", "responseIdentifier", "outcomeIdentifier", "identifierref"):
            if not NAME.fullmatch(element.get(attribute, "x")):
                found.append(f"{name} is called {element.get(attribute)!r}")
    return found


def of_class(letters: bool) -> Quiz:
    return make_quiz(QuizDesign(4, ("ColumnSubtraction",), 8, 1, letters=letters))


PACKAGES: dict[str, Callable[[], bytes]] = {
    "an item": lambda: export_items([ITEM], "qti").content,
    "the same twice": lambda: export_items([ITEM, ITEM], "qti", "Class <5> & more").content,
    "a bank": lambda: export_items(make_items(BankDesign(n=20, seed=1)), "qti", "Bank").content,
    "open questions": lambda: write_qti(OPEN, "Numbers"),
    "a class": lambda: export_quiz(of_class(letters=True), "qti").content,
    "own numbers": lambda: export_quiz(of_class(letters=False), "qti").content,
}


@pytest.fixture(params=PACKAGES, scope="class")
def package(request: pytest.FixtureRequest) -> bytes:
    return PACKAGES[request.param]()


class TestPackage:
    def test_has_the_elements_and_attributes_of_the_specification_in_its_order(self, package):
        found = roots(package)
        assert {name: faults(root) for name, root in found.items()} == {name: [] for name in found}

    def test_names_every_file_in_its_manifest_and_nothing_else(self, package):
        manifest = roots(package)["imsmanifest.xml"]
        files = [file.get("href") for file in manifest.iter(f"{CP}file")]
        assert sorted([*files, "imsmanifest.xml"]) == sorted(members(package))
        resources = {each.get("identifier") for each in manifest.iter(f"{CP}resource")}
        needed = {each.get("identifierref") for each in manifest.iter(f"{CP}dependency")}
        assert len(resources) == len(files)
        assert needed <= resources

    def test_says_where_variables_and_identifiers_belong(self, package):
        for name, root in roots(package).items():
            if not name.startswith("items/"):
                continue
            assert name == f"items/{root.get('identifier')}.xml"
            outcomes = {each.get("identifier") for each in root.iter(f"{QTI}outcomeDeclaration")}
            set_ = {each.get("identifier") for each in root.iter(f"{QTI}setOutcomeValue")}
            shown = {each.get("outcomeIdentifier") for each in root.iter(f"{QTI}modalFeedback")}
            assert set_ | shown <= outcomes
            (response,) = root.iter(f"{QTI}responseDeclaration")
            choices = [each.get("identifier") for each in root.iter(f"{QTI}simpleChoice")]
            if choices:
                assert response.findtext(f".//{QTI}value") in choices
                assert len(set(choices)) == len(choices)


def test_what_is_out_of_order_or_unnamed_is_found():
    (root,) = (r for n, r in roots(export_items([ITEM], "qti").content).items() if "items" in n)
    root.append(root[0])
    root.set("identifier", "1 item")
    assert [fault.split(" [")[0] for fault in faults(root)] == [
        "assessmentItem holds",
        "assessmentItem is called '1 item'",
    ]


class TestItems:
    def test_hold_text_as_text_and_keep_its_lines(self):
        (root,) = (r for n, r in roots(export_items([ITEM], "qti").content).items() if "items" in n)
        prompt = root.find(f".//{QTI}prompt")
        assert list(prompt.itertext()) == ["What is 1/2 < x & y?", "Say it."]
        assert [each.text for each in root.iter(f"{QTI}simpleChoice")] == ["<b>1</b>", "2", "3"]

    def test_rationales_are_shown_for_the_option_that_was_chosen(self):
        (root,) = (r for n, r in roots(export_items([ITEM], "qti").content).items() if "items" in n)
        told = {each.get("identifier"): each.text for each in root.iter(f"{QTI}modalFeedback")}
        assert told == dict(ITEM.rationales)
        rules = {
            rule.get("identifier"): [each.tag for each in rule]
            for rule in root.findall(f"{QTI}responseProcessing/{QTI}setOutcomeValue")
        }
        assert rules == {"FEEDBACK": [f"{QTI}variable"]}

    def test_without_rationales_are_scored_by_the_standards_template(self):
        item = ImportedItem("Q?", ("1", "2"), "A")
        (root,) = (r for n, r in roots(export_items([item], "qti").content).items() if "items" in n)
        template = root.find(f"{QTI}responseProcessing").get("template")
        assert template.endswith("/qti_v2p1/rptemplates/match_correct")

    def test_the_same_items_give_the_same_bytes_and_names(self):
        bank = list(make_items(BankDesign(n=5, seed=3)))
        once, again = (export_items(bank, "qti", "5a").content for _ in range(2))
        assert once == again
        assert members(export_items(bank[2:3], "qti").content).keys() <= members(once).keys()

    def test_what_the_format_cannot_hold_is_said(self):
        said = " ".join(map(str, export_items(make_items(BankDesign(n=5, seed=3)), "qti").remarks))
        assert "qti cannot hold misconceptions: those of 5 items are lost." in said
        assert "qti cannot hold grades" in said
        blanks = export_items([ImportedItem("a  b", ("1", "2"), "A")], "qti")
        assert str(blanks.remarks[0]) == "Repeated blanks of 1 items are single blanks now."


class TestTest:
    def test_asks_the_questions_in_their_order(self):
        quiz = of_class(letters=True)
        files = roots(export_quiz(quiz, "qti").content)
        test = files["test.xml"]
        assert quiz.code in test.get("title")
        refs = [each.get("href") for each in test.iter(f"{QTI}assessmentItemRef")]
        asked = [files[href].findtext(f".//{QTI}prompt") for href in refs]
        assert asked == [item.question for item in quiz.items]

    def test_shows_feedback_after_each_question_where_there_is_some(self):
        part = roots(export_items([ITEM], "qti", "5a").content)["test.xml"].find(f"{QTI}testPart")
        assert part.get("submissionMode") == "individual"
        assert part.find(f"{QTI}itemSessionControl").get("showFeedback") == "true"

    def test_is_left_out_where_it_has_no_title(self):
        assert "test.xml" not in members(export_items([ITEM], "qti").content)


class TestOpenQuestions:
    def test_are_compared_as_what_their_answers_are(self):
        files = [root for name, root in roots(write_qti(OPEN)).items() if "items" in name]
        kinds = [root.find(f"{QTI}responseDeclaration").get("baseType") for root in files]
        assert kinds == ["integer", "float", "float", "string"]
        assert [root.findtext(f".//{QTI}value") for root in files] == [each.answer for each in OPEN]
        assert [bool(list(root.iter(f"{QTI}equal"))) for root in files] == [
            False, True, True, False,
        ]  # fmt: skip

    def test_what_is_told_is_shown_whatever_was_answered(self):
        root = next(r for n, r in roots(write_qti(OPEN)).items() if "items" in n)
        (told,) = root.iter(f"{QTI}modalFeedback")
        shown = root.find(f"{QTI}responseProcessing/{QTI}setOutcomeValue/{QTI}baseValue")
        assert told.text == "3 + 4 = 7"
        assert shown.text == told.get("identifier")

    def test_are_refused_by_name_when_they_are_read(self):
        report = import_bytes(write_qti(OPEN), "quiz.zip")
        assert len(report.refused) == 4
        assert "it has textEntryInteraction, not one choiceInteraction" in str(report.refused[0])


@pytest.mark.parametrize("form", ["gift", "moodle", "qti"])
def test_a_quiz_of_a_class_has_the_letters_it_has_on_paper(form):
    quiz = of_class(letters=True)
    export = export_quiz(quiz, form)
    back = import_bytes(export.content, {"moodle": "x.xml", "qti": "x.zip"}.get(form, "x.gift"))
    assert export.written == len(back.items) == len(quiz.items)
    for item, read_ in zip(quiz.items, back.items, strict=True):
        assert read_.question == item.question
        assert read_.options == tuple(answer.shown for answer in item.options.values())
        assert read_.key == item.key
        assert not read_.rationales


@pytest.mark.parametrize(("form", "said"), [("gift", "{=1/2}"), ("moodle", '"shortanswer"'),
                                            ("qti", 'baseType="string"')])  # fmt: skip
def test_a_quiz_with_fractions_has_short_answers(form, said):
    quiz = make_quiz(QuizDesign(5, ("FractionSum",), 8, 1, letters=False))
    content = export_quiz(quiz, form).content
    text = b"".join(members(content).values()) if form == "qti" else content
    assert said.replace("1/2", quiz.items[0].right.shown) in text.decode()


def test_a_quiz_in_no_format_is_refused_with_those_there_are():
    with pytest.raises(InterchangeError, match=r"no format 'doc'.*gift, moodle, qti"):
        export_quiz(of_class(letters=True), "doc")


def _single(item: ImportedItem) -> ImportedItem:
    return ImportedItem(
        question=single_blanks(item.question),
        options=tuple(map(single_blanks, item.options)),
        key=item.key,
        rationales={letter: single_blanks(text) for letter, text in item.rationales.items()},
    )


def _comes_back(item: ImportedItem) -> bool:
    right = item.option(item.key)
    return sum(same_text(option, right) for option in item.options) == 1 and all(
        without_feedback(text) == text for text in item.rationales.values()
    )


class TestReading:
    @given(item=items().map(_single).filter(_comes_back))
    def test_gives_back_what_was_written(self, item):
        export = export_items([item], "qti")
        assert not export.remarks
        report = import_bytes(export.content, "x.zip")
        (back,) = report.items
        assert report.form == "qti"
        assert (back.question, back.options, back.key) == (item.question, item.options, item.key)
        assert dict(back.rationales) == dict(item.rationales)

    def test_keeps_a_whole_bank_and_passages(self):
        bank = [*make_items(BankDesign(n=30, seed=1)), ITEM]
        report = import_bytes(export_items(bank, "qti").content, "bank.zip")
        assert not report.refused
        assert [each.question for each in report.items] == [each.question for each in bank]
        assert [dict(each.rationales) for each in report.items] == [
            dict(each.rationales) for each in bank
        ]
        assert report.items[-1].passage == ITEM.passage

    def test_a_package_of_others_is_read_as_people_see_it(self):
        body = f"<p>Two  and\n three<sup>2</sup>?</p><ul><li>one</li></ul>{CHOICES}"
        (item,) = read(item_of(body).replace("<itemBody>", "<stylesheet/><itemBody>")).items
        assert item.question == "Two and three^2?\none"
        assert (item.options, item.key) == (("5", "6"), "A")

    def test_feedback_within_an_option_is_its_rationale_and_no_part_of_it(self):
        told = '6<feedbackInline outcomeIdentifier="F" identifier="b">Counts on</feedbackInline>'
        (item,) = read(item_of(f"<p>2 + 3?</p>{CHOICES.replace('6', told, 1)}")).items
        assert item.options == ("5", "6")
        assert dict(item.rationales) == {"B": "Counts on"}

    def test_a_picture_is_said_to_be_lost(self):
        (item,) = read(item_of(f'<p>How many? <img src="x.png" alt=""/></p>{CHOICES}')).items
        assert item.lost == ("it has a picture, which cannot be taken over",)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (item_of("<p>Q</p>"), "it has nothing to answer, not one choiceInteraction"),
            (item_of(f"{CHOICES}{CHOICES}"), "it has choiceInteraction, not one"),
            (item_of(f"<p>Q</p>{CHOICES}", ""), "no option is given as right"),
            (
                item_of(
                    f"<p>Q</p>{CHOICES}",
                    f'{CORRECT}<mapping><mapEntry mapKey="b" mappedValue="0.5"/></mapping>',
                ),
                "option B is right in part",
            ),
            (item_of(CHOICES), "its question is empty"),
            ("<assessmentItem", "no well-formed XML"),
            ("<html/>", "its file holds no question of QTI 2"),
        ],
    )
    def test_what_is_no_item_is_refused_and_the_others_are_read(self, text, why):
        report = read(text, item_of(f"<p>2 + 3?</p>{CHOICES}"))
        assert len(report.items) == 1
        assert why in report.refused[0].reason

    def test_a_file_that_is_missing_is_named(self):
        package = packed(imsmanifest=manifest_of("gone"))
        (refusal,) = import_bytes(package, "x.zip").refused
        assert "the package has no file 'gone.xml'" in str(refusal)

    def test_other_versions_are_named(self):
        package = packed(imsmanifest=manifest_of("i", kind="imsqti_item_xmlv3p0"), i="<x/>")
        with pytest.raises(InterchangeError, match=r"no items of QTI 2\.0, 2\.1 or 2\.2"):
            import_bytes(package, "x.zip")


class TestSafety:
    def test_document_types_and_entities_are_not_read(self):
        bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
        assert "declares a document type" in refused(f"{bomb}{item_of(f'<p>&b;</p>{CHOICES}')}")
        with pytest.raises(InterchangeError, match="declares a document type"):
            import_bytes(packed(imsmanifest=f"{bomb}{manifest_of('i')}"), "x.zip")

    def test_a_zip_bomb_is_not_unpacked(self):
        package = packed(imsmanifest=manifest_of("i"), i="0" * 200_000_000)
        with pytest.raises(InterchangeError, match="Unpacked, the QTI package would have 190 MiB"):
            import_bytes(package, "x.zip")

    def test_one_file_named_many_times_is_read_once(self):
        text = item_of(f"<p>2 + 3?</p>{CHOICES}")
        package = packed(imsmanifest=manifest_of(*["i"] * 1_000), i=text)
        assert import_bytes(package, "x.zip").rows == 1

    def test_deep_nesting_is_read(self):
        deep = f"{'<div>' * 50_000}2 + 3?{'</div>' * 50_000}"
        (item,) = read(item_of(f"{deep}{CHOICES}")).items
        assert item.question == "2 + 3?"

    def test_a_package_cut_off_is_one_sentence(self):
        package = export_items([ITEM], "qti").content
        for cut in (30, len(package) // 2, len(package) - 5):
            with pytest.raises(InterchangeError, match=r"damaged or cut off .*\.$"):
                import_bytes(package[:cut], "x.zip", "qti")

    @given(st.lists(st.tuples(st.integers(4, 900), st.integers(0, 255)), max_size=8))
    def test_flipped_bytes_are_read_or_refused(self, changes):
        broken = bytearray(export_items([ITEM], "qti").content)
        for place, byte in changes:
            broken[place % len(broken)] = byte
        said = "."
        try:
            import_bytes(bytes(broken), "x.zip", "qti")
        except InterchangeError as error:
            said = str(error)
        assert said.endswith(".")

    def test_another_zip_file_is_no_package_of_questions(self):
        with pytest.raises(InterchangeError, match=r"there is no imsmanifest\.xml in it"):
            import_bytes(packed(x="y"), "x.zip", "qti")
