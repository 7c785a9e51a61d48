"""All that a server sends, read by one reader: nothing is taken for what it is not.

Servers that call themselves compatible differ in what they leave out and what they add, so each
field has a form that it must have, and a limit; what has another form counts as not there. Chat,
plain completions, likelihoods, lines of a batch and lists of models come through here, and nothing
of a body is used before the key is taken out of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from biaslab.models.server.keys import LEAST_SECRET, hide_key

LONGEST_TEXT = 200_000
"""Signs of an answer, or of its thinking, that are kept; the rest is cut, and it is said."""

LONGEST_NAME = 200
"""Signs of a model's name that are kept."""

MOST_COUNTED = 2**53
"""A larger number of tokens is none: it would not be the same number in every program."""

MOST_LISTED = 10_000
"""Models of a list that are read; the longest known has some thousands."""

LENGTHS = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")
"""Names of the longest prompt and answer together, as vLLM, OpenRouter and others give it."""


class NoAnswer(Exception):
    """What a server sent is no answer.

    Attributes:
        what: what it did, to go on after its name: ``sent half an answer``.
        short: the same in a few words, for a list of attempts in vain.
        page: whether it is a web page, as other programs send it.
    """

    def __init__(self, what: str, short: str, *, page: bool = False) -> None:
        super().__init__(f"the server {what}")
        self.what = what
        self.short = short
        self.page = page

    def __reduce__(self) -> tuple[Any, ...]:
        return NoAnswer, (self.what, self.short)


class SentError(Exception):
    """A server sent an error as if it were an answer.

    Attributes:
        status: that it names, 500 where it names none.
        error: as it was sent.
    """

    def __init__(self, status: int, error: object) -> None:
        super().__init__(f"error {status} with status 200")
        self.status = status
        self.error = error


class Finish(StrEnum):
    """How an answer ended, by what the server says."""

    WHOLE = "whole"
    """By itself, or at a stop text."""
    CUT = "cut"
    """At the limit of tokens."""
    FILTERED = "filtered"
    """It was refused for its content."""
    BROKEN = "broken"
    """Something went wrong at the server."""
    UNSAID = "unsaid"
    """The server does not say, or in a word that nobody knows."""


_FINISHES = {
    **dict.fromkeys(
        ("stop", "eos", "eos_token", "end_turn", "stop_sequence", "stop_token", "complete",
         "completed", "tool_calls", "function_call", "tool_use"),
        Finish.WHOLE,
    ),
    **dict.fromkeys(
        ("length", "max_tokens", "max_length", "max_new_tokens", "max_output_tokens",
         "model_length", "model_context_window_exceeded"),
        Finish.CUT,
    ),
    **dict.fromkeys(
        ("content_filter", "content_filtered", "safety", "sensitive", "refusal", "guardrails"),
        Finish.FILTERED,
    ),
    **dict.fromkeys(
        ("abort", "aborted", "error", "cancelled", "canceled", "timeout", "time_limit",
         "network_error", "insufficient_system_resource", "load", "unload"),
        Finish.BROKEN,
    ),
}  # fmt: skip
"""In the words of OpenAI, vLLM, SGLang, TGI, llama.cpp, Ollama, Mistral, Anthropic, DeepSeek and
Zhipu, in small letters."""


@dataclass(frozen=True, slots=True)
class ServerReply:
    """An answer of a server.

    Attributes:
        text: what was written.
        thinking: reasoning that was sent apart from the text.
        refusal: the model's own words where it refused to answer.
        finish: how it ended; word: what the server said of it, empty where it said nothing.
        served: name of the model as the server gives it.
        tokens_in, tokens_out: tokens of the prompt and of what was written; 0 where the server
            does not count them.
        tokens_thought: those of `tokens_out` that were thinking, shown or not, as servers that keep
            it to themselves count it.
        choice: the choice that was read, for its log-probabilities, which
            `biaslab.models.server.request.token_chances` reads with suspicion.
        signs_cut: signs beyond `LONGEST_TEXT` that were left out.
        seconds: from sending to the last byte; 0 where it was not measured.
    """

    text: str
    thinking: str
    refusal: str
    finish: Finish
    word: str
    served: str
    tokens_in: int
    tokens_out: int
    tokens_thought: int
    choice: Mapping[str, Any]
    signs_cut: int = 0
    seconds: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was written."""
        return not self.text and not self.thinking and not self.refusal


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model in a server's list.

    Attributes:
        name: to ask it by.
        longest: most tokens of prompt and answer together, where the list says so.
    """

    name: str
    longest: int | None


def load(content: bytes, key: str = "") -> object:
    """The JSON of a body, without the key.

    Args:
        content: as it came.
        key: that was sent with the request.

    Raises:
        NoAnswer: it is no JSON.
    """
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        if is_page(content):
            raise NoAnswer(
                "sent a web page instead of an answer", "a page instead of an answer", page=True
            ) from None
        raise NoAnswer("sent half an answer, or none that can be read", "half an answer") from None
    # The key may be spelt with escapes, so it is looked for in every text where there are any.
    spelt = b"\\" in content or key.encode("ascii") in content
    return _without(body, key) if len(key) >= LEAST_SECRET and spelt else body


def is_page(content: bytes) -> bool:
    """Whether a body is a web page."""
    return content.lstrip()[:1] == b"<"


