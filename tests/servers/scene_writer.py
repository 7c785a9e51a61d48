"""An OpenAI-compatible server whose scripted writer fills the gaps of the bias “anchoring”.

A simulation: no language model is behind it. Of every 20 requests it answers five in ways that
cannot be used (`SCRIPT`), so that a test knows what has to be refused, and why. Start it with
``python -m tests.servers.scene_writer --port 0``; its first line of output is its address.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

SCRIPT = {3: "a gap is missing", 7: "a number", 11: "no JSON", 13: "said before", 17: "a copy"}
"""What is wrong with an answer, by its seed modulo 20."""

ROLES = ("a gardener", "a librarian", "a coach", "a chemist", "a choir leader", "a carpenter")
PLACES = ("in a small town", "by the sea", "of a valley school", "in the old harbour")
WHO = ("The neighbours", "Young families", "Some pupils", "The new members", "Older visitors")
WANT = ("have asked for", "would be glad of", "often speak about", "were promised", "depend on")
THINGS = (
    "more quiet hours", "a further workshop", "warmer rooms", "longer opening times",
    "new tools for beginners", "a garden path", "better light at night", "music on Sundays",
)  # fmt: skip
WHY = (
    "since the old hall was closed",
    "because winters are long here",
    "after the last festival",
    "while the bridge is being mended",
    "as nobody else offers it",
    "now that the bus runs again",
)
SHARED = ("the spare money", "the free afternoons", "the storage space", "the working hours")


def scene(seed: int) -> dict[str, Any]:
    """A scene that can be used; other seeds give other words."""
    rng = random.Random(seed)
    who, want, thing, why = (rng.choice(each) for each in (WHO, WANT, THINGS, WHY))
    return {
        "role": rng.choice(ROLES),
        "organisation": rng.choice(PLACES),
        "situation": f"{who} {want} {thing} {why}.",
        "resource": rng.choice(SHARED),
        "purpose": thing,
    }


def written(seed: int) -> str:
    """What the writer says to a request of this seed."""
    wrong = SCRIPT.get(seed % 20)
    content = scene(seed)
    if wrong == "a gap is missing":
        del content["purpose"]
    elif wrong == "a number":
        content["situation"] = f"There are 14 of us, and {content['situation']}"
    elif wrong == "no JSON":
        return "I would rather tell you a story about a lighthouse."
    elif wrong == "said before":
        content = scene(1)
    elif wrong == "a copy":
        content["resource"] = "what is shared out, with its article"
    return f"Here is a scene.\n```json\n{json.dumps(content)}\n```"


async def _answer(request: Request) -> Response:
    body = await request.json()
    seed = int(body.get("seed", 0))
    # Tests of a server ask other things than scenes.
    asked = str(body["messages"][-1]["content"])
    text = written(seed) if "Fill its gaps" in asked else "7"
    return JSONResponse(
        {
            "id": "answer", "object": "chat.completion", "created": 0, "model": "writer",
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": text},
                 "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
        }
    )  # fmt: skip


async def _models(_: Request) -> Response:
    return JSONResponse({"object": "list", "data": [{"id": "writer", "object": "model"}]})


def main() -> None:
    """Serves until it is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    listening = socket.create_server(("127.0.0.1", given.port))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)  # noqa: T201
    routes = [
        Route("/v1/chat/completions", _answer, methods=["POST"]),
        Route("/v1/models", _models),
    ]
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning", lifespan="off")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
