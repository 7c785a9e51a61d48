"""A small model of the hub is downloaded from the page Models, and asked from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models.local.hub import hub_directory, hub_list
from biaslab.system.roles import Role
from biaslab.ui.models import hub as hub_panel
from biaslab.ui.models import servers
from biaslab.ui.widgets import queries, visitor
from tests.conftest import DEADLINE
from tests.models.random_models import CHAT_TEMPLATE, saved
from tests.servers.hub import Hub, hub_at
from tests.ui.conftest import Visit, words

MODEL = hub_list().models[0]
BUTTON = f"fetch {MODEL.repository}"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformer with random weights, in place of the first of the list."""
    return saved(tmp_path_factory.mktemp("model"), "llama", True, False, CHAT_TEMPLATE)


@pytest.fixture(autouse=True)
def hub(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """The hub on this computer that is asked, with a place of its own for what comes."""
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)
    monkeypatch.setattr(servers, "found_nearby", lambda: ())
    queries.models.clear()
    with hub_at({MODEL.repository: model}) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running
    queries.models.clear()


def _when_ended(app: AppTest) -> AppTest:
    """The page after the process of the download has ended."""
    pid = hub_panel._process(hub_directory(MODEL.repository))
    if pid is not None:
        psutil.wait_procs([psutil.Process(pid)], timeout=DEADLINE)
    assert not hub_panel.look(MODEL).running
    return app.run()


def test_the_list_tells_licence_size_and_memory_and_asks_the_hub_nothing(
    visit: Visit, hub: Hub
) -> None:
    app = visit("models")
    assert "A small language model from the hub" in [each.label for each in app.expander]
    assert "Apache-2.0 · about 0.3 GB to download · about 0.5 GB of memory" in words(app)
    assert hub.asked == []


def test_one_click_downloads_it_in_the_background_and_leads_to_compose(visit: Visit) -> None:
    app = _when_ended(visit("models").button(key=BUTTON).click().run())
    assert not app.error
    assert BUTTON not in [each.key for each in app.button]
    carried = [
        each.proto.query_string for each in app.get("page_link") if "Ask" in each.proto.label
    ]
    assert any(MODEL.name in each for each in carried)
    assert hub_panel.look(MODEL).complete


def test_an_interrupted_one_says_why_and_goes_on(visit: Visit, hub: Hub, model: Path) -> None:
    hub.cut_after, hub.closes_when_cut = 10_000, True
    app = _when_ended(visit("models").button(key=BUTTON).click().run())
    [error] = app.error
    assert "only what is missing is fetched" in error.value
    assert app.button(key=BUTTON).label == "Go on"
    hub.closed = hub.closes_when_cut = False
    app = _when_ended(app.button(key=BUTTON).click().run())
    assert not app.error
    assert hub_panel.look(MODEL).complete
    assert hub.sent["model.safetensors"] == (model / "model.safetensors").stat().st_size


def test_one_under_way_is_seen_from_every_visit_and_can_be_stopped(visit: Visit, hub: Hub) -> None:
    hub.held = True
    visit("models").button(key=BUTTON).click().run()
    assert hub.holds.wait(60)
    app = visit("models")
    assert BUTTON not in [each.key for each in app.button]
    assert "It continues if you leave this page." in words(app)
    app = app.button(key=f"stop {MODEL.repository}").click().run()
    assert app.button(key=BUTTON).label == "Go on"
    hub.goes_on.set()
    assert hub_panel.look(MODEL).complete is False
    assert not _when_ended(app.button(key=BUTTON).click().run()).error
    assert hub_panel.look(MODEL).complete


def test_without_a_network_a_sentence_says_what_to_do(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    app = _when_ended(visit("models").button(key=BUTTON).click().run())
    [error] = app.error
    assert "connected to the internet" in error.value


def test_a_visitor_gets_no_list_and_no_button(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
    app = visit("models")
    assert BUTTON not in [each.key for each in app.button]
    assert "A small language model from the hub" not in [each.label for each in app.expander]
