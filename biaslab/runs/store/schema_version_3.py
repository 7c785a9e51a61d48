"""Third version of the file: what people bring and judge, beside what designs draw.

What was new: sets of pairs that were imported or made; designs saved by name; quality reviews;
biases of people's own.
Each family of tables has a module of its own and is one call here.
"""

from __future__ import annotations

import sqlite3

from biaslab.runs.store.schema_designs import design_tables
from biaslab.runs.store.schema_own_biases import own_bias_tables
from biaslab.runs.store.schema_pair_sets import pair_set_tables
from biaslab.runs.store.schema_reviews import review_tables


def third_version(connection: sqlite3.Connection) -> None:
    """Takes a file of version 2 to version 3."""
    pair_set_tables(connection)
    design_tables(connection)
    review_tables(connection)
    own_bias_tables(connection)
