"""How a file of runs of an earlier version becomes one of this version, a step a version.

A step is never changed once a BiasLab that has it was published. They are applied together in
one transaction by `schema.migrate`, under SQLite's own ``user_version``: sqlite-utils' migrations
would add a table of their own to the file, and a transaction for each step.
"""

from __future__ import annotations

import sqlite3

from biaslab.runs.store.sqlite import Database

# Second version: several samples an item; how often and why requests were sent again; tokens;
# options of a run; servers that were tested; batches that a server works on for hours.

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

_TABLES_2 = """
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


def _make(connection: sqlite3.Connection, tables: str) -> None:
    """Makes tables, each statement by itself: `executescript` would end the transaction."""
    for statement in tables.split(";\n\n"):
        connection.execute(statement)


def second_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 1 to version 2."""
    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    for view in ("effects", "outcomes"):
        connection.execute(f"DROP VIEW {view}")
    for column in _RUN_COLUMNS:
        connection.execute(f"ALTER TABLE runs ADD COLUMN {column}")
    connection.execute("ALTER TABLE responses ADD COLUMN served TEXT")
    _make(connection, _TABLES_2)
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


# Third version, what people bring and judge beside what designs draw: sets of pairs that were
# imported or made; designs saved by name; quality reviews; biases of people's own.

_TABLES_3 = """
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
) WITHOUT ROWID
"""

REVIEW_TABLES = ("reviews", "review_people", "review_texts", "review_tasks")
"""Names of the tables of reviews, in the order in which they refer to each other."""


def third_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 2 to version 3."""
    _make(connection, _TABLES_3)


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
    _make(connection, _TABLES_4)


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
    _make(connection, _TABLES_7)


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
    _make(connection, _TABLES_9)
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
    _make(connection, _TABLES_10)
