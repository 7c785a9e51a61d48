"""Cells of tables that a spreadsheet opens: none is run as a formula."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# What a spreadsheet would run as a formula when it opens the file. A plain negative number is
# none, and would be no number any more with an apostrophe before it.
_FORMULA = re.compile(r"['\s]*[=+\-@]")
_NUMBER = re.compile(r"[+-][0-9]+(?:\.[0-9]+)?")
_GUARDED = re.compile(r"'['\s]*[=+\-@]")


def guarded(cell: str) -> str:
    """The cell with an apostrophe before it where a spreadsheet would see a formula."""
    if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def guarded_table(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its texts and column names `guarded`; numbers stay numbers."""
    safe = table.map(lambda value: guarded(value) if isinstance(value, str) else value)
    return safe.rename(columns=lambda name: guarded(str(name)))


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run the cell."""
    return _FORMULA.match(cell) is not None and not _NUMBER.fullmatch(cell)


def unguarded(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if _GUARDED.match(cell) else cell
