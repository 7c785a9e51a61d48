"""Every page of results says something sensible of runs of which every answer is missing."""

from __future__ import annotations

from pathlib import Path

from biaslab.models import ModelError
from biaslab.runs import RunError, open_store, prepare, run_here
from biaslab.runs.engine.sources import Sources
from biaslab.studies import Design, experiment
from tests.ui.conftest import SimulatedWriter, Visit, words


def test_pages_of_runs_that_were_cut_off_for_good(empty: Path, visit: Visit) -> None:
    store = open_store(empty)
    model = SimulatedWriter("Let me see what is asked for he")
    sources = Sources(experiment, lambda *_: model.identity, lambda *_: model)
    wrong = []
    for study, strategy, own in (
        ("consistency", "cot", ""),
        ("concept-learning", "text", "concepts"),
        ("decision", "choose", "biases"),
    ):
        try:
            run = prepare(store, Design(study, 4, 1), "local:x", strategy, sources=sources)
        except (RunError, ModelError) as error:
            wrong.append(f"{study}: {error}")
            continue
        record = run_here(store, run, sources=sources)
        if record.failed != record.items_total:
            wrong.append(f"{study}: {record.answered} answered, {record.failed} failed")
        pages = {"effects": "runs", "items": "run", "results": "runs", "runs": "run"}
        for page, name in (pages | ({own: "runs"} if own else {})).items():
            app = visit(page, **{name: run})
            if app.exception or app.error:
                wrong.append(f"{study}, {page}: {app.error or app.exception}")
            if page == "effects" and study == "consistency":
                said = words(app)
                if "pairs left out because an answer is missing" not in said:
                    wrong.append(f"{study}, {page}: says nothing of what is missing")
    assert not wrong
