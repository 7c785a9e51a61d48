"""Tables, indices and views of a file of runs, and its migrations.

`docs/file-format.md` explains every column. The tables are written as SQL because their
comments stay in the file, where any SQLite tool shows them, and because sqlite-utils cannot
make tables without rowid.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from biaslab.runs.store.migrations import (
    eighth_version,
    fifth_version,
    fourth_version,
    ninth_version,
    second_version,
    seventh_version,
    sixth_version,
    tenth_version,
    third_version,
)
from biaslab.runs.store.sqlite import Database

APPLICATION_ID = 0x42694C62
"""Marks the file as one of BiasLab's ("BiLb"), so that no other program's is ever touched."""

_TABLES = """
CREATE TABLE file (
    -- One row about the file itself.
    id INTEGER PRIMARY KEY CHECK (id = 1),
    changes INTEGER NOT NULL,          -- grows with every change that a screen may show
    created TEXT NOT NULL              -- UTC, ISO 8601
);

CREATE TABLE items (
    -- What is asked. The same content has the same id everywhere.
    id TEXT PRIMARY KEY,
    study TEXT NOT NULL,
    text TEXT NOT NULL,                -- the question included
    answer TEXT NOT NULL,              -- the right answer
    facts TEXT NOT NULL,               -- JSON object
    options TEXT NOT NULL              -- JSON list of the answers offered
);

CREATE TABLE pairs (
    -- Two items that differ in one feature: x is the easier one by hypothesis.
    id TEXT PRIMARY KEY,
    study TEXT NOT NULL,
    x TEXT NOT NULL REFERENCES items (id),
    x_prime TEXT NOT NULL REFERENCES items (id),
    cluster TEXT NOT NULL,             -- what pairs share; intervals and tests respect it
    strata TEXT NOT NULL               -- JSON object: what effects are broken down by
) WITHOUT ROWID;

CREATE TABLE models (
    -- Who answered. Never holds a key or password.
    id TEXT PRIMARY KEY,               -- spec@revision
    spec TEXT NOT NULL,
    kind TEXT NOT NULL,                -- learner, tiny, language model
    revision TEXT NOT NULL,            -- changes whenever the answers may change
    form TEXT NOT NULL,                -- base, chat
    details TEXT NOT NULL              -- JSON object
);

CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    study TEXT NOT NULL,
    design TEXT NOT NULL,              -- JSON: study, n, seed, settings
    model TEXT NOT NULL REFERENCES models (id),
    strategy TEXT NOT NULL,
    strategy_version TEXT NOT NULL,    -- changes with the wording of the prompts
    sampling TEXT,                     -- JSON; NULL: as the strategy sets it
    library_version TEXT NOT NULL,     -- of BiasLab, when the run was prepared
    status TEXT NOT NULL CHECK (status IN ('ready', 'running', 'stopped', 'finished', 'failed')),
    pairs_total INTEGER NOT NULL,
    items_total INTEGER NOT NULL,      -- different items; one shared by pairs is asked once
    answered INTEGER NOT NULL DEFAULT 0,
    invalid INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    cached INTEGER NOT NULL DEFAULT 0, -- responses taken over from other runs
    asked INTEGER NOT NULL DEFAULT 0,  -- responses that the model gave for this run
    rate REAL,                         -- items per second lately
    created TEXT NOT NULL,             -- UTC, ISO 8601
    started TEXT,
    finished TEXT,
    message TEXT NOT NULL DEFAULT '',
    stop_requested INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,                  -- the worker that may write; NULL: none
    lease_expires REAL,                -- seconds since 1970, by SQLite's clock
    worker_host TEXT,
    worker_pid INTEGER
);

CREATE TABLE run_pairs (
    -- The pairs of a run, in the order of the design.
    run TEXT NOT NULL REFERENCES runs (id),
    position INTEGER NOT NULL,
    pair TEXT NOT NULL REFERENCES pairs (id),
    PRIMARY KEY (run, position),
    UNIQUE (run, pair)
) WITHOUT ROWID;

CREATE TABLE responses (
    -- What a model gave back. The id is a hash of model, parameters and exact messages, so
    -- this table is also the cache: nothing that stands here is asked again.
    id TEXT PRIMARY KEY,
    model TEXT NOT NULL REFERENCES models (id),
    run TEXT NOT NULL REFERENCES runs (id), -- the run that asked for it
    request TEXT NOT NULL,             -- JSON: messages and sampling, or continuations
    text TEXT,                         -- as written; NULL for likelihoods
    thinking TEXT,                     -- reasoning returned apart from the text
    finish TEXT,                       -- stop, length; NULL for likelihoods
    log_probabilities TEXT,            -- JSON list, natural logarithm; NULL for texts
    tokens_in INTEGER,
    tokens_out INTEGER,
    tokens TEXT,                       -- JSON list, for each continuation; NULL for texts
    seconds REAL,                      -- this request's share of the time it took
    created TEXT NOT NULL              -- UTC, ISO 8601
);

