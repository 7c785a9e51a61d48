"""A simulated model that mends sentences, well or badly, for the server in `faulty`.

No language model is behind it: it takes the numbered sentences out of the prompt and changes
them as the test says. It shows what becomes of answers; it says nothing about any real model.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.responses import Response

from biaslab.models import Access, Endpoint
from biaslab.models.server.capabilities import Capabilities, EndpointReport
from biaslab.runs import Connection, Store, remember
from tests.servers.faulty import SERVED, Asked, Fault, answer

SPEC = "openai:faulty"

_LINE = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)

Change = Callable[[list[str]], list[str]]


def sentences_in(prompt: str) -> list[str]:
    """The sentences that were to be mended."""
    return [text for _, text in _LINE.findall(prompt)]


def connect_mender(store: Store, url: str) -> Access:
    """Writes the server down as if it had been tested."""
    access = Access((url,), Endpoint.CHAT, SERVED)
    found = EndpointReport(Endpoint.CHAT, works=True, served=SERVED)
    capabilities = Capabilities(
        "faulty", (url,), ok=True, endpoint=Endpoint.CHAT, served=SERVED, found=(found,)
    )
    remember(store, Connection(SPEC, access, capabilities))
    return access


def mends(change: Change = list, around: str = "{}") -> Fault:
    """Answers with the sentences as changed, each with its number.

    Args:
        change: what the model makes of the sentences; by default it leaves them as they are.
        around: what it writes around its list.
    """

    async def fault(asked: Asked) -> Response:
        lines = change(sentences_in(asked.prompt))
        numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
        return await answer(around.format(numbered))(asked)

    return fault


def mends_texts(change: Callable[[str], str] = str, around: str = "{}") -> Fault:
    """Answers the paper's prompt with the text as changed."""

    async def fault(asked: Asked) -> Response:
        _, _, after = asked.prompt.partition("math word problem: ")
        return await answer(around.format(change(after.partition("\n")[0])))(asked)

    return fault


def replacing(old: str, new: str, number: int = 0) -> Change:
    """Changes a word in every sentence, or in the sentence with this number alone."""

    def change(lines: list[str]) -> list[str]:
        return [
            line.replace(old, new) if number in (0, position) else line
            for position, line in enumerate(lines, 1)
        ]

    return change
