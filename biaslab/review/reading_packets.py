"""Reading packets of a quality review, with a reason for every row that cannot be taken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biaslab.files.decoding import check_size, clean, decode
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.csv_tables import read_csv, unguarded
from biaslab.files.items.report import RefusedRow
from biaslab.files.opening import open_table
from biaslab.review.packets import (
    COLUMNS,
    CRITERION_COLUMNS,
    MARK,
    MOST_COMMENT,
    PACKET_COLUMN,
    Packet,
    PacketName,
    PacketRow,
    part_code,
    same_words,
    texts_hash,
)
from biaslab.review.texts import FURTHER, Criterion, Judgement
from biaslab.text.given_files import parse_json

MOST_BYTES = 20 * 1024 * 1024
"""Of a packet's file."""

MOST_TEXTS = 2_000
"""Texts in a packet."""

_NAME = re.compile(r"([0-9a-f]{12})/(further|control-([1-9]\d{0,3}))/([^/]{1,20})/([0-9a-f]{16})")
_YES = {"yes", "y", "true", "1", "1.0", "ja", "oui"}
_NO = {"no", "n", "false", "0", "0.0", "nein", "non"}
_SHOWN = 6


class PacketRefused(InterchangeError):
    """A packet that cannot be taken; nothing of it was kept.

    Args:
        reason: why, as a sentence.
        rows: rows at fault with their reasons; empty where the whole file is.
    """

    def __init__(self, reason: str, rows: Iterable[RefusedRow] = ()) -> None:
        self.reason = reason
        self.rows = tuple(rows)
        listed = " ".join(map(str, self.rows[:_SHOWN]))
        more = f" And {len(self.rows) - _SHOWN} more rows." if len(self.rows) > _SHOWN else ""
        super().__init__(f"{reason} {listed}{more}".strip())


@dataclass(frozen=True, slots=True)
class _Line:
    """A row as it stands in the file: its place there, and its cells by the names of `COLUMNS`."""

    row: int
    cells: Mapping[str, str]


