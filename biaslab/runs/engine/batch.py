"""Does a run by handing its requests to a server as batches, each answered within a day.

It goes in rounds: what every item asks next and the file does not know is written down, handed
over, waited for and taken in; then the next round. A strategy with two requests takes two
rounds. What is with the server stands in the file before the server has it, so a worker may
stop, or be killed, at any time: whoever resumes the run looks for its batches first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from biaslab.models import Completion, Failure, GenerationRequest, Unsupported, read_spec
from biaslab.models.server.batches import (
    MOST_BYTES,
    MOST_REQUESTS,
    BatchClient,
    BatchRequest,
    BatchResult,
    BatchTrouble,
)
from biaslab.runs.engine.ask import (
    Asker,
    Event,
    ItemProgress,
    NewResponse,
    NoticeChanged,
    RunAnswer,
)
from biaslab.runs.engine.batch_waiting import BatchTable, EndedBatch, Waiting, progress, still_out
from biaslab.runs.engine.writer import RunWriter
from biaslab.runs.errors import RunPaused, then_resume
from biaslab.runs.store.encoding import as_stored
from biaslab.runs.store.read_runs import BatchStatus
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store
from biaslab.studies.study import Answered

MOST_VAIN_ROUNDS = 2
"""So many rounds in a row may bring neither an answer nor an error for any request."""

MOST_CUT_ROUNDS = 3
"""So often what a budget leaves is handed over. It is set aside at the most that requests may
use, so some is always left, for ever smaller batches that take a day each."""

NOT_WORKED_ON = "not worked on in its batch"
"""Reason noted for requests that are handed over again, as in `Completion.retries`."""

_GROUP = 256

_T = TypeVar("_T")


class BatchMode:
    """Asks items through a server's batches.

    Args:
        store: the file; record: the run; writer: stores what comes.
        asker: what is asked and what it means.

    Raises:
        MissingKey, BadAddress: as `open_model`.
    """

    def __init__(self, store: Store, record: RunRecord, asker: Asker, writer: RunWriter) -> None:
        self._asker = asker
        self._writer = writer
        name = read_spec(record.model_spec).name
        self._service = BatchClient(name, record.options.access)
        self._table = BatchTable(store, record.id)
        self._waiting = Waiting(self._table, self._service, writer)
        self._left: dict[str, list[ItemProgress]] = {}
        """What is asked next and unknown, by the id of its response."""
        self._failures: dict[str, Failure] = {}
        self._in_vain: dict[str, tuple[str, ...]] = {}
        """Why requests that are asked again got no answer before."""
        self._reserved: set[str] = set()
        self._vain = 0
        """Rounds in a row that brought nothing."""
        self._reasons: dict[str, None] = {}
        """Why the present round brought nothing, each reason once."""

    def ask(self, requests: Iterable[RunAnswer]) -> Iterator[Event]:
        """Asks every item; see `Asker.ask` for what is told.

        Batches of this run that are still out are taken in first, whatever is wanted. Items
        that the budget does not allow are told nothing of.

        Raises:
            RunPaused: a stop was asked for while a batch was out, or a person is needed. What
                is out stays out and is taken in when the run is resumed.
            Unsupported: the strategy asks for probabilities.
            LostRun, StoreError: as `RunWriter.put`.
        """
        unfinished = self._asker.begin(requests)
        self._asker.halted = False
        self._vain = cut = 0
        with self._service:
            while True:
                yield from self._read_known(unfinished)
                unfinished = [asking for group in self._left.values() for asking in group]
                if self._table.out():
                    yield from self._take_in()
                    yield NoticeChanged(self._service.notice)
                    continue
                if self._asker.halted or not self._left or self._writer.stop_requested:
                    return
                if cut >= MOST_CUT_ROUNDS or not self._hand_over():
                    return
                cut += self._asker.exhausted

    def _read_known(self, unfinished: Sequence[ItemProgress]) -> Iterator[Event]:
        """Lets items go on as far as the file knows; what is unknown is left."""
        self._writer.flush()
        self._left = {}
        for group in _groups(unfinished, _GROUP):
            yield from self._asker.advance(group)
            while group := [asking for asking in group if asking.next is not None]:
                keys = [self._key(asking) for asking in group]
                known = self._asker.recall(list(dict.fromkeys(keys)))
                moving = []
                for key, asking in zip(keys, group, strict=True):
                    if key in known:
                        asking.take(key, known[key])
                        moving.append(asking)
                    elif key in self._failures:
                        yield from self._asker.fail([asking], self._failures[key])
                    else:
                        # Requests are long; the strategy can say them again.
                        asking.next = None
                        self._left.setdefault(key, []).append(asking)
                yield from self._asker.advance(moving)
                group = moving
        self._failures = {}

    def _key(self, asking: ItemProgress) -> str:
        if not isinstance(asking.next, GenerationRequest):
            raise Unsupported(
                "This prompt strategy compares probabilities, and batches are for written answers "
                "here. Run it without the Batch API, or choose another prompt strategy."
            )
        return self._asker.key(asking.next)

    def _take_in(self) -> Iterator[Event]:
        """Waits for what is out and takes it in.

        Raises:
            RunPaused: besides what waiting raises, when nothing came of it again and again.
        """
        self._reasons = {}
        refused = False
        self._vain += 1
        for ended in self._waiting.ended():
            try:
                yield from self._results(ended)
            except BatchTrouble as trouble:
                self._vain = 0
                self._waiting.before_fetching_again(ended.batch, trouble)
                continue
            self._end(ended)
            if ended.state is None or ended.state.status == "failed":
                self._reasons[self._why(ended)] = None
                refused |= ended.state is not None
        if self._vain >= MOST_VAIN_ROUNDS or (self._vain and refused):
            raise RunPaused(then_resume(" ".join(self._reasons)))

    def _results(self, ended: EndedBatch) -> Iterator[Event]:
        """What a batch gave; failures are noted for the items that wait for them."""
        batch, state = ended
        if state is None or state.status == "failed":
            return
        self._writer.flush()
        silent = self._service.unanswered(state)
        seen: set[str] = set()

        def look_up(ids: Sequence[str]) -> Mapping[str, GenerationRequest]:
            return self._table.look_up(batch.id, ids)

        results = self._service.results(state, look_up)
        while group := list(islice(results, _GROUP)):
            requests = look_up([each.id for each in group])
            counted = self._table.counted([each.id for each in group])
            for each in group:
                first = each.id not in seen and each.id not in counted
                seen.add(each.id)
                if first:
                    yield from self._result(each, requests[each.id])
        for request in self._table.requests(batch.id):
            if request.id not in seen:
                unasked = state.status in ("expired", "cancelled")
                yield from self._result(BatchResult(request.id, silent, unasked), request.request)

    def _result(self, result: BatchResult, request: GenerationRequest) -> Iterator[Event]:
        answered = self._answered(result)
        self._spend(BatchRequest(result.id, request), answered)
        if answered is not None:
            yield NewResponse(result.id, request, answered)

    def _answered(self, result: BatchResult) -> Completion | None:
        if isinstance(result.result, Failure):
            if result.unasked:
                earlier = self._in_vain.get(result.id, ())
                self._in_vain[result.id] = (*earlier, NOT_WORKED_ON)
                self._reasons[result.result.reason] = None
            else:
                self._vain = 0
                self._failures[result.id] = result.result
            return None
        self._vain = 0
        stored = as_stored(replace(result.result, retries=self._in_vain.pop(result.id, ())))
        assert isinstance(stored, Completion)
        return stored

    def _spend(self, request: BatchRequest, response: Answered | None) -> None:
        """Notes what a request cost; one of an earlier go at the run was not set aside yet."""
        if request.id in self._reserved or (
            response is not None and self._asker.reserve(request.id, request.request)
        ):
            self._reserved.discard(request.id)
            self._asker.spend(request.id, response)

    def _end(self, ended: EndedBatch) -> None:
        batch, state = ended
        for request in self._table.requests(batch.id):
            self._spend(request, None)
        self._writer.flush()
        if state is None or state.status == "failed":
            self._table.end(batch.id, BatchStatus.FAILED, self._why(ended))
            return
        self._table.end(batch.id, BatchStatus.TAKEN_IN, progress(state))
        if state.status == "cancelled":
            raise RunPaused(
                f"The batch {state.id} of {batch.requests:,} requests was cancelled at "
                f"{self._service.host}. What it had answered is saved. Resume the run to hand "
                "over the rest."
            )

    def _why(self, ended: EndedBatch) -> str:
        batch, state = ended
        if state is None:
            return f"{self._service.host} does not have the batch. {batch.message}".strip()
        return self._service.unanswered(state).reason

    def _hand_over(self) -> bool:
        """Hands over what is left, as far as the budget goes; False where it allows nothing."""
        batches = self._write_down()
        for batch in batches:
            try:
                state = self._service.submit(self._table.requests(batch), batch)
            except BatchTrouble as trouble:
                if trouble.passing and not trouble.unreachable:
                    self._table.note(batch, str(trouble))
                    continue
                self._table.end(batch, BatchStatus.FAILED, str(trouble))
                out = [each for each in self._table.out() if each.server_id]
                left = still_out(out, self._service.host) if out else ""
                raise RunPaused(then_resume(f"{trouble} {left}".strip())) from None
            self._table.submitted(batch, state.id)
        return bool(batches)

    def _write_down(self) -> list[str]:
        self._asker.exhausted = False
        batches: list[str] = []
        requests = size = 0
        for group in _groups([askings[0] for askings in self._left.values()], _GROUP):
            for _ in self._asker.advance(group):
                raise AssertionError("An item that waits for an answer was read.")
            rows: list[BatchRequest] = []
            for asking in group:
                request = BatchRequest(self._key(asking), _asked(asking))
                asking.next = None
                if not self._asker.reserve(request.id, request.request):
                    self._asker.exhausted = True
                    break
                self._reserved.add(request.id)
                bytes_more = self._service.size(request)
                if not batches or requests >= MOST_REQUESTS or size + bytes_more > MOST_BYTES:
                    if rows:
                        self._table.add(batches[-1], rows)
                    batches.append(self._table.begin())
                    rows, requests, size = [], 0, 0
                rows.append(request)
                requests, size = requests + 1, size + bytes_more
            if rows:
                self._table.add(batches[-1], rows)
            if self._asker.exhausted:
                break
        return batches


def _asked(asking: ItemProgress) -> GenerationRequest:
    assert isinstance(asking.next, GenerationRequest)
    return asking.next


def _groups(everything: Sequence[_T], size: int) -> Iterator[list[_T]]:
    for start in range(0, len(everything), size):
        yield list(everything[start : start + size])
