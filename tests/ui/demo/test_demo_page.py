"""Demo: two models asked the same pairs; both results, or why there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.runs import Store, open_store, prepare, run_here
from biaslab.ui.ask.asking import cannot
from biaslab.ui.training import demo as demos
from biaslab.ui.training.demo import DESIGN, MODELS, STRATEGY
from tests.ui.conftest import Visit, links, words

KEYWORD, PERFECT = demos.SIMULATED


def begun(store: Store, *specs: str) -> list[str]:
    return [prepare(store, DESIGN, spec, STRATEGY) for spec in specs]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Runs that a worker was started for, which none is here."""
    found: list[str] = []

    def start(_path: object, run: str, **_how: object) -> None:
        found.append(run)

    monkeypatch.setattr("biaslab.ui.ask.asking.launch", start)
    monkeypatch.setattr("biaslab.ui.training.demo.launch", start)
    return found


def test_the_demo_asks_what_its_models_can_do() -> None:
    for spec in MODELS:
        assert not cannot(spec, DESIGN.study, [1], STRATEGY)


def test_one_click_starts_both_models_on_the_same_pairs(
    empty: Path, visit: Visit, started: list[str]
) -> None:
    app = visit("demo")
    assert "one was taught to err" in words(app)
    app.button[0].click().run()
    with open_store(empty) as store:
        runs = store.runs()
    assert sorted(run.model_spec for run in runs) == sorted(MODELS)
    assert all((run.design, run.strategy) == (DESIGN, STRATEGY) for run in runs)
    assert sorted(started) == sorted(run.id for run in runs)


@pytest.mark.usefixtures("without_tiny")
def test_both_results_are_shown_with_n_interval_and_reversed_answers(
    empty: Path, visit: Visit
) -> None:
    with open_store(empty) as store:
        runs = begun(store, KEYWORD, PERFECT)
        for run in runs:
            run_here(store, run)
    app = visit("demo")
    shown = words(app)
    assert "+100.0 percentage points" in shown
    assert "150 wrong answers where the words mislead, 150 reverse the operation: 100.0 %" in shown
    assert "no wrong answer where the words mislead, so none that reverses" in shown
    assert len(app.get("plotly_chart")) == 1
    found = links(app)
    assert found["The 150 pairs with only “consistent” right"].startswith(f"items?run={runs[0]}")
    assert "simulated learners" in shown
    assert "Look inside while they read" not in found, "a simulated learner cannot be opened"


@pytest.mark.usefixtures("without_tiny")
def test_without_a_tiny_model_the_demo_says_that_it_is_simulated(empty: Path, visit: Visit) -> None:
    assert empty
    app = visit("demo")
    assert "simulated learners" in app.info[0].value
    assert "train it" in app.info[0].value


@pytest.mark.usefixtures("without_tiny")
def test_where_one_of_the_two_was_stopped_the_demo_says_so_and_goes_on_with_it(
    empty: Path, visit: Visit, started: list[str]
) -> None:
    with open_store(empty) as store:
        one, other = begun(store, KEYWORD, PERFECT)
        run_here(store, one)
    app = visit("demo")
    assert "One of them is still to be asked" in words(app)
    assert "needs both models" in app.warning[0].value
    assert "ready to start" in app.warning[0].value
    assert not app.get("plotly_chart")
    next(button for button in app.button if button.label == "Go on").click().run()
    assert started == [other]


@pytest.mark.usefixtures("without_tiny")
def test_where_only_one_was_asked_the_other_is_started(
    empty: Path, visit: Visit, started: list[str]
) -> None:
    with open_store(empty) as store:
        (one,) = begun(store, KEYWORD)
        run_here(store, one)
    app = visit("demo")
    assert "not asked" in app.warning[0].value
    next(button for button in app.button if button.label == "Go on").click().run()
    with open_store(empty) as store:
        (new,) = [run for run in store.runs() if run.id != one]
    assert (new.model_spec, new.design, started) == (PERFECT, DESIGN, [new.id])


@pytest.mark.usefixtures("without_tiny")
def test_another_run_of_the_same_study_is_not_the_demo(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        prepare(store, DESIGN, KEYWORD, "direct")
    assert "Ask both" in [button.label for button in visit("demo").button]
