"""Keys for servers on the page Models: where they come from, and where they never go."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models import TYPED_KEY
from biaslab.models.server.keys import bind, bound
from biaslab.runs import open_store, remember
from biaslab.system.roles import Role
from biaslab.ui.widgets import visitor
from tests.servers.running import running
from tests.ui.conftest import Visit, words
from tests.ui.models.conftest import errors_of, remembered, remembered_in, tested_page, watched

KEY = "sk-planted-51c7e0ffee"

pytestmark = pytest.mark.usefixtures("at_this_computer", "nearby")


# Keys


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
    return Places(watched(monkeypatch), caplog, capfd, empty.parents[1])


def test_a_typed_key_opens_the_server_and_is_found_nowhere(
    empty: Path, locked: str, visit: Visit, places: Places
) -> None:
    app = _with_key(visit, locked, KEY)
    assert "A typed key is ready for this address." in words(app)
    app.button(key="test").click().run()
    assert not app.error
    assert remembered_in(empty)[0].access.key_env == TYPED_KEY
    assert [process.environment[TYPED_KEY] for process in places.started] == [KEY]
    places.search(app, KEY)


def test_a_key_that_is_refused_is_told_and_found_nowhere(
    empty: Path, locked: str, visit: Visit, places: Places
) -> None:
    wrong = "sk-wrong-0badc0de"
    app = _with_key(visit, locked, wrong).button(key="test").click().run()
    assert "refuses the key" in errors_of(app)
    assert not remembered_in(empty)
    places.search(app, wrong)


@pytest.mark.usefixtures("empty")
def test_without_its_key_a_server_says_that_it_wants_one(locked: str, visit: Visit) -> None:
    app = tested_page(visit, url=locked, name="tiny")
    assert "asks for a key and none was given" in errors_of(app)
    app = tested_page(visit, url=locked, name="tiny", key="typed")
    assert "Type the server's key first" in errors_of(app)


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
    assert len(remembered_in(empty)) == 1


@pytest.mark.usefixtures("empty")
def test_a_typed_key_can_be_forgotten(locked: str, visit: Visit) -> None:
    app = _with_key(visit, locked, KEY)
    app.button(key="forget key").click().run()
    assert [field for field in app.text_input if field.proto.type == field.proto.PASSWORD]
    app.button(key="test").click().run()
    assert "Type the server's key first" in errors_of(app)


@pytest.mark.usefixtures("empty")
def test_a_key_typed_for_one_address_is_not_sent_to_another(locked: str, visit: Visit) -> None:
    app = _with_key(visit, locked, KEY)
    app.text_input(key="draft url").set_value("http://elsewhere/v1").run()
    app.segmented_control[0].set_value("typed").run()
    app.button(key="test").click().run()
    assert "Type the server's key first" in errors_of(app)


def test_a_key_can_come_from_an_environment_variable(
    empty: Path, locked: str, visit: Visit, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SERVERS_KEY", KEY)
    # Given a variable whose key never went to this server
    app = tested_page(visit, url=locked, name="tiny", key="variable", variable="MY_SERVERS_KEY")
    assert "allow it under “Key”. Nothing was sent." in errors_of(app)
    assert not places.started
    assert "may not be sent to" in app.warning[0].value
    # When the person at this computer allows it
    app.button(key="bind key").click().run()
    app.button(key="test").click().run()
    # Then it is tested, and not asked about again
    assert not app.error
    assert not app.warning
    assert remembered_in(empty)[0].access.key_env == "MY_SERVERS_KEY"
    monkeypatch.delenv("MY_SERVERS_KEY")
    places.search(app, KEY)


def test_a_key_typed_where_a_name_belongs_goes_nowhere(visit: Visit, places: Places) -> None:
    key = "hf_plantedwherethenamebelongs"
    app = visit("models", preset="other", url="http://localhost:9/v1", name="x", key="variable")
    app.text_input(key="draft variable").set_value(key).run()
    assert "No environment variable of this name is set" in app.warning[0].value
    app.button(key="test").click().run()
    assert "not set" in errors_of(app)
    assert key not in words(app)
    assert "variable" not in app.query_params
    assert not places.started
    assert not _files_with(places.folder, key)


@pytest.mark.usefixtures("empty")
def test_a_key_of_the_app_itself_is_not_sent_to_an_address_typed_here(
    server: str, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TYPED_KEY, KEY)
    started = watched(monkeypatch)
    tested_page(visit, url=f"{server}/v1", name="tiny")
    assert [TYPED_KEY in process.environment for process in started] == [False]


@pytest.mark.usefixtures("empty")
def test_a_service_that_wants_a_key_is_not_asked_without(visit: Visit) -> None:
    app = visit("models", preset="openrouter", name="x", key="none")
    app.button(key="test").click().run()
    assert "OpenRouter wants a key" in errors_of(app)


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
    connection = remembered(empty, "qwen", "http://capture.example/v1")
    with open_store(empty) as store:
        remember(
            store, replace(connection, access=replace(connection.access, key_env="HOST_SECRET"))
        )
    started = watched(monkeypatch)
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
