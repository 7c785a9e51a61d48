"""A model on OpenAI-compatible servers. Nothing is sent before something is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import cast

from biaslab.models.provider import MOST_AT_ONCE, Access, Endpoint
from biaslab.models.requests import (
    Asked,
    Channel,
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Result,
    Unsupported,
)
from biaslab.models.server.addresses import base_urls
from biaslab.system.importing import uncollected

PREFIX = "openai"
"""What the spec of a server's model begins with."""

_LISTEN_SECONDS = 0.5


class ServerModel:
    """Implements `biaslab.models.Concurrent`.

    Args:
        name: the model's name as the servers know it.
        access: how they are reached.

    Raises:
        BadAddress: a base URL is no address.
        Unsupported: the number of requests at once or of processes is out of range.
    """

    def __init__(self, name: str, access: Access) -> None:
        if not 1 <= access.at_once <= MOST_AT_ONCE:
            raise Unsupported(
                f"From 1 to {MOST_AT_ONCE} requests may be on their way at once, not "
                f"{access.at_once}."
            )
        if access.processes < 1:
            raise Unsupported(f"At least one process must ask, not {access.processes}.")
        self._name = name
        self._access = access
        self._identity = identify_server(name, access)

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    def open_channel(self) -> Channel:
        """A new way to the servers; see `Channel`.

        Raises:
            MissingKey: there is no key where one is needed.
        """
        if self._access.processes > 1:
            from biaslab.models.server.worker_pool import WorkerPool

            return WorkerPool(self._name, self._access)
        with uncollected():
            from biaslab.models.server.channel import ServerChannel

        return ServerChannel(self._name, self._access)

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        """Continues every request, many at once; yields each as soon as it is there."""
        return cast("Iterator[tuple[int, Completion | Failure]]", self._all(requests))

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        """Scores every given continuation, many at once."""
        return cast("Iterator[tuple[int, Likelihood | Failure]]", self._all(requests))

    def _all(self, requests: Sequence[Asked]) -> Iterator[tuple[int, Result]]:
        if not requests:
            return
        with self.open_channel() as channel:
            sent = back = 0
            stopped: Failure | None = None
            while back < len(requests):
                while sent < len(requests) and channel.room > 0:
                    channel.send(str(sent), requests[sent])
                    sent += 1
                for key, result in channel.receive(_LISTEN_SECONDS):
                    back += 1
                    yield int(key), result
                    if isinstance(result, Failure) and result.stops_run:
                        stopped = result
                if stopped is not None and back == sent and not channel.room:
                    # Nobody is left who could send the others: that is their failure, too.
                    yield from ((index, stopped) for index in range(sent, len(requests)))
                    return


def server_spec(name: str) -> str:
    """How a server's model is opened."""
    return f"{PREFIX}:{name}"


def identify_server(name: str, access: Access) -> ModelIdentity:
    """Which model the name means at these addresses. Sends nothing.

    The first address, the way of writing and the names under which the server answers make the
    identity; the other addresses, the key and the speed do not.

    Raises:
        BadAddress: a base URL is no address.
    """
    urls = base_urls(access)
    endpoint = access.endpoint or Endpoint.CHAT
    marks = "\n".join((urls[0], endpoint, access.served or name, *sorted(access.also_served)))
    return ModelIdentity(
        spec=server_spec(name),
        kind=ModelKind.LANGUAGE_MODEL,
        revision=blake2b(marks.encode(), digest_size=8).hexdigest(),
        form=ModelForm.BASE if endpoint is Endpoint.COMPLETIONS else ModelForm.CHAT,
        details={"base_urls": list(urls), "endpoint": str(endpoint), "served": access.served}
        | ({"also_served": list(access.also_served)} if access.also_served else {}),
    )
