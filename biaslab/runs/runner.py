"""Does a run: takes it, asks what has no answer yet, and says how it ended."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from biaslab.experiments.experiment import Answered, Experiment, Item, Strategy
from biaslab.models import Model, ModelError
from biaslab.problems import ProblemError
from biaslab.runs import leases
from biaslab.runs.asking import Asker, Event, ItemFailed
from biaslab.runs.encoding import read_item, read_response
from biaslab.runs.errors import ChangedRun, LostRun, RunError, StoreError
from biaslab.runs.keeping import Keeper
from biaslab.runs.preparing import find_strategy
from biaslab.runs.records import RunRecord, RunStatus
from biaslab.runs.sources import Sources, installed
from biaslab.runs.store import Store

PAUSES = (1.0, 5.0)
"""Seconds before items that failed for a passing reason are asked again, and then once more."""

GIVE_UP_AFTER = 50
"""So many failures with no response between them mean that nothing will come any more."""

_FIRST_CHUNK = 32
_LARGEST_CHUNK = 256
"""Large groups let a model batch well. The first ones are small, so that strategies which ask
twice show finished items soon."""

_PROGRESS_SECONDS = 0.5

_UNFINISHED = """
SELECT member.item, max(member.failed)
FROM (
    SELECT position, 0 AS arm, item_x AS item, state_x = 'failed' AS failed
    FROM outcomes WHERE run = :run AND state_x IN ('missing', 'failed')
    UNION ALL
    SELECT position, 1, item_x_prime, state_x_prime = 'failed'
    FROM outcomes WHERE run = :run AND state_x_prime IN ('missing', 'failed')
) AS member
GROUP BY member.item
ORDER BY min(2 * member.position + member.arm)
"""

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

    Returns:
        the run as it ended: finished, stopped or failed.

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
        status, message = _do(store, record, owner, sources or installed(), on_progress, pauses)
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
        UnknownRun: no such run.
        StoreError: the file cannot be written.
    """
    leases.request_stop(store, run_id)


def _do(
    store: Store,
    record: RunRecord,
    owner: str,
    sources: Sources,
    on_progress: Progress | None,
    pauses: Sequence[float],
) -> tuple[RunStatus, str]:
    model_id = f"{record.model_spec}@{record.model_revision}"
    with Keeper(store, record.id, model_id, owner) as keeper:
        experiment = sources.experiment(record.study)
        strategy = _same_strategy(store, record, experiment)
        model = _same_model(record, sources)
        asker = Asker(experiment, strategy, model, record.sampling, _recall(store, keeper))
        session = _Session(store, record.id, asker, keeper, on_progress)
        session.ask(_unfinished(store, record.id))
        for seconds in pauses:
            if keeper.stop_requested or not session.passing:
                break
            keeper.pause(seconds)
            session.ask(list(session.passing))
        keeper.settle()
        return session.ending()


class _Session:
    """One go at a run, from its start to its end, stop or failure."""

    def __init__(
        self,
        store: Store,
        run_id: str,
        asker: Asker,
        keeper: Keeper,
        on_progress: Progress | None,
    ) -> None:
        self._store = store
        self._run = run_id
        self._asker = asker
        self._keeper = keeper
        self._on_progress = on_progress
        self._told = time.monotonic()
        self._failures = 0
        self._stopped = False
        self.passing: dict[str, None] = {}
        """Items that failed for a passing reason and were not answered since."""

    def ask(self, item_ids: Sequence[str]) -> None:
        """Asks these items in chunks until they are done or a stop is asked for."""
        for chunk in _chunks(item_ids):
            for event in self._asker.ask(_items(self._store, chunk)):
                self._keeper.put(event)
                self._note(event)
                self._tell()
                if self._keeper.stop_requested:
                    self._stopped = True
                    return

    def ending(self) -> tuple[RunStatus, str]:
        """Status and message now that nothing more is asked."""
        record = self._store.run(self._run)
        if self._stopped and record.items_done < record.items_total:
            return RunStatus.STOPPED, ""
        if record.failed:
            return RunStatus.FINISHED, (
                f"{record.failed} of {record.items_total} items got no response and are not "
                "counted as answers. Resume the run to ask them again."
            )
        return RunStatus.FINISHED, ""

    def _note(self, event: Event) -> None:
        if not isinstance(event, ItemFailed):
            self._failures = 0
            self.passing.pop(getattr(event, "item", ""), None)
            return
        self._failures += 1
        if event.failure.retryable:
            self.passing[event.item] = None
        else:
            self.passing.pop(event.item, None)
        if self._failures >= GIVE_UP_AFTER:
            raise RunError(
                f"The last {self._failures} items got no response: {event.failure.reason} "
                "Put that right, then resume the run."
            )

    def _tell(self) -> None:
        now = time.monotonic()
        if self._on_progress is not None and now - self._told >= _PROGRESS_SECONDS:
            self._told = now
            self._on_progress(self._store.run(self._run))


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
    model = sources.open_model(record.model_spec)
    found = model.identity
    if found.revision != record.model_revision or found.form != record.model_form:
        raise ChangedRun(
            f"The model {record.model_spec} is no longer the one this run was prepared with "
            f"(revision {record.model_revision}, now {found.revision}). Prepare a new run: "
            "answers of different models are never mixed."
        )
    return model


def _unfinished(store: Store, run_id: str) -> list[str]:
    """Items without an answer, pair by pair, so that a stopped run has whole pairs."""
    with store.reading() as database:
        rows = database.execute(_UNFINISHED, {"run": run_id}).fetchall()
    return [item for item, _ in rows]


def _items(store: Store, ids: Sequence[str]) -> list[Item]:
    sql = "SELECT * FROM items WHERE id IN (SELECT value FROM json_each(?))"
    with store.reading() as database:
        found = {row["id"]: read_item(row) for row in database.query(sql, [json.dumps(ids)])}
    return [found[key] for key in ids]


def _recall(store: Store, keeper: Keeper) -> Callable[[Sequence[str]], Mapping[str, Answered]]:
    def recall(ids: Sequence[str]) -> Mapping[str, Answered]:
        keeper.settle()
        sql = "SELECT * FROM responses WHERE id IN (SELECT value FROM json_each(?))"
        with store.reading() as database:
            rows = database.query(sql, [json.dumps(ids)])
            return {row["id"]: read_response(row) for row in rows}

    return recall


def _chunks(ids: Sequence[str]) -> Iterator[list[str]]:
    start, size = 0, _FIRST_CHUNK
    while start < len(ids):
        yield list(ids[start : start + size])
        start += size
        size = min(2 * size, _LARGEST_CHUNK)


def _try_to_release(store: Store, run_id: str, owner: str, error: BaseException) -> None:
    """Says in the file why the run ended, if the file still takes it."""
    if isinstance(error, StoreError):
        message = str(error)
    else:
        message = (
            f"Something went wrong in BiasLab itself ({type(error).__name__}: {error}). "
            "Everything answered so far is kept; the log of the run says more."
        )
    try:
        leases.release(store, run_id, owner, RunStatus.FAILED, message)
    except StoreError:
        _log.exception("The end of run %s could not be written down.", run_id)
