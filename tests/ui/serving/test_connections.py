"""What connections may take before a request is whole: real sockets, a real server on loopback."""

from __future__ import annotations

import ssl
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET, create_connection, socket
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from biaslab.system.roles import Role
from biaslab.ui.serving import connections, roles, routes
from biaslab.ui.serving.connections import MESSAGES, MOST_PARTS, ConnectionLimits, Seats
from tests.browser.conftest import start
from tests.conftest import DEADLINE, wait_for

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
PATIENT = ConnectionLimits(head=600, body=600, message=600, taken=600, every=0.02)
"""Nothing is ended for taking its time."""

LARGE = 64 * 2**20
"""More than any system holds for a receiver that takes nothing."""


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the length of a body, or with a large file; a websocket, with lengths too."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": str(len(message["bytes"]))})
        return
    body = await Request(scope, receive).body()
    large = scope["path"] == "/large"
    answer = PlainTextResponse(b"x" * LARGE if large else str(len(body)))
    await answer(scope, receive, send)


@dataclass
class Served:
    """A server that answers."""

    port: int
    server: uvicorn.Server

    def open(self, said: bytes = b"", host: str = "127.0.0.1") -> socket:
        """A connection that has said something."""
        return opened(self.port, said, host)

    def answer(self, host: str = "127.0.0.1") -> str:
        """What a whole request is answered, to its last byte."""
        with closing(self.open(HEAD + b"Connection: close\r\n\r\n", host)) as asked:
            return everything(asked).decode()

    def websocket(self, role: Role = Role.VISITOR, **options: object) -> ClientConnection:
        """A websocket of somebody."""
        cookie = f"{roles.cookie_name(8501)}={roles.signed(role)}"
        return connect(
            f"ws://127.0.0.1:{self.port}/", additional_headers={"Cookie": cookie},
            compression=None, open_timeout=DEADLINE, close_timeout=DEADLINE, ping_interval=None,
            **options,
        )  # fmt: skip


def opened(port: int, said: bytes, host: str = "127.0.0.1") -> socket:
    """A connection of an address that has said something."""
    made = create_connection(("127.0.0.1", port), 60, source_address=(host, 0))
    with suppress(ConnectionError):  # some are turned away before they have said anything
        made.sendall(said)
    return made


def everything(connection: socket) -> bytes:
    """What comes until the other side ends the connection, in whatever way."""
    parts = []
    with suppress(ConnectionError):
        while part := connection.recv(2**16):
            parts.append(part)
    return b"".join(parts)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Served]]:
    """Starts a server with limits; others than who is at the computer may open it."""
    monkeypatch.setenv("BIASLAB_HOSTS", "lab.example.org")
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def begin(limits: ConnectionLimits, **options: object) -> Served:
        async def limited(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "lifespan":
                await app(scope, receive, send)
                return
            connections.limit(receive, limits)
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})

        place = socket()
        place.bind(("127.0.0.1", 0))
        place.listen()
        config = uvicorn.Config(
            limited, ws="websockets-sansio", log_level="critical", timeout_graceful_shutdown=1,
            forwarded_allow_ips="", **options,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([place],))
        thread.start()
        running.append((server, thread))
        return Served(place.getsockname()[1], server)

    yield begin
    for server, thread in running:
        server.should_exit = True
        thread.join(60)


def is_refused(opened: ClientConnection, message: bytes | list[bytes]) -> bool:
    """Whether a message ends the connection. Why is told too, but the end may overtake it."""
    try:
        opened.send(message)
        opened.recv()
    except ConnectionClosed:
        return True
    return False


UNFINISHED = {
    "a head": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "nothing": b"",
    "a body": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx",
    "a second head": HEAD + b"\r\n" + HEAD,
}


def test_what_stays_unfinished_is_ended_and_holds_nobody_up(serve: Callable[..., Served]) -> None:
    served = serve(ConnectionLimits(head=0.2, body=0.2, every=0.02))
    held = {what: served.open(said) for what, said in UNFINISHED.items()}
    assert served.answer().startswith("HTTP/1.1 200")
    for what, opened in held.items():
        with closing(opened):
            told = everything(opened)
        assert (b"200" in told) is (what == "a second head"), what


