"""Limits for connections, below the requests that the app sees.

A request reaches the app (and `biaslab.ui.serving.guard`) once its head is complete, a websocket's
message once it is whole. What strangers leave unfinished is held by the server: so it is bounded
there, in uvicorn's own protocols, which this module puts its limits around.

- **Connections** in all and of one address, fewer than the process may have files open, so that
  the file of runs can always be opened. Where no room is left, the one goes that has kept the app
  waiting longest; a newcomer is turned away only where all others are being served.
- **Seconds** until a head, a body, a message is complete, and until somebody takes what was sent.
- **Bytes and parts** of a websocket's message, by who the handshake's cookie proves to be there.

Streamlit starts uvicorn and takes none of these as an option; they are put in place when the app's
lifespan begins, before the first connection is accepted (`limit`).
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast
from weakref import WeakSet

import h11
import uvicorn
from starlette.requests import HTTPConnection
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from biaslab.models.server.addresses import network_of
from biaslab.system.roles import Role
from biaslab.ui.serving import starting

if TYPE_CHECKING:
    from ssl import SSLContext

    from starlette.types import Receive
    from websockets.frames import Frame
    from websockets.http11 import Request


MESSAGES: Mapping[Role, int] = {
    Role.VISITOR: 2**20,
    Role.PARTICIPANT: 2**20,
    Role.HOST: 4 * 2**20,
    Role.NEAR: 25 * 10**6,
    Role.HERE: 25 * 10**6,
}
"""Most bytes of a websocket's message: what was typed on a page. A visitor may paste 200,000 signs;
25 MB is Streamlit's own limit (server.maxWidgetStateSize)."""

MOST_PARTS = 64
"""Most parts of a websocket's message; browsers send one, and an empty one takes memory too."""

FILES_KEPT = 128
"""Open files that connections leave to everything else, the file of runs above all."""

_FILES_WANTED = 4_096
"""Files that the process asks to have open, where the system lets it."""

_BURST = 128
"""Most connections that the loop accepts in one round, before any of them is looked at."""

_GOING = 2 * _BURST
"""Most connections that have to go and are not closed yet, which takes the loop some rounds."""

_FEWEST = 32
"""Connections where the process may have hardly any file open."""

