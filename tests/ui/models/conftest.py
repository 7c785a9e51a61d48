"""What tests of the page Models share: a real server, where they sit, and what is kept."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models import Access
from biaslab.models.provider import Endpoint
from biaslab.models.server.capabilities import (
    Capabilities,
    EndpointReport,
)
from biaslab.runs import Connection, connections, open_store, remember
from biaslab.system.roles import Role
from biaslab.ui.models import servers
from biaslab.ui.models.servers import PRESETS
from biaslab.ui.widgets import visitor
from tests.servers.running import running
from tests.ui.conftest import Visit


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a real server over the tiny model, without ``/v1``."""
    with running("tests.servers.tiny_server") as address:
        yield address


@pytest.fixture
def at_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's test runner has a visitor from nowhere."""
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)


@pytest.fixture
def nearby(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets where a program of this computer usually answers; nowhere unless a test says so."""
    (ollama,) = [each for each in PRESETS if each.name == "ollama"]

    def at(*urls: str) -> None:
        monkeypatch.setattr(servers, "usual", lambda: [replace(ollama, url=u) for u in urls])
        servers.found_nearby.clear()

    at("http://localhost:1/v1")
    return at


def tested_page(visit: Visit, **address: str) -> AppTest:
    """The page after “Test the connection”."""
    app = visit("models", **{"preset": "other", **address})
    return app.button(key="test").click().run()


def errors_of(app: AppTest) -> str:
    """What the page's errors say, as a person reads it."""
    return re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", "\n".join(error.value for error in app.error))


def remembered_in(path: Path) -> list[Connection]:
    """The tested servers of a file of runs."""
    with open_store(path) as store:
        return connections(store)


def remembered(path: Path, name: str, url: str = "http://localhost:1/v1") -> Connection:
    """A server that was tested, as a file has it; nothing answers there."""
    found = EndpointReport(Endpoint.CHAT, works=True, served=name, answer="8", seconds=0.2)
    capabilities = Capabilities(name, (url,), True, (), Endpoint.CHAT, name, found=(found,))
    connection = Connection(f"openai:{name}", Access((url,), Endpoint.CHAT, name), capabilities)
    with open_store(path) as store:
        remember(store, connection)
    return connection


def watched(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The processes that are started from now on, as they really are."""
    started: list[Any] = []
    real = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> Any:
        process = real(*arguments, **options)
        if "env" in options:
            process.environment = options["env"]
            started.append(process)
        return process

    monkeypatch.setattr(subprocess, "Popen", start)
    return started
