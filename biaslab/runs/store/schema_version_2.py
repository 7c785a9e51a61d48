"""Second version of the file: servers, samples, costs, stopping early, batches.

What was new: several samples an item; how often and why requests were sent again; tokens;
options of a run; servers that were tested; batches that a server works on for hours.
"""

from __future__ import annotations

import sqlite3

from biaslab.runs.store.sqlite import Database

MOST_SAMPLES = 100
"""Most samples of an item in one run: a limit of this app, for the size of its file."""

_RUN_COLUMNS = (
    "samples INTEGER NOT NULL DEFAULT 1",  # how often each item is asked
    "options TEXT NOT NULL DEFAULT '{}'",  # JSON: how the model is reached, budget, price, rule
    "retried INTEGER NOT NULL DEFAULT 0",  # requests that were sent again
    "tokens_in INTEGER NOT NULL DEFAULT 0",  # sent for this run
    "tokens_out INTEGER NOT NULL DEFAULT 0",  # written for this run
    "looks TEXT NOT NULL DEFAULT '[]'",  # JSON: what a rule for stopping early has seen
    "enough INTEGER",  # so many pairs were enough; NULL: all of them
)

_TABLES = """
CREATE TABLE sample_numbers (
    -- 0, 1, 2 ...: for joining what was asked several times.
    number INTEGER PRIMARY KEY
);

CREATE TABLE answers_2 (
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
) WITHOUT ROWID
"""

_ANSWER_COLUMNS = (
    "run, item, state, value, outcome, rule, explanation, span, responses, reason, attempts"
)

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


def second_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 1 to version 2."""
    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    for view in ("effects", "outcomes"):
        connection.execute(f"DROP VIEW {view}")
    for column in _RUN_COLUMNS:
        connection.execute(f"ALTER TABLE runs ADD COLUMN {column}")
    connection.execute("ALTER TABLE responses ADD COLUMN served TEXT")
    for statement in _TABLES.split(";\n\n"):
        connection.execute(statement)
    connection.executemany(
        "INSERT INTO sample_numbers (number) VALUES (?)", ((n,) for n in range(MOST_SAMPLES))
    )
    connection.execute(
        f"INSERT INTO answers_2 ({_ANSWER_COLUMNS}) SELECT {_ANSWER_COLUMNS} FROM answers"
    )
    connection.execute("DROP TABLE answers")
    connection.execute("ALTER TABLE answers_2 RENAME TO answers")
    connection.execute(
        "CREATE INDEX answers_outcomes ON answers (run, item, sample, state, outcome)"
    )
    database.create_view("outcomes", _OUTCOMES.strip())
    database.create_view("effects", _EFFECTS.strip())
