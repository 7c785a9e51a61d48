"""Reads the items of runs with what is known about them and what was answered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from biaslab.runs.store.encoding import read_item
from biaslab.runs.store.read_runs import run
from biaslab.studies.study import Item

if TYPE_CHECKING:
    import pandas as pd

    from biaslab.runs.store.sqlite import Database

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

_ASKED = """
SELECT * FROM items WHERE id IN (
    SELECT item_x FROM outcomes WHERE run = :run
    UNION SELECT item_x_prime FROM outcomes WHERE run = :run
)
"""

_MEMBERS = """
WITH members AS (
    SELECT pairs.x AS item, pairs.cluster FROM runs
    JOIN run_pairs ON run_pairs.run = runs.id
         AND run_pairs.position < coalesce(runs.enough, runs.pairs_total)
    JOIN pairs ON pairs.id = run_pairs.pair
    WHERE runs.id = :run
    UNION ALL
    SELECT pairs.x_prime, pairs.cluster FROM runs
    JOIN run_pairs ON run_pairs.run = runs.id
         AND run_pairs.position < coalesce(runs.enough, runs.pairs_total)
    JOIN pairs ON pairs.id = run_pairs.pair
    WHERE runs.id = :run
)
"""

_WRONG_ONES = """
    FROM members
    JOIN answers ON answers.run = :run AND answers.item = members.item
         AND answers.state = 'answered' AND answers.outcome = 0
"""

_WRONG = f"""
{_MEMBERS}, wrong AS (
    SELECT answers.item, answers.sample, answers.value, answers.responses,
           min(members.cluster) AS cluster
    {_WRONG_ONES}
    GROUP BY answers.item, answers.sample
    ORDER BY answers.item, answers.sample
    LIMIT :most
)
SELECT wrong.item, wrong.sample, wrong.value, wrong.cluster, items.facts,
       (SELECT group_concat(text, char(10)) FROM (
            SELECT responses.text AS text FROM json_each(wrong.responses) AS own
            JOIN responses ON responses.id = own.value ORDER BY own.key
        )) AS text
FROM wrong JOIN items ON items.id = wrong.item
ORDER BY wrong.item, wrong.sample
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


def wrong_answers(database: Database, run_id: str, most: int) -> pd.DataFrame:
    """A row per wrong answer; see `Store.wrong_answers`."""
    import pandas as pd

    run(database, run_id)
    rows = database.execute(_WRONG, {"run": run_id, "most": most}).fetchall()
    table = pd.DataFrame(rows, columns=["item", "sample", "value", "cluster", "facts", "text"])
    table["facts"] = pd.Series([json.loads(text) for text in table["facts"]], dtype=object)
    return table


def any_wrong(database: Database, run_id: str) -> bool:
    """Whether there is a wrong answer; see `Store.any_wrong`."""
    run(database, run_id)
    found = database.execute(f"SELECT EXISTS ({_MEMBERS} SELECT 1 {_WRONG_ONES})", {"run": run_id})
    return bool(found.fetchone()[0])


def items_of(database: Database, run_id: str) -> list[Item]:
    """The items of a run's pairs; see `Store.items_of`."""
    run(database, run_id)
    return [read_item(row) for row in database.query(_ASKED, {"run": run_id})]


_WORDS = """
SELECT avg(length(trim(text)) - length(replace(trim(text), ' ', '')) + 1) FROM answers
JOIN responses ON responses.id = json_extract(answers.responses, '$[0]')
WHERE answers.run = ? AND responses.text <> ''
"""


def words_of_answers(database: Database, run_id: str) -> float | None:
    """Mean words of first answers; see `Store.words_of_answers`."""
    run(database, run_id)
    found = database.execute(_WORDS, [run_id]).fetchone()[0]
    return None if found is None else float(found)
