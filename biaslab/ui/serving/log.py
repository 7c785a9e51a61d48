"""What is written to the log, and how much of it.

Where BIASLAB_LOG is ``json``, a line of JSON for every request. It says when, what kind of thing
was asked for, what came of it and how long that took. It has no address of a person, no cookie, no
query (tokens, texts and answers stand there) and of a path only the first part (behind it stand
codes of rooms and names of sessions).

What the server and its libraries write of themselves is bounded (`bound`): a stranger can have them
complain as often as they like.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

VARIABLE = "BIASLAB_LOG"
"""Environment variable that switches the log on."""

_QUIET = frozenset({"static", "healthz", "readyz"})
"""First parts of paths that come by the hundred and say nothing; refusals are told all the same."""

_LONGEST = 40
"""Most signs of a path's first part: whoever asks chooses it."""

MOST_ALIKE = 20
"""Most lines that one place in a program writes in a minute, for one logger."""


class RateLimitFilter(logging.Filter):
    """Lets through so many lines a minute of each place; the next says how many were left out."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Starts with nothing written."""
        super().__init__()
        self._now = now
        self._written: dict[tuple[str, str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        place = (record.name, record.pathname, record.lineno)
        began, lines = self._written.get(place, (self._now(), 0))
        if self._now() - began >= 60.0:
            if lines > MOST_ALIKE:
                told = f"{record.getMessage()} ({lines - MOST_ALIKE} lines like this were left out)"
                record.msg, record.args = told, ()
            began, lines = self._now(), 0
        self._written[place] = (began, lines + 1)
        return lines < MOST_ALIKE


def bound() -> None:
    """Bounds what every logger of this process writes, those that come later too."""
    bounded = RateLimitFilter()

    class Logger(logging.getLoggerClass()):  # type: ignore[misc]
        def __init__(self, name: str, level: int = logging.NOTSET) -> None:
            super().__init__(name, level)
            self.addFilter(bounded)

    logging.setLoggerClass(Logger)
    there = [logging.getLogger(), *logging.Logger.manager.loggerDict.values()]
    for logger in there:
        if isinstance(logger, logging.Logger):
            logger.addFilter(bounded)


def is_wanted() -> bool:
    """Whether whoever started the app wants the log."""
    return os.environ.get(VARIABLE, "").strip().lower() == "json"


class LogMiddleware:
    """Writes a line for each request and each websocket once it is over."""

    def __init__(self, app: ASGIApp, to: TextIO | None = None) -> None:
        """Puts the layer around an app.

        Args:
            app: what answers.
            to: where lines go; standard error unless told.
        """
        self._app = app
        self._to = to

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on, and tells."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        status = 0

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            elif message["type"] == "websocket.close" and not status:
                status = 403
            await send(message)

        try:
            await self._app(scope, receive, seen)
        except BaseException:
            status = status or 500
            raise
        finally:
            self._tell(scope, status, time.monotonic() - began)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        first = scope["path"].strip("/").split("/")[0][:_LONGEST]
        if first in _QUIET and status < 400:
            return
        line = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "what": scope["type"],
            "method": scope.get("method", ""),
            "path": f"/{first}",
            "status": status,
            "ms": round(1000 * seconds),
        }
        print(json.dumps(line), file=self._to or sys.stderr, flush=True)
