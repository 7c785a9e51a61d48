"""Reads runs: what they are, their items and answers, their outcomes as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from biaslab.models import Completion
from biaslab.runs.errors import UnknownRun
from biaslab.runs.store.encoding import (
    read_design,
    read_item,
    read_request,
    read_response,
    read_sampling,
)
from biaslab.runs.store.liveness import NOW, is_live
from biaslab.runs.store.options import read_options
from biaslab.runs.store.records import (
    WRITING,
    FailureCount,
    InterimLook,
    RunRecord,
    RunStatus,
    is_recorded,
)
from biaslab.studies.strategies import stages_of
from biaslab.studies.study import Answered, Item, Request, outcome_scale

if TYPE_CHECKING:
    import pandas as pd

    from biaslab.runs.store.sqlite import Database


_RUNS = f"""
SELECT runs.*, models.spec, models.kind, models.revision, models.form, {NOW} AS now
FROM runs JOIN models ON models.id = runs.model
"""


def runs(database: Database) -> list[RunRecord]:
    """Every run, the newest first."""
    rows = database.query(f"{_RUNS} ORDER BY runs.created DESC, runs.rowid DESC")
    return [_record(row) for row in rows]


def run(database: Database, run_id: str) -> RunRecord:
    """One run.

    Raises:
        UnknownRun: no such run.
    """
    rows = list(database.query(f"{_RUNS} WHERE runs.id = ?", [run_id]))
    if not rows:
        raise UnknownRun(
            f"There is no run {run_id} in this file. Choose one from the list of runs."
        )
    return _record(rows[0])


def change_counter(database: Database) -> int:
    """How many changes the file has seen."""
    (row,) = list(database.query("SELECT changes FROM file"))
    return int(row["changes"])


def retries(database: Database, run_id: str) -> list[FailureCount]:
    """Why requests were sent again; see `Store.retries`."""
    run(database, run_id)
    sql = "SELECT reason, count FROM retries WHERE run = ? ORDER BY count DESC, reason"
    return [FailureCount(**row) for row in database.query(sql, [run_id])]


def failures(database: Database, run_id: str) -> list[FailureCount]:
    """Why items have no response; see `Store.failures`."""
    run(database, run_id)
    sql = (
        "SELECT reason, count(*) AS count FROM answers WHERE run = ? AND state = 'failed'"
        " GROUP BY reason ORDER BY count DESC, reason"
    )
    return [FailureCount(**row) for row in database.query(sql, [run_id])]


def _record(row: Mapping[str, Any]) -> RunRecord:
    status = _status(row)
    done = row["answered"] + row["invalid"] + row["failed"]
    total = row["items_total"] * row["samples"]
    rate = row["rate"] if status in (RunStatus.RUNNING, RunStatus.STOPPING) else None
    return RunRecord(
        id=row["id"],
        study=row["study"],
        design=read_design(row["design"]),
        model_spec=row["spec"],
        model_kind=row["kind"],
        model_revision=row["revision"],
        model_form=row["form"],
        strategy=row["strategy"],
        sampling=read_sampling(row["sampling"]),
        status=status,
        pairs_total=row["pairs_total"],
        items_total=total,
        items_done=done,
        answered=row["answered"],
        invalid=row["invalid"],
        failed=row["failed"],
        cached=row["cached"],
        asked=row["asked"],
        retried=row["retried"],
        tokens_in=row["tokens_in"],
        tokens_out=row["tokens_out"],
        options=read_options(row["options"], row["samples"]),
        looks=tuple(InterimLook(**look) for look in json.loads(row["looks"])),
        enough=row["enough"],
        rate_per_second=rate,
        seconds_left=(total - done) / rate if rate else None,
        created=row["created"],
        started=row["started"],
        finished=row["finished"],
        message=_message(row, status),
        library_version=row["library_version"],
        reader=row["reader"],
        bundle=row["bundle"],
    )


def _status(row: Mapping[str, Any]) -> RunStatus:
    if row["status"] == "stopped" and row["message"]:
        return RunStatus.PAUSED
    if row["status"] != "running":
        return RunStatus(row["status"])
    if not is_live(row):
        return RunStatus.INTERRUPTED
    return RunStatus.STOPPING if row["stop_requested"] else RunStatus.RUNNING


def _message(row: Mapping[str, Any], status: RunStatus) -> str:
    """Without what a worker that was killed was writing."""
    message = str(row["message"])
    return "" if status is RunStatus.INTERRUPTED and message.startswith(WRITING) else message


class BatchStatus(StrEnum):
    """Where a batch is, as far as BiasLab knows."""

    PREPARING = "preparing"
    """Written down; it is not known whether the server has it."""
    SUBMITTED = "submitted"
    """With the server."""
    TAKEN_IN = "taken in"
    """It has ended, and all that it gave is in the file."""
    FAILED = "failed"
    """The server never got it or refused it as a whole; its requests are asked anew."""


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """Requests handed to a server together.

    Attributes:
        id: BiasLab's own; run: whose requests these are.
        server_id: the server's id; empty while it is not known.
        status: see `BatchStatus`.
        requests: how many.
        created: when it was written down; ended: when it was taken in or had failed, UTC, ISO
            8601, or None.
        message: how far the server was when it was last asked, or what became of the batch, as
            a sentence.
    """

    id: str
    run: str
    server_id: str
    status: BatchStatus
    requests: int
    created: str
    ended: str | None
    message: str

    @property
    def out(self) -> bool:
        """Whether the server may still be at work on it."""
        return self.status in (BatchStatus.PREPARING, BatchStatus.SUBMITTED)


def batches(database: Database, run_id: str) -> list[BatchRecord]:
    """Every batch of a run, the oldest first.

    Raises:
        UnknownRun: no such run.
    """
    run(database, run_id)
    sql = "SELECT * FROM batches WHERE run = ? ORDER BY rowid"
    return [
        BatchRecord(
            id=row["id"],
            run=row["run"],
            server_id=row["server_id"] or "",
            status=BatchStatus(row["status"]),
            requests=row["requests"],
            created=row["created"],
            ended=row["ended"],
            message=row["message"],
        )
        for row in database.query(sql, [run_id])
    ]


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


_ITEM_COLUMNS = (
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
    table = pd.DataFrame(rows, columns=list(_ITEM_COLUMNS))
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
