from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import OPENAI_URL, TYPED_KEY, Access, ModelError, identify, open_model
from biaslab.models.server import BadAddress, MissingKey, ServerModel, read_key
from biaslab.models.server.addresses import base_urls, is_loopback, is_openai, normal_url
from biaslab.models.server.keys import bind

LOCAL = "http://localhost:8000/v1"


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        (" http://localhost:8000/v1/ ", LOCAL),
        ("HTTP://LocalHost:8000/v1", LOCAL),
        ("https://api.openai.com:443/v1", OPENAI_URL),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("https://host", "https://host"),
    ],
)
def test_an_address_is_written_in_one_way(given: str, normal: str) -> None:
    assert normal_url(given) == normal
    assert normal_url(normal) == normal


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "is empty"),
        ("localhost:8000", "with http://"),
        ("ftp://host/v1", "with http://"),
        ("http://a b/v1", "with http://"),
        ("http://host:port/v1", "cannot be read"),
        ("http://me:secret@host/v1", "user name or password"),
        ("http://host/v1?key=secret", "goes on after its path"),
    ],
)
def test_what_is_no_address_is_refused_and_no_secret_in_it_is_shown(given: str, words: str) -> None:
    with pytest.raises(BadAddress, match=words) as caught:
        normal_url(given)
    assert "secret" not in str(caught.value)


@given(st.text())
def test_an_address_that_is_not_refused_is_in_its_final_form(text: str) -> None:
    try:
        once = normal_url(text)
    except BadAddress:
        return
    assert normal_url(once) == once


def test_no_address_means_openai_and_each_address_counts_once() -> None:
    assert base_urls(Access()) == (OPENAI_URL,)
    assert base_urls(Access((LOCAL, f"{LOCAL}/"))) == (LOCAL,)


def test_this_machine_and_openai_are_known() -> None:
    assert all(map(is_loopback, (LOCAL, "http://127.0.0.2/v1", "http://[::1]/v1")))
    assert not is_loopback("http://10.0.0.1/v1")
    assert is_openai(OPENAI_URL)
    assert is_openai("https://eu.api.openai.com/v1")
    for other in ("http://api.openai.com/v1", "https://api.openai.com.evil.org/v1", LOCAL):
        assert not is_openai(other)


def test_openais_key_is_for_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert read_key(Access()) == "sk-openai"
    assert read_key(Access((LOCAL,))) == ""
    assert read_key(Access((OPENAI_URL, LOCAL))) == ""


def test_a_typed_key_is_used_where_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    monkeypatch.setenv(TYPED_KEY, "sk-typed\n")
    monkeypatch.setenv("MINE", "sk-mine")
    bind("MINE", [LOCAL])
    assert read_key(Access()) == "sk-typed"
    assert read_key(Access((LOCAL,))) == "sk-typed"
    assert read_key(Access((LOCAL,), key_env="MINE")) == "sk-mine"


def test_a_missing_key_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingKey, match="set the environment variable OPENAI_API_KEY"):
        read_key(Access())
    with pytest.raises(MissingKey, match="variable MINE is to hold"):
        read_key(Access((LOCAL,), key_env="MINE"))
    monkeypatch.setenv("MINE", "“sk-quoted”")
    with pytest.raises(MissingKey, match="cannot be a key") as caught:
        read_key(Access((LOCAL,), key_env="MINE"))
    assert "sk-quoted" not in str(caught.value)


def test_a_servers_model_is_opened_without_asking_anything() -> None:
    model = open_model("openai:gpt-x", access=Access((LOCAL,)))
    assert isinstance(model, ServerModel)
    assert model.identity == identify("openai:gpt-x", access=Access((LOCAL,)))
    assert model.identity.spec == "openai:gpt-x"
    assert len(model.identity.revision) == 16


def test_identity_is_the_first_address_the_way_of_writing_and_the_served_name() -> None:
    from biaslab.models import Endpoint

    def revision(name: str = "m", **access: object) -> str:
        settings: dict[str, object] = {"base_urls": (LOCAL,), **access}
        return identify(f"openai:{name}", access=Access(**settings)).revision  # type: ignore[arg-type]

    same = revision()
    assert revision(base_urls=(f"{LOCAL}/", "http://other/v1")) == same
    assert revision(key_env="KEY", at_once=3, processes=2) == same
    assert revision(served="m") == same
    different = {
        same,
        revision(base_urls=("http://other/v1",)),
        revision(endpoint=Endpoint.COMPLETIONS),
        revision(served="m-2"),
        revision("n"),
    }
    assert len(different) == 5


@pytest.mark.parametrize("wrong", [{"at_once": 0}, {"at_once": 100_000}, {"processes": 0}])
def test_senseless_access_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ModelError):
        open_model("openai:m", access=Access((LOCAL,), **wrong))  # type: ignore[arg-type]


def test_a_name_is_needed() -> None:
    with pytest.raises(ModelError, match="openai:NAME"):
        open_model("openai:")
