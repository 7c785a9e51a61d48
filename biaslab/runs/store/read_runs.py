"""Reads runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from biaslab.runs.errors import UnknownRun
from biaslab.runs.store.encoding import read_design, read_sampling
from biaslab.runs.store.liveness import NOW, is_live
from biaslab.runs.store.options import read_options
from biaslab.runs.store.records import (
    WRITING,
    FailureCount,
    InterimLook,
    RunRecord,
    RunStatus,
)

if TYPE_CHECKING:
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
