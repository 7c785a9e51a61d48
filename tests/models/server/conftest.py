from __future__ import annotations

from collections.abc import Iterator

import pytest

from biaslab.models.provider import TYPED_KEY
from tests.servers.faulty import FaultyServer
from tests.servers.fixtures import (  # noqa: F401
    real_server,
    tiny_model,
    tiny_server,
    unused_port,
)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TYPED_KEY, "OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client's own pauses between attempts, made too short to notice."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)
    monkeypatch.setattr("openai._base_client.MAX_RETRY_DELAY", 0.002)


@pytest.fixture(scope="session")
def _faulty_server() -> Iterator[FaultyServer]:
    with FaultyServer() as running:
        yield running


@pytest.fixture
def server(_faulty_server: FaultyServer) -> FaultyServer:
    """A server without faults, which has been asked nothing."""
    _faulty_server.forget()
    return _faulty_server
