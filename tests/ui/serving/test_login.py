"""Who becomes a host by signing in."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from biaslab.system.roles import Role
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.visitor import HostClaim, host_claim
from tests.loops import over
from tests.ui.conftest import Visit, words

LATER = time.time() + 3600
TEACHERS = HostClaim("groups", "teachers")


@pytest.mark.parametrize(
    ("claim", "claims"),
    [
        (TEACHERS, {"groups": ["pupils", "teachers"]}),
        (TEACHERS, {"groups": "teachers"}),
        (HostClaim("realm_access.roles", "host"), {"realm_access": {"roles": ["host"]}}),
        (HostClaim("https://a.example/r", "host"), {"https://a.example/r": ["host"]}),
        (HostClaim("email", "a@b.example"), {"email": "a@b.example", "email_verified": True}),
    ],
)
def test_a_claim_that_holds_the_value_makes_a_host_as_long_as_the_token_lasts(
    claim: HostClaim, claims: dict[str, Any]
) -> None:
    assert claim.until({**claims, "exp": LATER}) == LATER


@over(
    "claims",
    [
        {"groups": ["teachers"]},
        {"groups": ["teachers"], "exp": time.time() - 1},
        {"groups": ["teachers"], "exp": "never"},
        {"groups": ["teachers"], "exp": True},
        {"groups": ["former teachers"], "exp": LATER},
        {"groups": "former teachers", "exp": LATER},
        {"groups": {"teachers": True}, "exp": LATER},
        {"groups": None, "exp": LATER},
        {"exp": LATER},
    ],
)
def test_nothing_else_does(claims: dict[str, Any]) -> None:
    assert not TEACHERS.until(claims)


def test_an_address_of_mail_that_nobody_verified_does_not() -> None:
    claim = HostClaim("email", "a@b.example")
    assert not claim.until({"email": "a@b.example", "exp": LATER})
    assert not claim.until({"email": "a@b.example", "email_verified": "true", "exp": LATER})


@pytest.mark.parametrize("given", ["", "groups", "groups=", "=teachers"])
def test_half_a_claim_is_none(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(visitor.CLAIM_VARIABLE, given)
    assert host_claim() is None


class _Secrets(dict[str, object]):
    def load_if_toml_exists(self) -> bool:
        return True


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("user", "buttons"),
    [
        ({}, ["Sign in as a host"]),
        ({"groups": ["teachers"], "exp": LATER}, ["Sign out"]),
        ({"groups": ["pupils"], "exp": LATER}, ["Sign out"]),
    ],
)
def test_a_page_that_is_for_hosts_offers_to_become_one(
    user: dict[str, Any], buttons: list[str], visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    import streamlit

    monkeypatch.setenv(visitor.CLAIM_VARIABLE, "groups=teachers")
    monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
    signed_in = SimpleNamespace(is_logged_in=bool(user), to_dict=lambda: user)
    monkeypatch.setattr(streamlit, "user", signed_in)
    monkeypatch.setattr(streamlit, "secrets", _Secrets(auth={}))
    app = visit("compose")
    assert [button.label for button in app.button] == buttons
    ways = [each.proto for each in app.get("link_button")]
    assert bool(ways) is ("teachers" in user.get("groups", ()))
    assert all(way.url.startswith("/start?token=") for way in ways)
    assert ("not as somebody who is a host" in words(app)) is ("pupils" in user.get("groups", ()))
