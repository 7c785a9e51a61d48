"""The way to a model's servers: one thread with an event loop, every request on its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar

from biaslab.models.provider import Access
from biaslab.models.requests import Asked, Completion, Failure, Likelihood, Notice, Result
from biaslab.models.server.addresses import base_urls
from biaslab.models.server.place import ServerEndpoint
from biaslab.models.server.request.client import PATIENCE, Patience

_Answer = TypeVar("_Answer", bound=Completion | Likelihood)


class OneModel:
    """Compares the name under which each answer came with the one that is expected.

    Args:
        served: the name that is known; where it is empty, the first answer decides.
        also: other names that are taken for the same model.
    """

    def __init__(self, served: str, also: Collection[str] = ()) -> None:
        self._served = served
        self._also = frozenset(also)

    def check(self, result: _Answer | Failure) -> _Answer | Failure:
        """The result itself, or a failure where another model answered."""
        if isinstance(result, Failure):
            return result
        if not self._served:
            self._served = result.served
        if result.served == self._served or result.served in self._also:
            return result
        named = f"by the name of “{result.served}”" if result.served else "without a name"
        return Failure(
            f"The server answered {named} and not as “{self._served}”, so this may be another "
            "model, and answers of different models are never mixed. Ask for a model by a name "
            "that means one version of it, such as one with a date. If both are to count as one "
            "model, say so: “Other names of the same model” where the server is connected, or "
            "--also-served.",
            retryable=False,
            retries=result.retries,
        )


_CLOSING_SECONDS = 10.0
"""The thread ends at once when it is told to; this is for a machine that is very busy."""

_GONE = Failure(
    "The connection to the server was closed before the answer was there. Resume the run to ask "
    "again.",
    retryable=True,
)


class ServerChannel:
    """A `Channel` to one or several addresses of the same model.

    A request goes to the address that has the least to do for what it bears. When an address
    cannot be reached or only gives errors, its requests go to the others.

    Args:
        name: of the model, as it is sent.
        access: how the servers are reached.
        patience: how long a server is waited for.

    Raises:
        MissingKey: there is no key where one is needed.
        BadAddress: a base URL is no address.
    """

    def __init__(self, name: str, access: Access, patience: Patience = PATIENCE) -> None:
        self._places = [ServerEndpoint(name, url, access, patience) for url in base_urls(access)]
        self._at_once = access.at_once
        self._one_model = OneModel(access.served, access.also_served)
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._outbox: deque[tuple[str, Asked]] = deque()
        self._called = False
        self._done: list[tuple[str, Result]] = []
        self._open = 0
        self._results: list[tuple[str, Result]] = []
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="servers", daemon=True)
        self._thread.start()

    @property
    def capacity(self) -> int:
        """How many requests may be on their way at once now."""
        now = time.monotonic()
        awake = [place for place in self._places if not place.resting] or self._places
        borne = sum(place.limit.now for place in awake if place.limit.held(now) == 0)
        return min(self._at_once, borne)

    @property
    def room(self) -> int:
        """How many more requests may be sent now."""
        return max(0, self.capacity - self._open)

    @property
    def notice(self) -> Notice:
        """What is to be known of the addresses now."""
        now = time.monotonic()
        waits = [place.habits.wait for place in self._places if not place.resting]
        # Where another address is asked meanwhile, nobody waits.
        waiting = min(waits, default=None, key=lambda wait: wait.until)
        told = waiting.sentence if waiting is not None and waiting.until > now else ""
        remarks = (remark for place in self._places for remark in tuple(place.habits.remarks))
        return Notice(told, tuple(dict.fromkeys(remarks)))

    def send(self, key: str, request: Asked) -> None:
        """Puts a request on its way and returns at once."""
        with self._arrived:
            self._open += 1
        self._outbox.append((key, request))
        if not self._called:
            self._called = True
            self._loop.call_soon_threadsafe(self._take)

    def receive(self, seconds: float) -> list[tuple[str, Result]]:
        """What has come back. Waits for the first result, but no longer than given."""
        with self._arrived:
            if not self._results:
                self._arrived.wait(seconds)
            results, self._results = self._results, []
            self._open -= len(results)
        return results

    def close(self) -> None:
        """Gives up what is on its way and closes all connections."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_CLOSING_SECONDS)

    def __enter__(self) -> ServerChannel:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _run(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._wind_up())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _wind_up(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for place in self._places:
            await place.close()

    def _take(self) -> None:
        self._called = False
        while self._outbox:
            key, request = self._outbox.popleft()
            task = self._loop.create_task(self._do(key, request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, key: str, request: Asked) -> None:
        result: Result = _GONE
        try:
            result = self._one_model.check(await self._ask(request))
        finally:
            # All that come back in one turn of the loop wake the receiver once.
            if not self._done:
                self._loop.call_soon(self._hand_over)
            self._done.append((key, result))

    def _hand_over(self) -> None:
        done, self._done = self._done, []
        with self._arrived:
            self._results += done
            self._arrived.notify()

    async def _ask(self, request: Asked) -> Result:
        untried = list(self._places)
        retries: tuple[str, ...] = ()
        while True:
            place = min(untried, key=lambda each: (each.resting, each.load))
            untried.remove(place)
            others = [other for other in untried if not other.resting]
            outcome = await place.ask(request, patient=not others)
            result = replace(outcome.result, retries=(*retries, *outcome.result.retries))
            if not outcome.elsewhere:
                return result
            if len(self._places) > 1:
                place.rest()
            if not others:
                return result
            retries = (*result.retries, f"no answer from {place.host}")
