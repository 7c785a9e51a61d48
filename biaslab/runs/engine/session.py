"""One go at a run: what is asked, in which order, and how the go ends.

Stopping a run when enough is known: looks at its outcomes after so many pairs.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from biaslab.models import Concurrent, FailureKind, Model, ModelIdentity, Notice, Watchable
from biaslab.runs.engine.ask import (
    Asker,
    Event,
    ItemFailed,
    ItemRead,
    NewResponse,
    NoticeChanged,
    RunAnswer,
    RunHalted,
)
from biaslab.runs.engine.budget import Meter
from biaslab.runs.engine.stream import Streamer
from biaslab.runs.engine.writer import RunWriter
from biaslab.runs.errors import RunError, RunPaused, then_resume
from biaslab.runs.hosting import within_day
from biaslab.runs.library.experience import counter_for
from biaslab.runs.store.encoding import read_item, read_response
from biaslab.runs.store.records import ASK_AGAIN, WRITING, InterimLook, RunRecord, RunStatus
from biaslab.runs.store.store import Store
from biaslab.studies.study import Answered, Experiment, Item, Strategy

if TYPE_CHECKING:
    from biaslab.stats import Adjustment


class StoppingChecks:
    """Carries out a run's rule for stopping early, if it has one.

    The rule itself is analysis (`biaslab.stats.stopping_rules`); this gives it the outcomes and
    writes down what it saw, so that a resumed run goes on where it was.

    Args:
        store: the file; record: the run as it stood when it was started.
    """

    def __init__(self, store: Store, record: RunRecord) -> None:
        self._store = store
        self._run = record.id
        self._pairs = record.pairs_total if record.enough is None else record.enough
        self._rule = None if record.enough is not None else record.options.stopping
        self._looks = list(record.looks)
        self.reason = self._looks[-1].reason if record.enough is not None else ""
        """Why the pairs asked were enough; empty while they are not."""

    def stops(self) -> Iterator[int]:
        """Numbers of pairs after which to look, the last being all of them."""
        if self._rule is None:
            yield self._pairs
            return
        for pairs in self._rule.looks_at():
            if pairs < self._pairs:
                yield pairs
        yield self._pairs

    def enough(self, pairs: int) -> bool:
        """Looks at the first so many pairs, all of them asked; True: no more are needed."""
        if self._rule is None:
            return False
        if any(look.pairs == pairs and look.stop for look in self._looks):
            return True
        if any(look.pairs == pairs for look in self._looks):
            return False
        outcomes = self._store.outcomes([self._run])
        number = self._rule.looks_at().index(pairs) + 1
        decision = self._rule.decide(outcomes[outcomes["position"] < pairs], number)
        interval = decision.interval
        look = InterimLook(
            pairs,
            decision.stop,
            decision.reason,
            decision.cate,
            None if interval is None else interval.low,
            None if interval is None else interval.high,
            decision.adjustment.as_json(),
        )
        self._looks.append(look)
        stopped_early = look.stop and pairs < self._pairs
        self._write(pairs if stopped_early else None)
        self.reason = look.reason
        return look.stop

    def _write(self, enough: int | None) -> None:
        looks = json.dumps([asdict(look) for look in self._looks], ensure_ascii=False)
        with self._store.writing() as connection:
            connection.execute(
                "UPDATE runs SET looks = ?, enough = coalesce(?, enough) WHERE id = ?",
                (looks, enough, self._run),
            )


def adjustments(records: Iterable[RunRecord]) -> dict[str, Adjustment]:
    """For runs that may stop early: how their intervals allow for repeated checks.

    Args:
        records: any runs; those without such a rule, or not checked yet, are left out.
    """
    from biaslab.stats import Adjustment

    return {
        record.id: Adjustment.of_json(record.looks[-1].adjustment)
        for record in records
        if record.looks
    }


PAUSES = (1.0, 5.0)
"""Seconds before items that failed for a passing reason are asked again, and then once more."""

GIVE_UP_AFTER = 50
"""So many failures with no response between them mean that nothing will come any more."""

_FIRST_CHUNK = 2
_FURTHER_CHUNKS = 256
"""Large groups let a model batch well: each of them waits for its longest text. The first one is
a single pair, so that the first answers are there soon, also of strategies that ask twice and of
models that write slowly."""

_SHOWN = 240
"""Characters of a text that is being written that are shown, from its end."""

_LOADED = 256
"""Items read from the file together."""

_PROGRESS_SECONDS = 0.5

_UNFINISHED = """
SELECT member.item, member.sample
FROM (
    SELECT position, sample, 0 AS arm, item_x AS item, state_x AS state
    FROM outcomes WHERE run = :run
    UNION ALL
    SELECT position, sample, 1, item_x_prime, state_x_prime
    FROM outcomes WHERE run = :run
) AS member
WHERE member.state IN (SELECT value FROM json_each(:states)) AND member.position >= :start
      AND member.position < :before
