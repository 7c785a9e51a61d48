"""Reading a file of multiple-choice items, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from biaslab.files.checking import Checking
from biaslab.files.columns import listed
from biaslab.files.decoding import check_size, decode, detect, is_package, read_bytes
from biaslab.files.errors import MAX_ROWS, InterchangeError
from biaslab.files.formats.aiken import read_aiken
from biaslab.files.formats.csv_tables import read_csv
from biaslab.files.formats.gift import read_gift
from biaslab.files.formats.json_tables import read_json
from biaslab.files.formats.moodle import read_moodle
from biaslab.files.formats.spreadsheets import read_xlsx
from biaslab.files.found import Reading
from biaslab.files.opening import open_table
from biaslab.files.report import ImportReport, Remark
from biaslab.files.tables import read_table

FORMATS = ("malalgoqa", "eedi", "gift", "aiken", "moodle", "csv", "xlsx", "json")
"""What can be read."""

MISCONCEPTION_FILE = "misconception_mapping.csv"
"""Name of Eedi's table of misconceptions; beside a file of theirs it is found by itself."""

_MISCONCEPTION_COLUMNS = ("MisconceptionId", "MisconceptionName")
# Formats of the columns, which can come in any kind of table.
_LAYOUTS = ("malalgoqa", "eedi")


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
    check_size(data)
    if not data.strip():
        raise InterchangeError("The file is empty.")
    layout = form if form in _LAYOUTS else ""
    text, encoding, remarks = "", "", []
    if is_package(data):
        container, found_by = "xlsx", "by its content"
    else:
        decoded = decode(data)
        text, encoding = decoded.text, decoded.encoding
        remarks += [decoded.doubt] if decoded.doubt else []
        container, found_by = detect(text, name)
    if form and not layout:
        container, found_by = form, "named by you"
    names = _names(misconceptions) if misconceptions is not None else {}
    if container == "moodle":
        # XML says itself how it is encoded.
        reading, encoding = read_moodle(data), ""
        remarks = []
    elif container in ("gift", "aiken"):
        reading = read_gift(text) if container == "gift" else read_aiken(text)
    elif container == "xlsx" and not is_package(data):
        raise InterchangeError("This is no spreadsheet (XLSX): save it as one, or as CSV.")
    elif is_package(data) and container != "xlsx":
        raise InterchangeError(f"This is a spreadsheet or a zip file, not {container}.")
    else:
        reading, more = _table(container, data, text, mapping, layout, names, only_eedi)
        remarks += more
    if layout:
        if not reading.mapping:
            raise InterchangeError(f"A {container} file cannot be a copy of {layout}.")
        found_by = f"{container} {found_by}, {layout} named by you"
    elif reading.form and not form:
        found_by = f"{container} {found_by}, {reading.form} by its columns"
    named = layout or (not form and reading.form) or container
    return _report(reading, named, encoding, found_by, remarks)


def _table(
    container: str,
    data: bytes,
    text: str,
    mapping: Mapping[str, str] | None,
    layout: str,
    names: Mapping[str, str],
    only_eedi: bool,
) -> tuple[Reading, list[str]]:
    remarks: list[str] = []
    if container == "xlsx":
        columns, rows, remarks = read_xlsx(data)
    elif container == "json":
        columns, rows = read_json(text)
    else:
        columns, lazily = read_csv(text)
        rows = list(lazily)
    reading = read_table(columns, rows, mapping, layout)
    if names and (not only_eedi or reading.form == "eedi"):
        reading = read_table(columns, rows, mapping, layout, names)
        where = f"{MISCONCEPTION_FILE} beside the file" if only_eedi else "the table named by you"
        remarks.append(f"Names of misconceptions come from {where} ({len(names)} of them).")
    return reading, remarks


def _report(
    reading: Reading, form: str, encoding: str, found_by: str, remarks: list[str]
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
