"""Any file that somebody gives: its bytes decoded, its format found, its rows within limits.

Every import begins here, whatever it is of (items, pairs, decisions), and goes on in the same
order: the format and the table (here), which column holds what (`columns`), every row checked by
itself, and a report that names each refused row by its number.

The person at this computer reads their files in this process. What anybody else gives is read
apart (`read_separately`), for a third of a second or so that they wait.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from biaslab.files.decoding import check_size, decode, decode_rows, is_package
from biaslab.files.errors import InterchangeError, only_refusals
from biaslab.files.formats.format import (
    PLAIN,
    FileEntry,
    FileReading,
    FileSource,
    Format,
    RawRows,
    TableRow,
    detect,
    formats,
    named_format,
    package_format,
)
from biaslab.system.confined import ProcessLimits
from biaslab.system.processes import EndedEarly, confined
from biaslab.system.roles import Role, acting


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds, before anything of it is checked.

    Attributes:
        form: name of its format.
        found_by: how that was found, as a clause.
        encoding: how the text was read; empty where the format says it itself.
        remarks: on the file as a whole.
        rows: the table; None where it is none.
        items: its items; None where it is a table.
    """

    form: str
    found_by: str
    encoding: str
    remarks: tuple[str, ...]
    rows: RawRows | None = None
    items: FileReading | None = None


def read_content(data: bytes, name: str, form: str = "", *, is_table: bool = False) -> Content:
    """Reads a file that is in memory already, such as an upload.

    Args:
        data: its content.
        name: of the file.
        form: name of its format; empty: found by content and name.
        is_table: whether only a table will do. Its rows are then read as they are wanted, where
            the format allows that, and may hold bytes that are no text.

    Raises:
        InterchangeError: it is empty, too large, no text, not in the format that was named, no
            table where one is wanted, or damaged.
    """
    check_size(data)
    if not data.strip():
        raise InterchangeError("The file is empty.")
    decoded = None if is_package(data) else (decode_rows if is_table else decode)(data)
    if decoded is None:
        found, found_by = package_format(data), "by its content"
    else:
        found, found_by = detect(decoded.text, name)
    if form:
        found, found_by = formats()[form], "named by you"
    if decoded is None and not found.package:
        raise InterchangeError(f"This is a spreadsheet or a zip file, not {found.name}.")
    if decoded is not None and found.package:
        raise InterchangeError(f"This is no {found.package}: save it as one, or as CSV.")
    encoding, doubt = "", ""
    if decoded is not None and not found.says_encoding:
        encoding, doubt = decoded.encoding, decoded.doubt
    source = FileSource(data, "" if decoded is None else decoded.text)
    remarks = (doubt,) if doubt else ()
    if is_table:
        found = _as_table(found, name)
    if found.rows is not None:
        return Content(found.name, found_by, encoding, remarks, rows=found.rows(source))
    assert found.items is not None
    return Content(found.name, found_by, encoding, remarks, items=found.items(source))


def is_item_format(data: bytes, name: str) -> bool:
    """Whether a text is in a format of items that shows whatever the file is called.

    Raises:
        InterchangeError: it is empty, too large, or no text.
    """
    check_size(data)
    if not data.strip():
        raise InterchangeError("The file is empty.")
    return is_package(data) or detect(decode(data).text, name)[0].decisive


def _as_table(file_format: Format, name: str) -> Format:
    if (
        file_format.rows is None
        and not file_format.decisive
        and named_format(name) is not file_format
    ):
        # Texts of problems may look like a format of items.
        file_format = formats()[PLAIN]
    if file_format.rows is None:
        raise InterchangeError(
            "Tables are read from CSV, XLSX, JSON, JSON lines or XML with one record after the "
            "other, and this is none of them. Save it as one."
        )
    return file_format


# A stranger's file is read in a process of its own, which can do little else and soon ends. The
# readers hold limits of their own, and are made of other people's code: whatever a file makes of
# that, this process gets a table or a sentence.


BOUNDS = ProcessLimits(memory=2**30, seconds=30, written=2**28)
"""What such a process may take: a GiB of memory, half a minute of a core, 256 MiB of table."""

READ = b"read"
"""What the process prints in the end that only reads a file once."""

TRIAL = ProcessLimits(memory=2**30, seconds=10, written=len(READ))
"""What reading once may take before a file is read in this process."""

_WORKER = "biaslab.files.worker"
_TOO_MUCH = (
    "The file takes more memory or time than a file may, or breaks what reads it. Save it "
    "anew in the program that made it, or split it."
)


