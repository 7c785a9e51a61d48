"""Who somebody is to this app: proved by a signed cookie, never by an address or a header.

Whoever starts the app gets an address with a token that is made anew for every start (see
`biaslab.ui.serving.starting`). Opening it gives their browser a cookie with a signed role, and
scripts read that. Addresses prove nothing: a proxy makes everybody look local, and headers are the
visitor's own words. What each role may do says `biaslab.system.roles`.

A second token makes a host. Whoever signed in and may host is given a grant, a token that is good
for ten minutes (`biaslab.ui.widgets.visitor`), so that there is one proof for scripts and routes:
the cookie.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from biaslab.system.places import beside_runs, write_private
from biaslab.system.roles import Role

if TYPE_CHECKING:
    from starlette.requests import Request

TOKEN_VARIABLE = "BIASLAB_TOKEN"
"""Environment variable that fixes the token, for tests and for programs that start the app."""

HOST_VARIABLE = "BIASLAB_HOST_TOKEN"
"""Environment variable that fixes the token of hosts."""

SHORTEST_TOKEN = 16
"""Fewer signs than this could be guessed."""

START = "/start"
"""Path that takes the token."""

_PAGE = re.compile(r"[a-z_]{1,40}")
"""The address of a page: nothing that leads elsewhere."""

_LASTS = 7 * 24 * 3600
"""Seconds after which a role has to be proved again; the cookie itself ends with the browser."""

_GRANT_LASTS = 600
"""Seconds in which a grant is to be taken."""

_TICKET_LASTS = 60.0
"""Seconds in which a ticket is to be taken."""

_tickets: dict[str, float] = {}
"""Those that nobody brought yet, and until when they may."""


class Visitor(NamedTuple):
    """Somebody, as their cookies prove.

    Attributes:
        role: who they are to the app.
        name: of a host, tells one from another: drawn by lot where they opened the address for
            hosts, a keyed digest of who they are where they signed in. Else empty.
    """

    role: Role
    name: str = ""


_NOBODY = Visitor(Role.VISITOR)


class ShortToken(Exception):
    """The token that was fixed could be guessed."""


@cache
def start_token() -> str:
    """The token of this start for the person here: the fixed one, else one made anew.

    Raises:
        ShortToken: one was fixed and is too short.
    """
    return _token(TOKEN_VARIABLE)


@cache
def host_token() -> str:
    """The token of this start for hosts: the fixed one, else one made anew.

    Raises:
        ShortToken: one was fixed and is too short, or is that of the person here.
    """
    token = _token(HOST_VARIABLE)
    if token == start_token():
        raise ShortToken(
            f"{HOST_VARIABLE} and {TOKEN_VARIABLE} are the same, so every host would be the person "
            "at this computer. Set two different ones."
        )
    return token


def _token(variable: str) -> str:
    fixed = os.environ.get(variable, "")
    if 0 < len(fixed) < SHORTEST_TOKEN:
        raise ShortToken(
            f"The token in {variable} has {len(fixed)} of the {SHORTEST_TOKEN} signs that it "
            "needs, so it could be guessed. Set a longer one, or none: then every start makes its "
            "own."
        )
    return fixed or secrets.token_urlsafe(32)


def cookie_name(port: int) -> str:
    """Cookies do not tell ports apart, so their names do."""
    return f"biaslab-{port}"


def person_of(cookies: Mapping[str, str], port: int) -> Visitor:
    """Who somebody's cookies prove they are.

    Args:
        cookies: as the browser sent them.
        port: on which this app is served.
    """
    try:
        role, until, name = _signer().loads(cookies.get(cookie_name(port), ""), max_age=_LASTS)
        person = Visitor(Role(role), str(name))
        return person if until is None or time.time() < until else _NOBODY
    except (BadData, ValueError, TypeError):
        return _NOBODY


def role_of(cookies: Mapping[str, str], port: int) -> Role:
    """The role that somebody's cookies prove; see `person_of`."""
    return person_of(cookies, port).role


async def start(request: Request) -> Response:
    """The route `START`: takes the token, gives the role, and goes on to a page of the app.

    It is the start page unless the address names another one.
    """
    port = request.scope["server"][1]
    given = _given(request.query_params.get("token", ""))
    if given is None:
        return PlainTextResponse(
            "This address is of another start of BiasLab, or incomplete. Open the one that "
            "“biaslab addresses” shows at the computer that runs it.\n",
            status_code=403,
            headers={"Cache-Control": "no-store"},
        )
    page = request.query_params.get("page", "")
    onwards = f"/{page}" if _PAGE.fullmatch(page) else "/"
    answer = RedirectResponse(onwards, status_code=303, headers={"Cache-Control": "no-store"})
    person, until = given
    before = person_of(request.cookies, port)
    if person.role is Role.VISITOR:
        answer.delete_cookie(cookie_name(port), httponly=True, samesite="strict")
        return answer
    # A link from elsewhere does not take from the person here what they are, and opening the
    # address for hosts once more makes no new host.
    if person.role is Role.HERE or before.role is not Role.HERE:
        if person.role is Role.HOST and not person.name:
            person = Visitor(Role.HOST, before.name or secrets.token_hex(8))
        answer.set_cookie(
            cookie_name(port),
            signed(person.role, until, person.name),
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
    return answer


def ticket() -> str:
    """A token that makes the person here of the first who brings it: good once, for a minute.

    It opens the browser, whose command line everybody at this computer can read.
    """
    made = secrets.token_urlsafe(32)
    _tickets[made] = time.monotonic() + _TICKET_LASTS
    return made


def _given(token: str) -> tuple[Visitor, float | None] | None:
    """Whom a token makes somebody, and until when; None where it is none."""
    if time.monotonic() < _tickets.pop(token, 0.0):
        return Visitor(Role.HERE), None
    for own, role in ((start_token(), Role.HERE), (host_token(), Role.HOST)):
        if secrets.compare_digest(token.encode(), own.encode()):
            return Visitor(role), None
    try:
        role, until, name = _granter().loads(token, max_age=_GRANT_LASTS)
        return Visitor(Role(role), str(name)), float(until)
    except (BadData, ValueError, TypeError):
        return None


def signed(role: Role, until: float | None = None, name: str = "") -> str:
    """A cookie's value that proves a role, also after the app was started again.

    Args:
        role: which.
        until: when it ends, seconds since 1970, if before the days that every role lasts.
        name: of a host, as in `Visitor`.
    """
    return _signer().dumps([str(role), until, name])


def grant(role: Role, until: float, who: str) -> str:
    """A token for `START` that gives somebody a role; good for ten minutes.

    Args:
        role: which; that of a visitor takes a host's away.
        until: when the role ends, seconds since 1970.
        who: what tells them from others; no cookie, token or file holds more of it than a digest
            that is made with the signing secret.
    """
    return _granter().dumps([str(role), until, _digest(who)])


def _digest(who: str) -> str:
    key = b"".join(_signer().secret_keys)
    return hmac.new(key, who.encode(), "sha256").hexdigest()[:16]


@cache
def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(_secret(beside_runs("signing-secret")), salt="biaslab role")


def _granter() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(_signer().secret_keys, salt="biaslab grant")


def _secret(path: Path) -> str:
    """Kept for the next start; where it cannot be kept, roles end with this one."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        kept = path.read_text(encoding="ascii")
        if len(kept) >= SHORTEST_TOKEN:
            return kept
    secret = secrets.token_urlsafe(32)
    with contextlib.suppress(OSError):
        write_private(path, secret)
    return secret
