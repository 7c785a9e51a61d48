"""Work done elsewhere: the one way in which BiasLab starts a process, and tells whether it lives.

A process is a module of BiasLab with arguments. It either outlives who started it and says what
becomes of it in files (`detach`: runs, trainings), or works for somebody who waits and ends with
them (`AttachedProcess`: one-off requests, tests of servers), or is the app in front of a terminal
(`in_front`). These get the same `environment`. What reads a stranger's file gets none (`confined`);
that which tries a model file's template is started below, where models are opened
(`biaslab.models.local.gguf.template`).

The processes of one run that send its requests (`biaslab.models.server.worker_pool`) and those of
one training of the whole family or of the experiment, or that make its lessons, are
multiprocessing's: they share objects with their parent and its environment, and die with it.
"""

from __future__ import annotations

import logging
import math
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from typing import IO, Any

import psutil

import biaslab
from biaslab.models.provider import TYPED_KEY
from biaslab.models.server.keys import hide_key
from biaslab.system.confined import ProcessLimits

_STEP_SECONDS = 0.3
"""How often somebody who waits is told how long it has taken."""

_SAME_MOMENT = 2.0
"""Seconds by which two readings of when a process began may differ."""

REFUSED = "Error: "
"""What a command writes before the sentence with which it ends."""

_NOTHING: Mapping[str, str] = {}

_log = logging.getLogger(__name__)

Waiting = Callable[[float], None]
"""Is told the seconds since the beginning; what it raises ends the process."""


class TookTooLong(Exception):
    """A process had not ended after the seconds that it was given."""


