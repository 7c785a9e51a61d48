"""Sets of pairs that people imported or made, as they are kept in the file of runs.

A set is written whole or not at all, and never changes. Its pairs and items stand in the same
tables as those that designs draw, so a run asks them, and screens show them, in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from biaslab.runs.errors import RunError, UnknownSet
from biaslab.runs.library.pair_set_staging import Staging
from biaslab.runs.store.encoding import read_item
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store
from biaslab.studies.registry import study_of_sets
from biaslab.studies.study import Pair

if TYPE_CHECKING:
    from biaslab.runs.store.sqlite import Database

LONGEST_NAME = 200
"""Characters in the name of a set."""

_TOGETHER = 500
"""Pairs read with one statement."""

_COLUMNS = "id, name, origin, pairs, created"

_PAIRS = """
SELECT set_pairs.position, pairs.id, pairs.cluster, pairs.strata, pairs.x, pairs.x_prime
FROM set_pairs JOIN pairs ON pairs.id = set_pairs.pair
WHERE set_pairs.pair_set = ? AND set_pairs.position IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class PairSet:
    """A kept set of pairs.

    Attributes:
        id: identifier, twelve hexadecimal digits.
        name: as the person called it.
        origin: where its pairs come from, in words, such as the name of a file.
        pairs: how many.
        created: when it was kept, UTC, ISO 8601.
    """

    id: str
    name: str
    origin: str
    pairs: int
    created: str


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
        RunError: there are no pairs, too many, or one of them twice; or the name is empty or
            too long. Nothing was written.
        StoreError: the file cannot be written. Nothing was written.
    """
    called = name.strip()
    if not 1 <= len(called) <= LONGEST_NAME:
        raise RunError(
            f"The name of a set has from 1 to {LONGEST_NAME} characters, not {len(called)}. "
            "Choose another name."
        )
    set_id = uuid4().hex[:12]
    told = json.dumps(list(report), ensure_ascii=False)
    staging = Staging(study_of_sets().name, pairs)
    with store.writing(staging.stage) as connection:
        connection.execute(
            f"INSERT INTO pair_sets ({_COLUMNS}, report) VALUES (?, ?, ?, ?, {UTC}, ?)",
            (set_id, called, origin, staging.count, told),
        )
        staging.copy(connection, set_id)
    return _one(store, set_id)


def pair_sets(store: Store) -> list[PairSet]:
    """Every kept set, the newest first."""
    with store.reading() as database:
        rows = database.query(f"SELECT {_COLUMNS} FROM pair_sets ORDER BY created DESC, id")
        return [PairSet(**row) for row in rows]


def find_pairs(store: Store, set_id: str) -> SetPairs | None:
    """The pairs of the set that has this id; None where there is none."""
    with store.reading() as database:
        found = _found(database, set_id)
    return None if found is None else SetPairs(store, found)


def set_pairs(store: Store, set_id: str) -> SetPairs:
    """The pairs of a kept set, to go through or to take some of.

    Raises:
        UnknownSet: there is no such set.
    """
    return SetPairs(store, _one(store, set_id))


def set_report(store: Store, set_id: str) -> list[dict[str, Any]]:
    """What became of rows that are no plain pairs when the set was made.

    Raises:
        UnknownSet: there is no such set.
    """
    with store.reading() as database:
        rows = list(database.query("SELECT report FROM pair_sets WHERE id = ?", [set_id]))
    if not rows:
        raise _unknown(set_id)
    return list(json.loads(rows[0]["report"]))


def delete_set(store: Store, set_id: str) -> None:
    """Takes a set out of the file. Runs that asked it keep their pairs and stay as they are.

    Raises:
        UnknownSet: there is no such set.
    """
    with store.writing() as connection:
        connection.execute("DELETE FROM set_pairs WHERE pair_set = ?", (set_id,))
        if not connection.execute("DELETE FROM pair_sets WHERE id = ?", (set_id,)).rowcount:
            raise _unknown(set_id)


def _one(store: Store, set_id: str) -> PairSet:
    with store.reading() as database:
        found = _found(database, set_id)
    if found is None:
        raise _unknown(set_id)
    return found


def _found(database: Database, set_id: str) -> PairSet | None:
    rows = database.query(f"SELECT {_COLUMNS} FROM pair_sets WHERE id = ?", [set_id])
    return next((PairSet(**row) for row in rows), None)


def _unknown(set_id: str) -> UnknownSet:
    return UnknownSet(
        f"There is no set of pairs {set_id!r} in this file. It may have been deleted; "
        "choose one of those that are kept."
    )
