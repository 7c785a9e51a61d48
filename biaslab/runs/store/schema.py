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
    make,
    ninth_version,
    seventh_version,
    sixth_version,
    tenth_version,
)
from biaslab.runs.store.sqlite import Database

APPLICATION_ID = 0x42694C62
"""Marks the file as one of BiasLab's ("BiLb"), so that no other program's is ever touched."""

MOST_SAMPLES = 100
"""Most samples of an item in one run: a limit of this app, for the size of its file."""

REVIEW_TABLES = ("reviews", "review_people", "review_texts", "review_tasks")
"""Names of the tables of reviews, in the order in which they refer to each other."""

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
    worker_pid INTEGER,
    samples INTEGER NOT NULL DEFAULT 1, -- how often each item is asked
    options TEXT NOT NULL DEFAULT '{}', -- JSON: how the model is reached, budget, price, rule
    retried INTEGER NOT NULL DEFAULT 0, -- requests that were sent again
    tokens_in INTEGER NOT NULL DEFAULT 0, -- sent for this run
    tokens_out INTEGER NOT NULL DEFAULT 0, -- written for this run
    looks TEXT NOT NULL DEFAULT '[]',  -- JSON: what a rule for stopping early has seen
    enough INTEGER                     -- so many pairs were enough; NULL: all of them
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
    created TEXT NOT NULL,             -- UTC, ISO 8601
    served TEXT                        -- the model that the server says it asked; NULL: none
);

CREATE TABLE sample_numbers (
    -- 0, 1, 2 ...: for joining what was asked several times.
    number INTEGER PRIMARY KEY
);

CREATE TABLE answers (
    -- What became of an item in a run, for each time it is asked. No row: not asked yet.
    run TEXT NOT NULL REFERENCES runs (id),
    item TEXT NOT NULL REFERENCES items (id),
    sample INTEGER NOT NULL DEFAULT 0, -- from 0
    state TEXT NOT NULL CHECK (state IN ('answered', 'invalid', 'failed')),
    value TEXT,                        -- the answer as read
    outcome REAL,                      -- Y: 1 right, 0 wrong; NULL unless answered
    rule TEXT,                         -- which rule read it
    explanation TEXT,                  -- that rule in a sentence
    span TEXT,                         -- JSON [start, end] in the last response
    extra TEXT,                        -- JSON object: what else was read; NULL: nothing
    responses TEXT NOT NULL,           -- JSON list of ids, in order
    reason TEXT,                       -- why it failed
    attempts INTEGER NOT NULL DEFAULT 0, -- how often it was asked in vain
    PRIMARY KEY (run, item, sample)
);

CREATE TABLE retries (
    -- Why requests of a run had to be sent again, and how often.
    run TEXT NOT NULL REFERENCES runs (id),
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run, reason)
) WITHOUT ROWID;

CREATE TABLE connections (
    -- Servers that were tested, and what they can do. Never holds a key.
    spec TEXT NOT NULL,                -- openai:NAME
    base_url TEXT NOT NULL,
    access TEXT NOT NULL,              -- JSON: how it is reached
    capabilities TEXT NOT NULL,        -- JSON: what the test found
    price TEXT,                        -- JSON: what a person said that it costs
    probed TEXT NOT NULL,              -- UTC, ISO 8601
    PRIMARY KEY (spec, base_url)
) WITHOUT ROWID;

CREATE TABLE batches (
    -- Requests handed to a server together, to be answered within a day.
    id TEXT PRIMARY KEY,               -- BiasLab's own, also given to the server
    run TEXT NOT NULL REFERENCES runs (id),
    server_id TEXT,                    -- the server's; NULL: it is not known whether it got it
    status TEXT NOT NULL,              -- preparing, submitted, taken in, failed
    requests INTEGER NOT NULL,
    created TEXT NOT NULL,             -- UTC, ISO 8601
    ended TEXT,
    message TEXT NOT NULL DEFAULT ''
);

CREATE TABLE batch_requests (
    -- What is asked in a batch.
    batch TEXT NOT NULL REFERENCES batches (id),
    response TEXT NOT NULL,            -- id that the response will have
    request TEXT NOT NULL,             -- JSON, as in responses
    PRIMARY KEY (batch, response)
) WITHOUT ROWID;

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
) WITHOUT ROWID;

CREATE TABLE saved_designs (
    -- Designs that a person saved. A version never changes; saving again adds one.
    name TEXT NOT NULL,
    version INTEGER NOT NULL,          -- from 1, for each name
    design TEXT NOT NULL,              -- JSON: study, n, seed, settings
    library_version TEXT NOT NULL,     -- of BiasLab, when it was saved
    saved TEXT NOT NULL,               -- UTC, ISO 8601
    PRIMARY KEY (name, version)
) WITHOUT ROWID;

CREATE TABLE reviews (
    -- Quality reviews: people judge a random part of a study's texts by two criteria.
    id TEXT PRIMARY KEY,               -- 12 random hexadecimal digits, the same in every file
    title TEXT NOT NULL,               -- what the texts are of, for people
    role TEXT NOT NULL CHECK (role IN ('coordinator', 'reviewer')), -- what this file is for
    design TEXT,                       -- JSON: study, n, seed, settings; NULL for a reviewer
    seed INTEGER NOT NULL,             -- decides texts, members, order and who gets what
    control INTEGER NOT NULL,          -- texts of the control set, judged by everybody
    further INTEGER NOT NULL,          -- texts that are split among the reviewers afterwards
    round INTEGER NOT NULL,            -- which control set counts, from 1
    handed_out INTEGER NOT NULL DEFAULT 0, -- 1 once the further texts are split
    created TEXT NOT NULL              -- UTC, ISO 8601
);

