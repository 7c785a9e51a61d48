"""Opening a file of rooms: made where there is none, and tidied of old rooms."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from biaslab.room.keeping.store import Rooms
from biaslab.room.limits import KEPT_DAYS
from biaslab.runs import NewerStore, NotAStore
from biaslab.runs.store.connection import connect, store_errors
from biaslab.system.places import default_database

APPLICATION_ID = 0x42694C52
"""Marks the file as one of BiasLab's rooms ("BiLR")."""

VERSION = 1

_TABLES = """
CREATE TABLE rooms (
    id TEXT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,         -- what people type
    title TEXT NOT NULL,
    study TEXT NOT NULL,               -- whose reader reads the answers; '' where they are counted
    kind TEXT NOT NULL,
    allocation TEXT NOT NULL,
    pace TEXT NOT NULL,
    questions TEXT NOT NULL,           -- JSON list
    seed INTEGER NOT NULL,             -- decides, with the place of a person, who gets what
    state TEXT NOT NULL,
    step INTEGER NOT NULL,             -- the question that the host shows
    shows_answers INTEGER NOT NULL,
    rehearsal INTEGER NOT NULL,        -- 1: everybody in it is simulated
    created REAL NOT NULL,             -- seconds since 1970
    ends REAL NOT NULL
);

CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    phone BLOB NOT NULL,               -- a hash of the random id that the phone made
    place INTEGER NOT NULL,            -- in the order of arrival, from 0
    joined REAL NOT NULL,
    UNIQUE (room, phone),
    UNIQUE (room, place)
);

CREATE TABLE answers (
    -- The first answer of a person to a card counts.
    person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    card INTEGER NOT NULL,             -- twice the question's index, and one more for x'
    text TEXT NOT NULL,                -- as typed, or the number of the choice
    received REAL NOT NULL,
    PRIMARY KEY (person, card)
) WITHOUT ROWID;
"""

_DAY = 86_400.0


def rooms_beside(database: Path) -> Path:
    """Where rooms are kept: ``rooms.db`` beside a file of runs; it may not be there yet."""
    return database.with_name("rooms.db")


def default_rooms() -> Path:
    """The file of rooms beside the app's own file of runs."""
    return rooms_beside(default_database())


_OPENING = threading.Lock()


def rooms_here() -> Rooms:
    """The file of rooms of this process, opened once; pages and phones share it.

    Raises:
        StoreError: it cannot be opened.
    """
    with _OPENING:  # a page and a phone may come at the same moment
        return _opened(default_rooms())


@cache
def _opened(path: Path) -> Rooms:
    return open_rooms(path)


def open_rooms(path: Path, now: Callable[[], float] = time.time) -> Rooms:
    """Opens a file of rooms; makes it where there is none.

    Rooms older than `KEPT_DAYS` are deleted with everything in them.

    Raises:
        StoreError: it cannot be opened, or is no file of rooms; then nothing in it was changed.
    """
    with store_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = connect(path)
    try:
        with store_errors(path):
            _make_ready(connection, path)
    finally:
        connection.close()
    rooms = Rooms(path, now)
    for room in rooms.rooms():
        if room.created < now() - KEPT_DAYS * _DAY:
            rooms.delete(room.id)
    return rooms


def _make_ready(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and version == 0 and tables == 0:
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    elif application != APPLICATION_ID:
        raise NotAStore(
            f"The file {path} is no file of rooms. Nothing in it was changed. Move it elsewhere."
        )
    elif version > VERSION:
        raise NewerStore(
            f"The file {path} was written by a newer BiasLab. Nothing in it was changed. Update "
            "BiasLab, or move the file elsewhere."
        )
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
