"""Which models a server has, before one is chosen; and servers on this computer that nobody named:
what is told of them, what is passed over, what is never asked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from biaslab.models import TYPED_KEY
from biaslab.models.server.addresses import BadAddress
from biaslab.models.server.probe.listing import Listing, list_served
from biaslab.models.server.probe.nearby import look_nearby
from tests.loops import over
from tests.servers.fixtures import ServerUrl

KEY = "sk-planted-for-listing"


def test_the_models_are_named_in_the_servers_order(tiny_server: ServerUrl) -> None:
    assert list_served(tiny_server()) == Listing(("tiny",))


@pytest.mark.parametrize("path", ["", "/page/v1", "/v1/chat/completions"])
def test_an_address_that_was_meant_is_found(tiny_server: ServerUrl, path: str) -> None:
    listing = list_served(tiny_server(path=path))
    assert listing.meant_url == tiny_server()
    assert listing.problem


def test_a_key_that_is_refused_is_told_without_the_key(
    tiny_server: ServerUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TYPED_KEY, KEY)
    listing = list_served(tiny_server("key=another"))
    assert "refuses the key" in listing.problem
    assert KEY not in listing.problem
    assert "run" not in listing.problem.split()


@pytest.mark.parametrize("url", ["ftp://x", "http://127.0.0.1:9/v1", ""])
def test_what_is_no_server_is_a_sentence(url: str) -> None:
    listing = list_served(url)
    assert not listing.names
    assert listing.problem.endswith(".")


def test_a_process_prints_it_for_the_screens(tiny_server: ServerUrl) -> None:
    command = [sys.executable, "-m", "biaslab.models.server.probe.listing"]
    done = subprocess.run(
        [*command, "--base-url", tiny_server()], capture_output=True, text=True, check=True
    )
    assert Listing.of_json(json.loads(done.stdout)) == Listing(("tiny",))


# Servers on this computer that nobody named


@contextmanager
def answering(
    body: bytes, status: int = 200, more: dict[str, str] | None = None
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that answers everything in one way; its base URL, and the requests it got."""
    seen: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append({"path": self.path, **dict(self.headers)})
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **(more or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}/v1", seen
    finally:
        server.shutdown()
        server.server_close()


def names(*given: object) -> bytes:
    return json.dumps({"object": "list", "data": [{"id": each} for each in given]}).encode()


def test_a_server_that_runs_is_found_with_its_models(tiny_server: ServerUrl) -> None:
    (found,) = look_nearby([tiny_server()])
    assert (found.url, found.names) == (tiny_server(), ("tiny",))


def test_those_where_nothing_answers_are_passed_over(unused_port: int) -> None:
    with answering(names("one", "two", "one")) as (url, _):
        found = look_nearby([f"http://localhost:{unused_port}/v1", url, url])
    assert [(each.url, each.names) for each in found] == [(url, ("one", "two"))]
    assert look_nearby([]) == ()


def test_one_request_is_sent_without_a_key_or_anything_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    with answering(names("one")) as (url, seen):
        look_nearby([url])
    (request,) = seen
    assert request["path"] == "/v1/models"
    assert not {"authorization", "cookie"} & {name.lower() for name in request}
    assert "planted" not in str(request)


@over(
    "body",
    [
        b"<html>a page of somebody's</html>",
        b"",
        b"[" * 100_000,
        b'{"data": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b"\xff\xfe\x00",
        b'{"data": "models"}',
        b'{"data": [1, null, {"name": "x"}, {"id": 7}, {"id": ""}]}',
        b"[]",
        b"7",
        names("x" * 201),
        b'{"data": [{"id": "' + b"a" * 2**20 + b'"}]}',
    ],
    ids=["page", "empty", "open lists", "deep", "bytes", "no list", "no names", "list", "number",
         "endless name", "too large"],
)  # fmt: skip
def test_something_else_that_answers_there_is_passed_over(body: bytes) -> None:
    with answering(body) as (url, _):
        assert look_nearby([url]) == ()


def test_of_very_many_models_two_hundred_are_told() -> None:
    with answering(names(*map(str, range(5_000)))) as (url, _):
        (found,) = look_nearby([url])
    assert found.names == tuple(map(str, range(200)))


def test_a_redirect_is_not_followed() -> None:
    with (
        answering(names("elsewhere")) as (there, seen),
        answering(b"", 302, {"Location": f"{there}/models"}) as (url, _),
    ):
        assert look_nearby([url]) == ()
        assert seen == []


def test_whoever_listens_and_says_nothing_is_given_up() -> None:
    held = Event()

    class Silent(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            held.wait(20)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    Thread(target=server.serve_forever, daemon=True).start()
    assert look_nearby([f"http://localhost:{server.server_port}/v1"]) == ()
    held.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "url", ["http://192.168.1.7:11434/v1", "https://api.openai.com/v1", "http://example.org/v1"]
)
def test_no_other_computer_is_asked(url: str) -> None:
    with pytest.raises(BadAddress, match="not on this computer"):
        look_nearby([url])
