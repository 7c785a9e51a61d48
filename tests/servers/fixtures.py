"""Servers that run beside the tests, each in a process of its own, as pytest fixtures."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from biaslab.models import open_model
from tests.servers.real_serve import RealServer, transformers_serve
from tests.servers.running import running

if TYPE_CHECKING:
    from biaslab.models.local.model import LocalModel

ServerUrl = Callable[..., str]


@pytest.fixture(scope="session")
def tiny_server() -> Iterator[ServerUrl]:
    """Gives base URLs of a server over the tiny model that behaves as its switches say."""
    with running("tests.servers.tiny_server") as address:

        def url(switches: str = "", path: str = "/v1") -> str:
            return f"{address}/with/{switches}{path}" if switches else f"{address}{path}"

        yield url


@pytest.fixture(scope="session")
def tiny_model() -> LocalModel:
    """The same model, opened in this process by transformers."""
    from biaslab.models.local.model import LocalModel
    from tests.servers.tiny_network import NAME

    model = open_model(f"tiny:{NAME}", device="cpu")
    assert isinstance(model, LocalModel)
    return model


@pytest.fixture(scope="session")
def real_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """`transformers serve` with the tiny model, which got a chat template."""
    with transformers_serve(tmp_path_factory.mktemp("serve")) as server:
        yield server


@pytest.fixture
def unused_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
