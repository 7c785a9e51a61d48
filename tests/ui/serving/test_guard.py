"""What stands in front of the app, on the real server: names, origins, headers, bodies."""

from __future__ import annotations

import asyncio
import http.client
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from socket import create_connection, gethostname
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from biaslab.cli import main
from biaslab.runs import hosting
from biaslab.system.roles import Role
from biaslab.ui.serving.guard import (
    HOSTS_LARGEST,
    HOSTS_SEATS,
    LARGEST_BODY,
    NEEDED,
    UPLOADS,
    VISITORS_SEATS,
    Guard,
)
from biaslab.ui.serving.roles import Visitor
from schoolmath.text.given_files import LARGEST
from tests.browser.conftest import TOKEN, Server, start
from tests.conftest import DEADLINE


@contextmanager
def started(folder: Path, *options: str, **variables: str) -> Iterator[Server]:
    process, server = start(folder / "runs.db", folder / "server.log", *options, **variables)
    try:
        yield server
    finally:
        process.terminate()
        process.wait(timeout=DEADLINE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("app")
    with started(folder, BIASLAB_HOSTS="lab.example.org") as running:
        yield running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app as it is started for others on the network, with a token of its own."""
    folder = tmp_path_factory.mktemp("shared")
    options = ("--server.address", "0.0.0.0")
    with started(folder, *options, BIASLAB_TOKEN="") as running:
        yield running


def test_a_token_that_could_be_guessed_is_refused_at_the_start(tmp_path: Path) -> None:
    with (
        pytest.raises(RuntimeError, match="BIASLAB_TOKEN has 5 of the 16 signs") as refused,
        started(tmp_path, BIASLAB_TOKEN="short"),
    ):
        pass
    assert "Traceback" not in str(refused.value)


def place(server: Server) -> tuple[str, int]:
    parts = urlsplit(server.address)
    assert parts.hostname
    assert parts.port
    return parts.hostname, parts.port


def addresses(server: Server) -> str:
    """What its owner is shown of where the app is open."""
    shown = CliRunner().invoke(main, ["addresses", "--db", str(server.database)])
    assert shown.exit_code == 0, shown.output
    return shown.output


def asked(
    server: Server, path: str = "/", method: str = "GET", body: bytes = b"", **headers: str
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(*place(server), timeout=DEADLINE)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, named)
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


@contextmanager
def socket_to(server: Server, **headers: str) -> Iterator[ClientConnection]:
    """A websocket to the app, opened with these headers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    host = named.pop("Host", urlsplit(server.address).netloc)
    with connect(
        f"ws://{host}/_stcore/stream",
        sock=create_connection(place(server), timeout=DEADLINE),
        origin=named.pop("Origin", None),
        additional_headers=named,
        subprotocols=["streamlit"],
        max_size=None,
    ) as opened:
        yield opened


def opens(server: Server, **headers: str) -> bool:
    """Whether the app takes a websocket with these headers."""
    try:
        with socket_to(server, **headers):
            return True
    except InvalidStatus as refused:
        return refused.response.status_code != 403


def page(server: Server, name: str, **headers: str) -> str:
    """What the app draws on a page for somebody who comes with these headers."""
    with socket_to(server, **headers) as opened:
        opened.send(BackMsg(rerun_script=ClientState(page_name=name)).SerializeToString())
        drawn = ""
        while True:
            message = ForwardMsg.FromString(opened.recv(timeout=DEADLINE))
            drawn += str(message)
            if message.WhichOneof("type") == "script_finished":
                return drawn


PATHS = ("/", "/models", "/_stcore/health", "/_stcore/host-config", "/start", "/static/x.js")


@pytest.mark.parametrize("path", PATHS)
def test_a_foreign_name_gets_nothing(path: str, server: Server) -> None:
    for host in ("evil.example", f"evil.example:{place(server)[1]}", "localhost.evil.example"):
        answer = asked(server, path, Host=host)
        assert answer.status == 403
        assert "not opened under this name" in answer.text
    assert asked(server, path, Host="localhost@evil.example").status in (400, 403)


def test_a_foreign_name_gets_no_websocket(server: Server) -> None:
    port = place(server)[1]
    assert not opens(server, Host=f"evil.example:{port}", Origin=f"http://evil.example:{port}")


def test_the_names_of_this_computer_and_those_chosen_at_the_start_are_answered(
    server: Server,
) -> None:
    port = place(server)[1]
    for name in ("localhost", "127.0.0.1", "[::1]", "lab.example.org"):
        host = f"{name}:{port}"
        assert asked(server, Host=host).status == 200
        assert opens(server, Host=host, Origin=f"http://{host}")


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:1", "null", "scheme"])
def test_a_page_from_elsewhere_is_refused(origin: str, server: Server) -> None:
    # Also a page on another port of this computer, and one that came another way
    if origin == "scheme":
        origin = server.address.replace("http", "https")
    assert not opens(server, Origin=origin)
    for path, method in (("/_stcore/host-config", "GET"), ("/_stcore/upload_file/a/b", "PUT")):
        assert asked(server, path, method, Origin=origin).status == 403


def test_of_streamlits_own_addresses_those_that_pages_need_are_open(server: Server) -> None:
    from streamlit.web.server.starlette import starlette_agent_routes, starlette_routes

    known = {
        str(value)
        for module in (starlette_routes, starlette_agent_routes)
        for name, value in vars(module).items()
        if "ROUTE" in name and str(value).startswith("_stcore/")
    }
    assert {f"_stcore/{each}" for each in ("metrics", "health", "agent/interact")} <= known
    wrong = [
        path
        for path in sorted(known | {"_stcore/metrics?families=cache", "_stcore/", "_stcore/new"})
        if ("closed" in asked(server, f"/{path}").text) is (path.split("/")[1] in NEEDED)
    ]
    assert wrong == []


def test_websockets_are_bounded_in_all_and_for_an_address_and_hosts_keep_theirs() -> None:
    role, address = Role.VISITOR, "10.0.0.1"
    opened = asyncio.Event()

    async def stay(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        await opened.wait()

    guard = Guard(stay, ["localhost"], lambda _: Visitor(role))

    async def come() -> str:
        """What becomes of a websocket."""
        told: asyncio.Queue[Message] = asyncio.Queue()
        scope = {
            "type": "websocket", "path": "/_stcore/stream", "scheme": "ws",
            "headers": [(b"host", b"localhost")], "client": (address, 1),
        }  # fmt: skip
        coming.append(asyncio.ensure_future(guard(scope, told.get, told.put)))
        return str((await told.get())["type"])

    coming: list[asyncio.Future[None]] = []

    async def everybody() -> list[tuple[str, str, int]]:
        nonlocal role, address
        came = []
        for role, address in [
            (Role.VISITOR, "10.0.0.1"), (Role.VISITOR, "10.0.0.2"), (Role.VISITOR, "10.0.0.3"),
            (Role.HOST, "10.0.0.1"),
        ]:  # fmt: skip
            taken = [await come() for _ in range(200)].count("websocket.accept")
            came.append((role, address, taken))
        opened.set()
        await asyncio.gather(*coming)
        role, address = Role.VISITOR, "10.0.0.3"
        came.append((role, address, int(await come() == "websocket.accept")))
        return came

    (all_visitors, one_visitor), (_, one_host) = VISITORS_SEATS, HOSTS_SEATS
    assert all_visitors == 2 * one_visitor
    # In a thread, because a browser of other tests may keep a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        came = pool.submit(asyncio.run, everybody()).result()
    assert [taken for *_, taken in came] == [one_visitor, one_visitor, 0, one_host, 1]


def test_the_apps_own_page_is_answered(server: Server) -> None:
    assert opens(server, Origin=server.address)
    assert asked(server, "/_stcore/host-config", Origin=server.address).status == 200


def test_every_answer_keeps_pages_from_framing_guessing_and_telling(server: Server) -> None:
    for path in PATHS:
        headers = asked(server, path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "connect-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Robots-Tag"] == "noindex, nofollow"


@pytest.mark.parametrize(
    ("path", "role", "most"),
    [
        ("/", Role.HERE, LARGEST_BODY),
        (f"{UPLOADS}session/file", Role.HERE, LARGEST + LARGEST_BODY),
        (f"{UPLOADS}session/file", Role.HOST, HOSTS_LARGEST + LARGEST_BODY),
    ],
)
@pytest.mark.parametrize("beyond", [0, 1])
def test_a_body_of_more_bytes_than_its_kind_has_is_refused(
    path: str, role: Role, most: int, beyond: int
) -> None:
    # Given an app that reads what it is sent, piece by piece
    async def reader(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        await PlainTextResponse("read")(scope, receive, send)

    piece = bytes(LARGEST_BODY)
    left = most + beyond

    async def receive() -> Message:
        nonlocal left
        body = piece[:left]
        left -= len(body)
        return {"type": "http.request", "body": body, "more_body": left > 0}

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http", "method": "PUT", "scheme": "http", "path": path, "query_string": b"",
        "headers": [(b"host", b"localhost:1"), (b"content-length", b"1")],
        "server": ("127.0.0.1", 1),
    }  # fmt: skip
    # When one byte more than its limit comes, or none
    # In a thread, because a browser of other tests may keep a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        guard = Guard(reader, ["localhost"], lambda _: Visitor(role))
        pool.submit(asyncio.run, guard(scope, receive, send)).result()
    # Then it is read, or refused
    assert sent[0]["status"] == (413 if beyond else 200)


def test_files_of_a_host_are_bounded_by_the_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given hosts who may give in 1,000 bytes a day
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    monkeypatch.setattr(hosting, "OF_ONE", hosting.OF_ONE._replace(size=1000))
    person = Visitor(Role.HOST, "anna")

    async def reader(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("taken")(scope, receive, send)

    def status(size: bytes | None) -> int:
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        length = [] if size is None else [(b"content-length", size)]
        scope: Scope = {
            "type": "http", "method": "PUT", "scheme": "http", "path": f"{UPLOADS}a/b",
            "query_string": b"", "headers": [(b"host", b"localhost:1"), *length],
            "server": ("127.0.0.1", 1),
        }  # fmt: skip
        guard = Guard(reader, ["localhost"], lambda _: person)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, guard(scope, receive, send)).result()
        return int(sent[0]["status"])

    # When files come whose sizes are said, then so much is taken as is left
    assert [status(size) for size in (b"600", b"600", b"400", b"1")] == [200, 403, 200, 403]
    # And what does not say its size is not begun
    assert [status(size) for size in (None, b"-1", b"many")] == [403, 403, 403]
    # And another host has a day of their own
    person = Visitor(Role.HOST, "ben")
    assert status(b"1000") == 200
    # And the person here has no limit but that of a file
    person = Visitor(Role.HERE)
    assert status(b"100000") == 200


class TestWhoIsHere:
    VISITOR = "You are a visitor"

    def role(self, server: Server) -> str:
        (cookie,) = SimpleCookie(
            asked(server, f"/start?token={TOKEN}").headers["Set-Cookie"]
        ).values()
        return f"{cookie.key}={cookie.value}"

    def test_the_cookie_of_the_token_says_so(self, server: Server) -> None:
        assert self.VISITOR in page(server, "models")
        assert self.VISITOR not in page(server, "models", Cookie=self.role(server))

    @pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost", "", "192.0.2.1"])
    def test_an_address_that_somebody_says_they_have_does_not(
        self, address: str, server: Server
    ) -> None:
        headers = {"X-Forwarded-For": address, "X-Real-IP": address, "Forwarded": f"for={address}"}
        assert self.VISITOR in page(server, "models", **headers)

    def test_nobody_is_here_for_coming_by_a_proxy_on_this_computer(self, server: Server) -> None:
        # Given what a proxy for https sends on, from this computer's own address
        by_proxy = {
            "Host": "lab.example.org",
            "Origin": "https://lab.example.org",
            "X-Forwarded-Proto": "https",
        }
        assert self.VISITOR in page(server, "models", **by_proxy)
        # Then whoever has the cookie is known there too
        assert self.VISITOR not in page(server, "models", Cookie=self.role(server), **by_proxy)


class TestTheToken:
    def cookie(self, answer: http.client.HTTPResponse) -> SimpleCookie:
        return SimpleCookie(answer.headers["Set-Cookie"] or "")

    def test_gives_a_role_for_this_browser_and_this_port(self, server: Server) -> None:
        answer = asked(server, f"/start?token={TOKEN}")
        assert (answer.status, answer.headers["Location"]) == (303, "/")
        (cookie,) = self.cookie(answer).values()
        assert cookie.key == f"biaslab-{place(server)[1]}"
        assert cookie["httponly"]
        assert cookie["samesite"].lower() == "strict"
        assert TOKEN not in cookie.value

    @pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", "%C3%A9"])
    def test_another_gives_nothing_and_says_what_to_do(self, token: str, server: Server) -> None:
        answer = asked(server, f"/start?token={token}")
        assert answer.status == 403
        assert not self.cookie(answer)
        assert "Open the one that “biaslab addresses” shows" in answer.text

    def test_is_kept_for_its_owner_where_the_app_was_started(self, server: Server) -> None:
        assert server.start in addresses(server)


class TestAWorkshop:
    def test_the_token_is_another_for_every_start(self, shared: Server) -> None:
        token, *hosts = dict.fromkeys(re.findall(r"/start\?token=(\S+)", addresses(shared)))
        assert len(token) >= 32
        assert all(len(each) >= 32 for each in hosts)
        assert asked(shared, f"/start?token={token}").status == 303
        assert asked(shared, f"/start?token={TOKEN}").status == 403

    @pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this computer")
    def test_it_is_opened_at_the_address_that_the_connection_came_in_on(
        self, shared: Server
    ) -> None:
        port = place(shared)[1]
        other = Server(f"http://127.0.0.2:{port}", shared.database)
        assert asked(other).status == 200
        assert opens(other, Origin=other.address)
        assert asked(shared, Host=f"127.0.0.2:{port}").status == 403

    def test_it_is_opened_under_what_the_computer_is_called(self, shared: Server) -> None:
        port = place(shared)[1]
        assert asked(shared, Host=f"{gethostname()}:{port}").status == 200
        assert asked(shared, Host=f"evil.{gethostname()}:{port}").status == 403
