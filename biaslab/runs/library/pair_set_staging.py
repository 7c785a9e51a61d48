"""Pairs on their way into a set: written beside the file first, then into it at once.

A hundred thousand pairs take longer to write out than others should wait. So they are written to
temporary tables, which lock nobody out, and copied into the file in one short transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from biaslab.runs.errors import RunError
from biaslab.runs.store.encoding import ITEM_AGAIN, PAIR_AGAIN, item_row, pair_row
from biaslab.studies.study import MAXIMUM_PAIRS, Pair

_TOGETHER = 500
"""Pairs written with one statement."""

_TABLES = """
CREATE TEMP TABLE staged_items (
    id TEXT PRIMARY KEY, study TEXT, text TEXT, answer TEXT, facts TEXT, options TEXT
) WITHOUT ROWID;

CREATE TEMP TABLE staged_pairs (
    position INTEGER PRIMARY KEY,
    id TEXT, study TEXT, x TEXT, x_prime TEXT, cluster TEXT, strata TEXT
)
"""

_ITEM = "INSERT OR REPLACE INTO staged_items VALUES (?, ?, ?, ?, ?, ?)"
_PAIR = "INSERT INTO staged_pairs VALUES (?, ?, ?, ?, ?, ?, ?)"

_COPIES = (
    f"INSERT INTO items SELECT * FROM staged_items WHERE true {ITEM_AGAIN}",
    f"""INSERT INTO pairs SELECT id, study, x, x_prime, cluster, strata FROM staged_pairs
    WHERE true ORDER BY id {PAIR_AGAIN}""",
)
_POSITIONS = """
INSERT INTO set_pairs (pair_set, position, pair) SELECT ?, position, id FROM staged_pairs
"""


class Staging:
    """The pairs of a set that is being made.

    Args:
        study: under which they are kept; pairs: in their order.

    Attributes:
        count: how many were staged.
    """

    def __init__(self, study: str, pairs: Iterable[Pair]) -> None:
        self.count = 0
        self._study = study
        self._pairs = pairs

    def stage(self, connection: sqlite3.Connection) -> None:
        """Writes the pairs to temporary tables.

        Raises:
            RunError: there are no pairs, too many, or one of them twice.
        """
        # Other screens may have left theirs in a connection that is used again.
        self._drop(connection)
        for statement in _TABLES.split(";\n\n"):
            connection.execute(statement)
        connection.execute("BEGIN")
        seen: set[str] = set()
        batch: list[Pair] = []
        for pair in self._pairs:
            if pair.id in seen:
                raise RunError(
                    f"Pair {len(seen) + 1} is the same as an earlier one, which would count it "
                    "double. Nothing was kept; leave one of the two out."
                )
            if len(seen) == MAXIMUM_PAIRS:
                raise _wrong_size(f"more than {MAXIMUM_PAIRS:,}")
            seen.add(pair.id)
            batch.append(pair)
            if len(batch) == _TOGETHER:
                self._write(connection, batch)
                batch = []
        self._write(connection, batch)
        if not seen:
            raise _wrong_size("none")
        connection.execute("COMMIT")

    def copy(self, connection: sqlite3.Connection, set_id: str) -> None:
        """Copies them into the file and into the set."""
        for statement in _COPIES:
            connection.execute(statement)
        connection.execute(_POSITIONS, (set_id,))
        self._drop(connection)

    def _write(self, connection: sqlite3.Connection, pairs: list[Pair]) -> None:
        items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
        connection.executemany(_ITEM, [item_row(self._study, item) for item in items])
        rows = [(self.count + at, *pair_row(self._study, pair)) for at, pair in enumerate(pairs)]
        connection.executemany(_PAIR, rows)
        self.count += len(pairs)

    def _drop(self, connection: sqlite3.Connection) -> None:
        for table in ("staged_items", "staged_pairs"):
            connection.execute(f"DROP TABLE IF EXISTS temp.{table}")


def _wrong_size(count: str) -> RunError:
    return RunError(f"A set has from 1 to {MAXIMUM_PAIRS:,} pairs, not {count}. Nothing was kept.")
