"""Concepts: build one, see what it says, and read how well it was learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.ui.conftest import Visit, words


@pytest.fixture(scope="session")
def _learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("concepts") / "runs.db"
    with open_store(path) as store:
        settings = {"semantics": "hidden and explicit", "concept": "more than 3/10; at least 20"}
        design = Design("concept-learning", 80, 1, settings)
        run = prepare(store, design, "learner:up-biased", "likelihood")
        run_here(store, run)
    return path, run


@pytest.fixture
def learned(_learned: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BIASLAB_DB", str(_learned[0]))
    return _learned[1]


@pytest.mark.usefixtures("empty")
def test_a_concept_is_shown_with_its_counts_its_prompts_and_the_way_to_asking(visit: Visit):
    app = visit("concepts", concept="more than 1/10")
    assert not app.error
    assert "Yes is right for 4,580 amounts, no for 556" in words(app)
    assert "“less than 9/10” is downward" in words(app)
    short, *whole = [code.value.splitlines() for code in app.code]
    assert [len(lines) for lines in whole] == [21, 21]
    assert short == [whole[0][0], "…", whole[0][-1]]
    assert [button.label for button in app.button] == ["Ask a model"]


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ({"concept": "at least 0"}, "The nearest that works is at least 1"),
        ({"concept": "mor than 1/2"}, "Did you mean “more than”?"),
        ({"totals": "5-6"}, "The nearest range of totals that works is 5-9"),
        ({"concept": "more than 1/2", "against": "more than 1/2"}, "nothing to compare"),
    ],
)
def test_a_concept_that_cannot_be_asked_about_is_refused_with_the_reason(
    visit: Visit, address: dict[str, str], reason: str
):
    app = visit("concepts", **address)
    assert not app.exception
    assert reason in words(app)
    assert not app.button


@pytest.mark.usefixtures("empty")
def test_without_runs_the_results_say_what_to_do_and_show_the_published_means(visit: Visit):
    app = visit("concepts", view="results")
    assert not app.error
    assert "No model has been asked about concepts yet" in words(app)
    assert "does not say which fraction each belongs to" in words(app)
    assert len(app.dataframe[0].value) == 6


def test_results_show_gap_gain_ceilings_and_leaning(visit: Visit, learned: str):
    app = visit("concepts", view="results", runs=learned)
    assert not app.error
    said = words(app)
    assert "matched pairs, p " in said
    assert "Counting, totals ignored, gives no gap in this design" in said
    assert "Saying the meaning changes the first concept" in said
    table = app.dataframe[0].value
    assert list(table["Prompt"].unique()) == ["hidden", "explicit"]
    assert {"Ratio learner", "Count learner", "d′", "Criterion"} <= set(table.columns)
    assert len(table) == 12
    assert "Hidden, ours: of 6 simple strategies “ratio” fits best" in said


def test_the_study_can_be_composed_and_its_items_read(visit: Visit, learned: str):
    for page, address in (
        ("compose", {"study": "concept-learning", "concept": "all"}),
        ("items", {"run": learned}),
        ("effects", {"runs": learned, "by": "distance"}),
        ("runs", {"run": learned}),
    ):
        app = visit(page, **address)
        assert not app.error, page
        assert not app.exception, page
