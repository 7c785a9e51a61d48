"""The formats people have, found by content and name, and what is made of them."""

from __future__ import annotations

import json

import pytest

from biaslab.files import FORMATS, InterchangeError, import_bytes, import_file

EEDI = (
    "QuestionId,ConstructId,ConstructName,SubjectId,SubjectName,CorrectAnswer,QuestionText,"
    "AnswerAText,AnswerBText,AnswerCText,AnswerDText,MisconceptionAId,MisconceptionBId,"
    "MisconceptionCId,MisconceptionDId\n"
    '7,1,Use BIDMAS,2,Order,B,"Work out\n\\( 2+3 \\times 4 \\)",20,14,24,9,12.0,,nan,99\n'
)
NAMES = "MisconceptionId,MisconceptionName\n12,Works from left to right\n"
GIFT = r"""// a comment
$CATEGORY: sums

::One:: [html]<p>What is 3<sup>2</sup> &minus; 1\?</p> {
  ~%0%6#<b>Multiplies</b> by 2
  =8#Squares
  ~9
  ~[plain]a \= \{b\} #Writes \~ signs
  ####general
}

Two is {=even ~odd} by the way.

Is it? {T}

How many? {#3:1}

Which? {=a =b}

Match {=a -> b =c -> d}

Say why. {}

Just a text.

Half {~%50%a ~%50%b ~c}

Open { ~a =b
"""
AIKEN = """What is 2 + 3?
of course
A. 5
B) 6
goes on
C. 7
ANSWER: A

Which?
A. x
C. y
ANSWER: A

Which?
A. x
B. y
ANSWER: D

Late
A. x
B. y
"""
MOODLE = """<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<question type="category"><category><text>$course$/sums</text></category></question>
<question type="multichoice">
  <name><text>n1</text></name>
  <questiontext format="html"><text><![CDATA[<p>Two &lt; x<sup>2</sup>?<br>Which?</p>]]></text></questiontext>
  <generalfeedback format="html"><text>gone</text></generalfeedback>
  <answer fraction="100" format="html"><text>5 &amp;lt; 6</text><feedback format="html"><text>Adds</text></feedback></answer>
  <answer fraction="-33.33333" format="plain_text"><text>a &lt;b&gt; c</text><feedback><text></text></feedback></answer>
  <tags><tag><text>grade:5</text></tag><tag><text>other</text></tag></tags>
</question>
<question type="essay"><name><text>n2</text></name></question>
<question type="multichoice"><questiontext format="html"><text>&lt;img src="x"&gt;Look</text></questiontext>
  <answer fraction="100"><text>1</text></answer><answer fraction="0"><text>2</text></answer></question>
<question type="multichoice"><questiontext><text>Two</text></questiontext>
  <answer fraction="50"><text>1</text></answer><answer fraction="50"><text>2</text></answer></question>
<question type="multichoice"><questiontext><text>Odd</text></questiontext>
  <answer fraction="all"><text>1</text></answer></question>
</quiz>
"""  # noqa: E501


class TestMalAlgoQA:
    def test_an_object_by_name(self, as_json):
        report = import_bytes(as_json, "data.json")
        assert report.form == "malalgoqa"
        assert len(report.items) == 3
        item = report.items[0]
        assert (item.question, item.key, item.grade, item.dok) == ("What is 20 + 3?", "A", 4, 2)
        assert item.options == ("23", "24", "17", "203")
        assert item.rationales["A"] == "Adds the two numbers."
        assert item.content_class == "Number & Operation"
        assert item.reasons.status == "complete"
        assert sum("gives the key away" in str(remark) for remark in report.remarks) == 3

    @pytest.mark.parametrize("shape", ["list", "wrapped", "lines", "columns", "columns by row"])
    def test_other_shapes_of_json_give_the_same_items(self, records, as_json, shape):
        columns = {name: [record[name] for record in records] for name in records[0]}
        content: object = {
            "list": records,
            "wrapped": {"data": records},
            "columns": columns,
            "columns by row": {
                name: {str(at): cell for at, cell in enumerate(cells)}
                for name, cells in columns.items()
            },
        }.get(shape)
        text = "\n".join(map(json.dumps, records)) if shape == "lines" else json.dumps(content)
        assert import_bytes(text.encode(), "x.json").items == import_bytes(as_json, "x").items

    def test_nested_choices_and_rationales(self):
        record = {
            "question": "Q",
            "choices": {"A": "1.50", "B": "2", "C": "3", "D": "4"},
            "rationales": ["a", "b", "c", "d"],
            "correct_answer": "C",
            "dok": 1,
        }
        (item,) = import_bytes(json.dumps([record]).encode(), "x.json").items
        assert item.options == ("1.50", "2", "3", "4")
        assert item.rationales == {"A": "a", "B": "b", "C": "c", "D": "d"}
        assert item.key == "C"

    def test_choices_that_say_themselves_which_is_right(self):
        choices = [
            {"text": str(n), "rationale": f"r{n}", "is_correct": n == 2} for n in (1, 2, 3, 4)
        ]
        (item,) = import_bytes(json.dumps([{"stem": "Q", "choices": choices}]).encode(), "x").items
        assert (item.key, item.options[1], item.rationales["B"]) == ("B", "2", "r2")

    def test_numbers_keep_their_digits(self):
        text = '[{"question": "Q", "a": 2.50, "b": 1e2, "key": "A"}]'
        assert import_bytes(text.encode(), "x.json").items[0].options == ("2.50", "1e2")

    def test_choices_in_one_cell(self):
        text = "Question,Choices,Rationales,Answer\nQ,\"['1', '2']\",\"A. one\nB. two\",B\n"
        (item,) = import_bytes(text.encode(), "x.csv").items
        assert item.options == ("1", "2")
        assert item.rationales == {"A": "one", "B": "two"}

    def test_a_reading_passage_stays_apart(self):
        text = "Passage,Question,A,B,Answer\nAnn sings.,Who sings?,Ann,Ben,A\n"
        (item,) = import_bytes(text.encode(), "x.csv").items
        assert (item.passage, item.question) == ("Ann sings.", "Who sings?")


