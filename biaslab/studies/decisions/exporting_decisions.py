"""Decisions into tables in the published columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from biaslab.files.formats.csv_tables import guarded
from biaslab.studies.decisions.tables import CASE_COLUMNS, RESULT_COLUMNS


def results_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A table of results; see `RESULT_COLUMNS`."""
    return _table(RESULT_COLUMNS, rows)


def cases_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A table of cases; see `CASE_COLUMNS`."""
    return _table(CASE_COLUMNS, rows)


def _table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        # What a model wrote must not run in a spreadsheet.
        writer.writerow(guarded(v) if isinstance(v := row[name], str) else v for name in columns)
    return text.getvalue().encode()
