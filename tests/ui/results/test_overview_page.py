"""Overview: every study, model and strategy beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.runs import open_store
from biaslab.stats import effects
from biaslab.studies import experiment
from schoolmath.text.figures import signed_points
from tests.ui.conftest import Asked, Visit, ask, links, words


@pytest.mark.usefixtures("empty")
def test_before_anything_was_measured_it_says_what_to_do(visit: Visit) -> None:
    app = visit("results")

    assert "Nothing has been measured yet" in app.info[0].value
    assert {"Ask a model", "Compose a study", "Open runs of others"} <= set(links(app))


def test_every_study_and_whoever_was_asked_stand_in_one_table(asked: Asked, visit: Visit) -> None:
    app = visit("results")
    table = app.dataframe[0].value

    with open_store(asked.path) as store:
        asked_studies = {run.study for run in store.runs()}
        (found,) = effects(store.outcomes([asked.keyword]))
    for study in asked_studies:
        assert any(name.startswith(experiment(study).title) for name in table.columns)
    assert any(signed_points(found.cate) in str(cell) for row in table.to_numpy() for cell in row)


def test_it_is_broken_down_alike_in_every_study_that_has_the_stratum(
    asked: Asked, visit: Visit
) -> None:
    columns = list(visit("results", by="steps").dataframe[0].value.columns)

    for study in ("consistency", "transfer-comparison"):
        assert any(name.startswith(f"{experiment(study).title}, steps 1") for name in columns)
    assert asked.keyword


def test_two_runs_of_one_model_have_a_row_each(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        first = ask(store, "consistency", 10, "1", "learner:perfect")
        second = ask(store, "consistency", 12, "1", "learner:perfect")
    app = visit("results", runs=f"{first},{second}")
    table = app.dataframe[0].value
    rows = list(table["Asked"])

    assert len(set(rows)) == len(rows) == 2
    assert set(table["Model"]) == {"Makes no mistakes (simulated)"}
    assert sum("pairs: 1" in row for row in rows) == 1


def test_the_newest_run_of_each_is_shown_unless_others_are_chosen(
    empty: Path, visit: Visit
) -> None:
    with open_store(empty) as store:
        ask(store, "consistency", 10, "1", "learner:perfect")
        newest = ask(store, "consistency", 12, "1", "learner:perfect")
    app = visit("results")

    assert app.multiselect[0].value == [newest]


def test_the_finding_counts_what_is_significant(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        ask(store, "consistency", 40, "1", "learner:keyword")
        ask(store, "consistency", 40, "1", "learner:perfect")

    shown = words(visit("results"))
    assert "1 of 2 effects** is statistically significant (q < 0.05)" in shown
    assert "1 in favour of the first kind and 0 of the second" in shown


def test_a_link_keeps_the_view(asked: Asked, visit: Visit) -> None:
    app = visit("results", runs=asked.keyword, by="steps", invalid="exclude")

    assert app.multiselect[0].value == [asked.keyword]
    assert app.selectbox[0].value == "steps"
    address = links(app)["Link to this view"]
    assert f"runs={asked.keyword}" in address
    assert "by=steps" in address
