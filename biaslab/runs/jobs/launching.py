"""Starts the worker as a process that outlives the page, the tab and the server.

It writes what it has to say to a log file beside the file of runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from biaslab.runs.engine import leases
from biaslab.runs.engine.prepare import change_options
from biaslab.runs.errors import StoreUnreadable
from biaslab.runs.hosting import check_day, check_listed, check_queue, within_limits, works_for
from biaslab.runs.store.connection import check_space
from biaslab.runs.store.records import RunStatus
from biaslab.runs.store.store import open_store
from biaslab.system.processes import detach
from biaslab.system.roles import May, require

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

    From then on the run counts as running, so it cannot be started twice. It is done in turn with
    all other work of this computer (`biaslab.runs.jobs.queue`), unless a service does it as a
    batch, for which this computer only waits.

    Args:
        path: the file of runs.
        run_id: a run that `prepare` wrote.
        environment: further environment variables for the worker. The place for an API key:
            it is in no file, log or command line.
        only_failed: asks items that failed before, and no others.
        module: what to run; takes the arguments of `biaslab.runs.engine.worker`.

    Raises:
        NotAllowed: whoever acts may not do this, or not of this model.
        TooMuch: too much work waits already, or the day leaves a host nothing.
        StoreFull: the disk is nearly full.
        UnknownRun: no such run.
        RunBusy: a worker is at it already.
        StoreError: the file cannot be used, or the process cannot be started.
    """
    require(May.RUN)
    check_space(path)
    check_queue(path)
    with open_store(path) as store:
        record = store.run(run_id)
        check_listed(record.model_spec, record.options.access)
        check_day(path, record.options)
        if (bound := within_limits(record.options)) != record.options:
            change_options(store, run_id, bound)
        owner = leases.claim(store, run_id, leases.STARTING_SECONDS, process=None)
        try:
            arguments = ["--db", str(store.path), "--run", run_id, "--lease", owner]
            arguments += ["--only-failed"] if only_failed else []
            arguments += [] if record.options.batch_api else ["--queue"]
            given = {**(environment or {}), **works_for()}
            process = detach(module, arguments, log_path(store.path, run_id), given)
        except OSError as error:
            message = (
                f"The worker of run {run_id} could not be started ({error.strerror or error}). "
                f"Check that {log_path(store.path, run_id).parent} may be written to, then resume."
            )
            leases.release(store, run_id, owner, RunStatus.FAILED, message)
            raise StoreUnreadable(message) from error
        leases.hand_over(store, run_id, owner, process)


def log_path(path: str | Path, run_id: str) -> Path:
    """Where the worker of this run writes its log."""
    database = Path(path).expanduser().absolute()
    return database.parent / f"{database.stem}-logs" / f"{run_id}.log"
