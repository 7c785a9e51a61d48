"""Keeps what a running worker is told: answers, counters and lease, in one thread of its own.

The worker's main thread may be inside a model for minutes. This thread meanwhile stores what
came, renews the lease and sees whether a stop was asked for. What has gathered since the last
commit is committed together, every `GATHER_SECONDS` at most, with the counters in the same
transaction: what is counted is on disk, and what is on disk is counted.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from biaslab.models import Completion
from biaslab.runs.engine.ask import (
    Event,
    ItemFailed,
    ItemRead,
    NewResponse,
    NoticeChanged,
    RunHalted,
)
from biaslab.runs.engine.leases import LEASE_SECONDS, RENEW_SECONDS
from biaslab.runs.errors import LostRun
from biaslab.runs.store.connection import connect, store_errors
from biaslab.runs.store.encoding import reading_columns, response_columns, write_request
from biaslab.runs.store.liveness import NOW, UTC
from biaslab.runs.store.store import Store

WINDOW_SECONDS = 30.0
"""Speed is measured over the last half minute, because cached answers, long problems and other
users of the machine make the average since the start misleading."""

_FEWEST_SAMPLES = 5


class ItemRate:
    """Items per second over a recent window; slow runs keep at least a few samples."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def add(self, now: float, count: int) -> None:
        """Notes that so many items are done.

        Args:
            now: seconds on any clock that never goes back.
            count: items done in all.
        """
        samples = self._samples
        samples.append((now, count))
        while len(samples) > _FEWEST_SAMPLES and samples[1][0] <= now - WINDOW_SECONDS:
            samples.popleft()

    def per_second(self, now: float) -> float | None:
        """Items per second until now; None before two different samples."""
        if len(self._samples) < 2:
            return None
        first_time, first_done = self._samples[0]
        done = self._samples[-1][1] - first_done
        if now <= first_time or done <= 0:
            return None
        return done / (now - first_time)


GATHER_SECONDS = 0.1
"""An answer waits no longer than this to be written, unless the disk is slower."""

_MOST_WAITING = 5_000
"""So many events may wait to be written; a model that is faster than the disk waits too."""

_RESPONSE_COLUMNS = (
    "id", "model", "run", "request", "text", "thinking", "finish", "log_probabilities",
    "tokens_in", "tokens_out", "tokens", "seconds", "served",
)  # fmt: skip

_RESPONSE = f"""
INSERT OR IGNORE INTO responses ({", ".join(_RESPONSE_COLUMNS)}, created)
VALUES ({", ".join(":" + name for name in _RESPONSE_COLUMNS)}, {UTC})
"""

_ANSWER = """
INSERT INTO answers (run, item, sample, state, value, outcome, rule, explanation, span, extra,
                     responses, reason, attempts)
VALUES (:run, :item, :sample, :state, :value, :outcome, :rule, :explanation, :span, :extra,
        :responses, :reason, :attempts)
ON CONFLICT (run, item, sample) DO UPDATE SET
    state = excluded.state, value = excluded.value, outcome = excluded.outcome,
    rule = excluded.rule, explanation = excluded.explanation, span = excluded.span,
    extra = excluded.extra,
    responses = excluded.responses, reason = excluded.reason, attempts = excluded.attempts
"""

_COUNT = f"""
UPDATE runs SET answered = answered + :answered, invalid = invalid + :invalid,
    failed = failed + :failed, cached = cached + :cached, asked = asked + :asked,
    retried = retried + :retried, tokens_in = tokens_in + :tokens_in,
    tokens_out = tokens_out + :tokens_out, rate = :rate, lease_expires = {NOW} + {LEASE_SECONDS}
WHERE id = :run AND lease_owner = :owner
RETURNING stop_requested, answered + invalid + failed
"""

_NOTICE = "UPDATE runs SET message = ? WHERE id = ? AND lease_owner = ?"

_RETRY = """
INSERT INTO retries (run, reason, count) VALUES (?, ?, ?)
ON CONFLICT (run, reason) DO UPDATE SET count = count + excluded.count
"""

_COUNTERS = (
    "answered", "invalid", "failed", "cached", "asked", "retried", "tokens_in", "tokens_out",
)  # fmt: skip

ASKED_AGAIN = "asked again after it had failed"
"""Reason noted where an item whose request had failed for good was asked once more."""


