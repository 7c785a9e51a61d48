"""Signing in with a real provider of the tests: the app, Streamlit's sign-in, a browser."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from playwright.sync_api import Browser, BrowserContext, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.browser.conftest import Server, open_tab, start
from tests.conftest import DEADLINE, free_port, wait_for

CLIENT, SECRET = "biaslab", secrets.token_urlsafe(16)


class Provider:
    """An OpenID provider that asks nobody for a password: whoever comes is `comes`.

    Authorization code flow (OpenID Connect Core 1.0, section 3.1).
    """

    def __init__(self) -> None:
        self._key = RSAKey.generate_key(2048, {"kid": "only"})
        self._nonces: dict[str, str] = {}
        self.comes: dict[str, Any] = {}
        routes = [
            Route("/.well-known/openid-configuration", self._about),
            Route("/authorize", self._authorize),
            Route("/token", self._token, methods=["POST"]),
            Route("/keys", self._keys),
        ]
        config = uvicorn.Config(Starlette(routes=routes), port=free_port(), log_level="warning")
        self._server = uvicorn.Server(config)
        self.address = f"http://localhost:{config.port}"

    @contextmanager
    def running(self) -> Iterator[Provider]:
        thread = threading.Thread(target=self._server.run, daemon=True)
        thread.start()
        wait_for(lambda: self._server.started)
        yield self
        self._server.should_exit = True
        thread.join()

    async def _about(self, _: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "jwks_uri": f"{self.address}/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    async def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        code = secrets.token_urlsafe(8)
        self._nonces[code] = asked.get("nonce", "")
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", status_code=302)

    async def _token(self, request: Request) -> Response:
        async with request.form() as form:
            nonce = self._nonces.pop(str(form["code"]))
        now = int(time.time())
        claims = {
            "iss": self.address, "aud": CLIENT, "iat": now, "exp": now + 3600, "nonce": nonce,
            **self.comes,
        }  # fmt: skip
        token = jwt.encode({"alg": "RS256", "kid": "only"}, claims, self._key)
        return JSONResponse({"access_token": "none", "token_type": "Bearer", "id_token": token})

    async def _keys(self, _: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider().running() as running:
        yield running


@pytest.fixture(scope="module")
def server(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app as a department has it: others may come, and teachers are hosts."""
    folder, port = tmp_path_factory.mktemp("app"), free_port()
    settings = folder / "secrets.toml"
    lines = [
        "[auth]",
        f'redirect_uri = "http://localhost:{port}/oauth2callback"',
        f'cookie_secret = "{secrets.token_urlsafe(32)}"',
        f'client_id = "{CLIENT}"',
        f'client_secret = "{SECRET}"',
        f'server_metadata_url = "{provider.address}/.well-known/openid-configuration"',
    ]
    settings.write_text("\n".join(lines), encoding="utf-8")
    process, running = start(
        folder / "runs.db", folder / "server.log", "--secrets.files", str(settings),
        port=port, BIASLAB_HOSTS="lab.example", BIASLAB_HOST_CLAIM="groups=teachers",
    )  # fmt: skip
    yield running
    process.terminate()
    process.wait(timeout=DEADLINE)


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    made = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    yield made
    made.close()


def signed_in(context: BrowserContext, server: Server, path: Path = Path("room")) -> Page:
    """A page of the app after somebody signed in."""
    tab = open_tab(context, server.address)
    tab.page.goto(f"{server.address}/{path}")
    tab.settled()
    tab.page.get_by_role("button", name="Sign in as a host").click()
    # The provider asks nothing and sends back at once, to the start page.
    tab.page.wait_for_url(f"{server.address}/")
    tab.settled()
    tab.page.goto(f"{server.address}/{path}")
    expect(tab.page.get_by_role("button", name="Sign out")).to_be_visible()
    return tab.page


def follow(page: Page, link: str) -> None:
    """Follows a link that opens in a tab of its own, until the app stands there."""
    with page.expect_popup() as opened:
        page.get_by_role("link", name=link).click()
    expect(opened.value.get_by_role("heading", level=1)).to_be_visible()


def test_somebody_whose_claim_says_so_becomes_a_host(
    provider: Provider, server: Server, context: BrowserContext
) -> None:
    provider.comes = {"sub": "anna", "groups": ["teachers"]}
    page = signed_in(context, server)
    follow(page, "Go on as a host")
    page.goto(f"{server.address}/room")
    expect(page.get_by_role("button", name="Open the room")).to_be_visible()
    # And no cookie of theirs says who they are but Streamlit's own
    (ours,) = (each for each in context.cookies() if each.get("name", "").startswith("biaslab-"))
    assert "anna" not in ours.get("value", "")
    assert ours.get("httpOnly")
    # And they can stop being a host
    page.goto(server.address)
    follow(page, "Stop being a host")
    page.goto(f"{server.address}/room")
    expect(page.get_by_text("may open a room and reveal its answers")).to_be_visible()


def test_anybody_else_is_told_that_they_are_none(
    provider: Provider, server: Server, context: BrowserContext
) -> None:
    provider.comes = {"sub": "ben", "groups": ["pupils"]}
    page = signed_in(context, server)
    expect(page.get_by_text("You are signed in, but not as somebody who is a host")).to_be_visible()
    expect(page.get_by_role("link", name="Go on as a host")).to_have_count(0)
    expect(page.get_by_role("button", name="Open the room")).to_have_count(0)


def test_a_sign_in_that_ended_makes_no_host(
    provider: Provider, server: Server, context: BrowserContext
) -> None:
    provider.comes = {"sub": "cem", "groups": ["teachers"], "exp": int(time.time()) - 10}
    tab = open_tab(context, server.address)
    tab.page.goto(f"{server.address}/room")
    tab.settled()
    tab.page.get_by_role("button", name="Sign in as a host").click()
    tab.page.wait_for_url(f"{server.address}/")
    tab.settled()
    tab.page.goto(f"{server.address}/room")
    tab.settled()
    expect(tab.page.get_by_role("link", name="Go on as a host")).to_have_count(0)
    expect(tab.page.get_by_text("may open a room and reveal its answers")).to_be_visible()
