"""Recorded runs of real models on the pages, beside one's own and where there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.runs import open_store
from biaslab.studies import experiment
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.widgets import queries
from tests.ui.conftest import Asked, Visit, links, words

SAID = "Recorded: Qwen2.5-Coder-0.5B-Instruct, asked on 26 November 2026."


@pytest.mark.usefixtures("empty", "recorded")
def test_without_runs_of_one_s_own_the_pages_open_on_a_recorded_one(visit: Visit) -> None:
    for page in ("items", "effects", "results", "runs"):
        shown = words(visit(page))
        assert SAID in shown, page
        assert "SHA-256 1d9614638d18" in shown, page
        assert "Apache-2.0" in shown, page


def test_a_recorded_run_stands_after_one_s_own_and_is_only_looked_at(
    asked: Asked, recorded: str, visit: Visit
) -> None:
    own = [run.id for run in open_store(asked.path).runs()]
    assert [run.id for run in queries.runs()][: len(own)] == own
    assert queries.runs()[len(own)].id == recorded
    assert {run.id for run in queries.runs_in_file()} == set(own)
    assert SAID not in words(visit("items"))
    app = visit("items", run=recorded)
    assert SAID in words(app)
    assert not app.get("text_area"), "a note"
    assert "Mark and note" not in [box.label for box in app.expander]
    app = visit("runs", run=recorded)
    assert SAID in words(app)
    # When on that day nobody wrote down.
    facts = next(body for body in words(app).split("\n") if "Read by" in body)
    assert "26 Nov 2026<" in facts
    assert "Started" not in facts
    assert not {button.label for button in app.button} & {"Start", "Resume", "Read again"}
    both = words(visit("effects", runs=f"{own[0]},{recorded}"))
    assert SAID in both


@pytest.mark.usefixtures("empty")
def test_where_a_pair_is_shown_that_was_asked_its_recorded_answers_stand_below(
    recorded: str, visit: Visit
) -> None:
    design = queries.store().run(recorded).design
    pair = next(iter(experiment(design.study).pairs(design)))
    assert len(queries.recorded_answers(pair.x.text, pair.x_prime.text)) == 2
    assert queries.recorded_answers(pair.x_prime.text, pair.x.text) == []
    app = visit("compose", **address_of(design))
    assert "Recorded answers of Qwen2.5-Coder-0.5B-Instruct to the first and" in words(app)
    told = [label for label, place in links(app).items() if place.startswith("items?run=r")]
    assert len(told) == 2
    assert "Think step by step: 21 (right), " in "".join(told)


@pytest.mark.usefixtures("empty")
def test_a_damaged_gallery_is_a_sentence_and_hides_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, visit: Visit
) -> None:
    (tmp_path / "runs.db.xz").write_bytes(b"no archive")
    monkeypatch.setenv("BIASLAB_RECORDED", str(tmp_path))
    for page in ("runs", "items", "effects", "results", "malgorithms", "biases"):
        assert "cannot be used" in words(visit(page)), page
    assert "cannot be used" in words(visit("concepts", view="results"))
    assert "There are no answers yet" in words(visit("items"))
