"""The one thread that writes: what shares a commit, whose error it is, who hung up."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from biaslab.room import RoomBusy
from biaslab.room.records import MOST_WAITING, TOGETHER
from biaslab.room.writer import RoomWriter
from biaslab.runs import StoreError

INSERT = "INSERT INTO numbers SELECT json_extract(value, '$[0]') FROM json_each(?)"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "numbers.db"
    with sqlite3.connect(found) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE numbers (number INTEGER)")
    return found


@pytest.fixture
def writer(path: Path) -> Iterator[RoomWriter]:
    made = RoomWriter(path, INSERT)
    yield made
    made.close()


@pytest.fixture
def hold(writer: RoomWriter) -> Iterator[Callable[[], None]]:
    """Keeps the writer busy until it is called, so that others wait together."""
    begun, let_go = threading.Event(), threading.Event()

    def write(_: sqlite3.Connection) -> None:
        begun.set()
        let_go.wait()

    writer.submit(write)
    begun.wait()
    yield let_go.set
    let_go.set()


def numbers(path: Path) -> list[int]:
    with sqlite3.connect(path) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM numbers")]


def test_what_waits_together_is_committed_together_and_no_more_than_so_many(
    writer: RoomWriter, path: Path, hold: Callable[[], None]
) -> None:
    seen: list[int] = []

    def look(_: sqlite3.Connection) -> None:
        # Another connection sees what is committed, and nothing of this transaction.
        seen.append(len(numbers(path)))

    waiting = [writer.insert([(each,)]) for each in range(TOGETHER - 1)]
    writer.submit(look)
    last = [writer.insert([(TOGETHER,)]), writer.submit(look)]
    hold()
    for each in (*waiting, *last):
        each.result()
    assert seen == [0, TOGETHER - 1]
    assert len(numbers(path)) == TOGETHER


def test_the_error_of_one_is_its_own(
    writer: RoomWriter, path: Path, hold: Callable[[], None]
) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO numbers VALUES (13)")
        raise ValueError("This one does not count.")

    before, failing, after = writer.insert([(1,)]), writer.submit(fails), writer.insert([(2,)])
    hold()
    before.result()
    after.result()
    with pytest.raises(ValueError, match="does not count"):
        failing.result()
    assert numbers(path) == [1, 2]


def test_what_somebody_asked_who_hung_up_is_not_written(
    writer: RoomWriter, path: Path, hold: Callable[[], None]
) -> None:
    gone, there = writer.insert([(1,)]), writer.insert([(2,)])
    assert gone.cancel()
    hold()
    there.result()
    with pytest.raises(CancelledError):
        gone.result()
    assert numbers(path) == [2]


def test_when_too_much_waits_others_are_asked_to_come_again(
    writer: RoomWriter, path: Path, hold: Callable[[], None]
) -> None:
    waiting = [writer.insert([(each,)]) for each in range(MOST_WAITING)]
    with pytest.raises(RoomBusy, match="Try again"):
        writer.insert([(0,)])
    hold()
    for each in waiting:
        each.result()
    assert len(numbers(path)) == MOST_WAITING


def test_whoever_waits_hears_of_a_broken_file_and_the_writer_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "numbers.db"
    path.write_bytes(b"this is no database, but long enough to look like one" * 20)
    writer = RoomWriter(path, INSERT)
    with pytest.raises(StoreError, match="damaged"):
        writer.insert([(1,)]).result()
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE numbers (number INTEGER)")
    writer.insert([(1,)]).result()
    writer.close()
    assert numbers(path) == [1]