def read_packet(data: bytes) -> Packet:
    """The packet in a file: JSON, CSV or XLSX, judged or not or in part.

    Rows are in the file's order.

    Raises:
        PacketRefused: it is no packet, or rows are broken or doubled.
        InterchangeError: it is no text or spreadsheet at all.
    """
    check_size(data, MOST_BYTES)
    lines = _json_lines(data) if data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{" else _table(data)
    if not lines:
        raise PacketRefused("The packet holds no texts.")
    if len(lines) > MOST_TEXTS:
        raise PacketRefused(f"The packet holds more than {MOST_TEXTS:,} texts.")
    name = _name(lines)
    refused: list[RefusedRow] = []
    rows: list[PacketRow] = []
    for line in lines:
        found = _row(line)
        if isinstance(found, RefusedRow):
            refused.append(found)
        else:
            rows.append(found)
    if not refused:
        refused += _doubled(rows)
    if refused:
        raise PacketRefused(
            "Nothing of this packet was taken, because some rows are not right.", refused
        )
    return Packet(name, tuple(rows))


def check_unedited(packet: Packet) -> None:
    """Refuses a packet whose texts are not those that were handed out.

    Raises:
        PacketRefused: texts were added, changed or taken out.
    """
    if texts_hash(packet.rows) != packet.name.texts:
        raise PacketRefused(
            "The texts in this packet are not those that the coordinator sent: rows were changed, "
            "added or taken out. Ask for the packet again."
        )


def check_judged(packet: Packet, expected: Packet) -> None:
    """Refuses a packet that came back unless every text that was sent is judged, once, unedited.

    Args:
        packet: what came back.
        expected: what was sent to this reviewer for this part.

    Raises:
        PacketRefused: with the rows at fault and the reason for each.
    """
    if packet.name.review != expected.name.review:
        raise PacketRefused("This packet belongs to another review.")
    if (packet.name.round, packet.name.reviewer) != (expected.name.round, expected.name.reviewer):
        raise PacketRefused(
            f"This packet is {packet.name.reviewer}’s for {part_code(packet.name.round)}, not "
            f"{expected.name.reviewer}’s for {part_code(expected.name.round)}."
        )
    sent = {row.number: row for row in expected.rows}
    refused = [
        RefusedRow(row.row, reason, f"text {row.number}")
        for row in packet.rows
        if (reason := _wrong(row, sent.get(row.number)))
    ]
    missing = sorted(sent.keys() - {row.number for row in packet.rows})
    if missing:
        which = ", ".join(map(str, missing[:_SHOWN])) + (" …" if len(missing) > _SHOWN else "")
        raise PacketRefused(
            f"Nothing of this packet was taken, because judgements are missing (text {which}).",
            refused,
        )
    if refused:
        raise PacketRefused(
            "Nothing of this packet was taken, because some rows are not right.", refused
        )
    if packet.name.texts != expected.name.texts:
        raise PacketRefused(
            "The mark that says which packet this is was changed. Send the packet as it was given "
            "out."
        )


def _wrong(row: PacketRow, sent: PacketRow | None) -> str:
    """What is wrong with a row that came back, as a clause; empty where it is right."""
    if sent is None:
        return "this text was not sent to this reviewer"
    if same_words(sent.text) != same_words(row.text):
        return "its text was changed"
    if same_words(sent.answer) != same_words(row.answer):
        return "its stated answer was changed"
    return "" if row.judgement else "a yes or no is missing"


def _json_lines(data: bytes) -> list[_Line]:
    try:
        content = parse_json(decode(data).text)
    except ValueError as error:
        raise PacketRefused("The file is no packet: it is damaged JSON, or cut off.") from error
    if not isinstance(content, dict) or content.get("biaslab") != MARK:
        raise PacketRefused("The file is no packet of a quality review.")
    if content.get("version") != 1:
        raise PacketRefused("The packet was written by a newer BiasLab. Update this one.")
    rows = content.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise PacketRefused("The packet has no list of texts.")
    packet = str(content.get("packet", ""))
    return [_Line(place, _named(row, packet)) for place, row in enumerate(rows, 1)]


def _named(row: Mapping[str, Any], packet: str) -> dict[str, str]:
    keys = ("number", "text", "answer", *map(str, Criterion), "comment")
    values = ["" if row.get(key) is None else str(row[key]) for key in keys]
    return dict(zip(COLUMNS, (packet, *values), strict=True))


def _table(data: bytes) -> list[_Line]:
    if data.startswith(b"PK"):
        table = open_table(data, "packet.xlsx")
        columns = table.columns
        cells_of = [(row, {k: unguarded(v) for k, v in row.cells.items()}) for row in table.rows]
    else:
        columns, found = read_csv(decode(data).text)
        cells_of = [(row, dict(row.cells)) for row in found]
    plain = {same_words(column).casefold(): column for column in columns}
    missing = [name for name in COLUMNS[:-1] if name.casefold() not in plain]
    if missing:
        raise PacketRefused(
            f"The table is no packet of a quality review: there is no column “{missing[0]}”. Keep "
            "the first row as it was."
        )
    refused = [RefusedRow(row.number, row.refusal) for row, _ in cells_of if row.refusal]
    if refused:
        raise PacketRefused("Nothing was taken, because rows cannot be read.", refused)
    return [
        _Line(
            row.number,
            {name: cells.get(plain.get(name.casefold(), ""), "") for name in COLUMNS},
        )
        for row, cells in cells_of
        if any(cell.strip() for cell in cells.values())
    ]


def _name(lines: list[_Line]) -> PacketName:
    first = lines[0].cells[PACKET_COLUMN].strip()
    others = [line.row for line in lines if line.cells[PACKET_COLUMN].strip() != first]
    if others:
        raise PacketRefused(
            f"Row {others[0]} belongs to another packet than the rows before it. Send every "
            "packet as a file of its own."
        )
    match = _NAME.fullmatch(first)
    if match is None:
        raise PacketRefused(
            "The mark that says which packet this is was changed. Send the packet as it was given "
            "out."
        )
    part = FURTHER if match[2] == "further" else int(match[3])
    return PacketName(match[1], part, match[4], match[5])


def _row(line: _Line) -> PacketRow | RefusedRow:
    number = line.cells["number"].strip().removesuffix(".0")
    if not (number.isascii() and number.isdigit()) or len(number) > 9:
        return RefusedRow(line.row, "the number of its text was changed")
    name = f"text {int(number)}"
    answers: list[bool | None] = []
    for criterion, column in CRITERION_COLUMNS.items():
        said = line.cells[column].strip().casefold()
        if said and said not in _YES | _NO:
            reason = f"“{said[:20]}” is neither yes nor no ({criterion.label})"
            return RefusedRow(line.row, reason, name)
        answers.append(None if not said else said in _YES)
    comment = clean(line.cells["comment"])
    if len(comment) > MOST_COMMENT:
        reason = f"its comment has {len(comment):,} characters; the limit is {MOST_COMMENT:,}"
        return RefusedRow(line.row, reason, name)
    natural, clear = answers
    judgement = None
    if natural is not None and clear is not None:
        judgement = Judgement(natural, clear, comment)
    elif natural is not None or clear is not None:
        return RefusedRow(line.row, "only one of the two questions is answered", name)
    elif comment:
        return RefusedRow(line.row, "it has a comment, but the questions are not answered", name)
    answer = line.cells["stated answer"].strip()
    return PacketRow(int(number), clean(line.cells["text"]), answer, judgement, line.row)


def _doubled(rows: list[PacketRow]) -> list[RefusedRow]:
    seen: set[int] = set()
    refused = []
    for row in rows:
        if row.number in seen:
            reason = "this text is judged twice; keep one of its rows"
            refused.append(RefusedRow(row.row, reason, f"text {row.number}"))
        seen.add(row.number)
    return refused
