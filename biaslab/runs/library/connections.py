"""Servers that were tested, as they are remembered in the file. Never a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from biaslab.models import Access, Sampling, read_spec
from biaslab.models.prices import Price
from biaslab.models.provider import OPENAI_URL
from biaslab.models.server.capabilities import Capabilities, Thinking
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.options import read_access
from biaslab.runs.store.store import Store
from biaslab.studies.strategies import Length
from biaslab.system.roles import May, require


def change_price(store: Store, spec: str, base_url: str, price: Price | None) -> None:
    """Keeps the price of a tested server's model; None forgets the one that was entered.

    Runs that were prepared before keep the price that they were prepared with. Nothing happens
    where the server is no longer remembered.

    Raises:
        NotAllowed: whoever acts may not do this.
    """
    require(May.CONNECT)
    text = None if price is None else json.dumps(price.as_json())
    with store.writing() as database:
        database.execute(
            "UPDATE connections SET price = ? WHERE spec = ? AND base_url = ?",
            (text, spec, base_url),
        )


@dataclass(frozen=True, slots=True)
class Connection:
    """A server that was tested for one model.

    Attributes:
        spec: ``openai:NAME``.
        access: how it is reached, with the way of writing and the name that the test found.
        capabilities: what the test found.
        price: what a person said that tokens cost there; None if nobody did.
        probed: when it was tested, UTC, ISO 8601; empty while it is not in the file.
    """

    spec: str
    access: Access
    capabilities: Capabilities
    price: Price | None = None
    probed: str = ""

    @property
    def base_url(self) -> str:
        """The first address, which belongs to the model's identity."""
        return self.access.base_urls[0]


def remember(store: Store, connection: Connection) -> None:
    """Writes down a tested server; an earlier test of the same model there is replaced.

    A price that a person entered stays unless the connection brings another.

    Raises:
        NotAllowed: whoever acts may not do this.
    """
    require(May.CONNECT)
    price = None if connection.price is None else json.dumps(connection.price.as_json())
    with store.writing() as database:
        database.execute(
            "INSERT INTO connections (spec, base_url, access, capabilities, price, probed)"
            f" VALUES (?, ?, ?, ?, ?, {UTC})"
            " ON CONFLICT (spec, base_url) DO UPDATE SET access = excluded.access,"
            " capabilities = excluded.capabilities, price = coalesce(excluded.price, price),"
            " probed = excluded.probed",
            (
                connection.spec,
                connection.base_url,
                json.dumps(asdict(connection.access)),
                json.dumps(connection.capabilities.as_json(), ensure_ascii=False),
                price,
            ),
        )


def forget(store: Store, spec: str, base_url: str) -> None:
    """Takes a server out of the list. Runs that used it stay as they are.

    Raises:
        NotAllowed: whoever acts may not do this.
    """
    require(May.CONNECT)
    with store.writing() as database:
        database.execute(
            "DELETE FROM connections WHERE spec = ? AND base_url = ?", (spec, base_url)
        )


def connections(store: Store) -> list[Connection]:
    """Every tested server, the one tested last first."""
    with store.reading() as database:
        rows = database.query("SELECT * FROM connections ORDER BY probed DESC, spec")
        return [_connection(row) for row in rows]


def find_connection(store: Store, spec: str, base_url: str | None = None) -> Connection | None:
    """The tested server for this model: at this address, or wherever it was tested last."""
    for connection in connections(store):
        if connection.spec == spec and base_url in (None, connection.base_url):
            return connection
    return None


THINKING_TOKENS = 4096
"""Most tokens of a response where the model thinks first, unless a person says otherwise: a
strategy's own limit is for the answer, and these think several times as long."""


def length_for(
    store: Store, spec: str, access: Access, length: Length, sampling: Sampling | None = None
) -> Length:
    """How much a model may write, where nobody has said it: more where its test saw it think.

    Args:
        store: the file, which knows the tested servers.
        spec: of the model.
        access: how it is reached.
        length: as chosen; with tokens it stays as it is.
        sampling: as chosen; where it says how much the model may think, that adds its own tokens.
    """
    told = sampling is not None and sampling.thinking is not None
    if told or length.tokens is not None or not read_spec(spec).served:
        return length
    known = find_connection(store, spec, (access.base_urls or (OPENAI_URL,))[0])
    if known is None:
        return length
    return replace(length, tokens=tokens_for(known.capabilities))


def tokens_for(tested: Capabilities) -> int | None:
    """Most tokens of a response of a tested model; None: the strategy's own are enough."""
    thinks = tested.thinking is not Thinking.NONE or (
        tested.chosen is not None and tested.chosen.unfinished
    )
    if not thinks:
        return None
    # Prompt and answer together have to fit, and half of it is enough for any prompt here.
    return THINKING_TOKENS if tested.longest is None else min(THINKING_TOKENS, tested.longest // 2)


def _connection(row: Mapping[str, Any]) -> Connection:
    price = row["price"]
    return Connection(
        row["spec"],
        read_access(json.loads(row["access"])),
        Capabilities.of_json(json.loads(row["capabilities"])),
        None if price is None else Price.of_json(json.loads(price)),
        row["probed"],
    )
