"""The table of biases that people wrote."""

from __future__ import annotations

import sqlite3

_TABLE = """
CREATE TABLE own_biases (
    -- Biases that a person wrote or filled. A bias never changes; it can be deleted.
    id TEXT PRIMARY KEY,               -- as its file says; none of the app's own
    name TEXT NOT NULL,                -- as its file says
    text TEXT NOT NULL,                -- the file, YAML (docs/decision.md)
    kept TEXT NOT NULL                 -- when, UTC, ISO 8601
) WITHOUT ROWID
"""


def own_bias_tables(connection: sqlite3.Connection) -> None:
    """Makes the table of people's own biases."""
    connection.execute(_TABLE)