GROUP BY member.item, member.sample
ORDER BY min(member.position), member.sample, min(member.arm)
"""

Progress = Callable[[RunRecord], None]
_Key = tuple[str, int]
_Ask = Callable[[Sequence[_Key]], Iterator[Event]]


class Session:
    """One go at a run, from its start to its end, stop, pause or failure.

    Args:
        store: the file; record: the run; writer: stores what comes.
        experiment, strategy, model: what is asked, how, and whom.
        on_progress: called about twice a second.
        pauses: seconds before each further attempt at what failed for a passing reason.
    """

    def __init__(
        self,
        store: Store,
        record: RunRecord,
        writer: RunWriter,
        experiment: Experiment,
        strategy: Strategy,
        model: Model,
        on_progress: Progress | None,
        pauses: Sequence[float],
    ) -> None:
        self._store = store
        self._record = record
        self._writer = writer
        self._model = model
        self._on_progress = on_progress
        self._pauses = pauses
        self._meter = _meter(store, record, model.identity)
        recall = _recall(store, writer, flushed=not isinstance(model, Concurrent))
        self._asker = Asker(
            experiment, strategy, model, record.sampling, recall, self._meter,
            record.options.length, record.options.system,
        )  # fmt: skip
        self._told = time.monotonic()
        self._failures = 0
        self._notice = Notice()
        self._stopped = False
        if isinstance(model, Watchable):
            model.on_text = self._show
        self._passing: dict[_Key, None] = {}
        """What failed for a passing reason and was not answered since."""

    def go(self, *, only_failed: bool = False) -> tuple[RunStatus, str]:
        """Asks what is to be asked; returns status and message of the run after that.

        Raises:
            RunPaused: a person is needed before more can be answered.
            RunError: nothing but failures.
            ModelError: the model cannot do what is asked.
            StoreError, LostRun: as `RunWriter.put`.
        """
        states = ("failed",) if only_failed else ("missing", "failed")
        looking = StoppingChecks(self._store, self._record)
        if isinstance(self._model, Concurrent) and self._record.options.batch_api:
            # It needs the openai client, which no screen has to load.
            from biaslab.runs.engine.batch import BatchMode

            batch = BatchMode(self._store, self._record, self._asker, self._writer)
            return self._go_through(looking, states, lambda keys: batch.ask(self._load(keys)))
        if isinstance(self._model, Concurrent):
            with self._model.open_channel() as channel:
                streamer = Streamer(self._asker, channel, lambda: self._writer.stop_requested)
                return self._go_through(
                    looking, states, lambda keys: streamer.ask(self._load(keys))
                )
        return self._go_through(looking, states, self._in_groups)

    def _go_through(
        self, looking: StoppingChecks, states: Sequence[str], ask: _Ask
    ) -> tuple[RunStatus, str]:
        if "missing" not in states:
            self._ask_until_done(self._unfinished(states, 0, self._record.pairs_total), ask)
            self._writer.flush()
            return self._ending()
        start = 0
        for before in looking.stops():
            self._ask_until_done(self._unfinished(states, start, before), ask)
            start = before
            self._writer.flush()
            if self._stopped:
                break
            if looking.enough(before):
                return RunStatus.FINISHED, looking.reason
        return self._ending()

    def _ask_until_done(self, keys: Sequence[_Key], ask: _Ask) -> None:
        self._ask(keys, ask)
        for seconds in self._pauses:
            if self._stopped or not self._passing:
                break
            self._writer.pause(seconds)
            if not self._writer.stop_requested:
                self._ask(list(self._passing), ask)
        self._passing.clear()

    def _ask(self, keys: Sequence[_Key], ask: _Ask) -> None:
        halted = None
        for event in ask(keys):
            self._writer.put(event)
            if isinstance(event, RunHalted):
                halted = event.failure
            self._note(event)
            self._tell()
        if halted is not None:
            raise RunPaused(then_resume(halted.reason))
        self._stopped |= self._writer.stop_requested
        if self._asker.exhausted and self._meter is not None and not self._stopped:
            raise RunPaused(self._meter.exhausted_reason())

    def _in_groups(self, keys: Sequence[_Key]) -> Iterator[Event]:
        """Asks in chunks, as a model that works in batches wants it."""
        for chunk in _chunks(keys):
            left = dict.fromkeys(chunk)
            while left:
                self._asker.exhausted = False
                answered = False
                for event in self._asker.ask(self._load(left)):
                    answered |= isinstance(event, NewResponse)
                    if isinstance(event, ItemRead | ItemFailed):
                        left.pop((event.item, event.sample), None)
                    yield event
                    if self._writer.stop_requested or isinstance(event, RunHalted):
                        return
                # What was set aside for a group and not used may be enough for the rest of it.
                if self._asker.exhausted and not answered:
                    return

    def _ending(self) -> tuple[RunStatus, str]:
        """Status and message now that nothing more is asked."""
        record = self._store.run(self._record.id)
        if record.items_done < record.items_total and self._stopped:
            return RunStatus.STOPPED, ""
        if record.items_done < record.items_total and record.enough is None:
            return RunStatus.STOPPED, (
                f"{record.items_total - record.items_done} of {record.items_total} items were not "
                "asked this time. Resume the run to ask them."
            )
        failed = (
            f"{record.failed} of {record.items_total} items got no response, or one "
            f"that was cut off, and are not counted as answers. {ASK_AGAIN}"
        )
        told = ([failed] if record.failed else []) + list(self._notice.remarks)
        return RunStatus.FINISHED, " ".join(told)

    def _note(self, event: Event) -> None:
        if isinstance(event, NoticeChanged):
            self._notice = event.notice
            # Whoever waits is told now, not with the next answer.
            self._writer.flush()
            self._told = 0.0
        elif isinstance(event, ItemFailed):
            cut_off = event.failure.kind is FailureKind.CUT_OFF
            self._failures = 0 if cut_off else self._failures + 1
            if event.failure.retryable:
                self._passing[event.item, event.sample] = None
            else:
                self._passing.pop((event.item, event.sample), None)
            if self._failures >= GIVE_UP_AFTER:
                raise RunError(
                    f"The last {self._failures} items got no response: {event.failure.reason} "
                    "Put that right, then resume the run."
                )
        else:
            self._failures = 0
            if isinstance(event, ItemRead):
                self._passing.pop((event.item, event.sample), None)

    def _show(self, text: str) -> None:
        """Shows the end of a text while it is written."""
        end = " ".join(text.split())
        end = end if len(end) <= _SHOWN else f"… {end[-_SHOWN:].split(' ', 1)[-1]}"
        event = NoticeChanged(Notice(f"{WRITING}“{end}”"))
        self._writer.put(event)
        self._note(event)
        self._tell()

    def _tell(self) -> None:
        now = time.monotonic()
        if self._on_progress is not None and now - self._told >= _PROGRESS_SECONDS:
            self._told = now
            self._on_progress(self._store.run(self._record.id))

    def _unfinished(self, states: Sequence[str], start: int, before: int) -> list[_Key]:
        """What has no answer yet, pair by pair, so that a stopped run has whole pairs."""
        parameters = {
            "run": self._record.id, "states": json.dumps(states), "start": start, "before": before
        }  # fmt: skip
        with self._store.reading() as database:
            rows = database.execute(_UNFINISHED, parameters).fetchall()
        return [(item, sample) for item, sample in rows]

    def _load(self, keys: Iterable[_Key]) -> Iterator[RunAnswer]:
        """Reads the items from the file as they are needed."""
        left = list(keys)
        for start in range(0, len(left), _LOADED):
            part = left[start : start + _LOADED]
            items = _items(self._store, [item for item, _ in part])
            yield from (RunAnswer(items[item], sample) for item, sample in part)


def _meter(store: Store, record: RunRecord, model: ModelIdentity) -> Meter | None:
    options = record.options
    budget = within_day(store.path, record)
    if not budget.is_limited:
        return None
    return Meter(
        budget,
        options.price,
        used_requests=record.asked,
        used_tokens_in=record.tokens_in,
        used_tokens_out=record.tokens_out,
        counter=counter_for(store, model, options.access),
        batch=options.batch_api,
        of_day=budget != options.budget,
    )


def _items(store: Store, ids: Sequence[str]) -> Mapping[str, Item]:
    sql = "SELECT * FROM items WHERE id IN (SELECT value FROM json_each(?))"
    with store.reading() as database:
        return {row["id"]: read_item(row) for row in database.query(sql, [json.dumps(ids)])}


def _recall(
    store: Store, writer: RunWriter, flushed: bool
) -> Callable[[Sequence[str]], Mapping[str, Answered]]:
    """Looks responses up in the file, first waiting for what is still to be written if told."""

    def recall(ids: Sequence[str]) -> Mapping[str, Answered]:
        if flushed:
            writer.flush()
        sql = "SELECT * FROM responses WHERE id IN (SELECT value FROM json_each(?))"
        with store.reading() as database:
            rows = database.query(sql, [json.dumps(ids)])
            return {row["id"]: read_response(row) for row in rows}

    return recall


def _chunks(keys: Sequence[_Key]) -> Iterator[list[_Key]]:
    start, size = 0, _FIRST_CHUNK
    while start < len(keys):
        yield list(keys[start : start + size])
        start += size
        size = _FURTHER_CHUNKS
