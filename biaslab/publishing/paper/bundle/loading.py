"""Puts a bundle's records into a file of runs of their own, so that all else reads them as ever."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from biaslab.publishing.paper.bundle.opening import OpenBundle
from biaslab.publishing.paper.bundle.tables import TABLES, rows_of
from biaslab.publishing.paper.errors import BundleError
from biaslab.runs import Store
from biaslab.runs.store.connection import make_ready
from biaslab.runs.store.store import LoneStore
from schoolmath.text.given_files import parse_json


@contextmanager
def loaded(bundle: OpenBundle) -> Iterator[Store]:
    """A file of runs with what the bundle holds, and nothing else; gone afterwards.

    Raises:
        BundleError: its records do not fit together.
    """
    with TemporaryDirectory(prefix="biaslab-bundle-") as folder:
        path = Path(folder) / "runs.db"
        make_ready(path)
        # A bundle may hold recorded runs: what it says of them is looked at, not what came here.
        with LoneStore(path) as store:
            _fill(store, bundle)
            yield store


def _fill(store: Store, bundle: OpenBundle) -> None:
    try:
        with store.writing() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            for table in TABLES:
                if table.file not in bundle.files:
                    continue
                rows = rows_of(table, bundle.text(table.file), parse_json)
                connection.executemany(table.insert, rows)
            samples = connection.execute("SELECT max(samples) FROM runs").fetchone()[0]
            broken = connection.execute("PRAGMA foreign_key_check").fetchone()
            if samples is None or broken:
                where = "runs" if samples is None else broken[0]
                raise BundleError(f"{where}.jsonl names what is not in the bundle, or is empty.")
    # Numbers beyond 64 bits and halves of surrogate pairs are no SQLite errors.
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise BundleError(f"The bundle's records do not fit together: {error}.") from None
