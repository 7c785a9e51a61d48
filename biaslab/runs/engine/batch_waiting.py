"""Waits for batches that are with a server, however long that takes.

Writes down which requests of a run are with a server as a batch, before they are handed over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import uuid4

from biaslab.models import GenerationRequest
from biaslab.models.server.batches import BatchClient, BatchRequest, BatchState, BatchTrouble
from biaslab.runs.engine.writer import RunWriter
from biaslab.runs.errors import RunPaused
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


FIRST_LOOK_SECONDS = 5.0
"""Until a batch is looked at again for the first time."""

LONGEST_LOOK_SECONDS = 300.0
"""The time between two looks grows up to this."""

_GROWTH = 1.5

_NAMED = 3

LOOKS_FOR_LOST = 3
"""So often a server's list is searched for a batch that it may have, before it is handed over
again: a list may lag behind."""

MOST_MISSES = 150
"""Looks in vain, one after the other, after which the run pauses: half a day."""

FORGOTTEN_AFTER_DAYS = 30
"""Services keep the files of a batch for so long. A batch that the server does not know is taken
for lost only then; before that, the key may be another project's."""


class EndedBatch(NamedTuple):
    """A batch that nothing more will happen to.

    Attributes:
        batch: as it stands in the file.
        state: as the server sees it; None: the server never had it, or has forgotten it.
    """

    batch: BatchRecord
    state: BatchState | None


class Waiting:
    """Looks at the batches of a run until each has ended.

    Args:
        table: the batches in the file.
        service: asks the server.
        writer: tells whether a stop was asked for, and waits.
        wait: waits for so many seconds, or less when the run is to stop; the writer's by default.
    """

    def __init__(
        self,
        table: BatchTable,
        service: BatchClient,
        writer: RunWriter,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self._table = table
        self._service = service
        self._writer = writer
        self._wait = wait or writer.pause
        self._misses = 0
        self._searched: dict[str, int] = {}
        self._fetches: dict[str, int] = {}

    def ended(self) -> Iterator[EndedBatch]:
        """Each batch that is out, as soon as it has ended.

        Raises:
            RunPaused: a stop was asked for, or a person is needed. Nothing was cancelled.
            LostRun, StoreError: as `RunWriter.pause`.
        """
        out = {batch.id: batch for batch in self._table.out()}
        seconds = FIRST_LOOK_SECONDS
        while out:
            for batch in list(out.values()):
                ended = self._look(batch)
                if ended is not None:
                    del out[batch.id]
                    seconds = FIRST_LOOK_SECONDS
                    yield ended
            if out:
                self._stop_if_asked()
                self._wait(seconds)
                self._stop_if_asked()
                seconds = min(seconds * _GROWTH, LONGEST_LOOK_SECONDS)
                # Ids of the server that were found are in the file now.
                out = {batch.id: batch for batch in self._table.out()}

    def before_fetching_again(self, batch: BatchRecord, trouble: BatchTrouble) -> None:
        """Waits after the answers of a batch that has ended could not be fetched.

        Raises:
            RunPaused: waiting does not help, has not helped for long, or is to end.
        """
        tried = self._fetches[batch.id] = self._fetches.get(batch.id, 0) + 1
        if not trouble.passing or tried >= MOST_MISSES:
            raise RunPaused(f"{trouble} {self._still_out()}")
        self._note(batch, f"The answers could not be fetched yet: {trouble}")
        self._stop_if_asked()
        self._wait(min(FIRST_LOOK_SECONDS * _GROWTH**tried, LONGEST_LOOK_SECONDS))
        self._stop_if_asked()

    def _look(self, batch: BatchRecord) -> EndedBatch | None:
        try:
            if not batch.server_id:
                return self._search(batch)
            state = self._service.status(batch.server_id)
        except BatchTrouble as trouble:
            return self._bear(batch, trouble)
        self._misses = 0
        if state.ended:
            return EndedBatch(batch, state)
        self._note(batch, progress(state))
        return None

    def _search(self, batch: BatchRecord) -> EndedBatch | None:
        found = self._service.find(batch.id)
        self._misses = 0
        if found is not None:
            self._table.submitted(batch.id, found.id)
            return None
        self._searched[batch.id] = self._searched.get(batch.id, 0) + 1
        return EndedBatch(batch, None) if self._searched[batch.id] >= LOOKS_FOR_LOST else None

    def _bear(self, batch: BatchRecord, trouble: BatchTrouble) -> EndedBatch | None:
        if trouble.unknown and self._table.days_since(batch.id) > FORGOTTEN_AFTER_DAYS:
            return EndedBatch(batch, None)
        self._misses += 1
        nothing_out = trouble.unreachable and not any(b.server_id for b in self._table.out())
        if not trouble.passing or nothing_out or self._misses >= MOST_MISSES:
            raise RunPaused(f"{trouble} {self._still_out()}")
        self._note(batch, f"Last checked: {trouble}")
        return None

    def _note(self, batch: BatchRecord, message: str) -> None:
        current = {each.id: each.message for each in self._table.out()}
        if current.get(batch.id) != message:
            self._table.note(batch.id, message)

    def _stop_if_asked(self) -> None:
        if self._writer.stop_requested:
            raise RunPaused(self._still_out())

    def _still_out(self) -> str:
        return still_out(self._table.out(), self._service.host)


def progress(state: BatchState) -> str:
    """How far the server is with a batch, as a sentence."""
    done = f"{state.completed + state.failed:,} of {state.total:,} requests done"
    return f"The server says {state.status.replace('_', ' ')}: {done}."


def still_out(batches: Sequence[BatchRecord], host: str) -> str:
    """What a person must know of a run that stops while batches are, or may be, with a server.

    Args:
        batches: those that are out, the oldest first; at least one.
        host: where they are.
    """
    known = [batch for batch in batches if batch.server_id] or list(batches)
    requests = sum(batch.requests for batch in known)
    what = f"{len(known)} batches" if len(known) > 1 else "A batch"
    verb = "are" if len(known) > 1 else "is"
    since = known[0].created[:16].replace("T", " ")
    if not known[0].server_id:
        return (
            f"{what} of {requests:,} requests {verb} perhaps with {host} since {since} UTC. "
            "Resume the run: it looks there first, and hands nothing over twice."
        )
    named = ", ".join(batch.server_id for batch in known[:_NAMED])
    named += " and others" if len(known) > _NAMED else ""
    return (
        f"{what} of {requests:,} requests {verb} with {host} since {since} UTC ({named}). Resume "
        "the run to take the answers in, also days later: nothing was cancelled, and nothing "
        "will be handed over twice."
    )