def test_a_head_that_trickles_gets_no_more_time_than_one_that_stops(
    serve: Callable[..., Served],
) -> None:
    served = serve(ConnectionLimits(head=0.3, every=0.02))
    with closing(served.open(HEAD)) as opened:
        opened.settimeout(0.01)
        for _ in range(60_000):
            with suppress(TimeoutError):
                if not opened.recv(1):
                    break
            try:
                opened.sendall(b"X: y\r\n")
            except ConnectionError:
                break
        else:
            pytest.fail("The head may go on for ever.")


def test_whoever_takes_nothing_of_an_answer_is_let_go(serve: Callable[..., Served]) -> None:
    served = serve(ConnectionLimits(taken=0.3, every=0.02))
    with closing(served.open(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")) as opened:
        wait_for(lambda: served.server.server_state.tasks)
        wait_for(lambda: not served.server.server_state.connections)
        assert len(everything(opened)) < LARGE


def test_the_one_that_has_kept_the_app_waiting_longest_makes_room(
    serve: Callable[..., Served],
) -> None:
    served = serve(replace(PATIENT, most=5, of_address=5))
    held = [served.open(UNFINISHED["a head"]) for _ in range(12)]
    for _ in range(3):
        assert served.answer().endswith("0")
    for opened in held[:7]:
        assert everything(opened) == b""
    held[-1].sendall(b"done\r\n\r\n")
    assert held[-1].recv(2**16).startswith(b"HTTP/1.1 200")
    for opened in held:
        opened.close()


def test_those_who_are_served_stay_and_a_newcomer_is_told(serve: Callable[..., Served]) -> None:
    served = serve(replace(PATIENT, most=6, of_address=6))
    with ExitStack() as served_all:
        kept = [served_all.enter_context(served.websocket()) for _ in range(3)]
        assert served.answer().startswith("HTTP/1.1 503")
        for each in kept:
            each.send(b"four")
            assert each.recv() == "4"
    wait_for(lambda: "200" in served.answer())


@pytest.mark.skipif(sys.platform != "linux", reason="one loopback address elsewhere")
def test_an_address_takes_no_room_from_others(serve: Callable[..., Served]) -> None:
    served = serve(replace(PATIENT, most=12, of_address=4))
    mine = served.open(UNFINISHED["a head"])
    crowd = [served.open(UNFINISHED["a head"], "127.0.0.2") for _ in range(30)]
    mine.sendall(b"done\r\n\r\n")
    assert mine.recv(2**16).startswith(b"HTTP/1.1 200")
    for opened in (mine, *crowd):
        opened.close()


def test_a_message_has_as_many_bytes_as_whoever_sends_it_may_send(
    serve: Callable[..., Served],
) -> None:
    served = serve(PATIENT)
    for role, most in MESSAGES.items():
        if role is Role.NEAR:
            continue  # proves nothing: whoever is at the computer while nobody else can be
        with served.websocket(role, max_size=None) as opened:
            opened.send(b"x" * most)
            assert opened.recv() == str(most), role
            assert is_refused(opened, [b"x" * (most // 2), b"x" * (most // 2 + 1)]), role


def test_a_message_that_is_announced_too_large_is_refused_before_it_comes(
    serve: Callable[..., Served],
) -> None:
    served = serve(PATIENT)
    with served.websocket() as opened:
        opened.socket.sendall(struct.pack("!BBQ", 0x02, 0xFF, 2**20 + 1) + b"\0" * 4)
        with pytest.raises(ConnectionClosed, match="1009"):
            opened.recv()


def test_a_message_has_so_many_parts_also_where_they_are_empty(
    serve: Callable[..., Served],
) -> None:
    served = serve(PATIENT)
    with served.websocket() as opened:
        opened.send([b"x"] * (MOST_PARTS - 1))  # and one that ends it
        assert opened.recv() == str(MOST_PARTS - 1)
        assert is_refused(opened, [b""] * (MOST_PARTS + 1))


def test_a_message_that_is_never_complete_is_ended(serve: Callable[..., Served]) -> None:
    served = serve(ConnectionLimits(message=0.2, every=0.02))
    with served.websocket() as whole, served.websocket() as part:
        part.socket.sendall(struct.pack("!BB", 0x02, 0x80 | 9) + b"\0" * 4 + b"x")
        with pytest.raises(ConnectionClosed):
            part.recv(timeout=DEADLINE)
        whole.send(b"still here")
        assert whole.recv() == "10"


def test_heartbeats_that_nobody_takes_are_not_kept(serve: Callable[..., Served]) -> None:
    served = serve(PATIENT)
    with socket() as opened:
        opened.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
        opened.settimeout(DEADLINE)
        opened.connect(("127.0.0.1", served.port))
        opened.sendall(
            HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        pings = struct.pack("!BB", 0x89, 0x80 | 125) + b"\0" * 129
        try:
            for _ in range(2_000):
                opened.sendall(pings * 500)
        except ConnectionError:
            return
    pytest.fail("A hundred megabytes of answers were kept.")


class TestEncrypted:
    @pytest.fixture
    def certificate(self, tmp_path: Path) -> dict[str, object]:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name)
            .public_key(key.public_key()).serial_number(1)
            .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
            .sign(key, hashes.SHA256())
        )  # fmt: skip
        pem = serialization.Encoding.PEM
        (tmp_path / "cert.pem").write_bytes(certificate.public_bytes(pem))
        (tmp_path / "key.pem").write_bytes(
            key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        return {"ssl_certfile": tmp_path / "cert.pem", "ssl_keyfile": tmp_path / "key.pem"}

    @pytest.fixture
    def trusting(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context

    def test_what_never_agrees_on_encryption_is_ended_and_makes_room(
        self,
        serve: Callable[..., Served],
        certificate: dict[str, object],
        trusting: ssl.SSLContext,
    ) -> None:
        served = serve(replace(PATIENT, most=6, of_address=6), **certificate)
        held = [served.open(b"\x16\x03\x01") for _ in range(12)]
        for _ in range(2):
            with trusting.wrap_socket(served.open()) as secure:
                secure.sendall(HEAD + b"Connection: close\r\n\r\n")
                assert everything(secure).endswith(b"0")
        for opened in held[:6]:
            assert everything(opened) == b""
        for opened in held:
            opened.close()

    def test_a_websocket_is_bounded_as_it_is_without(
        self,
        serve: Callable[..., Served],
        certificate: dict[str, object],
        trusting: ssl.SSLContext,
    ) -> None:
        served = serve(PATIENT, **certificate)
        address = f"wss://127.0.0.1:{served.port}/"
        with connect(address, ssl=trusting, compression=None) as opened:
            opened.send(b"four")
            assert opened.recv() == "4"
            assert is_refused(opened, b"x" * (MESSAGES[Role.VISITOR] + 1))


class TestApp:
    """BiasLab as it is started."""

    FEW = 700
    """Files that the process may have open."""

    def test_with_few_open_files_half_requests_stop_nobody_and_the_file_of_runs_opens(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        resource = pytest.importorskip("resource")
        few = (self.FEW, self.FEW)
        popen = subprocess.Popen
        monkeypatch.setattr(
            subprocess, "Popen",
            lambda *given, **named: popen(
                *given, **named,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, few),
            ),
        )  # fmt: skip
        process, server = start(tmp_path / "runs.db", tmp_path / "log")
        port = int(server.address.rpartition(":")[2])
        try:
            held = [opened(port, UNFINISHED["a head"]) for _ in range(self.FEW + 100)]
            for _ in range(5):
                wait_for(lambda: is_ready(port))  # one in the midst of the flood may be turned away
            for each in held:
                each.close()
        finally:
            process.terminate()
            process.wait(timeout=DEADLINE)
        assert len((tmp_path / "log").read_bytes()) < 2_000


def is_ready(port: int) -> bool:
    """Whether the app answers somebody, and its file of runs opens."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{routes.READY}", timeout=DEADLINE) as answer:
            return bool(answer.read() == b"ready\n")
    except ConnectionError:
        return False


def test_where_connections_cannot_be_limited_nothing_is_served() -> None:
    async def receive() -> dict[str, object]:
        return {"type": "lifespan.startup"}

    with pytest.raises(connections.NoServer, match="biaslab host"):
        connections.limit(receive)


def test_seats_are_counted_in_all_and_for_each_address() -> None:
    seats = Seats(3, 2)
    assert [seats.take(each) for each in "aaabcb"] == [True, True, False, True, False, False]
    seats.free("a")
    assert seats.take("c")
    assert not seats.take("a")
