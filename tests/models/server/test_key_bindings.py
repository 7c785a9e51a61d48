"""A key in a variable goes to servers that it is bound to, and to no others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from biaslab.models import OPENAI_URL, TYPED_KEY, Access, GenerationRequest, Message, open_model
from biaslab.models.server import read_key
from biaslab.models.server.batches import BatchClient
from biaslab.models.server.keys import UnboundKey, bind, bound, check_bound, unbind
from biaslab.models.server.probe.listing import list_served
from biaslab.models.server.probe.probing import probe
from tests.servers.faulty import FaultyServer

SECRET = "planted-secret-4711"
LOCAL = "http://localhost:8000/v1"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    for name in ("PLANTED", "OPENAI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.setenv(name, SECRET)
    return tmp_path / "key-bindings.json"


@pytest.mark.parametrize(
    ("variable", "url"),
    [
        ("OPENAI_API_KEY", OPENAI_URL),
        ("OPENAI_API_KEY", "https://eu.api.openai.com/v1"),
        ("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
        (TYPED_KEY, LOCAL),
        ("", LOCAL),
    ],
)
def test_a_providers_variable_is_bound_to_the_provider(variable: str, url: str) -> None:
    check_bound(Access((url,), key_env=variable))


@pytest.mark.parametrize(
    ("variable", "url"),
    [
        ("PLANTED", OPENAI_URL),
        ("PLANTED", LOCAL),
        ("OPENAI_API_KEY", "http://api.openai.com/v1"),
        ("OPENAI_API_KEY", "https://api.openai.com.evil.example/v1"),
        ("OPENAI_API_KEY", LOCAL),
        ("OPENROUTER_API_KEY", OPENAI_URL),
        ("OPENROUTER_API_KEY", "https://openrouter.ai:8443/api/v1"),
    ],
)
def test_any_other_pair_is_refused_with_what_to_do(variable: str, url: str) -> None:
    with pytest.raises(UnboundKey, match=f"--key-env {variable} with --base-url") as refused:
        read_key(Access((url,), key_env=variable))
    assert SECRET not in str(refused.value)


def test_a_binding_is_of_one_variable_and_one_server(place: Path) -> None:
    bind("PLANTED", ["HTTP://LocalHost:8000/v1/"])
    assert read_key(Access((LOCAL,), key_env="PLANTED")) == SECRET
    assert read_key(Access(("http://localhost:8000/other",), key_env="PLANTED")) == SECRET
    for access in (
        Access(("http://localhost:8001/v1",), key_env="PLANTED"),
        Access(("https://localhost:8000/v1",), key_env="PLANTED"),
        Access((LOCAL, "http://elsewhere/v1"), key_env="PLANTED"),
        Access((LOCAL,), key_env="OPENAI_API_KEY"),
    ):
        with pytest.raises(UnboundKey):
            read_key(access)
    assert SECRET not in place.read_text()


def test_bindings_add_up() -> None:
    bind("PLANTED", [LOCAL])
    bind("PLANTED", ["http://elsewhere/v1"])
    bind("OPENAI_API_KEY", [LOCAL])
    check_bound(Access((LOCAL, "http://elsewhere/v1"), key_env="PLANTED"))
    check_bound(Access((LOCAL,), key_env="OPENAI_API_KEY"))


def test_what_was_allowed_can_be_taken_back_and_nothing_else_goes_with_it() -> None:
    bind("PLANTED", [LOCAL, "http://elsewhere/v1"])
    bind("OPENAI_API_KEY", [LOCAL])
    for never_allowed in (("OTHER", "http://localhost:8000"), ("PLANTED", "http://nowhere")):
        unbind(*never_allowed)
    unbind("PLANTED", "http://localhost:8000")
    assert bound() == [
        ("OPENAI_API_KEY", "http://localhost:8000"),
        ("PLANTED", "http://elsewhere"),
    ]
    with pytest.raises(UnboundKey):
        read_key(Access((LOCAL,), key_env="PLANTED"))
    unbind("PLANTED", "http://elsewhere")
    bind("PLANTED", [LOCAL])
    assert read_key(Access((LOCAL,), key_env="PLANTED")) == SECRET


@pytest.mark.parametrize("content", ["", "[", "[]", '{"PLANTED": 3}', '{"PLANTED": [3]}'])
def test_a_damaged_file_allows_nothing(content: str, place: Path) -> None:
    place.write_text(content)
    with pytest.raises(UnboundKey):
        read_key(Access((LOCAL,), key_env="PLANTED"))


def ask_once(access: Access) -> None:
    model = open_model("openai:faulty", access=replace(access, served="faulty"))
    list(model.generate([GenerationRequest((Message("user", "What is 3 + 4?"),))]))


def test_nothing_is_sent_to_a_server_that_the_key_is_not_bound_to(server: FaultyServer) -> None:
    access = Access((server.url,), key_env="PLANTED")
    found = probe("faulty", access.base_urls, access.key_env)
    assert "Nobody has allowed" in found.problems[0]
    assert "Nobody has allowed" in list_served(server.url, access.key_env).problem
    with pytest.raises(UnboundKey):
        BatchClient("faulty", access)
    with pytest.raises(UnboundKey):
        ask_once(access)
    assert not server.asked
