"""Reads whole runs as tables: outcomes for analysis, flat rows for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from biaslab.models import Completion
from biaslab.runs.store.encoding import read_request, read_response
from biaslab.runs.store.read_runs import run
from biaslab.runs.store.records import is_recorded
from biaslab.studies.strategies import stages_of
from biaslab.studies.study import Answered, Request, outcome_scale

if TYPE_CHECKING:
    import pandas as pd

    from biaslab.runs.store.sqlite import Database

FlatRow: TypeAlias = dict[str, str | int | float | None]
"""One line of a table outside BiasLab."""

_COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "pair", "position", "sample", "cluster",
    "strata", "item_x", "item_x_prime", "y_x", "y_x_prime", "value_x", "value_x_prime",
    "state_x", "state_x_prime",
)  # fmt: skip

_VALUES = {
    "value_x": "(SELECT value FROM answers AS a WHERE a.run = outcomes.run"
    " AND a.item = item_x AND a.sample = outcomes.sample)",
    "value_x_prime": "(SELECT value FROM answers AS a WHERE a.run = outcomes.run"
    " AND a.item = item_x_prime AND a.sample = outcomes.sample)",
}
"""The index has no values, because few screens need them."""


_OF_THE_RUN = ("run", "study", "model", "model_kind", "strategy")
"""Alike for all rows of a run, so they are not asked of each."""


def _select(with_values: bool) -> str:
    columns = [_VALUES.get(name, name) for name in _of_pairs(with_values)]
    return f"SELECT {', '.join(columns)} FROM outcomes WHERE run = ? ORDER BY position, sample"


def _of_pairs(with_values: bool) -> list[str]:
    return [
        name
        for name in _COLUMNS
        if name not in _OF_THE_RUN and (with_values or name not in _VALUES)
    ]


_FLAT = """
SELECT outcomes.run, outcomes.study, outcomes.model, outcomes.model_kind,
       models.revision AS model_revision, outcomes.strategy, outcomes.position, outcomes.sample,
       outcomes.pair,
       outcomes.cluster, arms.arm, outcomes.strata, items.id AS item, items.text, items.answer,
       coalesce(answers.state, 'missing') AS state, answers.value, answers.outcome,
       answers.rule, answers.explanation, answers.reason, answers.attempts, answers.responses
FROM outcomes
JOIN runs ON runs.id = outcomes.run
JOIN models ON models.id = runs.model
CROSS JOIN (SELECT 'x' AS arm UNION ALL SELECT 'x_prime') AS arms
JOIN items ON items.id = CASE arms.arm WHEN 'x' THEN item_x ELSE item_x_prime END
LEFT JOIN answers ON answers.run = outcomes.run AND answers.item = items.id
     AND answers.sample = outcomes.sample
WHERE outcomes.run = ?
ORDER BY outcomes.position, outcomes.sample, arms.arm
"""


def outcomes(database: Database, run_ids: Sequence[str], with_values: bool = False) -> pd.DataFrame:
    """A row per run and pair; see `Store.outcomes`."""
    import pandas as pd

    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for run_id in run_ids:
        record = run(database, run_id)
        with_them = with_values or record.options.samples > 1
        rows = database.execute(_select(with_them), [run_id]).fetchall()
        alike = {
            "run": record.id,
            "study": record.study,
            "model": record.model_spec,
            "model_kind": record.model_kind,
            "strategy": record.way,
        }
        of_pairs = dict(zip(_of_pairs(with_them), zip(*rows, strict=True), strict=True))
        for name in _COLUMNS:
            if name in of_pairs:
                columns[name].extend(of_pairs[name])
            else:
                columns[name].extend([alike.get(name)] * len(rows))
    table = pd.DataFrame(columns)
    table["strata"] = pd.Series(_decoded(table["strata"].tolist()), dtype=object)
    for name in ("y_x", "y_x_prime"):
        table[name] = table[name].astype("float64")
    for name in ("position", "sample"):
        table[name] = table[name].astype("int64")
    scales = {study: outcome_scale(study) is not None for study in table["study"].unique()}
    table["on_scale"] = table["study"].map(scales).astype(bool)
    table["recorded"] = table["run"].map(is_recorded).astype(bool)
    return table


def export_rows(database: Database, run_id: str) -> Iterator[FlatRow]:
    """A flat row per pair and arm; see `Store.export_rows`."""
    names = list(dict.fromkeys(name for found in strata(database, run_id) for name in found))
    for row in database.query(_FLAT, [run_id]):
        yield _flat(database, row, names)


def _decoded(strata: Sequence[str]) -> list[dict[str, Any]]:
    """Decodes each different text once: a run has few strata and many pairs."""
    known: dict[str, dict[str, Any]] = {}
    for text in strata:
        if text not in known:
            known[text] = json.loads(text)
    return [known[text] for text in strata]


def strata(database: Database, run_id: str) -> list[dict[str, Any]]:
    """The different strata of a run's pairs; see `Store.strata`."""
    run(database, run_id)
    rows = database.query("SELECT DISTINCT strata FROM outcomes WHERE run = ?", [run_id])
    return [json.loads(row["strata"]) for row in rows]


def _flat(database: Database, row: Mapping[str, Any], names: Sequence[str]) -> FlatRow:
    strata = json.loads(row["strata"])
    before = ("run", "study", "model", "model_kind", "model_revision", "strategy",
              "position", "sample", "pair", "cluster", "arm")  # fmt: skip
    flat: FlatRow = {name: row[name] for name in before}
    flat |= {f"stratum_{name}": strata.get(name) for name in names}
    flat |= {name: row[name] for name in ("item", "text", "answer")}
    flat |= _flat_exchanges(database, json.loads(row["responses"] or "[]"))
    after = ("state", "value", "outcome", "rule", "explanation", "reason", "attempts")
    flat |= {name: row[name] for name in after}
    return flat


def _flat_exchanges(database: Database, ids: Sequence[str]) -> FlatRow:
    flat: FlatRow = dict.fromkeys(
        ("prompt", "response", "reasoning", "thinking", "finish",
         "tokens_in", "tokens_out", "seconds", "served")
    )  # fmt: skip
    if not ids:
        return flat
    rows = [
        row for key in ids for row in database.query("SELECT * FROM responses WHERE id = ?", [key])
    ]
    requests = [read_request(row["request"]) for row in rows]
    *before, stage = stages_of(requests, [read_response(row) for row in rows])
    last = stage.response
    flat["prompt"] = _written_prompt(requests[stage.places[0]])
    flat["response"] = _written_response(last)
    flat["reasoning"] = "\n\n".join(_written_response(each.response) for each in before)
    flat["served"] = last.served or None
    if isinstance(last, Completion):
        flat["thinking"] = last.thinking
        flat["finish"] = last.finish
        flat["tokens_in"] = last.tokens_in
        flat["tokens_out"] = last.tokens_out
        flat["seconds"] = last.seconds
    return flat


def _written_prompt(request: Request) -> str:
    if len(request.messages) == 1:
        return request.messages[0].content
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in request.messages)


def _written_response(response: Answered) -> str:
    if isinstance(response, Completion):
        return response.text
    return json.dumps(response.log_probabilities)
