"""Sets that people imported or made, as they are kept in the file of runs: one mechanism.

A set has a name, says where it comes from and what became of the rows of its file, and is found
by its id. It is written whole or not at all, and never changes. What its members are, and how
they are stored, is said by `pair_sets`, and for items below.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import uuid4

from biaslab.runs.errors import RunError, UnknownSet
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store
from biaslab.system.roles import May, require

if TYPE_CHECKING:
    from biaslab.files import ImportedItem
    from biaslab.runs.store.sqlite import Database

LONGEST_NAME = 200
"""Characters in the name of a set."""


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A kept set.

    Attributes:
        id: identifier, twelve hexadecimal digits.
        name: as the person called it.
        origin: where its members come from, in words, such as the name of a file.
        created: when it was kept, UTC, ISO 8601.
    """

    id: str
    name: str
    origin: str
    created: str


AnySet = TypeVar("AnySet", bound=StoredSet)


@dataclass(frozen=True, slots=True)
class Sets(Generic[AnySet]):
    """The sets of one kind in a file.

    Attributes:
        kind: what a set is read as; it has an attribute named as `members`.
        members: what they are called in tables and sentences: ``pairs`` or ``items``.
        by_name: whether designs may name a set by its name, so that no two have the same.
        where: a condition of SQL on the sets that are of this kind; mostly all of a table.
    """

    kind: type[AnySet]
    members: str
    by_name: bool = False
    where: str = "true"

    @property
    def _table(self) -> str:
        return f"{self.members.removesuffix('s')}_sets"

    @property
    def _columns(self) -> str:
        return f"id, name, origin, {self.members}, created"

    @property
    def _named(self) -> str:
        """The condition on a set that is named so; its parameter is the name."""
        return f"{'? IN (id, name)' if self.by_name else 'id = ?'} AND {self.where}"

    def name(self, text: str) -> str:
        """The name of a new set, as it is kept.

        Raises:
            RunError: it is empty or too long.
        """
        called = " ".join(text.split()) if self.by_name else text.strip()
        if not 1 <= len(called) <= LONGEST_NAME:
            raise RunError(
                f"The name of a set has from 1 to {LONGEST_NAME} characters, not {len(called)}. "
                "Choose another name."
            )
        return called

    def add(
        self, connection: sqlite3.Connection, name: str, origin: str, count: int, report: object
    ) -> str:
        """Writes down a set without its members; gives its id.

        Args:
            connection: in a transaction, which the members belong to as well.
            name: as `name` gives it.
            origin: where the members come from, in words.
            count: how many there are.
            report: what became of the rows of their file, JSON-ready.

        Raises:
            RunError: designs name such sets, and another one has this name.
        """
        taken = f"SELECT 1 FROM {self._table} WHERE {self._named}"
        if self.by_name and connection.execute(taken, (name,)).fetchone():
            raise RunError(
                f"A set of {self.members} named “{name}” is saved already, and designs name sets. "
                "Choose another name, or delete that set first."
            )
        set_id = uuid4().hex[:12]
        connection.execute(
            f"INSERT INTO {self._table} ({self._columns}, report) VALUES (?, ?, ?, ?, {UTC}, ?)",
            (set_id, name, origin, count, as_json(report)),
        )
        return set_id

    def all(self, store: Store) -> list[AnySet]:
        """Every kept set, the newest first."""
        query = (
            f"SELECT {self._columns} FROM {self._table} WHERE {self.where} "
            "ORDER BY created DESC, id"
        )
        with store.reading() as database:
            return [self.kind(**row) for row in database.query(query)]

    def find(self, store: Store, named: str) -> AnySet | None:
        """The set that is named so; None where there is none."""
        with store.reading() as database:
            rows = self._rows(database, self._columns, named)
        return self.kind(**rows[0]) if rows else None

    def one(self, store: Store, named: str) -> AnySet:
        """The set that is named so.

        Raises:
            UnknownSet: there is none.
        """
        found = self.find(store, named)
        if found is None:
            raise self._unknown(named)
        return found

    def report(self, store: Store, named: str) -> Any:
        """What happened to each row of a set's file.

        Raises:
            UnknownSet: there is no such set.
        """
        with store.reading() as database:
            rows = self._rows(database, "report", named)
        if not rows:
            raise self._unknown(named)
        return json.loads(rows[0]["report"])

    def delete(self, store: Store, named: str) -> None:
        """Takes a set out of the file. Runs that asked it keep what they asked.

        Raises:
            UnknownSet: there is no such set.
        """
        member_of = self._table.removesuffix("s")
        chosen = f"SELECT id FROM {self._table} WHERE {self._named}"
        with store.writing() as connection:
            ids = connection.execute(chosen, (named,)).fetchall()
            if not ids:
                raise self._unknown(named)
            connection.executemany(f"DELETE FROM set_{self.members} WHERE {member_of} = ?", ids)
            connection.executemany(f"DELETE FROM {self._table} WHERE id = ?", ids)

    def _rows(self, database: Database, columns: str, named: str) -> list[dict[str, Any]]:
        query = f"SELECT {columns} FROM {self._table} WHERE {self._named}"
        return list(database.query(query, [named]))

    def _unknown(self, named: str) -> UnknownSet:
        return UnknownSet(
            f"There is no set of {self.members} {named!r} in this file. It may have been deleted; "
            "choose one of those that are saved."
        )


def as_json(content: object) -> str:
    """The text of a value as sets keep it."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


# Sets of multiple-choice items. Designs name one by its name or its id, so no two of them in a
# file have one name.


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
        raise RunError("A set has at least one item. Nothing was saved.")
    if len({item.id for item in items}) < len(items):
        raise RunError("One item is there twice, which would count it double. Nothing was saved.")
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
