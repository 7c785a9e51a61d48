"""Runs: what was asked, how far it is, stop and resume."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import RunStatus, Store, launch, open_store, prepare, run_here, stop
from biaslab.runs.jobs.queue import JobKind, QueuedWork, in_turn, place
from biaslab.studies import Design
from tests.conftest import wait_for
from tests.ui.conftest import Asked, Visit, ask_writer, links, words


@pytest.fixture
def store(empty: Path) -> Store:
    return open_store(empty)


def _prepared(store: Store, n: int = 5, model: str = "learner:perfect") -> str:
    return prepare(store, Design("consistency", n, 1), model, "direct")


def _listed(app: AppTest) -> list[tuple[str, str]]:
    """The links of the list of runs: id and label."""
    found = [(parse_qs(each.proto.query_string), each.proto) for each in app.get("page_link")]
    return [
        (address["run"][0], proto.label)
        for address, proto in found
        if "run" in address and proto.page == "runs" and proto.label != "Link to this run"
    ]


def test_the_newest_run_is_shown_first(asked: Asked, visit: Visit) -> None:
    app = visit("runs")
    assert asked.keyword in words(app)
    assert _listed(app)[0][0] == asked.keyword
    assert len(_listed(app)) == 5


def test_a_link_shows_its_run(asked: Asked, visit: Visit) -> None:
    app = visit("runs", run=asked.shy)
    assert [run for run, label in _listed(app) if label.endswith("(shown)")] == [asked.shy]
    assert "Sometimes gives no answer" in app.header[0].value


@pytest.mark.usefixtures("asked")
def test_kinds_of_models_are_named_apart(visit: Visit) -> None:
    options = [label.partition(" · ")[2] for _, label in _listed(visit("runs"))]
    assert sum(option.startswith("Simulated learner") for option in options) == 4
    assert sum(option.startswith("Language model") for option in options) == 1


def test_a_run_says_what_it_was(asked: Asked, visit: Visit) -> None:
    shown = words(visit("runs", run=asked.step_by_step))
    for fact in ("20 pairs; seed 1; reasoning steps: 1-3", "learner:halfway", "Think step by step"):
        assert fact in shown
    assert "Let's think step by step." in shown


def test_a_run_leads_to_its_effects_items_and_design(asked: Asked, visit: Visit) -> None:
    found = links(visit("runs", run=asked.shy))
    assert found["See the effects"] == f"effects?runs={asked.shy}"
    assert found["Look at the items"] == f"items?run={asked.shy}"
    assert "steps=1-2" in found["Make another run with this design"]


def test_counts_are_told_in_words(asked: Asked, visit: Visit) -> None:
    shown = words(visit("runs", run=asked.shy))
    for name in ("answered", "could not be read", "failed", "not asked yet"):
        assert f">{name}</span>" in shown


def test_a_prepared_run_can_be_started(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _prepared(store)
    started: list[str] = []
    monkeypatch.setattr(
        "biaslab.ui.ask.runs.launch", lambda _path, run_id, **_: started.append(run_id)
    )
    app = visit("runs")
    assert "Ready to start" in app.get("progress")[0].proto.text
    app.button(key=f"resume {run}").click().run()
    assert started == [run]


def test_a_running_run_can_be_stopped(store: Store, visit: Visit) -> None:
    from biaslab.runs.engine import leases

    run = _prepared(store)
    leases.claim(store, run, 60.0, process=None)
    app = visit("runs")
    assert "Running" in app.get("progress")[0].proto.text
    app.button(key=f"stop {run}").click().run()
    assert store.run(run).status is RunStatus.STOPPING


def test_what_a_running_run_waits_for_is_told(store: Store, visit: Visit) -> None:
    from biaslab.models import Notice
    from biaslab.runs.engine import leases
    from biaslab.runs.engine.ask import NoticeChanged
    from biaslab.runs.engine.writer import RunWriter

    run = _prepared(store)
    owner = leases.claim(store, run, 60.0, process=None)
    record = store.run(run)
    with RunWriter(store, run, f"{record.model_spec}@{record.model_revision}", owner) as writer:
        writer.put(NoticeChanged(Notice("It waits for 9 minutes.", ("It takes no seed.",))))
        writer.flush()
        app = visit("runs")
    assert "Running" in app.get("progress")[0].proto.text
    assert app.info[0].value == "It waits for 9 minutes. It takes no seed."


def test_a_stopped_run_can_be_resumed(store: Store, visit: Visit) -> None:
    run = _prepared(store, n=600)
    run_here(store, run, on_progress=lambda _: stop(store, run))
    app = visit("runs")
    if store.run(run).status is RunStatus.STOPPED:
        assert app.button(key=f"resume {run}").label == "Resume"


def test_a_run_of_a_model_that_is_gone_says_why_it_failed(store: Store, visit: Visit) -> None:
    run = _prepared(store)
    with store.writing() as connection:
        connection.execute(
            "UPDATE runs SET status = 'failed', message = 'The model in /m_1 is gone.'"
        )
    app = visit("runs")
    assert app.error[0].value == "The model in /m\\_1 is gone."
    assert app.button(key=f"resume {run}").label == "Resume"


def test_failed_requests_are_told_and_can_be_tried_again(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask_writer(store, "15", fails=True)
    failed = store.run(run).failed
    assert failed
    started: list[str] = []
    monkeypatch.setattr(
        "biaslab.ui.ask.runs.launch", lambda _path, run_id, **_: started.append(run_id)
    )
    app = visit("runs")
    assert f"{failed} problems failed and are not counted as wrong." in words(app)
    assert f"{failed} × The server in room_1 did not answer." in words(app)
    assert links(app)["Look at what failed"] == f"items?run={run}&pattern=unfinished"
    retry = app.button(key=f"retry {run}")
    assert retry.label == f"Retry {failed} failed problems"
    retry.click().run()
    assert started == [run]


def test_a_long_list_has_pages_and_a_link_opens_the_right_one(store: Store, visit: Visit) -> None:
    made = [_prepared(store, n=1) for _ in range(8)]
    app = visit("runs", run=made[0])
    assert [run for run, _ in _listed(app)] == [made[1], made[0]]
    assert _listed(app)[1][1].endswith("(shown)")
    app.get("pagination")[0].set_value(1).run()
    assert [run for run, _ in _listed(app)] == made[:1:-1]
    assert not any(label.endswith("(shown)") for _, label in _listed(app))
    assert made[0] in words(app)


def test_a_run_that_waits_for_its_turn_says_for_how_many_and_why(
    store: Store, visit: Visit
) -> None:
    run = _prepared(store)
    with in_turn(store.path, QueuedWork(JobKind.TRAINING, "my-balanced-1")):
        launch(store.path, run)
        wait_for(lambda: place(store.path, QueuedWork(JobKind.RUN, run)) == 1)
        shown = words(visit("runs", run=run))
        assert "Waiting: 1 other job first." in shown
        stop(store, run)
        wait_for(lambda: store.run(run).status is RunStatus.STOPPED)
