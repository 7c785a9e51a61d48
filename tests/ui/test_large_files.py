"""Files of many pairs are made before they are downloaded, so that a failure is told."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from biaslab.runs import open_store
from biaslab.runs.library.pair_sets import save_set
from biaslab.studies import Design, experiment
from biaslab.ui.navigation import AREAS, SCREENS
from biaslab.ui.widgets.figures import table_csv, to_csv
from tests.ui.conftest import Visit, downloads, words

MANY = {"study": "carry", "n": "2500"}


@pytest.mark.usefixtures("empty")
def test_a_large_file_is_made_first_then_downloaded(visit: Visit) -> None:
    app = visit("compose", **MANY)
    assert "CSV: 2,500 pairs" not in downloads(app)
    app.button(key="export make").click().run()
    assert not app.error
    assert "CSV: 2,500 pairs" in downloads(app)


@pytest.mark.usefixtures("empty")
def test_a_file_that_was_made_is_not_offered_for_another_design(visit: Visit) -> None:
    app = visit("compose", **MANY)
    app.button(key="export make").click().run()
    app.number_input(key="address seed").set_value(2).run()
    assert "CSV: 2,500 pairs" not in downloads(app)


@pytest.mark.usefixtures("empty")
def test_fewer_pairs_than_asked_for_are_told_in_a_sentence(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biaslab.studies.study.PATIENCE", 1)
    line = "container thing=apple . transfer- A>"
    app = visit(
        "compose", study="composed", structure=line, numbers="2-3", n="9000",
        treatment="question-wording",
    )  # fmt: skip
    app.button(key="export make").click().run()
    assert "different pairs of this design were found." in app.error[0].value
    assert not app.exception


def test_more_pairs_than_a_set_has_are_refused_at_once(visit: Visit, empty: Path) -> None:
    design = Design("carry", 3, 1)
    with open_store(empty) as store:
        saved = save_set(store, "three", list(experiment("carry").pairs(design)), "made").id
    app = visit("compose", study="imported", set=saved, n="4")
    assert "This design has 3 pairs, not 4." in app.error[0].value
    assert "CSV: 4 pairs" not in downloads(app)
    assert app.button(key="run").disabled


@pytest.mark.parametrize("cell", ["=1+1", "+1+1", "-1+1", "@SUM(1)", " =1+1", "\t=1+1"])
def test_no_cell_of_a_file_begins_with_what_a_spreadsheet_would_run(cell: str) -> None:
    rows = to_csv(["answer", "n"], [{"answer": cell, "n": -1}]).decode().splitlines()
    table = table_csv(pd.DataFrame({"answer": [cell], "n": [-1]})).decode().splitlines()
    assert rows == table == ["answer,n", f"'{cell},-1"]


@pytest.mark.usefixtures("empty")
def test_eight_doors_lead_to_every_screen(visit: Visit) -> None:
    assert len(AREAS) == 8
    assert len({area.title for area in AREAS}) == 8
    assert len({screen.title for screen in SCREENS}) == len(SCREENS)
    for area in AREAS:
        module = import_module(f"pages.{area.module}")
        assert all(callable(getattr(module, f"{screen.name}_page")) for screen in area.screens)
    assert "BiasLab" in words(visit("home"))
