"""One model on one server, asked request by request, with what that costs counted."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import httpx2
from openai import APIStatusError, AsyncOpenAI, BadRequestError, UnprocessableEntityError

from biaslab.models.provider import Endpoint
from biaslab.models.requests import Message
from biaslab.models.server.keys import hide_key
from biaslab.models.server.request.dialect import refusal_of, turn_of
from biaslab.models.server.request.failures import quote
from biaslab.models.server.request.limit import status_phrase
from biaslab.models.server.request.replies import NoAnswer, SentError, ServerReply, load, read_reply

_PATHS = {Endpoint.CHAT: "/chat/completions", Endpoint.COMPLETIONS: "/completions"}

_LIMIT = "max_tokens"
_NEWER_LIMIT = "max_completion_tokens"
"""Some models of OpenAI take no other; many servers silently ignore this one."""


class RequestSender(Protocol):
    """Sends a request to one model, as `ServerClient` does."""

    async def ask_beside(self, path: str, **fields: object) -> Mapping[str, object]:
        """What a path that is not OpenAI's says; raises what the openai client raises."""
        ...

    async def ask(self, endpoint: Endpoint, **fields: object) -> ServerReply:
        """The answer; raises what the openai client raises."""
        ...


class ServerClient:
    """Asks one model on one server.

    Args:
        client: of the server; its retries and time-outs are used.
        model: name that the server knows it by.

    Attributes:
        requests, tokens: how many were spent so far, prompt and answer together.
        served: names under which answers came, in order.
    """

    def __init__(self, client: AsyncOpenAI, model: str) -> None:
        self.client = client
        self.model = model
        self.requests = 0
        self.tokens = 0
        self.served: dict[str, None] = {}
        self._limit = _LIMIT

    async def ask(self, endpoint: Endpoint, **fields: object) -> ServerReply:
        """Sends a request with these fields; ``max_tokens`` goes under the name it must have.

        Raises:
            openai.APIError: as the client raises it.
            NoAnswer: what came back is no answer.
        """
        try:
            return await self._send(endpoint, fields)
        except (BadRequestError, UnprocessableEntityError) as error:
            refused = refusal_of(error.status_code, error.body).refused_parameter
            if self._limit != refused or refused == _NEWER_LIMIT:
                raise
            self._limit = _NEWER_LIMIT
            return await self._send(endpoint, fields)

    async def ask_beside(self, path: str, **fields: object) -> Mapping[str, object]:
        """What a path that is not OpenAI's says, such as ``/tokenize``; it lies before ``/v1``.

        Raises:
            openai.APIError: as the client raises it.
            NoAnswer: what came back is no JSON object.
        """
        self.requests += 1
        root = str(self.client.base_url).rstrip("/").removesuffix("/v1")
        response = await self.client.post(f"{root}{path}", body=fields, cast_to=httpx2.Response)
        content = load(response.content, self.client.api_key)
        if not isinstance(content, dict):
            raise NoAnswer("sent half an answer, or none that can be read", "half an answer")
        return content

    async def _send(self, endpoint: Endpoint, fields: Mapping[str, object]) -> ServerReply:
        body = {"model": self.model, **fields}
        if _LIMIT in body:
            body[self._limit] = body.pop(_LIMIT)
        self.requests += 1
        started = time.perf_counter()
        response = await self.client.post(_PATHS[endpoint], body=body, cast_to=httpx2.Response)
        seconds = time.perf_counter() - started
        try:
            content = load(response.content, self.client.api_key)
            reply = read_reply(content, chat=endpoint is Endpoint.CHAT)
        except SentError as error:
            raise NoAnswer("sent an error as if it were an answer", "an error") from error
        self.served[reply.served] = None
        self.tokens += reply.tokens_in + reply.tokens_out
        return replace(reply, seconds=seconds)


def worded(endpoint: Endpoint, messages: Sequence[Message]) -> dict[str, object]:
    """The fields that hold the messages, which fit the way of writing."""
    if endpoint is Endpoint.COMPLETIONS:
        return {"prompt": messages[0].content}
    return {"messages": [turn_of(message) for message in messages]}


def server_message(error: APIStatusError) -> str:
    """What a server said about an error, in quotation marks and without the key."""
    refusal = refusal_of(error.status_code, error.body)
    sent = error.request.headers.get("authorization", "").removeprefix("Bearer ")
    words = hide_key(refusal.message, sent)
    if not words or words.lstrip().startswith("<"):
        return status_phrase(error.status_code)
    return quote(words)