class TestEedi:
    def test_columns_and_names_of_misconceptions(self):
        report = import_bytes(EEDI.encode(), "train.csv", misconceptions=NAMES.encode())
        (item,) = report.items
        assert report.form == "eedi"
        assert item.question == "Work out\n\\( 2+3 \\times 4 \\)"
        assert item.misconceptions == {"A": "12 Works from left to right", "D": "99"}
        assert (item.content_class, item.topic) == ("Order", "Use BIDMAS")
        assert "1 numbers of misconceptions have no name" in " ".join(map(str, report.remarks))

    def test_the_table_beside_the_file_is_found_and_said(self, tmp_path):
        (tmp_path / "train.csv").write_text(EEDI)
        (tmp_path / "misconception_mapping.csv").write_text(NAMES)
        report = import_file(tmp_path / "train.csv")
        assert report.items[0].misconceptions["A"] == "12 Works from left to right"
        assert "misconception_mapping.csv next to the file" in " ".join(map(str, report.remarks))

    def test_another_table_is_not_taken_for_it(self):
        with pytest.raises(InterchangeError, match="there is no column 'QuestionText'"):
            import_bytes(b"question,a,b,key\nQ,1,2,A\n", "x.csv", "eedi")


class TestGift:
    def test_questions_are_read_and_other_kinds_are_refused_by_name(self):
        report = import_bytes(GIFT.encode(), "q.txt")
        assert (report.form, report.found_by) == ("gift", "by its content")
        first, second = report.items
        assert first.question == "What is 3^2 − 1\\?"
        assert first.options == ("6", "8", "9", "a = {b}")
        assert first.key == "B"
        assert first.rationales == {"A": "Multiplies by 2", "B": "Squares", "D": "Writes ~ signs"}
        assert second.question == "Two is _____ by the way."
        reasons = " | ".join(str(refused) for refused in report.refused)
        for kind in (
            "true-false", "numerical", "short-answer", "matching", "essay",
            "a text without answers", "right in part (50 %)", "never closed",
        ):  # fmt: skip
            assert kind in reasons
        assert report.rows == 10
        assert "Row 3 (line 14): it is a true-false question" in reasons


class TestAiken:
    def test_questions_and_faults(self):
        report = import_bytes(AIKEN.encode(), "q.txt")
        assert report.form == "aiken"
        (item,) = report.items
        assert item.question == "What is 2 + 3?\nof course"
        assert item.options == ("5", "6 goes on", "7")
        reasons = [refused.reason for refused in report.refused]
        assert "option C stands where option B is due" in reasons[0]
        assert "names an option that it does not have" in reasons[1]
        assert "no line ANSWER" in reasons[2]


class TestMoodle:
    def test_questions_and_faults(self):
        report = import_bytes(MOODLE.encode(), "quiz.xml")
        assert report.form == "moodle"
        first, second = report.items
        assert first.question == "Two < x^2?\nWhich?"
        assert first.options == ("5 < 6", "a <b> c")
        assert first.rationales == {"A": "Adds"}
        assert first.grade == 5
        assert "it has a picture, which cannot be taken over" in second.lost
        reasons = [str(refused) for refused in report.refused]
        assert reasons[0] == "Row 2 (n2): it is of the type 'essay', not multichoice."
        assert "right in part" in reasons[1]
        assert "'all', which is no number" in reasons[2]
        assert "1 categories were passed over." in map(str, report.remarks)


