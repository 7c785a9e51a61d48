"""The list of models that a server has, and addresses that were meant in place of a wrong one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlsplit

from openai import AsyncOpenAI

_LENGTHS = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")
"""Names of the longest prompt and answer together, as vLLM, OpenRouter and others give it."""

_ENDS = ("/chat/completions", "/completions", "/models")
_BEGINNINGS = ("/v1", "/api/v1")

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model in a server's list.

    Attributes:
        name: to ask it by.
        longest: most tokens of prompt and answer together, where the list says so.
    """

    name: str
    longest: int | None


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models that a server lists."""

    models: tuple[ListedModel, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """In the server's order."""
        return tuple(model.name for model in self.models)

    def longest(self, name: str) -> int | None:
        """Most tokens that a model takes, where the list says so."""
        return next((model.longest for model in self.models if model.name == name), None)

    def shown(self, name: str) -> str:
        """Sentences about what is there in place of a model that is not."""
        named = ", ".join(self.names[:_MOST_NAMED])
        more = len(self.names) - _MOST_NAMED
        there = f"It has {named}{f' and {more} more' if more > 0 else ''}."
        by_small = {each.lower(): each for each in self.names}
        near = get_close_matches(name.lower(), by_small, n=1, cutoff=0.5)
        within = [each for small, each in by_small.items() if name.lower() in small]
        meant = within[0] if within else by_small[near[0]] if near else ""
        return f"Did you mean {meant}? {there}" if meant else there


async def read_list(client: AsyncOpenAI) -> ModelList | None:
    """What the server lists; None where the answer is no list of models.

    Raises:
        openai.APIError: as the client raises it.
    """
    try:
        content = await client.get("/models", cast_to=object)
    except ValueError:
        return None
    entries = content.get("data") if isinstance(content, dict) else content
    if not isinstance(entries, list):
        return None
    return ModelList(
        tuple(
            ListedModel(str(entry["id"]), _longest(entry))
            for entry in entries
            if isinstance(entry, dict) and entry.get("id")
        )
    )


def meant_urls(url: str) -> tuple[str, ...]:
    """Addresses that may have been meant, the likeliest first; all on the same server."""
    for end in _ENDS:
        url_before = url.removesuffix(end)
        if url_before != url:
            return (url_before,)
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}"
    tried = [f"{start}{beginning}" for start in (url, root) for beginning in _BEGINNINGS]
    return tuple(dict.fromkeys(each for each in tried if each != url))


def _longest(entry: Mapping[str, Any]) -> int | None:
    more = entry.get("meta")
    places = [entry, more] if isinstance(more, dict) else [entry]
    for place in places:
        for name in _LENGTHS:
            value = place.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
    return None
