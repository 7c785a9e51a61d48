"""Sets of pairs that people imported or made, as they are kept in the file of runs.

A set is as `biaslab.runs.library.sets` says. Its pairs and items stand in the same
tables as those that designs draw, so a run asks them, and screens show them, in the same way.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from biaslab.runs.errors import RunError
from biaslab.runs.library.sets import Sets, StoredSet
from biaslab.runs.store.encoding import ITEM_AGAIN, PAIR_AGAIN, item_row, pair_row, read_item
from biaslab.runs.store.store import Store
from biaslab.studies.study import MAXIMUM_PAIRS, Pair, study_of_sets
from biaslab.system.roles import May, require

# Pairs on their way into a set. A hundred thousand pairs take longer to write out than others
# should wait. So they are written to temporary tables, which lock nobody out, and copied into the
# file in one short transaction.


_STAGED_TOGETHER = 500
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
                    "double. Nothing was saved; leave one of the two out."
                )
            if len(seen) == MAXIMUM_PAIRS:
                raise _wrong_size(f"more than {MAXIMUM_PAIRS:,}")
            seen.add(pair.id)
            batch.append(pair)
            if len(batch) == _STAGED_TOGETHER:
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
    return RunError(f"A set has from 1 to {MAXIMUM_PAIRS:,} pairs, not {count}. Nothing was saved.")


_TOGETHER = 500
"""Pairs read with one statement."""

_PAIRS = """
SELECT set_pairs.position, pairs.id, pairs.cluster, pairs.strata, pairs.x, pairs.x_prime
FROM set_pairs JOIN pairs ON pairs.id = set_pairs.pair
WHERE set_pairs.pair_set = ? AND set_pairs.position IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class PairSet(StoredSet):
    """A kept set of pairs.

    Attributes:
        pairs: how many.
    """

    pairs: int


@cache
def _sets(kind: str) -> Sets[PairSet]:
    """The sets that a setting of this kind chooses from: ``set`` or ``cases``.

    Asked for only when a set is wanted, since it looks through all studies.
    """
    are_cases = f"""(SELECT study = '{study_of_sets("cases").name}' FROM pairs WHERE id = (
        SELECT pair FROM set_pairs WHERE pair_set = pair_sets.id AND position = 0))"""
    if kind == "set":
        return Sets(PairSet, "pairs", where=f"NOT {are_cases}")
    return Sets(PairSet, "pairs", by_name=True, where=are_cases)


@dataclass(frozen=True, slots=True)
class SetPairs:
    """The pairs of a kept set, read from the file as they are wanted."""

    store: Store
    set: PairSet

    def __len__(self) -> int:
        return self.set.pairs

    def __iter__(self) -> Iterator[Pair]:
        return self.at(range(len(self)))

    def at(self, positions: Sequence[int]) -> Iterator[Pair]:
        """The pairs at these places, from 0, in this order."""
        for start in range(0, len(positions), _TOGETHER):
            wanted = list(positions[start : start + _TOGETHER])
            found = self._read(wanted)
            yield from (found[position] for position in wanted)

    def _read(self, positions: Sequence[int]) -> dict[int, Pair]:
        with self.store.reading() as database:
            rows = list(database.query(_PAIRS, [self.set.id, json.dumps(positions)]))
            ids = sorted({row[member] for row in rows for member in ("x", "x_prime")})
            items = {
                row["id"]: read_item(row)
                for row in database.query(
                    "SELECT * FROM items WHERE id IN (SELECT value FROM json_each(?))",
                    [json.dumps(ids)],
                )
            }
        return {
            row["position"]: Pair(
                row["id"],
                items[row["x"]],
                items[row["x_prime"]],
                json.loads(row["strata"]),
                row["cluster"],
            )
            for row in rows
        }


def save_set(
    store: Store,
    name: str,
    pairs: Iterable[Pair],
    origin: str,
    report: Sequence[Mapping[str, Any]] = (),
) -> PairSet:
    """Keeps pairs as a set, whole or not at all.

    Args:
        store: where.
        name: what the person calls it; blanks at the ends are taken off.
        pairs: in their order; each once.
        origin: where they come from, in words.
        report: what became of rows that are no plain pairs, JSON-ready.

    Raises:
        NotAllowed: whoever acts may not do this.
        RunError: there are no pairs, too many, or one of them twice; or the name is empty or
            too long. Nothing was written.
        StoreError: the file cannot be written. Nothing was written.
    """
    return _save(store, "set", name, pairs, origin, report)


def save_cases(
    store: Store,
    name: str,
    pairs: Iterable[Pair],
    origin: str,
    report: Sequence[Mapping[str, Any]] = (),
) -> PairSet:
    """Keeps cases of decisions as a set that designs name, as `save_set` does pairs.

    Raises:
        RunError: as there, or another set of cases has this name.
    """
    return _save(store, "cases", name, pairs, origin, report)


def _save(
    store: Store,
    kind: str,
    name: str,
    pairs: Iterable[Pair],
    origin: str,
    report: Sequence[Mapping[str, Any]],
) -> PairSet:
    require(May.KEEP)
    sets = _sets(kind)
    called = sets.name(name)
    staging = Staging(study_of_sets(kind).name, pairs)
    with store.writing(staging.stage) as connection:
        set_id = sets.add(connection, called, origin, staging.count, list(report))
        staging.copy(connection, set_id)
    return sets.one(store, set_id)


def pair_sets(store: Store) -> list[PairSet]:
    """Every kept set, the newest first."""
    return _sets("set").all(store)


def case_sets(store: Store) -> list[PairSet]:
    """Every kept set of cases of decisions, the newest first."""
    return _sets("cases").all(store)


def find_cases(store: Store, named: str) -> SetPairs | None:
    """The cases of the set that has this name or id; None where there is none."""
    found = _sets("cases").find(store, named)
    return None if found is None else SetPairs(store, found)


def delete_cases(store: Store, named: str) -> None:
    """Takes a set of cases out of the file; as `delete_set`."""
    require(May.DELETE)
    _sets("cases").delete(store, named)


def find_pairs(store: Store, set_id: str) -> SetPairs | None:
    """The pairs of the set that has this id; None where there is none."""
    found = _sets("set").find(store, set_id)
    return None if found is None else SetPairs(store, found)


def set_pairs(store: Store, set_id: str) -> SetPairs:
    """The pairs of a kept set, to go through or to take some of.

    Raises:
        UnknownSet: there is no such set.
    """
    return SetPairs(store, _sets("set").one(store, set_id))


def set_report(store: Store, set_id: str) -> list[dict[str, Any]]:
    """What became of rows that are no plain pairs when the set was made.

    Raises:
        UnknownSet: there is no such set.
    """
    return list(_sets("set").report(store, set_id))


def delete_set(store: Store, set_id: str) -> None:
    """Takes a set out of the file. Runs that asked it keep their pairs and stay as they are.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownSet: there is no such set.
    """
    require(May.DELETE)
    _sets("set").delete(store, set_id)
