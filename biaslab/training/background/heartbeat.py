"""Whether a process is at a training, and that never two are.

The process stands in ``process.json`` in the training's directory: its number and when it began,
because numbers are given out again. As long as it lives it renews the file's time; that counts
where its number says nothing (on another machine that shares the disk, or after the clock was
set). Who takes a training does so under a lock that the system lifts when its holder dies.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil
from filelock import FileLock

from biaslab.system.processes import host, is_running
from biaslab.training.errors import TrainingBusy

PROCESS_FILE = "process.json"
LOCK_FILE = "taking.lock"

BEAT_SECONDS = 5.0
"""How often a process shows that it is there."""

LAPSE_SECONDS = 30.0
"""A process whose number says nothing and that was not heard of for so long counts as dead."""

_TAKING_SECONDS = 60.0
"""Longest wait for another process that is just taking the training."""


def is_alive(directory: Path) -> bool:
    """Whether a process is at the training in this directory."""
    said = _noted(directory)
    if said is None:
        return False
    known = _is_running(said)
    if known is not None:
        return known
    return time.time() - last_beat(directory) < LAPSE_SECONDS


def is_left_behind(directory: Path) -> bool:
    """Whether a process was at the training and died without ending it."""
    return (directory / PROCESS_FILE).exists() and not is_alive(directory)


def last_beat(directory: Path) -> float:
    """When the process was last heard of, in seconds since 1970; 0 where there is none."""
    try:
        return (directory / PROCESS_FILE).stat().st_mtime
    except OSError:
        return 0.0


@contextmanager
def taking(directory: Path) -> Iterator[None]:
    """The block may put a process to the training; nobody else can meanwhile.

    Raises:
        TrainingBusy: a process is at it already.
    """
    with FileLock(directory / LOCK_FILE, timeout=_TAKING_SECONDS):
        said = _noted(directory)
        if is_alive(directory) and (said is None or said.get("pid") != os.getpid()):
            raise TrainingBusy(
                f"The training in {directory} is running already: wait for it, or stop it first."
            )
        yield


def note(directory: Path, pid: int) -> None:
    """Writes down which process is at the training. To be called in a block of `taking`."""
    began = 0.0
    with suppress(psutil.Error):
        began = psutil.Process(pid).create_time()
    fresh = directory / f"{PROCESS_FILE}.new"
    fresh.write_text(json.dumps({"host": host(), "pid": pid, "began": began}), encoding="utf-8")
    fresh.replace(directory / PROCESS_FILE)


class Heartbeat:
    """Marks this process as being at the training, for as long as the block lasts.

    When the block ends, however it does, the note is taken away: what is left behind tells of a
    process that was killed.

    Args:
        directory: the training's.

    Raises:
        TrainingBusy: another process is at it.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._ended = threading.Event()
        self._beating = threading.Thread(target=self._beat, name="heartbeats", daemon=True)

    def __enter__(self) -> Heartbeat:
        with taking(self._directory):
            note(self._directory, os.getpid())
        self._beating.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._beating.join()
        with suppress(OSError):
            (self._directory / PROCESS_FILE).unlink()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            with suppress(OSError):
                os.utime(self._directory / PROCESS_FILE)


def _noted(directory: Path) -> dict[str, Any] | None:
    try:
        said = json.loads((directory / PROCESS_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return said if isinstance(said, dict) else None


def _is_running(said: dict[str, Any]) -> bool | None:
    """Whether the process runs; None where its number cannot tell."""
    try:
        return is_running(said.get("host"), int(said["pid"]), float(said["began"]))
    except (KeyError, TypeError, ValueError):
        return None
