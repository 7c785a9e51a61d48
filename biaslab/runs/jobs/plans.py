"""Plans that are done in the background, in turn with all other work of this computer.

A plan is kept in a folder beside the file of runs, under the first digits of its own digest, and
is done by ``biaslab matrix`` in a process that outlives the page. What becomes of it stands in the
file of runs, cell by cell; beside the plan is only written which process is at it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import psutil

from biaslab.models import Access
from biaslab.runs.engine import leases
from biaslab.runs.errors import StoreUnreadable
from biaslab.runs.hosting import check_day, check_plan, check_queue, is_bound, works_for
from biaslab.runs.matrix import read_plan
from biaslab.runs.store.connection import check_space
from biaslab.runs.store.store import Store
from biaslab.system.processes import REFUSED, detach, host, is_running
from biaslab.system.roles import May, require

MODULE = "biaslab"
"""What ``python -m`` runs; ``matrix`` and the plan are its arguments."""


def plan_key(plan: bytes) -> str:
    """What a plan is called: plans of the same text have the same key."""
    return sha256(plan).hexdigest()[:16]


def launch_plan(
    path: str | Path, plan: bytes, environment: Mapping[str, str] | None = None
) -> None:
    """Does a plan in a process of its own; nothing happens where one is at it already.

    Args:
        path: the file of runs.
        plan: as `biaslab.runs.matrix.read_plan` takes it.
        environment: the place for a key: it is in no file, log or command line.

    Raises:
        NotAllowed: whoever acts may not do this, or not of these models.
        TooMuch: too much work waits already, or the plan is too large for whoever acts.
        StoreFull: the disk is nearly full.
        StoreUnreadable: the plan cannot be written beside the file, or no process started.
    """
    require(May.RUN)
    check_space(path)
    check_queue(path)
    check_day(path)
    if is_bound():
        _check(plan)
    if is_plan_going_on(path, plan):
        return
    database = Path(path).expanduser().absolute()
    try:
        _folder(path).mkdir(parents=True, exist_ok=True)
        file = _plan_file(path, plan)
        file.write_bytes(plan)
        # What an earlier process refused is no news of this one.
        file.with_suffix(".log").unlink(missing_ok=True)
        process = detach(
            MODULE,
            ["matrix", str(file), "--db", str(database)],
            file.with_suffix(".log"),
            {**(environment or {}), **works_for()},
        )
        with suppress(psutil.Error):
            began = psutil.Process(process).create_time()
            written = {"host": host(), "process": process, "began": began}
            file.with_suffix(".json").write_text(json.dumps(written), encoding="utf-8")
    except OSError as error:
        raise _unwritable(path, error) from error


def is_plan_going_on(path: str | Path, plan: bytes) -> bool:
    """Whether a process is at the plan, or waits for its turn."""
    return _process_of(path, plan) is not None


def stop_plan(store: Store, plan: bytes, run: str = "") -> None:
    """Ends a plan after the answers that are on their way; what was answered is kept.

    Args:
        store: the file.
        plan: which.
        run: of the cell that is being asked; empty where none is, as while the plan waits.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownRun: no such run.
        StoreError: the file cannot be written.
    """
    require(May.RUN)
    if run:
        leases.request_stop(store, run)
        return
    process = _process_of(store.path, plan)
    if process is not None:
        with suppress(psutil.Error):
            psutil.Process(process).terminate()


def last_words(path: str | Path, plan: bytes) -> str:
    """The sentence with which the plan's process refused to go on; empty where it did not."""
    try:
        said = _plan_file(path, plan).with_suffix(".log").read_text("utf-8", "replace")
    except OSError:
        return ""
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].removeprefix(REFUSED) if lines and lines[-1].startswith(REFUSED) else ""


def _check(plan: bytes) -> None:
    read = read_plan(plan)
    reached = [
        (model.model, Access(() if model.base_url is None else (model.base_url,)))
        for model in read.models
    ]
    check_plan(reached, max(study.n for study in read.studies), read.budget.requests)


def _process_of(path: str | Path, plan: bytes) -> int | None:
    """The number of the process that is at the plan."""
    try:
        written = json.loads(_plan_file(path, plan).with_suffix(".json").read_text("utf-8"))
        where, process, began = written["host"], int(written["process"]), float(written["began"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return process if is_running(where, process, began) else None


def _folder(path: str | Path) -> Path:
    database = Path(path).expanduser().absolute()
    return database.parent / f"{database.stem}-logs" / "plans"


def _plan_file(path: str | Path, plan: bytes) -> Path:
    return _folder(path) / f"{plan_key(plan)}.yaml"


def _unwritable(path: str | Path, error: OSError) -> StoreUnreadable:
    return StoreUnreadable(
        f"The plan could not be started ({error.strerror or error}). Check that "
        f"{_folder(path)} may be written to, then try again."
    )
