"""The methods say what was done, with figures from the runs alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from biaslab.publishing.paper.analysis import Analysis, chosen_runs, effect_tables
from biaslab.publishing.paper.bundle_writing import Bundle, make_bundle
from biaslab.publishing.paper.methods import as_text, limitations, methods
from biaslab.runs import Store, open_store

Runs = tuple[Path, dict[str, str]]


def written(runs: Runs, *names: str, analysis: Analysis | None = None) -> tuple[str, str, Bundle]:
    """Methods and limitations of some runs, and their bundle."""
    db, ids = runs
    analysis = analysis or Analysis()
    with open_store(db) as store:
        records = chosen_runs(store, [ids[name] for name in names])
        bundle = make_bundle(store, records, effect_tables(store, records), analysis)
        said = as_text(methods(store, records, bundle, analysis))
        return said, "\n".join(limitations(store, records, bundle)), bundle


@pytest.fixture
def store(runs: Runs):
    with open_store(runs[0]) as opened:
        yield opened


def test_it_names_design_model_strategy_sampling_seed_and_reader(runs: Runs, store: Store) -> None:
    said, _, _ = written(runs, "samples")
    record = store.run(runs[1]["samples"])

    assert f"run {record.id}, 24 pairs of two items, consistent (x) and inconsistent (x′)" in said
    assert "made with seed 3 (steps: 1-2; " in said
    assert f"(revision {record.model_revision}, base form)" in said
    assert "strategy direct (“Answer directly”)" in said
    assert "Every item was asked 5 times, at temperature 0 and with at most 32 new tokens" in said
    assert f"Of {record.answered + record.invalid} answers, {record.invalid} could not" in said
    assert f"“{record.reader}”" in said


def test_every_figure_in_it_stands_in_the_bundle_or_the_analysis(runs: Runs) -> None:
    said, _, bundle = written(runs, "keyword", "perfect", "decision")
    texts = [data for name, data in bundle.files.items() if not name.endswith(".parquet")]
    known = " ".join(text.decode() for text in texts) + bundle.digest
    # The publications and wordings of the study itself, and the words that count runs.
    told = re.sub(r"\(study .*?\) asks: [^\[]*", "", said)
    figures = set(re.findall(r"(?<![\w.])\d[\d.]*(?![\w])", told))

    unknown = {figure.rstrip(".") for figure in figures if figure.rstrip(".") not in known}
    rows = json.loads(bundle.files["effects.json"])
    computed = {str(len(row["family"])) for row in rows} | {"95", "0"}
    assert unknown <= computed


def test_q_is_told_with_its_family(runs: Runs) -> None:
    said, _, _ = written(runs, "keyword", "perfect", "decision")
    ids = runs[1]

    assert (
        "q of simulated learners in the study consistency allows for 2 tests (Benjamini and "
        f"Hochberg; runs {ids['keyword']} and {ids['perfect']})." in said
    )


@pytest.mark.parametrize(
    ("analysis", "said"),
    [
        (Analysis(confidence=0.9), "a coverage of 90 %"),
        (Analysis(interval="tango"), "Tango's score interval"),
        (Analysis(invalid="exclude"), "is left out with its pair"),
        (Analysis(vote=True), "the most frequent answer counts"),
    ],
)
def test_another_analysis_is_told_otherwise(runs: Runs, analysis: Analysis, said: str) -> None:
    names = ("samples",) if analysis.vote else ("keyword",)

    assert said in written(runs, *names, analysis=analysis)[0]
    assert said not in written(runs, *names)[0]


def test_log_probabilities_are_not_said_to_be_sampled(runs: Runs) -> None:
    said, _, _ = written(runs, "concept")

    assert "asked once, and the log-probabilities of the answers offered were compared." in said


def test_limitations_are_those_of_the_runs(runs: Runs) -> None:
    _, limits, _ = written(runs, "decision", "concept")
    ids = runs[1]

    assert f"Run {ids['decision']}: learner:anchored is a simulated learner" in limits
    assert re.search(rf"Run {ids['decision']}: \d+ requests? for an answer failed", limits)
    assert re.search(rf"Run {ids['concept']}: its 12 pairs belong to \d+ clusters", limits)
    assert "rest on fewer than 5 pairs" in limits
