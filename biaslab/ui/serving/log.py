"""A line of JSON for every request, where BIASLAB_LOG is ``json``; else nothing is written.

A line says when, what kind of thing was asked for, what came of it and how long that took. It has
no address of a person, no cookie, no query (tokens, texts and answers stand there) and of a path
only the first part (behind it stand codes of rooms and names of sessions).
"""

from __future__ import annotations

import json
import os
import sys
import time
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


def is_wanted() -> bool:
    """Whether whoever started the app wants the log."""
    return os.environ.get(VARIABLE, "").strip().lower() == "json"


class Logged:
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
