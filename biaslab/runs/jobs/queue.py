"""One queue of work for this computer: runs, plans and trainings, one after another.

Whoever has work to do writes a ticket into a folder beside the file of runs and waits until no
living process has an older one. Who is at work holds a lock as well, which the system lifts when
its holder dies: the tickets say whose turn it is, the lock that never two have it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from uuid import uuid4

import psutil
from filelock import FileLock, Timeout

from biaslab.runs.errors import RunError, StoreUnreadable
from biaslab.system.processes import host, is_running

_LOOK_SECONDS = 0.5
"""How often work that waits looks whether it is its turn."""


class JobKind(StrEnum):
    """What waits."""

    RUN = "run"
    PLAN = "plan"
    TRAINING = "training"


@dataclass(frozen=True, slots=True)
class QueuedWork:
    """Something that is done in turn.

    Attributes:
        kind: what it is.
        name: of the run its id, of a plan its key, of a training its name.
    """

    kind: JobKind
    name: str


class GivenUp(RunError):
    """Work that waited is not wanted any more."""


def _never() -> bool:
    return False


@contextmanager
def in_turn(
    path: str | Path,
    work: QueuedWork,
    on_wait: Callable[[], object] = lambda: None,
    is_given_up: Callable[[], bool] = _never,
) -> Iterator[None]:
    """Waits until all work that came before is done, and keeps what comes after waiting.

    Whatever becomes of the process, the turn ends with it.

    Args:
        path: the file of runs; work beside different files does not wait for each other.
        work: what is to be done.
        on_wait: called once, where it is not its turn yet.
        is_given_up: asked now and then while it waits.

    Raises:
        GivenUp: it is not wanted any more.
        StoreUnreadable: the folder beside the file cannot be written.
    """
    folder = _folder(path)
    ticket = folder / f"{time.time_ns():020d}-{uuid4().hex[:8]}.json"
    lock = FileLock(folder / "turn.lock", thread_local=False)
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _write(ticket, work)
            _wait(folder, ticket, lock, on_wait, is_given_up)
        except OSError as error:
            raise StoreUnreadable(
                f"No turn could be taken ({error.strerror or error}). Check that {folder} may be "
                "written to, then try again."
            ) from error
        yield
    finally:
        with suppress(OSError):
            ticket.unlink(missing_ok=True)
        lock.release()


def line(path: str | Path) -> list[QueuedWork]:
    """The work of this computer, the one that is being done first, then what waits, in order."""
    return [work for _, work in _living(_folder(path))]


def place(path: str | Path, work: QueuedWork) -> int | None:
    """How many are before this work, 0 while it is done; None where it stands in no line."""
    waiting = line(path)
    return waiting.index(work) if work in waiting else None


def _wait(
    folder: Path,
    ticket: Path,
    lock: FileLock,
    on_wait: Callable[[], object],
    is_given_up: Callable[[], bool],
) -> None:
    told = False
    while True:
        first = next(iter(_living(folder)), None)
        if first is None or first[0] >= ticket:
            with suppress(Timeout):
                lock.acquire(timeout=0)
                return
        if not told:
            on_wait()
            told = True
        if is_given_up():
            raise GivenUp("It was stopped while it waited for its turn.")
        time.sleep(_LOOK_SECONDS)


def _write(ticket: Path, work: QueuedWork) -> None:
    began = psutil.Process().create_time()
    said = {
        "host": host(), "process": os.getpid(), "began": began, "kind": work.kind, "name": work.name
    }  # fmt: skip
    part = ticket.with_suffix(".part")
    part.write_text(json.dumps(said), encoding="utf-8")
    part.replace(ticket)


def _living(folder: Path) -> list[tuple[Path, QueuedWork]]:
    """The tickets of processes that live here, the oldest first; those of dead ones are removed."""
    found = []
    for ticket in sorted(folder.glob("*.json")):
        try:
            said = json.loads(ticket.read_text("utf-8"))
            work = QueuedWork(JobKind(said["kind"]), str(said["name"]))
            lives = is_running(said["host"], int(said["process"]), float(said["began"]))
        except (OSError, ValueError, KeyError, TypeError):
            continue  # it was just taken away, or says nothing
        if lives:
            found.append((ticket, work))
        elif lives is False:
            with suppress(OSError):
                ticket.unlink(missing_ok=True)
    return found


def _folder(path: str | Path) -> Path:
    database = Path(path).expanduser().absolute()
    return database.parent / f"{database.stem}-logs" / "queue"