class TestTables:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_delimiters_are_found(self, delimiter):
        text = "Stem,Option A,Option B,Correct answer\nQ,1,2,B\n".replace(",", delimiter)
        (item,) = import_bytes(text.encode(), "x.csv").items
        assert (item.options, item.key) == (("1", "2"), "B")

    def test_a_mapping_that_is_given_comes_first_and_is_shown(self):
        text = "text1,text2,first,second,a\nQ,other,1,2,B\n"
        mapping = {"question": "text1", "option_a": "first", "option_b": "second", "key": "a"}
        report = import_bytes(text.encode(), "x.csv", mapping=mapping)
        assert report.items[0].options == ("1", "2")
        assert report.mapping == mapping
        assert "Columns that were not used: 'text2'." in map(str, report.remarks)

    @pytest.mark.parametrize(
        ("mapping", "says"),
        [
            ({"question": "nowhere"}, "There is no column 'nowhere' (for question)"),
            ({"qestion": "a"}, "There is no field 'qestion'"),
            ({}, "No column was found for the question (question) and the right option (key)"),
        ],
    )
    def test_a_mapping_that_does_not_fit_is_one_sentence(self, mapping, says):
        with pytest.raises(InterchangeError) as error:
            import_bytes(b"x,a,b\nQ,1,2\n", "x.csv", mapping=mapping)
        assert says in str(error.value)

    def test_a_spreadsheet(self, workbook):
        data = workbook(["question", "a", "b", "key"], ["Q", 2, 0.5, "A"], [], ["R", "x", "y", "b"])
        report = import_bytes(data, "x.xlsx")
        assert report.form == "xlsx"
        assert [item.options for item in report.items] == [("2", "0.5"), ("x", "y")]
        assert [item.row for item in report.items] == [2, 4]

    def test_formulas_and_dates_in_a_spreadsheet_cost_their_row(self, workbook):
        from datetime import date

        data = workbook(
            ["question", "a", "b", "key"],
            ["Q", "=1+1", "3", "A"],
            ["R", date(2026, 1, 2), "3", "A"],
            ["S", "1", "2", "A"],
        )
        report = import_bytes(data, "x.xlsx")
        assert [str(refused) for refused in report.refused] == [
            "Row 2: cell B2 (a) holds a formula; paste its value as text.",
            "Row 3: cell B3 (a) is a date (a spreadsheet may have made it from a fraction); "
            "write it as text.",
        ]
        assert len(report.items) == 1


class TestDetection:
    def test_content_wins_over_the_name_and_it_is_said(self, as_json):
        report = import_bytes(as_json, "data.csv")
        assert "though its name ends in .csv" in report.found_by

    def test_every_format_can_be_named(self):
        with pytest.raises(InterchangeError, match=", ".join(FORMATS)):
            import_bytes(b"x", "x", "gfit")

    @pytest.mark.parametrize(
        ("codec", "said"),
        [
            ("utf-8", "UTF-8"),
            ("utf-8-sig", "UTF-8"),
            ("utf-16", "UTF-16"),
            ("utf-16-le", "UTF-16"),
            ("utf-16-be", "UTF-16"),
            ("utf-32", "UTF-32"),
            ("cp1252", "cp1252"),
        ],
    )
    def test_encodings_are_tried_and_said(self, codec, said):
        text = "question,a,b,key\nWhat does Zoë’s café cost?,£1,£2,A\n"
        report = import_bytes(text.encode(codec), "x.csv")
        assert report.items[0].question == "What does Zoë’s café cost?"
        assert report.encoding == said
        guessed = codec in ("utf-16-le", "utf-16-be", "cp1252")
        assert bool(report.remarks) == guessed


class TestAikenAsPeopleWriteIt:
    def read(self, text: str):
        return import_bytes(text.encode(), "a.txt")

    def test_small_letters_and_numbers_before_questions(self):
        report = self.read(
            "1. What is 52 - 17?\na) 35\nb) 45\nAnswer: a\n\n"
            "2. What is 3 + 4?\nA. 7\nB. 6\nANSWER:A\n\nWhat is 7 x 8?\na. 54\nB) 56\nanswer: b\n"
        )
        assert [(item.question, item.options, item.key) for item in report.items] == [
            ("What is 52 - 17?", ("35", "45"), "A"),
            ("What is 3 + 4?", ("7", "6"), "A"),
            ("What is 7 x 8?", ("54", "56"), "B"),
        ]

    def test_a_number_that_counts_no_question_stays(self):
        (item,) = self.read("7. or 8. of May?\nA. 7\nB. 8\nANSWER: A\n").items
        assert item.question == "7. or 8. of May?"

    def test_a_list_in_small_letters_before_capital_options_is_of_the_question(self):
        (item,) = self.read("Look:\na) 5\nb) 6\nA. a\nB. b\nANSWER: B\n").items
        assert item.question == "Look:\na) 5\nb) 6"
        assert item.options == ("a", "b")
