"""Puts requests to a server through a channel and collects what comes back."""

from __future__ import annotations

import time
from collections.abc import Sequence

from biaslab.models import Access, Channel, Endpoint, GenerationRequest, Message, Sampling
from biaslab.models.requests import Result
from biaslab.models.server.channel import ServerChannel
from biaslab.models.server.request.client import Patience
from tests.conftest import DEADLINE

QUICK = Patience(connect=DEADLINE, silence=DEADLINE, deadline=DEADLINE, attempts_more=3)
"""Of someone who repeats soon and yet waits for whatever comes."""


def request(prompt: str, role: str = "user", **sampling: object) -> GenerationRequest:
    return GenerationRequest((Message(role, prompt),), Sampling(**sampling))  # type: ignore[arg-type]


def access(*urls: str, **changes: object) -> Access:
    settings: dict[str, object] = {"endpoint": Endpoint.CHAT, "at_once": 8, **changes}
    return Access(tuple(urls), **settings)  # type: ignore[arg-type]


def collect(channel: Channel, count: int) -> dict[str, Result]:
    """The next results, in the order in which they came back."""
    found: dict[str, Result] = {}
    deadline = time.monotonic() + DEADLINE
    while len(found) < count:
        if time.monotonic() > deadline:
            raise TimeoutError(f"Only {len(found)} of {count} results came back.")
        for key, result in channel.receive(0.2):
            assert key not in found
            found[key] = result
    return found


def ask_all(
    where: Access, requests: Sequence[GenerationRequest], patience: Patience = QUICK
) -> list[Result]:
    """The result of every request, in the order of the requests."""
    with ServerChannel("faulty", where, patience) as channel:
        for number, each in enumerate(requests):
            channel.send(str(number), each)
        found = collect(channel, len(requests))
    return [found[str(number)] for number in range(len(requests))]


def ask(where: Access, prompt: str = "hello", patience: Patience = QUICK) -> Result:
    return ask_all(where, [request(prompt)], patience)[0]