def read_separately(data: bytes, name: str, form: str = "", *, is_table: bool = False) -> Content:
    """As `read_content`, in a process of its own; all rows at once.

    Raises:
        InterchangeError: also where the process took too much, or died.
    """
    asked = json.dumps({"name": name, "form": form, "is_table": is_table}).encode()
    try:
        said = json.loads(confined(_WORKER, asked + b"\n" + data, BOUNDS))
        if "refused" in said:
            raise InterchangeError(str(said["refused"]))
        return _content(said)
    except (EndedEarly, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InterchangeError(_TOO_MUCH) from error


def withstood(read: Callable[[bytes], object], data: bytes) -> bytes:
    """Has a file that is no table read once in a process of its own, where a stranger gave it.

    What such files become (a design, a review) is too various to come back from there; so they
    are read once more here, which then takes no more than it took there.

    Args:
        read: a function of a module; whatever it refuses it will refuse again.
        data: the file.

    Returns:
        the file.

    Raises:
        InterchangeError: reading it took too much, or broke the process.
    """
    if acting() is Role.HERE:
        return data
    asked = json.dumps([read.__module__, read.__qualname__]).encode()
    try:
        confined(_WORKER, asked + b"\n" + data, TRIAL)
    except EndedEarly as error:
        raise InterchangeError(_TOO_MUCH) from error
    return data


def _content(document: dict[str, Any]) -> Content:
    rows, items = document["rows"], document["items"]
    return Content(
        str(document["form"]),
        str(document["found_by"]),
        str(document["encoding"]),
        _texts(document["remarks"]),
        rows=rows
        and RawRows(list(_texts(rows["columns"])), _rows(rows["rows"]), _texts(rows["remarks"])),
        items=items and FileReading(
            [_found(each) for each in items["found"]],
            _texts(items["remarks"]),
            _cells(items["mapping"]),
            str(items["form"]),
        ),
    )  # fmt: skip


def _rows(rows: list[Any]) -> list[TableRow]:
    return [
        TableRow(int(number), _cells(cells), str(name), str(refusal), _texts(remarks))
        for number, cells, name, refusal, remarks in rows
    ]


def _found(document: dict[str, Any]) -> FileEntry:
    told: dict[str, Any] = {
        name: _texts(value) if isinstance(value, list) else str(value)
        for name, value in document.items()
    }
    right = tuple(int(place) for place in document["right"])
    return FileEntry(**(told | {"row": int(document["row"]), "right": right}))


def _texts(values: list[Any]) -> tuple[str, ...]:
    return tuple(str(each) for each in values)


def _cells(record: dict[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in record.items()}


LOOKED_AT = 50
"""Rows from which it is told what a column holds."""


def read_file(data: bytes, name: str, form: str = "", *, is_table: bool = False) -> Content:
    """What a file holds; see `read_content`.

    Raises:
        InterchangeError: nothing of it can be read; the message says why.
    """
    read = read_content if acting() is Role.HERE else read_separately
    return read(data, name, form, is_table=is_table)


def is_plain_text(data: bytes, name: str) -> bool:
    """Whether a file is text in no format, neither a table nor items, by its name and content.

    Raises:
        InterchangeError: it is no text at all.
    """
    if is_package(data) or named_format(name) is not None:
        return False
    return not detect(decode(data).text, name)[0].decisive


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table before anything is known of its columns.

    Attributes:
        columns: their names.
        first: some of its rows.
        rows: all of them, once; read as they are wanted.
        container: name of its format, such as csv.
        encoding: how the text was read; empty for a spreadsheet.
        remarks: on the file as a whole.
    """

    columns: list[str]
    first: list[TableRow]
    rows: Iterator[TableRow]
    container: str
    encoding: str
    remarks: tuple[str, ...]

    def filled(self) -> Iterator[TableRow]:
        """The rows that hold something, or are refused; once, as `rows`."""
        return (row for row in self.rows if row.refusal or any(row.cells.values()))


@only_refusals()
def open_table(data: bytes, name: str) -> RawTable:
    """The table in a file that is in memory already, such as an upload.

    Raises:
        InterchangeError: it is no table, or too large.
    """
    content = read_file(data, name, is_table=True)
    assert content.rows is not None
    lazily = iter(content.rows.rows)
    first = list(islice(lazily, LOOKED_AT))
    remarks = (*content.remarks, *content.rows.remarks)
    return RawTable(
        content.rows.columns, first, chain(first, lazily), content.form, content.encoding, remarks
    )
