"""Files for other programs and for paper."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import openpyxl
import pytest

from biaslab.files import EXPORTS, ImportedItem, InterchangeError, export_items
from schoolmath.malrules import cards
from schoolmath.malrules.bank import BankDesign, make_items

ITEM = ImportedItem(
    question="=SUM(A1:A9) <script>alert(1)</script>",
    options=("+1+1", "-5", "@x", "-1/2"),
    key="B",
    passage="Read\nthis & that.",
    rationales={"A": '<img src=x onerror="alert(2)">'},
    misconceptions={"A": "NO01 smaller-from-larger"},
)


class TestFormulas:
    def test_in_csv_get_an_apostrophe_and_plain_numbers_none(self):
        content = export_items([ITEM], "csv").content.decode("utf-8-sig")
        (row,) = csv.DictReader(io.StringIO(content, newline=""))
        assert row["question"].startswith("'=SUM")
        assert [row[f"option_{letter}"] for letter in "abcd"] == ["'+1+1", "-5", "'@x", "'-1/2"]

    def test_in_xlsx_are_texts(self):
        book = openpyxl.load_workbook(io.BytesIO(export_items([ITEM], "xlsx").content))
        cells = [cell for row in book.worksheets[0].iter_rows() for cell in row if cell.value]
        assert {cell.data_type for cell in cells} == {"s"}
        assert ITEM.question in [cell.value for cell in cells]


class TestWhatIsLost:
    def test_is_said_for_every_format(self):
        said = {form: " ".join(map(str, export_items([ITEM], form).remarks)) for form in EXPORTS}
        assert "aiken cannot hold rationales: those of 1 items are lost." in said["aiken"]
        assert "gift cannot hold misconceptions" in said["gift"]
        assert "reading passages stand at the start of their questions" in said["moodle"]
        assert said["csv"] == said["xlsx"] == said["worksheet"] == ""

    def test_items_that_a_format_cannot_hold_are_left_out_by_row(self):
        unclear = ImportedItem("A) is what?", ("1", "2"), "A")
        export = export_items([ITEM, unclear], "aiken")
        assert export.written == 1
        assert "Row 2: its question begins like an option" in str(export.left_out[0])
        long = ImportedItem("x" * 40_000, ("1", "2"), "A")
        assert "40,000 characters" in str(export_items([ITEM, long], "xlsx").left_out[0])

    def test_control_characters_are_taken_out_and_said(self):
        export = export_items([ImportedItem("a\x00b", ("1", "2"), "A")], "moodle")
        assert "Control characters were taken out of 1 items." in map(str, export.remarks)

    def test_nothing_to_write_is_an_error(self):
        with pytest.raises(InterchangeError, match="no items to write"):
            export_items([], "gift")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)


class TestWorksheet:
    def test_runs_nothing_and_escapes_everything(self):
        page = export_items([ITEM], "worksheet", "<b>5a</b>").content.decode()
        reader = _Tags()
        reader.feed(page)
        assert not reader.tags & {"script", "img", "link", "iframe", "b0"}
        assert "<b>5a</b>" not in page
        assert "&lt;script&gt;" in page

    def test_the_key_stands_on_a_page_of_its_own_with_the_mal_rules(self):
        bank = list(make_items(BankDesign(n=5, seed=1)))
        page = export_items(bank, "worksheet", "Class 5").content.decode()
        sheet, key = page.split('<section class="key">')
        assert re.search(r"\.key \{ break-before: page", sheet)
        for item in bank:
            for letter, rule in item.rules.items():
                assert f"{rule} " in key
                assert rule not in sheet.partition("<body>")[2]
                assert cards()[rule].name.split()[0] in key
                assert letter in key
