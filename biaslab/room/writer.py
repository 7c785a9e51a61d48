"""The one thread that writes to the file of rooms: what waits together is committed together.

A commit reaches the disk before it returns, which takes longer than all else. So requests that
arrive meanwhile share the next one, and nobody hears that something is stored before it is.

Answers are by far the most. All of a group are written by one statement: after every statement
this thread has to get the interpreter back from the one that answers phones, which may take
milliseconds.
"""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from biaslab.room.records import MOST_WAITING, TOGETHER, RoomBusy
from biaslab.runs.store.connection import connect, store_errors

T = TypeVar("T")


class _Waiting(NamedTuple):
    """Something to write, or rows to insert, and who waits for it."""

    write: Callable[[sqlite3.Connection], Any] | None
    rows: Sequence[Sequence[object]]
    done: Future[Any]


class RoomWriter:
    """Writes to one file, from a thread of its own."""

    def __init__(self, path: Path, insert: str) -> None:
        """Starts the thread.

        Args:
            path: the file.
            insert: the statement that inserts rows, given as one JSON list of them.
        """
        self._path = path
        self._insert = insert
        self._waiting: queue.Queue[_Waiting | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._work, name="rooms", daemon=True)
        self._thread.start()

    def submit(self, write: Callable[[sqlite3.Connection], T]) -> Future[T]:
        """Has something written.

        Args:
            write: gets a connection within a transaction; what it wrote before an error is taken
                back.

        Returns:
            What `write` gave, once it is on the disk.

        Raises:
            RoomBusy: too much is waiting.
        """
        return self._put(_Waiting(write, (), Future()))

    def insert(self, rows: Sequence[Sequence[object]]) -> Future[None]:
        """Has rows inserted, together with those of everybody else who waits.

        Returns:
            Done once they are on the disk, as far as the statement takes them.

        Raises:
            RoomBusy: too much is waiting.
        """
        return self._put(_Waiting(None, rows, Future()))

    def _put(self, waiting: _Waiting) -> Future[Any]:
        try:
            self._waiting.put_nowait(waiting)
        except queue.Full:
            raise RoomBusy(
                "More answers arrive than can be written. Try again in a few seconds."
            ) from None
        return waiting.done

    def close(self) -> None:
        """Writes what is waiting, and ends."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        going_on = True
        while going_on:
            together, going_on = self._next()
            try:
                if connection is None:
                    connection = connect(self._path)
                with store_errors(self._path):
                    outcomes = self._write(connection, together)
            except BaseException as error:  # whoever waits has to hear of it, whatever it is
                if connection is not None:
                    connection.close()  # rolls back what was begun
                connection = None
                outcomes = [error] * len(together)
            for each, outcome in zip(together, outcomes, strict=True):
                if isinstance(outcome, BaseException):
                    each.done.set_exception(outcome)
                else:
                    each.done.set_result(outcome)
        if connection is not None:
            connection.close()

    def _next(self) -> tuple[list[_Waiting], bool]:
        """What is written next, and whether more may come."""
        first = self._waiting.get()
        together: list[_Waiting] = []
        while first is not None:
            # From here on nobody who waits can hang up; who did before is left out.
            if first.done.set_running_or_notify_cancel():
                together.append(first)
            if len(together) == TOGETHER:
                return together, True
            try:
                first = self._waiting.get_nowait()
            except queue.Empty:
                return together, True
        return together, False

    def _write(self, connection: sqlite3.Connection, together: list[_Waiting]) -> list[Any]:
        """Results, or errors, of what was written in one transaction; one's error is its own."""
        outcomes: list[Any] = []
        connection.execute("BEGIN IMMEDIATE")
        for each in together:
            if each.write is None:
                outcomes.append(None)
                continue
            connection.execute("SAVEPOINT one")
            try:
                outcomes.append(each.write(connection))
            except Exception as error:
                # Where the disk is full or the file broken this fails too, and so the whole does.
                connection.execute("ROLLBACK TO one")
                outcomes.append(error)
            connection.execute("RELEASE one")
        rows = [row for each in together for row in each.rows]
        if rows:
            connection.execute(self._insert, (json.dumps(rows),))
        connection.execute("COMMIT")
        return outcomes
