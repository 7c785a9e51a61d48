"""A simulation of a service that answers batches of requests, as OpenAI's Batch API does.

It speaks the endpoints for files, batches and single requests, and keeps their states, limits
and formats; no model is behind it, a plain function writes the answers. A test moves its clock
and holds its batches by hand, so that days pass at once. Start it inside a test with `serving`,
or as a process that can be killed: ``python -m tests.servers.batch_server --port 0``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

Json = dict[str, Any]

DAY = 24 * 3600
MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000

_BEGINNING = 1_750_000_000
_ENDED = ("completed", "failed", "expired", "cancelled")


def add_up(prompt: str) -> str:
    """Answers the simulated study: the sum of the first two numbers of the prompt."""
    first, second = re.findall(r"\d+", prompt)[:2]
    return str(int(first) + int(second))


@dataclass
class Faults:
    """What the service does wrong; nothing by default.

    Attributes:
        refuse: prompts that hold this text come back in the error file, with a 400.
        busy: prompts that hold this text come back in the error file, with a 500.
        fail: whole batches fail while they are validated, for this reason (a code).
        done: so many requests of a batch are answered before it expires or is cancelled.
        broken: so many lines of the output are cut in half.
        die_after_create: the process ends when it has made a batch and not said so.
        refuse_create: batches are refused with this status.
        busy_create: batches are not made and a 503 is the answer, so often.
        cut_create: a batch is made and the connection is cut in place of an answer, so often.
        unreachable: so many requests are answered with a 503.
    """

    refuse: str = ""
    busy: str = ""
    fail: str = ""
    done: int = 0
    broken: int = 0
    die_after_create: bool = False
    refuse_create: int = 0
    busy_create: int = 0
    cut_create: int = 0
    unreachable: int = 0


@dataclass
class BatchServer:
    """The service and everything that it keeps.

    Attributes:
        reply: from the text of a prompt to that of its answer.
        cuts: which answers were cut off.
        faults: what goes wrong.
        model: the only model it knows.
        key: that must be sent; empty for none.
        held: batches stay in progress until this is False; otherwise each look at a batch takes
            it one state further.
        page: most batches in one page of the list.
        clock: the service's time, in seconds since 1970.
        kept: file that its state is kept in over a restart; None: nowhere.
        files: contents by id; batches: by id, the oldest first.
        asked: how often each prompt was answered, live and in batches.
        live: how many requests came one by one.
        looks: how often a batch was asked after.
    """

    reply: Callable[[str], str] = add_up
    cuts: Callable[[str], bool] = lambda _: False
    faults: Faults = field(default_factory=Faults)
    model: str = "sums"
    key: str = ""
    held: bool = False
    page: int = 100
    clock: int = _BEGINNING
    kept: Path | None = None
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, Json] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    live: int = 0
    looks: int = 0

    def __post_init__(self) -> None:
        if self.kept is not None and self.kept.exists():
            state = json.loads(self.kept.read_text(encoding="utf-8"))
            self.files, self.batches = state["files"], state["batches"]
            self.asked = Counter(state["asked"])

    @property
    def handed_over(self) -> list[str]:
        """Every id under which something was handed over in a batch, once for each time."""
        return [
            line["custom_id"]
            for batch in self.batches.values()
            for line in self._lines(batch["input_file_id"])
        ]

    def app(self) -> Starlette:
        """The endpoints."""
        return Starlette(
            routes=[
                Route("/v1/models", self._guarded(self._models)),
                Route("/v1/files", self._guarded(self._upload), methods=["POST"]),
                Route("/v1/files/{id}/content", self._guarded(self._content)),
                Route("/v1/batches", self._guarded(self._create), methods=["POST"]),
                Route("/v1/batches", self._guarded(self._list), methods=["GET"]),
                Route("/v1/batches/{id}", self._guarded(self._retrieve)),
                Route("/v1/batches/{id}/cancel", self._guarded(self._cancel), methods=["POST"]),
                Route("/v1/chat/completions", self._guarded(self._answer_now), methods=["POST"]),
                Route("/v1/completions", self._guarded(self._answer_now), methods=["POST"]),
            ]
        )

    def cancel(self, batch: str) -> None:
        """Cancels a batch, as a person can in the service's own pages."""
        self._end(self.batches[batch], "cancelled", self.faults.done)

    def _guarded(self, handler: Callable[[Request], Any]) -> Callable[[Request], Any]:
        async def guarded(request: Request) -> Response:
            if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
                sent = request.headers.get("authorization", "")
                return _error(401, f"Incorrect API key provided: {sent}.", "invalid_api_key")
            if self.faults.unreachable:
                self.faults.unreachable -= 1
                return _error(503, "The service is overloaded.", "overloaded")
            response: Response = await handler(request)
            self._keep()
            return response

        return guarded

    async def _models(self, _request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": self.model, "object": "model"}]})

    async def _upload(self, request: Request) -> Response:
        async with request.form(max_part_size=MOST_BYTES + 1) as form:
            if form.get("purpose") != "batch":
                return _error(400, "The purpose must be batch.", "invalid_purpose")
            upload = form["file"]
            assert not isinstance(upload, str)
            content = await upload.read()
        name = self._store(content.decode("utf-8"))
        return JSONResponse(
            {
                "id": name, "object": "file", "bytes": len(content), "created_at": self.clock,
                "filename": upload.filename, "purpose": "batch", "status": "processed",
            }
        )  # fmt: skip

    async def _content(self, request: Request) -> Response:
        name = request.path_params["id"]
        if name not in self.files:
            return _error(404, f"No such File object: {name}", None)
        return PlainTextResponse(self.files[name])

    async def _create(self, request: Request) -> Response:
        asked = await request.json()
        if self.faults.refuse_create:
            return _error(self.faults.refuse_create, "Batches are refused.", "no_batches")
        if self.faults.busy_create:
            self.faults.busy_create -= 1
            return _error(503, "The service is overloaded.", "overloaded")
        if asked["completion_window"] != "24h" or asked["input_file_id"] not in self.files:
            return _error(400, "There is no such file or window.", "invalid_request")
        number = f"batch_{len(self.batches):04d}"
        batch: Json = {
            "id": number, "object": "batch", "endpoint": asked["endpoint"], "errors": None,
            "input_file_id": asked["input_file_id"], "completion_window": "24h",
            "status": "validating", "output_file_id": None, "error_file_id": None,
            "created_at": self.clock, "expires_at": self.clock + DAY,
            "metadata": asked.get("metadata"),
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
        }  # fmt: skip
        self.batches[number] = batch
        if self.faults.die_after_create:
            self._keep()
            os._exit(1)
        if self.faults.cut_create:
            self.faults.cut_create -= 1
            return Response(b"{", headers={"content-length": "1000"})
        return JSONResponse(batch)

    async def _list(self, request: Request) -> Response:
        newest = list(self.batches.values())[::-1]
        ids = [batch["id"] for batch in newest]
        after = request.query_params.get("after")
        start = ids.index(after) + 1 if after else 0
        size = min(self.page, int(request.query_params.get("limit", 20)))
        page = newest[start : start + size]
        return JSONResponse(
            {
                "object": "list", "data": page, "has_more": start + size < len(newest),
                "first_id": page[0]["id"] if page else None,
                "last_id": page[-1]["id"] if page else None,
            }
        )  # fmt: skip

    async def _retrieve(self, request: Request) -> Response:
        batch = self.batches.get(request.path_params["id"])
        if batch is None:
            return _error(404, f"No batch found with id '{request.path_params['id']}'.", None)
        self.looks += 1
        self._go_on(batch)
        return JSONResponse(batch)

    async def _cancel(self, request: Request) -> Response:
        self.cancel(request.path_params["id"])
        return JSONResponse(self.batches[request.path_params["id"]])

    async def _answer_now(self, request: Request) -> Response:
        self.live += 1
        status, body = self._answer(await request.json())
        return JSONResponse(body, status)

    def _go_on(self, batch: Json) -> None:
        """Takes a batch one state further."""
        status = batch["status"]
        if status in _ENDED:
            return
        if status == "validating":
            lines = self._lines(batch["input_file_id"])
            batch["request_counts"]["total"] = len(lines)
            if wrong := self.faults.fail or self._what_is_wrong(batch, lines):
                message = f"The batch is refused: {wrong}."
                batch["status"] = "failed"
                batch["failed_at"] = self.clock
                batch["errors"] = {
                    "object": "list", "data": [{"code": wrong, "message": message, "line": None}]
                }  # fmt: skip
            else:
                batch["status"] = "in_progress"
                batch["in_progress_at"] = self.clock
        elif self.clock > batch["expires_at"]:
            self._end(batch, "expired", self.faults.done)
        elif status == "in_progress" and not self.held:
            batch["status"] = "finalizing"
        elif status == "finalizing":
            self._end(batch, "completed", None)

    def _end(self, batch: Json, status: str, done: int | None) -> None:
        output, errors = [], []
        lines = self._lines(batch["input_file_id"])
        for number, line in enumerate(lines):
            name = {"id": f"batch_req_{number}", "custom_id": line["custom_id"]}
            if done is not None and number >= done:
                error = {"code": f"batch_{status}", "message": f"The batch was {status}."}
                errors.append({**name, "response": None, "error": error})
                continue
            code, body = self._answer(line["body"])
            response = {"status_code": code, "request_id": f"req_{number}", "body": body}
            answered = {**name, "response": response, "error": None}
            (output if code == 200 else errors).append(answered)
        texts = [json.dumps(line, ensure_ascii=False) for line in output]
        for number in range(min(self.faults.broken, len(texts))):
            texts[number] = texts[number][: len(texts[number]) // 2]
        # A service answers in any order.
        batch["output_file_id"] = self._store("\n".join(reversed(texts))) if texts else None
        wrong = "\n".join(json.dumps(line) for line in errors)
        batch["error_file_id"] = self._store(wrong) if errors else None
        batch["status"] = status
        batch[f"{status}_at"] = self.clock
        batch["request_counts"] = {
            "total": len(lines), "completed": len(output), "failed": len(errors)
        }  # fmt: skip

    def _answer(self, asked: Json) -> tuple[int, Json]:
        chat = "messages" in asked
        prompt = asked["messages"][-1]["content"] if chat else asked["prompt"]
        if asked["model"] != self.model:
            return 404, _error_body(f"The model `{asked['model']}` does not exist.", "no_model")
        if self.faults.refuse and self.faults.refuse in prompt:
            return 400, _error_body("This prompt is refused.", "invalid_prompt")
        if self.faults.busy and self.faults.busy in prompt:
            return 500, _error_body("The server had an error.", "server_error")
        self.asked[prompt] += 1
        text = self.reply(prompt)
        finish = "length" if self.cuts(text) else "stop"
        choice: Json = {"index": 0, "finish_reason": finish, "logprobs": None}
        choice |= {"message": {"role": "assistant", "content": text}} if chat else {"text": text}
        usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
        return 200, {
            "id": "answer", "object": "chat.completion" if chat else "text_completion",
            "created": self.clock, "model": self.model, "choices": [choice], "usage": usage,
        }  # fmt: skip

    def _what_is_wrong(self, batch: Json, lines: list[Json]) -> str:
        ids = {line["custom_id"] for line in lines}
        if not lines or len(lines) > MOST_REQUESTS:
            return "wrong_number_of_requests"
        if len(ids) < len(lines):
            return "duplicate_custom_id"
        if {line["url"] for line in lines} != {batch["endpoint"]}:
            return "mismatched_endpoint"
        if {line["method"] for line in lines} != {"POST"}:
            return "invalid_method"
        if len({line["body"]["model"] for line in lines}) > 1:
            return "mismatched_model"
        return ""

    def _lines(self, name: str) -> list[Json]:
        return [json.loads(line) for line in self.files[name].split("\n") if line]

    def _store(self, text: str) -> str:
        name = f"file-{len(self.files):04d}"
        self.files[name] = text
        return name

    def _keep(self) -> None:
        if self.kept is not None:
            state = {"files": self.files, "batches": self.batches, "asked": self.asked}
            self.kept.write_text(json.dumps(state), encoding="utf-8")


@contextmanager
def serving(server: BatchServer) -> Iterator[str]:
    """The service in a thread of this process; gives its base URL."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(server.app(), log_level="critical", lifespan="off")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        running.should_exit = True
        running.force_exit = True
        thread.join()
        listening.close()


def _error(status: int, message: str, code: str | None) -> Response:
    return JSONResponse(_error_body(message, code), status)


def _error_body(message: str, code: str | None) -> Json:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return {"error": error}


def main() -> None:
    """Serves until it is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--held", action="store_true")
    for fault in fields(Faults):
        name = f"--{fault.name.replace('_', '-')}"
        if isinstance(fault.default, bool):
            parser.add_argument(name, action="store_true")
        else:
            parser.add_argument(name, type=type(fault.default), default=fault.default)
    given = parser.parse_args()
    faults = Faults(**{fault.name: getattr(given, fault.name) for fault in fields(Faults)})
    server = BatchServer(faults=faults, kept=given.kept, held=given.held)
    listening = socket.create_server(("127.0.0.1", given.port))
    # A connection waits in the socket's queue until uvicorn takes it, so this is not too early.
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", flush=True)  # noqa: T201
    uvicorn.Server(uvicorn.Config(server.app(), log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main()
