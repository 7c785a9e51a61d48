"""One model on one server, asked request by request, with what that costs counted.

Answers are taken as the JSON that was sent, because servers that call themselves compatible
differ in what they leave out and what they add.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openai import APIStatusError, AsyncOpenAI, BadRequestError, UnprocessableEntityError

from biaslab.models.access import Endpoint
from biaslab.models.requests import Message
from biaslab.models.server.keys import NO_KEY, hide_key
from biaslab.models.server.request.attempts import status_phrase
from biaslab.models.server.request.dialect import refusal_of, turn_of
from biaslab.models.server.request.failures import quote

_PATHS = {Endpoint.CHAT: "/chat/completions", Endpoint.COMPLETIONS: "/completions"}

_LIMIT = "max_tokens"
_NEWER_LIMIT = "max_completion_tokens"
"""Some models of OpenAI take no other; many servers silently ignore this one."""


class NoAnswer(Exception):
    """The server sent something that is no answer; the text is a clause that says what."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of a server.

    Attributes:
        content: the JSON object as it was sent.
        choice: its first choice.
        seconds: from sending to the last byte.
    """

    content: Mapping[str, Any]
    choice: Mapping[str, Any]
    seconds: float

    @property
    def served(self) -> str:
        """Name of the model as the server gives it."""
        return str(self.content.get("model") or "")

    @property
    def text(self) -> str:
        """What was written."""
        message = self.choice.get("message")
        text = message.get("content") if isinstance(message, dict) else self.choice.get("text")
        return text if isinstance(text, str) else ""

    @property
    def thinking(self) -> str:
        """Reasoning that was sent apart from the text."""
        message = self.choice.get("message")
        if not isinstance(message, dict):
            return ""
        given = message.get("reasoning_content") or message.get("reasoning")
        return given if isinstance(given, str) else ""

    @property
    def tokens_in(self) -> int:
        """Tokens of the prompt, 0 where the server does not count them."""
        return self._used("prompt_tokens")

    @property
    def tokens_out(self) -> int:
        """Tokens that were written, 0 where the server does not count them."""
        return self._used("completion_tokens")

    def _used(self, name: str) -> int:
        usage = self.content.get("usage")
        count = usage.get(name) if isinstance(usage, dict) else None
        return count if isinstance(count, int) else 0


class Line:
    """Asks one model on one server.

    Args:
        client: of the server; its retries and time-outs are used.
        model: name that the server knows it by.

    Attributes:
        requests, tokens: how many were spent so far, prompt and answer together.
    """

    def __init__(self, client: AsyncOpenAI, model: str) -> None:
        self.client = client
        self.model = model
        self.requests = 0
        self.tokens = 0
        self._limit = _LIMIT

    async def ask(self, endpoint: Endpoint, **fields: object) -> Reply:
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

    async def _send(self, endpoint: Endpoint, fields: Mapping[str, object]) -> Reply:
        body = {"model": self.model, **fields}
        if _LIMIT in body:
            body[self._limit] = body.pop(_LIMIT)
        self.requests += 1
        started = time.perf_counter()
        try:
            content = await self.client.post(_PATHS[endpoint], body=body, cast_to=object)
        except ValueError as error:
            raise NoAnswer("the server sent half an answer, or none that can be read") from error
        seconds = time.perf_counter() - started
        reply = Reply(*_read(content), seconds)
        self.tokens += reply.tokens_in + reply.tokens_out
        return reply


def worded(endpoint: Endpoint, messages: Sequence[Message]) -> dict[str, object]:
    """The fields that hold the messages, which fit the way of writing."""
    if endpoint is Endpoint.COMPLETIONS:
        return {"prompt": messages[0].content}
    return {"messages": [turn_of(message) for message in messages]}


def server_message(error: APIStatusError) -> str:
    """What a server said about an error, in quotation marks and without the key."""
    refusal = refusal_of(error.status_code, error.body)
    sent = error.request.headers.get("authorization", "").removeprefix("Bearer ")
    words = hide_key(refusal.message, "" if sent == NO_KEY else sent)
    if not words or words.lstrip().startswith("<"):
        return status_phrase(error.status_code)
    return quote(words)


def _read(content: object) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    if not isinstance(content, dict):
        raise NoAnswer("the server sent a page or a text instead of JSON")
    if content.get("error"):
        error = content["error"]
        said = error.get("message") if isinstance(error, dict) else error
        raise NoAnswer(f"the server sent an error as if it were an answer: {said}")
    choices = content.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise NoAnswer("the server's answer holds no choices")
    return content, choices[0]
