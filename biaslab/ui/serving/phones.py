"""The way of phones into live rooms, beside the screens.

What reads a room and its answers takes a second to import. It is imported when the first phone
comes, so that the app starts without it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send


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
