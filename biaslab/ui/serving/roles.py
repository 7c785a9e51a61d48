"""Who somebody is to this app: proved by a signed cookie, never by an address or a header.

Whoever starts the app gets an address with a token that is made anew for every start (see
`biaslab.ui.serving.starting`). Opening it gives their browser a cookie with a signed role, and
scripts read that. Addresses prove nothing: a proxy makes everybody look local, and headers are the
visitor's own words. Further roles are further members of `Role`, given by routes of their own.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from biaslab.places import beside_runs

if TYPE_CHECKING:
    from starlette.requests import Request

TOKEN_VARIABLE = "BIASLAB_TOKEN"
"""Environment variable that fixes the token, for tests and for programs that start the app."""

SHORTEST_TOKEN = 16
"""Fewer signs than this could be guessed."""

START = "/start"
"""Path that takes the token."""

_PAGE = re.compile(r"[a-z_]{1,40}")
"""The address of a page: nothing that leads elsewhere."""

_LASTS = 7 * 24 * 3600
"""Seconds after which a role has to be proved again; the cookie itself ends with the browser."""


class Role(StrEnum):
    """What somebody may do here."""

    VISITOR = "visitor"
    """Whoever proves nothing."""
    HERE = "here"
    """The person at the computer that runs the app, whose keys, files and money are at stake."""


class ShortToken(Exception):
    """The token that was fixed could be guessed."""


@cache
def start_token() -> str:
    """The token of this start: the fixed one, else one made anew.

    Raises:
        ShortToken: one was fixed and is too short.
    """
    fixed = os.environ.get(TOKEN_VARIABLE, "")
    if 0 < len(fixed) < SHORTEST_TOKEN:
        raise ShortToken(
            f"The token in {TOKEN_VARIABLE} has {len(fixed)} of the {SHORTEST_TOKEN} signs that it "
            "needs, so it could be guessed. Set a longer one, or none: then every start makes its "
            "own."
        )
    return fixed or secrets.token_urlsafe(32)


def cookie_name(port: int) -> str:
    """Cookies do not tell ports apart, so their names do."""
    return f"biaslab-{port}"


def role_of(cookies: Mapping[str, str], port: int) -> Role:
    """The role that somebody's cookies prove.

    Args:
        cookies: as the browser sent them.
        port: on which this app is served.
    """
    try:
        return Role(_signer().loads(cookies.get(cookie_name(port), ""), max_age=_LASTS))
    except (BadData, ValueError):
        return Role.VISITOR


async def start(request: Request) -> Response:
    """The route `START`: takes the token, gives the role, and goes on to a page of the app.

    It is the start page unless the address names another one.
    """
    given = request.query_params.get("token", "")
    if not secrets.compare_digest(given.encode(), start_token().encode()):
        return PlainTextResponse(
            "This address is of another start of BiasLab, or incomplete. Open the one that stands "
            "where BiasLab was started last.\n",
            status_code=403,
            headers={"Cache-Control": "no-store"},
        )
    page = request.query_params.get("page", "")
    onwards = f"/{page}" if _PAGE.fullmatch(page) else "/"
    answer = RedirectResponse(onwards, status_code=303, headers={"Cache-Control": "no-store"})
    answer.set_cookie(
        cookie_name(request.scope["server"][1]),
        signed(Role.HERE),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


def signed(role: Role) -> str:
    """A cookie's value that proves a role for some days, also after the app was started again."""
    return _signer().dumps(str(role))


@cache
def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(_secret(beside_runs("signing-secret")), salt="biaslab role")


def _secret(path: Path) -> str:
    """Kept for the next start; where it cannot be kept, roles end with this one."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        kept = path.read_text(encoding="ascii")
        if len(kept) >= SHORTEST_TOKEN:
            return kept
    secret = secrets.token_urlsafe(32)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(opened, "w", encoding="ascii") as file:  # noqa: PTH123 - opened for us alone
            file.write(secret)
        part.replace(path)
    return secret
