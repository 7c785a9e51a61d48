"""Reading a file of multiple-choice items, whatever its format, or a teacher's own test.

A teacher's own test, from what was typed, from a file, or from a kept set of items.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from biaslab.files.checking import Checking, ImportReport, Remark
from biaslab.files.columns import guess, listed, problem_columns, problem_text
from biaslab.files.decoding import decode, read_bytes
from biaslab.files.errors import MAX_ROWS, InterchangeError, only_refusals
from biaslab.files.formats.format import FileReading, RawRows, formats
from biaslab.files.items import ImportedItem
from biaslab.files.opening import is_item_format, open_table, read_file
from biaslab.files.tables import read_table
from schoolmath.malrules.classes import MOST_CUSTOM_ITEMS, GivenItem
from schoolmath.text.written_answers import MARK, stated_last

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


MOST_SIGNS = 50_000
"""Longest test that is typed."""
_LONGEST_KEY = 40
_LETTERED = re.compile(r"^\s*ANSWER\s*:|^\s*(?i:answer)\s*:\s*\(?[A-Ha-h]\)?\s*$", re.MULTILINE)
_NUMBERED = re.compile(r"^\s*\(?\d{1,2}[.):]\)?\s+")


@dataclass(frozen=True, slots=True)
class GivenTest:
    """The items of a test as they were written.

    Attributes:
        items: in their order.
        left_out: what of the file is no item, each a sentence.
    """

    items: tuple[GivenItem, ...]
    left_out: tuple[str, ...] = ()


def read_typed(text: str) -> GivenTest:
    """A test as it is typed: a question in each line, behind a semicolon or tab its right answer.

    Numbers of the lines ("3.", "3)") are taken off. A text with lines “ANSWER: B” is read in the
    format Aiken, with options.

    Raises:
        InterchangeError: it is longer than `MOST_SIGNS`, or no Aiken where it looks like it.
    """
    if len(text) > MOST_SIGNS:
        raise InterchangeError(f"The test has more than {MOST_SIGNS:,} characters. Shorten it.")
    if _LETTERED.search(text):
        return _with_options(text.encode(), "typed.txt", "aiken")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    numbered = len(lines) > 1 and all(_NUMBERED.match(line) for line in lines)
    return GivenTest(tuple(_line(_NUMBERED.sub("", line) if numbered else line) for line in lines))


def _line(line: str) -> GivenItem:
    """A question and, behind the last separator, its right answer if there is one."""
    question, separator, key = line.rpartition("\t" if "\t" in line else ";")
    # A semicolon may be the question's own.
    if separator and question.strip() and len(key) <= _LONGEST_KEY and "?" not in key:
        return GivenItem(question.strip(), key=key.strip())
    return GivenItem(line.rstrip("; \t"))


@only_refusals()
def read_test_file(data: bytes, name: str) -> GivenTest:
    """A test in any format of items, a table of questions and right answers, or lines of text.

    Raises:
        InterchangeError: nothing of it can be read; the message says why.
    """
    if name.lower().endswith(".txt") and not is_item_format(data, name):
        return read_typed(decode(data).text)
    free = _free_answers(data, name)
    if free is not None:
        return free
    return _with_options(data, name)


def _with_options(data: bytes, name: str, form: str = "") -> GivenTest:
    report = import_bytes(data, name, form)
    if not report.items:
        raise InterchangeError(str(report.refused[0]))
    return GivenTest(as_given(report.items), tuple(map(str, report.refused)))


def as_given(items: Iterable[ImportedItem]) -> tuple[GivenItem, ...]:
    """Items with options as items of a test."""
    return tuple(
        GivenItem(
            f"{item.passage}\n\n{item.question}" if item.passage else item.question,
            dict(zip(item.letters, item.options, strict=True)),
            item.key,
            item.misconceptions,
        )
        for item in items
    )


def _free_answers(data: bytes, name: str) -> GivenTest | None:
    """The test in a table without options; None where it is no such table."""
    try:
        table = open_table(data, name)
        columns = guess(table.columns)
    except InterchangeError:
        return None
    if "question" not in columns or any(field.startswith("option") for field in columns):
        return None
    parts = problem_columns(table.columns, table.first)
    asked = parts if columns["question"] in parts else (columns["question"],)
    items, left_out = [], []
    for row in table.filled():
        question = problem_text(row.cells, asked)
        if row.refusal or not question:
            left_out.append(f"Row {row.number}: {row.refusal or 'there is no question'}.")
        else:
            key = row.cells.get(columns.get("key", ""), "").strip()
            items.append(GivenItem(question, key=stated_last(key) if MARK in key else key))
        if len(items) > MOST_CUSTOM_ITEMS:
            break
    return GivenTest(tuple(items), tuple(left_out))
