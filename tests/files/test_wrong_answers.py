"""Tables of a question, a wrong answer, the right one and what is behind the wrong one."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files import ImportReport, import_bytes
from biaslab.files.answered import read_answered, rows_as_csv

HEADER = "Misconception,Topic,Question,Incorrect Answer,Correct Answer"


def _table(*rows: str, header: str = HEADER) -> bytes:
    return "\n".join((header, *rows)).encode()


def _labels(report: ImportReport) -> dict[str, str]:
    (item,) = report.items
    return {item.option(letter): label for letter, label in item.misconceptions.items()}


def test_rows_with_one_question_are_one_item_with_an_option_for_each_answer() -> None:
    rows = ("Smaller,S,52 - 17,45,35", "Reverses,S,52  - 17,-35,35", "Adds,S,52 - 17,69,35")
    report = import_bytes(_table(*rows), "x.csv")
    (item,) = report.items
    assert sorted(item.options) == ["-35", "35", "45", "69"]
    assert item.option(item.key) == "35"
    assert _labels(report) == {"45": "Smaller", "-35": "Reverses", "69": "Adds"}
    assert item.reasons.usable_for.startswith("MIA only")
    assert any("2 rows were put to others" in remark.text for remark in report.remarks)


def test_two_labels_of_one_wrong_answer_stand_together() -> None:
    report = import_bytes(_table("One,S,52 - 17,45,35", "Two,S,52 - 17,45,35"), "x.csv")
    assert _labels(report) == {"45": "One; or: Two"}


def test_a_wrong_answer_that_is_the_right_one_and_gaps_are_refused_row_by_row() -> None:
    report = import_bytes(
        _table("One,S,52 - 17,35,35", "Two,S,1 + 1,,2", "Three,S,2 + 2,5,", "Four,S,3 + 3,7,6"),
        "x.csv",
    )
    assert [item.question for item in report.items] == ["3 + 3"]
    assert [(each.row, each.reason) for each in report.refused][1:] == [
        (3, "there is no wrong answer"), (4, "there is no right answer"),
    ]  # fmt: skip


def test_more_wrong_answers_than_an_item_has_options_make_a_further_item() -> None:
    report = import_bytes(_table(*(f"L{n},S,52 - 17,{n},35" for n in range(1, 10))), "x.csv")
    assert [len(item.options) for item in report.items] == [8, 3]


def test_any_names_of_columns_can_be_said_by_the_person() -> None:
    data = _table("52 - 17;35;45;dreht um", header="Aufgabe;richtig;falsch;Fehler")
    mapping = {"question": "Aufgabe", "key": "richtig", "wrong_answer": "falsch",
               "misconception": "Fehler"}  # fmt: skip
    assert _labels(import_bytes(data, "x.csv", "", mapping)) == {"45": "dreht um"}


def test_json_records_are_read_alike() -> None:
    record = {"Misconception": "Smaller", "Question": "52 - 17", "Incorrect Answer": "45",
              "Correct Answer": "35"}  # fmt: skip
    assert _labels(import_bytes(json.dumps([record]).encode(), "x.json")) == {"45": "Smaller"}


@given(st.permutations(["45", "-35", "69", "5"]), st.integers(0, 3))
def test_the_place_of_the_right_option_depends_on_texts_alone(order: list[str], n: int) -> None:
    rows = [f"L{wrong},S,{52 + n} - 17,{wrong},{35 + n}" for wrong in order]
    (item,) = import_bytes(_table(*rows), "x.csv").items
    (same,) = import_bytes(_table(*sorted(rows)), "x.csv").items
    assert (item.options, item.key) == (same.options, same.key)


def test_diagnosis_takes_the_wrong_answers_and_keeps_the_labels() -> None:
    rows = list(read_answered(_table("Smaller,S,52 - 17,45,35"), "x.csv"))
    assert [(row.status, row.label) for row in rows] == [("explained", "Smaller")]


def test_a_problem_that_comes_out_otherwise_than_the_table_says_is_not_explained() -> None:
    (row,) = read_answered(_table("Smaller,S,52 - 17,45,36"), "x.csv")
    assert row.status == "not read"
    assert "36 is right" in row.reason
    assert "gives 35" in row.reason
    (row,) = read_answered(_table("Smaller,S,1/2 + 1/4,2/6,0.75"), "x.csv")
    assert row.status == "explained"


@pytest.mark.parametrize("cell", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0"])
def test_what_is_written_out_is_no_formula(cell: str) -> None:
    data = io.StringIO()
    csv.writer(data).writerows([["Question", "Wrong answer", "Misconception"], [cell, cell, cell]])
    written = rows_as_csv(list(read_answered(data.getvalue().encode(), "x.csv")), 1)
    (row,) = list(csv.reader(io.StringIO(written)))[1:]
    assert not any(each.startswith(("=", "@", "+")) for each in row)
