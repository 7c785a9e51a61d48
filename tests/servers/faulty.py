"""An OpenAI-compatible server that goes wrong in the ways that real ones do, on demand.

It runs in a thread of the test. What becomes of a request is scripted by its prompt: each
prompt has a list of faults, taken one after the other; when they are used up, it is answered.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.conftest import DEADLINE

SERVED = "faulty-1"
MODELS = ("faulty", "other")

Fault = Callable[["Asked"], Awaitable[Response]]
"""What happens to one request."""

_TRICKLE_SECONDS = 0.01


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """The last thing said."""
        if "prompt" in self.body:
            return str(self.body["prompt"])
        return str(self.body["messages"][-1]["content"])

    @property
    def key(self) -> str:
        """What was sent as a key."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass
class FaultyServer:
    """Start with ``with FaultyServer() as server``.

    Attributes:
        faults: what happens to the next requests with a prompt, in order.
        always: what happens to every request that has no fault of its own left.
        asked: everything that came in.
        most_at_once: the most requests that were being answered at the same time.
    """

    faults: dict[str, list[Fault]] = field(default_factory=lambda: defaultdict(list))
    always: Fault | None = None
    asked: list[Asked] = field(default_factory=list)
    most_at_once: int = 0
    _now: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://127.0.0.1:{self._port}/v1"

    def prompts(self) -> list[str]:
        """What was asked, in order."""
        return [asked.prompt for asked in self.asked]

    def forget(self) -> None:
        """Begins anew: no faults, nothing asked."""
        self.faults = defaultdict(list)
        self.always = None
        self.asked = []
        self.most_at_once = 0
        self._now = Counter()

    def __enter__(self) -> FaultyServer:
        routes = [
            Route("/v1/chat/completions", self._answer, methods=["POST"]),
            Route("/v1/completions", self._answer, methods=["POST"]),
            Route("/v1/models", self._models),
        ]
        config = uvicorn.Config(
            Starlette(routes=routes), host="127.0.0.1", port=0, log_level="critical", lifespan="off"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + DEADLINE
        while not self._server.started:
            if time.monotonic() > deadline:
                raise TimeoutError("The faulty server did not start.")
            time.sleep(0.005)
        self._port = self._server.servers[0].sockets[0].getsockname()[1]
        return self

    def __exit__(self, *details: object) -> None:
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(10)

    async def _answer(self, request: Request) -> Response:
        asked = Asked(request.url.path, dict(request.headers), json.loads(await request.body()))
        self.asked.append(asked)
        self._now["here"] += 1
        self.most_at_once = max(self.most_at_once, self._now["here"])
        try:
            waiting = self.faults[asked.prompt]
            fault = waiting.pop(0) if waiting else self.always or answer()
            return await fault(asked)
        finally:
            self._now["here"] -= 1

    async def _models(self, _: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": name} for name in MODELS]})


def content(asked: Asked, text: str, **changes: Any) -> dict[str, Any]:
    """The body of a good answer."""
    choice: dict[str, Any] = {"index": 0, "finish_reason": changes.pop("finish", "stop")}
    if asked.path.endswith("/chat/completions"):
        choice["message"] = {"role": "assistant", "content": text, **changes.pop("message", {})}
    else:
        choice["text"] = text
    usage = {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}
    return {"id": "1", "model": SERVED, "choices": [choice], "usage": usage, **changes}


def answer(text: str | None = None, **changes: Any) -> Fault:
    """No fault: says the prompt back, or the text."""

    async def fault(asked: Asked) -> Response:
        said = f"You said {asked.prompt}" if text is None else text
        return JSONResponse(content(asked, said, **changes))

    return fault


def status(code: int, error: object = None, **headers: str) -> Fault:
    """An error, such as 429; header names are written with underscores."""

    async def fault(_: Asked) -> Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = {"error": error if error is not None else {"message": f"Fault {code}."}}
        return JSONResponse(body, code, named)

    return fault


def raw(body: object, code: int = 200, kind: str = "application/json", **headers: str) -> Fault:
    """Exactly this, as bytes, text or JSON; header names are written with underscores."""

    async def fault(_: Asked) -> Response:
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Response(text, code, named, media_type=kind)

    return fault


def half_json() -> Fault:
    """The first half of a good answer, sent as if it were all of it."""

    async def fault(asked: Asked) -> Response:
        whole = json.dumps(content(asked, "never read"))
        return Response(whole[: len(whole) // 2], media_type="application/json")

    return fault


def cut() -> Fault:
    """The connection ends in the middle of the answer."""

    async def fault(asked: Asked) -> Response:
        async def part() -> AsyncIterator[bytes]:
            yield json.dumps(content(asked, "never read")).encode()[:20]

        return StreamingResponse(part(), headers={"content-length": "1000"})

    return fault


def trickle() -> Fault:
    """A blank now and then, never an answer."""

    async def fault(_: Asked) -> Response:
        async def blanks() -> AsyncIterator[bytes]:
            while True:
                yield b" "
                await asyncio.sleep(_TRICKLE_SECONDS)

        return StreamingResponse(blanks(), media_type="application/json")

    return fault


def wait_for(event: threading.Event, then: Fault) -> Fault:
    """Nothing at all until the test says so."""

    async def fault(asked: Asked) -> Response:
        while not event.is_set():
            await asyncio.sleep(0.002)
        return await then(asked)

    return fault


def redirect(url: str) -> Fault:
    """Sends on to another address."""

    async def fault(_: Asked) -> Response:
        return RedirectResponse(url, 307)

    return fault


def only_with_key(key: Callable[[], str], then: Fault) -> Fault:
    """Answers those who send the key that is right at the time."""

    async def fault(asked: Asked) -> Response:
        if asked.key == key():
            return await then(asked)
        message = f"Incorrect API key provided: {asked.key}."
        return await status(401, {"message": message, "code": "invalid_api_key"})(asked)

    return fault
