"""Pairs on paper and in quizzes: one member of each, so that nobody sees both."""

from __future__ import annotations

import io
import re
import zipfile
from itertools import pairwise
from xml.etree.ElementTree import Element

import defusedxml.ElementTree as SafeTree
import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files import Export, InterchangeError, import_bytes
from biaslab.files.errors import MAX_SHEET_PROBLEMS
from biaslab.studies import Design, Experiment, Item, Pair
from biaslab.studies.word_problems.files import Members, PairExportSettings, export_pairs
from biaslab.studies.word_problems.presets.carry import EXPERIMENT as CARRY
from biaslab.studies.word_problems.presets.transfer_comparison import EXPERIMENT as TRANSFER
from biaslab.studies.word_problems.verification import steps_of


def made(study: Experiment = TRANSFER, n: int = 12) -> list[Pair]:
    return list(study.pairs(Design(study.name, n, 3)))


def exported(form: str, pairs: list[Pair], **settings: object) -> Export:
    chosen = PairExportSettings(**settings)
    return export_pairs(TRANSFER, Design("transfer-comparison", len(pairs), 3), pairs, form, chosen)


def pair_of(text: str, answer: str = "7") -> Pair:
    return Pair.of(Item.of("t", text, answer, {}), Item.of("t", f"{text}!", answer, {}), {}, "c")


def pages(export: Export) -> list[str]:
    reader = pypdf.PdfReader(io.BytesIO(export.content))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


class TestWorksheet:
    @pytest.mark.parametrize(
        ("members", "first", "second"),
        [("x", "x", "x"), ("x_prime", "x_prime", "x_prime"), ("alternating", "x", "x_prime")],
    )
    def test_shows_one_member_of_each_pair(self, members, first, second):
        pairs = made()
        sheet = " ".join(pages(exported("worksheet", pairs, members=Members(members))))
        for index, pair in enumerate(pairs):
            arm = second if index % 2 else first
            shown, hidden = (pair.x, pair.x_prime) if arm == "x" else (pair.x_prime, pair.x)
            assert shown.text in sheet
            assert hidden.text not in sheet

    def test_has_lines_for_name_and_date_and_the_title(self):
        first = pages(exported("worksheet", made(), title="Class 5 – Čeština, ελληνικά"))[0]
        assert first.startswith("Class 5 – Čeština, ελληνικά Name Date 1.")

    def test_solutions_stand_step_by_step_on_pages_of_their_own(self):
        pairs = made()
        sheet = pages(exported("worksheet", pairs, members=Members.X))
        start = next(i for i, page in enumerate(sheet) if page.startswith("Solutions:"))
        problems, solutions = " ".join(sheet[:start]), " ".join(sheet[start:])
        for pair in pairs:
            for step in steps_of(pair.x):
                assert step.in_words() in solutions
                assert step.equation() not in problems
            assert f"Answer: {pair.x.answer}" in solutions
            assert pair.x.text not in solutions

    def test_can_do_without_solutions(self):
        sheet = " ".join(pages(exported("worksheet", made(), solutions=False)))
        assert "Solutions" not in sheet
        assert "=" not in sheet

    @pytest.mark.parametrize(("paper", "size"), [("A4", (595, 842)), ("letter", (612, 792))])
    def test_has_the_size_of_its_paper(self, paper, size):
        content = exported("worksheet", made(), paper=paper).content
        box = pypdf.PdfReader(io.BytesIO(content)).pages[0].mediabox
        assert (round(box.width), round(box.height)) == size

    def test_leaves_the_same_room_below_every_problem(self):
        # Given problems of one to five steps, then the room must not tell how many there are.
        room = set()
        reader = pypdf.PdfReader(io.BytesIO(exported("worksheet", made(n=6)).content))
        for page in reader.pages:
            heights: list[tuple[float, str]] = []

            def visit(text, _cm, matrix, _font, _size, heights=heights):
                if text.strip():
                    heights.append((matrix[5], text.strip()))

            page.extract_text(visitor_text=visit)
            if any(text.startswith("Solutions") for _, text in heights):
                break
            for (above, _), (below, text) in pairwise(heights):
                if text == "Answer":
                    room.add(round(above - below))
        assert len(room) == 1

    def test_shows_names_of_many_languages(self):
        text = "Žofie, Đặng, Søren, Ωmega and Юлия have 7 pens. How many?"
        assert text in " ".join(pages(exported("worksheet", [pair_of(text)])))

    def test_a_letter_that_cannot_be_printed_leaves_its_problem_out(self):
        export = exported("worksheet", [pair_of("小明 has 7. How many?"), *made(n=2)])
        assert export.written == 2
        assert "Row 1 (x): the worksheet's font has no 小 明" in str(export.left_out[0])

    @given(st.text(max_size=300))
    def test_any_text_is_printed_or_refused_with_a_sentence(self, text):
        content = said = ""
        try:
            content = exported("worksheet", [pair_of(text)], title=text).content[:4].decode()
        except InterchangeError as error:
            said = str(error)
        assert content == "%PDF" or said.endswith(".")

    def test_a_problem_longer_than_a_page_goes_on(self):
        sheet = pages(exported("worksheet", [pair_of("Ana has 7 pens. " * 400 + "How many?")]))
        assert len(sheet) > 3
        assert sum(page.count("pens") for page in sheet) == 400

    def test_both_members_are_refused(self):
        with pytest.raises(InterchangeError, match="nobody sees both"):
            exported("worksheet", made(), members=Members.BOTH)

    def test_too_many_problems_are_refused_with_the_limit(self):
        many = [pair_of("Seven?")] * (MAX_SHEET_PROBLEMS + 1)
        with pytest.raises(InterchangeError, match="at most 1,000 problems"):
            exported("worksheet", many)

    def test_an_unknown_paper_is_refused(self):
        with pytest.raises(InterchangeError, match="Choose A4 or Letter"):
            exported("worksheet", made(), paper="A0")