_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 5\r\n"
    b"Connection: close\r\n\r\nBiasLab holds as many connections as it can. Try again soon.\n"
)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What connections may take.

    Attributes:
        most: in all.
        of_address: most of one address (of IPv6 a network of 64 bits), but for those of a proxy.
        head: seconds until the head of a request is complete, and encryption is agreed on.
        body: seconds until its body is.
        message: seconds until a websocket's message is.
        taken: seconds in which somebody takes at least some of what was sent to them.
        every: seconds after which all of these are looked at again.
    """

    most: int = 2_000
    of_address: int = 1_000
    head: float = 10.0
    body: float = 900.0
    message: float = 60.0
    taken: float = 60.0
    every: float = 1.0


@dataclass
class Seats:
    """So many places in all, and so many for one address.

    Attributes:
        most: in all.
        of_address: most of one address; of those without one (empty) as many as in all.
    """

    most: int
    of_address: int
    _of: Counter[str] = field(default_factory=Counter)

    def take(self, address: str) -> bool:
        """Takes a place; whether there was one."""
        if self._of.total() >= self.most or self.is_full_for(address):
            return False
        self._of[address] += 1
        return True

    def free(self, address: str) -> None:
        """Gives a place back."""
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]

    def is_full_for(self, address: str) -> bool:
        """Whether this address has all the places that one address may have."""
        return bool(address) and self._of[address] >= self.of_address


class TooManyFiles(Exception):
    """A connection for which the process has no file to spare; asyncio closes it unseen."""


class NoServer(RuntimeError):
    """What serves the app is not the server whose connections can be limited."""


LIMITS = ConnectionLimits()
"""What connections of the app may take."""


def limit(receive: Receive, limits: ConnectionLimits = LIMITS) -> None:
    """Puts the limits in place. Called while the app starts, before anybody can connect.

    Args:
        receive: of the lifespan, which is uvicorn's own and knows its configuration.
        limits: what connections may take; fewer where the process may have few files open.

    Raises:
        NoServer: something else serves the app, so that nothing would be limited.
    """
    config = getattr(getattr(receive, "__self__", None), "config", None)
    if not isinstance(config, uvicorn.Config):
        raise NoServer(
            "BiasLab is served by something else than Streamlit's own server, so its connections "
            "could not be limited. Start it with “biaslab app” or “biaslab host”."
        )
    admission = _Admission(limits, config.ssl, _trusted(config))
    config.http_protocol_class = cast("type[asyncio.Protocol]", partial(_Http, admission))
    config.ssl = None  # admission sees connections before they are encrypted
    config.backlog = _BURST
    config.ws_max_size = min(MESSAGES.values())
    admission.watch(asyncio.get_running_loop())


def files_allowed() -> int:
    """How many files this process may have open: as many as are wanted where the system agrees."""
    if sys.platform == "win32":
        return _FILES_WANTED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, _FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return _FILES_WANTED if soft == resource.RLIM_INFINITY else soft


class _Hosts(Protocol):
    def __contains__(self, host: str) -> bool: ...


def _trusted(config: uvicorn.Config) -> _Hosts:
    """Addresses of proxies, whose connections are those of many people."""
    return ProxyHeadersMiddleware(config.loaded_app, config.forwarded_allow_ips).trusted_hosts


class _Visit:
    """A connection, from when it was accepted until it is gone."""

    def __init__(self, transport: asyncio.Transport, address: str) -> None:
        self.address = address
        self.transport = transport
        self.is_seated = False
        self.unsent = 0
        self.moved = 0.0
        """When the other side last took something, or nothing was left for it to take."""
        self.expects = ""
        """What the other side is to complete; empty where it waits for the app."""
        self.until = 0.0


class _Admission:
    """All connections: who may come in, and who goes when."""

    def __init__(self, limits: ConnectionLimits, ssl: SSLContext | None, trusted: _Hosts) -> None:
        left = files_allowed() - FILES_KEPT - _BURST - _GOING
        most = min(limits.most, max(left, _FEWEST))
        self.limits = limits
        self.ssl = ssl
        self._seats = Seats(most, min(limits.of_address, max(1, most // 2)))
        self._trusted = trusted
        self._coming: WeakSet[_Http] = WeakSet()
        self._visits: set[_Visit] = set()
        """Those that have come and are not closed, whether they have a seat or had to leave it."""
        self._waiting: dict[_Visit, None] = {}
        """Those that the app waits for, the longest first."""

    def arrive(self, connection: _Http) -> None:
        """Notes that a connection was accepted.

        Raises:
            TooManyFiles: so many are open that it has to be closed at once.
        """
        if len(self._coming) + len(self._visits) >= self._seats.most + _GOING:
            raise TooManyFiles
        self._coming.add(connection)

    def enter(self, connection: _Http, transport: asyncio.Transport) -> _Visit | None:
        """Takes a connection in; None where there is no room."""
        self._coming.discard(connection)
        host = (get_remote_addr(transport) or ("", 0))[0]
        # Without an address: a proxy counts its own visitors, and tells only whole requests.
        visit = _Visit(transport, "" if host in self._trusted else network_of(host))
        while not self._seats.take(visit.address):
            full = self._seats.is_full_for(visit.address)
            oldest = (each for each in self._waiting if not full or each.address == visit.address)
            longest = next(oldest, None)
            if longest is None:
                return None
            self._give_up_seat(longest)
            longest.transport.abort()
        visit.is_seated = True
        self._visits.add(visit)
        visit.moved = self._now()
        self.expect(visit, "head", self.limits.head)
        return visit

    def leave(self, visit: _Visit) -> None:
        """Notes that a connection is closed."""
        self._visits.discard(visit)
        self._give_up_seat(visit)

    def _give_up_seat(self, visit: _Visit) -> None:
        if visit.is_seated:
            visit.is_seated = False
            self._waiting.pop(visit, None)
            self._seats.free(visit.address)

    def expect(self, visit: _Visit, what: str, seconds: float) -> None:
        """Notes what the other side is to complete; it has no more time for being slow at it."""
        if visit.is_seated and visit.expects != what:
            visit.expects = what
            visit.until = self._now() + seconds
            self._waiting.pop(visit, None)
            self._waiting[visit] = None

    def serve(self, visit: _Visit) -> None:
        """Notes that the other side has said all it has to, and waits for the app."""
        visit.expects = ""
        self._waiting.pop(visit, None)

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ends connections whose time is up, now and from now on."""
        now = self._now()
        for visit in list(self._visits):
            unsent = visit.transport.get_write_buffer_size()
            if not unsent or unsent != visit.unsent:
                visit.unsent, visit.moved = unsent, now
            late = visit.expects and now > visit.until
            if late or now - visit.moved > self.limits.taken:
                visit.transport.abort()
        loop.call_later(self.limits.every, self.watch, loop)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