CREATE TABLE review_people (
    -- Who reviews: a name or initials, nothing else about a person.
    review TEXT NOT NULL REFERENCES reviews (id),
    position INTEGER NOT NULL,         -- from 0, in the order in which they were named
    name TEXT NOT NULL,
    PRIMARY KEY (review, position),
    UNIQUE (review, name)
) WITHOUT ROWID;

CREATE TABLE review_texts (
    -- What is judged: one text of a pair each, as it stood when it was drawn.
    review TEXT NOT NULL REFERENCES reviews (id),
    number INTEGER NOT NULL,           -- from 1, the order in which they were drawn
    round INTEGER NOT NULL,            -- control set from 1; 0: a further text
    item TEXT NOT NULL,                -- id of the item; empty for a reviewer
    pair TEXT NOT NULL,                -- id of the pair; empty for a reviewer
    member TEXT NOT NULL,              -- x or x_prime; empty for a reviewer
    text TEXT NOT NULL,
    answer TEXT NOT NULL,              -- the answer that is stated to be right
    strata TEXT NOT NULL,              -- JSON object: what error rates can be broken down by
    PRIMARY KEY (review, number)
) WITHOUT ROWID;

CREATE TABLE review_tasks (
    -- Who judges which text, in which order, and what they said so far.
    review TEXT NOT NULL REFERENCES reviews (id),
    person INTEGER NOT NULL,           -- position in review_people
    round INTEGER NOT NULL,            -- as in review_texts
    turn INTEGER NOT NULL,             -- from 1: the order in which this person sees them
    number INTEGER NOT NULL,           -- which text
    natural INTEGER,                   -- 1 yes, 0 no: grammatical and natural; NULL: not yet
    clear INTEGER,                     -- 1 yes, 0 no: clear what is asked, answer right
    comment TEXT NOT NULL DEFAULT '',
    judged TEXT,                       -- UTC, ISO 8601, when something was last said
    PRIMARY KEY (review, person, round, turn),
    UNIQUE (review, person, number)
) WITHOUT ROWID;

CREATE TABLE own_biases (
    -- Biases that a person wrote or filled. A bias never changes; it can be deleted.
    id TEXT PRIMARY KEY,               -- as its file says; none of the app's own
    name TEXT NOT NULL,                -- as its file says
    text TEXT NOT NULL,                -- the file, YAML (docs/decision.md)
    kept TEXT NOT NULL                 -- when, UTC, ISO 8601
) WITHOUT ROWID;

CREATE INDEX answers_outcomes ON answers (run, item, sample, state, outcome)
"""

_OUTCOMES = """
SELECT run_pairs.run AS run,
       runs.study AS study,
       models.spec AS model,
       models.kind AS model_kind,
       runs.strategy AS strategy,
       run_pairs.position AS position,
       sample_numbers.number AS sample,
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
FROM runs
JOIN run_pairs ON run_pairs.run = runs.id
     AND run_pairs.position < coalesce(runs.enough, runs.pairs_total)
JOIN sample_numbers ON sample_numbers.number < runs.samples
JOIN models ON models.id = runs.model
JOIN pairs ON pairs.id = run_pairs.pair
LEFT JOIN answers AS x INDEXED BY answers_outcomes
    ON x.run = run_pairs.run AND x.item = pairs.x AND x.sample = sample_numbers.number
LEFT JOIN answers AS x_prime INDEXED BY answers_outcomes
    ON x_prime.run = run_pairs.run AND x_prime.item = pairs.x_prime
       AND x_prime.sample = sample_numbers.number
"""

_EFFECTS = """
SELECT run, study, model, model_kind, strategy,
       count(DISTINCT position) AS n,
       count(*) AS answered_pairs,
       sum(state_x = 'invalid') AS invalid_x,
       sum(state_x_prime = 'invalid') AS invalid_x_prime,
       avg(coalesce(y_x, 0.0)) AS accuracy_x,
       avg(coalesce(y_x_prime, 0.0)) AS accuracy_x_prime,
       avg(coalesce(y_x, 0.0) - coalesce(y_x_prime, 0.0)) AS cate
FROM outcomes
WHERE pattern <> 'unfinished'
GROUP BY run
"""


def _third_version(connection: sqlite3.Connection) -> None:
    """Makes a new file, as release 0.4 made it."""
    make(connection, _TABLES)
    connection.executemany(
        "INSERT INTO sample_numbers (number) VALUES (?)", ((n,) for n in range(MOST_SAMPLES))
    )
    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    database.create_view("outcomes", _OUTCOMES.strip())
    database.create_view("effects", _EFFECTS.strip())
    connection.execute(
        "INSERT INTO file (id, changes, created)"
        " VALUES (1, 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"
    )


MIGRATIONS: Sequence[Callable[[sqlite3.Connection], None]] = (
    _third_version,
    fourth_version,
    fifth_version,
    sixth_version,
    seventh_version,
    eighth_version,
    ninth_version,
    tenth_version,
)
"""The first step makes a new file of version `FIRST`, each further one takes a file to the next
version. Steps are never changed once a version that has them was published; new ones are added
at the end."""

FIRST = 3
"""The version that release 0.4 wrote. Earlier ones were never published and are refused."""

VERSION = FIRST + len(MIGRATIONS) - 1
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
        for step in MIGRATIONS[max(0, version - FIRST + 1) :]:
            step(connection)
        if version < VERSION:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
