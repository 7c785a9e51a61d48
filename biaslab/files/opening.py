"""Any file that somebody gives: its bytes decoded, its format found, its rows within limits.

Every import begins here, whatever it is of (items, pairs, decisions), and goes on in the same
order: the format and the table (here), which column holds what (`columns`), every row checked by
itself, and a report that names each refused row by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from biaslab.files.decoding import Decoded, check_size, decode, decode_rows, is_package
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.format import Format, Source
from biaslab.files.formats.registry import PLAIN, detect, formats, package_format
from biaslab.files.found import Row

LOOKED_AT = 50
"""Rows from which it is told what a column holds."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose format is known.

    Attributes:
        format: the format.
        found_by: how it was found, as a clause.
        source: what its reader takes.
        encoding: how the text was read; empty where the format says it itself.
        remarks: on the file as a whole.
    """

    format: Format
    found_by: str
    source: Source
    encoding: str
    remarks: tuple[str, ...]


def open_file(
    data: bytes, name: str, form: str = "", decoding: Callable[[bytes], Decoded] = decode
) -> Opened:
    """The format of a file that is in memory already, such as an upload.

    Args:
        data: its content.
        name: of the file.
        form: name of its format; empty: found by content and name.
        decoding: what makes a text of bytes.

    Raises:
        InterchangeError: it is empty, too large, no text, or not in the format that was named.
    """
    check_size(data)
    if not data.strip():
        raise InterchangeError("The file is empty.")
    decoded = None if is_package(data) else decoding(data)
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
    if decoded is None or found.says_encoding:
        text = "" if decoded is None else decoded.text
        return Opened(found, found_by, Source(data, text), "", ())
    doubts = (decoded.doubt,) if decoded.doubt else ()
    return Opened(found, found_by, Source(data, decoded.text), decoded.encoding, doubts)


@dataclass(frozen=True, slots=True)
class Table:
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
    first: list[Row]
    rows: Iterator[Row]
    container: str
    encoding: str
    remarks: tuple[str, ...]

    def filled(self) -> Iterator[Row]:
        """The rows that hold something, or are refused; once, as `rows`."""
        return (row for row in self.rows if row.refusal or any(row.cells.values()))


def open_table(data: bytes, name: str) -> Table:
    """The table in a file that is in memory already, such as an upload.

    Raises:
        InterchangeError: it is no table, or too large.
    """
    opened = open_file(data, name, decoding=decode_rows)
    found = opened.format
    if found.rows is None and not found.decisive:
        # Texts of problems may look like a format of items.
        found = formats()[PLAIN]
    if found.rows is None:
        raise InterchangeError(
            "Tables are read from CSV, XLSX, JSON or JSON lines, and this is none of them. "
            "Save it as one."
        )
    table = found.rows(opened.source)
    lazily = iter(table.rows)
    first = list(islice(lazily, LOOKED_AT))
    remarks = (*opened.remarks, *table.remarks)
    return Table(table.columns, first, chain(first, lazily), found.name, opened.encoding, remarks)