class _Http(H11Protocol):
    """Uvicorn's protocol of requests, admitted first, with a time for each head and body.

    Always this one of its two, whatever else is installed: it bounds the size of a head.
    """

    def __init__(self, admission: _Admission, **given: Any) -> None:
        super().__init__(**given)
        self._admission = admission
        self._visit: _Visit | None = None
        self._is_open = False
        self._early = b""
        admission.arrive(self)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._visit = self._admission.enter(self, transport)
        if self._visit is None:
            if self._admission.ssl is None:
                transport.write(_FULL)
                transport.close()
            else:
                transport.abort()
        elif self._admission.ssl is None:
            self._open(transport, self._visit)
        else:
            self.tasks.add(task := self.loop.create_task(self._encrypt(transport, self._visit)))
            task.add_done_callback(self.tasks.discard)

    async def _encrypt(self, transport: asyncio.Transport, visit: _Visit) -> None:
        assert self._admission.ssl is not None
        try:
            secured = await self.loop.start_tls(
                transport, self, self._admission.ssl, server_side=True,
                ssl_handshake_timeout=self._admission.limits.head,
            )  # fmt: skip
        except (OSError, RuntimeError):
            secured = None
        if secured is None or secured.is_closing():
            self._admission.leave(visit)
            transport.abort()
            return
        self._open(secured, visit)
        early, self._early = self._early, b""
        if early:
            self.data_received(early)

    def _open(self, transport: asyncio.Transport, visit: _Visit) -> None:
        self._is_open = True
        super().connection_made(transport)
        self.ws_protocol_class = cast(
            "type[asyncio.Protocol]", partial(_WebSocket, self._admission, visit)
        )

    def connection_lost(self, exc: Exception | None) -> None:
        if self._visit is not None:
            self._admission.leave(self._visit)
        if self._is_open:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_open:
            super().data_received(data)
            self._keep_time()
        elif self._visit is not None:
            self._early += data

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._keep_time()

    def _keep_time(self) -> None:
        visit, limits = self._visit, self._admission.limits
        if visit is None or self.transport.get_protocol() is not self:
            return  # it has become a websocket
        if self.conn.their_state is h11.IDLE:
            self._admission.expect(visit, "head", limits.head)
        elif self.conn.their_state is h11.SEND_BODY:
            self._admission.expect(visit, "body", limits.body)
        else:
            self._admission.serve(visit)


class _WebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's protocol of websockets, with messages that are bounded by whose they are."""

    def __init__(self, admission: _Admission, visit: _Visit, **given: Any) -> None:
        super().__init__(**given)
        self._admission = admission
        self._visit = visit

    def connection_lost(self, exc: Exception | None) -> None:
        self._admission.leave(self._visit)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.abort()  # a head that this protocol does not understand
        elif self.frames or self.conn.reader.buffer:
            self._admission.expect(self._visit, "message", self._admission.limits.message)
        else:
            self._admission.serve(self._visit)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            whose = starting.person_of(HTTPConnection({**self.scope}).cookies)
            self.conn.max_message_size = MESSAGES[whose.role]

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MOST_PARTS:
            super().handle_cont(event)
        elif not self.close_sent:
            self.conn.fail(1009, f"a message has at most {MOST_PARTS} parts")
            self.handle_parser_exception()

    def handle_ping(self) -> None:
        # Whoever asks for heartbeats and takes none would have them kept here.
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
