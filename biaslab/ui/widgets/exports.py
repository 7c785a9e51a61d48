"""Files that a person takes away from a screen."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from biaslab.files.formats.csv_tables import guarded, guarded_table


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as CSV with these columns; what a row does not have stays empty.

    No cell begins with what a spreadsheet would run: models write what they like.
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode()


def table_csv(table: pd.DataFrame) -> bytes:
    """A table as CSV without its index; no cell begins with what a spreadsheet would run."""
    return guarded_table(table).to_csv(index=False).encode()


def _cell(value: Any) -> Any:
    return guarded(value) if isinstance(value, str) else value
