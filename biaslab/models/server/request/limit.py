"""How many requests a server bears at the same time, learnt from what it says.

Falls by half when the server is overloaded, once for all requests that were on their way then;
rises by a tenth, or by one, for every round of answers. This is how TCP shares a line
(additive increase, multiplicative decrease: Chiu and Jain, 1989).

What became of the attempts at one request, noted while the openai client repeats it.

The client repeats a request inside one call. The transport underneath sees each attempt and
notes it here; the note belongs to the asyncio task that made the call.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from http import HTTPStatus

FALL = 0.5
"""What is left of the limit after an overload."""

RISE = 0.1
"""Part by which the limit rises when as many answers have come as it allows at once."""


class Limit:
    """The most requests on their way at the same time, between 1 and what a person allows.

    Pure bookkeeping: times are passed in, in seconds of any one clock.

    Args:
        most: where it starts and how far it rises.
    """

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ValueError(f"At least one request must be allowed at once, not {most}.")
        self._most = most
        self._limit = float(most)
        self._age = 0
        self._held_until = -math.inf
        self._in_flight = 0

    @property
    def now(self) -> int:
        """How many may be on their way at once."""
        return int(self._limit)

    @property
    def in_flight(self) -> int:
        """How many are on their way."""
        return self._in_flight

    def room(self, now: float) -> int:
        """How many more may be sent now."""
        return 0 if self.held(now) > 0 else max(0, self.now - self._in_flight)

    def held(self, now: float) -> float:
        """Seconds until anything may be sent, as the server asked."""
        return max(0.0, self._held_until - now)

    def begin(self) -> int:
        """A request goes out. Returns its age, which is to be told when it ends."""
        self._in_flight += 1
        return self._age

    def succeeded(self, age: int) -> None:
        """A request was answered."""
        self._in_flight -= 1
        if age == self._age:
            rise = max(1.0, RISE * self._limit) / self._limit
            self._limit = min(float(self._most), self._limit + rise)

    def ended(self) -> None:
        """A request ended in a way that says nothing about load."""
        self._in_flight -= 1

    def overloaded(self, age: int, now: float, wait: float = 0.0) -> None:
        """The server refused a request because it has too much to do.

        Args:
            age: what `begin` returned. Requests that were on their way when the limit last
                fell do not make it fall again.
            now: the time.
            wait: seconds for which the server wants to be left alone.
        """
        if age == self._age:
            self._age += 1
            self._limit = max(1.0, min(self._limit, self._in_flight) * FALL)
        self._in_flight -= 1
        self._held_until = max(self._held_until, now + wait)

    def start_again(self) -> None:
        """The server was away: begin with one request."""
        self._age += 1
        self._limit = 1.0


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


LOST = "connection lost"
NO_CONNECTION = "no connection"
NOT_SECURE = "no secure connection"
TIMED_OUT = "timed out"

PASSING_STATUSES = frozenset({408, 409, 429})
"""Statuses below 500 after which the openai client asks again."""


@dataclass(slots=True)
class Attempts:
    """All attempts at one request.

    Attributes:
        patient: whether to ask the same address again when it cannot be reached; False where
            another address can be asked instead.
        vain: why attempts were in vain, in order, the last one included.
        spent: seconds on the wire so far; last: of the last attempt alone.
        last_in_vain: whether the last attempt is the last of ``vain``.
    """

    patient: bool = True
    vain: list[str] = field(default_factory=list)
    spent: float = 0.0
    last: float = 0.0
    last_in_vain: bool = False

    def begun(self) -> None:
        """Another attempt."""
        self.last_in_vain = False

    def failed(self, why: str) -> None:
        """The attempt was in vain."""
        self.vain.append(why)
        self.last_in_vain = True

    def ended(self, seconds: float) -> None:
        """The attempt is over."""
        self.last = seconds
        self.spent += seconds

    def earlier(self) -> tuple[str, ...]:
        """Why the attempts before the last one were in vain."""
        return tuple(self.vain[:-1] if self.last_in_vain else self.vain)


ATTEMPTS: ContextVar[Attempts] = ContextVar("attempts")
"""The note of the request that the current task makes."""


def is_passing(status: int) -> bool:
    """Whether a status is one after which the client asks again."""
    return status >= 500 or status in PASSING_STATUSES


def status_phrase(status: int) -> str:
    """Such as ``429 too many requests``."""
    try:
        return f"{status} {HTTPStatus(status).phrase.lower()}"
    except ValueError:
        return f"{status} server error" if status >= 500 else str(status)
