"""Who looks at a page."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from biaslab.ui.serving import roles, starting
from biaslab.ui.serving.roles import Role, Visitor, cookie_name, grant, role_of, signed
from biaslab.ui.widgets import visitor

PORT = 8501


@pytest.fixture(autouse=True)
def fresh_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    for kept in (roles._signer, roles.start_token, roles.host_token):
        kept.cache_clear()


def given(token: str) -> Visitor:
    """Whom a token makes somebody."""
    found = roles._given(token)
    assert found is not None
    return found[0]


def comes(monkeypatch: pytest.MonkeyPatch, url: str | None, **cookies: str) -> None:
    context = SimpleNamespace(url=url, cookies=cookies, ip_address=None)
    streamlit = SimpleNamespace(context=context, get_option=lambda _: PORT)
    monkeypatch.setattr(visitor, "st", streamlit)


@pytest.mark.parametrize("url", ["http://localhost:8501/models", "https://lab.example.org/", None])
def test_an_address_never_makes_somebody_the_person_at_this_computer(
    url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    comes(monkeypatch, url)
    assert not visitor.is_here()
    comes(monkeypatch, url, **{cookie_name(PORT): signed(Role.HERE)})
    assert visitor.is_here()


def test_where_no_browser_asks_the_program_acts_for_the_person_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    comes(monkeypatch, None)
    assert visitor.acting() is Role.HERE
    monkeypatch.setattr(visitor, "get_script_run_ctx", lambda **_: object())
    assert visitor.acting() is Role.NEAR


@pytest.mark.parametrize(
    ("url", "overheard"),
    [
        ("http://localhost:8501/models", False),
        (None, False),
        ("http://192.168.1.5:8501/models", True),
        ("https://lab.example.org/models", False),
    ],
)
def test_what_is_typed_over_plain_http_is_overheard(
    url: str | None, overheard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    comes(monkeypatch, url)
    assert visitor.is_overheard() is overheard


@pytest.mark.parametrize(
    ("address", "shared"),
    [("localhost", False), ("127.0.0.1", False), ("0.0.0.0", True), ("", True)],
)
def test_an_app_that_takes_visitors_is_known(
    address: str, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "st", SimpleNamespace(get_option=lambda _: address))
    assert visitor.is_shared() is shared


class TestRoles:
    def test_a_cookie_is_of_one_port(self) -> None:
        cookies = {cookie_name(PORT): signed(Role.HERE)}
        assert role_of(cookies, PORT) is Role.HERE
        assert role_of(cookies, PORT + 1) is Role.VISITOR

    @pytest.mark.parametrize("value", ["", "here", "here.x.y", "ImhlcmUi.aaaaaa.bbbb"])
    def test_a_cookie_that_nobody_signed_proves_nothing(self, value: str) -> None:
        assert role_of({cookie_name(PORT): value}, PORT) is Role.VISITOR

    def test_a_role_ends_when_the_sign_in_does_that_gave_it(self) -> None:
        cookies = {cookie_name(PORT): signed(Role.HOST, time.time() + 60)}
        assert role_of(cookies, PORT) is Role.HOST
        cookies = {cookie_name(PORT): signed(Role.HOST, time.time() - 1)}
        assert role_of(cookies, PORT) is Role.VISITOR

    def test_a_grant_is_no_cookie_and_a_cookie_no_grant(self) -> None:
        granted = grant(Role.HERE, time.time() + 60, "somebody")
        assert role_of({cookie_name(PORT): granted}, PORT) is Role.VISITOR
        assert given(granted).role is Role.HERE
        assert roles._given(signed(Role.HERE, time.time() + 60)) is None

    def test_hosts_are_told_apart_by_a_name_that_tells_nothing_of_them(self) -> None:
        one, other, again = (
            roles._given(grant(Role.HOST, time.time() + 60, each))[0].name
            for each in (
                "https://a.example anna",
                "https://a.example ben",
                "https://a.example anna",
            )
        )
        assert one == again != other
        assert not {"anna", "a.example"} & {one, other}
        cookies = {cookie_name(PORT): signed(Role.HOST, None, one)}
        assert roles.person_of(cookies, PORT) == (Role.HOST, one)

    def test_a_changed_cookie_proves_nothing(self) -> None:
        value = signed(Role.HERE)
        for at in range(len(value)):
            changed = value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :]
            if role_of({cookie_name(PORT): changed}, PORT) is Role.HERE:
                # The last sign of base64 has bits that mean nothing.
                assert at == len(value) - 1

    def test_another_start_with_the_same_secret_keeps_the_role(self) -> None:
        value = signed(Role.HERE)
        roles._signer.cache_clear()
        assert role_of({cookie_name(PORT): value}, PORT) is Role.HERE

    def test_another_secret_ends_all_roles(self, tmp_path: Path) -> None:
        value = signed(Role.HERE)
        (tmp_path / "signing-secret").unlink()
        roles._signer.cache_clear()
        assert role_of({cookie_name(PORT): value}, PORT) is Role.VISITOR

    def test_the_secret_is_for_its_owner_alone(self, tmp_path: Path) -> None:
        signed(Role.HERE)
        assert (tmp_path / "signing-secret").stat().st_mode & 0o077 == 0

    def test_where_no_secret_can_be_kept_roles_work_until_the_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").touch()
        monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "file" / "runs.db"))
        roles._signer.cache_clear()
        assert role_of({cookie_name(PORT): signed(Role.HERE)}, PORT) is Role.HERE


@pytest.mark.parametrize(
    ("given", "host"),
    [
        ("lab.example.org", "lab.example.org"),
        ("https://Lab.Example.org:8443/", "lab.example.org"),
        ("192.168.1.5:8501", "192.168.1.5"),
        ("[fe80::1]", "fe80::1"),
    ],
)
def test_further_hosts_are_named_as_people_write_them(
    given: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIASLAB_HOSTS", f"one.example, {given}")
    assert {"one.example", host, "localhost"} <= starting.names()


@pytest.mark.parametrize(
    ("address", "hosts", "role"),
    [
        ("localhost", "", Role.NEAR),
        ("0.0.0.0", "", Role.VISITOR),
        ("", "", Role.VISITOR),
        ("localhost", "lab.example.org", Role.VISITOR),
    ],
    ids=["only here", "network", "everywhere", "behind a proxy"],
)
def test_who_proves_nothing_is_near_only_where_nobody_else_can_come(
    address: str, hosts: str, role: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"server.address": address, "server.port": PORT}
    monkeypatch.setattr(starting, "st", SimpleNamespace(get_option=options.__getitem__))
    monkeypatch.setenv("BIASLAB_HOSTS", hosts)
    assert starting.role_of({}) is role
    assert starting.role_of({cookie_name(PORT): signed(Role.HOST)}) is Role.HOST


def test_the_token_of_hosts_is_another_than_that_of_the_person_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BIASLAB_HOST_TOKEN", "one-token-for-everything")
    monkeypatch.setenv("BIASLAB_TOKEN", "one-token-for-everything")
    roles.start_token.cache_clear()
    roles.host_token.cache_clear()
    with pytest.raises(roles.ShortToken, match="are the same"):
        roles.host_token()
