"""Fourth version of the file: which reader read a run, and what was read before.

What was new: the reader of each run; every time that a run was read again; what its answers had
been read as until then.
"""

from __future__ import annotations

import sqlite3

_TABLES = """
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
    for statement in _TABLES.split(";\n\n"):
        connection.execute(statement)
