"""Which models a server has, asked by itself: before a name is chosen there is nothing to probe.

``python -m biaslab.models.server.probe.listing --base-url URL`` prints it as JSON. The screens ask
in a process of its own, because a key is read from the environment, which all visitors share.
Importing this imports no client library.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from biaslab.models.provider import Access
from biaslab.models.requests import ModelError
from biaslab.models.server.addresses import normal_url
from biaslab.models.server.background import run_in_background
from biaslab.models.server.keys import read_key
from biaslab.models.server.request.replies import ListedModel, NoAnswer, listed_models, load

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_ENDS = ("/chat/completions", "/completions", "/models")
_BEGINNINGS = ("/v1", "/api/v1")

_MOST_NAMED = 10


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
    import httpx2

    response = await client.get("/models", cast_to=httpx2.Response)
    try:
        models = listed_models(load(response.content, client.api_key))
    except NoAnswer:
        return None
    return None if models is None else ModelList(models)


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


SILENCE_SECONDS = 20.0
"""A list needs no model to be loaded, so a server that says nothing for so long is given up."""

_NO_LIST = frozenset({404, 405, 500, 501})
"""Statuses of servers that answer but have no list, as well as of what is no such server."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What came of asking a server for its models.

    Attributes:
        names: in the server's order.
        problem: a sentence where there is no list; empty otherwise.
        meant_url: an address that has a list in place of the one given; empty otherwise.
    """

    names: tuple[str, ...] = ()
    problem: str = ""
    meant_url: str = ""

    def as_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Listing:
        """What `as_json` gave, also after it was text.

        Raises:
            KeyError, TypeError: it is something else.
        """
        names = tuple(map(str, content["names"]))
        return cls(names, str(content["problem"]), str(content["meant_url"]))


def list_served(base_url: str, key_env: str = "", *, silence: float = SILENCE_SECONDS) -> Listing:
    """The models of a server. Never raises for what a server does.

    Args:
        base_url: of the server.
        key_env: name of the environment variable that holds the key; see `read_key`.
        silence: seconds without a byte after which it is given up.
    """
    access = Access((base_url,), key_env=key_env, at_once=1)
    try:
        url, key = normal_url(base_url), read_key(access)
    except ModelError as error:
        return Listing(problem=str(error))
    return run_in_background(_listed(access, url, key, silence))


async def _listed(access: Access, url: str, key: str, silence: float) -> Listing:
    from openai import APIStatusError, OpenAIError

    from biaslab.models.server.probe.listing import meant_urls, read_list
    from biaslab.models.server.request.client import Patience, open_client
    from biaslab.models.server.request.failures import Recipient, failure_of, without_runs

    asked = Recipient(url, "", key)
    patience = Patience(connect=5.0, silence=silence, deadline=1.25 * silence, attempts_more=1)
    async with open_client(access, url, patience=patience) as client:
        try:
            found = await read_list(client)
        except APIStatusError as error:
            if error.status_code not in _NO_LIST:
                return Listing(problem=without_runs(failure_of(error, asked).reason))
            found = None
        except OpenAIError as error:
            return Listing(problem=without_runs(failure_of(error, asked).reason))
        if found is not None:
            empty = "" if found.names else f"The list of models at {asked.host} is empty."
            return Listing(found.names, empty)
        for meant in meant_urls(url):
            try:
                there = await read_list(client.with_options(base_url=meant, max_retries=0))
            except OpenAIError:
                continue
            if there is not None:
                problem = f"There is no list of models at {url}, but there is one at {meant}."
                return Listing(problem=problem, meant_url=meant)
    return Listing(
        problem=f"What answers at {url} has no list of models. If it is the right server, type "
        "the model's name."
    )


def main() -> None:
    """Prints the list of one server as JSON; status 1 where there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--key-env", default="")
    given = parser.parse_args()
    listing = list_served(given.base_url, given.key_env)
    sys.stdout.write(json.dumps(listing.as_json(), ensure_ascii=False) + "\n")
    sys.exit(1 if listing.problem else 0)


if __name__ == "__main__":
    main()
