"""Starts the worker as a process that outlives the page, the tab and the server.

On Linux and macOS it begins a session of its own (``start_new_session``), on Windows it is
detached from the console in a process group of its own. It reads nothing, and writes what it
has to say to a log file beside the file of runs.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import biaslab
from biaslab.models.server.keys import inherited_environment
from biaslab.runs.engine import leases
from biaslab.runs.errors import StoreUnreadable
from biaslab.runs.store.records import RunStatus
from biaslab.runs.store.store import open_store

WORKER = "biaslab.runs.engine.worker"
"""The module that the new process runs."""


def launch(
    path: str | Path,
    run_id: str,
    environment: Mapping[str, str] | None = None,
    *,
    only_failed: bool = False,
    module: str = WORKER,
) -> None:
    """Starts or resumes a run in a process of its own; returns once that is started.

    From then on the run counts as running, so it cannot be started twice.

    Args:
        path: the file of runs.
        run_id: a run that `prepare` wrote.
        environment: further environment variables for the worker. The place for an API key:
            it is in no file, log or command line.
        only_failed: asks items that failed before, and no others.
        module: what to run; takes the arguments of `biaslab.runs.engine.worker`.

    Raises:
        UnknownRun: no such run.
        RunBusy: a worker is at it already.
        StoreError: the file cannot be used, or the process cannot be started.
    """
    with open_store(path) as store:
        owner = leases.claim(store, run_id, leases.STARTING_SECONDS, process=None)
        try:
            arguments = ["--db", str(store.path), "--run", run_id, "--lease", owner]
            arguments += ["--only-failed"] if only_failed else []
            process = start_apart(
                module, arguments, log_path(store.path, run_id), environment or {}
            )
        except OSError as error:
            message = (
                f"The worker of run {run_id} could not be started ({error.strerror or error}). "
                f"Check that {log_path(store.path, run_id).parent} may be written to, then resume."
            )
            leases.release(store, run_id, owner, RunStatus.FAILED, message)
            raise StoreUnreadable(message) from error
        leases.hand_over(store, run_id, owner, process.pid)
    # A process that ended stays listed until its parent has asked for its status, and a
    # listed process looks alive.
    threading.Thread(target=process.wait, name=f"end of {run_id}", daemon=True).start()


def log_path(path: str | Path, run_id: str) -> Path:
    """Where the worker of this run writes its log."""
    database = Path(path).expanduser().absolute()
    return database.parent / f"{database.stem}-logs" / f"{run_id}.log"


def start_apart(
    module: str, arguments: Sequence[str], log: Path, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Starts a module in a process that outlives this one.

    Args:
        module: what ``python -m`` runs.
        arguments: its command line.
        log: file to which all that it writes is added; made with its directory.
        environment: further environment variables.

    Raises:
        OSError: the log cannot be written or the process not started.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=_environment(environment),
            **_detached(),
        )


def _environment(further: Mapping[str, str]) -> dict[str, str]:
    environment = {**inherited_environment(), **further}
    # The worker must find the same package, also where BiasLab is run without being installed.
    package = str(Path(biaslab.__file__).parents[1])
    paths = [package, *filter(None, [environment.get("PYTHONPATH")])]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    environment.setdefault("OMP_NUM_THREADS", str(_free_cores()))
    return environment


def _free_cores() -> int:
    """Cores that nobody uses now: on busy ones, more threads are far slower than one."""
    cores = os.cpu_count() or 1
    if sys.platform == "win32":
        return cores
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    return max(1, cores - math.ceil(os.getloadavg()[0]))


def _detached() -> dict[str, Any]:
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
        return {"creationflags": flags}
    return {"start_new_session": True}