def read_reply(body: object, *, chat: bool) -> ServerReply:
    """The answer in a body.

    Args:
        body: from `load`.
        chat: whether turns were answered; plain text was continued otherwise.

    Raises:
        SentError: it holds an error.
        NoAnswer: it is no answer.
    """
    if not isinstance(body, dict):
        raise NoAnswer("sent half an answer, or none that can be read", "half an answer")
    if body.get("error"):
        raise SentError(_status_of(body["error"]), body["error"])
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise NoAnswer(
            "answered, but not as an OpenAI-compatible server does (there is no list of choices "
            "in its answer)",
            "no list of choices",
        )
    choice = _first(choices)
    message = choice.get("message") if chat else choice
    if not isinstance(message, dict):
        raise NoAnswer("sent an answer without a message in it", "no message")
    written = message.get("content" if chat else "text")
    text, cut = _text(written)
    apart = message.get("reasoning_content") or message.get("reasoning")
    thinking, thinking_cut = _text(apart or _parts_of(written, "thinking"))
    word = name_of(choice.get("finish_reason")).lower()
    reply = ServerReply(
        text=text or "",
        thinking=thinking or "",
        refusal=name_of(message.get("refusal")),
        finish=_FINISHES.get(word, Finish.UNSAID),
        word=word,
        served=name_of(body.get("model")),
        tokens_in=_used(body, "prompt_tokens"),
        tokens_out=_used(body, "completion_tokens"),
        tokens_thought=_thought(body),
        choice=choice,
        signs_cut=cut + thinking_cut,
    )
    if reply.finish is Finish.BROKEN:
        raise NoAnswer("broke the answer off", f"broken off ({word})")
    if reply.finish is Finish.UNSAID and reply.is_empty:
        raise NoAnswer("sent an empty answer and did not say how it ended", "an empty answer")
    if reply.finish is Finish.WHOLE and text is None and not reply.thinking and not reply.refusal:
        raise NoAnswer("sent an answer whose text is empty (null)", "an empty answer")
    return reply


def _thought(body: Mapping[str, Any]) -> int:
    usage = body.get("usage")
    details = usage.get("completion_tokens_details") if isinstance(usage, dict) else None
    return (count_of(details.get("reasoning_tokens")) if isinstance(details, dict) else None) or 0


def listed_models(body: object) -> tuple[ListedModel, ...] | None:
    """The models of a list in the server's order; None where the body is no list.

    Args:
        body: from `load`: a list, or an object with one as ``data``.
    """
    entries = body.get("data") if isinstance(body, dict) else body
    if not isinstance(entries, list):
        return None
    found: dict[str, ListedModel] = {}
    for entry in entries[:MOST_LISTED]:
        name = entry.get("id") if isinstance(entry, dict) else None
        # A name that was shortened could not be asked by.
        if isinstance(name, str) and 0 < len(name) <= LONGEST_NAME:
            found.setdefault(name, ListedModel(name, _longest(entry)))
    return tuple(found.values())


def count_of(value: object) -> int | None:
    """A number of tokens, from 0 to `MOST_COUNTED`; None where the value is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_COUNTED:
        return None
    return value


def name_of(value: object) -> str:
    """A short text on one line; empty where the value is no text."""
    return (
        " ".join(value[: 4 * LONGEST_NAME].split())[:LONGEST_NAME] if isinstance(value, str) else ""
    )


def _first(choices: list[Any]) -> Mapping[str, Any]:
    """The choice with index 0, wherever it stands; the first where none has an index."""
    entries = [each for each in choices if isinstance(each, dict)]
    if not entries:
        raise NoAnswer("sent an answer without a text in it", "no choices")
    return next((each for each in entries if each.get("index") == 0), entries[0])


def _text(value: object) -> tuple[str | None, int]:
    """A text or a list of its parts, no longer than is kept, and how many signs were cut."""
    if isinstance(value, list):
        value = _parts_of(value, "text")
    if not isinstance(value, str):
        return None, 0
    return value[:LONGEST_TEXT], max(0, len(value) - LONGEST_TEXT)


def _parts_of(value: object, kind: str) -> str:
    """The parts of one kind in a text that was sent in parts, as Mistral sends thinking."""
    found = []
    for part in value if isinstance(value, list) else ():
        if isinstance(part, dict) and part.get("type", "text") == kind:
            inner = part.get(kind)
            found.append(inner if isinstance(inner, str) else _parts_of(inner, "text"))
    return "".join(found)


def _used(body: Mapping[str, Any], name: str) -> int:
    usage = body.get("usage")
    return (count_of(usage.get(name)) if isinstance(usage, dict) else None) or 0


def _longest(entry: Mapping[str, Any]) -> int | None:
    more = entry.get("meta")
    for place in (entry, more if isinstance(more, dict) else {}):
        for name in LENGTHS:
            if length := count_of(place.get(name)):
                return length
    return None


def _status_of(error: object) -> int:
    """Status of an error that came with status 200; some servers put the true one inside."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and len(code) == 3 and code.isdecimal():
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def _without(body: object, key: str) -> object:
    if isinstance(body, str):
        return hide_key(body, key)
    if isinstance(body, list):
        return [_without(each, key) for each in body]
    if isinstance(body, dict):
        return {hide_key(name, key): _without(each, key) for name, each in body.items()}
    return body
