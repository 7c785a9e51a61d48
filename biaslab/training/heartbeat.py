"""What a training says of itself: that a process is at it, how far it is, what its checks gave.

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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import psutil
from filelock import FileLock

from biaslab.system.processes import host, is_running
from biaslab.training.cells import CheckCell
from biaslab.training.plan import TrainingBusy
from biaslab.training.trainer import CHECKS_FILE, PROGRESS_FILE

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


def _is_running(record: dict[str, Any]) -> bool | None:
    """Whether the process runs; None where its number cannot tell."""
    try:
        return is_running(record.get("host"), int(record["pid"]), float(record["began"]))
    except (KeyError, TypeError, ValueError):
        return None


# Progress and checks, from the training's directory. Both files get a line at a time and are read
# while they are written. A process that was killed may have left half a line; what it did after
# its last save is done, and said, again by the one that goes on. So lines that cannot be read are
# passed over, and of what was said twice the later one counts.


MEASURING = "measuring"
"""Stage after the last step: unseen pairs are asked for the card."""

_Line = TypeVar("_Line")


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far a training was after a pool of lessons.

    Attributes:
        minute: trained so far, in minutes.
        share: done of the plan, 0 to 1.
        step: optimizer steps; examples: lessons seen.
        loss: mean over the pool, in nats a taught token.
        stage: ``start``, ``problems`` or ``measuring``.
    """

    minute: float
    share: float
    step: int
    examples: int
    loss: float
    stage: str

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> TrainingProgress:
        """The progress in a line of the file.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        return cls(
            float(record["minute"]), float(record["share"]), int(record["step"]),
            int(record["examples"]), float(record["loss"]), str(record["stage"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProgressCheck:
    """A check on unseen pairs along a training.

    Attributes:
        minute, examples: when it was made.
        cells: a row for each kind of problem and prompt strategy.
    """

    minute: float
    examples: int
    cells: tuple[CheckCell, ...]

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> ProgressCheck:
        """The check in a line of the file.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        cells = tuple(CheckCell.from_json(cell) for cell in record["cells"])
        return cls(float(record["minute"]), int(record["examples"]), cells)


def read_progress(directory: Path) -> tuple[TrainingProgress, ...]:
    """All progress so far, in order; empty where there is none yet."""
    kept: list[TrainingProgress] = []
    for line in _lines(directory / PROGRESS_FILE, TrainingProgress.from_json):
        while kept and (kept[-1].stage == MEASURING or _undone(kept[-1], line)):
            kept.pop()
        kept.append(line)
    return tuple(kept)


def read_checks(directory: Path) -> tuple[ProgressCheck, ...]:
    """All checks so far, in order; empty where there is none yet."""
    kept: list[ProgressCheck] = []
    for line in _lines(directory / CHECKS_FILE, ProgressCheck.from_json):
        while kept and kept[-1].examples >= line.examples:
            kept.pop()
        kept.append(line)
    return tuple(kept)


def mend(directory: Path) -> None:
    """Ends a line that a killed process left half written, so that the next one is whole.

    Raises:
        OSError: the files cannot be written.
    """
    for name in (PROGRESS_FILE, CHECKS_FILE):
        path = directory / name
        if path.exists():
            with path.open("rb+") as file:
                if file.seek(0, 2) and file.seek(-1, 2) is not None and file.read(1) != b"\n":
                    file.write(b"\n")


def _undone(before: TrainingProgress, after: TrainingProgress) -> bool:
    """Whether a line tells of steps that were lost, since a later line starts again before."""
    if after.stage == MEASURING:
        return before.step > after.step
    return before.step >= after.step


def _lines(path: Path, read: Callable[[Mapping[str, Any]], _Line]) -> Iterator[_Line]:
    try:
        content = path.read_bytes()
    except OSError:
        return
    for line in content.split(b"\n"):
        try:
            yield read(json.loads(line))
        except (KeyError, TypeError, ValueError):
            continue
