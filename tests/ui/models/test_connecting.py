"""Connecting a server on the page Models: what is offered, and what a test of it finds."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from biaslab.models import Access
from biaslab.models.provider import Endpoint
from biaslab.models.server.capabilities import (
    Capabilities,
    EndpointReport,
    ProbeStep,
    Proof,
    Scoring,
    Seed,
    SystemMessage,
    Thinking,
)
from biaslab.models.server.probe.nearby import Nearby
from biaslab.runs import Connection, open_store, remember
from biaslab.system.roles import Role
from biaslab.ui.models import server_found, server_testing, servers
from biaslab.ui.models.servers import PRESETS
from biaslab.ui.widgets import visitor
from tests.ui.conftest import Visit, links, words
from tests.ui.models.conftest import errors_of, remembered, remembered_in, tested_page, watched

pytestmark = pytest.mark.usefixtures("at_this_computer", "nearby")


def test_a_server_that_answers_on_this_computer_is_connected_by_one_click(
    empty: Path, server: str, nearby: Callable[..., None], visit: Visit
) -> None:
    nearby(f"{server}/v1")
    app = visit("models")
    assert "Found on this computer" in words(app)
    (primary,) = [button for button in app.button if button.proto.type == "primary"]
    assert primary.label == "Connect tiny"
    app = primary.click().run()
    (connection,) = remembered_in(empty)
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
    monkeypatch.setattr(servers, "look_nearby", lambda _: (many,))
    app = visit("models")
    app.selectbox(key=f"nearby {url}").select("model-5").run()
    app = app.button(key=f"nearby {url} chosen").click().run()
    # The test of the connection ran, at that address, for that model.
    assert app.query_params["name"] == "model-5"
    assert "localhost:1" in errors_of(app)


@pytest.mark.usefixtures("empty")
def test_what_a_server_calls_its_models_is_text(
    monkeypatch: pytest.MonkeyPatch, nearby: Callable[..., None], visit: Visit
) -> None:
    url = "http://localhost:1/v1"
    nearby(url)
    hostile = Nearby(url, ("**[click](http://evil.example)**", "x" * 200))
    monkeypatch.setattr(servers, "look_nearby", lambda _: (hostile,))
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
    monkeypatch.setattr(servers, "look_nearby", lambda _: pytest.fail("looked"))
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
    assert "base URL" in errors_of(app)
    assert "url" not in app.query_params
    assert app.text_input(key="draft url").value == typed
    assert "secret" not in errors_of(app)


# Testing


def test_a_tested_server_is_remembered_and_says_what_it_can_do(
    empty: Path, server: str, visit: Visit
) -> None:
    app = tested_page(visit, url=f"{server}/v1", name="tiny")
    assert not app.error
    shown = words(app)
    assert "Connected: tiny answers" in shown
    for said in ("chat and plain text", "proved right", "1,024 tokens", "Right is 8"):
        assert said in shown
    assert [code.value for code in app.code][1] == "8"
    assert app.query_params == {"model": "openai:tiny", "server": f"{server}/v1"}
    (kept,) = remembered_in(empty)
    assert kept.access == Access((f"{server}/v1",), Endpoint.CHAT, "tiny")
    assert kept.capabilities.ok


def test_its_link_opens_what_was_found_without_another_test(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    kept = remembered(empty, "qwen")
    app = visit("models", model=kept.spec, server=kept.base_url)
    assert "Language model on localhost:1" in words(app)
    assert links(app)["Link to this model"].startswith("models?model=openai%3Aqwen")


@pytest.mark.usefixtures("empty")
def test_a_server_with_one_model_needs_no_name(server: str, visit: Visit) -> None:
    app = tested_page(visit, url=f"{server}/v1")
    assert app.query_params["model"] == "openai:tiny"


@pytest.mark.usefixtures("empty")
def test_the_models_of_a_server_can_be_chosen_from_its_list(server: str, visit: Visit) -> None:
    app = visit("models", preset="other", url=f"{server}/v1")
    app.button(key="list models").click().run()
    assert app.selectbox(key="address name").options == ["tiny"]
    assert app.query_params["name"] == "tiny"


@pytest.mark.usefixtures("empty")
def test_a_name_that_is_not_there_leads_to_those_that_are(server: str, visit: Visit) -> None:
    app = tested_page(visit, url=f"{server}/v1", name="tinny")
    assert "There is no model “tinny”" in errors_of(app)
    assert "tiny" in app.selectbox(key="address name").options


def test_log_probabilities_that_are_wrong_are_told(empty: Path, server: str, visit: Visit) -> None:
    app = tested_page(visit, url=f"{server}/with/logprobs=constant,echo=refused/v1", name="tiny")
    assert "given, but not right" in words(app)
    assert "need another server or a local model" in words(app)
    assert not remembered_in(empty)[0].capabilities.scoring_is_right


@pytest.mark.usefixtures("empty")
def test_where_nothing_answers_a_sentence_says_so(visit: Visit) -> None:
    app = tested_page(visit, url="http://127.0.0.1:9/v1", name="qwen")
    assert "Nothing answers at http://127.0.0.1:9/v1" in errors_of(app)
    assert "run" not in errors_of(app).split()


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", ["tiny", ""])
def test_an_address_that_was_meant_is_offered(name: str, server: str, visit: Visit) -> None:
    app = tested_page(visit, url=server, name=name) if name else tested_page(visit, url=server)
    assert app.error
    offer = app.button(key="use meant")
    assert offer.label.endswith("/v1")
    offer.click().run()
    assert app.query_params["url"] == f"{server}/v1"


def test_a_server_that_takes_too_long_is_given_up_or_asked_without_a_test(
    empty: Path, server: str, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_testing, "TEST_SECONDS", 0.5)
    app = tested_page(visit, url=f"{server}/with/latency=30/v1", name="tiny")
    assert "had not answered a word problem" in errors_of(app)
    assert not remembered_in(empty)
    app = app.button(key="untested").click().run()
    assert not app.exception
    (connection,) = remembered_in(empty)
    assert connection.access.endpoint is Endpoint.CHAT
    assert server_found.in_short(connection.capabilities) == "not tested"
    found = words(app)
    assert "connected without a test" in found
    assert "Connected:" not in found
    assert "not tried" not in found
    assert {line.found for line in server_found.findings(connection.capabilities)} == {"not tried"}


def test_what_was_not_tried_is_said_to_be_so_and_not_to_be_missing() -> None:
    chat = EndpointReport(Endpoint.CHAT, True, answer="8")
    ended = Capabilities(
        "x", ("http://h/v1",), True, (), Endpoint.CHAT, found=(chat,),
        untried=ProbeStep.PROBABILITIES.and_after,
    )  # fmt: skip
    assert "log-probabilities not tried" in server_found.in_short(ended)
    by_name = {line.what: line.found for line in server_found.findings(ended)}
    assert by_name["Log-probabilities"] == "not tried"
    assert by_name["Answers"] == "chat"


def test_the_steps_of_a_test_are_told_as_they_begin(server: str) -> None:
    told: list[str] = []
    access = Access((f"{server}/v1",))
    server_testing.try_server("openai:tiny", access, {}, lambda _: None, told.append)
    assert told[0] == "Step 1 of 7: which models the server has"
    assert [line.split(":")[0] for line in told] == [f"Step {n} of 7" for n in range(1, 8)]


def test_somebody_who_goes_on_to_something_else_ends_the_test(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class GoneOn(BaseException):
        pass

    started = watched(monkeypatch)

    def go_on(_: float) -> None:
        raise GoneOn

    access = Access((f"{server}/with/latency=30/v1",))
    with pytest.raises(GoneOn):
        server_testing.try_server("openai:tiny", access, {}, go_on)
    assert started[0].poll() is not None


def test_further_addresses_have_to_serve_the_same_model(
    empty: Path, server: str, visit: Visit
) -> None:
    other = f"{server}/with/served=other/v1"
    app = tested_page(visit, url=f"{server}/v1", name="tiny", more=other)
    assert "give only addresses that serve the same model" in errors_of(app)
    assert not remembered_in(empty)
    app = tested_page(visit, url=f"{server}/v1", name="tiny", more=f"{server}/with/seed=yes/v1")
    assert len(remembered_in(empty)[0].access.base_urls) == 2


def test_other_names_of_the_same_model_are_kept_with_it(
    empty: Path, server: str, visit: Visit
) -> None:
    other = f"{server}/with/served=other/v1"
    asked = {"url": f"{server}/v1", "name": "tiny", "more": other, "also": "other,third"}
    app = tested_page(visit, **asked)
    assert not app.error
    assert "Counts as the same model" in words(app)
    assert remembered_in(empty)[0].access.also_served == ("other", "third")


def test_plain_text_can_be_asked_for(empty: Path, server: str, visit: Visit) -> None:
    tested_page(visit, url=f"{server}/v1", name="tiny", endpoint="completions")
    assert remembered_in(empty)[0].access.endpoint is Endpoint.COMPLETIONS


@pytest.mark.usefixtures("empty")
def test_what_a_server_says_is_text_and_never_markup(visit: Visit, empty: Path) -> None:
    hostile = "<script>alert(1)</script> **bold** $x$"
    found = EndpointReport(Endpoint.CHAT, works=True, served=hostile, answer=hostile)
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


# In words


def test_everything_that_a_test_may_find_has_words() -> None:
    kinds = product(Seed, SystemMessage, Scoring, Thinking, (True, False))
    for seed, system, scoring, thinking, right in kinds:
        proof = Proof(scoring, right and scoring is not Scoring.NONE, "" if right else "Why.")
        found = EndpointReport(
            Endpoint.CHAT, True, thinking=thinking, seed=seed, cold=right, stops=right, proof=proof
        )
        everything = Capabilities(
            "x", ("http://h/v1",), True, (), Endpoint.CHAT, found=(found,), system_message=system
        )
        lines = server_found.findings(everything)
        assert len({line.what for line in lines}) == len(lines)
        assert all(line.found and line.meaning.endswith(".") for line in lines)
        assert server_found.in_short(everything)
