"""Who may write to a run: one worker at a time, and how its death is noticed.

A worker holds a lease that it renews every `RENEW_SECONDS`. One transaction looks whether the
run is free and takes it, and every later write carries the owner's mark as its condition, so a
worker that was suspended and overtaken cannot write any more. Times are by SQLite's clock,
which every process that uses the file shares.

A lease lapses `LEASE_SECONDS` after the last renewal; `biaslab.runs.store.liveness` says when a
dead worker is noticed earlier.
"""

from __future__ import annotations

import sqlite3
from uuid import uuid4

from biaslab.runs.errors import RecordedRun, RunBusy, UnknownRun
from biaslab.runs.store.liveness import NOW, UTC, is_live
from biaslab.runs.store.records import is_recorded
from biaslab.runs.store.store import Store
from biaslab.system.processes import host

RENEW_SECONDS = 2.0
"""How often a worker shows that it is there."""

LEASE_SECONDS = 10.0
"""A worker not heard of for so long is taken for dead."""

STARTING_SECONDS = 120.0
"""How long a process may take from being started to its first heartbeat: importing on a
busy machine takes many seconds. Where it dies before, that is seen by its process number."""


def claim(store: Store, run_id: str, seconds: float, process: int | None) -> str:
    """Takes the run for a worker and marks it as running.

    Args:
        store: the file.
        run_id: which run.
        seconds: until the lease lapses if it is not renewed.
        process: number of the worker's process; None while it is not known.

    Returns:
        the owner's mark, which every later write must carry.

    Raises:
        UnknownRun: no such run.
        RunBusy: another worker has it.
        RecordedRun: it was opened from a bundle.
        StoreError: the file cannot be written.
    """
    owner = uuid4().hex
    with store.writing() as connection:
        check_own(connection, run_id)
        row = connection.execute(
            f"SELECT status, lease_owner, lease_expires, worker_host, worker_pid,"
            f" {NOW} AS now FROM runs WHERE id = ?",
            (run_id,),
        ).fetchone()
        if row is None:
            raise UnknownRun(f"There is no run {run_id} in {store.path}.")
        names = ("status", "lease_owner", "lease_expires", "worker_host", "worker_pid", "now")
        if is_live(dict(zip(names, row, strict=True))):
            raise RunBusy(f"A worker is at run {run_id} already. Wait for it, or stop it first.")
        connection.execute(
            "UPDATE runs SET status = 'running', message = '', stop_requested = 0, rate = NULL,"
            f" started = coalesce(started, {UTC}), finished = NULL, lease_owner = ?,"
            f" lease_expires = {NOW} + ?, worker_host = ?, worker_pid = ? WHERE id = ?",
            (owner, seconds, host(), process, run_id),
        )
    return owner


def check_own(connection: sqlite3.Connection, run_id: str) -> None:
    """Refuses to change what somebody else recorded.

    Raises:
        RecordedRun: the run was opened from a bundle, or is one of the gallery.
    """
    row = connection.execute("SELECT bundle FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None and is_recorded(run_id):
        raise RecordedRun(
            f"Run {run_id} was recorded and came with BiasLab, so it is read-only. Make "
            "a run of your own with the same design."
        )
    if row is not None and row[0] is not None:
        raise RecordedRun(
            f"Run {run_id} was opened from a bundle, so it is read-only. Make a run of "
            "your own with the same design."
        )


def hand_over(store: Store, run_id: str, owner: str, process: int) -> bool:
    """Notes which process holds the lease; False if it is no longer this owner's."""
    with store.writing() as connection:
        cursor = connection.execute(
            "UPDATE runs SET worker_pid = ? WHERE id = ? AND lease_owner = ?",
            (process, run_id, owner),
        )
        return cursor.rowcount == 1


def release(store: Store, run_id: str, owner: str, status: str, message: str) -> None:
    """Ends the lease with the run's new status; nothing happens if it is not this owner's."""
    with store.writing() as connection:
        connection.execute(
            f"UPDATE runs SET status = ?, message = ?, finished = {UTC}, rate = NULL,"
            " stop_requested = 0, lease_owner = NULL, lease_expires = NULL,"
            " worker_host = NULL, worker_pid = NULL WHERE id = ? AND lease_owner = ?",
            (status, message, run_id, owner),
        )


def request_stop(store: Store, run_id: str) -> None:
    """Asks the run's worker to stop; a run whose worker is gone is marked as stopped.

    Raises:
        UnknownRun: no such run.
        StoreError: the file cannot be written.
    """
    record = store.run(run_id)
    with store.writing() as connection:
        if record.status in ("running", "stopping"):
            connection.execute(
                "UPDATE runs SET stop_requested = 1 WHERE id = ? AND lease_owner IS NOT NULL",
                (run_id,),
            )
        elif record.status == "interrupted":
            connection.execute(
                f"UPDATE runs SET status = 'stopped', finished = {UTC}, lease_owner = NULL,"
                " lease_expires = NULL, worker_host = NULL, worker_pid = NULL"
                f" WHERE id = ? AND status = 'running'",
                (run_id,),
            )
