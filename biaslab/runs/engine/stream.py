"""Keeps a server busy: every request on its own way, no group that waits for its slowest.

Items come in as there is room, their next requests overtake items not begun yet (so that pairs
are finished soon), and what came back is told at once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from biaslab.models import Channel, Failure, Notice
from biaslab.runs.engine.ask import (
    Asker,
    Event,
    ItemProgress,
    NewResponse,
    NoticeChanged,
    RunAnswer,
)
from biaslab.runs.store.encoding import as_stored
from biaslab.studies.study import Answered, Request

DRAIN_SECONDS = 30.0
"""After a stop, requests already sent (and paid for) are given so long to come back."""

LOOK_SECONDS = 0.25
"""How often a stop is looked for while nothing comes back."""

_GROUP = 64
"""Items begun together: looking up what is in the file already costs once a group."""

_AHEAD = 64
"""Requests kept ready beyond what may be sent now, for places that become free at once."""

_RECENT = 20_000
"""Responses remembered until they are surely in the file. More than wait to be written."""


class Streamer:
    """Asks items through a channel.

    Args:
        asker: what is asked and what it means.
        channel: the way to the server.
        stop_requested: whether a person wants the run to stop.
    """

    def __init__(self, asker: Asker, channel: Channel, stop_requested: Callable[[], bool]) -> None:
        self._asker = asker
        self._channel = channel
        self._stop_requested = stop_requested
        self._ready: deque[tuple[str, Request]] = deque()
        self._waiting: dict[str, list[ItemProgress]] = {}
        self._requests: dict[str, Request] = {}
        self._on_way: set[str] = set()
        self._recent: dict[str, Answered] = {}
        self._notice = Notice()

    def ask(self, requests: Iterable[RunAnswer]) -> Iterator[Event]:
        """Asks every item; see `Asker.ask` for what is told.

        After a stop, a halt, or when the budget is used up nothing more is sent, and what is
        on its way is waited for, no longer than `DRAIN_SECONDS`. Items that were begun and not
        finished then are told nothing of.
        """
        source = iter(requests)
        exhausted = False
        while True:
            if self._closing():
                yield from self._drain()
                return
            while not exhausted and len(self._ready) < self._channel.room + _AHEAD:
                group = self._asker.begin(islice(source, _GROUP))
                exhausted = not group
                yield from self._enqueue(group, front=False)
                if self._closing():
                    break
            if not self._closing():
                self._send()
            if (notice := self._channel.notice) != self._notice:
                self._notice = notice
                yield NoticeChanged(notice)
            if self._on_way:
                yield from self._take_in(LOOK_SECONDS)
            elif self._ready:
                if self._asker.exhausted:
                    return
                time.sleep(LOOK_SECONDS / 10)  # the server asked for a pause
            elif exhausted:
                return

    def _closing(self) -> bool:
        return self._asker.halted or self._stop_requested()

    def _enqueue(self, group: list[ItemProgress], *, front: bool) -> Iterator[Event]:
        """Lets items go on until each waits for a request or is finished."""
        yield from self._asker.advance(group)
        while group := [asking for asking in group if asking.next is not None]:
            fresh: dict[str, list[ItemProgress]] = {}
            for asking in group:
                assert asking.next is not None
                key = self._asker.key(asking.next)
                if key in self._waiting:
                    self._waiting[key].append(asking)
                else:
                    fresh.setdefault(key, []).append(asking)
                    self._requests[key] = asking.next
            known = self._recall(fresh)
            group = []
            keys = []
            for key, askings in fresh.items():
                if key in known:
                    del self._requests[key]
                    for asking in askings:
                        asking.take(key, known[key])
                    yield from self._asker.advance(askings)
                    group += askings
                else:
                    self._waiting[key] = askings
                    keys.append(key)
            if front:
                self._ready.extendleft((key, self._requests[key]) for key in reversed(keys))
            else:
                self._ready.extend((key, self._requests[key]) for key in keys)

    def _recall(self, keys: Iterable[str]) -> Mapping[str, Answered]:
        wanted = list(keys)
        found = {key: self._recent[key] for key in wanted if key in self._recent}
        missing = [key for key in wanted if key not in found]
        return {**found, **self._asker.recall(missing)} if missing else found

    def _send(self) -> None:
        self._asker.exhausted = False
        while self._ready and self._channel.room > 0:
            key, request = self._ready[0]
            if not self._asker.reserve(key, request):
                self._asker.exhausted = True
                return
            self._ready.popleft()
            self._on_way.add(key)
            self._channel.send(key, request)

    def _take_in(self, seconds: float) -> Iterator[Event]:
        results = self._channel.receive(seconds)
        self._on_way -= {key for key, _ in results}
        for key, result in results:
            # Answers come in bursts; the places that they leave are filled before all are read.
            if not self._closing():
                self._send()
            request, group = self._requests.pop(key), self._waiting.pop(key)
            if isinstance(result, Failure):
                self._asker.spend(key, None)
                yield from self._asker.fail(group, result)
                continue
            answered = as_stored(result)
            self._asker.spend(key, answered)
            self._remember(key, answered)
            yield NewResponse(key, request, answered)
            for asking in group:
                asking.take(key, answered)
            yield from self._enqueue(group, front=True)

    def _drain(self) -> Iterator[Event]:
        deadline = time.monotonic() + DRAIN_SECONDS
        while self._on_way and (left := deadline - time.monotonic()) > 0:
            yield from self._take_in(min(left, LOOK_SECONDS))

    def _remember(self, key: str, response: Answered) -> None:
        self._recent[key] = response
        if len(self._recent) > _RECENT:
            for oldest in list(islice(self._recent, _RECENT // 2)):
                del self._recent[oldest]
