"""Addresses beside the screens: whether the app works, and the way of phones into live rooms.

`ALIVE` answers as long as the process does. `READY` answers 200 where people can be served: the
file of runs opens and the disk has room; else 503, so that a proxy or a supervisor waits. Neither
names a path, because anybody who reaches the app may ask.

What reads a room and its answers takes a second to import. It is imported when the first phone
comes, so that the app starts without it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from biaslab.system.places import default_database

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send

ALIVE = "/healthz"
READY = "/readyz"

_NO_STORE = {"Cache-Control": "no-store"}


async def alive(_: Request) -> Response:
    """The route `ALIVE`."""
    return PlainTextResponse("alive\n", headers=_NO_STORE)


def ready(_: Request) -> Response:
    """The route `READY`. Not a coroutine: Starlette runs it beside, as it waits for the disk."""
    why = not_ready(default_database())
    return PlainTextResponse(
        f"not ready: {why}\n" if why else "ready\n",
        status_code=503 if why else 200,
        headers=_NO_STORE,
    )


def not_ready(database: Path) -> str:
    """What keeps people from being served, in a few words without a path; empty where nothing.

    Args:
        database: the file of runs.
    """
    # Loaded with the first page, and not before the app answers at all.
    from biaslab.runs import StoreError, open_store
    from biaslab.runs.errors import StoreFull
    from biaslab.runs.store.connection import check_space

    try:
        check_space(database)
        with open_store(database) as store:
            store.change_counter()
    except StoreFull:
        return "the disk is nearly full"
    except (StoreError, OSError):
        return "the file of runs cannot be opened"
    return ""


def phone_routes() -> list[BaseRoute]:
    """Every address below ``/r``, in capitals too: a QR code of them has fewer squares."""
    phones = _Phones()
    return [
        Route(path, phones) for base in ("/r", "/R") for path in (base, f"{base}/{{rest:path}}")
    ]


class _Phones:
    """Answers phones by `biaslab.room.serving`."""

    def __init__(self) -> None:
        self._answers: ASGIApp | None = None
        self._opening = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._opening:
            if self._answers is None:
                self._answers = await asyncio.to_thread(_opened)
        await self._answers(scope, receive, send)


def _opened() -> ASGIApp:
    from starlette.routing import Router

    from biaslab.room import rooms_here
    from biaslab.room.serving import routes

    return Router(routes(rooms_here))
