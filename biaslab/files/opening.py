"""Any table that somebody gives: its bytes decoded, its format found, its rows within limits.

Every import begins here, whatever it is of (items, pairs, decisions), and goes on in the same
order: the table (here), which column holds what (`columns`), every row checked by itself, and a
report that names each refused row by its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from biaslab.files.decoding import check_size, decode_rows, detect, is_package
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.csv_tables import read_csv
from biaslab.files.formats.json_tables import read_json
from biaslab.files.formats.spreadsheets import read_xlsx
from biaslab.files.tables import Row

LOOKED_AT = 50
"""Rows from which it is told what a column holds."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table before anything is known of its columns.

    Attributes:
        columns: their names.
        first: some of its rows.
        rows: all of them, once; read as they are wanted.
        container: csv, xlsx or json.
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
    check_size(data)
    if not data.strip():
        raise InterchangeError("The file is empty.")
    remarks: list[str] = []
    encoding = ""
    rows: Iterable[Row]
    if is_package(data):
        container = "xlsx"
        columns, rows, remarks = read_xlsx(data)
    else:
        decoded = decode_rows(data)
        encoding, remarks = decoded.encoding, [decoded.doubt] if decoded.doubt else []
        container, _ = detect(decoded.text, name)
        if container == "json":
            columns, rows = read_json(decoded.text)
        elif container == "moodle" or name.lower().endswith(".xlsx"):
            raise InterchangeError(
                "Tables are read from CSV, XLSX, JSON or JSON lines, and this is none of them. "
                "Save it as one."
            )
        else:
            container = "csv"
            columns, rows = read_csv(decoded.text)
    lazily = iter(rows)
    first = list(islice(lazily, LOOKED_AT))
    return Table(columns, first, chain(first, lazily), container, encoding, tuple(remarks))
