"""Opens the SQLite file behind a store and says in sentences what is wrong with it, or its disk.

Every connection is in autocommit mode (transactions are written out), waits `BUSY_SECONDS` for
other writers, and has ``synchronous=FULL``: a commit has reached the disk, not only the operating
system, when it returns. Answers are committed in groups (see `biaslab.runs.engine.writer`), so this
costs a few synchronisations a second, and an answer that was paid for survives a power cut. With
``NORMAL`` the file would stay sound too, but the last answers could be gone.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from biaslab.runs.errors import (
    DamagedStore,
    NewerStore,
    NotAStore,
    OlderStore,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnreadable,
)
from biaslab.runs.store.schema import APPLICATION_ID, FIRST, VERSION, migrate
from biaslab.system.places import make_private

BUSY_SECONDS = 30.0
"""How long a connection waits for another writer."""

_CACHE_KIB = 16 * 1024
_HEADER_BYTES = 100
_SETTLE_SECONDS = 2.0  # a new file is written in milliseconds; a slow disk takes longer

_FULL = {sqlite3.SQLITE_FULL}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_UNREADABLE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
}


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that `make_ready` has seen; any one thread at a time may use it.

    Raises:
        StoreError: the file cannot be opened.
    """
    with store_errors(path):
        connection = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        except BaseException:
            connection.close()
            raise
        return connection


def make_ready(path: Path) -> None:
    """Creates the file, or checks it and brings it to this version.

    A file that is damaged, newer or another program's is left exactly as it is.

    Raises:
        StoreError: as its subclasses say.
    """
    _make_directory(path)
    _look_inside(path)
    connection = connect(path)
    try:
        with store_errors(path):
            _check_contents(connection, path)
            _switch_to_wal(connection)
            migrate(connection)
    finally:
        connection.close()


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turns what SQLite and the operating system report into `StoreError` sentences."""
    try:
        yield
    except sqlite3.Error as error:
        told = _as_store_error(error, path)
        if told is None:
            raise
        raise told from error
    except OSError as error:
        raise StoreUnreadable(
            f"The file {path} cannot be used: {error.strerror or error}. "
            "Check that the folder exists and may be written to, or choose another file."
        ) from error


def _as_store_error(error: sqlite3.Error, path: Path) -> StoreError | None:
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    if code in _FULL:
        return StoreFull(
            f"There is no room left to write to {path}. Everything answered so far is saved. "
            "Free some space on that disk, then resume."
        )
    if code in _BUSY:
        return StoreBusy(
            f"Another program has kept {path} locked for over {BUSY_SECONDS:.0f} seconds. "
            "Close other programs that have this file open, then try again."
        )
    if code in _DAMAGED:
        return _damaged(path, str(error))
    if code in _UNREADABLE:
        return StoreUnreadable(
            f"The file {path} cannot be opened or written to ({error}). "
            "Check that the folder exists and may be written to, or choose another file."
        )
    return None


def _damaged(path: Path, reason: str) -> DamagedStore:
    return DamagedStore(
        f"The file {path} is damaged, or of another kind ({reason}). Nothing in it was changed. "
        "Put back a copy of it, or choose another file."
    )


def _make_directory(path: Path) -> None:
    with store_errors(path):
        make_private(path.parent)
    if path.is_dir():
        raise StoreUnreadable(f"{path} is a folder. Name a file, for example {path / 'runs.db'}.")


def _look_inside(path: Path) -> None:
    """Looks at an existing file without writing to it or beside it.

    Another process may be writing it at this moment, and half of a write looks like damage: what
    has changed under the eyes, or has a log of changes beside it, is looked at again.
    """
    deadline = time.monotonic() + _SETTLE_SECONDS
    while True:
        before = _traces_of_writing(path)
        try:
            _look_once(path)
            return
        except DamagedStore:
            settled = before == _traces_of_writing(path) and not before.log
            if settled or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


class _Traces(NamedTuple):
    """What a writer leaves: the size, the time of the last change (ns), a log beside the file."""

    size: int
    changed: int
    log: bool


def _traces_of_writing(path: Path) -> _Traces:
    with store_errors(path):
        if not path.exists():
            return _Traces(0, 0, log=False)
        status = path.stat()
        logs = (path.with_name(path.name + ending) for ending in ("-wal", "-journal"))
        return _Traces(status.st_size, status.st_mtime_ns, any(log.exists() for log in logs))


def _look_once(path: Path) -> None:
    """One look.

    SQLite does the looking, told that the file does not change. Plain ``open()`` must never be
    used on it: closing such a handle would drop the locks of every connection of this process
    to the file (a property of POSIX locks), and other processes would then remove the log that
    these connections still read.
    """
    with store_errors(path):
        size = path.stat().st_size if path.exists() else 0
        if size == 0:
            return
        if size < _HEADER_BYTES:  # SQLite would take a file of one byte for an empty one
            raise _damaged(path, "it is too short")
        uri = f"{path.as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            application, version = _marks(connection)
        finally:
            connection.close()
    if application == APPLICATION_ID:
        _check_version(version, path)
    elif (application or version) and not path.with_name(path.name + "-wal").exists():
        raise _not_ours(path)


def _marks(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version


def _check_contents(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN")  # one moment: another process may be making the tables
    application, version = _marks(connection)
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    connection.execute("COMMIT")  # after an error nothing is left to end: the caller closes
    if application == APPLICATION_ID:
        _check_version(version, path)
    elif application or version or objects:
        raise _not_ours(path)


def _check_version(version: int, path: Path) -> None:
    if 0 < version < FIRST:
        raise OlderStore(
            f"The file {path} was written by a BiasLab before 0.4, whose files are no longer read. "
            "Nothing in it was changed. Open it once with BiasLab 0.4, or choose another file."
        )
    if version > VERSION:
        raise NewerStore(
            f"The file {path} was written by a newer BiasLab (file version {version}; this one "
            f"knows {VERSION}). Nothing in it was changed. Update BiasLab, or choose another file."
        )


def _not_ours(path: Path) -> NotAStore:
    return NotAStore(
        f"The file {path} is a database of another program. Nothing in it was changed. "
        "Choose another file."
    )


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Readers and a writer do not wait for each other. The file remembers the mode.

    SQLite's own waiting does not cover this switch when several processes open a new file
    at the same moment, so it is tried again here.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = (error.sqlite_errorcode & 0xFF) in _BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


LEAST_FREE = 500_000_000
"""Bytes that stay free beside the file of runs when something is begun."""


def check_space(path: str | Path) -> None:
    """Sees that there is room beside the file of runs before something is begun.

    Raises:
        StoreFull: there is not.
    """
    database = Path(path).expanduser().absolute()
    there = next(folder for folder in database.parents if folder.exists())
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        raise StoreFull(
            f"Only {free // 1_000_000:,} MB are free on the disk of {database}, and nothing is "
            f"begun below {LEAST_FREE // 1_000_000:,} MB: free some space, then start again."
        )
