"""Tables of quality reviews: which texts are looked at, by whom, and what they said."""

from __future__ import annotations

import sqlite3

_TABLES = """
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
) WITHOUT ROWID
"""

REVIEW_TABLES = ("reviews", "review_people", "review_texts", "review_tasks")
"""Names of the tables, in the order in which they refer to each other."""


def review_tables(connection: sqlite3.Connection) -> None:
    """Makes the tables of quality reviews, as a part of the third version of the file."""
    for statement in _TABLES.split(";\n\n"):
        connection.execute(statement)
