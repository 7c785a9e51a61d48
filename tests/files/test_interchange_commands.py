"""`biaslab import` and `biaslab export`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from biaslab import files as interchange
from biaslab.cli import imports as commands
from biaslab.cli import main
from schoolmath.malrules.bank import BankDesign, make_items, write_item


def biaslab(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


class TestImport:
    def test_says_format_columns_reasons_and_counts(self, tmp_path, whole):
        file, out, report = (tmp_path / name for name in ("i.csv", "o.jsonl", "r.json"))
        header = "question,a,b,c,d,key,rationale_a,rationale_b,rationale_c,rationale_d"
        file.write_text(f"{header}\n{whole}\n,1,2,3,4,A,a,b,c,d\nQ,1,2,,,A,,,,\n")
        said = biaslab("import", file, "--out", out, "--report", report).output
        assert "Format: csv (by its content, UTF-8)" in said
        assert "question = question" in said
        assert "Row 3: its question is empty." in said
        assert "Row 4: unusable: there is no rationale for A, B." in said
        assert "3 rows: 2 items (1 complete, 0 partly usable, 1 unusable), 1 refused." in said
        lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert list(lines[0]["options"]) == ["A", "B", "C", "D"]
        assert {"question", "key", "rationales", "grade", "content_class", "dok"} <= set(lines[0])
        assert json.loads(report.read_text())["refused"][0]["row"] == 3

    def test_a_column_can_be_named(self, tmp_path):
        file = tmp_path / "i.csv"
        file.write_text("x,a,b,key\nQ,1,2,A\n")
        said = biaslab("import", file, "--column", "question=x").output
        assert "1 rows: 1 items" in said
        assert biaslab("import", file, "--column", "question", status=2)

    def test_without_any_item_nothing_is_written(self, tmp_path):
        file, out = tmp_path / "i.csv", tmp_path / "o.jsonl"
        file.write_text("question,a,b,key\n,1,2,A\n")
        said = biaslab("import", file, "--out", out, status=1).output
        assert "no row gave an item" in said
        assert not out.exists()

    def test_a_file_that_cannot_be_read_is_one_sentence(self, tmp_path):
        file = tmp_path / "i.json"
        file.write_text('{"a": ')
        assert "Error: The JSON is cut off" in biaslab("import", file, status=1).output


class TestExport:
    @pytest.mark.parametrize("form", commands.EXPORTS)
    def test_writes_imported_items_and_the_bank_alike(self, tmp_path, form, whole):
        bank, out = tmp_path / "bank.jsonl", tmp_path / "out"
        imported = interchange.import_bytes(
            b"question,a,b,c,d,key,ra,rb,rc,rd\n" + whole.encode(), "x.csv"
        ).items
        items = [write_item(item) for item in make_items(BankDesign(n=3, seed=2))]
        text = "".join(f"{json.dumps(item)}\n" for item in items)
        bank.write_text(text + interchange.write_items(imported), "utf-8")
        assert "4 items in" in biaslab("export", bank, "--format", form, "--out", out).output
        assert out.stat().st_size > 100

    def test_an_item_of_the_bank_that_was_changed_is_refused(self, tmp_path):
        bank, out = tmp_path / "bank.jsonl", tmp_path / "out"
        (item,) = make_items(BankDesign(n=1, seed=2))
        changed = write_item(item) | {"question": "What is 1 + 1?"}
        bank.write_text(json.dumps(changed))
        said = biaslab("export", bank, "--format", "gift", "--out", out, status=1).output
        assert "row 1" in said.lower()
        assert not out.exists()

    @pytest.mark.parametrize("line", ["no json", "[1]", "{}", '{"question": 1}', "[" * 99_999])
    def test_a_line_that_is_no_item_is_named(self, tmp_path, line):
        bank = tmp_path / "bank.jsonl"
        bank.write_text(f"\n{line}")
        said = biaslab("export", bank, "--format", "csv", "--out", "x", status=1).output
        assert "Row 2 of bank.jsonl" in said


def test_the_commands_offer_what_the_package_can_do():
    assert commands.FORMATS == interchange.FORMATS
    assert tuple(interchange.EXPORTS) == commands.EXPORTS
