"""The table of designs that people saved by name."""

from __future__ import annotations

import sqlite3

_TABLE = """
CREATE TABLE saved_designs (
    -- Designs that a person saved. A version never changes; saving again adds one.
    name TEXT NOT NULL,
    version INTEGER NOT NULL,          -- from 1, for each name
    design TEXT NOT NULL,              -- JSON: study, n, seed, settings
    library_version TEXT NOT NULL,     -- of BiasLab, when it was saved
    saved TEXT NOT NULL,               -- UTC, ISO 8601
    PRIMARY KEY (name, version)
) WITHOUT ROWID
"""


def design_tables(connection: sqlite3.Connection) -> None:
    """Makes the table of saved designs."""
    connection.execute(_TABLE)
