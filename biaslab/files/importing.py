"""Reading a file of multiple-choice items, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from biaslab.files.checking import Checking, ImportReport, Remark
from biaslab.files.columns import listed
from biaslab.files.decoding import read_bytes
from biaslab.files.errors import MAX_ROWS, InterchangeError, only_refusals
from biaslab.files.formats.format import FileReading, RawRows, formats
from biaslab.files.opening import open_table, read_file
from biaslab.files.tables import read_table

MISCONCEPTION_FILE = "misconception_mapping.csv"
"""Name of Eedi's table of misconceptions; beside a file of theirs it is found by itself."""

_MISCONCEPTION_COLUMNS = ("MisconceptionId", "MisconceptionName")
# Formats of the columns, which can come in any kind of table.
_LAYOUTS = ("malalgoqa", "eedi")

FORMATS = (*_LAYOUTS, *formats())
"""What can be read."""


def import_file(
    path: Path,
    form: str = "",
    mapping: Mapping[str, str] | None = None,
    misconceptions: Path | None = None,
) -> ImportReport:
    """Reads the items of a file.

    Args:
        path: the file.
        form: one of `FORMATS`; empty: found by content and name.
        mapping: for tables, the column of a field where guessing it would go wrong.
        misconceptions: Eedi's table of misconceptions; None: the one beside the file, if any.

    Raises:
        InterchangeError: nothing of it can be read; the message says why.
        OSError: a file cannot be opened.
    """
    data = read_bytes(path)
    beside = path.with_name(MISCONCEPTION_FILE)
    names_from = misconceptions
    if names_from is None and beside != path and beside.is_file():
        names_from = beside
    names = read_bytes(names_from) if names_from else None
    return import_bytes(data, path.name, form, mapping, names, names_from is beside)


@only_refusals()
def import_bytes(
    data: bytes,
    name: str,
    form: str = "",
    mapping: Mapping[str, str] | None = None,
    misconceptions: bytes | None = None,
    only_eedi: bool = False,
) -> ImportReport:
    """Reads the items of a file that is in memory already, such as an upload.

    Args:
        data: its content.
        name: of the file.
        form: one of `FORMATS`; empty: found by content and name.
        mapping: for tables, the column of a field where guessing it would go wrong.
        misconceptions: content of Eedi's table of misconceptions.
        only_eedi: use that table only where the file is Eedi's.

    Raises:
        InterchangeError: nothing of it can be read; the message says why.
    """
    if form and form not in FORMATS:
        raise InterchangeError(f"There is no format {form!r}. Formats are {', '.join(FORMATS)}.")
    layout = form if form in _LAYOUTS else ""
    content = read_file(data, name, "" if layout else form)
    container, found_by = content.form, content.found_by
    remarks = list(content.remarks)
    names = _names(misconceptions) if misconceptions is not None else {}
    if content.rows is not None:
        reading, more = _table(content.rows, mapping, layout, names, only_eedi)
        remarks += more
    else:
        assert content.items is not None
        reading = content.items
    if layout:
        if not reading.mapping:
            raise InterchangeError(f"A {container} file cannot be a copy of {layout}.")
        found_by = f"{container} {found_by}, {layout} named by you"
    elif reading.form and not form:
        found_by = f"{container} {found_by}, {reading.form} by its columns"
    named = layout or (not form and reading.form) or container
    return _report(reading, named, content.encoding, found_by, remarks)


def _table(
    table: RawRows,
    mapping: Mapping[str, str] | None,
    layout: str,
    names: Mapping[str, str],
    only_eedi: bool,
) -> tuple[FileReading, list[str]]:
    remarks = list(table.remarks)
    columns, rows = table.columns, list(table.rows)
    reading = read_table(columns, rows, mapping, layout)
    if names and (not only_eedi or reading.form == "eedi"):
        reading = read_table(columns, rows, mapping, layout, names)
        where = f"{MISCONCEPTION_FILE} next to the file" if only_eedi else "the table named by you"
        remarks.append(f"Names of misconceptions come from {where} ({len(names)} of them).")
    return reading, remarks


def _report(
    reading: FileReading, form: str, encoding: str, found_by: str, remarks: list[str]
) -> ImportReport:
    if len(reading.found) > MAX_ROWS:
        raise InterchangeError(f"The file has more than {MAX_ROWS:,} questions. Split it.")
    if not reading.found:
        raise InterchangeError("The file holds no questions.")
    checking = Checking()
    for found in reading.found:
        checking.add(found)
    whole = [Remark(text) for text in (*remarks, *reading.remarks)]
    return ImportReport(
        items=tuple(checking.items),
        refused=tuple(checking.refused),
        remarks=(*whole, *checking.remarks),
        form=form,
        mapping=reading.mapping,
        rows=len(reading.found),
        encoding=encoding,
        found_by=found_by,
    )


def _names(data: bytes) -> dict[str, str]:
    """Names of misconceptions by number."""
    table = open_table(data, MISCONCEPTION_FILE)
    columns = table.columns
    if not set(_MISCONCEPTION_COLUMNS) <= set(columns):
        raise InterchangeError(
            f"The table of misconceptions has no columns {' and '.join(_MISCONCEPTION_COLUMNS)}; "
            f"it has {listed(columns)}."
        )
    number, name = _MISCONCEPTION_COLUMNS
    return {
        row.cells[number].strip().removesuffix(".0"): " ".join(row.cells.get(name, "").split())
        for row in table.rows
        if row.cells.get(number, "").strip()
    }