def moodle_questions(export: Export) -> list[Element]:
    return list(SafeTree.fromstring(export.content).iterfind("question"))


class TestMoodle:
    def test_has_a_numerical_question_with_the_exact_answer_for_each_pair(self):
        pairs = made(CARRY)
        questions = moodle_questions(exported("moodle", pairs, members=Members.X_PRIME))
        assert {question.get("type") for question in questions} == {"numerical"}
        for pair, question in zip(pairs, questions, strict=True):
            assert question.findtext("questiontext/text") == pair.x_prime.text
            answer = question.find("answer")
            assert answer.get("fraction") == "100"
            assert answer.findtext("text") == pair.x_prime.answer
            assert answer.findtext("tolerance") == "0"
            assert question.findtext("generalfeedback/text") == "\n".join(
                step.in_words() for step in steps_of(pair.x_prime)
            )

    def test_the_importer_sees_numerical_questions(self):
        report = import_bytes(exported("moodle", made()).content, "quiz.xml", "moodle")
        assert len(report.refused) == 12
        assert "'numerical', not multichoice" in str(report.refused[0])

    @given(st.text(min_size=1, max_size=60))
    def test_any_text_stays_well_formed(self, text):
        assert len(moodle_questions(exported("moodle", [pair_of(text)]))) == 1


GIFT = re.compile(
    r"::(?P<name>.+?)(?<!\\):: \[plain\](?P<text>.*?) "
    r"\{#(?P<answer>-?\d+):0(?: ####(?P<feedback>.*))?\}"
)


def gift_questions(export: Export) -> list[re.Match[str]]:
    blocks = export.content.decode().rstrip("\n").split("\n\n")
    found = [GIFT.fullmatch(block) for block in blocks]
    assert all(found)
    return [match for match in found if match]


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


class TestGift:
    def test_has_a_numerical_question_with_the_exact_answer_for_each_pair(self):
        pairs = made()
        questions = gift_questions(exported("gift", pairs, members=Members.BOTH))
        items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
        for item, question in zip(items, questions, strict=True):
            assert unescaped(question["text"]) == item.text
            assert question["answer"] == item.answer
            told = "\n".join(step.in_words() for step in steps_of(item))
            assert unescaped(question["feedback"]) == told

    def test_the_importer_sees_numerical_questions(self):
        report = import_bytes(exported("gift", made()).content, "quiz.gift", "gift")
        assert len(report.refused) == 12
        assert "a numerical question, not multiple choice" in str(report.refused[0])

    @given(st.text(alphabet="ab:{}=~#\\/\n %", min_size=1, max_size=40))
    def test_signs_with_a_meaning_stay_text(self, text):
        wanted = text.strip()
        (question,) = gift_questions(exported("gift", [pair_of(f"x{text}y")]))
        assert unescaped(question["text"]) == f"x{text}y"
        assert wanted in unescaped(question["text"])

    def test_an_answer_that_is_no_number_leaves_its_problem_out(self):
        export = exported("gift", [pair_of("Half?", "1/2"), pair_of("Seven?", "7")])
        assert export.written == 1
        assert "Row 1 (x): its answer '1/2' is no plain number." in map(str, export.left_out)


QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"


class TestQti:
    def test_has_a_question_with_the_exact_answer_for_each_pair_and_a_test_of_them(self):
        pairs = made(CARRY)
        content = exported("qti", pairs, members=Members.X_PRIME, title="5a").content
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            test = SafeTree.fromstring(package.read("test.xml"))
            refs = [each.get("href") for each in test.iter(f"{QTI}assessmentItemRef")]
            questions = [SafeTree.fromstring(package.read(href)) for href in refs]
        assert test.get("title") == "5a"
        for pair, question in zip(pairs, questions, strict=True):
            assert question.findtext(f"{QTI}itemBody/{QTI}div") == pair.x_prime.text
            assert question.findtext(f".//{QTI}correctResponse/{QTI}value") == pair.x_prime.answer
            told = "".join(question.find(f"{QTI}modalFeedback").itertext())
            assert told == "".join(step.in_words() for step in steps_of(pair.x_prime))

    def test_the_importer_sees_questions_without_options(self):
        report = import_bytes(exported("qti", made()).content, "quiz.zip", "qti")
        assert len(report.refused) == 12
        assert "textEntryInteraction, not one choiceInteraction" in str(report.refused[0])

    @given(st.text(min_size=1, max_size=60))
    def test_any_text_stays_well_formed(self, text):
        content = exported("qti", [pair_of(text)], title=text).content
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            assert [SafeTree.fromstring(package.read(name)) for name in package.namelist()]
