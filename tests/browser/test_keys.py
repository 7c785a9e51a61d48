"""A secret of the host stays with the host, on the real app, whatever a visitor asks for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, Tab, open_tab, start
from tests.conftest import DEADLINE

SECRET = "planted-secret-4711"


@dataclass
class Capture:
    """A server that remembers everything it is sent."""

    address: str = ""
    received: list[str] = field(default_factory=list)


@pytest.fixture
def capture() -> Iterator[Capture]:
    caught = Capture()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            caught.received.append(f"{self.path} {self.headers} {body.decode()}")
            self.send_error(404)

        do_GET = do_POST = answer  # noqa: N815 - the names that the library looks for

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        caught.address = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield caught
        server.shutdown()
        thread.join()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Server]:
    process, server = start(tmp_path / "runs.db", tmp_path / "log", HOST_SECRET=SECRET)
    yield server
    process.terminate()
    process.wait(timeout=DEADLINE)


def test_a_planted_secret_goes_where_the_person_here_allowed_it_and_nowhere_else(
    app: Server, capture: Capture, chromium: Browser
) -> None:
    form = {
        "connect": "yes", "preset": "other", "url": capture.address, "name": "x",
        "key": "variable", "variable": "HOST_SECRET",
    }  # fmt: skip
    link = f"{app.address}/models?{urlencode(form)}"

    # Given a visitor who says that they come from this computer
    spoofed = {"X-Forwarded-For": "127.0.0.1"}
    context = chromium.new_context(extra_http_headers=spoofed)
    visitor = open_tab(context, app.address)
    ask_for_a_test(visitor, link)
    expect(visitor.page.get_by_role("alert").first).to_be_visible()
    # Then the server that they named is asked, without the secret
    expect(visitor.page.get_by_text("You are a visitor")).to_be_visible()
    assert SECRET not in "".join(capture.received)
    context.close()
    capture.received.clear()

    # Given the person at this computer, who follows such a link
    context = chromium.new_context()
    context.request.get(app.start)
    here = open_tab(context, app.address)
    ask_for_a_test(here, link)
    # Then nothing is sent before they allow it
    expect(here.page.get_by_text("Nothing was sent.")).to_be_visible()
    assert not capture.received
    # And then it is
    here.page.get_by_role("button", name="Allow HOST_SECRET").click()
    expect(here.page.get_by_text("may not be sent to")).to_have_count(0)
    here.page.get_by_role("button", name="Test the connection").click()
    expect(here.page.get_by_text("Nothing was sent.")).to_have_count(0)
    expect(here.page.get_by_role("alert").first).to_be_visible()
    assert SECRET in "".join(capture.received)
    context.close()


def ask_for_a_test(tab: Tab, link: str) -> None:
    tab.page.goto(link)
    tab.settled()
    tab.page.get_by_role("button", name="Test the connection").click()
