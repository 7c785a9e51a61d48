"""Reading a file of pairs: every row is read back, solved again and held against its labels.

found = import_pairs(Path("pairs.csv"))
found.summary()         # "500 rows: 495 proved, 1 labelled, 4 contradicted. 500 pairs can ..."
save_set(store, "pairs", found.pairs, "pairs.csv")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from biaslab.files.decoding import read_bytes
from biaslab.files.errors import MAX_PAIR_ROWS, InterchangeError, only_refusals
from biaslab.files.opening import RawTable, open_table
from biaslab.studies.word_problems.files.checking import PairChecking
from biaslab.studies.word_problems.files.columns import (
    find_layout,
    likely_layout,
    likely_mapping,
    suggest_pairs,
)
from biaslab.studies.word_problems.files.report import PairImport

_EVERY = 200
"""Rows after which progress is told."""

Progress = Callable[[int], None]
"""Called now and then with the number of rows looked at."""


def import_pairs(
    path: Path, mapping: Mapping[str, str] | None = None, on_progress: Progress | None = None
) -> PairImport:
    """Reads the pairs of a file.

    Args:
        path: CSV (or with semicolons, tabs, bars), XLSX, JSON or JSON lines.
        mapping: columns by field (`PAIR_FIELDS`); None: by their names and contents.
        on_progress: called now and then with the number of rows looked at.

    Raises:
        InterchangeError: nothing of it can be read; the message says why.
        OSError: the file cannot be opened.
    """
    return read_pairs(open_table(read_bytes(path), path.name), mapping, on_progress)


def holds_pairs(path: Path) -> bool:
    """Whether the names of its columns make sure that a file holds pairs of problems.

    Raises:
        OSError: the file cannot be opened.
    """
    try:
        columns = open_table(read_bytes(path), path.name).columns
    except InterchangeError:
        return False
    return likely_layout(columns) is not None


def why_no_pairs(path: Path) -> tuple[str, bool]:
    """Why the names of its columns do not make a file one of pairs, as sentences.

    Returns:
        the sentences, empty where it is no table; and whether they say how it may be read by what
        stands in it.
    """
    try:
        table = open_table(read_bytes(path), path.name)
    except (InterchangeError, OSError):
        return "", False
    try:
        find_layout(table.columns, table.first, {})
    except InterchangeError as error:
        known = likely_mapping(table.columns)
        return str(error), bool(suggest_pairs(table.columns, table.first, known))
    return "", False


@only_refusals()
def read_pairs(
    table: RawTable,
    mapping: Mapping[str, str] | None = None,
    on_progress: Progress | None = None,
) -> PairImport:
    """Looks at every row of a table; as `import_pairs`.

    Raises:
        InterchangeError: the columns of a pair are not there, or there are too many rows.
    """
    layout = find_layout(table.columns, table.first, mapping or {})
    checking = PairChecking(layout)
    for row in table.rows:
        if not (row.cells or row.refusal):
            continue
        if len(checking.rows) >= MAX_PAIR_ROWS:
            raise InterchangeError(
                f"The file has more than {MAX_PAIR_ROWS:,} rows, the most that a set of pairs "
                "can have. Split it. Nothing was imported."
            )
        checking.add(row)
        if on_progress is not None and len(checking.rows) % _EVERY == 0:
            on_progress(len(checking.rows))
    if not checking.rows:
        raise InterchangeError("The file holds no rows.")
    return PairImport(
        layout.name, layout.mapping(), table.container, table.encoding, table.remarks,
        checking.rows, checking.pairs,
    )  # fmt: skip
