"""Waits for batches that are with a server, however long that takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from biaslab.models.server.batch.batches import BatchClient
from biaslab.models.server.batch.states import BatchState, BatchTrouble
from biaslab.runs.engine.batch_table import BatchTable
from biaslab.runs.engine.writer import RunWriter
from biaslab.runs.errors import RunPaused
from biaslab.runs.store.read_runs import BatchRecord

FIRST_LOOK_SECONDS = 5.0
"""Until a batch is looked at again for the first time."""

LONGEST_LOOK_SECONDS = 300.0
"""The time between two looks grows up to this."""

_GROWTH = 1.5

_NAMED = 3

LOOKS_FOR_LOST = 3
"""So often a server's list is searched for a batch that it may have, before it is handed over
again: a list may lag behind."""

MOST_MISSES = 150
"""Looks in vain, one after the other, after which the run pauses: half a day."""

FORGOTTEN_AFTER_DAYS = 30
"""Services keep the files of a batch for so long. A batch that the server does not know is taken
for lost only then; before that, the key may be another project's."""


class EndedBatch(NamedTuple):
    """A batch that nothing more will happen to.

    Attributes:
        batch: as it stands in the file.
        state: as the server sees it; None: the server never had it, or has forgotten it.
    """

    batch: BatchRecord
    state: BatchState | None


class Waiting:
    """Looks at the batches of a run until each has ended.

    Args:
        table: the batches in the file.
        service: asks the server.
        writer: tells whether a stop was asked for, and waits.
        wait: waits for so many seconds, or less when the run is to stop; the writer's by default.
    """

    def __init__(
        self,
        table: BatchTable,
        service: BatchClient,
        writer: RunWriter,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self._table = table
        self._service = service
        self._writer = writer
        self._wait = wait or writer.pause
        self._misses = 0
        self._searched: dict[str, int] = {}
        self._fetches: dict[str, int] = {}

    def ended(self) -> Iterator[EndedBatch]:
        """Each batch that is out, as soon as it has ended.

        Raises:
            RunPaused: a stop was asked for, or a person is needed. Nothing was cancelled.
            LostRun, StoreError: as `RunWriter.pause`.
        """
        out = {batch.id: batch for batch in self._table.out()}
        seconds = FIRST_LOOK_SECONDS
        while out:
            for batch in list(out.values()):
                ended = self._look(batch)
                if ended is not None:
                    del out[batch.id]
                    seconds = FIRST_LOOK_SECONDS
                    yield ended
            if out:
                self._stop_if_asked()
                self._wait(seconds)
                self._stop_if_asked()
                seconds = min(seconds * _GROWTH, LONGEST_LOOK_SECONDS)
                # Ids of the server that were found are in the file now.
                out = {batch.id: batch for batch in self._table.out()}

    def before_fetching_again(self, batch: BatchRecord, trouble: BatchTrouble) -> None:
        """Waits after the answers of a batch that has ended could not be fetched.

        Raises:
            RunPaused: waiting does not help, has not helped for long, or is to end.
        """
        tried = self._fetches[batch.id] = self._fetches.get(batch.id, 0) + 1
        if not trouble.passing or tried >= MOST_MISSES:
            raise RunPaused(f"{trouble} {self._still_out()}")
        self._note(batch, f"The answers could not be fetched yet: {trouble}")
        self._stop_if_asked()
        self._wait(min(FIRST_LOOK_SECONDS * _GROWTH**tried, LONGEST_LOOK_SECONDS))
        self._stop_if_asked()

    def _look(self, batch: BatchRecord) -> EndedBatch | None:
        try:
            if not batch.server_id:
                return self._search(batch)
            state = self._service.status(batch.server_id)
        except BatchTrouble as trouble:
            return self._bear(batch, trouble)
        self._misses = 0
        if state.ended:
            return EndedBatch(batch, state)
        self._note(batch, progress(state))
        return None

    def _search(self, batch: BatchRecord) -> EndedBatch | None:
        found = self._service.find(batch.id)
        self._misses = 0
        if found is not None:
            self._table.submitted(batch.id, found.id)
            return None
        self._searched[batch.id] = self._searched.get(batch.id, 0) + 1
        return EndedBatch(batch, None) if self._searched[batch.id] >= LOOKS_FOR_LOST else None

    def _bear(self, batch: BatchRecord, trouble: BatchTrouble) -> EndedBatch | None:
        if trouble.unknown and self._table.days_since(batch.id) > FORGOTTEN_AFTER_DAYS:
            return EndedBatch(batch, None)
        self._misses += 1
        nothing_out = trouble.unreachable and not any(b.server_id for b in self._table.out())
        if not trouble.passing or nothing_out or self._misses >= MOST_MISSES:
            raise RunPaused(f"{trouble} {self._still_out()}")
        self._note(batch, f"Last checked: {trouble}")
        return None

    def _note(self, batch: BatchRecord, message: str) -> None:
        current = {each.id: each.message for each in self._table.out()}
        if current.get(batch.id) != message:
            self._table.note(batch.id, message)

    def _stop_if_asked(self) -> None:
        if self._writer.stop_requested:
            raise RunPaused(self._still_out())

    def _still_out(self) -> str:
        return still_out(self._table.out(), self._service.host)


def progress(state: BatchState) -> str:
    """How far the server is with a batch, as a sentence."""
    done = f"{state.completed + state.failed:,} of {state.total:,} requests done"
    return f"The server says {state.status.replace('_', ' ')}: {done}."


def still_out(batches: Sequence[BatchRecord], host: str) -> str:
    """What a person must know of a run that stops while batches are, or may be, with a server.

    Args:
        batches: those that are out, the oldest first; at least one.
        host: where they are.
    """
    known = [batch for batch in batches if batch.server_id] or list(batches)
    requests = sum(batch.requests for batch in known)
    what = f"{len(known)} batches" if len(known) > 1 else "A batch"
    verb = "are" if len(known) > 1 else "is"
    since = known[0].created[:16].replace("T", " ")
    if not known[0].server_id:
        return (
            f"{what} of {requests:,} requests {verb} perhaps with {host} since {since} UTC. "
            "Resume the run: it looks there first, and hands nothing over twice."
        )
    named = ", ".join(batch.server_id for batch in known[:_NAMED])
    named += " and others" if len(known) > _NAMED else ""
    return (
        f"{what} of {requests:,} requests {verb} with {host} since {since} UTC ({named}). Resume "
        "the run to take the answers in, also days later: nothing was cancelled, and nothing "
        "will be handed over twice."
    )
