"""Sheets of a class: what is read, and what is refused without being repeated."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.malrules.classes import (
    Quiz,
    QuizDesign,
    SheetRefused,
    make_quiz,
    read_sheet,
    simulate_class,
    write_sheet,
)
from schoolmath.malrules.reading.given_answers import read_number
from schoolmath.problems.draws import Draws
from tests.loops import over


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    return make_quiz(QuizDesign(4, ("ColumnSubtraction",), 6, 1))


@pytest.fixture(scope="module")
def own() -> Quiz:
    return make_quiz(QuizDesign(4, ("ColumnSubtraction",), 6, 1, letters=False))


ROWS = "1,A,B,C,D,A,B\n2,B,,C,D,,a\n"


@over(
    "text",
    [
        ROWS,
        "row,1,2,3,4,5,6\n" + ROWS,
        "Pupil,Q1,Q2,Q3,Q4,Q5,Q6\n" + ROWS,
        ",1,2,3,4,5,6\n" + ROWS,
        "No.,Item 1,Item 2,Item 3,Item 4,Item 5,Item 6\n" + ROWS,
        ROWS.replace(",", "\t"),
        ROWS.replace(",", ";"),
        "\ufeff" + ROWS.replace("\n", "\r\n"),
        ROWS + "\n,,,,,,\n",
        "1,2,3,4,5,6\n" + "\n".join(line.partition(",")[2] for line in ROWS.split()),
        "\n".join(line.partition(",")[2] for line in ROWS.split()),
    ],
)
def test_usual_sheets_are_understood(quiz: Quiz, text: str) -> None:
    sheet = read_sheet(text, quiz)
    assert list(sheet.answers) == [1, 2]
    assert sheet.answers[1][0] == quiz.items[0].options["A"]
    assert sheet.answers[2][1] is None
    assert sheet.answers[2][5] == quiz.items[5].options["A"]
    assert sheet.blanks == 2


def test_items_may_be_missing_or_in_another_order(quiz: Quiz) -> None:
    sheet = read_sheet("row,3,1\n7,A,B\n", quiz)
    options = [item.options for item in quiz.items]
    assert sheet.answers[7] == (options[0]["B"], None, options[2]["A"], None, None, None)


def test_numbers_are_read_beside_letters(quiz: Quiz) -> None:
    letter = quiz.items[0].key
    sheet = read_sheet(f"row,1,2\n1,{quiz.items[0].right.shown},B\n2,{letter},B\n", quiz)
    assert sheet.answers[1][0].same_as(sheet.answers[2][0])  # type: ignore[union-attr]


@over(
    ("written", "value"),
    [
        ("3/4", Fraction(3, 4)), ("1 1/2", Fraction(3, 2)), ("-2", Fraction(-2)),
        ("−2", Fraction(-2)), ("2.50", Fraction(5, 2)), ("2,5", Fraction(5, 2)),
        ("$4.20", Fraction(21, 5)), ("1,234", Fraction(1234)), ("12 cm", Fraction(12)),
        ("25 %", Fraction(25)), ("1/0", None), ("12a", Fraction(12)), ("1-2", None), ("", None),
        ("1e5", None), ("nan", None), ("٣", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_pupils_write_them(written: str, value: Fraction | None) -> None:
    assert read_number(written) == value


PERSONAL = [
    ("Anna", "name"), ("Müller, Anna", "name"), ("Иван", "name"), ("王小明", "name"),
    ("anna@example.org", "e-mail"), ("12.03.2014", "date"), ("2014-03-12", "date"),
    ("3 Apr", "date"), ("0151 2345678", "long id"), ("4711081542", "long id"),
    ("AB-1234-X", "id"), ("www.example.org", "web"), ("x" * 60, "more than any answer"),
]  # fmt: skip


@over(("cell", "told"), PERSONAL)
@over("place", [0, 1, 4])
@over("header", ["", "row,1,2,3,4,5,6\n"])
def test_personal_data_is_marked_with_its_cell_left_out_and_never_repeated(
    quiz: Quiz, cell: str, told: str, place: int, header: str
) -> None:
    cells = ["9", "A", "B", "C", "D", "A", "B"]
    cells[place] = f'"{cell}"'
    sheet = read_sheet(header + ROWS + ",".join(cells), quiz)
    (mark,) = sheet.marks
    assert mark.personal
    assert mark.cell == f"{'ABCDEFG'[place]}{3 + bool(header)}"
    assert told in mark.reason
    assert cell not in repr(sheet)
    # The rest of the sheet is read, and the row too.
    number = 9 if place else 3
    assert list(sheet.answers) == [1, 2, number]
    assert sheet.answers[number].count(None) == bool(place)


@over(
    "header",
    ["row,name,1,2,3,4,5,6", "Name,1,2,3,4,5,6", "row,E-Mail,1,2", "row,Date of birth,1,2",
     "Surname;1;2", "row\t1\t2\tGender", "row,1,2,Remarks", "row,first_name,1,2"],
)  # fmt: skip
def test_columns_about_the_pupil_are_left_out(quiz: Quiz, header: str) -> None:
    sheet = read_sheet(header + "\n" + ROWS, quiz)
    first = next(mark for mark in sheet.marks if "column is named" in mark.reason)
    assert first.personal
    assert "left out" in first.reason


def test_pupils_by_name_become_numbers_in_their_order(quiz: Quiz) -> None:
    sheet = read_sheet("Name,1,2\nAnna Berg,A,B\nBen Ode,C,absent\n", quiz)
    assert list(sheet.answers) == [1, 2]
    assert sheet.answers[2][:2] == (quiz.items[0].options["C"], None)
    assert "Anna" not in repr(sheet)


def test_a_row_number_that_may_be_an_id_becomes_its_place(quiz: Quiz) -> None:
    sheet = read_sheet("row,1,2\n20417,A,B\n", quiz)
    assert list(sheet.answers) == [1]
    assert "id of a pupil" in sheet.marks[0].reason


@pytest.mark.parametrize(
    "cell",
    ["absent", "Absent.", "-", "–", "don't know", "I don’t know", "DK", "?", "no answer", ""],
)
def test_words_for_no_answer_are_no_answer_and_no_fault(quiz: Quiz, own: Quiz, cell: str) -> None:
    for each in (quiz, own):
        sheet = read_sheet(f'row,1,2\n1,"{cell}",{each.items[1].right.shown}\n', each)
        assert sheet.answers[1][:2] == (None, each.items[1].right)
        assert not sheet.marks


@pytest.mark.parametrize("cell", ["AB", "A, C", "B/D", "a,c", "A and D"])
def test_several_options_are_marked_and_count_as_not_answered(quiz: Quiz, cell: str) -> None:
    sheet = read_sheet(f'row,1,2\n1,"{cell}",B\n', quiz)
    assert sheet.answers[1][:2] == (None, quiz.items[1].options["B"])
    assert [mark.cell for mark in sheet.marks] == ["B2"]
    assert "several options" in sheet.marks[0].reason


def test_columns_of_points_are_left_out(quiz: Quiz) -> None:
    sheet = read_sheet("row,1,2,Points,Total %\n1,A,B,2,100\n", quiz)
    assert sheet.answers[1][:2] == (quiz.items[0].options["A"], quiz.items[1].options["B"])
    assert [mark.cell for mark in sheet.marks] == ["D1", "E1"]
    assert not any(mark.personal for mark in sheet.marks)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("row,1,9\n1,A,B\n", "none of this number"), ("row,1\n1,A\n1,B\n", "twice"),
        ("row,1\n1,E\n", "no answer to item 1"), ("row,1\n1,A,7\n", "no header"),
    ],
)  # fmt: skip
def test_a_fault_in_one_place_costs_no_other(quiz: Quiz, text: str, told: str) -> None:
    sheet = read_sheet(text, quiz)
    assert sheet.answers
    assert told in sheet.marks[0].reason


@over(
    ("text", "told"),
    [
        ("", "empty"), ("\n ,,\n", "empty"), ("row,1,2\n", "no row of answers"),
        ("1,A,B\n", "needs 7"), ("row,1,1\n1,A,B\n", "Two columns"),
        ("row,9\n1,B\n", "none of this number"),
        ("PK\x03\x04rest", "no text"), ("row,1\n" + "1,A\n" * 300, "more than 200 rows"),
        ("x" * 300_000, "characters"), ('row,1\n1,"A', "twice|no answer|item|quotation|row"),
    ],
)  # fmt: skip
def test_what_is_no_sheet_is_told(quiz: Quiz, text: str, told: str) -> None:
    if told.startswith("twice|"):
        # An open quotation mark still ends with the sheet.
        read_sheet(text, quiz)
        return
    with pytest.raises(SheetRefused, match=told):
        read_sheet(text, quiz)


def test_letters_are_no_answers_to_a_quiz_without_options(own: Quiz) -> None:
    sheet = read_sheet("row,1\n1,B\n", own)
    assert sheet.answers[1][0] is None
    assert "takes a number" in sheet.marks[0].reason


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        read_sheet(text, _any_quiz())
    except SheetRefused as refused:
        told = str(refused)
    else:
        told = "It was read."
    assert told.endswith(".")


@given(st.from_regex(r"[A-Z][a-zäöüé]{2,12}( [A-Z][a-z]{2,12})?", fullmatch=True))
def test_a_name_is_never_kept(name: str) -> None:
    quiz = _any_quiz()
    sheet = read_sheet(f"row,1,2\n1,A,B\n{name},A,B\n", quiz)
    assert name not in repr(sheet)
    assert list(sheet.answers) == [1, 2]


@pytest.mark.parametrize("letters", [True, False])
def test_what_is_written_is_read_back(letters: bool) -> None:
    quiz = make_quiz(QuizDesign(5, ("FractionSum", "DecimalSum"), 8, 2, letters))
    made = simulate_class(Draws("back"), quiz, [*quiz.rules, None])
    read = read_sheet(write_sheet(quiz, made), quiz)
    for row, answers in made.answers.items():
        for one, other in zip(answers, read.answers[row], strict=True):
            assert one is not None
            assert other is not None
            assert one.same_as(other)


def _any_quiz() -> Quiz:
    global _QUIZ
    if _QUIZ is None:
        _QUIZ = make_quiz(QuizDesign(4, ("ColumnSubtraction",), 6, 1))
    return _QUIZ


_QUIZ: Quiz | None = None
