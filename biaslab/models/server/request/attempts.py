"""What became of the attempts at one request, noted while the openai client repeats it.

The client repeats a request inside one call. The transport underneath sees each attempt and
notes it here; the note belongs to the asyncio task that made the call.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from http import HTTPStatus

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
