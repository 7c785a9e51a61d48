"""Recorded runs on the screens: opened by a file, marked wherever they stand, closed by a click."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.publishing.paper import make_paper, zipped
from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.ui.conftest import Visit, links, words

DESIGN = Design("consistency", 8, 1)


@pytest.fixture
def bundle(tmp_path: Path) -> bytes:
    """A paper of somebody else's, with two runs."""
    with open_store(tmp_path / "theirs.db") as store:
        runs = [prepare(store, DESIGN, f"learner:{name}", "direct") for name in ("perfect", "shy")]
        for run in runs:
            run_here(store, run)
        return zipped(make_paper(store, runs).files, "paper")


@pytest.fixture
def own(empty: Path) -> str:
    """A run of one's own of the same model, design and strategy."""
    with open_store(empty) as store:
        run = prepare(store, DESIGN, "learner:perfect", "direct")
        run_here(store, run)
    return run


def upload(app: AppTest, data: bytes, name: str = "theirs.zip") -> AppTest:
    return app.file_uploader[0].set_value((name, data, "application/zip")).run()


@pytest.mark.usefixtures("empty")
def test_the_first_thing_that_somebody_opens_may_be_a_recorded_run(
    visit: Visit, bundle: bytes
) -> None:
    app = visit("runs")
    assert "Nothing has been run yet" in words(app)

    upload(app, bundle)

    assert not app.exception
    assert "2 runs opened" in words(app)
    assert "effects all agree" in words(app)


def test_own_and_recorded_runs_of_one_model_are_told_apart(
    visit: Visit, bundle: bytes, own: str, empty: Path
) -> None:
    upload(visit("runs"), bundle)
    with open_store(empty) as store:
        theirs = next(
            run.id for run in store.runs() if run.bundle and run.model_spec == "learner:perfect"
        )

    for page in ("effects", "items", "runs"):
        named = {"runs": f"{own},{theirs}"} if page == "effects" else {"run": theirs}
        app = visit(page, **named)
        assert not app.exception
        assert "answer directly, recorded" in words(app)


def test_a_recorded_run_has_no_button_that_would_change_it(
    visit: Visit, bundle: bytes, own: str, empty: Path
) -> None:
    app = upload(visit("runs"), bundle)
    with open_store(empty) as store:
        theirs = next(run.id for run in store.runs() if run.bundle)
    app = visit("runs", run=theirs)

    assert "Recorded by someone else, read-only" in app.info[0].value
    assert {button.label for button in app.button} == {"Close"}
    assert f"run={own}" in " ".join(links(app).values())


def test_closing_leaves_ones_own_runs(visit: Visit, bundle: bytes, own: str, empty: Path) -> None:
    app = upload(visit("runs"), bundle)
    next(button for button in app.button if button.label == "Close").click().run()

    with open_store(empty) as store:
        assert [run.id for run in store.runs()] == [own]


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_bundle_is_refused_in_a_sentence(visit: Visit, data: bytes) -> None:
    app = upload(visit("runs"), data)

    assert not app.exception
    assert "theirs.zip was not opened" in app.status[0].label or app.error
    assert app.error[0].value.endswith(".")
