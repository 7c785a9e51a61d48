"""Lets requests out to a server one after the other, as many at once as its limit allows."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from biaslab.models.server.request.limit import Limit


class Gate:
    """Where requests wait until the limit lets them out, first come first served.

    Belongs to one event loop. Every attempt passes, those the client makes by itself too: the
    server never sees more at once than the limit says.

    Args:
        limit: what decides.
        clock: seconds; the one that the limit is told.
    """

    def __init__(self, limit: Limit, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self._clock = clock
        self._waiting: deque[asyncio.Future[int]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self) -> int:
        """Waits for a place. Returns the age that the limit wants to be told."""
        if not self._waiting and self.limit.room(self._clock()) > 0:
            return self.limit.begin()
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._let_out()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.ended()
            raise

    def succeeded(self, age: int) -> None:
        """A request was answered."""
        self.limit.succeeded(age)
        self._let_out()

    def ended(self) -> None:
        """A request ended in a way that says nothing about load."""
        self.limit.ended()
        self._let_out()

    def overloaded(self, age: int, wait: float) -> None:
        """The server has too much to do and wants to be left alone for so many seconds."""
        self.limit.overloaded(age, self._clock(), wait)
        self._let_out()

    def close(self) -> None:
        """Nobody waits any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _let_out(self) -> None:
        if not self._waiting:
            return
        now = self._clock()
        while self._waiting and self.limit.room(now) > 0:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(self.limit.begin())
        held = self.limit.held(now)
        if self._waiting and held > 0 and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(held, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self._let_out()
