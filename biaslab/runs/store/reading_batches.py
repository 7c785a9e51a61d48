"""Reads the batches of a run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlite_utils import Database

from biaslab.runs.store.read_runs import run


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