CREATE TABLE answers (
    -- What became of an item in a run. No row: not asked yet.
    run TEXT NOT NULL REFERENCES runs (id),
    item TEXT NOT NULL REFERENCES items (id),
    state TEXT NOT NULL CHECK (state IN ('answered', 'invalid', 'failed')),
    value TEXT,                        -- the answer as read
    outcome REAL,                      -- Y: 1 right, 0 wrong; NULL unless answered
    rule TEXT,                         -- which rule read it
    explanation TEXT,                  -- that rule in a sentence
    span TEXT,                         -- JSON [start, end] in the last response
    responses TEXT NOT NULL,           -- JSON list of ids, in order
    reason TEXT,                       -- why it failed
    attempts INTEGER NOT NULL DEFAULT 0, -- how often it was asked in vain
    PRIMARY KEY (run, item)
);

CREATE INDEX answers_outcomes ON answers (run, item, state, outcome);
"""

_OUTCOMES = """
SELECT run_pairs.run AS run,
       runs.study AS study,
       models.spec AS model,
       models.kind AS model_kind,
       runs.strategy AS strategy,
       run_pairs.position AS position,
       run_pairs.pair AS pair,
       pairs.cluster AS cluster,
       pairs.strata AS strata,
       pairs.x AS item_x,
       pairs.x_prime AS item_x_prime,
       x.outcome AS y_x,
       x_prime.outcome AS y_x_prime,
       coalesce(x.state, 'missing') AS state_x,
       coalesce(x_prime.state, 'missing') AS state_x_prime,
       CASE
           WHEN coalesce(x.state, 'failed') = 'failed'
                OR coalesce(x_prime.state, 'failed') = 'failed' THEN 'unfinished'
           WHEN x.state = 'invalid' OR x_prime.state = 'invalid' THEN 'invalid'
           WHEN x.outcome = 1 AND x_prime.outcome = 1 THEN 'both right'
           WHEN x.outcome = 1 THEN 'only x right'
           WHEN x_prime.outcome = 1 THEN 'only x'' right'
           ELSE 'both wrong'
       END AS pattern
FROM run_pairs
JOIN runs ON runs.id = run_pairs.run
JOIN models ON models.id = runs.model
JOIN pairs ON pairs.id = run_pairs.pair
LEFT JOIN answers AS x INDEXED BY answers_outcomes
    ON x.run = run_pairs.run AND x.item = pairs.x
LEFT JOIN answers AS x_prime INDEXED BY answers_outcomes
    ON x_prime.run = run_pairs.run AND x_prime.item = pairs.x_prime
"""

_EFFECTS = """
SELECT run, study, model, model_kind, strategy,
       count(*) AS n,
       sum(state_x = 'invalid') AS invalid_x,
       sum(state_x_prime = 'invalid') AS invalid_x_prime,
       avg(coalesce(y_x, 0.0)) AS accuracy_x,
       avg(coalesce(y_x_prime, 0.0)) AS accuracy_x_prime,
       avg(coalesce(y_x, 0.0) - coalesce(y_x_prime, 0.0)) AS cate
FROM outcomes
WHERE pattern <> 'unfinished'
GROUP BY run
"""


def _first_version(connection: sqlite3.Connection) -> None:
    for statement in _TABLES.split(";\n\n"):
        connection.execute(statement)
    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    database.create_view("outcomes", _OUTCOMES.strip())
    database.create_view("effects", _EFFECTS.strip())
    connection.execute(
        "INSERT INTO file (id, changes, created)"
        " VALUES (1, 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"
    )


MIGRATIONS: Sequence[Callable[[sqlite3.Connection], None]] = (
    _first_version,
    second_version,
    third_version,
    fourth_version,
    fifth_version,
    sixth_version,
    seventh_version,
    eighth_version,
    ninth_version,
    tenth_version,
)
"""The step at index i takes a file of version i to version i + 1. Steps are never changed
once a version that has them was published; new ones are added at the end."""

VERSION = len(MIGRATIONS)
"""The version of files that this BiasLab writes (SQLite's ``user_version``)."""


def migrate(connection: sqlite3.Connection) -> None:
    """Brings a new or older file to `VERSION` in one transaction, or leaves it as it was.

    Safe when several processes open the same file at once: the first one migrates it.

    Args:
        connection: in autocommit mode, on a file that is empty or one of BiasLab's.
    """
    if connection.execute("PRAGMA user_version").fetchone() == (VERSION,):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for step in MIGRATIONS[version:]:
            step(connection)
        if version < VERSION:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
