"""Designs that a person saved by name, with every version of each.

    saved = save_design(store, "Two boxes", design)     # version 1
    save_design(store, "Two boxes", changed)            # version 2; version 1 stays
    newest_designs(store)                               # a row per name

A saved design is what `Design` says and nothing else: loading it makes the same pairs again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biaslab import __version__
from biaslab.runs.errors import BadDesignName, UnknownDesign
from biaslab.runs.store.encoding import read_design, write_design
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.store import Store
from biaslab.studies import Design
from biaslab.system.roles import May, require

LONGEST_NAME = 80
"""Most characters in the name of a design: a limit of this app, for lists that fit a phone."""


@dataclass(frozen=True, slots=True)
class SavedDesign:
    """One version of a design that was saved.

    Attributes:
        name: as the person called it; version: from 1.
        design: study, size, seed and settings.
        library_version: of the BiasLab that saved it.
        saved: when, UTC, ISO 8601.
    """

    name: str
    version: int
    design: Design
    library_version: str
    saved: str


def save_design(store: Store, name: str, design: Design) -> SavedDesign:
    """Saves a design; under a name that is used already it becomes the next version.

    Raises:
        NotAllowed: whoever acts may not do this.
        BadDesignName: the name is empty, too long or holds signs that no screen shows.
    """
    require(May.KEEP)
    name = _checked(name)
    with store.writing() as connection:
        connection.execute(
            "INSERT INTO saved_designs (name, version, design, library_version, saved)"
            " SELECT ?, coalesce(max(version), 0) + 1, ?, ?, " + UTC + " FROM saved_designs"
            " WHERE name = ?",
            (name, write_design(design), __version__, name),
        )
    return load_design(store, name)


def newest_designs(store: Store) -> list[SavedDesign]:
    """The newest version under each name, the one that was saved last first."""
    return _read(
        store,
        "WHERE version = (SELECT max(version) FROM saved_designs AS all_of_it"
        " WHERE all_of_it.name = saved_designs.name) ORDER BY saved DESC, name",
    )


def design_versions(store: Store, name: str) -> list[SavedDesign]:
    """Every version under a name, the newest first; none where the name is not used."""
    return _read(store, "WHERE name = ? ORDER BY version DESC", (name,))


def load_design(store: Store, name: str, version: int | None = None) -> SavedDesign:
    """A saved design; the newest version unless one is named.

    Raises:
        UnknownDesign: there is no such name or version.
    """
    versions = design_versions(store, name)
    for saved in versions:
        if version in (None, saved.version):
            return saved
    if not versions:
        raise UnknownDesign(f"No design is saved as “{name}”. Choose one of the list.")
    raise UnknownDesign(
        f"“{name}” has no version {version}. Its versions are 1 to {versions[0].version}."
    )


def rename_design(store: Store, name: str, new: str) -> None:
    """Gives all versions of a design another name.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownDesign: no design is saved under the name.
        BadDesignName: the new name is no name, or is used already.
    """
    require(May.KEEP)
    new = _checked(new)
    if new == name:
        load_design(store, name)
        return
    with store.writing() as connection:
        if _count(connection, new):
            raise BadDesignName(
                f"Another design is saved as “{new}” already. Choose a name that is not used."
            )
        if not _count(connection, name):
            raise UnknownDesign(f"No design is saved as “{name}”. Choose one of the list.")
        connection.execute("UPDATE saved_designs SET name = ? WHERE name = ?", (new, name))


def delete_design(store: Store, name: str) -> None:
    """Deletes every version under a name. Runs that used it stay as they are.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownDesign: no design is saved under the name.
    """
    require(May.DELETE)
    with store.writing() as connection:
        if not _count(connection, name):
            raise UnknownDesign(f"No design is saved as “{name}”; it may be deleted already.")
        connection.execute("DELETE FROM saved_designs WHERE name = ?", (name,))


def _checked(name: str) -> str:
    """The name without spaces around it and with single ones inside."""
    name = " ".join(name.split())
    if not name:
        raise BadDesignName("The design has no name yet. Type one, such as “Two transfers”.")
    if len(name) > LONGEST_NAME:
        raise BadDesignName(
            f"The name has {len(name)} characters; the most is {LONGEST_NAME}. Choose a shorter "
            "one."
        )
    if not name.isprintable():
        raise BadDesignName(
            "The name holds signs that no screen shows, perhaps copied along with it. Type it "
            "again."
        )
    return name


def _count(connection: sqlite3.Connection, name: str) -> int:
    row = connection.execute("SELECT count(*) FROM saved_designs WHERE name = ?", (name,))
    return int(row.fetchone()[0])


def _read(store: Store, which: str, values: Iterable[str] = ()) -> list[SavedDesign]:
    with store.reading() as database:
        rows = database.query(f"SELECT * FROM saved_designs {which}", tuple(values))
        return [_saved(row) for row in rows]


def _saved(row: Mapping[str, Any]) -> SavedDesign:
    return SavedDesign(
        row["name"],
        row["version"],
        read_design(row["design"]),
        row["library_version"],
        row["saved"],
    )
