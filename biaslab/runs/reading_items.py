"""Reads the items of runs with what is known about them and what was answered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlite_utils import Database

from biaslab.runs.reading_runs import run

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "position", "arm", "item", "sample",
    "state", "value", "outcome", "extra", "facts", "answer", "cluster", "strata",
)  # fmt: skip

_SELECT = """
SELECT outcomes.run, outcomes.study, outcomes.model, outcomes.model_kind, outcomes.strategy,
       min(outcomes.position) AS position, arms.arm, items.id AS item, outcomes.sample,
       coalesce(answers.state, 'missing') AS state, answers.value, answers.outcome,
       answers.extra, items.facts, items.answer, outcomes.cluster, outcomes.strata
FROM outcomes
CROSS JOIN (SELECT 'x' AS arm UNION ALL SELECT 'x_prime') AS arms
JOIN items ON items.id = CASE arms.arm WHEN 'x' THEN item_x ELSE item_x_prime END
LEFT JOIN answers ON answers.run = outcomes.run AND answers.item = items.id
     AND answers.sample = outcomes.sample
WHERE outcomes.run = ?
GROUP BY items.id, outcomes.sample, arms.arm
ORDER BY position, arms.arm, outcomes.sample
"""


def answered_items(database: Database, run_ids: Sequence[str]) -> pd.DataFrame:
    """A row per run, item, arm and sample; see `Store.answered_items`."""
    import pandas as pd

    rows: list[tuple[Any, ...]] = []
    for run_id in run_ids:
        run(database, run_id)
        rows.extend(database.execute(_SELECT, [run_id]).fetchall())
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    for name in ("extra", "facts", "strata"):
        decoded = [json.loads(text) if isinstance(text, str) else {} for text in table[name]]
        table[name] = pd.Series(decoded, dtype=object)
    table["outcome"] = table["outcome"].astype("float64")
    return table
