"""Reads what a server sends as an answer, and takes nothing for one that is none.

Thinking is kept apart from the text, so that no answer is ever read from it. A server may
return it apart (as ``reasoning_content`` or ``reasoning``). Where a chat model's text itself holds
thinking (`biaslab.text.thinking`), it is taken apart here and the rest is left as written.
Thinking that never ended, because the answer was cut off, leaves an empty text. Plain
completions are never taken apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from biaslab.models.requests import Completion, Failure, GenerationRequest, used_up
from biaslab.models.server.request.dialect import CHAT_PATH, cut_at_stop, path_of, refusal_of
from biaslab.models.server.request.failures import Asked, failure_of_refusal
from biaslab.text.thinking import split_thinking

_CUT = frozenset({"length", "max_tokens", "model_length"})
_BROKEN_OFF = frozenset({"abort", "aborted", "error", "cancelled"})


def read_answer(
    content: bytes, request: GenerationRequest, asked: Asked, seconds: float
) -> Completion | Failure:
    """What a response with status 200 says.

    Tokens that the server did not count are given as 0.

    Args:
        content: the body of the response.
        request: what was asked.
        asked: whom, for the sentence of a failure.
        seconds: how long the answer took.
    """
    body = _mapping(content)
    if body is None:
        return asked.no_server() if _is_page(content) else _half(asked)
    if "error" in body and body["error"] is not None:
        refusal = refusal_of(_status_of(body["error"]), body["error"])
        return failure_of_refusal(refusal, asked)
    choices = body.get("choices")
    if not isinstance(choices, list):
        return Failure(
            f"{asked.host} answered, but not as an OpenAI-compatible server does (there is no "
            "list of choices in its answer). Test the connection to it.",
            retryable=True,
        )
    if not choices or not isinstance(choices[0], Mapping):
        return Failure(
            f"{asked.host} sent an answer without a text in it. Resume the run to ask again.",
            retryable=True,
        )
    return _read_choice(choices[0], body, request, asked, seconds)


def _read_choice(
    choice: Mapping[str, Any],
    body: Mapping[str, Any],
    request: GenerationRequest,
    asked: Asked,
    seconds: float,
) -> Completion | Failure:
    chat = path_of(request) == CHAT_PATH
    message = choice.get("message") if chat else choice
    if not isinstance(message, Mapping):
        return Failure(
            f"{asked.host} sent an answer without a message in it. Resume the run to ask again.",
            retryable=True,
        )
    finish = choice.get("finish_reason")
    written = message.get("content" if chat else "text")
    thinking = _first_text(message, "reasoning_content", "reasoning")
    refused = message.get("refusal")
    if finish == "content_filter" or (isinstance(refused, str) and refused and not written):
        return _refused(asked, refused if isinstance(refused, str) else "")
    if finish in _BROKEN_OFF:
        return Failure(
            f"{asked.host} broke the answer off. Resume the run to ask again.", retryable=True
        )
    if isinstance(written, list):
        written = "".join(str(part.get("text", "")) for part in written if _is_text(part))
    if written is None and (thinking or finish in _CUT):
        written = ""
    if not isinstance(written, str):
        return Failure(
            f"{asked.host} sent an answer whose text is empty (null). Resume the run to ask again.",
            retryable=True,
        )
    if chat and not thinking:
        thought = split_thinking(written)
        written, thinking = thought.text, thought.thinking
    text, stopped = cut_at_stop(written, request.sampling.stop)
    cut_off = finish in _CUT and not stopped
    if cut_off and not text.strip() and (thinking or not text):
        # Some servers keep thinking to themselves: nothing was written, and yet all was used.
        return used_up(request.sampling.max_new_tokens)
    return Completion(
        text=text,
        finish="length" if cut_off else "stop",
        tokens_in=_count(body, "prompt_tokens"),
        tokens_out=_count(body, "completion_tokens"),
        seconds=seconds,
        thinking=thinking,
        served=_first_text(body, "model"),
    )


def _mapping(content: bytes) -> Mapping[str, Any] | None:
    try:
        body = json.loads(content)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _is_page(content: bytes) -> bool:
    return content.lstrip()[:1] == b"<"


def _half(asked: Asked) -> Failure:
    return Failure(
        f"{asked.host} sent half an answer, or none that can be read. Resume the run to ask again.",
        retryable=True,
    )


def _refused(asked: Asked, words: str) -> Failure:
    said = f" It said: {asked.quote(words)}" if words else ""
    return Failure(
        f"The model at {asked.host}, or a filter in front of it, refused to answer this for its "
        f"content.{said} Asking again will hardly help.",
        retryable=False,
    )


def _status_of(error: object) -> int:
    """Status of an error that came with status 200; some servers put the true one inside."""
    code = error.get("code") if isinstance(error, Mapping) else None
    if isinstance(code, str) and code.isdecimal():
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def _first_text(body: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = body.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _is_text(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type", "text") == "text"


def _count(body: Mapping[str, Any], name: str) -> int:
    usage = body.get("usage")
    count = usage.get(name) if isinstance(usage, Mapping) else None
    return count if isinstance(count, int) and count >= 0 else 0
