"""Tables in Excel's format (XLSX)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from biaslab.files.errors import MAX_COLUMNS, MAX_MEMBERS, MAX_ROWS, InterchangeError
from biaslab.files.formats.format import FileSource, Format, RawRows, TableRow
from biaslab.files.formats.zip_and_xml import open_package

_DOCTYPES = tuple("<!DOCTYPE".encode(codec) for codec in ("ascii", "utf-16-le", "utf-16-be"))
_CHUNK = 1024 * 1024


def read_xlsx(data: bytes) -> tuple[list[str], list[TableRow], list[str]]:
    """The columns of the first sheet, its rows, and remarks on the file.

    Raises:
        InterchangeError: it is no spreadsheet, holds too much, or has no header.
    """
    _check_package(data)
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False)
        try:
            sheets = book.worksheets
            if not sheets:
                raise InterchangeError("The spreadsheet has no sheet with cells.")
            columns, rows = _sheet(sheets[0])
            names = [sheet.title for sheet in sheets]
        finally:
            book.close()
    except InterchangeError:
        raise
    # A damaged spreadsheet makes openpyxl raise nearly anything; the user needs one sentence.
    except Exception as error:
        raise InterchangeError(
            f"The spreadsheet is damaged and cannot be read ({type(error).__name__}). "
            "Open it in a spreadsheet program and save it again, or save it as CSV."
        ) from error
    remarks = []
    if len(names) > 1:
        others = ", ".join(map(repr, names[1:6]))
        remarks.append(f"Only the first sheet {names[0]!r} was read, not {others}.")
    return columns, rows, remarks


def _check_package(data: bytes) -> None:
    """Refuses zip bombs and document types before anything is parsed."""
    with open_package(data, "spreadsheet", MAX_MEMBERS) as package:
        members = package.infolist()
        if not any(member.filename.startswith("xl/") for member in members):
            raise InterchangeError("This is a zip file, but no spreadsheet (XLSX).")
        for member in members:
            if member.filename.lower().endswith((".xml", ".rels", ".vml")):
                _check_doctype(package, member)


def _check_doctype(package: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    before = b""
    with package.open(member) as file:
        while chunk := file.read(_CHUNK):
            window = before + chunk
            if any(mark in window for mark in _DOCTYPES):
                raise InterchangeError(
                    f"The spreadsheet's {member.filename} declares a document type (DOCTYPE), "
                    "which a spreadsheet never needs. It was not read."
                )
            before = window[-32:]


def _sheet(sheet: Any) -> tuple[list[str], list[TableRow]]:
    lines = sheet.iter_rows(max_col=MAX_COLUMNS + 1)
    header = next(lines, ())
    columns = ["" if cell.value is None else str(cell.value).strip() for cell in header]
    while columns and not columns[-1]:
        columns.pop()
    if not columns:
        raise InterchangeError("The sheet is empty: there is no header in its first row.")
    if len(columns) > MAX_COLUMNS:
        raise InterchangeError(f"The sheet has more than {MAX_COLUMNS} columns.")
    double = sorted({column for column in columns if column and columns.count(column) > 1})
    if double:
        raise InterchangeError(f"Two columns have the name {double[0]!r}. Rename one of them.")
    return columns, list(_rows(lines, columns))


def _rows(lines: Iterator[Sequence[Any]], columns: Sequence[str]) -> Iterator[TableRow]:
    for number, line in enumerate(lines, start=2):
        if number > MAX_ROWS:
            raise InterchangeError(f"The sheet has more than {MAX_ROWS:,} rows. Split it.")
        cells: dict[str, str] = {}
        refusal = ""
        for column, cell in zip(columns, line, strict=False):
            if not column or cell.value is None:
                continue
            wrong = _wrong(cell)
            if wrong:
                refusal = f"cell {cell.coordinate} ({column}) {wrong}"
                break
            cells[column] = _text(cell.value)
        yield TableRow(number, cells, refusal=refusal)


def _wrong(cell: Any) -> str:
    if cell.data_type == "f":
        return "holds a formula; paste its value as text"
    if cell.data_type == "e":
        return f"holds the error {cell.value}"
    if isinstance(cell.value, datetime | date | time | timedelta):
        return "is a date (a spreadsheet may have made it from a fraction); write it as text"
    return ""


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def write_xlsx(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """A spreadsheet of texts; nothing in it is a formula."""
    import openpyxl
    from openpyxl.cell import WriteOnlyCell

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("items")
    for line in (columns, *rows):
        cells = []
        for text in line:
            cell = WriteOnlyCell(sheet, text or None)
            if text:
                # openpyxl takes a text that begins with = for a formula.
                cell.data_type = "s"
                cell.quotePrefix = True
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _rows_of(source: FileSource) -> RawRows:
    columns, rows, remarks = read_xlsx(source.data)
    return RawRows(columns, rows, tuple(remarks))


FORMAT = Format(
    name="xlsx",
    endings=(".xlsx", ".xlsm"),
    rank=50,
    package="spreadsheet (XLSX)",
    rows=_rows_of,
)
