"""The files of the screens, asked of the real server as browsers ask: pressed, whole, once."""

from __future__ import annotations

import gzip
import http.client
import re
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import SO_LINGER, SOL_SOCKET, socket
from struct import pack
from urllib.parse import urlsplit

import brotli
import pytest
import streamlit
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from biaslab.ui.serving.compression import CompressionMiddleware
from tests.browser.conftest import Server, start
from tests.conftest import DEADLINE, wait_for

FILES = Path(streamlit.__file__).parent / "static"
(CHARTS,) = (path for path in FILES.rglob("PlotlyChart.*.js"))
ADDRESS = f"/static/js/{CHARTS.name}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("app")
    process, running = start(folder / "runs.db", folder / "server.log")
    yield running
    process.terminate()
    process.wait(timeout=DEADLINE)


class Answer:
    def __init__(self, server: Server, path: str, method: str = "GET", **headers: str) -> None:
        connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=DEADLINE)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        response = connection.getresponse()
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()
        connection.close()


@pytest.mark.parametrize(
    ("offered", "encoding", "unpressed"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("gzip;q=1.0, identity", "gzip", gzip.decompress),
    ],
)
def test_the_chart_library_is_a_third_of_its_size_and_the_same_when_unpressed(
    server: Server, offered: str, encoding: str, unpressed: object
) -> None:
    assert callable(unpressed)
    for _ in range(2):  # made, then kept
        answer = Answer(server, ADDRESS, accept_encoding=offered)
        assert answer.status == 200
        assert answer.headers["content-encoding"] == encoding
        assert answer.headers["content-length"] == str(len(answer.body))
        assert "accept-encoding" in answer.headers["vary"].lower()
        assert len(answer.body) < CHARTS.stat().st_size / 3
        assert unpressed(answer.body) == CHARTS.read_bytes()


@pytest.mark.parametrize("offered", ["identity", "", "deflate"])
def test_who_cannot_unpress_gets_the_file_as_it_is(server: Server, offered: str) -> None:
    answer = Answer(server, ADDRESS, accept_encoding=offered)
    assert "content-encoding" not in answer.headers
    assert answer.body == CHARTS.read_bytes()


def test_fonts_and_pages_and_what_is_missing_are_left_alone(server: Server) -> None:
    font = next(FILES.rglob("*.woff2"))
    answer = Answer(server, f"/static/media/{font.name}", accept_encoding="br")
    assert "content-encoding" not in answer.headers
    assert answer.body == font.read_bytes()
    page = Answer(server, "/effects", accept_encoding="br")
    assert b"<html" in page.body.lower()
    # An address that is no file leads to the app, which may change: it is never kept.
    missing = Answer(server, "/static/js/nothing.js", accept_encoding="br")
    assert missing.headers.get("content-encoding") != "br"


def test_parts_of_a_file_and_questions_whether_it_changed_are_answered_as_before(
    server: Server,
) -> None:
    part = Answer(server, ADDRESS, accept_encoding="br", range="bytes=0-99")
    assert (part.status, len(part.body)) == (206, 100)
    tag = Answer(server, ADDRESS, accept_encoding="identity").headers["etag"]
    assert Answer(server, ADDRESS, accept_encoding="br", if_none_match=tag).status == 304


def test_no_tag_of_the_unpressed_file_goes_out_with_the_pressed_one(server: Server) -> None:
    # Whoever asks with such a tag for a part would mix bytes of the two.
    assert "etag" not in Answer(server, ADDRESS, accept_encoding="br").headers


def test_thirty_browsers_at_once_get_every_file_of_the_first_page_whole(server: Server) -> None:
    page = Answer(server, "/", accept_encoding="identity").body.decode()
    files = re.findall(r'"\./(static/js/[^"]+\.js)"', page)
    assert len(files) > 3

    def asked(path: str) -> tuple[str, bytes]:
        return path, brotli.decompress(Answer(server, f"/{path}", accept_encoding="br").body)

    with ThreadPoolExecutor(30) as browsers:
        for path, body in browsers.map(asked, files * 30):
            assert body == (FILES / path).read_bytes()


def test_a_browser_that_leaves_while_a_file_comes_spoils_it_for_nobody(server: Server) -> None:
    scripts = sorted(FILES.rglob("static/js/*.js"))
    address = urlsplit(server.address)
    for script in scripts:
        with socket() as hanging_up:
            # Closed with what was sent still unread: the other side is told at once.
            hanging_up.setsockopt(SOL_SOCKET, SO_LINGER, pack("ii", 1, 0))
            hanging_up.connect((address.hostname, address.port))
            asked = f"GET /static/js/{script.name} HTTP/1.1\r\nHost: {address.netloc}\r\n"
            hanging_up.sendall(f"{asked}Accept-Encoding: br\r\n\r\n".encode())
    for script in scripts:
        answer = Answer(server, f"/static/js/{script.name}", accept_encoding="br")
        body = answer.body
        if answer.headers.get("content-encoding") == "br":
            body = brotli.decompress(body)
        assert body == script.read_bytes(), script.name


def test_what_others_on_the_network_take_is_pressed_again_as_small_as_can_be() -> None:
    # Text with some repeats in it, which is where the qualities differ.
    script = "".join(f"const a{n % 977} = {n * n % 7919};\n" for n in range(20_000))

    async def file(_: Request) -> Response:
        headers = {"cache-control": "immutable"}
        return Response(script, media_type="text/javascript", headers=headers)

    app = Starlette(routes=[Route("/static/a.js", file)])
    client = TestClient(CompressionMiddleware(app, thorough=True))

    def size() -> int:
        answer = client.get("/static/a.js", headers={"accept-encoding": "br"})
        assert answer.text == script
        return int(answer.headers["content-length"])

    first = size()
    wait_for(lambda: size() < first)
    assert size() == len(brotli.compress(script.encode(), quality=11))


class TestAnAppThatSendsLessThanItSaid:
    """Such as one that notices that nobody reads any more."""

    def app(self, whole: list[bool]) -> Starlette:
        async def file(_: Request) -> StreamingResponse:
            async def parts() -> AsyncIterator[bytes]:
                yield b"export const a = 1;" if whole[0] else b""

            headers = {"cache-control": "immutable", "content-length": "19"}
            return StreamingResponse(parts(), media_type="text/javascript", headers=headers)

        return Starlette(routes=[Route("/static/a.js", file)])

    def test_is_not_kept(self) -> None:
        whole = [False]
        client = TestClient(CompressionMiddleware(self.app(whole)), raise_server_exceptions=False)
        asking = {"accept-encoding": "br"}
        assert client.get("/static/a.js", headers=asking).text != "export const a = 1;"
        whole[0] = True
        for _ in range(2):
            answer = client.get("/static/a.js", headers=asking)
            assert answer.headers["content-encoding"] == "br"
            assert answer.text == "export const a = 1;"
