"""How a file of runs of an earlier version becomes one of this version, a step a version.

Files begin with version 3, which release 0.4 wrote (`schema`). A step is never changed once a
BiasLab that has it was published. They are applied together in one transaction by
`schema.migrate`, under SQLite's own ``user_version``: sqlite-utils' migrations would add a table
of their own to the file, and a transaction for each step.
"""

from __future__ import annotations

import sqlite3


def make(connection: sqlite3.Connection, tables: str) -> None:
    """Makes tables, each statement by itself: `executescript` would end the transaction."""
    for statement in tables.split(";\n\n"):
        connection.execute(statement)


# Fourth version: which reader read a run; every time that a run was read again; what its answers
# had been read as until then.

_TABLES_4 = """
CREATE TABLE rereadings (
    -- Each time that the stored responses of a run were read again. Nothing was asked.
    run TEXT NOT NULL REFERENCES runs (id),
    number INTEGER NOT NULL,           -- from 1, in the order of time
    reader_before TEXT,                -- NULL: from before readers had names
    reader_after TEXT NOT NULL,
    answers INTEGER NOT NULL,          -- so many were read again
    changed INTEGER NOT NULL,          -- so many of them say another value or outcome now
    reread TEXT NOT NULL,              -- when, UTC, ISO 8601
    PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE earlier_readings (
    -- What answers had been read as before a rereading, where anything about it changed.
    run TEXT NOT NULL,
    number INTEGER NOT NULL,           -- of the rereading that replaced it
    item TEXT NOT NULL REFERENCES items (id),
    sample INTEGER NOT NULL,
    state TEXT NOT NULL,               -- this and the next, as in answers
    value TEXT,
    outcome REAL,
    rule TEXT,
    explanation TEXT,
    span TEXT,
    extra TEXT,
    PRIMARY KEY (run, number, item, sample),
    FOREIGN KEY (run, number) REFERENCES rereadings (run, number)
) WITHOUT ROWID
"""


def fourth_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 3 to version 4."""
    connection.execute("ALTER TABLE runs ADD COLUMN reader TEXT")
    make(connection, _TABLES_4)


# Fifth version: pairs of imported sets say how far they were proved. Until then only pairs that
# were read, solved and as their file said came into a set. Texts of word problems have versions;
# designs of until then are of the first.


def fifth_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 4 to version 5."""
    connection.execute(
        "UPDATE pairs SET strata = json_set(strata, '$.status', 'proved')"
        " WHERE study = 'imported' AND json_extract(strata, '$.status') IS NULL"
    )
    _say_first_version(connection, "IN ('consistency', 'transfer-comparison', 'composed')")


# Sixth version: prompts about concepts have versions too.


def sixth_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 5 to version 6."""
    _say_first_version(connection, "= 'concept-learning'")


def _say_first_version(connection: sqlite3.Connection, studies: str) -> None:
    """Designs of these studies, as a condition of SQL, are of the first version of their texts."""
    for table in ("runs", "saved_designs", "reviews"):
        connection.execute(
            f"UPDATE {table} SET design = json_set(design, '$.settings.version', '1')"
            f" WHERE json_extract(design, '$.study') {studies}"
        )


# Seventh version: sets of multiple-choice items that people imported.

_TABLES_7 = """
CREATE TABLE item_sets (
    -- A set of multiple-choice items that a person imported. It never changes.
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,         -- as the person called it; designs name it
    origin TEXT NOT NULL,              -- where the items come from, in words
    items INTEGER NOT NULL,            -- how many
    report TEXT NOT NULL,              -- JSON object: what became of every row of the file
    created TEXT NOT NULL              -- UTC, ISO 8601
);

CREATE TABLE set_items (
    -- The items of a set, in its order.
    item_set TEXT NOT NULL REFERENCES item_sets (id),
    position INTEGER NOT NULL,         -- from 0
    item TEXT NOT NULL,                -- JSON object, as `biaslab import` writes a line
    PRIMARY KEY (item_set, position)
) WITHOUT ROWID
"""


def seventh_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 6 to version 7."""
    make(connection, _TABLES_7)


# Eighth version: decisions have versions of their scenes too.


def eighth_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 7 to version 8."""
    _say_first_version(connection, "= 'decision'")


# Ninth version: runs of other people, opened from bundles.

_TABLES_9 = """
CREATE TABLE bundles (
    -- Bundles that were opened. Their runs are read-only, and their answers are no cache.
    digest TEXT PRIMARY KEY,           -- SHA-256 of its manifest
    name TEXT NOT NULL,                -- of the file that was opened
    versions TEXT NOT NULL,            -- JSON object: of the programs that made it
    differences TEXT NOT NULL,         -- JSON list: what came out otherwise here, in sentences
    opened TEXT NOT NULL               -- UTC, ISO 8601
) WITHOUT ROWID
"""


def ninth_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 8 to version 9."""
    make(connection, _TABLES_9)
    connection.execute("ALTER TABLE runs ADD COLUMN bundle TEXT REFERENCES bundles (digest)")


# Tenth version: what people mark and write beside pairs of their runs.

_TABLES_10 = """
CREATE TABLE pair_notes (
    -- What a person marked and wrote beside a pair of a run; it goes with the run.
    run TEXT NOT NULL,
    pair TEXT NOT NULL,
    mark TEXT CHECK (mark IN ('star', 'again', 'misread', 'faulty')), -- NULL: none
    note TEXT NOT NULL,                -- empty: none
    changed TEXT NOT NULL,             -- UTC, ISO 8601
    PRIMARY KEY (run, pair),
    FOREIGN KEY (run, pair) REFERENCES run_pairs (run, pair) ON DELETE CASCADE
) WITHOUT ROWID
"""


def tenth_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 9 to version 10."""
    make(connection, _TABLES_10)
