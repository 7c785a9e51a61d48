"""Third version of the file: what people bring and judge, beside what designs draw.

What was new: sets of pairs that were imported or made; designs saved by name; quality reviews;
biases of people's own.
Each family of tables has a module of its own and is one call here.
"""

from __future__ import annotations

import sqlite3

from biaslab.runs.store.schema_own_biases import own_bias_tables
from biaslab.runs.store.schema_reviews import review_tables

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


def third_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 2 to version 3."""
    pair_set_tables(connection)
    design_tables(connection)
    review_tables(connection)
    own_bias_tables(connection)
