"""Any file that somebody gives: its bytes decoded, its format found, its rows within limits.

Every import begins here, whatever it is of (items, pairs, decisions), and goes on in the same
order: the format and the table (here), which column holds what (`columns`), every row checked by
itself, and a report that names each refused row by its number.

The person at this computer reads their files in this process. What anybody else gives is read
apart (`biaslab.files.reading.separate`), for a third of a second or so that they wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from biaslab.files.decoding import decode, is_package
from biaslab.files.errors import only_refusals
from biaslab.files.formats.registry import detect, named_format
from biaslab.files.found import TableRow
from biaslab.files.reading.content import Content, read_content
from biaslab.files.reading.separate import read_separately
from biaslab.system.roles import Role, acting

LOOKED_AT = 50
"""Rows from which it is told what a column holds."""


def read_file(data: bytes, name: str, form: str = "", *, is_table: bool = False) -> Content:
    """What a file holds; see `biaslab.files.reading.content.read_content`.

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
