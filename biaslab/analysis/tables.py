"""Effects as a table and as JSON, for files and other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

import pandas as pd

from biaslab.analysis.effects import Effect

TABLE_COLUMNS = (
    "study", "model", "strategy", "stratum", "n", "accuracy_x", "accuracy_x_prime", "cate",
    "ci_low", "ci_high", "p_t", "p_mcnemar", "q_bh", "invalid_x", "invalid_x_prime",
)  # fmt: skip
"""Columns of a table of effects, in order. Accuracies and CATE are fractions (0.25, never 25);
p_t, p_mcnemar and q_bh are unrounded; invalid_x and invalid_x_prime are numbers of answers."""

Cell: TypeAlias = str | int | float | None


def effects_records(found: Sequence[Effect]) -> list[dict[str, Cell]]:
    """One JSON-ready object per effect with exactly the columns of `TABLE_COLUMNS`."""
    return [{name: getattr(effect, name) for name in TABLE_COLUMNS} for effect in found]


def effects_table(found: Sequence[Effect]) -> pd.DataFrame:
    """One row per effect with exactly the columns of `TABLE_COLUMNS`; NaN where undefined.

    For a JSON file prefer `effects_json`: pandas rounds small p-values to zero.
    """
    table = pd.DataFrame(effects_records(found), columns=list(TABLE_COLUMNS))
    numbers = TABLE_COLUMNS[TABLE_COLUMNS.index("accuracy_x") : -2]
    return table.astype(dict.fromkeys(numbers, "float64"))


def effects_json(found: Sequence[Effect]) -> str:
    """A JSON list of `effects_records`, numbers in full precision, undefined ones null."""
    return json.dumps(effects_records(found), ensure_ascii=False, indent=2, allow_nan=False)