def environment(further: Mapping[str, str] = _NOTHING) -> dict[str, str]:
    """What a process gets of this one's environment.

    Not a key typed for a session, should one be there: such a key is given, as ``further``, to
    the one process that asks the servers it was typed for.

    Args:
        further: variables for this process alone; the place for a key, because it is in no file,
            log or command line.
    """
    given = {name: value for name, value in os.environ.items() if name != TYPED_KEY}
    given |= further
    # It must find the same package, also where BiasLab is run without being installed.
    package = str(Path(biaslab.__file__).parents[1])
    given["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [given.get("PYTHONPATH")])])
    return given


def detach(
    module: str, arguments: Sequence[str], log: Path, further: Mapping[str, str] = _NOTHING
) -> int:
    """Starts a module in a process that outlives this one, the page and the tab.

    On Linux and macOS it begins a session of its own, on Windows it is detached from the console.
    It reads nothing. Whoever starts it writes down its number, where `is_running` finds it.

    Args:
        module: what ``python -m`` runs.
        arguments: its command line.
        log: file to which all that it writes is added; made with its directory.
        further: see `environment`.

    Returns:
        the process's number.

    Raises:
        OSError: the log cannot be written or the process not started.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        process = subprocess.Popen(
            _command(module, arguments),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=_for_work(further),
            **_detached(),
        )
    # A process that ended stays listed until its parent has asked for its status, and a
    # listed process looks alive.
    threading.Thread(target=process.wait, name=f"end of {process.pid}", daemon=True).start()
    return process.pid


def in_front(module: str, arguments: Sequence[str]) -> int:
    """Runs a module in front of this terminal until it ends; its exit status."""
    return subprocess.call(_command(module, arguments), env=environment())


class AttachedProcess:
    """A process that works for somebody who waits; a context manager that ends it.

    Args:
        module: what ``python -m`` runs.
        arguments: its command line.
        further: see `environment`.
        given: what it reads.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str] = (),
        further: Mapping[str, str] = _NOTHING,
        text: str = "",
    ) -> None:
        self._key = further.get(TYPED_KEY, "")
        self._said = TemporaryFile()  # noqa: SIM115  (closed with the process)
        self._process = subprocess.Popen(
            _command(module, arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=_for_work(further),
            encoding="utf-8",
            errors="replace",
        )
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        # Beside: neither side may wait for the other to empty a full pipe.
        self._threads = [
            threading.Thread(target=self._give, args=(text,), daemon=True),
            threading.Thread(target=self._listen, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def lines(
        self, waiting: Waiting | None = None, most_seconds: float = math.inf
    ) -> Iterator[str]:
        """What it prints, line by line, until it ends.

        Args:
            waiting: is called now and then while nothing comes.
            most_seconds: how long it may take.

        Raises:
            TookTooLong: it took longer.
        """
        began = time.monotonic()
        while True:
            try:
                line = self._lines.get(timeout=_STEP_SECONDS)
            except Empty:
                spent = time.monotonic() - began
                if spent > most_seconds:
                    raise TookTooLong from None
                if waiting is not None:
                    waiting(spent)
                continue
            if line is None:
                return
            yield line

    def why_ended(self) -> str:
        """The sentence with which it ended too early; empty where there is none.

        What it said else goes to the log, without the key.
        """
        self._process.wait()
        self._said.seek(0)
        said = hide_key(self._said.read().decode("utf-8", "replace").strip(), self._key)
        if said.startswith(REFUSED):
            return said.removeprefix(REFUSED)
        _log.error("A process ended without its result:\n%s", said)
        return ""

    def __enter__(self) -> AttachedProcess:
        return self

    def __exit__(self, *details: object) -> None:
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._said.close()

    def _give(self, text: str) -> None:
        assert self._process.stdin is not None
        with suppress(OSError), self._process.stdin as pipe:  # what it said tells why it ended
            pipe.write(text)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)


class EndedEarly(Exception):
    """A confined process took more than it may, or ended without a result."""


def confined(module: str, content: bytes, bounds: ProcessLimits) -> bytes:
    """What a module prints that reads bytes which a stranger gave.

    It gets no environment, so no key.

    Args:
        module: its function `main` is called.
        content: what it reads.
        bounds: what it may take.

    Raises:
        EndedEarly: it took more, or failed.
        OSError: it cannot be started.
    """
    package = str(Path(biaslab.__file__).parents[1])
    process = subprocess.Popen(
        [
            sys.executable,
            "-I",
            "-X",
            "utf8",
            "-c",
            _CONFINED,
            package,
            module,
            *map(str, bounds[:2]),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(sys.executable).anchor,
        env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        | {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    giving = threading.Thread(target=_give_bytes, args=(process.stdin, content), daemon=True)
    too_long = threading.Timer(2 * bounds.seconds, process.kill)
    with process:
        giving.start()
        too_long.start()
        try:
            printed = process.stdout.read(bounds.written + 1)
            ended_well = len(printed) <= bounds.written and process.wait() == 0
        finally:
            too_long.cancel()
            process.kill()
            giving.join()
    if not ended_well:
        raise EndedEarly
    return printed


_CONFINED = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from biaslab.system.confined import begin; begin(*sys.argv[2:])"
)


def _give_bytes(pipe: IO[bytes], content: bytes) -> None:
    with suppress(OSError), pipe:  # whoever ended early reads no more
        pipe.write(content)


@cache
def host() -> str:
    """Where process numbers mean the same: this machine and, on Linux, this container."""
    namespace = Path("/proc/self/ns/pid")
    try:
        return f"{socket.gethostname()} {namespace.readlink()}"
    except OSError:
        return socket.gethostname()


def is_running(where: str | None, process: int, began: float | None = None) -> bool | None:
    """Whether a process runs that was written down; None where its number cannot tell.

    One that has ended and only waits for its parent to notice does not run.

    Args:
        where: the `host` on which it was started.
        process: its number.
        began: when it began, seconds since 1970, because numbers are given out again; None where
            that was not written down.
    """
    if where != host():
        return None
    try:
        found = psutil.Process(process)
        if found.status() == psutil.STATUS_ZOMBIE:
            return False
        # A clock that was set in between makes the moments differ for one and the same process.
        same = began is None or abs(found.create_time() - began) < _SAME_MOMENT
        return True if same else None
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return None


def _command(module: str, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _for_work(further: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process that nobody sees: what it writes, and how many threads."""
    given = {**environment(further), "PYTHONIOENCODING": "utf-8"}
    given.setdefault("OMP_NUM_THREADS", str(_free_cores()))
    # Threads that wait by spinning take the core from whom they wait for as soon as any other
    # program works: a model then stands nearly still.
    given.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return given


def _free_cores() -> int:
    """Cores that nobody uses now: on busy ones, more threads are far slower than one."""
    cores = os.cpu_count() or 1
    if sys.platform == "win32":
        return cores
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    return max(1, cores - math.ceil(os.getloadavg()[0]))


def _detached() -> dict[str, Any]:
    """Options that let a process outlive this one."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
        return {"creationflags": flags}
    return {"start_new_session": True}
