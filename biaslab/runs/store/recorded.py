"""The gallery: runs of real language models that come with BiasLab, beside everybody's own.

It is an ordinary file of runs, compressed. It is unpacked once into the user's cache, under the
hash of what it came from, and opened so that nothing can be written to it or beside it.
`biaslab.runs.recording` makes it.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path

import platformdirs

from biaslab.runs.errors import StoreUnreadable
from biaslab.runs.store.connection import store_errors
from biaslab.runs.store.schema import VERSION
from biaslab.system.places import make_private, recorded_runs

PACKED = "runs.db.xz"
"""Name of the compressed file in the gallery's folder."""

_ID = re.compile(r"r[0-9a-f]{11}")


def is_recorded(run_id: str) -> bool:
    """Whether an id is one of the gallery's: ids of runs made here have digits and a to f alone."""
    return _ID.fullmatch(run_id) is not None


def unpacked() -> Path | None:
    """The gallery as a file of runs; None where there is no gallery.

    Raises:
        StoreUnreadable: it is damaged.
    """
    packed = recorded_runs() / PACKED
    if not packed.is_file():
        return None
    status = packed.stat()
    return _unpacked(packed, status.st_mtime_ns, status.st_size)


@cache
def _unpacked(packed: Path, changed: int, size: int) -> Path:
    del changed, size  # another gallery may have come to lie there
    try:
        name = f"recorded-{sha256(packed.read_bytes()).hexdigest()[:16]}.db"
        try:
            path = _unpack(packed, platformdirs.user_cache_path("biaslab", appauthor=False) / name)
        except PermissionError:  # an account without a home of its own
            path = _unpack(packed, Path(tempfile.mkdtemp(prefix="biaslab-")) / name)
        _check_version(path)
        return path
    except (OSError, EOFError, lzma.LZMAError, sqlite3.Error) as error:
        raise StoreUnreadable(
            f"The recorded runs cannot be shown, because {packed} cannot be used ({error}): get "
            "this file of BiasLab again; your own runs are all there."
        ) from error


def _unpack(packed: Path, path: Path) -> Path:
    if path.is_file():
        return path
    make_private(path.parent)
    handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as whole, lzma.open(packed) as read:
            shutil.copyfileobj(read, whole)
        with closing(sqlite3.connect(part)) as database:
            (told,) = database.execute("PRAGMA quick_check(1)").fetchone()
            if told != "ok":
                raise sqlite3.DatabaseError("it is damaged")
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)
    return path


def _check_version(path: Path) -> None:
    """Refuses files that another BiasLab wrote: one that is only read cannot be brought up to date.

    Raises:
        sqlite3.Error: it is one, or no file of runs.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        if database.execute("PRAGMA user_version").fetchone() != (VERSION,):
            raise sqlite3.DatabaseError("it is not a file of runs of this version of BiasLab")


def connect_recorded(path: Path) -> sqlite3.Connection:
    """A connection that only reads; any one thread at a time may use it.

    Raises:
        StoreError: the file cannot be opened.
    """
    with store_errors(path):
        return sqlite3.connect(
            f"{path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip
