"""A real OpenAI-compatible server over the tiny model, with faults that can be switched on.

Start it with ``python -m tests.servers.tiny_server --port 0``; its first line of output is its
address. Each address ``/with/SWITCHES/v1`` is the same server behaving otherwise, where
``SWITCHES`` reads ``logprobs=shifted,chat=no``; see `Behaviour`. So one process is every server
that a test needs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import torch
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.servers.tiny_network import Piece, TinyNetwork

Json = dict[str, Any]

PAGE = "<html><head><title>Welcome</title></head><body>Nothing to see here.</body></html>"


@dataclass(frozen=True)
class Behaviour:
    """What the server does; the default is all that it can.

    Attributes:
        name: of the model; served: name in the answers, where it is another.
        any_name: answers whatever model is asked for.
        models, chat, completions: whether these paths are there.
        system: ``yes``, ``refused``, ``dropped`` (accepted, never shown to the model) or
            ``obeyed`` (a simulation: the server itself writes the word that is asked for).
        seed: ``yes``, ``ignored``, ``refused`` or ``stuck`` (always the most probable token).
        logprobs: ``right``, ``ignored``, ``refused``, or wrong: ``shifted`` (those of
            the token after), ``constant`` or ``positive``.
        echo: ``yes``, ``ignored``, ``refused``, ``blind`` (the text, without its numbers) or
            ``shifted`` (each token but the last has the number of the one after it).
        most: alternatives that are given at most, on either path.
        begin: the echoed tokens open with a ``<s>`` that the text does not have.
        offsets: whether echoed tokens come with ``text_offset``.
        context: tokens in all; tells_length: whether the list of models says so.
        checks_length: whether too long a request is an error; it is cut otherwise.
        thinking: ``no``, ``apart`` (in ``reasoning_content``), ``inside`` the text or
            ``strange``: there, between markers that nobody knows.
        finish: whether it is said how an answer ended.
        counts: whether tokens are counted.
        limit: name of the field that limits the answer: ``both`` or ``max_completion_tokens``.
        stop: ``yes``, ``ignored`` or ``broken`` (an error of the server).
        warm: only temperature 1 is taken.
        latency: seconds before an answer.
        down: a status that everything is answered with; 0 for none.
        parrots: repeats the key that was sent in every error.
        key: that must be sent; empty for none.
    """

    name: str = "tiny"
    served: str = ""
    any_name: bool = False
    models: bool = True
    chat: bool = True
    completions: bool = True
    system: str = "yes"
    seed: str = "yes"
    logprobs: str = "right"
    echo: str = "yes"
    most: int = 20
    begin: bool = False
    offsets: bool = True
    context: int = 1024
    tells_length: bool = True
    checks_length: bool = True
    thinking: str = "no"
    finish: bool = True
    counts: bool = True
    limit: str = "both"
    stop: str = "yes"
    warm: bool = False
    latency: float = 0.0
    down: int = 0
    parrots: bool = False
    key: str = ""

    def switched(self, switches: str) -> Behaviour:
        """With ``name=value`` switches, separated by commas."""
        changed: Json = {}
        kinds = {field.name: type(getattr(self, field.name)) for field in fields(self)}
        for switch in filter(None, switches.split(",")):
            name, _, value = switch.partition("=")
            kind = kinds[name]
            changed[name] = value in ("", "yes") if kind is bool else kind(value)
        return replace(self, **changed)


class Refusal(Exception):
    """An error in the format that OpenAI uses."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.error = {
            "message": message,
            "type": "invalid_request_error",
            "param": None,
            "code": code,
        }


@dataclass(frozen=True)
class Token:
    """A token as it is reported: its text, its log-probability, and the best in its place."""

    text: str
    log_probability: float | None
    best: Mapping[str, float]


@dataclass(frozen=True)
class Written:
    """What a request led to."""

    text: str
    finish: str
    prompt: list[Token]
    tokens: list[Token]
    tokens_in: int


