"""Tables of sets of pairs that people import or make, kept beside those that designs draw."""

from __future__ import annotations

import sqlite3

_TABLES = """
CREATE TABLE pair_sets (
    -- A set of pairs that a person imported or made. It never changes; it can be deleted.
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,                -- as the person called it; not unique
    origin TEXT NOT NULL,              -- where the pairs come from, in words
    pairs INTEGER NOT NULL,            -- how many
    report TEXT NOT NULL,              -- JSON list: what became of rows that are no plain pairs
    created TEXT NOT NULL              -- UTC, ISO 8601
);

CREATE TABLE set_pairs (
    -- The pairs of a set, in its order.
    pair_set TEXT NOT NULL REFERENCES pair_sets (id),
    position INTEGER NOT NULL,         -- from 0
    pair TEXT NOT NULL REFERENCES pairs (id),
    PRIMARY KEY (pair_set, position),
    UNIQUE (pair_set, pair)
) WITHOUT ROWID
"""


def pair_set_tables(connection: sqlite3.Connection) -> None:
    """Makes the tables of kept sets of pairs."""
    for statement in _TABLES.split(";\n\n"):
        connection.execute(statement)
