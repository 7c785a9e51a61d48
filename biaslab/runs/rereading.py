"""Reading the stored responses of a run again with today's reader. Nothing is asked.

What was read before stays in the file (table ``earlier_readings``). A run is read by one reader
as a whole: where a later request was built on what was read in an earlier response and would be
another one today, the run keeps its readings, and the error says how many such answers there are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.models import ModelForm
from biaslab.runs.engine.leases import check_own
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.errors import ChangedRun, RunBusy
from biaslab.runs.store.encoding import read_item, read_request, read_response, reading_columns
from biaslab.runs.store.liveness import NOW, UTC, is_live
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store
from biaslab.studies.strategies import Stage, stages_of
from biaslab.studies.study import Experiment, Item, Request, Strategy, form_read
from biaslab.system.roles import May, require

_TOGETHER = 500
"""Answers read from the file at once."""

_COLUMNS = ("state", "value", "outcome", "rule", "explanation", "span", "extra")

_ANSWERS = f"""
SELECT item, sample, responses, {", ".join(_COLUMNS)} FROM answers
WHERE run = ? AND state <> 'failed' ORDER BY item, sample
"""

_LIVENESS = ("status", "lease_owner", "lease_expires", "worker_host", "worker_pid", "now")


@dataclass(frozen=True, slots=True)
class ChangedReading:
    """An answer that is read otherwise than before; values are None where nothing is read."""

    item: str
    sample: int
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Rereading:
    """What reading a run again gave.

    Attributes:
        reader_before: None: from before readers had names; reader_after: today's.
        answers: so many responses were read.
        changes: those whose value or outcome is another one now.
        invalid_before, invalid_after: answers that could not be read.
        otherwise: answers that say the same as before, but by another rule, at another place or
            with something else beside it (`Reading.extra`).
    """

    run: str
    reader_before: str | None
    reader_after: str
    answers: int
    changes: tuple[ChangedReading, ...]
    invalid_before: int
    invalid_after: int
    otherwise: int = 0

    @property
    def sentence(self) -> str:
        """The whole of it for a person."""
        before = self.reader_before or "an earlier reader without a name"
        found = (
            "no answer changed"
            if not self.changes
            else f"{len(self.changes):,} {'changes' if len(self.changes) == 1 else 'change'}"
        )
        return (
            f"{self.answers:,} stored answers read again by “{self.reader_after}” (before: "
            f"{before}): {found}; {self.invalid_after:,} unread, before {self.invalid_before:,}. "
            "No request was sent."
        )


@dataclass(frozen=True, slots=True)
class PastRereading:
    """A rereading that was kept; `reread` is its time in UTC, ISO 8601."""

    number: int
    reader_before: str | None
    reader_after: str
    answers: int
    changed: int
    reread: str


def reread(
    store: Store,
    run_id: str,
    *,
    reader: str | None = None,
    keep: bool = True,
    sources: Sources | None = None,
    owner: str | None = None,
) -> Rereading:
    """Reads every stored response of a run again.

    Args:
        store: the file.
        run_id: the run.
        reader: one of the study's, without its number ("published"); None: today's of that by
            which the run was read.
        keep: writes the new readings down, and the earlier ones beside them; else only tells.
        sources: where studies come from, if not those installed.
        owner: mark of the lease of a worker that reads its own run again before it goes on.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownRun: no such run.
        RunBusy: a worker is at it.
        RecordedRun: it was opened from a bundle.
        ChangedRun: later requests would be other ones today.
        DesignError: the study has no such reader.
        StoreError: the file cannot be written.
    """
    require(May.RUN)
    record = store.run(run_id)
    study = (sources or installed(store)).experiment(record.study)
    experiment = study.reading_by(reader or record.reader)
    strategy = find_strategy(experiment, record.strategy)
    form = form_read(strategy, ModelForm(record.model_form))
    again: list[tuple[Mapping[str, Any], dict[str, Any]]] = []
    unlike = 0
    for row, item, requests, stages in _stored(store, run_id):
        if len(stages) > 1 and not _same_requests(record, experiment, item, requests, stages):
            unlike += 1
            continue
        answered = [stage.response for stage in stages]
        again.append((row, reading_columns(experiment.read(item, answered, form))))
    if unlike:
        raise ChangedRun(
            f"Run {run_id} cannot be read again: {unlike:,} of its answers were asked in several "
            "requests, and with today's prompts and reading the later ones would be different. "
            "Its readings stay as they are. Prepare a new run to have it asked in today's way."
        )
    changes = tuple(
        ChangedReading(row["item"], row["sample"], row["value"], new["value"])
        for row, new in again
        if (row["value"], row["outcome"]) != (new["value"], new["outcome"])
    )
    found = Rereading(
        run_id,
        record.reader,
        experiment.reader,
        len(again),
        changes,
        sum(row["state"] == "invalid" for row, _ in again),
        sum(new["state"] == "invalid" for _, new in again),
        sum(
            (row["value"], row["outcome"]) == (new["value"], new["outcome"])
            and _beside(row) != _beside(new)
            for row, new in again
        ),
    )
    if keep:
        with store.writing() as connection:
            _check_free(connection, run_id, owner)
            _write(connection, found, again)
    return found


def _beside(row: Mapping[str, Any]) -> tuple[object, ...]:
    """What a reading says besides value and outcome."""
    return row["rule"], json.loads(row["span"] or "null"), json.loads(row["extra"] or "{}")


def rereadings(store: Store, run_id: str) -> list[PastRereading]:
    """Every time the run was read again, the first one first."""
    sql = (
        "SELECT number, reader_before, reader_after, answers, changed, reread FROM rereadings"
        " WHERE run = ? ORDER BY number"
    )
    with store.reading(run_id) as database:
        return [PastRereading(**row) for row in database.query(sql, [run_id])]


def asked_otherwise(store: Store, run_id: str) -> int:
    """How many answers of a run have requests that its strategy would not send today.

    Raises:
        UnknownRun: no such run.
        UnknownStrategy: the study has the strategy no more.
    """
    record = store.run(run_id)
    experiment = installed(store).experiment(record.study).reading_by(record.reader)
    return sum(
        not _same_requests(record, experiment, item, requests, stages)
        for _, item, requests, stages in _stored(store, run_id)
    )


_Stored = tuple[Mapping[str, Any], Item, list[Request], list[Stage]]


def _stored(store: Store, run_id: str) -> Iterator[_Stored]:
    """Each answer with its item, the requests for it and the whole responses to them."""
    with store.reading(run_id) as database:
        rows = list(database.query(_ANSWERS, [run_id]))
        for start in range(0, len(rows), _TOGETHER):
            part = rows[start : start + _TOGETHER]
            ids = list({row["item"] for row in part})
            keys = [key for row in part for key in json.loads(row["responses"])]
            items = _by_id(database.query(_LOOK.format("items"), [json.dumps(ids)]))
            found = _by_id(database.query(_LOOK.format("responses"), [json.dumps(keys)]))
            for row in part:
                own = [found[key] for key in json.loads(row["responses"])]
                requests = [read_request(response["request"]) for response in own]
                stages = stages_of(requests, [read_response(response) for response in own])
                yield row, read_item(items[row["item"]]), requests, stages


_LOOK = "SELECT * FROM {} WHERE id IN (SELECT value FROM json_each(?))"


def _by_id(rows: Iterator[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in rows}


def _same_requests(
    record: RunRecord,
    experiment: Experiment,
    item: Item,
    requests: Sequence[Request],
    stages: Sequence[Stage],
) -> bool:
    """Whether the strategy would ask today what it asked then, response by response.

    Where a response was asked to go on it was so by the reader of then, and stays so.
    """
    strategy: Strategy = find_strategy(experiment, record.strategy)
    form = ModelForm(record.model_form)
    answered = [stage.response for stage in stages]
    for before, stage in enumerate(stages):
        request = strategy.next_request(item, answered[:before], form)
        if request is None or request.messages != requests[stage.places[0]].messages:
            return False
    return strategy.next_request(item, answered, form) is None


def _check_free(connection: sqlite3.Connection, run_id: str, owner: str | None) -> None:
    check_own(connection, run_id)
    row = connection.execute(
        f"SELECT status, lease_owner, lease_expires, worker_host, worker_pid, {NOW} AS now"
        " FROM runs WHERE id = ?",
        (run_id,),
    ).fetchone()
    state = dict(zip(_LIVENESS, row, strict=True))
    if is_live(state) and state["lease_owner"] != owner:
        raise RunBusy(f"A worker is at run {run_id}. Wait for it, or stop it, then read it again.")


def _write(
    connection: sqlite3.Connection,
    rereading: Rereading,
    again: Sequence[tuple[Mapping[str, Any], dict[str, Any]]],
) -> None:
    (number,) = connection.execute(
        "SELECT 1 + count(*) FROM rereadings WHERE run = ?", (rereading.run,)
    ).fetchone()
    connection.execute(
        "INSERT INTO rereadings (run, number, reader_before, reader_after, answers, changed,"
        f" reread) VALUES (?, ?, ?, ?, ?, ?, {UTC})",
        (rereading.run, number, rereading.reader_before, rereading.reader_after, rereading.answers,
         len(rereading.changes)),
    )  # fmt: skip
    names = ", ".join(_COLUMNS)
    marks = ", ".join("?" for _ in _COLUMNS)
    sets = ", ".join(f"{name} = ?" for name in _COLUMNS)
    for row, new in again:
        before = [row[name] for name in _COLUMNS]
        after = [new[name] for name in _COLUMNS]
        if before == after:
            continue
        key = (rereading.run, row["item"], row["sample"])
        connection.execute(
            f"INSERT INTO earlier_readings (run, item, sample, number, {names})"
            f" VALUES (?, ?, ?, ?, {marks})",
            (*key, number, *before),
        )
        connection.execute(
            f"UPDATE answers SET {sets} WHERE run = ? AND item = ? AND sample = ?", (*after, *key)
        )
    more = rereading.invalid_after - rereading.invalid_before
    connection.execute(
        "UPDATE runs SET reader = ?, invalid = invalid + ?, answered = answered - ? WHERE id = ?",
        (rereading.reader_after, more, more, rereading.run),
    )
