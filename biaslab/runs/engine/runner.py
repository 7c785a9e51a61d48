"""Does a run: takes it, asks what has no answer yet, and says how it ended."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from biaslab.models import Model, ModelError
from biaslab.runs.engine import leases
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.engine.session import PAUSES, Session
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.engine.writer import RunWriter
from biaslab.runs.errors import ChangedRun, LostRun, RunError, RunPaused, StoreError
from biaslab.runs.fitting import check_fit
from biaslab.runs.jobs.queue import GivenUp, JobKind, QueuedWork, in_turn
from biaslab.runs.rereading import reread
from biaslab.runs.store.records import RunRecord, RunStatus
from biaslab.runs.store.store import Store
from biaslab.studies.study import Experiment, Strategy
from biaslab.system.roles import May, require
from schoolmath.problems import ProblemError

_log = logging.getLogger(__name__)

Progress = Callable[[RunRecord], None]


def run_here(
    store: Store,
    run_id: str,
    on_progress: Progress | None = None,
    *,
    sources: Sources | None = None,
    owner: str | None = None,
    pauses: Sequence[float] = PAUSES,
    only_failed: bool = False,
    queued: bool = False,
) -> RunRecord:
    """Starts or resumes a run in this process and returns when it has ended.

    Items that have an answer are not asked again; items that failed are. What can be put right
    by a person (the model is gone, the prompts have changed, nothing but failures) ends the
    run with status ``failed`` and a message, and raises nothing.

    Args:
        store: the file.
        run_id: a run that `prepare` wrote.
        on_progress: called about twice a second, between two answers.
        sources: where studies and models come from, if not those installed.
        owner: mark of a lease already taken for this process.
        pauses: seconds before each further attempt at items that failed for a passing reason.
        only_failed: asks items that failed before, and no others.
        queued: waits until all work of this computer that came before is done.

    Returns:
        the run as it ended: finished, stopped, paused or failed.

    Raises:
        UnknownRun: no such run.
        RunBusy: another worker is at it.
        LostRun: this process was suspended for so long that another worker took over.
        StoreError: the file could not be written; what was counted is kept.
        KeyboardInterrupt: as it came; the run is then stopped.
    """
    record = store.run(run_id)
    if owner is None:
        owner = leases.claim(store, run_id, leases.LEASE_SECONDS, os.getpid())
    elif not leases.hand_over(store, run_id, owner, os.getpid()):
        raise LostRun(f"Another worker has taken over run {run_id}; this one has not begun.")
    try:
        with (
            # While it waits, too, it shows that it is there and can be stopped.
            RunWriter(store, record.id, _model_id(record), owner) as writer,
            _turn(store, run_id, writer) if queued else nullcontext(),
        ):
            found = sources or installed(store)
            _read_alike(store, record, found, owner)
            session = _begin(store, record, writer, found, on_progress, pauses)
            status, message = session.go(only_failed=only_failed)
    except GivenUp:
        status, message = RunStatus.STOPPED, ""
    except RunPaused as pause:
        status, message = RunStatus.STOPPED, str(pause)
    except (ModelError, ProblemError, RunError) as error:
        if isinstance(error, LostRun):
            raise
        status, message = RunStatus.FAILED, str(error)
    except KeyboardInterrupt:
        leases.release(store, run_id, owner, RunStatus.STOPPED, "")
        raise
    except BaseException as error:
        _log.exception("Run %s ended with an error.", run_id)
        _try_to_release(store, run_id, owner, error)
        raise
    leases.release(store, run_id, owner, status, message)
    return store.run(run_id)


def stop(store: Store, run_id: str) -> None:
    """Asks the run's worker to stop after the answers it is getting now.

    A run whose worker is gone is marked as stopped; others are left as they are.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownRun: no such run.
        StoreError: the file cannot be written.
    """
    require(May.RUN)
    leases.request_stop(store, run_id)


def _turn(store: Store, run_id: str, writer: RunWriter) -> AbstractContextManager[None]:
    def is_given_up() -> bool:
        writer.flush()  # raises what went wrong with the lease
        return writer.stop_requested

    return in_turn(store.path, QueuedWork(JobKind.RUN, run_id), is_given_up=is_given_up)


def _model_id(record: RunRecord) -> str:
    return f"{record.model_spec}@{record.model_revision}"


def _begin(
    store: Store,
    record: RunRecord,
    writer: RunWriter,
    sources: Sources,
    on_progress: Progress | None,
    pauses: Sequence[float],
) -> Session:
    experiment = sources.experiment(record.study).reading_by(record.reader)
    strategy = _same_strategy(store, record, experiment)
    model = _same_model(record, sources)
    check_fit(experiment, model.identity)
    return Session(store, record, writer, experiment, strategy, model, on_progress, pauses)


def _read_alike(store: Store, record: RunRecord, sources: Sources, owner: str) -> None:
    """Before a run goes on whose answers an earlier reader read: they are read again.

    Raises:
        ChangedRun: they cannot be.
    """
    if record.reader != sources.experiment(record.study).reader_of(record.reader):
        reread(store, record.id, sources=sources, owner=owner)


def _same_strategy(store: Store, record: RunRecord, experiment: Experiment) -> Strategy:
    strategy = find_strategy(experiment, record.strategy)
    with store.reading() as database:
        (row,) = list(database.query("SELECT strategy_version FROM runs WHERE id = ?", [record.id]))
    if row["strategy_version"] != strategy.version:
        raise ChangedRun(
            f"The prompts of “{record.strategy}” have changed since this run was prepared "
            f"(by BiasLab {record.library_version}). Prepare a new run: answers to different "
            "prompts are never mixed."
        )
    return strategy


def _same_model(record: RunRecord, sources: Sources) -> Model:
    model = sources.open_model(record.model_spec, record.options.access)
    found = model.identity
    if found.revision != record.model_revision or found.form != record.model_form:
        raise ChangedRun(
            f"The model {record.model_spec} is no longer the one this run was prepared with "
            f"(revision {record.model_revision}, now {found.revision}). Prepare a new run: "
            "answers of different models are never mixed."
        )
    return model


def _try_to_release(store: Store, run_id: str, owner: str, error: BaseException) -> None:
    """Says in the file why the run ended, if the file still takes it."""
    if isinstance(error, StoreError):
        message = str(error)
    else:
        message = (
            f"Something went wrong in BiasLab itself ({type(error).__name__}: {error}). "
            "Everything answered so far is saved; the log of the run says more."
        )
    try:
        leases.release(store, run_id, owner, RunStatus.FAILED, message)
    except StoreError:
        _log.exception("The end of run %s could not be written down.", run_id)
