"""Servers on this computer that nobody has to type in: who answers at the usual addresses?

One request for the list of models goes to each address, without a key and to this computer alone.
What answers may be anything that happens to use the port, so no more than a list of names is taken
from it, and no redirect is followed.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from time import monotonic
from urllib.parse import urlsplit

from biaslab.models.server.addresses import BadAddress, is_loopback, normal_url
from biaslab.models.server.request.replies import NoAnswer, listed_models, load

SECONDS = 0.8
"""A port on which nothing listens says so at once; whoever listens and is silent is passed over."""

_LARGEST = 2**20
"""Bytes of a list; one of 5,000 models has half as many."""

_MOST = 200
"""Models of a server that are told."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """A server that was found.

    Attributes:
        url: its base URL, as it was asked.
        names: of its models, in its order, 200 at most; never empty.
    """

    url: str
    names: tuple[str, ...]


def look_nearby(urls: Iterable[str]) -> tuple[Nearby, ...]:
    """Those of some addresses on this computer at which a server with models answers.

    Args:
        urls: base URLs; one that is not on this computer is refused, not asked.

    Raises:
        BadAddress: an address is none, or is somewhere else.
    """
    asked = tuple(dict.fromkeys(map(normal_url, urls)))
    for url in asked:
        if not is_loopback(url) or urlsplit(url).scheme != "http":
            raise BadAddress(f"{url} is not on this computer, so it is not checked unasked.")
    if not asked:
        return ()
    with ThreadPoolExecutor(len(asked)) as askers:
        lists = askers.map(_names, asked)
        return tuple(Nearby(url, names) for url, names in zip(asked, lists, strict=True) if names)


def _names(url: str) -> tuple[str, ...]:
    """The models that a server lists; none where nothing answers, or something else does."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=SECONDS)
    try:
        connection.request("GET", f"{parts.path}/models", headers={"Accept": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            return ()
        body = bytearray()
        end = monotonic() + SECONDS
        while part := response.read1(2**16):
            body += part
            if len(body) > _LARGEST or monotonic() > end:
                return ()
        found = load(bytes(body))
    except (OSError, HTTPException, NoAnswer):
        return ()
    finally:
        connection.close()
    listed = listed_models(found) if isinstance(found, dict) else None
    return tuple(model.name for model in listed or ())[:_MOST]
