"""A teacher's own test as she has it: typed lines, a table, any format of items."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files import ImportedItem, InterchangeError, export_items
from biaslab.files.importing import MOST_SIGNS, as_given, read_test_file, read_typed
from schoolmath.malrules.classes import MOST_CUSTOM_ITEMS, custom_test


def test_each_line_is_a_question_and_behind_a_semicolon_its_right_answer() -> None:
    found = read_typed("52 - 17; 35\n\n403 - 128\nName a prime; 7\n").items
    assert [(item.question, item.key) for item in found] == [
        ("52 - 17", "35"), ("403 - 128", ""), ("Name a prime", "7"),
    ]  # fmt: skip


def test_numbers_of_the_lines_are_no_part_of_the_questions() -> None:
    found = read_typed("1. 52 - 17\n2) 403 - 128\n3. 6 + 7").items
    assert [item.question for item in found] == ["52 - 17", "403 - 128", "6 + 7"]
    assert read_typed("3. 5 + 4").items[0].question == "3. 5 + 4"


def test_a_semicolon_of_the_question_is_its_own() -> None:
    story = "Ana has 5 apples; Ben has 3 more than Ana. How many apples has Ben?"
    assert read_typed(story).items[0].question == story


def test_options_are_typed_as_in_aiken() -> None:
    text = "What is 52 - 17?\nA. 35\nB. 45\nANSWER: A\n\nWhat is 9 + 4?\nA) 12\nB) 13\nANSWER: B\n"
    first, second = read_typed(text).items
    assert (dict(first.options), first.key) == ({"A": "35", "B": "45"}, "A")
    assert second.key == "B"


def test_a_table_of_questions_and_right_answers_is_read() -> None:
    found = read_test_file(b"No,Question,Answer\n1,52 - 17,35\n2,,\n3,403 - 128,\n", "t.csv")
    assert [(item.question, item.key) for item in found.items] == [
        ("52 - 17", "35"), ("403 - 128", ""),
    ]  # fmt: skip
    assert found.left_out == ("Row 3: there is no question.",)


ITEM = ImportedItem("What is 52 - 17?", ("35", "45", "69"), "A", misconceptions={"B": "turns"})


@pytest.mark.parametrize(
    ("form", "ending"),
    [
        ("csv", "csv"),
        ("xlsx", "xlsx"),
        ("moodle", "xml"),
        ("gift", "gift"),
        ("qti", "zip"),
        ("aiken", "txt"),
    ],
)
def test_every_format_of_items_gives_the_same_test(form: str, ending: str) -> None:
    (item,) = read_test_file(export_items([ITEM], form).content, f"test.{ending}").items
    assert (item.question, dict(item.options), item.key) == (
        ITEM.question, {"A": "35", "B": "45", "C": "69"}, "A",
    )  # fmt: skip


def test_labels_of_options_and_passages_come_along() -> None:
    passage = ImportedItem("How many?", ("3", "4"), "B", passage="Ana has 4.", misconceptions={})
    first, second = as_given([ITEM, passage])
    assert first.labels == {"B": "turns"}
    assert second.question == "Ana has 4.\n\nHow many?"


def test_lines_in_a_text_file_are_read_as_if_typed() -> None:
    assert [item.question for item in read_test_file(b"52 - 17\n9 + 4\n", "test.txt").items] == [
        "52 - 17", "9 + 4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04broken", b"\x00\x01\x02", b"[[[[", b"a,b\n1,2\n"]
)
def test_what_is_no_test_is_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(InterchangeError) as refused:
        read_test_file(data, "test.csv")
    assert str(refused.value).endswith((".", ")."))


def test_a_test_that_is_too_long_is_refused_before_it_is_worked_out() -> None:
    with pytest.raises(InterchangeError, match="Shorten"):
        read_typed("1" * (MOST_SIGNS + 1))
    made = custom_test(read_typed("\n".join(["52 - 17"] * (MOST_CUSTOM_ITEMS + 1))).items)
    assert made.quiz is None
    assert "up to 60" in made.remarks[0].text


@given(st.text(max_size=300))
def test_whatever_is_typed_becomes_a_test_or_says_what_to_do(text: str) -> None:
    try:
        items = read_typed(text).items
    except InterchangeError:
        return
    made = custom_test(items)
    assert made.quiz is not None or any(remark.stops for remark in made.remarks)
