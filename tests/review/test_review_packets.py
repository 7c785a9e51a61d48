"""Packets of a quality review: what goes out comes back, and nothing else is taken."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files.decoding import clean
from biaslab.files.formats.spreadsheets import write_xlsx
from biaslab.review.packets import (
    COLUMNS,
    Packet,
    PacketRow,
    write_packet_csv,
    write_packet_json,
)
from biaslab.review.reading_packets import (
    PacketRefused,
    check_judged,
    check_unedited,
    read_packet,
)
from biaslab.review.texts import FURTHER, Judgement

ROWS = (
    PacketRow(4, "Ana has 3 red pens.\nHow many pens has she?", "3", Judgement(True, True)),
    PacketRow(7, "=SUM(A1) is no text.", "-5", Judgement(False, True, "@home, +1 “odd”")),
    PacketRow(9, "Ben has 2 pens; how many?", "2", Judgement(True, False, "=cmd|' /C calc'!A0")),
)
SENT = Packet.of("0123456789ab", 1, "Ünal B.", ROWS)
WRITERS = {"json": write_packet_json, "csv": write_packet_csv}


def as_xlsx(packet: Packet) -> bytes:
    """What a spreadsheet program makes of the CSV file."""
    (_, *rows) = csv.reader(io.StringIO(write_packet_csv(packet).decode("utf-8-sig"), newline=""))
    return write_xlsx(COLUMNS, rows)


def changed(data: bytes, old: str, new: str) -> bytes:
    text = data.decode()
    assert old in text
    return text.replace(old, new).encode()


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40)
packets = st.builds(
    lambda part, rows: Packet.of(
        "0123456789ab",
        part,
        "AB",
        [
            PacketRow(number, clean(text), answer, judgement)
            for number, (text, answer, judgement) in enumerate(rows, 1)
        ],
    ),
    st.integers(0, 20),
    st.lists(
        st.tuples(
            words,
            st.from_regex(r"-?[0-9]{1,4}(/[0-9]+)?", fullmatch=True),
            st.none() | st.builds(Judgement, st.booleans(), st.booleans(), words.map(clean)),
        ),
        min_size=1,
        max_size=6,
    ),
)


@pytest.mark.parametrize("form", WRITERS)
@given(packet=packets)
def test_what_is_written_is_read_again(form: str, packet: Packet) -> None:
    assert read_packet(WRITERS[form](packet)) == packet


def test_a_packet_that_a_spreadsheet_saved_is_read() -> None:
    assert read_packet(as_xlsx(SENT)) == SENT


def test_a_table_with_semicolons_in_another_encoding_is_read() -> None:
    text = io.StringIO(newline="")
    rows = csv.reader(io.StringIO(write_packet_csv(SENT).decode("utf-8-sig"), newline=""))
    csv.writer(text, delimiter=";").writerows(rows)
    assert read_packet(text.getvalue().encode("cp1252")) == SENT


@given(packet=packets)
def test_no_cell_begins_with_what_a_spreadsheet_would_run(packet: Packet) -> None:
    text = write_packet_csv(packet).decode("utf-8-sig")
    for row in csv.reader(io.StringIO(text, newline="")):
        for cell in row:
            assert not cell.startswith(("=", "@"))
            # A signed number stays one: a spreadsheet computes nothing with it.
            assert not cell.startswith(("+", "-")) or re.fullmatch(r"[0-9]+(\.[0-9]+)?", cell[1:])


def test_a_packet_knows_of_a_person_only_what_they_are_called() -> None:
    content = json.loads(write_packet_json(SENT))
    assert set(content) == {"biaslab", "version", "packet", "questions", "rows"}
    assert content["packet"].split("/")[2] == "Ünal B."
    assert set(content["rows"][0]) == {"number", "text", "answer", "natural", "clear", "comment"}


@pytest.mark.parametrize(
    ("said", "meant"),
    [("Yes", True), (" y ", True), ("TRUE", True), ("1", True), ("No", False), ("n", False),
     ("FALSE", False), ("0", False)],
)  # fmt: skip
def test_answers_are_understood_as_people_write_them(said: str, meant: bool) -> None:
    content = json.loads(write_packet_json(SENT))
    content["rows"][0]["natural"] = said
    judgement = read_packet(json.dumps(content).encode()).rows[0].judgement
    assert judgement is not None
    assert judgement.natural is meant


def test_rows_may_come_back_in_any_order() -> None:
    came = Packet(SENT.name, tuple(reversed(SENT.rows)))
    check_judged(read_packet(write_packet_csv(came)), SENT)


class TestRefusedRows:
    def refused(self, data: bytes) -> PacketRefused:
        with pytest.raises(PacketRefused) as caught:
            check_judged(read_packet(data), SENT)
        return caught.value

    def test_an_edited_text(self) -> None:
        data = changed(write_packet_csv(SENT), "2 pens;", "3 pens;")
        (row,) = self.refused(data).rows
        # The header is row 1 of a spreadsheet.
        assert (row.row, row.name, row.reason) == (4, "text 9", "its text was changed")

    def test_an_edited_answer(self) -> None:
        content = json.loads(write_packet_json(SENT))
        content["rows"][0]["answer"] = "4"
        (row,) = self.refused(json.dumps(content).encode()).rows
        assert (row.row, row.reason) == (1, "its stated answer was changed")

    def test_a_missing_judgement(self) -> None:
        rows = (ROWS[0], replace(ROWS[1], judgement=None), ROWS[2])
        (row,) = self.refused(write_packet_csv(Packet(SENT.name, rows))).rows
        assert (row.row, row.reason) == (3, "a yes or no is missing")

    def test_half_a_judgement(self) -> None:
        content = json.loads(write_packet_json(SENT))
        content["rows"][2]["clear"] = None
        (row,) = self.refused(json.dumps(content).encode()).rows
        assert (row.row, row.reason) == (3, "only one of the two questions is answered")

    def test_a_comment_without_answers(self) -> None:
        content = json.loads(write_packet_json(SENT))
        content["rows"][2] |= {"clear": None, "natural": None}
        assert "not answered" in self.refused(json.dumps(content).encode()).rows[0].reason

    def test_a_text_that_is_judged_twice(self) -> None:
        came = Packet(SENT.name, (*ROWS, ROWS[0]))
        (row,) = self.refused(write_packet_csv(came)).rows
        assert (row.row, row.name) == (5, "text 4")
        assert "twice" in row.reason

    def test_a_missing_row(self) -> None:
        refused = self.refused(write_packet_csv(Packet(SENT.name, ROWS[:2])))
        assert "missing (text 9)" in str(refused)

    def test_a_text_that_was_never_sent(self) -> None:
        came = Packet(SENT.name, (*ROWS, replace(ROWS[0], number=8)))
        assert self.refused(write_packet_csv(came)).rows[0].reason == (
            "this text was not sent to this reviewer"
        )

    @pytest.mark.parametrize(
        ("said", "told"), [("maybe", "neither yes nor no"), ("yes no", "neither yes nor no")]
    )
    def test_an_answer_that_is_none(self, said: str, told: str) -> None:
        content = json.loads(write_packet_json(SENT))
        content["rows"][1]["natural"] = said
        (row,) = self.refused(json.dumps(content).encode()).rows
        assert row.row == 2
        assert told in row.reason

    def test_a_number_that_was_changed(self) -> None:
        content = json.loads(write_packet_json(SENT))
        content["rows"][1]["number"] = "seven"
        assert "number" in self.refused(json.dumps(content).encode()).rows[0].reason

    def test_a_comment_without_end(self) -> None:
        content = json.loads(write_packet_json(SENT))
        content["rows"][1]["comment"] = "a" * 2_001
        assert "2,001 characters" in self.refused(json.dumps(content).encode()).rows[0].reason


class TestRefusedPackets:
    def told(self, data: bytes) -> str:
        with pytest.raises(PacketRefused) as caught:
            check_judged(read_packet(data), SENT)
        return str(caught.value)

    @pytest.mark.parametrize("form", WRITERS)
    def test_of_another_review(self, form: str) -> None:
        came = Packet.of("ffffffffffff", 1, "Ünal B.", ROWS)
        assert "another review" in self.told(WRITERS[form](came))

    def test_of_another_reviewer_or_part(self) -> None:
        assert "Cem’s" in self.told(write_packet_csv(Packet.of("0123456789ab", 1, "Cem", ROWS)))
        further = Packet.of("0123456789ab", FURTHER, "Ünal B.", ROWS)
        assert "for further" in self.told(write_packet_csv(further))

    def test_of_two_packets_in_one_file(self) -> None:
        lines = write_packet_csv(SENT).decode().split("\r\n")
        lines[-2] = lines[-2].replace("/control-1/", "/control-2/")
        assert "Row 4 belongs to another packet" in self.told("\r\n".join(lines).encode())

    def test_with_a_changed_mark(self) -> None:
        assert "mark" in self.told(changed(write_packet_csv(SENT), SENT.name.texts, "0" * 16))
        assert "mark" in self.told(changed(write_packet_csv(SENT), "/control-1/", "/control 1/"))

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            (b"", "empty"),
            (b"{", "damaged JSON"),
            (b'{"biaslab": "design"}', "no packet"),
            (b'{"biaslab": "review packet", "version": 2}', "newer"),
            (b'{"biaslab": "review packet", "version": 1, "rows": [1]}', "no list"),
            (b'{"biaslab": "review packet", "version": 1, "rows": []}', "no texts"),
            (b"a,b\r\n1,2\r\n", "no column"),
            (b"[" * 100_000, "no column"),
        ],
    )
    def test_that_are_none(self, data: bytes, told: str) -> None:
        from biaslab.files import InterchangeError

        with pytest.raises(InterchangeError, match=told):
            read_packet(data)

    @given(st.binary(max_size=300))
    def test_any_bytes_are_refused_in_a_sentence(self, data: bytes) -> None:
        from biaslab.files import InterchangeError

        for start in (b"", b"PK", b"{", write_packet_csv(SENT)[:60]):
            with pytest.raises(InterchangeError):
                read_packet(start + data)


def test_a_packet_whose_texts_were_changed_is_not_taken_up() -> None:
    fresh = Packet.of("0123456789ab", 1, "AB", [replace(row, judgement=None) for row in ROWS])
    check_unedited(read_packet(write_packet_csv(fresh)))
    edited = changed(write_packet_csv(fresh), "2 pens;", "3 pens;")
    with pytest.raises(PacketRefused, match="not those that the coordinator sent"):
        check_unedited(read_packet(edited))
