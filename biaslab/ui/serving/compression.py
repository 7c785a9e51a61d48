"""The files of the screens go out compressed: the first chart takes 2.7 MB instead of 9.4.

Streamlit compresses what it writes anew and sends its own files as they lie there, because to press
them at each request costs more than it saves. Here each is pressed once and kept: their names hold
a hash of what is in them, so what is kept never gets old.

Where others on the network open the app, what went out is pressed a second time, as small as can
be, while nobody waits: whoever comes later takes 2.5 MB.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import sys
from queue import SimpleQueue
from threading import Thread, get_native_id
from typing import TYPE_CHECKING

import brotli
from starlette.datastructures import Headers, MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDER = "/static/"
"""Where the files of the screens lie."""

_PRESSED = ("application/javascript", "text/", "application/json", "image/svg+xml")
"""Kinds of content that get smaller."""

_KEPT = 1_000
"""Most files kept, each with both ways of pressing; Streamlit brings 360."""

_QUALITY = {"br": 9, "gzip": 9}
"""The chart library takes 0.5 s so."""

_SMALLEST = 11
"""Brotli's highest quality: a tenth less, at twenty times the work."""

_LAST = 19
"""The niceness of work that everything else goes before."""


class CompressionMiddleware:
    """Answers requests for files of the screens with what a browser can unpress."""

    def __init__(self, app: ASGIApp, *, thorough: bool = False) -> None:
        """Puts the layer around an app.

        Args:
            app: the app.
            thorough: press what went out a second time, as small as can be. On one computer that
                saves nobody anything.
        """
        self._app = app
        self._thorough = thorough
        self._kept: dict[tuple[str, str], tuple[Message, bytes]] = {}
        self._pressing = asyncio.Lock()
        self._again: SimpleQueue[tuple[str, Message, bytes]] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; whatever is no file of the screens goes through untouched."""
        encoding = _encoding(scope)
        if not encoding:
            await self._app(scope, receive, send)
            return
        key = (scope["path"], encoding)
        if key not in self._kept:
            # One at a time: thirty browsers that ask for the same file wait for one press.
            async with self._pressing:
                if key not in self._kept:
                    answer = await self._asked(scope)
                    if answer is None:
                        await self._app(scope, receive, send)
                        return
                    start, body = answer
                    if not _worth_it(start) or len(self._kept) >= _KEPT:
                        await send(start)
                        await send({"type": "http.response.body", "body": body})
                        return
                    small = await asyncio.to_thread(_press, body, encoding)
                    self._kept[key] = (_described(start, encoding, len(small)), small)
                    if self._thorough and encoding == "br":
                        self._queue().put((scope["path"], start, body))
        start, body = self._kept[key]
        # Layers further out write headers of their own into what they send on.
        await send(dict(start) | {"headers": list(start["headers"])})
        await send({"type": "http.response.body", "body": body})

    def _queue(self) -> SimpleQueue[tuple[str, Message, bytes]]:
        """What is to be pressed again; the first asks for somebody who does it."""
        if self._again is None:
            self._again = SimpleQueue()
            Thread(target=self._press_again, args=(self._again,), daemon=True).start()
        return self._again

    def _press_again(self, files: SimpleQueue[tuple[str, Message, bytes]]) -> None:
        """Puts smaller files in place of those that are kept, one after the other."""
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _LAST)  # of this thread alone
        while True:
            path, start, body = files.get()
            small = bytes(brotli.compress(body, quality=_SMALLEST))
            self._kept[path, "br"] = (_described(start, "br", len(small)), small)

    async def _asked(self, scope: Scope) -> tuple[Message, bytes] | None:
        """What the app answers, as a whole; None where the whole did not come.

        It is asked for nobody in particular: a browser that goes on to another screen hangs up, and
        what an app sends then is not the file that everybody else is to get.
        """
        starts: list[Message] = []
        parts: list[bytes] = []
        ended = False
        asked: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def stay() -> Message:
            if not asked:
                await asyncio.Event().wait()  # nobody hangs up; the app gives up waiting
            return asked.pop()

        async def take(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                starts.append(message)
            else:
                parts.append(message.get("body", b""))
                ended = not message.get("more_body", False)

        await self._app(dict(scope), stay, take)
        body = b"".join(parts)
        told = Headers(raw=starts[0]["headers"]).get("content-length") if starts else None
        whole = ended and told in (None, str(len(body)))
        return (starts[0], body) if whole else None


def _encoding(scope: Scope) -> str:
    """How to press the answer to a request; empty where it is to go out as it is."""
    if scope["type"] != "http" or scope["method"] != "GET" or FOLDER not in scope["path"]:
        return ""
    headers = Headers(scope=scope)
    if any(name in headers for name in ("range", "if-none-match", "if-modified-since")):
        return ""
    offered = {
        each.partition(";")[0].strip() for each in headers.get("accept-encoding", "").split(",")
    }
    return next((each for each in _QUALITY if each in offered), "")


def _worth_it(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return (
        start["status"] == 200
        and "immutable" in headers.get("cache-control", "")
        and "content-encoding" not in headers
        and headers.get("content-type", "").startswith(_PRESSED)
    )


def _press(body: bytes, encoding: str) -> bytes:
    if encoding == "br":
        return bytes(brotli.compress(body, quality=_QUALITY["br"]))
    return gzip.compress(body, _QUALITY["gzip"])


def _described(start: Message, encoding: str, length: int) -> Message:
    described: Message = dict(start) | {"headers": list(start["headers"])}
    headers = MutableHeaders(scope=described)
    headers["content-encoding"] = encoding
    headers["content-length"] = str(length)
    headers.add_vary_header("accept-encoding")
    del headers["etag"]
    return described
