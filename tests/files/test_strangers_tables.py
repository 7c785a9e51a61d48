"""Tables as strangers have them: problems in two columns, worked answers, first lines that say what
parts cells, dates that were fractions, keys that are wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.audit.auditing import read_corpus
from biaslab.cli import main
from biaslab.files import ImportReport, InterchangeError, import_bytes
from biaslab.files.answered import read_answered
from biaslab.files.errors import ProblemsGiven
from biaslab.files.importing import read_test_file
from schoolmath.malrules.bank import BankDesign, make_items
from schoolmath.text.written_answers import is_date
from tests.loops import over

TOLD = "Ana has 12 lamps and gives 3 of them to Ben"
ASKED = "How many lamps does Ana have?"
WHOLE = f"{TOLD}. {ASKED}"
WORKED = "Ana gives 3 away, so 12 - 3 = <<12-3=9>>9 are left.\n#### 9"


def _jsonl(*rows: Mapping[str, object]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def _told(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == status, done.output
    return done.output


PROBLEMS = {
    "svamp.json": json.dumps(
        [{"ID": "a", "Body": TOLD, "Question": ASKED, "Equation": "( 12.0 - 3.0 )",
          "Answer": 9.0, "Type": "Subtraction"}] * 3
    ).encode(),
    "svamp.jsonl": _jsonl(*[{"Question": ASKED, "Body": f"{TOLD}.", "Answer": "9.0"}] * 3),
    "asdiv.csv": f'id,body,question,answer\n1,"{TOLD}.",{ASKED},9 (lamps)\n'.encode(),
    "story.csv": f"Context;Question;Solution\n{TOLD};{ASKED};9\n".encode(),
    "gsm8k.jsonl": _jsonl(*[{"question": WHOLE, "answer": WORKED}] * 3),
    "plain.csv": f"problem,answer\n{WHOLE},9\n".encode(),
    "math.json": json.dumps([{"problem": WHOLE, "level": "Level 1", "solution": WORKED}]).encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
class TestTablesOfProblems:
    def test_import_says_that_these_are_problems_and_what_takes_them(self, name, tmp_path):
        file, db = tmp_path / name, tmp_path / "runs.db"
        file.write_bytes(PROBLEMS[name])
        said = _told("import", str(file), "--db", str(db), status=1)
        assert "These are problems" in said
        assert "neither multiple-choice items nor pairs" in said
        assert "`biaslab audit FILE`" in said
        assert "`biaslab solve --file FILE" in said
        assert not db.exists()

    def test_audit_and_solve_read_the_whole_text(self, name, tmp_path):
        texts = read_corpus(PROBLEMS[name], name).texts
        assert set(texts) == {WHOLE}
        file, out = tmp_path / name, tmp_path / "out.jsonl"
        file.write_bytes(PROBLEMS[name])
        said = _told("solve", "--file", str(file), "--out", str(out))
        answers = [json.loads(line)["answer"] for line in out.read_text().splitlines()]
        assert answers == [9] * len(texts)
        assert "the file says" not in said

    def test_a_wrong_answer_is_remarked_by_solve(self, name, tmp_path):
        data = PROBLEMS[name]
        wrong = data.replace(b"#### 9", b"#### 8").replace(b"9.0", b"8.0").replace(b",9", b",8")
        file = tmp_path / name
        file.write_bytes(wrong.replace(b";9", b";8"))
        said = _told("solve", "--file", str(file), "--out", str(tmp_path / "out.jsonl"))
        assert ": the file says 8, and the text gives 9." in said


class TestTwoColumnsOfAProblem:
    def test_the_question_alone_is_whole_where_it_holds_what_is_told(self):
        data = _jsonl({"Body": f"{TOLD}.", "Question": WHOLE, "Answer": 9})
        assert read_corpus(data, "a.jsonl").texts == (WHOLE,)

    def test_a_person_may_name_them(self):
        data = f"eins,zwei\n{TOLD},{ASKED}\n".encode()
        assert read_corpus(data, "a.csv", ["eins", "zwei"]).texts == (WHOLE,)

    def test_items_keep_what_is_told_as_the_passage_and_their_key_is_worked_out(self):
        header = "Passage,Question,A,B,Key\n"
        report = import_bytes(f"{header}{TOLD},{ASKED},15,9,A\n".encode(), "a.csv")
        assert report.items[0].passage == TOLD
        assert "its problem gives 9 (option B)" in str(report.remarks[-1])

    def test_pupils_answers_stand_beside_both(self):
        data = f"Body,Question,Student answer\n{TOLD},{ASKED},15\n".encode()
        (row,) = read_answered(data, "a.csv")
        assert row.problem == WHOLE
        assert row.status == "explained"

    def test_texts_with_places_for_values_are_refused(self):
        data = f"Question\n{WHOLE.replace('12', 'number0')}\n{WHOLE}\n".encode()
        found = read_corpus(data, "a.csv")
        assert found.texts == (WHOLE,)
        assert "number0" in found.refused[0]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("ASDiv.xml", f"<ProblemSet><Problem><Body>{TOLD}</Body></Problem></ProblemSet>"),
        ("page.txt", f"<html><body>{WHOLE}</body></html>"),
        ("quiz.gift", "What is 2 + 3? {=5 ~6}"),
    ],
)
def test_what_is_no_table_and_no_text_of_problems_is_refused(
    name: str, data: str, tmp_path: Path
) -> None:
    with pytest.raises(InterchangeError, match="Tables are read from"):
        read_corpus(data.encode(), name)
    file = tmp_path / name
    file.write_text(data)
    out = str(tmp_path / "out.jsonl")
    assert "Tables are read from" in _told("solve", "--file", str(file), "--out", out, status=1)


def test_json_is_read_as_such_whatever_it_is_called() -> None:
    assert read_corpus(PROBLEMS["svamp.json"], "corpus.txt").texts == (WHOLE,) * 3


HEADER = "Question,A,B,C,Correct answer"


class TestTheFirstLineThatSaysWhatPartsCells:
    @over("line", ["sep=,", "sep=;", "SEP=|", '"sep=;"', "sep=\t", "sep=^"])
    @over("end", ["\n", "\r\n"])
    def test_it_is_obeyed_and_is_no_row(self, line, end):
        sign = line.strip('"')[-1]
        rows = [HEADER, "What is 52 - 17?,35,45,69,A", "What is 4 + 5?,9,8,7,A"]
        data = end.join([line, *(row.replace(",", sign) for row in rows)]).encode("utf-8-sig")
        report = import_bytes(data, "a.csv")
        assert [(item.row, item.options[0]) for item in report.items] == [(2, "35"), (3, "9")]

    def test_a_sign_that_other_cells_hold_parts_nothing(self):
        report = import_bytes(b"sep=;\nQuestion;A;B;Key\n1,5 + 1,5, is?;3;2;A\n", "a.csv")
        assert report.items[0].question == "1,5 + 1,5, is?"

    def test_a_column_called_sep_is_one(self):
        assert import_bytes(b"sep,Question,A,B,Key\n1,What is 1 + 1?,2,3,A\n", "a.csv").items


class TestDates:
    @over(
        "text",
        ["2-Jan", "02-Jan", "Jan-02", "1/2/2024", "2024-01-02", "2024-01-02 00:00:00", "01.02.2024",
         "Mar 04", "3. Mai", "04. Mrz", "1-févr"],
    )  # fmt: skip
    def test_they_are_told_from_fractions_and_numbers(self, text):
        assert is_date(text)
        assert not any(map(is_date, ("1/2", "1.5", "12", "2 3/4", "1,234", "May", "3:15", "-5")))

    def test_they_are_remarked(self):
        data = f"{HEADER}\nWhat is 1/4 + 1/4?,2-Jan,1/4,1/8,A\n".encode()
        report = import_bytes(data, "a.csv")
        assert "option A is a date (2-Jan)" in str(report.remarks[0])
        (row,) = read_answered(b"problem,answer\n1/4 + 1/4,2-Jan\n", "a.csv")
        assert "spreadsheet may have made of a fraction" in row.reason


class TestKeys:
    def test_a_wrong_one_is_remarked_wherever_the_problem_can_be_solved(self):
        rows = "What is 52 - 17?,35,45,69,B\n1/2 + 1/3,5/6,2/5,1/6,B\nWho is it?,Ana,Ben,Cem,B\n"
        report = import_bytes(f"{HEADER}\n{rows}".encode(), "a.csv")
        assert [str(each) for each in report.remarks] == [
            "Row 2: worked out here its problem gives 35 (option A), and its key says 45 (B).",
            "Row 3: worked out here its problem gives 5/6 (option A), and its key says 2/5 (B).",
        ]

    def test_numbers_in_latex_are_compared_too(self):
        rows = r"What is 1/2 + 1/3?,\( \frac{5}{6} \),\( \frac{2}{5} \),$1$,"
        assert not import_bytes(f"{HEADER}\n{rows}A".encode(), "a.csv").remarks
        (remark,) = import_bytes(f"{HEADER}\n{rows}B".encode(), "a.csv").remarks
        assert "its problem gives 5/6 (option A)" in remark.text

    def test_so_is_that_of_a_table_of_wrong_answers(self):
        data = b"Question,Correct Answer,Incorrect Answer\nWhat is 52 - 17?,45,35\n"
        report = import_bytes(data, "a.csv")
        assert "its problem gives 35" in str(report.remarks[0])

    @pytest.mark.parametrize(
        ("question", "right", "wrong"),
        [("10 ÷ 3", "3.33", "3.3333"), ("1/2 + 1/4", "0.75", "75%"), ("1/4 + 1/4", "50%", "1/2"),
         ("17 ÷ 5", "3 R 2", "3.4"), ("What is 52 - 17?", "35 cm", "35.0")],
    )  # fmt: skip
    def test_one_that_is_written_otherwise_or_rounded_is_right(self, question, right, wrong):
        for key in (right, wrong):
            report = import_bytes(
                f"Question,A,B,Key\n{question},{key},none of these,A\n".encode(), "a.csv"
            )
            assert report.items
            assert not report.remarks

    def test_no_item_of_the_bank_is_accused_and_every_wrong_key_that_is_read_is(self):
        items = list(make_items(BankDesign(n=150, seed=8)))
        right = _bank_report({item.id: item.key for item in items})
        assert not [each for each in right.remarks if "worked out" in each.text]
        wrong = _bank_report({item.id: "ABCD"["ABCD".index(item.key) - 1] for item in items})
        accused = [each for each in wrong.remarks if "worked out" in each.text]
        assert len(accused) > 100


def _bank_report(keys: Mapping[str, str]) -> ImportReport:
    records = [
        {"Question": item.question, "Key": keys[item.id],
         **dict(zip("ABCD", item.options, strict=True))}
        for item in make_items(BankDesign(n=150, seed=8))
    ]  # fmt: skip
    return import_bytes(json.dumps(records).encode(), "bank.json")


class TestWorkedAnswers:
    def test_a_pupil_s_working_is_read_by_what_stands_last(self):
        rows = [
            {"Question": "6 2/3 - 3 1/6 =", "Answer": "6 2/3 - 3 1/6 = 3 + 1/3 = 3 1/3"},
            {"Question": "2/3 * 4/6 =", "Answer": "2/3 * 4/6 = 12/12 = 1"},
            {"Question": "52 - 17", "Answer": "52 - 17 = 45, so the answer is 45."},
            {"Question": "52 - 17", "Answer": "50 - 10 = 40\n5\n#### 45"},
            {"Question": "52 - 17", "Answer": "35 = 52 - 17"},
            {"Question": "52 - 17", "Answer": "it is 3 = 4 or 5"},
        ]
        found = [row.happened and str(row.status) for row in read_answered(
            json.dumps(rows).encode(), "a.json"
        )]  # fmt: skip
        assert found == ["none known", "explained", "explained", "explained", None, None]

    def test_an_item_gets_the_answer_without_its_working(self):
        data = b"Question,Correct Answer,Incorrect Answer\n1/2 + 1/3 =,5/6,1/2 + 1/3 = 2/5\n"
        report = import_bytes(data, "a.csv")
        assert set(report.items[0].options) == {"5/6", "2/5"}
        assert "what stands before its answer was left out" in str(report.remarks[0])
        assert set(import_bytes(data.replace(b"1/2 + 1/3 = 2/5", b"x = 2/5"), "a.csv").items[
            0
        ].options) == {"5/6", "x = 2/5"}  # fmt: skip

    def test_a_key_behind_the_mark_is_found_among_the_options(self):
        row = {"question": WHOLE, "A": "9", "B": "15", "answer": WORKED}
        assert import_bytes(_jsonl(row), "a.jsonl").items[0].key == "A"

    def test_a_teacher_s_own_test_has_the_whole_problem_and_its_answer(self):
        (item,) = read_test_file(_jsonl({"Body": TOLD, "Question": ASKED, "Answer": WORKED}),
                                 "a.jsonl").items  # fmt: skip
        assert (item.question, item.key) == (WHOLE, "9")


def test_a_table_of_problems_is_no_question_about_its_columns() -> None:
    with pytest.raises(ProblemsGiven):
        import_bytes(PROBLEMS["gsm8k.jsonl"], "a.jsonl")


@over("text", ["ok", "OK.", "o.k.", "Okay!", "n/a", "True", "see above", "TBD"])
def test_what_tells_no_way_is_no_rationale(text: str) -> None:
    data = f"{HEADER},Rationale A,Rationale B\nWhat is 9 + 4?,13,5,94,A,Adds,{text}\n".encode()
    item = import_bytes(data, "a.csv").items[0]
    assert item.rationales == {"A": "Adds"}
