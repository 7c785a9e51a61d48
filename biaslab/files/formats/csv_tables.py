"""Tables as comma-separated text, or with semicolons, tabs or bars."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from biaslab.files.columns import guess
from biaslab.files.errors import MAX_COLUMNS, MAX_FILE_BYTES, MAX_ROWS, InterchangeError
from biaslab.files.formats.format import Format, RawRows, TableRow
from biaslab.files.tables import unguarded

_DELIMITERS = ",;\t|"

_SEPARATOR = re.compile(
    r"\s*\"?sep=(?P<sign>\\t|[^\r\n\w\"])\"?[\s,;]*?(?:\r\n|\r|\n)", re.IGNORECASE
)
"""A first line by which spreadsheet programs are told what parts the cells; it is no row."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def read_csv(text: str) -> tuple[list[str], Iterator[TableRow]]:
    """The columns of a table, and its rows; row 1 is the header.

    Raises:
        InterchangeError: there is no header, or it is too wide.
    """
    # A cell beyond the limit of this module is refused with its row, not by the csv module with
    # the whole file. The setting is the process's: it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FILE_BYTES))
    said = _SEPARATOR.match(text)
    if said:
        text = text[said.end() :]
    delimiters = said["sign"].replace("\\t", "\t") if said else _DELIMITERS
    columns, delimiter = _header(text, delimiters)
    if not any(columns):
        raise InterchangeError("The table is empty: there is no header in its first row.")
    if len(columns) > MAX_COLUMNS:
        raise InterchangeError(f"The table has {len(columns)} columns; the limit is {MAX_COLUMNS}.")
    double = sorted({column for column in columns if column and columns.count(column) > 1})
    if double:
        raise InterchangeError(f"Two columns have the name {double[0]!r}. Rename one of them.")
    return columns, _rows(text, columns, delimiter, before=bool(said))


def _lines(text: str) -> Iterator[str]:
    """Lines with their ends. io.StringIO would hold a copy of four bytes a character."""
    return (match[0] for match in _LINE.finditer(text))


def _header(text: str, delimiters: str) -> tuple[list[str], str]:
    """The first row, with the delimiter for which most of its columns are known."""
    best: tuple[tuple[int, int], list[str], str] | None = None
    for delimiter in delimiters:
        try:
            first = next(csv.reader(_lines(text), delimiter=delimiter), [])
        except csv.Error as error:
            raise InterchangeError(f"The first row is no table: {error}.") from error
        columns = [cell.strip() for cell in first]
        score = (len(guess(columns[:MAX_COLUMNS])), len(columns))
        if best is None or score > best[0]:
            best = (score, columns, delimiter)
    assert best is not None
    return best[1], best[2]


def _rows(text: str, columns: Sequence[str], delimiter: str, *, before: int) -> Iterator[TableRow]:
    """The rows behind the header; so many lines stood before it."""
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    number = line = 0
    while True:
        number += 1
        line = reader.line_num
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield TableRow(number, refusal=_why(error, before + line + 1, before + reader.line_num))
            continue
        if number == 1:
            continue
        if number > MAX_ROWS:
            raise InterchangeError(f"The table has more than {MAX_ROWS:,} rows. Split it.")
        yield _row(number, cells, columns)


def _row(number: int, cells: list[str], columns: Sequence[str]) -> TableRow:
    if any(cells[len(columns) :]):
        return TableRow(
            number,
            refusal=f"it has {len(cells)} cells where the header has {len(columns)} "
            "(a comma outside quotation marks?)",
        )
    remarks: tuple[str, ...] = ()
    if any(cells) and len(cells) < len(columns):
        remarks = (f"it ends after {len(cells)} of {len(columns)} cells (is the file cut off?)",)
    texts = map(unguarded, cells)
    return TableRow(number, dict(zip(columns, texts, strict=False)), remarks=remarks)


def _why(error: csv.Error, first: int, last: int) -> str:
    lines = f"line {first}" if last <= first else f"lines {first} to {last}"
    if "unexpected end of data" in str(error):
        return f"a quotation mark in it is never closed ({lines})"
    return f"it is no row of a table ({lines}: {error})"


FORMAT = Format(
    name="csv",
    endings=(".csv", ".tsv"),
    rank=40,
    rows=lambda source: RawRows(*read_csv(source.text)),
)
