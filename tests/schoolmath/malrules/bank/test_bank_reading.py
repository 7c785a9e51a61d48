"""A saved bank is worked again when it is read; what does not hold is named by row and field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schoolmath.malrules.bank import (
    LETTERS,
    BankDesign,
    ItemError,
    check_item,
    make_items,
    read_item,
    read_items,
    write_item,
)
from schoolmath.malrules.bank.items import BANK_VERSION

COUNT = 30


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    return [write_item(item) for item in make_items(BankDesign(COUNT, seed=4, doks=(1, 2)))]


@pytest.fixture
def bank(tmp_path: Path):
    def write(rows: list) -> Path:
        path = tmp_path / "bank.jsonl"
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    return write


def a_wrong_letter(row: dict) -> str:
    return next(letter for letter in LETTERS if letter != row["key"])


def refused(row: dict) -> ItemError:
    with pytest.raises(ItemError) as caught:
        check_item(read_item(row))
    assert caught.value.item.startswith(row["id"])
    return caught.value


def test_a_bank_comes_back_whole(rows, bank):
    assert [write_item(item) for item in read_items(bank(rows))] == rows


class TestItemsOfAnEarlierBank:
    """Items of bank 1, as version 0.4 wrote them: their rationales are worded as nothing is now;
    of bank 2, in which the longest decimal stood for a larger denominator; of 3; and of bank 4,
    which asked at which number a fraction is marked.
    """

    FILES = Path(__file__).parent / "earlier_versions"

    def rows(self, bank: int = 1) -> list[dict]:
        file = self.FILES / f"bank_{bank}.jsonl"
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    @pytest.mark.parametrize("bank", [1, 2, 3, 4])
    def test_are_read_and_come_back_whole(self, bank):
        assert [write_item(item) for item in read_items(self.FILES / f"bank_{bank}.jsonl")] == (
            self.rows(bank)
        )

    def test_have_all_styles(self):
        assert {row["style"] for row in self.rows()} == {"terse", "worked", "teacher"}

    def test_have_keys_and_options_worked_again(self):
        row = self.rows()[0]
        letter = a_wrong_letter(row)
        row["options"][letter] = "987654321"
        assert refused(row).field.startswith("options")

    @pytest.mark.parametrize("told", ["Adds 987654 to it.", "Gets {answer} at once."])
    def test_have_rationales_with_known_numbers_and_without_the_answer(self, told):
        row = self.rows()[0]
        row["rationales"][row["key"]] = told.format(answer=row["options"][row["key"]])
        assert refused(row).field.startswith("rationales")

    def test_of_which_a_new_item_is_none(self, rows):
        assert all(f"+bank{BANK_VERSION}." in row["library_version"] for row in rows)
        rows = json.loads(json.dumps(rows))
        rows[0]["rationales"][rows[0]["key"]] = "Guesses."
        assert refused(rows[0]).field.startswith("rationales")


def test_empty_lines_are_passed_over(rows, bank):
    assert len(list(read_items(bank(["", *rows, ""])))) == COUNT


def test_a_row_that_does_not_hold_is_named(rows, bank):
    spoiled = {**rows[3], "question": "What is 1 + 1?"}
    with pytest.raises(ItemError, match=r"row 4 of bank\.jsonl.*field question"):
        list(read_items(bank([*rows[:3], spoiled])))


def test_a_row_that_stands_twice_is_named(rows, bank):
    with pytest.raises(ItemError, match=r"row 3 .*it stands in row 1 already"):
        list(read_items(bank([rows[0], rows[1], rows[0]])))


@pytest.mark.parametrize("line", ["{", "[]", "7", '"text"', "{}"])
def test_a_line_that_is_no_item_is_named(rows, bank, line):
    with pytest.raises(ItemError, match="row 2"):
        list(read_items(bank([rows[0], line])))


class TestAMismatch:
    def test_of_an_option_says_what_the_rule_gives(self, rows):
        row = rows[0]
        letter = a_wrong_letter(row)
        error = refused({**row, "options": {**row["options"], letter: "987654321"}})
        assert error.field == f"options.{letter}"
        assert row["rules"][letter] in error.reason

    def test_of_the_key(self, rows):
        row = rows[0]
        assert refused({**row, "options": {**row["options"], row["key"]: "987654321"}}).field == (
            f"options.{row['key']}"
        )

    def test_of_the_key_with_a_distractor(self, rows):
        row = rows[0]
        letter = a_wrong_letter(row)
        options = dict(row["options"])
        options[letter], options[row["key"]] = options[row["key"]], options[letter]
        assert refused({**row, "options": options}).field.startswith("options.")

    def test_of_a_rule(self, rows):
        row = rows[0]
        letter = a_wrong_letter(row)
        error = refused({**row, "rules": {**row["rules"], letter: "ZZ99"}})
        assert error.field == "rules"
        assert "ZZ99" in error.reason

    def test_of_one_rule_for_two_options(self, rows):
        row = rows[0]
        first, second, _ = row["rules"]
        assert refused({**row, "rules": {**row["rules"], second: row["rules"][first]}}).field == (
            "rules"
        )

    def test_of_a_rationale(self, rows):
        row = rows[0]
        error = refused({**row, "rationales": {**row["rationales"], "B": "Guesses."}})
        assert error.field == "rationales.B"

    def test_of_rationales_that_changed_places(self, rows):
        row = rows[0]
        rationales = dict(row["rationales"])
        rationales["A"], rationales["B"] = rationales["B"], rationales["A"]
        assert refused({**row, "rationales": rationales}).field.startswith("rationales.")

    @pytest.mark.parametrize(
        ("field", "value"),
        [("grade", 12), ("dok", 3), ("content_class", "magic"), ("style", "lyrical")],
    )
    def test_of_what_it_is_for(self, rows, field, value):
        assert refused({**rows[0], field: value}).field == field

    def test_of_the_id(self, rows):
        assert refused({**rows[0], "id": "0" * 16}).field == "id"

    def test_of_the_problem(self, rows):
        assert refused({**rows[0], "problem": {"form": "Riddle"}}).field == "problem"

    def test_of_a_missing_field(self, rows):
        row = {key: value for key, value in rows[0].items() if key != "grade"}
        error = refused(row)
        assert (error.field, error.reason) == ("grade", "it is missing")

    def test_of_a_field_of_another_type(self, rows):
        assert refused({**rows[0], "grade": "5"}).field == "grade"

    def test_of_an_unknown_field(self, rows):
        assert refused({**rows[0], "colour": "red"}).field == "colour"

    def test_of_letters(self, rows):
        row = rows[0]
        options = {key: text for key, text in row["options"].items() if key != "C"}
        assert refused({**row, "options": options}).field == "options"
        assert refused({**row, "key": "E"}).field == "key"

    def test_names_the_library_that_made_it(self, rows):
        error = refused({**rows[0], "library_version": "0.0.0+old", "question": "What?"})
        assert "0.0.0+old" in error.reason
