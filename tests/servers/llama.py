"""A simulation of llama.cpp's server over the tiny model, as the real one was recorded.

It is no llama.cpp: it answers the few fields that scoring uses as b11549 of 2026 did, bodies and
errors alike, and it ignores ``echo`` without a word as that does. ``/with/FAULT/v1`` is the same
server with one of the `FAULTS`.
"""

from __future__ import annotations

import json
import re
import threading
import time
from typing import Any

import torch
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.conftest import DEADLINE
from tests.servers.tiny_network import TinyNetwork

FAULTS = {
    "ignored": "the grammar is ignored, as by a program between that does not pass it on",
    "letters": "the grammar binds letters only, so that a text comes cut into other tokens",
    "unknown": "the grammar of tokens is not known, as in llama.cpp before 2026",
    "after": "log-probabilities are those after the grammar: certain",
    "tempered": "they are divided by a temperature where a grammar is given",
    "shifted": "each is that of the token after it",
    "dropped": "the last token has none",
    "template": "turns are rendered otherwise than they are answered",
    "underflow": "what is very improbable has the lowest number there is",
}

Json = dict[str, Any]


class LlamaServer:
    """Start with ``with LlamaServer() as server``.

    Attributes:
        asked: the bodies of all requests for a completion.
    """

    def __init__(self) -> None:
        self._network = TinyNetwork()
        self.asked: list[Json] = []

    def url(self, fault: str = "") -> str:
        """Base URL of the server, or of the one with a fault."""
        return f"http://127.0.0.1:{self._port}{f'/with/{fault}' if fault else ''}/v1"

    def __enter__(self) -> LlamaServer:
        answers = {
            "/v1/completions": self._completions,
            "/v1/chat/completions": self._chat,
            "/tokenize": self._tokenize,
            "/apply-template": self._template,
        }
        routes = [
            Route(f"{start}{path}", self._wrapped(answer), methods=["POST"])
            for path, answer in answers.items()
            for start in ("", "/with/{fault}")
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
                raise TimeoutError("The server did not start.")
            time.sleep(0.005)
        self._port = self._server.servers[0].sockets[0].getsockname()[1]
        return self

    def __exit__(self, *details: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    def _wrapped(self, answer: Any) -> Any:
        async def wrapped(request: Request) -> Response:
            body = json.loads(await request.body())
            try:
                return JSONResponse(answer(body, request.path_params.get("fault", "")))
            except _Refused as error:
                status, message = error.args
                return JSONResponse({"error": {"code": status, "message": message}}, status)

        return wrapped

    def _tokenize(self, body: Json, _: str) -> Json:
        return {"tokens": self._numbers(body.get("content", ""))}

    def _template(self, body: Json, fault: str) -> Json:
        return {"prompt": _rendered(body["messages"]) + (" Well," if fault == "template" else "")}

    def _completions(self, body: Json, fault: str) -> Json:
        self.asked.append(body)
        given = body["prompt"]
        numbers = self._numbers(given) if isinstance(given, str) else list(given)
        rows, text = self._write(numbers, body, int(body.get("logprobs") or 0), fault)
        choice = {"text": text, "index": 0, "finish_reason": "length"}
        return _body(choice | ({"logprobs": {"content": rows}} if rows else {}), len(numbers))

    def _chat(self, body: Json, fault: str) -> Json:
        numbers = self._numbers(_rendered(body["messages"]))
        rows, text = self._write(numbers, body, int(body.get("top_logprobs") or 0), fault)
        message = {"role": "assistant", "content": text}
        choice = {"message": message, "index": 0, "finish_reason": "length"}
        return _body(choice | ({"logprobs": {"content": rows}} if rows else {}), len(numbers))

    def _numbers(self, text: str) -> list[int]:
        return [piece.number for piece in self._network.pieces(text)]

    def _write(
        self, numbers: list[int], body: Json, most: int, fault: str
    ) -> tuple[list[Json], str]:
        wanted = self._wanted(body.get("grammar", ""), fault)
        rows, written = [], []
        for at in range(body["max_tokens"]):
            logs = self._network.log_probabilities([*numbers, *written])[-1]
            if wanted and fault == "tempered":
                logs = (logs / 0.5).log_softmax(-1)
            token = wanted[at] if at < len(wanted) else self._chosen(logs, body)
            written.append(token)
            rows.append(self._row(token, logs, most))
        if wanted and rows:
            _spoil(rows, fault)
        return (rows if most else []), "".join(map(self._network.text, written))

    def _wanted(self, grammar: str, fault: str) -> list[int]:
        wanted = [int(each) for each in re.findall(r"<\[(\d+)\]>", grammar)]
        if grammar and fault == "unknown":
            raise _Refused(400, "Failed to initialize samplers: failed to parse grammar")
        if self._network.end in wanted:
            raise _Refused(500, "got exception: Unexpected empty grammar stack after accepting")
        if fault == "letters":
            letters = "".join(map(self._network.text, wanted))
            return [number for letter in letters for number in self._numbers(letter)]
        return [] if fault == "ignored" else wanted

    def _chosen(self, logs: torch.Tensor, body: Json) -> int:
        if body.get("temperature"):
            return int(torch.multinomial(logs.exp(), 1))
        return int(logs.argmax())

    def _row(self, token: int, logs: torch.Tensor, most: int) -> Json:
        best = logs.topk(max(1, min(most, len(logs))))
        listed = [
            {"id": number, "token": self._network.text(number), "logprob": value}
            for number, value in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]
        number = float(logs[token])
        text = self._network.text(token)
        return {"id": token, "token": text, "logprob": number, "top_logprobs": listed}


class _Refused(Exception):
    """Status and message."""


def _spoil(rows: list[Json], fault: str) -> None:
    numbers = [row["logprob"] for row in rows]
    if fault == "after":
        numbers = [0.0] * len(rows)
    elif fault == "shifted":
        numbers = [*numbers[1:], rows[-1]["top_logprobs"][0]["logprob"] - 1.0]
    elif fault == "underflow":
        numbers = [number if number > -5 else -3.4028234663852886e38 for number in numbers]
    for row, number in zip(rows, numbers, strict=True):
        row["logprob"] = number
    if fault == "dropped":
        rows.pop()


def _rendered(messages: list[Json]) -> str:
    """Turns as one text of the kind that the tiny model was trained on."""
    first, *more = [message["content"] for message in messages]
    text = "Q: " + first.replace("\n\n", "\nA: ", 1)
    return "".join([text, *(f" {each}" for each in more)]) + (" " if not more else "")


def _body(choice: Json, tokens_in: int) -> Json:
    usage = {"prompt_tokens": tokens_in, "completion_tokens": 1, "total_tokens": tokens_in + 1}
    return {"choices": [choice], "model": "tiny", "usage": usage}