class RunWriter:
    """Stores a run's events from a thread of its own, for as long as the ``with`` block lasts.

    Args:
        store: the file; run_id: the run; model_id: whose responses these are.
        owner: the mark of the lease, from `biaslab.runs.engine.leases.claim`.
    """

    def __init__(self, store: Store, run_id: str, model_id: str, owner: str) -> None:
        self._path = store.path
        self._run = run_id
        self._model = model_id
        self._owner = owner
        self._changed = threading.Condition()
        self._waiting: list[Event] = []
        self._writing = False
        self._hurry = False
        self._closing = False
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._pace = ItemRate()
        self._thread = threading.Thread(
            target=self._write_all, name=f"writer of {run_id}", daemon=True
        )

    def __enter__(self) -> RunWriter:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        if error is None:
            self._raise_failure()

    @property
    def stop_requested(self) -> bool:
        """Whether a person wants the run to stop."""
        return self._stop.is_set()

    def put(self, event: Event) -> None:
        """Hands an event over to be stored soon.

        Raises:
            StoreError: an earlier event could not be stored.
            LostRun: another worker has taken the run over.
        """
        with self._changed:
            while len(self._waiting) >= _MOST_WAITING and self._failure is None:
                self._changed.wait()
            self._raise_failure()
            self._waiting.append(event)
            self._changed.notify_all()

    def flush(self) -> None:
        """Returns once everything handed over is on disk.

        Raises:
            StoreError, LostRun: as `put`.
        """
        with self._changed:
            while (self._waiting or self._writing) and self._failure is None:
                self._hurry = True
                self._changed.notify_all()
                self._changed.wait()
            self._raise_failure()

    def pause(self, seconds: float) -> None:
        """Waits, but no longer once a stop is asked for."""
        self._stop.wait(seconds)
        with self._changed:
            self._raise_failure()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _write_all(self) -> None:
        try:
            connection = connect(self._path)
            try:
                with store_errors(self._path):
                    self._write_with(connection)
            finally:
                connection.close()
        except BaseException as error:  # told to the main thread, which raises it
            with self._changed:
                self._failure = error
                self._stop.set()
                self._changed.notify_all()

    def _write_with(self, connection: sqlite3.Connection) -> None:
        last = time.monotonic() - GATHER_SECONDS
        closing = False
        while not closing:
            events, closing = self._gather(last)
            self._commit(connection, events)
            last = time.monotonic()
            with self._changed:
                self._writing = False
                self._changed.notify_all()

    def _gather(self, last: float) -> tuple[list[Event], bool]:
        with self._changed:
            while not (self._closing or (self._hurry and self._waiting)):
                due = last + (GATHER_SECONDS if self._waiting else RENEW_SECONDS)
                left = due - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            events, self._waiting = self._waiting, []
            self._writing = True
            self._hurry = False
            return events, self._closing

    def _commit(self, connection: sqlite3.Connection, events: Sequence[Event]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            counts = self._write(connection, events)
            now = time.monotonic()
            counts |= {
                "rate": self._pace.per_second(now), "run": self._run, "owner": self._owner
            }  # fmt: skip
            row = connection.execute(_COUNT, counts).fetchone()
            if row is None:
                raise LostRun(
                    f"Another worker has taken over run {self._run}; this one has stopped."
                )
            if events:
                connection.execute("UPDATE file SET changes = changes + 1")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        stop, done = row
        if events:
            self._pace.add(now, done)
        if stop:
            self._stop.set()

    def _write(self, connection: sqlite3.Connection, events: Sequence[Event]) -> dict[str, Any]:
        counts: dict[str, Any] = dict.fromkeys(_COUNTERS, 0)
        retries: Counter[str] = Counter()
        for event in events:
            match event:
                case NewResponse():
                    connection.execute(_RESPONSE, self._response(event))
                    counts["asked"] += 1
                    counts["tokens_in"] += event.answered.tokens_in
                    if isinstance(event.answered, Completion):
                        counts["tokens_out"] += event.answered.tokens_out
                    retries.update(event.answered.retries)
                case NoticeChanged(notice=notice):
                    connection.execute(_NOTICE, (notice.text, self._run, self._owner))
                case RunHalted():
                    retries.update(event.failure.retries)
                case ItemRead() | ItemFailed():
                    self._write_answer(connection, event, counts, retries)
        if retries:
            rows = [(self._run, reason, count) for reason, count in retries.items()]
            connection.executemany(_RETRY, rows)
            counts["retried"] = retries.total()
        return counts

    def _write_answer(
        self,
        connection: sqlite3.Connection,
        event: ItemRead | ItemFailed,
        counts: dict[str, Any],
        retries: Counter[str],
    ) -> None:
        before = connection.execute(
            "SELECT state, attempts FROM answers WHERE run = ? AND item = ? AND sample = ?",
            (self._run, event.item, event.sample),
        ).fetchone()
        state, attempts = before or (None, 0)
        if isinstance(event, ItemFailed):
            retries.update(event.failure.retries)
        if state == "failed":
            retries[ASKED_AGAIN] += 1
        elif state is not None:
            return
        row = _answer(event, attempts) | {"run": self._run}
        connection.execute(_ANSWER, row)
        counts[row["state"]] += 1
        counts["failed"] -= state == "failed"
        if isinstance(event, ItemRead):
            counts["cached"] += self._from_other_runs(connection, event.responses)

    def _from_other_runs(self, connection: sqlite3.Connection, ids: Sequence[str]) -> int:
        sql = "SELECT count(*) FROM responses WHERE id = ? AND run <> ?"
        return sum(connection.execute(sql, (key, self._run)).fetchone()[0] for key in ids)

    def _response(self, event: NewResponse) -> Mapping[str, Any]:
        return {
            "id": event.id,
            "model": self._model,
            "run": self._run,
            "request": write_request(event.request),
            **response_columns(event.answered),
        }


def _answer(event: ItemRead | ItemFailed, attempts: int) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(
        ("value", "outcome", "rule", "explanation", "span", "extra", "reason")
    )
    row |= {"item": event.item, "sample": event.sample, "attempts": attempts}
    row["responses"] = json.dumps(event.responses)
    if isinstance(event, ItemFailed):
        return row | {
            "state": "failed", "reason": event.failure.reason, "attempts": attempts + 1
        }  # fmt: skip
    return row | reading_columns(event.reading)
