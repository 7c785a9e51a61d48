"""Writes down which requests of a run are with a server as a batch, before they are handed over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from uuid import uuid4

from biaslab.models import GenerationRequest
from biaslab.models.server.batch.states import BatchRequest
from biaslab.runs.store.encoding import read_request, write_request
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.read_runs import BatchRecord, BatchStatus, batches
from biaslab.runs.store.store import Store
from biaslab.studies.study import Request

_READ_TOGETHER = 500

_ENDED = f"UPDATE batches SET status = ?, message = ?, ended = {UTC} WHERE id = ?"


class BatchTable:
    """The batches of one run in the file.

    Args:
        store: the file; run_id: the run.
    """

    def __init__(self, store: Store, run_id: str) -> None:
        self._store = store
        self._run = run_id

    def out(self) -> list[BatchRecord]:
        """Batches that the server may be at work on, the oldest first."""
        with self._store.reading() as database:
            return [batch for batch in batches(database, self._run) if batch.out]

    def days_since(self, batch: str) -> float:
        """Days since a batch was written down."""
        sql = "SELECT julianday('now') - julianday(created) FROM batches WHERE id = ?"
        with self._store.reading() as database:
            ((days,),) = database.execute(sql, [batch]).fetchall()
        return float(days)

    def begin(self) -> str:
        """A new batch without requests; returns its id."""
        batch = uuid4().hex
        with self._store.writing() as connection:
            connection.execute(
                "INSERT INTO batches (id, run, status, requests, created)"
                f" VALUES (?, ?, ?, 0, {UTC})",
                (batch, self._run, BatchStatus.PREPARING),
            )
        return batch

    def add(self, batch: str, requests: Sequence[BatchRequest]) -> None:
        """Adds requests to a batch that was not handed over yet."""
        rows = [(batch, each.id, write_request(each.request)) for each in requests]
        with self._store.writing() as connection:
            connection.executemany(
                "INSERT INTO batch_requests (batch, response, request) VALUES (?, ?, ?)", rows
            )
            connection.execute(
                "UPDATE batches SET requests = requests + ? WHERE id = ?", (len(rows), batch)
            )

    def requests(self, batch: str) -> Iterator[BatchRequest]:
        """What is asked in a batch, in the order of the ids."""
        last = ""
        sql = (
            "SELECT response, request FROM batch_requests WHERE batch = ? AND response > ?"
            f" ORDER BY response LIMIT {_READ_TOGETHER}"
        )
        while True:
            with self._store.reading() as database:
                rows = database.execute(sql, [batch, last]).fetchall()
            if not rows:
                return
            for key, text in rows:
                yield BatchRequest(key, _written(read_request(text)))
            last = rows[-1][0]

    def look_up(self, batch: str, ids: Sequence[str]) -> Mapping[str, GenerationRequest]:
        """Those requests of a batch that have these ids."""
        sql = (
            "SELECT response, request FROM batch_requests"
            " WHERE batch = ? AND response IN (SELECT value FROM json_each(?))"
        )
        with self._store.reading() as database:
            rows = database.execute(sql, [batch, json.dumps(ids)]).fetchall()
        return {key: _written(read_request(text)) for key, text in rows}

    def counted(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids whose responses this run has been given, and counted, already."""
        sql = "SELECT id FROM responses WHERE run = ? AND id IN (SELECT value FROM json_each(?))"
        with self._store.reading() as database:
            rows = database.execute(sql, [self._run, json.dumps(ids)]).fetchall()
        return frozenset(key for (key,) in rows)

    def submitted(self, batch: str, server_id: str) -> None:
        """Notes that the server has it."""
        with self._store.writing() as connection:
            connection.execute(
                "UPDATE batches SET status = ?, server_id = ? WHERE id = ?",
                (BatchStatus.SUBMITTED, server_id, batch),
            )

    def note(self, batch: str, message: str) -> None:
        """Notes how far the server is with it."""
        with self._store.writing() as connection:
            connection.execute("UPDATE batches SET message = ? WHERE id = ?", (message, batch))

    def end(self, batch: str, status: BatchStatus, message: str) -> None:
        """Notes that no more comes from it. Its requests, with the responses by then, go."""
        with self._store.writing() as connection:
            connection.execute(_ENDED, (status, message, batch))
            connection.execute("DELETE FROM batch_requests WHERE batch = ?", (batch,))


def _written(request: Request) -> GenerationRequest:
    assert isinstance(request, GenerationRequest)
    return request
