"""Models: who can be asked, and connecting a server."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models import TYPED_KEY, Access
from biaslab.models.access import Endpoint
from biaslab.models.server.capabilities import (
    Capabilities,
    EndpointFound,
    Proof,
    Scoring,
    Seed,
    SystemMessage,
    Thinking,
)
from biaslab.models.server.key_bindings import bind, bound
from biaslab.models.server.nearby import Nearby
from biaslab.models.tiny.model import DEFAULT_NAME, tiny_names
from biaslab.roles import Role
from biaslab.runs import Connection, connections, open_store, remember
from biaslab.ui.models import probing, server_found, server_nearby
from biaslab.ui.models.server_presets import PRESETS
from biaslab.ui.widgets import visitor
from tests.servers.running import running
from tests.ui.conftest import Visit, ask_writer, links, words

KEY = "sk-planted-51c7e0ffee"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a real server over the tiny model, without ``/v1``."""
    with running("tests.servers.tiny_server") as address:
        yield address


@pytest.fixture(autouse=True)
def at_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's test runner has a visitor from nowhere."""
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)


@pytest.fixture(autouse=True)
def nearby(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets where a program of this computer usually answers; nowhere unless a test says so."""
    (ollama,) = [each for each in PRESETS if each.name == "ollama"]

    def at(*urls: str) -> None:
        monkeypatch.setattr(server_nearby, "usual", lambda: [replace(ollama, url=u) for u in urls])
        server_nearby.found_nearby.clear()

    at("http://localhost:1/v1")
    return at


def _tested(visit: Visit, **address: str) -> AppTest:
    """The page after “Test the connection”."""
    app = visit("models", **{"preset": "other", **address})
    return app.button(key="test").click().run()


def _errors(app: AppTest) -> str:
    return re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", "\n".join(error.value for error in app.error))


def _kept(path: Path) -> list[Connection]:
    with open_store(path) as store:
        return connections(store)


def _remembered(path: Path, name: str, url: str = "http://localhost:1/v1") -> Connection:
    """A server that was tested, as a file has it; nothing answers there."""
    found = EndpointFound(Endpoint.CHAT, works=True, served=name, answer="8", seconds=0.2)
    capabilities = Capabilities(name, (url,), True, (), Endpoint.CHAT, name, found=(found,))
    connection = Connection(f"openai:{name}", Access((url,), Endpoint.CHAT, name), capabilities)
    with open_store(path) as store:
        remember(store, connection)
    return connection


# What is there to begin with


@pytest.mark.usefixtures("empty")
def test_the_first_thing_to_do_is_to_connect_a_server(visit: Visit) -> None:
    app = visit("models")
    (primary,) = [button for button in app.button if button.proto.type == "primary"]
    assert primary.label == "Test the connection"
    assert "Connect one with the form" in words(app)


@pytest.mark.usefixtures("empty")
def test_what_comes_with_the_app_can_be_asked_at_once(visit: Visit) -> None:
    app = visit("models")
    asked = [f"{link.proto.page}?{link.proto.query_string}" for link in app.get("page_link")]
    assert "compose?model=tiny%3Abalanced&strategy=cot&steps=1-3" in asked
    assert "compose?model=tiny%3Askewed&strategy=cot&steps=1-3&operations=additive" in asked
    found = links(app)
    assert found["A beginner"] == "compose?model=learner%3Anovice"


def test_a_directory_that_was_asked_before_is_listed(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        ask_writer(store, "15")
    app = visit("models")
    assert links(app)["writer"] == "models?model=local%3A%2Fmodels%2Fwriter"
    assert "Language model · not available" in words(app)


def test_a_server_that_answers_on_this_computer_is_connected_by_one_click(
    empty: Path, server: str, nearby: Callable[..., None], visit: Visit
) -> None:
    nearby(f"{server}/v1")
    app = visit("models")
    assert "Found on this computer" in words(app)
    (primary,) = [button for button in app.button if button.proto.type == "primary"]
    assert primary.label == "Connect tiny"
    app = primary.click().run()
    (connection,) = _kept(empty)
    assert (connection.spec, connection.base_url) == ("openai:tiny", f"{server}/v1")
    assert app.query_params["model"] == "openai:tiny"
    # Once it is connected it is in the list, and not offered again.
    app = visit("models")
    assert "Found on this computer" not in words(app)
    assert not app.exception


@pytest.mark.usefixtures("empty")
def test_a_server_with_many_models_has_them_in_a_list(
    monkeypatch: pytest.MonkeyPatch, nearby: Callable[..., None], visit: Visit
) -> None:
    url = "http://localhost:1/v1"
    nearby(url)
    many = Nearby(url, tuple(f"model-{number}" for number in range(7)))
    monkeypatch.setattr(server_nearby, "look_nearby", lambda _: (many,))
    app = visit("models")
    app.selectbox(key=f"nearby {url}").select("model-5").run()
    app = app.button(key=f"nearby {url} chosen").click().run()
    # The test of the connection ran, at that address, for that model.
    assert app.query_params["name"] == "model-5"
    assert "localhost:1" in _errors(app)


@pytest.mark.usefixtures("empty")
def test_what_a_server_calls_its_models_is_text(
    monkeypatch: pytest.MonkeyPatch, nearby: Callable[..., None], visit: Visit
) -> None:
    url = "http://localhost:1/v1"
    nearby(url)
    hostile = Nearby(url, ("**[click](http://evil.example)**", "x" * 200))
    monkeypatch.setattr(server_nearby, "look_nearby", lambda _: (hostile,))
    labels = [button.label for button in visit("models").button]
    assert any(label.startswith("Connect \\*\\*") for label in labels)
    assert all(len(label) < 100 for label in labels)


@pytest.mark.usefixtures("empty")
def test_where_nothing_answers_it_is_said_where_was_looked(
    visit: Visit,
) -> None:
    assert "Nothing answers where Ollama" in words(visit("models"))


@pytest.mark.usefixtures("empty")
def test_for_visitors_this_computer_is_not_looked_at(
    monkeypatch: pytest.MonkeyPatch, nearby: Callable[..., None], server: str, visit: Visit
) -> None:
    nearby(f"{server}/v1")
    monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
    monkeypatch.setattr(server_nearby, "look_nearby", lambda _: pytest.fail("looked"))
    assert "Found on this computer" not in words(visit("models"))


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset.url])
def test_a_preset_fills_in_the_usual_address(preset: Any, visit: Visit) -> None:
    app = visit("models", preset=preset.name)
    assert app.text_input(key="draft url").value == preset.url
    assert preset.note in words(app)


@pytest.mark.usefixtures("empty")
def test_a_link_names_a_server_to_be_connected(visit: Visit) -> None:
    app = visit("models", preset="vllm", url="http://10.0.0.7:8000/v1", name="qwen")
    assert app.text_input(key="draft url").value == "http://10.0.0.7:8000/v1"
    assert app.text_input(key="draft name").value == "qwen"


@pytest.mark.usefixtures("empty")
def test_a_changed_address_stands_in_the_link(visit: Visit) -> None:
    app = visit("models", preset="vllm")
    app.text_input(key="draft url").set_value("HTTP://Other:80/v1/").run()
    assert app.query_params["url"] == "http://other/v1"


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("typed", ["server:8000", "http://me:secret@host/v1", "http://x/v1?key=1"])
def test_what_is_no_address_is_told_and_stays_out_of_the_link(typed: str, visit: Visit) -> None:
    app = visit("models")
    app.text_input(key="draft url").set_value(typed).run()
    assert "base URL" in _errors(app)
    assert "url" not in app.query_params
    assert app.text_input(key="draft url").value == typed
    assert "secret" not in _errors(app)


# Testing


def test_a_tested_server_is_remembered_and_says_what_it_can_do(
    empty: Path, server: str, visit: Visit
) -> None:
    app = _tested(visit, url=f"{server}/v1", name="tiny")
    assert not app.error
    shown = words(app)
    assert "Connected: tiny answers" in shown
    for said in ("chat and plain text", "proved right", "1,024 tokens", "Right is 8"):
        assert said in shown
    assert [code.value for code in app.code][1] == "8"
    assert app.query_params == {"model": "openai:tiny", "server": f"{server}/v1"}
    (kept,) = _kept(empty)
    assert kept.access == Access((f"{server}/v1",), Endpoint.CHAT, "tiny")
    assert kept.capabilities.ok


def test_its_link_opens_what_was_found_without_another_test(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    kept = _remembered(empty, "qwen")
    app = visit("models", model=kept.spec, server=kept.base_url)
    assert "Language model on localhost:1" in words(app)
    assert links(app)["Link to this model"].startswith("models?model=openai%3Aqwen")


@pytest.mark.usefixtures("empty")
def test_a_server_with_one_model_needs_no_name(server: str, visit: Visit) -> None:
    app = _tested(visit, url=f"{server}/v1")
    assert app.query_params["model"] == "openai:tiny"


@pytest.mark.usefixtures("empty")
def test_the_models_of_a_server_can_be_chosen_from_its_list(server: str, visit: Visit) -> None:
    app = visit("models", preset="other", url=f"{server}/v1")
    app.button(key="list models").click().run()
    assert app.selectbox(key="address name").options == ["tiny"]
    assert app.query_params["name"] == "tiny"


@pytest.mark.usefixtures("empty")
def test_a_name_that_is_not_there_leads_to_those_that_are(server: str, visit: Visit) -> None:
    app = _tested(visit, url=f"{server}/v1", name="tinny")
    assert "There is no model “tinny”" in _errors(app)
    assert "tiny" in app.selectbox(key="address name").options


def test_log_probabilities_that_are_wrong_are_told(empty: Path, server: str, visit: Visit) -> None:
    app = _tested(visit, url=f"{server}/with/logprobs=constant,echo=refused/v1", name="tiny")
    assert "given, but not right" in words(app)
    assert "need another server or a local model" in words(app)
    assert not _kept(empty)[0].capabilities.scoring_is_right


@pytest.mark.usefixtures("empty")
def test_where_nothing_answers_a_sentence_says_so(visit: Visit) -> None:
    app = _tested(visit, url="http://127.0.0.1:9/v1", name="qwen")
    assert "Nothing answers at http://127.0.0.1:9/v1" in _errors(app)
    assert "run" not in _errors(app).split()


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", ["tiny", ""])
def test_an_address_that_was_meant_is_offered(name: str, server: str, visit: Visit) -> None:
    app = _tested(visit, url=server, name=name) if name else _tested(visit, url=server)
    assert app.error
    offer = app.button(key="use meant")
    assert offer.label.endswith("/v1")
    offer.click().run()
    assert app.query_params["url"] == f"{server}/v1"


def test_a_server_that_takes_too_long_is_given_up(
    empty: Path, server: str, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probing, "TEST_SECONDS", 0.1)
    app = _tested(visit, url=f"{server}/with/latency=30/v1", name="tiny")
    assert "had not answered everything" in _errors(app)
    assert not _kept(empty)


def test_somebody_who_goes_on_to_something_else_ends_the_test(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class GoneOn(BaseException):
        pass

    started = _watched(monkeypatch)

    def go_on(_: float) -> None:
        raise GoneOn

    access = Access((f"{server}/with/latency=30/v1",))
    with pytest.raises(GoneOn):
        probing.try_server("openai:tiny", access, {}, go_on)
    assert started[0].poll() is not None


def test_further_addresses_have_to_serve_the_same_model(
    empty: Path, server: str, visit: Visit
) -> None:
    other = f"{server}/with/served=other/v1"
    app = _tested(visit, url=f"{server}/v1", name="tiny", more=other)
    assert "give only addresses that serve the same model" in _errors(app)
    assert not _kept(empty)
    app = _tested(visit, url=f"{server}/v1", name="tiny", more=f"{server}/with/seed=yes/v1")
    assert len(_kept(empty)[0].access.base_urls) == 2


def test_plain_text_can_be_asked_for(empty: Path, server: str, visit: Visit) -> None:
    _tested(visit, url=f"{server}/v1", name="tiny", endpoint="completions")
    assert _kept(empty)[0].access.endpoint is Endpoint.COMPLETIONS


@pytest.mark.usefixtures("empty")
def test_what_a_server_says_is_text_and_never_markup(visit: Visit, empty: Path) -> None:
    hostile = "<script>alert(1)</script> **bold** $x$"
    found = EndpointFound(Endpoint.CHAT, works=True, served=hostile, answer=hostile)
    capabilities = Capabilities(
        hostile, ("http://h/v1",), True, (hostile,), Endpoint.CHAT, hostile, found=(found,)
    )
    with open_store(empty) as store:
        access = Access(("http://h/v1",), Endpoint.CHAT, hostile)
        remember(store, Connection(f"openai:{hostile}", access, capabilities))
    app = visit("models", model=f"openai:{hostile}")
    for kind in ("markdown", "caption", "subheader", "warning", "html"):
        for element in app.get(kind):
            text = element.proto.body
            assert "<script>alert" not in text
            assert "**bold**" not in text or kind == "html"
    assert [code.value for code in app.code][1] == hostile


# Keys


def _watched(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The processes that are started from now on, as they really are."""
    started: list[Any] = []
    real = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> Any:
        process = real(*arguments, **options)
        if "env" in options:
            process.environment = options["env"]
            started.append(process)
        return process

    monkeypatch.setattr(subprocess, "Popen", start)
    return started


def _with_key(visit: Visit, url: str, key: str) -> AppTest:
    app = visit("models", preset="other", url=url, name="tiny", key="typed")
    (field,) = [field for field in app.text_input if field.proto.type == field.proto.PASSWORD]
    return field.set_value(key).run()


def _session(app: AppTest) -> str:
    return repr(app.session_state)


def _files_with(folder: Path, text: str) -> list[str]:
    """Looked for by another process: see `biaslab.runs.store.connection`."""
    script = (
        "import pathlib, sys\n"
        "for file in pathlib.Path(sys.argv[1]).rglob('*'):\n"
        "    if file.is_file() and sys.argv[2].encode() in file.read_bytes(): print(file)"
    )
    command = [sys.executable, "-c", script, str(folder), text]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture(scope="module")
def locked() -> Iterator[str]:
    """The base URL of a real server that wants the planted key."""
    with running("tests.servers.tiny_server", "--switches", f"key={KEY}") as address:
        yield f"{address}/v1"


@dataclass(frozen=True)
class Places:
    """Where a key must not be after something was done."""

    started: list[Any]
    caplog: pytest.LogCaptureFixture
    capfd: pytest.CaptureFixture[str]
    folder: Path

    def search(self, app: AppTest, key: str) -> None:
        """Fails where the key is found."""
        assert key not in words(app)
        assert key not in _session(app)
        assert all(key not in value for value in app.query_params.values())
        assert all(key not in field.value for field in app.text_input)
        assert all(key not in str(process.args) for process in self.started)
        assert key not in self.caplog.text
        assert key not in "".join(self.capfd.readouterr())
        assert all(key not in value for value in os.environ.values())
        assert not _files_with(self.folder, key)


@pytest.fixture
def places(
    empty: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> Places:
    caplog.set_level(logging.DEBUG)
    return Places(_watched(monkeypatch), caplog, capfd, empty.parents[1])


def test_a_typed_key_opens_the_server_and_is_found_nowhere(
    empty: Path, locked: str, visit: Visit, places: Places
) -> None:
    app = _with_key(visit, locked, KEY)
    assert "A typed key is kept for this address." in words(app)
    app.button(key="test").click().run()
    assert not app.error
    assert _kept(empty)[0].access.key_env == TYPED_KEY
    assert [process.environment[TYPED_KEY] for process in places.started] == [KEY]
    places.search(app, KEY)


def test_a_key_that_is_refused_is_told_and_found_nowhere(
    empty: Path, locked: str, visit: Visit, places: Places
) -> None:
    wrong = "sk-wrong-0badc0de"
    app = _with_key(visit, locked, wrong).button(key="test").click().run()
    assert "refuses the key" in _errors(app)
    assert not _kept(empty)
    places.search(app, wrong)


@pytest.mark.usefixtures("empty")
def test_without_its_key_a_server_says_that_it_wants_one(locked: str, visit: Visit) -> None:
    app = _tested(visit, url=locked, name="tiny")
    assert "asks for a key and none was given" in _errors(app)
    app = _tested(visit, url=locked, name="tiny", key="typed")
    assert "Type the server's key first" in _errors(app)


def test_another_session_has_to_type_the_key_again(empty: Path, locked: str, visit: Visit) -> None:
    _with_key(visit, locked, KEY).button(key="test").click().run()
    app = visit("models", model="openai:tiny")
    assert "typed for a session; this one has none" in words(app)
    app.button(key="test again this").click().run()
    assert "needed once more" in app.info[0].value
    (field,) = [field for field in app.text_input if field.proto.type == field.proto.PASSWORD]
    field.set_value(KEY).run()
    app.button(key="test again this").click().run()
    assert not app.error
    assert "this one has it" in words(app)
    assert len(_kept(empty)) == 1


@pytest.mark.usefixtures("empty")
def test_a_typed_key_can_be_forgotten(locked: str, visit: Visit) -> None:
    app = _with_key(visit, locked, KEY)
    app.button(key="forget key").click().run()
    assert [field for field in app.text_input if field.proto.type == field.proto.PASSWORD]
    app.button(key="test").click().run()
    assert "Type the server's key first" in _errors(app)


@pytest.mark.usefixtures("empty")
def test_a_key_typed_for_one_address_is_not_sent_to_another(locked: str, visit: Visit) -> None:
    app = _with_key(visit, locked, KEY)
    app.text_input(key="draft url").set_value("http://elsewhere/v1").run()
    app.segmented_control[0].set_value("typed").run()
    app.button(key="test").click().run()
    assert "Type the server's key first" in _errors(app)


def test_a_key_can_come_from_an_environment_variable(
    empty: Path, locked: str, visit: Visit, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SERVERS_KEY", KEY)
    # Given a variable whose key never went to this server
    app = _tested(visit, url=locked, name="tiny", key="variable", variable="MY_SERVERS_KEY")
    assert "allow it under “Key”. Nothing was sent." in _errors(app)
    assert not places.started
    assert "may not be sent to" in app.warning[0].value
    # When the person at this computer allows it
    app.button(key="bind key").click().run()
    app.button(key="test").click().run()
    # Then it is tested, and not asked about again
    assert not app.error
    assert not app.warning
    assert _kept(empty)[0].access.key_env == "MY_SERVERS_KEY"
    monkeypatch.delenv("MY_SERVERS_KEY")
    places.search(app, KEY)


def test_a_key_typed_where_a_name_belongs_goes_nowhere(visit: Visit, places: Places) -> None:
    key = "hf_plantedwherethenamebelongs"
    app = visit("models", preset="other", url="http://localhost:9/v1", name="x", key="variable")
    app.text_input(key="draft variable").set_value(key).run()
    assert "No environment variable of this name is set" in app.warning[0].value
    app.button(key="test").click().run()
    assert "not set" in _errors(app)
    assert key not in words(app)
    assert "variable" not in app.query_params
    assert not places.started
    assert not _files_with(places.folder, key)


@pytest.mark.usefixtures("empty")
def test_a_key_of_the_app_itself_is_not_sent_to_an_address_typed_here(
    server: str, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TYPED_KEY, KEY)
    started = _watched(monkeypatch)
    _tested(visit, url=f"{server}/v1", name="tiny")
    assert [TYPED_KEY in process.environment for process in started] == [False]


@pytest.mark.usefixtures("empty")
def test_a_service_that_wants_a_key_is_not_asked_without(visit: Visit) -> None:
    app = visit("models", preset="openrouter", name="x", key="none")
    app.button(key="test").click().run()
    assert "OpenRouter wants a key" in _errors(app)


# On a network


@pytest.mark.usefixtures("empty")
def test_a_visitor_from_the_network_cannot_name_the_hosts_variables(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
    monkeypatch.setenv("HOST_SECRET", KEY)
    app = visit("models", preset="other", key="variable", variable="HOST_SECRET")
    assert app.segmented_control[0].options == ["No key", "Typed here"]
    assert "You are a visitor" in app.info[0].value
    assert not [field for field in app.text_input if field.key == "draft variable"]


def test_a_connection_whose_key_nobody_here_allowed_is_not_tested_again(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given a file of runs that somebody else made, which names a secret of this computer
    monkeypatch.setenv("HOST_SECRET", KEY)
    connection = _remembered(empty, "qwen", "http://capture.example/v1")
    with open_store(empty) as store:
        remember(
            store, replace(connection, access=replace(connection.access, key_env="HOST_SECRET"))
        )
    started = _watched(monkeypatch)
    # When its model is opened
    app = visit("models", model="openai:qwen")
    # Then nothing can be sent, and it says what to do
    assert "Nobody has allowed that the key in HOST_SECRET" in words(app)
    assert not started


@pytest.mark.usefixtures("empty")
def test_typing_a_key_over_plain_http_is_warned_of(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "is_overheard", lambda: True)
    app = visit("models", preset="openai", key="typed")
    assert "plain http" in app.warning[0].value


@pytest.mark.usefixtures("empty")
def test_the_host_is_told_that_others_can_ask(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "is_shared", lambda: True)
    assert "pay with it" in words(visit("models"))


# What can be done with a server


def test_a_tested_server_leads_to_compose(empty: Path, visit: Visit) -> None:
    _remembered(empty, "qwen")
    found = links(visit("models"))
    assert found["qwen"].startswith("models?model=openai%3Aqwen&server=http")
    app = visit("models", model="openai:qwen")
    app.button(key="ask").click().run()
    assert app.query_params["model"] == "openai:qwen"
    assert not app.error


def test_a_forgotten_server_is_gone_from_the_list(empty: Path, visit: Visit) -> None:
    _remembered(empty, "qwen")
    app = visit("models", model="openai:qwen")
    app.button(key="forget this").click().run()
    assert not _kept(empty)
    assert "Connect one with the form" in words(app)


def test_testing_again_brings_what_is_known_up_to_date(
    empty: Path, server: str, visit: Visit
) -> None:
    _remembered(empty, "tiny", f"{server}/v1")
    app = visit("models")
    app.button(key="test again 0").click().run()
    assert not app.error
    assert _kept(empty)[0].capabilities.longest == 1024
    assert "1,024 tokens" in words(app)


def test_a_server_that_is_gone_keeps_what_was_found_before(empty: Path, visit: Visit) -> None:
    before = _remembered(empty, "qwen", "http://127.0.0.1:9/v1")
    app = visit("models")
    app.button(key="test again 0").click().run()
    assert "Nothing answers" in _errors(app)
    assert "when it was last tested with success" in words(app)
    assert _kept(empty)[0].capabilities == before.capabilities


def test_two_servers_with_the_same_model_are_told_apart(empty: Path, visit: Visit) -> None:
    _remembered(empty, "qwen", "http://one/v1")
    _remembered(empty, "qwen", "http://two/v1")
    for url in ("http://one/v1", "http://two/v1"):
        app = visit("models", model="openai:qwen", server=url)
        assert f"Language model on {url.split('/')[2]}" in words(app)


@pytest.mark.usefixtures("empty")
def test_what_a_tiny_model_gets_right_is_drawn_as_it_is_asked(visit: Visit) -> None:
    app = visit("models", model="tiny:skewed", strategy="cot")
    (chart,) = app.get("plotly_chart")
    assert "step by step" in chart.proto.spec
    assert "130 problems of transfers for every 9" in words(app)
    app.segmented_control[0].set_value("direct").run()
    assert "strategy" not in app.query_params  # it is what the page begins with
    (chart,) = app.get("plotly_chart")
    assert "asked directly" in chart.proto.spec


@pytest.mark.usefixtures("empty")
def test_tiny_models_beside_the_default_are_folded_with_what_was_rare_in_their_lessons(
    visit: Visit,
) -> None:
    app = visit("models")
    (folded,) = (each for each in app.expander if each.label.startswith("More tiny models"))
    inside = links(folded)
    assert {name for name in inside if name.startswith("Tiny model")} == {
        f"Tiny model “{name}”" for name in tiny_names() if name != DEFAULT_NAME
    }
    lines = " ".join(each.value for each in folded.caption).replace("\u00a0", " ")
    assert "rare: inconsistent comparisons (1 of 6), problems with a comparison" in lines
    assert "208,000 lessons · nothing is rare" in lines


@pytest.mark.usefixtures("empty")
def test_a_copy_along_training_that_hardly_reads_the_wording_is_marked(visit: Visit) -> None:
    app = visit("models", model="tiny:skewed@0016k")
    assert any("hardly reads the wording" in each.value for each in app.warning)
    assert not visit("models", model="tiny:skewed").warning


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("spec", ["openai:unheard-of", "local:/no/where_at_all"])
def test_a_link_to_a_model_that_is_not_here_says_so(spec: str, visit: Visit) -> None:
    app = visit("models", model=spec)
    assert "not among" in [*app.info, *app.warning][0].value
    assert app.button(key="test")


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("spec", ["tiny:balanced", "learner:novice"])
def test_a_model_of_this_computer_says_what_it_can_do(spec: str, visit: Visit) -> None:
    app = visit("models", model=spec)
    assert "Log-probabilities" in words(app)
    app.button(key="ask").click().run()
    assert app.query_params["model"] == spec


# What it costs


def test_a_price_that_is_entered_is_kept_through_another_test(
    empty: Path, server: str, visit: Visit
) -> None:
    _remembered(empty, "tiny", f"{server}/v1")
    app = visit("models", model="openai:tiny")
    assert "No price is known" in words(app)
    for field, amount in zip(_prices(app), ("0,15", "0.6"), strict=True):
        field.set_value(amount)
    app.button[[button.label for button in app.button].index("Keep this price")].click().run()
    assert not app.error
    app.button(key="test again this").click().run()
    price = _kept(empty)[0].price
    assert price is not None
    assert (str(price.input_per_million), str(price.output_per_million)) == ("0.15", "0.6")
    assert "A million tokens cost 0.15 USD sent" in words(app)
    app.button(key="forget price").click().run()
    assert _kept(empty)[0].price is None


def test_an_amount_that_is_none_is_told(empty: Path, visit: Visit) -> None:
    _remembered(empty, "qwen")
    app = visit("models", model="openai:qwen")
    _prices(app)[0].set_value("cheap")
    app.button[[button.label for button in app.button].index("Keep this price")].click().run()
    assert "is not an amount" in _errors(app)


def test_a_price_of_the_table_says_where_it_is_from(empty: Path, visit: Visit) -> None:
    _remembered(empty, "gpt-5.5", "https://api.openai.com/v1")
    shown = words(visit("models", model="openai:gpt-5.5"))
    assert "developers.openai.com" in shown
    assert "2026-09-13" in shown


def _prices(app: AppTest) -> list[Any]:
    return [field for field in app.text_input if field.label.startswith("A million tokens")]


# In words


def test_everything_that_a_test_may_find_has_words() -> None:
    kinds = product(Seed, SystemMessage, Scoring, Thinking, (True, False))
    for seed, system, scoring, thinking, right in kinds:
        proof = Proof(scoring, right and scoring is not Scoring.NONE, "" if right else "Why.")
        found = EndpointFound(
            Endpoint.CHAT, True, thinking=thinking, seed=seed, cold=right, stops=right, proof=proof
        )
        everything = Capabilities(
            "x", ("http://h/v1",), True, (), Endpoint.CHAT, found=(found,), system_message=system
        )
        lines = server_found.findings(everything)
        assert len({line.what for line in lines}) == len(lines)
        assert all(line.found and line.meaning.endswith(".") for line in lines)
        assert server_found.in_short(everything)


# Keys of the environment that may go to servers


@pytest.mark.usefixtures("empty")
def test_a_key_that_was_allowed_is_listed_and_can_be_taken_back(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Keys of the environment" not in words(visit("models"))
    # Given a key that may go to two servers
    monkeypatch.setenv("MY_SERVERS_KEY", KEY)
    bind("MY_SERVERS_KEY", ["http://localhost:8000/v1", "https://elsewhere.example/v1"])
    app = visit("models")
    assert "MY_SERVERS_KEY may be sent to http://localhost:8000" in words(app).replace("**", "")
    # When one is taken back
    app.button(key="take back MY_SERVERS_KEY http://localhost:8000").click().run()
    # Then the other stays, and the first is asked about again
    assert "MY_SERVERS_KEY may be sent to http://localhost:8000" not in words(app).replace("**", "")
    assert bound() == [("MY_SERVERS_KEY", "https://elsewhere.example")]
    form = {"preset": "other", "url": "http://localhost:8000/v1", "key": "variable"}
    app = visit("models", **form, variable="MY_SERVERS_KEY")
    assert "may not be sent to" in app.warning[0].value


@pytest.mark.usefixtures("empty")
def test_a_visitor_neither_sees_nor_takes_back_what_keys_may_do(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    bind("MY_SERVERS_KEY", ["http://localhost:8000/v1"])
    app = visit("models")
    monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
    app.button(key="take back MY_SERVERS_KEY http://localhost:8000").click().run()
    assert "MY_SERVERS_KEY" not in words(app)
    assert bound() == [("MY_SERVERS_KEY", "http://localhost:8000")]


@pytest.mark.usefixtures("empty")
def test_a_visitor_is_told_on_which_computer_models_are(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "**On this computer**" in words(visit("models"))
    monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
    shown = words(visit("models"))
    assert "**On the computer that runs BiasLab**" in shown
    assert "On this computer" not in shown
