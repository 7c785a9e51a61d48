"""The one layer in front of everything that the app answers: pages, files, websockets.

- **Host**: only names that were fixed at the start and the address that the connection came in
  on. A name that an attacker points at this computer (DNS rebinding) is none of them.
- **Origin**: where a browser says from which page a request comes, it has to be exactly this app:
  scheme, host and port. Streamlit's own check ignores ports, and asks an outside service for this
  computer's address where it does not know an origin.
- **Headers** that keep pages from being framed, guessed at, indexed, and from loading or telling
  anything elsewhere.
- **Bodies** of so many bytes, and files only from those who may give some in.
- **Addresses of Streamlit's own** that its pages need; its measurements and whatever else it brings
  are answered by nobody.
- **Websockets**, each of which costs a session, so many in all and from one address.

What is left unfinished never gets here: `biaslab.ui.serving.connections`, which this layer puts in
place, bounds that. Who somebody, is another matter: `biaslab.ui.serving.roles`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse

from biaslab.models.server.addresses import network_of
from biaslab.system.places import default_database
from biaslab.system.roles import TABLE, May, refusal
from biaslab.ui.serving import connections, starting
from biaslab.ui.serving.connections import Seats
from biaslab.ui.serving.page import script_hashes
from schoolmath.text.given_files import LARGEST

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from biaslab.ui.serving.roles import Visitor

UPLOADS = "/_stcore/upload_file/"
"""Where Streamlit takes files."""

LARGEST_BODY = 2**20
"""Most bytes of a request that brings no file."""

NEEDED = ("health", "host-config", "stream", "upload_file", "bidi-components")
"""What pages ask Streamlit for below ``/_stcore/``; all else there is closed."""

HOSTS_LARGEST = 16 * 2**20
"""Most bytes of a file of a host; Streamlit keeps each in the memory of this computer."""

_BESIDE_FILE = 2**20
"""What an upload may hold beside the file."""

VISITORS_SEATS = (300, 150)
"""Most websockets of those who prove nothing, in all and from one address: one for each tab."""

HOSTS_SEATS = (100, 50)
"""The same of everybody else, so that visitors take none of theirs."""

_CORE = "/_stcore/"

_SCHEMES = {"ws": "http", "wss": "https"}


class _TooLarge(Exception):
    """A body goes on beyond its limit."""


class Guard:
    """Answers what may be answered, and refuses everything else in a sentence."""

    def __init__(
        self,
        app: ASGIApp,
        names: Collection[str],
        person_of: Callable[[Mapping[str, str]], Visitor] = starting.person_of,
    ) -> None:
        """Puts the layer around an app.

        Args:
            app: what answers.
            names: hosts under which the app may be opened, in small letters, without port.
            person_of: whose cookies these are.
        """
        self._app = app
        self._names = frozenset(names)
        self._person_of = person_of
        self._seats = {True: Seats(*HOSTS_SEATS), False: Seats(*VISITORS_SEATS)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or takes a websocket."""
        if scope["type"] == "lifespan":
            await self._begin(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if scope["type"] == "websocket":
            if refusal:
                await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
            else:
                await self._seated(scope, receive, send)
            return
        await _answer(self._app, scope, receive, _with_headers(send), refusal, self._largest(scope))

    async def _begin(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Starts the app behind limited connections, or not at all."""
        try:
            connections.limit(receive)
        except connections.NoServer as error:
            await receive()
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await self._app(scope, receive, send)

    async def _seated(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Takes a websocket as long as there is room for one more."""
        whose = self._person_of(HTTPConnection(scope).cookies).role
        seats = self._seats[May.ROOM in TABLE[whose]]
        address = network_of((scope.get("client") or ("",))[0])
        if not seats.take(address):
            await send({"type": "websocket.close", "code": 1013, "reason": "full"})
            return
        try:
            await self._app(scope, receive, send)
        finally:
            seats.free(address)

    def _largest(self, scope: Scope) -> int:
        """Most bytes of a request."""
        if not scope["path"].startswith(UPLOADS):
            return LARGEST_BODY
        whose = self._person_of(HTTPConnection(scope).cookies).role
        return (LARGEST if May.CONNECT in TABLE[whose] else HOSTS_LARGEST) + _BESIDE_FILE

    def _refusal(self, scope: Scope) -> str:
        """Why this is not answered; empty where it is."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        name = _name(hosts[0]) if len(hosts) == 1 else ""
        if name not in self._names and name != _address_here(scope):
            return (
                "BiasLab is not opened under this name. Open it at the address shown where it was "
                "started, or start it with this name in BIASLAB_HOSTS."
            )
        scheme = _SCHEMES.get(scope["scheme"], scope["scheme"])
        own = f"{scheme}://{hosts[0]}".lower()
        if any(origin.lower() != own for origin in headers.getlist("origin")):
            return "BiasLab only answers its own pages, and this request came from another one."
        path = scope["path"]
        if path.startswith(_CORE) and path.removeprefix(_CORE).split("/")[0] not in NEEDED:
            return "This address is closed."
        if path.startswith(UPLOADS):
            person = self._person_of(HTTPConnection(scope).cookies)
            return refusal(May.KEEP, person.role) or _too_much(person, scope, headers)
        return ""


def _too_much(person: Visitor, scope: Scope, headers: Headers) -> str:
    """Why a day leaves somebody no room for a file; empty where it does, and notes its size."""
    if scope["method"] not in ("PUT", "POST") or May.CONNECT in TABLE[person.role]:
        return ""
    # Here, because nothing else that is served needs the file of runs.
    from biaslab.runs import hosting
    from biaslab.runs.errors import RunError, StoreError

    length = headers.get("content-length", "")
    if not length.isdecimal():
        return "A file is sent with its length."
    try:
        hosting.take(default_database(), person.name, hosting.HostUsage(size=int(length)))
    except (RunError, StoreError) as error:
        return str(error)
    return ""


async def _answer(
    app: ASGIApp, scope: Scope, receive: Receive, send: Send, refusal: str, most: int
) -> None:
    if refusal:
        await PlainTextResponse(f"{refusal}\n", status_code=403)(scope, receive, send)
        return
    # The origin was seen to be this app, so nobody behind needs to look whose it is.
    scope = dict(scope) | {"headers": [each for each in scope["headers"] if each[0] != b"origin"]}
    begun = False
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise _TooLarge
        return message

    async def begun_with(message: Message) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        await app(scope, bounded, begun_with)
    except _TooLarge:
        if not begun:
            sentence = f"A request may have at most {most // 2**20} MiB.\n"
            await PlainTextResponse(sentence, status_code=413)(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_headers())
        await send(message)

    return sending


@cache
def _headers() -> dict[str, str]:
    policy = {
        "default-src": "'self'",
        "script-src": f"'self' {script_hashes()}",
        # Streamlit, plotly and the tables put styles into elements.
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "connect-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        # Forms that are posted say then that they come from nowhere ("null") and are refused:
        # post by fetch.
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex, nofollow",
    }


def _name(host: str) -> str:
    """The name in a Host header in small letters; empty where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises where it is no number
    except ValueError:
        return ""
    plain = parts.netloc == host and "@" not in host
    return (parts.hostname or "") if plain else ""


def _address_here(scope: Scope) -> str:
    """The address of this computer that the connection came in on."""
    address = ip_address((scope.get("server") or ("127.0.0.1",))[0].split("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
