"""A replication: the published designs, our figures beside the published ones, what can be said."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.publishing.replication import (
    SYSTEMS,
    Direction,
    Figure,
    ReplicationRow,
    replication_lines,
)
from biaslab.runs import open_store, prepare, run_here
from biaslab.runs.store.store import gallery
from biaslab.studies import Design
from biaslab.studies.published import published_effects


def figure(value: float, half: float) -> Figure:
    return Figure("someone", value, value - half, value + half, "n = 100")


def test_two_figures_agree_only_where_both_are_decided():
    own = figure(0.2, 0.1)
    for other, agreement in (
        (figure(0.3, 0.1), Direction.SAME),
        (figure(-0.3, 0.1), Direction.OTHER),
        (figure(0.05, 0.1), Direction.UNDECIDED),
        (Figure("someone", 0.5, None, None, ""), Direction.UNDECIDED),
    ):
        assert ReplicationRow("what", "direct", own, ()).direction(other) is agreement
        undecided = ReplicationRow("what", "direct", figure(0.0, 0.1), ())
        assert undecided.direction(other) is Direction.UNDECIDED


def test_a_published_interval_is_that_of_its_printed_p(rows):
    by_model = {
        each.model: each for each in rows["consistent minus inconsistent", "direct"].published
    }
    # +3.2 points, p 0.006 of 500 pairs; +1.6, p 0.158; +0.48 with "<0.001"
    assert by_model["LLaMA2 13B"].low > 0
    assert by_model["LLaMA2 70B Chat"].low < 0
    printed = published_effects("consistency", "direct")
    for each in (row for row in printed if row.n == 500):
        own = by_model[each.model]
        assert own.value == pytest.approx(each.cate, abs=0.0006)
        assert (own.sign > 0) is (each.p < 0.05), each


@pytest.fixture
def rows(recorded):  # noqa: ARG001
    held = gallery()
    system = SYSTEMS["word-problems"]
    runs = [run for run in held.runs() if system.replicates(run)]
    assert len(runs) >= 6
    found = {}
    for row in system.rows(held, runs):
        if row.own.model.endswith("Qwen2.5-Coder-0.5B-Instruct"):
            found[row.what, row.strategy] = row
    return found


def test_a_recorded_model_stands_beside_every_published_one(rows):
    row = rows["consistent minus inconsistent", "cot"]
    assert len(row.published) == 12
    assert row.own.low > 0.1
    told = "\n".join(replication_lines([row]))
    assert "of 12 published: 11 same direction, 0 other direction, 1 undecided" in told


@pytest.mark.usefixtures("recorded")
def test_runs_of_other_designs_are_no_replication():
    held = gallery()
    system = SYSTEMS["word-problems"]
    one_step = [run for run in held.runs() if run.design.settings.get("steps") == "1-1"]
    assert one_step
    assert not any(system.replicates(run) for run in one_step if run.study != "carry")


def test_every_system_has_a_published_design_that_can_be_made():
    for name, system in SYSTEMS.items():
        for design in system.designs(3, 1):
            assert design.n == 3, name


def test_the_command_asks_the_design_and_prints_both_tables(tmp_path):
    runner = CliRunner()
    for system, model, n, expected in (
        ("malgorithms", "learner:key-drawn", "60", "of 4 published: 4 same direction"),
        ("concepts", "learner:up-biased", "18", "more than p minus less than p, hidden"),
        ("decisions", "learner:random", "60", "of 19 published: "),
        ("word-problems", "learner:keyword", "40", "no carry minus carry · direct"),
    ):
        words = ["replicate", system, "--model", model, "--n", n, "--db", str(tmp_path / "r.db")]
        words += ["--strategy", "direct"] if system == "word-problems" else []
        done = runner.invoke(main, words)
        assert done.exit_code == 0, done.output
        assert expected in done.output
    with open_store(tmp_path / "r.db") as store:
        assert {run.reader for run in store.runs() if run.study == "carry"} == {"published 1"}


def test_the_command_refuses_what_no_paper_asked(tmp_path):
    db = ["--db", str(tmp_path / "r.db")]
    for words, why in (
        (["replicate", "concepts"], "Name a --model"),
        (
            ["replicate", "concepts", "--model", "learner:count", "--strategy", "text"],
            "choose like",
        ),
        (["replicate", "everything", "--model", "learner:count"], "everything"),
    ):
        refused = CliRunner().invoke(main, [*words, *db])
        assert refused.exit_code == 2
        assert why in refused.output


def test_the_prompts_that_a_run_would_send_are_printed(tmp_path):
    db = ["--db", str(tmp_path / "r.db")]
    words = ["prompt", "consistency", "--published", "--n", "1", "--strategy", "cot"]
    told = CliRunner().invoke(main, [*words, *db]).output
    with open_store(tmp_path / "r.db") as store:
        run = prepare(store, Design("consistency", 1, 1), "learner:perfect", "cot")
        run_here(store, run)
        with store.reading() as database:
            sent = [row["request"] for row in database.query("SELECT request FROM responses")]
    assert told.count("[user]") == 6  # two members; the second request tells the first again
    assert "Therefore, the answer (Arabic numerals) is" in told
    assert "[the model's answer to this stands here]" in told
    assert any("Let's think step by step." in each for each in sent)
    scored = CliRunner().invoke(
        main, ["prompt", "concept-learning", "--published", "--n", "1", *db]
    )
    assert "scored: ' Yes' | ' No'" in scored.output
    as_json = CliRunner().invoke(main, [*words, "--format", "json", "--form", "base", *db])
    assert '"role": "text"' in as_json.output
