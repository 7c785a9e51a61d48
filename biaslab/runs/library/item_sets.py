"""Sets of multiple-choice items that people imported, as they are kept in the file of runs.

A set is as `biaslab.runs.library.sets` says. Designs name it by its name or its id, so no two sets
of items in a file have one name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biaslab.roles import May, require
from biaslab.runs.errors import RunError
from biaslab.runs.library.sets import Sets, StoredSet, as_json
from biaslab.runs.store.store import Store

if TYPE_CHECKING:
    from biaslab.files import ImportedItem


@dataclass(frozen=True, slots=True)
class ItemSet(StoredSet):
    """A kept set of items; no other set of items in the file has its name.

    Attributes:
        items: how many.
    """

    items: int


_SETS = Sets(ItemSet, "items", by_name=True)


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
        NotAllowed: whoever acts may not do this.
        RunError: there are no items, or one of them twice; or the name is empty, too long or
            another set's. Nothing was written.
        StoreError: the file cannot be written. Nothing was written.
    """
    require(May.KEEP)
    called = _SETS.name(name)
    if not items:
        raise RunError("A set has at least one item. Nothing was kept.")
    if len({item.id for item in items}) < len(items):
        raise RunError("One item is there twice, which would count it double. Nothing was kept.")
    from biaslab.files.items import write_imported

    with store.writing() as connection:
        set_id = _SETS.add(connection, called, origin, len(items), dict(report or {}))
        connection.executemany(
            "INSERT INTO set_items (item_set, position, item) VALUES (?, ?, ?)",
            ((set_id, at, as_json(write_imported(item))) for at, item in enumerate(items)),
        )
    return _SETS.one(store, set_id)


def item_sets(store: Store) -> list[ItemSet]:
    """Every kept set of items, the newest first."""
    return _SETS.all(store)


def find_items(store: Store, named: str) -> SetItems | None:
    """The items of the set that has this name or id; None where there is none."""
    found = _SETS.find(store, named)
    return None if found is None else SetItems(store, found)


def items_report(store: Store, named: str) -> dict[str, Any]:
    """What became of every row of a set's file when it was imported.

    Raises:
        UnknownSet: there is no such set.
    """
    return dict(_SETS.report(store, named))


def delete_items(store: Store, named: str) -> None:
    """Takes a set out of the file. Runs that asked it keep what they asked.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownSet: there is no such set.
    """
    require(May.DELETE)
    _SETS.delete(store, named)
