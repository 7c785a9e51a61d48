"""Sets of multiple-choice items that people imported, as they are kept in the file of runs.

A set is written whole or not at all, and never changes. Designs name it by its name or its id, so
no two sets of a file have one name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from biaslab.runs.errors import RunError, UnknownSet
from biaslab.runs.library.pair_sets import LONGEST_NAME
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store

if TYPE_CHECKING:
    from biaslab.files import ImportedItem
    from biaslab.runs.store.sqlite import Database

_COLUMNS = "id, name, origin, items, created"


@dataclass(frozen=True, slots=True)
class ItemSet:
    """A kept set of items.

    Attributes:
        id: identifier, twelve hexadecimal digits.
        name: as the person called it; no other set of the file has it.
        origin: where its items come from, in words, such as the name of a file.
        items: how many.
        created: when it was kept, UTC, ISO 8601.
    """

    id: str
    name: str
    origin: str
    items: int
    created: str


@dataclass(frozen=True, slots=True)
class SetItems:
    """The items of a kept set, read from the file as they are wanted."""

    store: Store
    set: ItemSet

    def __len__(self) -> int:
        return self.set.items

    def __iter__(self) -> Iterator[ImportedItem]:
        # Loaded here: the readers of formats are not needed to ask most studies.
        from biaslab.files.items import read_imported

        with self.store.reading() as database:
            rows = list(
                database.query(
                    "SELECT item FROM set_items WHERE item_set = ? ORDER BY position",
                    [self.set.id],
                )
            )
        return (read_imported(json.loads(row["item"])) for row in rows)


def save_items(
    store: Store,
    name: str,
    items: Sequence[ImportedItem],
    origin: str,
    report: Mapping[str, Any] | None = None,
) -> ItemSet:
    """Keeps items as a set, whole or not at all.

    Args:
        store: where.
        name: what the person calls it; blanks at the ends are taken off.
        items: in their order; each once.
        origin: where they come from, in words.
        report: what became of every row of their file, JSON-ready.

    Raises:
        RunError: there are no items, or one of them twice; or the name is empty, too long or
            another set's. Nothing was written.
        StoreError: the file cannot be written. Nothing was written.
    """
    called = " ".join(name.split())
    if not 1 <= len(called) <= LONGEST_NAME:
        raise RunError(
            f"The name of a set has from 1 to {LONGEST_NAME} characters, not {len(called)}. "
            "Choose another name."
        )
    if not items:
        raise RunError("A set has at least one item. Nothing was kept.")
    if len({item.id for item in items}) < len(items):
        raise RunError("One item is there twice, which would count it double. Nothing was kept.")
    from biaslab.files.items import write_imported

    set_id = uuid4().hex[:12]
    with store.writing() as connection:
        if connection.execute(
            "SELECT 1 FROM item_sets WHERE ? IN (name, id)", (called,)
        ).fetchone():
            raise RunError(
                f"A set of items named “{called}” is kept already, and designs name sets. Choose "
                "another name, or delete that set first."
            )
        connection.execute(
            f"INSERT INTO item_sets ({_COLUMNS}, report) VALUES (?, ?, ?, ?, {UTC}, ?)",
            (set_id, called, origin, len(items), _json(dict(report or {}))),
        )
        connection.executemany(
            "INSERT INTO set_items (item_set, position, item) VALUES (?, ?, ?)",
            ((set_id, at, _json(write_imported(item))) for at, item in enumerate(items)),
        )
    return _one(store, set_id)


def item_sets(store: Store) -> list[ItemSet]:
    """Every kept set of items, the newest first."""
    with store.reading() as database:
        rows = database.query(f"SELECT {_COLUMNS} FROM item_sets ORDER BY created DESC, id")
        return [ItemSet(**row) for row in rows]


def find_items(store: Store, named: str) -> SetItems | None:
    """The items of the set that has this name or id; None where there is none."""
    with store.reading() as database:
        found = _found(database, named)
    return None if found is None else SetItems(store, found)


def items_report(store: Store, named: str) -> dict[str, Any]:
    """What became of every row of a set's file when it was imported.

    Raises:
        UnknownSet: there is no such set.
    """
    kept = _one(store, named)
    with store.reading() as database:
        (row,) = database.query("SELECT report FROM item_sets WHERE id = ?", [kept.id])
    return dict(json.loads(row["report"]))


def delete_items(store: Store, named: str) -> None:
    """Takes a set out of the file. Runs that asked it keep what they asked.

    Raises:
        UnknownSet: there is no such set.
    """
    kept = _one(store, named)
    with store.writing() as connection:
        connection.execute("DELETE FROM set_items WHERE item_set = ?", (kept.id,))
        connection.execute("DELETE FROM item_sets WHERE id = ?", (kept.id,))


def _one(store: Store, named: str) -> ItemSet:
    with store.reading() as database:
        found = _found(database, named)
    if found is None:
        raise UnknownSet(
            f"There is no set of items {named!r} in this file. It may have been deleted; choose "
            "one of those that are kept."
        )
    return found


def _found(database: Database, named: str) -> ItemSet | None:
    rows = database.query(f"SELECT {_COLUMNS} FROM item_sets WHERE ? IN (id, name)", [named])
    return next((ItemSet(**row) for row in rows), None)


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
