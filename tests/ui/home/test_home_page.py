"""Home: a real model's recorded answers, doing it again, and the ways on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from biaslab.models import Completion, ModelChoice, ModelKind
from biaslab.models.local.hub import HubModel, gigabytes, hub_list
from biaslab.models.server.probe.nearby import Nearby
from biaslab.runs import gallery, open_store, prepare, run_here
from biaslab.runs.engine.sources import Sources
from biaslab.studies import experiment
from biaslab.system.places import RECORDED_VARIABLE
from biaslab.system.roles import Role
from biaslab.ui.models.hub import Fetching
from biaslab.ui.studies.word_problems.first_finding import DESIGN, STRATEGY, shown_run, telling_pair
from biaslab.ui.widgets import visitor
from tests.ui.conftest import SERVER, SimulatedWriter, Visit, connect, links, words

Computer = Callable[..., None]


@pytest.fixture(autouse=True)
def computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Computer:
    """Whose computer it is, and what answers on it: the person's own, and nothing."""

    def has(*nearby: Nearby) -> None:
        monkeypatch.setattr("pages.home.found_nearby", lambda: nearby)

    monkeypatch.setenv(RECORDED_VARIABLE, "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)
    monkeypatch.setattr("biaslab.ui.widgets.queries.list_models", lambda **_: [])
    has()
    return has


def main_action(app: AppTest) -> str:
    """What the one button says that the page is there for."""
    (button,) = [each for each in app.button if each.proto.type == "primary"]
    return str(button.label).replace("\\", "")


@pytest.mark.usefixtures("empty")
def test_a_real_model_is_what_is_seen_first_and_every_figure_leads_to_its_answers(
    visit: Visit,
) -> None:
    store = gallery()
    assert store is not None
    run = shown_run(store.runs())
    assert run is not None
    pair = telling_pair(store, run.id)
    assert pair is not None
    app = visit("home")
    shown = words(app)
    assert "<b>Qwen2.5-Coder-0.5B-Instruct</b> answers <b>43 of 50</b>" in shown
    assert "<b>16 of 50</b> when the same sentence is turned round" in shown
    assert "Difference +54.0 points (95 % interval +33.0 to +68.9), 50 pairs" in shown
    assert "Recorded on 26 November 2026" in shown
    # Both problems are called what the sentence calls them; the field's words stand at the bars.
    for word, plainly in (("consistent", "wording helps"), ("inconsistent", "turned round")):
        assert f'<div class="bl-arm">{plainly}</div>' in shown
        assert f"{plainly} ({word})" in shown
    # The pair, and either response whole and word for word.
    for member in (pair.x, pair.x_prime):
        assert member.item.answer in shown
        said = member.stages[0].answered
        assert isinstance(said, Completion)
        assert said.text.splitlines()[0][:40] in shown
    found = links(app)
    assert found["This pair, in full"] == f"items?run={run.id}&pair={pair.pair.id}"
    assert found["The effect, with every test"] == f"effects?runs={run.id}&by=steps"
    # No answer on the first screen is that of a model which was taught to err.
    assert "iny model" not in shown
    # Effects says the same.
    row = words(visit("effects", runs=run.id, by="steps"))
    assert "86.0 %" in row
    assert "32.0 %" in row


def test_without_recorded_answers_the_page_says_so_and_still_offers_to_ask(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(RECORDED_VARIABLE, str(tmp_path))
    app = visit("home")
    assert "came without recorded answers" in words(app)
    assert not app.error
    assert main_action(app).startswith("Do it again")
    # One that is damaged is told in a sentence, and the ways on stay.
    (tmp_path / "runs.db.xz").write_bytes(b"no such thing")
    app = visit("home")
    assert ["cannot be used" in each.value for each in app.error] == [True]
    assert "Your class" in links(app)
    assert not empty.with_name("recorded").exists()


@pytest.mark.usefixtures("empty")
def test_where_no_model_is_here_one_click_gets_one_and_says_what_it_takes(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[HubModel] = []
    monkeypatch.setattr("pages.home.start_fetching", begun.append)
    app = visit("home")
    assert main_action(app).startswith("Do it again: get the model (")
    app.button[0].click().run()
    (model,) = begun
    assert gigabytes(model.download_bytes) in main_action(app)
    assert f"{model.name}, {model.licence}" in words(app)
    assert f"{gigabytes(model.memory_bytes)} of memory" in words(app)


def test_a_model_that_is_here_is_asked_the_same_with_one_click(
    empty: Path, visit: Visit, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A server that was found and is not tested yet.
    computer(Nearby("http://localhost:11434/v1", ("nomic-embed-text", "llama3.2:1b")))
    app = visit("home")
    assert main_action(app) == "Do it again: ask llama3.2:1b at localhost:11434/v1"
    assert "another model than the one above" in words(app)
    # One that was tested.
    computer()
    with open_store(empty) as store:
        connect(store)
    started: list[str] = []
    monkeypatch.setattr(
        "biaslab.ui.ask.asking.launch", lambda _path, run, **_how: started.append(run)
    )
    app = visit("home")
    assert main_action(app) == "Do it again: ask small at localhost:8000/v1"
    app.button[0].click().run()
    with open_store(empty) as store:
        (run,) = store.runs()
    assert (run.design, run.strategy, run.model_spec) == (DESIGN, STRATEGY, "openai:small")
    assert run.options.access.base_urls == SERVER.base_urls
    assert started == [run.id]


def test_ones_own_bars_stand_beside_the_recorded_ones_and_say_what_they_do_not_show(
    empty: Path, visit: Visit
) -> None:
    model = SimulatedWriter("The answer is 0.")
    sources = Sources(experiment, lambda *_: model.identity, lambda *_: model)
    with open_store(empty) as store:
        run = prepare(store, DESIGN, "local:x", STRATEGY, sources=sources)
        (bar,) = visit("home").get("progress")
        assert "0 of 100 problems" in bar.proto.text
        run_here(store, run, sources=sources)
    app = visit("home")
    assert "writer, asked here: " in words(app)
    assert words(app).count("<strong>0 of 50</strong>") == 2
    assert "43 of 50" in words(app)
    assert "Nearly all are wrong, so a difference could hardly show" in words(app)
    assert links(app)["All its answers"] == f"items?run={run}"
    assert f"runs={run}" in links(app)["Next to the recorded run"]


def test_a_visitor_reads_where_everything_is_kept_and_who_may_ask(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
    app = visit("home")
    assert "saved on the computer that runs BiasLab" in words(app)
    assert str(empty) not in words(app)
    assert "43 of 50" in words(app)
    assert not [each for each in app.button if each.label.startswith("Do it again")]


@pytest.mark.usefixtures("empty")
def test_privacy_and_ways_on_are_on_the_first_screen(visit: Visit) -> None:
    app = visit("home")
    assert "Everything stays on this computer" in words(app)
    ways = [link.proto.page for link in app.get("page_link")]
    assert ways == [
        "items", "effects",  # of the pair and the effect that are shown
        "check_tutor", "your_class", "your_problem",
        "models", "compose", "matrix", "results", "effects", "items",
        "room", "guess", "runs",
    ]  # fmt: skip


@pytest.mark.usefixtures("empty")
def test_a_model_that_was_downloaded_and_cannot_be_opened_is_told_in_a_sentence(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = next(each for each in hub_list().models if each.parameters >= 400_000_000)
    here = Fetching(model, running=False, complete=True, here=9, total=9, error="")
    monkeypatch.setattr("pages.home.look", lambda _: here)
    assert "The model is here." in words(visit("home"))
    st.cache_data.clear()
    broken = ModelChoice(
        here.spec, "fetched", ModelKind.LANGUAGE_MODEL, "", False, "It is cut off."
    )
    monkeypatch.setattr("biaslab.ui.widgets.queries.list_models", lambda **_: [broken])
    app = visit("home")
    assert [each.value for each in app.error] == ["It is cut off."]
