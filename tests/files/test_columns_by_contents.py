"""Columns that are called anything are suggested by what stands in them, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.cli import main
from biaslab.files.columns import suggest
from biaslab.files.formats.format import TableRow
from schoolmath.malrules.bank import LETTERS, BankDesign, ChoiceItem, make_items


@cache
def _items() -> tuple[ChoiceItem, ...]:
    return tuple(make_items(BankDesign(n=120, seed=11)))


def _table(items: Sequence[ChoiceItem], *, key_as_text: bool) -> dict[str, list[str]]:
    """A table of items by field; what holds no field has a name that says so."""
    return {
        "no field: number": [str(at) for at in range(1, len(items) + 1)],
        "no field: code": [item.id for item in items],
        "question": [item.question for item in items],
        **{
            f"option_{letter.lower()}": [item.options[at] for item in items]
            for at, letter in enumerate(LETTERS)
        },
        "key": [item.option(item.key) if key_as_text else item.key for item in items],
        "no field: class": [item.content_class for item in items],
        "no field: grade": [str(item.grade) for item in items],
        **{
            f"rationale_{letter.lower()}": [item.rationales[letter] for item in items]
            for letter in LETTERS
        },
    }


def _suggested(table: dict[str, list[str]], order: Sequence[str]) -> dict[str, str]:
    """What is suggested for a table whose columns are called by their places, by true field."""
    names = {f"col {at}": field for at, field in enumerate(order)}
    rows = [
        TableRow(number, {name: table[field][number - 1] for name, field in names.items()})
        for number in range(1, len(table[order[0]]) + 1)
    ]
    found = suggest(list(names), rows, {})
    return {field: names[column] for field, column in found.items()}


_OPTIONS = [f"option_{letter.lower()}" for letter in LETTERS]
_RATIONALES = [f"rationale_{letter.lower()}" for letter in LETTERS]


@given(
    first=st.integers(0, 70),
    rows=st.integers(3, 50),
    key_as_text=st.booleans(),
    parts=st.permutations(
        [["question"], _OPTIONS, ["key"], _RATIONALES, ["no field: number"], ["no field: code"],
         ["no field: class"], ["no field: grade"]]
    ),
    with_rationales=st.booleans(),
)  # fmt: skip
@settings(deadline=None)
def test_whatever_is_suggested_for_items_is_so(
    first: int, rows: int, key_as_text: bool, parts: list[list[str]], with_rationales: bool
) -> None:
    table = _table(_items()[first : first + rows], key_as_text=key_as_text)
    kept = [part for part in parts if with_rationales or part is not _RATIONALES]
    found = _suggested(table, [field for part in kept for field in part])
    assert all(field == true for field, true in found.items()), found


@pytest.mark.parametrize("key_as_text", [True, False])
def test_a_table_of_forty_items_is_found_whole(key_as_text: bool) -> None:
    table = _table(_items()[:40], key_as_text=key_as_text)
    found = _suggested(table, list(table))
    assert set(found) == {"question", "key", *_OPTIONS, *_RATIONALES}


WRONG = {
    "question": ["52 - 17", "403 - 128", "1/2 + 1/3", "71 - 38", "Find the median of 4, 8, 6, 2"],
    "key": ["35", "275", "5/6", "33", "5"],
    "wrong_answer": ["45", "325", "2/5", "47", "7"],
    "misconception": [
        "Always takes the smaller digit away", "Always takes the smaller digit away",
        "Adds tops and bottoms", "Always takes the smaller digit away", "Does not sort the list",
    ],
}  # fmt: skip


@given(order=st.permutations(list(WRONG)))
@settings(deadline=None)
def test_right_and_wrong_answers_are_told_apart_by_working_the_problems_out(
    order: list[str],
) -> None:
    assert _suggested(WRONG, order) == {field: field for field in WRONG}


def test_without_problems_that_can_be_read_no_answer_is_called_right() -> None:
    table = {
        **WRONG,
        "question": [f"Which number did Ms {name} mean?" for name in ("A", "B", "C", "D", "E")],
    }
    assert set(_suggested(table, list(table))) <= {"question"}


def test_a_key_that_worked_problems_contradict_is_none() -> None:
    table = {
        "question": [f"{n} - 17" for n in range(40, 50)],
        "option_a": [str(n - 17 + n % 2) for n in range(40, 50)],
        "option_b": [str(n - 16 - n % 2) for n in range(40, 50)],
        "key": ["B", "A"] * 5,
    }
    assert "key" not in _suggested(table, list(table))
    table["key"] = ["A", "B"] * 5
    assert set(_suggested(table, list(table))) == set(table)


def test_grades_beside_the_options_are_no_option() -> None:
    table = {
        "question": [f"What is {n} + 7?" for n in range(20, 28)],
        "no field: grade": ["3", "4", "5", "6", "7", "8", "9", "10"],
        "option_a": [str(n + 7) for n in range(20, 28)],
        "option_b": [str(n + 8) for n in range(20, 28)],
        "key": ["A"] * 8,
    }
    assert set(_suggested(table, list(table))) <= {"question"}


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_of_few_rows_nothing_is_suggested(rows: int) -> None:
    table = {field: cells[:rows] for field, cells in WRONG.items()}
    assert _suggested(table, list(table)) == {}


def test_what_names_say_stays_and_what_is_complete_gets_nothing() -> None:
    rows = [
        TableRow(n, {"Stem": f"What is {n} + 1?", "A": "1", "B": "2", "K": "A"}) for n in range(9)
    ]
    whole = {"question": "Stem", "option_a": "A", "option_b": "B", "key": "K"}
    assert suggest(["Stem", "A", "B", "K"], rows, whole) == {}


def test_the_command_line_says_what_it_may_be_and_takes_nothing_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    lines = ["Frage,richtig,falsch"] + [f"{n} - 17,{n - 17},{n + 17}" for n in (61, 52, 73, 44)]
    file.write_text("\n".join(lines))
    done = CliRunner().invoke(main, ["import", str(file)])
    assert done.exit_code == 1
    options = ["--column", "question=Frage", "--column", "key=richtig"]
    options += ["--column", "wrong_answer=falsch"]
    assert " ".join(options) in done.output
    done = CliRunner().invoke(main, ["import", str(file), *options])
    assert done.exit_code == 0, done.output
