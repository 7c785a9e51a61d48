"""Files that are damaged or meant to do harm: one sentence, never a trace."""

from __future__ import annotations

import io
import random
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files import FORMATS, InterchangeError, import_bytes

BOMB = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>
<quiz><question type="multichoice">
<questiontext><text>&b;</text></questiontext></question></quiz>"""


def package(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def sentence(data: bytes, name: str, form: str = "") -> str:
    with pytest.raises(InterchangeError) as error:
        import_bytes(data, name, form)
    text = str(error.value)
    assert text[0].isupper()
    assert text.endswith(".")
    assert "\n" not in text
    return text


class TestXml:
    @pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
    def test_document_types_and_entities_are_not_read(self, codec):
        text = BOMB.replace('"1.0"', f'"1.0" encoding="{codec}"')
        assert "declares a document type" in sentence(text.encode(codec), "x.xml")

    def test_a_file_cut_off_names_the_place(self):
        assert "no element found at line 1" in sentence(b"<quiz><question>", "x.xml").replace(
            "unclosed token", "no element found"
        )

    def test_other_xml_is_named(self):
        assert "begins with <html>" in sentence(b"<html></html>", "x.xml")


class TestSpreadsheets:
    def test_a_zip_bomb_is_not_unpacked(self):
        data = package(**{"xl/workbook.xml": b"x", "xl/sheet.xml": b"0" * 200_000_000})
        assert len(data) < 1_000_000
        assert "Unpacked, the spreadsheet would have 190 MiB" in sentence(data, "x.xlsx")

    def test_thousands_of_members_are_refused(self):
        data = package(**{f"xl/{number}": b"" for number in range(2_001)})
        assert "holds 2001 files" in sentence(data, "x.xlsx")

    def test_a_document_type_inside_is_refused(self, workbook):
        good = workbook(["question", "a", "b", "key"], ["Q", "1", "2", "A"])
        members = {}
        with zipfile.ZipFile(io.BytesIO(good)) as file:
            for name in file.namelist():
                members[name] = file.read(name)
        sheet = members["xl/worksheets/sheet1.xml"]
        members["xl/worksheets/sheet1.xml"] = b'<!DOCTYPE x [<!ENTITY a "b">]>' + sheet
        assert "declares a document type" in sentence(package(**members), "x.xlsx")

    def test_a_huge_cell_costs_its_row(self, workbook):
        good = workbook(["question", "a", "b", "key"], ["MARK", "1", "2", "A"], ["R", 1, 2, "A"])
        members = {}
        with zipfile.ZipFile(io.BytesIO(good)) as file:
            for name in file.namelist():
                members[name] = file.read(name).replace(b"MARK", b"x" * 50_000_000)
        report = import_bytes(package(**members), "x.xlsx")
        assert len(report.items) == 1
        assert "50,000,000 characters" in report.refused[0].reason

    def test_other_zip_files_are_named(self):
        assert "no spreadsheet" in sentence(package(a=b"x"), "x.xlsx")
        assert "no spreadsheet" in sentence(b"question,a,b,key", "x.xlsx", "xlsx")

    def test_a_file_cut_off_is_damaged(self, workbook):
        data = workbook(["question", "a", "b", "key"], ["Q", "1", "2", "A"])
        for cut in (30, 200, len(data) // 2, len(data) - 5):
            assert "spreadsheet" in sentence(data[:cut], "x.xlsx")

    def test_flipped_bytes_never_raise_anything_else(self, workbook):
        data = workbook(["question", "a", "b", "key"], ["Q", "1", "2", "A"])
        draws = random.Random(1)
        for _ in range(150):
            broken = bytearray(data)
            for _ in range(8):
                broken[draws.randrange(4, len(broken))] = draws.randrange(256)
            check(bytes(broken), "")


class TestJson:
    def test_cut_off(self, as_json):
        assert "cut off" in sentence(as_json[:-40], "x.json")
        assert "cut off" in sentence(as_json.rstrip(b"}"), "x.json")

    def test_a_line_cut_off_costs_its_row(self):
        line = b'{"question": "Q", "a": "1", "b": "2", "key": "A"}\n'
        report = import_bytes(line + line.replace(b"Q", b"R")[:30], "x.jsonl")
        assert len(report.items) == 1
        assert str(report.refused[0]) == "Row 2: its line is cut off."

    def test_one_name_twice_would_lose_one(self):
        assert "gives the name 'q1' twice" in sentence(b'{"q1": {}, "q1": {}}', "x.json")

    @pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000, b"[]", b"{}", b"[1, 2]"])
    def test_what_holds_no_items(self, data):
        sentence(data, "x.json")


class TestAnything:
    @pytest.mark.parametrize("data", [b"", b"  \n", b"\xff\xfe", b"\x89PNG\r\n\x1a\n" + bytes(500)])
    def test_no_text_is_one_sentence(self, data):
        sentence(data, "x.csv")

    def test_bytes_of_no_encoding_say_how_to_go_on(self):
        assert "Save it as UTF-8" in sentence(b"question\x81\x8d,a", "x.csv")

    @given(data=st.binary(max_size=300), form=st.sampled_from(["", *FORMATS]))
    def test_bytes_are_read_or_refused(self, data, form):
        check(data, form)

    @given(
        parts=st.lists(
            st.sampled_from(
                ["question,a,b,key\n", "Q,1,2,A\n", "{", "}", "[", "]", '"', "=", "~", "#", "\\",
                 "::", "<quiz>", "<question type='multichoice'>", "</question>", "</quiz>", "%50%",
                 "ANSWER: A\n", "A. x\n", "\n", "\n\n", ",", ":", "question", "T", "1/0", "'",
                 "<answer fraction='100'>", "</answer>", "<text>", "</text>", "<questiontext>",
                 "</questiontext>", "key", "a", "null", "\0", "\r", "²", "٣"]
            ),
            max_size=30,
        ),
        form=st.sampled_from(["", *FORMATS]),
    )  # fmt: skip
    def test_pieces_of_formats_are_read_or_refused(self, parts, form):
        check("".join(parts).encode(), form)


def check(data: bytes, form: str) -> None:
    said = ""
    try:
        report = import_bytes(data, "x", form)
    except InterchangeError as error:
        said = str(error)
    if said:
        assert said.endswith(".")
    else:
        assert report.rows == len(report.items) + len(report.refused) > 0