class TinyServer:
    """Answers requests for one behaviour after another."""

    def __init__(self, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._network = TinyNetwork()
        self._busy = threading.Lock()
        self._answered = 0

    def app(self) -> Starlette:
        """The application."""
        paths = {
            "/models": (self._models, "GET"),
            "/chat/completions": (self._chat, "POST"),
            "/completions": (self._completion, "POST"),
        }
        routes = [Route("/", lambda _: HTMLResponse(PAGE))]
        routes += [Route("/count", lambda _: JSONResponse({"answered": self._answered}))]
        for path, (answer, method) in paths.items():
            for start in ("", "/with/{switches}"):
                routes.append(Route(f"{start}/v1{path}", self._wrapped(answer), methods=[method]))
        routes.append(Route("/page/v1/{rest:path}", lambda _: HTMLResponse(PAGE), methods=["GET"]))
        routes.append(Route("/page/v1/{rest:path}", lambda _: HTMLResponse(PAGE), methods=["POST"]))
        return Starlette(routes=routes)

    def _wrapped(self, answer: Any) -> Any:
        async def wrapped(request: Request) -> Response:
            does = self._behaviour.switched(request.path_params.get("switches", ""))
            try:
                if does.key and request.headers.get("authorization") != f"Bearer {does.key}":
                    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
                    raise Refusal(401, f"Incorrect API key provided: {sent}.", "invalid_api_key")
                if does.down:
                    raise Refusal(does.down, "Not now.")
                if does.latency:
                    await asyncio.sleep(does.latency)
                body = json.loads(await request.body() or b"{}")
                answered = await asyncio.to_thread(answer, does, body)
                self._answered += 1
                return JSONResponse(answered)
            except Refusal as refusal:
                if does.parrots:
                    refusal.error["message"] += request.headers.get("authorization", "")
                return JSONResponse({"error": refusal.error}, refusal.status)

        return wrapped

    def _models(self, does: Behaviour, _: Json) -> Json:
        if not does.models:
            raise Refusal(404, "Not Found")
        entry: Json = {"id": does.name, "object": "model", "created": 0, "owned_by": "tests"}
        if does.tells_length:
            entry["max_model_len"] = does.context
        return {"object": "list", "data": [entry]}

    def _completion(self, does: Behaviour, body: Json) -> Json:
        if not does.completions:
            raise Refusal(404, "Not Found")
        _check(does, body)
        echo = bool(body.get("echo")) and does.echo != "ignored"
        if echo and does.echo == "refused":
            raise Refusal(400, "Only no echo is supported.")
        asked = body.get("logprobs")
        prompts = body["prompt"] if isinstance(body["prompt"], list) else [body["prompt"]]
        choices, tokens_in, tokens_out = [], 0, 0
        for index, prompt in enumerate(prompts):
            written = self._write(does, prompt, body, 0 if asked is None else int(asked))
            shown = written.prompt + written.tokens if echo else written.tokens
            if does.echo == "shifted" and echo:
                shown = _shifted(written.prompt) + written.tokens
            if does.echo == "blind" and echo:
                shown = [Token(token.text, None, {}) for token in written.prompt] + written.tokens
            given = asked is not None and does.logprobs != "ignored"
            choices.append(
                {
                    "index": index,
                    "text": prompt + written.text if echo else written.text,
                    "finish_reason": written.finish,
                    "logprobs": _in_columns(does, shown, echo, len(prompt)) if given else None,
                }
            )
            tokens_in += written.tokens_in
            tokens_out += len(written.tokens)
        return _answer(does, body, "text_completion", choices, tokens_in, tokens_out)

    def _chat(self, does: Behaviour, body: Json) -> Json:
        if not does.chat:
            raise Refusal(404, "Not Found")
        _check(does, body)
        messages = body["messages"]
        system = " ".join(m["content"] for m in messages if m["role"] == "system")
        if system and does.system == "refused":
            raise Refusal(400, "System role not supported")
        prompt = _as_text([m for m in messages if m["role"] != "system"])
        if system and does.system != "dropped":
            prompt = f"{system}\n{prompt}"
        asked = int(body.get("top_logprobs") or 0) if body.get("logprobs") else 0
        written = self._write(does, prompt, body, asked)
        text = written.text
        if system and does.system == "obeyed":
            text = system.rstrip(".").split()[-1]
        message: Json = {"role": "assistant", "content": text}
        if does.thinking == "apart":
            message["reasoning_content"] = "First I think."
        elif does.thinking == "inside":
            message["content"] = f"<think>First I think.</think>{text}"
        elif does.thinking == "strange":
            message["content"] = f"<ponder>First I think.</ponder>{text}"
        given = body.get("logprobs") and does.logprobs != "ignored"
        choice = {
            "index": 0,
            "message": message,
            "finish_reason": written.finish,
            "logprobs": {"content": [_in_rows(token) for token in written.tokens]}
            if given
            else None,
        }
        tokens = len(written.tokens)
        return _answer(does, body, "chat.completion", [choice], written.tokens_in, tokens)

    def _write(self, does: Behaviour, prompt: str, body: Json, asked: int) -> Written:
        if asked and does.logprobs == "refused":
            raise Refusal(400, "logprobs is not supported by this server")
        if asked > does.most:
            raise Refusal(400, f"logprobs must be at most {does.most}")
        with self._busy, torch.inference_mode():
            return self._written(does, prompt, body, asked)

    def _written(self, does: Behaviour, prompt: str, body: Json, asked: int) -> Written:
        limit = body.get("max_completion_tokens", body.get("max_tokens"))
        limit = 16 if limit is None else int(limit)
        pieces = self._network.pieces(prompt)
        if does.checks_length and len(pieces) + limit > does.context:
            raise Refusal(
                400,
                f"This model's maximum context length is {does.context} tokens. However, you "
                f"requested {len(pieces) + limit} tokens ({len(pieces)} in the messages, {limit} "
                "in the completion). Please reduce the length of the messages or completion.",
                "context_length_exceeded",
            )
        if not pieces:
            raise Refusal(400, "The prompt is empty.")
        luck = torch.Generator()
        if body.get("seed") is not None and does.seed == "yes":
            luck.manual_seed(int(body["seed"]))
        else:
            luck.seed()
        heat = 0.0 if does.seed == "stuck" else float(body.get("temperature", 1.0))
        stops = body.get("stop") or []
        if stops and does.stop == "broken":
            raise Refusal(500, "Internal Server Error")
        stops = [] if does.stop == "ignored" else stops
        stops = [stops] if isinstance(stops, str) else stops
        memory: list[tuple[torch.Tensor, torch.Tensor]] = []
        logs = self._network.read([piece.number for piece in pieces], memory)
        given = self._tokens(pieces, [None, *logs[:-1]], asked)
        text, finish, last = "", "length", logs[-1]
        added: list[Piece] = []
        before: list[torch.Tensor | None] = []
        for _ in range(min(limit, does.context - len(pieces))):
            if heat:
                number = int(torch.multinomial((last / heat).softmax(-1), 1, generator=luck))
            else:
                number = int(last.argmax())
            added.append(Piece(number, self._network.text(number)))
            before.append(last)
            last = self._network.read([number], memory)[-1]
            text += added[-1].text
            found = [text.index(stop) for stop in stops if stop in text]
            if number == self._network.end or found:
                text, finish = text[: min(found, default=len(text))], "stop"
                break
        if does.logprobs == "shifted":
            next_one = Piece(int(last.argmax()), self._network.text(int(last.argmax())))
            tokens = self._tokens([*added[1:], next_one], [*before[1:], last], asked)
            tokens = [replace(t, text=piece.text) for t, piece in zip(tokens, added, strict=True)]
        else:
            tokens = self._tokens(added, before, asked)
        return Written(text, finish, _wrong(does, given), _wrong(does, tokens), len(pieces))

    def _tokens(
        self,
        pieces: list[Piece],
        before: list[torch.Tensor | None],
        asked: int,
    ) -> list[Token]:
        return [self._token(*pair, asked) for pair in zip(pieces, before, strict=True)]

    def _token(self, piece: Piece, logs: torch.Tensor | None, asked: int) -> Token:
        if logs is None:
            return Token(piece.text, None, {})
        best = logs.topk(max(asked, 1))
        alternatives = {
            self._network.text(number): value
            for number, value in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        }
        return Token(piece.text, float(logs[piece.number]), alternatives if asked else {})


def _wrong(does: Behaviour, tokens: list[Token]) -> list[Token]:
    """The tokens with the numbers that a faulty server would give them."""
    if does.logprobs == "shifted" and tokens and tokens[0].log_probability is None:
        return _shifted(tokens)
    if does.logprobs in ("constant", "positive"):
        value = -5.0 if does.logprobs == "constant" else 0.5
        return [Token(token.text, value, dict.fromkeys(token.best, value)) for token in tokens]
    return tokens


def _shifted(tokens: list[Token]) -> list[Token]:
    others = [*tokens[1:], tokens[-1]]
    return [replace(other, text=token.text) for token, other in zip(tokens, others, strict=True)]


def _check(does: Behaviour, body: Json) -> None:
    if body.get("model") != does.name and not does.any_name:
        raise Refusal(
            404, f"The model `{body.get('model')}` does not exist.", code="model_not_found"
        )
    if does.limit == "max_completion_tokens" and "max_tokens" in body:
        raise Refusal(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            "unsupported_parameter",
        )
    if does.warm and body.get("temperature", 1) != 1:
        raise Refusal(
            400,
            "Unsupported value: 'temperature' does not support 0 with this model. Only the "
            "default (1) value is supported.",
            "unsupported_value",
        )
    if does.seed == "refused" and body.get("seed") is not None:
        raise Refusal(400, "Unrecognized request argument supplied: seed")


def _as_text(messages: list[Json]) -> str:
    """Turns as one text of the kind that the tiny model was trained on."""
    text = ""
    for number, message in enumerate(messages):
        content = message["content"]
        if number == 0:
            text = "Q: " + content.replace("\n\n", "\nA: ", 1)
            text += " " if text.endswith(" is") else ""
        elif message["role"] == "assistant":
            text += f" {content}"
        else:
            text += f"\n{content}"
    return text


def _in_columns(does: Behaviour, tokens: list[Token], echo: bool, prompt: int) -> Json:
    if does.begin and echo:
        tokens = [Token("<s>", None, {}), *tokens]
    offsets, at = [], 0 if echo else prompt
    for token in tokens:
        offsets.append(at)
        at += len(token.text)
    columns: Json = {
        "tokens": [token.text for token in tokens],
        "token_logprobs": [token.log_probability for token in tokens],
        "top_logprobs": [dict(token.best) or None for token in tokens],
    }
    return columns | ({"text_offset": offsets} if does.offsets else {})


def _in_rows(token: Token) -> Json:
    return {
        "token": token.text,
        "logprob": token.log_probability,
        "bytes": list(token.text.encode()),
        "top_logprobs": [
            {"token": text, "logprob": value, "bytes": list(text.encode())}
            for text, value in token.best.items()
        ],
    }


def _answer(
    does: Behaviour, body: Json, kind: str, choices: list[Json], tokens_in: int, tokens_out: int
) -> Json:
    for choice in () if does.finish else choices:
        choice["finish_reason"] = None
    counted: Json = {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
    return {
        "id": "answer",
        "object": kind,
        "created": int(time.time()),
        "model": does.served or body["model"],
        "choices": choices,
        "usage": counted if does.counts else None,
    }


def main() -> None:
    """Serves until it is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--switches", default="", help="such as logprobs=ignored,chat=no")
    given = parser.parse_args()
    torch.set_num_threads(1)
    server = TinyServer(Behaviour().switched(given.switches))
    # Told its protocol, asyncio sends small answers at once (TCP_NODELAY).
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", given.port))
    listening.listen(2048)
    # A connection waits in the socket's queue until uvicorn takes it, so this is not too early.
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)  # noqa: T201
    config = uvicorn.Config(server.app(), log_level="warning", backlog=2048)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
