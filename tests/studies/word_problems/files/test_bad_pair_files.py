"""Files of pairs that are damaged, too large, or meant to do harm: told row by row, or at once."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files import InterchangeError
from biaslab.files.errors import MAX_PROBLEM
from biaslab.files.opening import open_table
from biaslab.studies.word_problems.files import PairImport, read_pairs
from biaslab.studies.word_problems.files import importing as pair_files
from tests.loops import over

X = "Otto has {n} mugs. Ines has 7 fewer mugs than Otto. How many mugs does Ines have?"
X_PRIME = "Otto has {n} mugs. Otto has 7 more mugs than Ines. How many mugs does Ines have?"
HEADER = ("text1", "text2", "answer")


def row(number: int) -> tuple[str, str, str]:
    return X.format(n=number + 8), X_PRIME.format(n=number + 8), str(number + 1)


def table(*rows: tuple[str, ...]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows((HEADER, *rows))
    return text.getvalue()


def read(data: str | bytes, name: str = "pairs.csv") -> PairImport:
    return read_pairs(open_table(data.encode() if isinstance(data, str) else data, name))


def told(found: PairImport) -> list[tuple[int, str, str]]:
    return [(row.row, str(each.status), each.reason) for row in found.rows for each in row.members]


def statuses(found: PairImport) -> list[str]:
    return [status for _, status, _ in told(found)]


SOUND = ["proved", "proved"]
LOST = ["labelled", "labelled"]


class TestRows:
    @over(
        ("cells", "why"),
        [
            ((*row(0)[:2], ""), "Its answer (column “answer”) is empty."),
            ((*row(0)[:2], "   "), "Its answer (column “answer”) is empty."),
            ((*row(0)[:2], "a few"), "Its answer “a few” (column “answer”) is no number."),
            ((*row(0)[:2], "nan"), "Its answer “nan” (column “answer”) is no number."),
            ((*row(0)[:2], '=HYPERLINK("http://a.example","1")'), "a spreadsheet would run"),
            ((*row(0)[:2], "@SUM(1+1)"), "a spreadsheet would run"),
            ((*row(0)[:2], "1", "more"), "4 cells where the header has 3"),
            (row(0)[:2], "Its answer (column “answer”) is empty."),
        ],
    )
    def test_a_bad_answer_costs_its_row_and_no_other(self, cells, why):
        found = read(table(row(3), cells, row(4)))

        assert statuses(found) == [*SOUND, *LOST, *SOUND]
        assert all(why in reason for at, _, reason in told(found) if at == 1)
        assert len(found.pairs) == 2

    @pytest.mark.parametrize(
        ("text", "asked", "why"),
        [
            ("", 0, "Its text (column “text1”) is empty."),
            ("=cmd|' /C calc'!A1", 0, "begins like a formula that a spreadsheet would run"),
            ("=1+1. Otto has 9 mugs.", 0, "begins like a formula"),
            ("Otto has 9 mugs. " * 400, 0, f"6,800 characters; the limit is {MAX_PROBLEM:,}."),
            ("Otto has 9 mugs. Colourless ideas sleep. How many mugs does Otto have?", 1,
             "Sentence 2, “Colourless ideas sleep.”, cannot be read"),
            ("Otto has 9 mugs.", 1, "The text asks nothing"),
        ],
    )  # fmt: skip
    def test_a_bad_text_costs_its_member_alone(self, text, asked, why):
        found = read(table(row(3), (text, *row(8)[1:]), row(4)))

        assert statuses(found) == [*SOUND, "labelled", "proved", *SOUND]
        assert why in told(found)[2][2]
        assert [row.kept for row in found.rows] == [True, bool(asked), True]
        assert len(found.pairs) == 2 + asked

    def test_blank_lines_are_no_rows(self):
        found = read(table(row(0)) + "\r\n\r\n" + "\r\n".join(table(row(1)).split("\r\n")[1:]))

        assert [row.row for row in found.rows] == [0, 1]

    def test_control_characters_are_taken_out(self):
        x, x_prime, answer = row(2)
        found = read(table((x.replace("mugs.", "\x00mugs\x07."), x_prime, answer)))

        assert statuses(found) == SOUND
        assert next(iter(found.pairs)).x.text == x

    def test_a_quotation_mark_that_is_never_closed_costs_the_rest(self):
        found = read(table(row(0), row(1)) + '"Otto has 9 mugs. ')

        assert statuses(found) == [*SOUND, *SOUND, *LOST]
        assert "a quotation mark in it is never closed" in told(found)[-1][2]

    def test_a_formula_in_a_spreadsheet_costs_its_row(self, workbook):
        found = read(workbook(HEADER, row(0), (*row(1)[:2], "=1+1"), row(2)), "pairs.xlsx")

        assert statuses(found) == [*SOUND, *LOST, *SOUND]
        assert "holds a formula; paste its value as text" in told(found)[2][2]

    def test_json_lines_that_are_cut_off_cost_their_row(self):
        lines = [json.dumps(dict(zip(HEADER, row(n), strict=True))) for n in range(3)]
        found = read("\n".join((lines[0], lines[1][:-9], "[1]", lines[2])), "pairs.jsonl")

        assert statuses(found) == [*SOUND, *LOST, *LOST, *SOUND]

    @given(st.lists(st.tuples(st.text(), st.text(), st.text()), min_size=1, max_size=6))
    def test_whatever_stands_in_the_cells_every_row_is_told_and_none_stops_the_others(self, rows):
        # An answer in every row, so that no row is a blank line, which is none.
        filled = [(x, y, answer or "0") for x, y, answer in rows]
        text = table(*filled, row(0)).encode("utf-8", "replace")
        found = read(text)

        assert [row.row for row in found.rows] == list(range(len(found.rows)))
        assert statuses(found)[-2:] == SOUND
        json.dumps(found.as_json()).encode("ascii")


class TestEncodings:
    NAMED = ("Zoë has 9 mugs. Ines has 7 fewer mugs than Zoë. How many mugs does Ines have?",
             "Zoë has 9 mugs. Zoë has 7 more mugs than Ines. How many mugs does Ines have?",
             "2")  # fmt: skip

    @pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
    def test_names_are_read_in_any_usual_encoding(self, codec):
        found = read(table(self.NAMED).encode(codec))

        assert statuses(found) == SOUND
        assert "Zoë" in next(iter(found.pairs)).x.text

    def test_a_row_in_another_encoding_than_the_others_is_named_and_not_misread(self):
        rows = [table(self.NAMED), table(row(1)), table(self.NAMED), table(row(2))]
        codecs = ("utf-8", "utf-8", "cp1252", "utf-8")
        body = b"".join(
            text.split("\r\n", 1)[1].encode(codec) for text, codec in zip(rows, codecs, strict=True)
        )
        found = read(",".join(HEADER).encode() + b"\r\n" + body)

        assert statuses(found) == [*SOUND, *SOUND, *LOST, *SOUND]
        assert "holds bytes that are not UTF-8" in told(found)[4][2]
        assert "named one by one" in found.remarks[0]
        json.dumps(found.as_json(), ensure_ascii=False).encode()

    def test_bytes_that_fit_no_encoding_cost_their_row(self):
        data = table(row(0), row(1), row(2)).encode().replace(b"Otto has 9 mugs", b"\x81\x8d 9", 1)
        found = read(data)

        assert statuses(found) == [*SOUND, "labelled", "proved", *SOUND]

    @pytest.mark.parametrize("data", [bytes(range(256)) * 40, b"\x00\x01\x02" * 5_000])
    def test_what_is_no_text_is_refused_in_a_sentence(self, data):
        with pytest.raises(InterchangeError, match=r"^[A-Z][^\n]*\.$"):
            read(data)


class TestLimits:
    def test_too_many_rows_are_refused_with_the_limit(self, monkeypatch):
        monkeypatch.setattr(pair_files, "MAX_PAIR_ROWS", 20)

        assert len(read(table(*map(row, range(20)))).rows) == 20
        with pytest.raises(InterchangeError, match=r"more than 20 rows.*Nothing was imported\."):
            read(table(*map(row, range(21))))

    def test_too_large_a_file_is_refused_with_the_limit(self, monkeypatch):
        monkeypatch.setattr("biaslab.files.decoding.MAX_FILE_BYTES", 2**20)
        with pytest.raises(InterchangeError, match="larger than 1 MiB"):
            read(b"x" * (2**20 + 1))

    @pytest.mark.parametrize("data", ["", "  \n", "text1,text2,answer\n"])
    def test_a_file_without_rows_is_refused(self, data):
        with pytest.raises(InterchangeError):
            read(data)

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("quiz.xml", "<quiz></quiz>", "Tables are read from CSV"),
            ("pairs.xlsx", "text", "This is no spreadsheet .XLSX.: save it as one, or as CSV"),
        ],
    )
    def test_other_kinds_of_files_are_named(self, name, content, said):
        with pytest.raises(InterchangeError, match=said):
            read(content, name)


class TestMemory:
    def test_a_table_is_read_without_copies_of_its_text(self):
        """Long cells that are refused: the text is held once, and once as bytes."""
        long = "x" * 20_000
        rows = [(long, long, "1") for _ in range(250)]
        data = table(*rows).encode()
        tracemalloc.start()
        found = read(data)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        assert set(statuses(found)) == {"labelled"}
        assert peak < 2 * len(data)
