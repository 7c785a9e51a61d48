"""A real server, a real file of runs and a real Chromium."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import DEADLINE, DEADLINE_MS, free_port

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a-token-for-tests-alone"
expect.set_options(timeout=DEADLINE_MS)


@dataclass(frozen=True)
class Server:
    """A running app."""

    address: str
    database: Path

    @property
    def start(self) -> str:
        """The address that makes a browser that of the person at this computer."""
        return f"{self.address}/start?token={TOKEN}"


@dataclass
class Tab:
    """A page in the browser, and what went wrong in it."""

    page: Page
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def settled(self) -> None:
        """Waits until the script has ended and a title is there."""
        idle = '[data-testid="stApp"][data-test-script-state="notRunning"]'
        self.page.wait_for_selector(idle)
        self.page.wait_for_selector("h1")

    def drawn(self) -> None:
        """Waits until nothing stands for something that is still to be drawn."""
        self.settled()
        self.page.wait_for_load_state("networkidle")
        expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0)


def start(
    database: Path, log: Path, *options: str, port: int = 0, **variables: str
) -> tuple[subprocess.Popen[bytes], Server]:
    """Starts the app and waits until it answers.

    Args:
        database: the file of runs.
        log: what the app writes.
        options: further ones of the command line.
        port: where it answers; 0: a free one.
        variables: further ones of the environment.
    """
    port = port or free_port()
    environment = {**os.environ, "BIASLAB_DB": str(database), "OMP_NUM_THREADS": "1"}
    # The app as it ships, with its recorded runs.
    environment |= {"BIASLAB_TOKEN": TOKEN, "BIASLAB_RECORDED": "", **variables}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.port", str(port)]
    command += options
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    server = Server(f"http://localhost:{port}", database)
    deadline = time.monotonic() + DEADLINE
    while True:
        try:
            with urlopen(f"{server.address}/_stcore/health", timeout=DEADLINE):
                return process, server
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                raise RuntimeError(f"The app did not start:\n{log.read_text()}") from None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """The app on a file that does not exist yet."""
    process, running = start(tmp_path / "runs.db", tmp_path / "server.log")
    yield running
    process.terminate()
    process.wait(timeout=DEADLINE)


def open_tab(context: BrowserContext, address: str) -> Tab:
    """A tab that remembers requests to other machines and errors of its scripts."""
    tab = Tab(context.new_page())
    tab.page.set_default_timeout(DEADLINE_MS)
    local = (address, address.replace("http", "ws"), "data:", "blob:")
    tab.page.on(
        "request",
        lambda request: None if request.url.startswith(local) else tab.outside.append(request.url),
    )
    tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
    tab.page.on(
        "response",
        lambda found: tab.errors.append(f"404: {found.url}") if found.status == 404 else None,
    )
    return tab


@pytest.fixture(scope="session")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app on a file that does not exist, for all tests that only look at it."""
    folder = tmp_path_factory.mktemp("untouched")
    process, running = start(folder / "runs.db", folder / "server.log")
    yield running
    process.terminate()
    process.wait(timeout=DEADLINE)


@pytest.fixture
def still(chromium: Browser, untouched: Server) -> Iterator[Tab]:
    """A tab of its own of the app that nobody writes to."""
    yield from _tab(chromium, untouched)


@pytest.fixture
def tab(chromium: Browser, server: Server) -> Iterator[Tab]:
    yield from _tab(chromium, server)


def _tab(chromium: Browser, server: Server) -> Iterator[Tab]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    context.request.get(server.start)
    yield open_tab(context, server.address)
    context.close()
