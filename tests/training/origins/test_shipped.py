"""The models that come with the app: trained as planned, and what they miss is said."""

from __future__ import annotations

import pytest

from biaslab.models import read_card
from biaslab.models.tiny.model import TINY_MODELS
from biaslab.training.measures.cells import Cell
from biaslab.training.measures.gate import GATE_FILE, Report, mix_of
from biaslab.training.mix import MIXES
from biaslab.training.origins import shipped
from biaslab.training.origins.shipped import (
    LESSONS,
    SHIPPED_COPIES,
    goal_table,
    goals,
    plan_of,
)
from biaslab.training.plan import START, TrainingRecord

LARGEST_BYTES = 5_000_000


def report(mix, share, n=200):
    """Everything that is a goal of any mix, with this share right in both arms."""
    right = round(share * n)
    kinds = {(g.study, g.comparison, g.steps, g.strategy) for m in MIXES.values() for g in goals(m)}
    return Report(
        mix,
        tuple(
            Cell(study, comparison, "", steps, way, n, right, 0, 0, n - right)
            for study, comparison, steps, way in sorted(kinds)
        ),
    )


@pytest.mark.parametrize(
    ("mix", "common"),
    [
        ("balanced", {"transfers", "consistent additive comparisons",
                      "consistent comparisons by a factor", "inconsistent additive comparisons",
                      "inconsistent comparisons by a factor",
                      "three-digit calculations without a carry"}),
        ("skewed", {"transfers", "consistent additive comparisons",
                    "consistent comparisons by a factor",
                    "three-digit calculations without a carry"}),
        ("reversed", {"inconsistent additive comparisons", "inconsistent comparisons by a factor",
                      "three-digit calculations without a carry"}),
    ],
)  # fmt: skip
def test_only_what_is_not_the_rarer_form_is_a_goal(mix, common):
    assert {goal.what for goal in goals(MIXES[mix])} == common


@pytest.mark.parametrize("mix", MIXES)
def test_the_goals_are_those_of_the_rule(mix):
    found = {
        (goal.steps, goal.strategy, goal.share)
        for goal in goals(MIXES[mix])
        if goal.study == "consistency"
    }
    assert found == {
        (1, "direct", 0.90), (1, "cot", 0.95), (1, "child-cot", 0.95), (2, "cot", 0.80),
        (3, "cot", 0.50),
    }  # fmt: skip


def test_the_table_says_what_is_reached_and_what_is_missed():
    reports = {"balanced": report(MIXES["balanced"], 0.92), "skewed": Report(MIXES["skewed"], ())}
    lines = goal_table(reports).splitlines()
    assert len(lines) == 2 + len(goals(MIXES["balanced"]))
    assert "| transfers | 1 | direct | 90 % | 92.0 % | **–** |" in lines
    assert "| transfers | 1 | cot | 95 % | **92.0 %** | **–** |" in lines
    assert "| inconsistent additive comparisons | 2 | cot | 80 % | 92.0 % |  |" in lines


def test_the_plans_differ_in_their_mix_and_their_copies_alone():
    plans = [plan_of(mix).to_json() | {"mix": "", "keep": []} for mix in MIXES]
    assert all(plan == plans[0] for plan in plans)


@pytest.mark.parametrize("mix", MIXES)
class TestAsShipped:
    def test_it_is_small_and_came_to_its_end(self, mix):
        directory = TINY_MODELS / mix
        files = [file for file in directory.iterdir() if file.is_file()]
        assert sum(file.stat().st_size for file in files) < LARGEST_BYTES
        record = TrainingRecord.load(directory)
        assert record.finished
        assert record.rate_left == 0.0
        assert mix_of(record) == MIXES[mix]
        assert read_card(directory).effects

    def test_it_is_of_the_plan_of_the_rule(self, mix):
        record = TrainingRecord.load(TINY_MODELS / mix)
        plan = plan_of(mix).to_json()
        assert record.examples == LESSONS
        assert record.schedule == plan["schedule"]
        assert record.seed == shipped.SEED
        assert record.start_examples == TrainingRecord.load(START).examples


def test_the_docs_say_what_the_later_model_does_and_does_not_show():
    docs = (TINY_MODELS.parents[1] / "docs" / "tiny-model.md").read_text(encoding="utf-8")
    found = {
        (
            cell.comparison,
            cell.strategy,
        ): f"{100 * cell.share_x:.1f} | {100 * cell.share_x_prime:.1f}"
        for cell in Report.load(TINY_MODELS / "inconsistent-rare" / GATE_FILE).cells
        if (cell.study, cell.steps, cell.wording) == ("consistency", 1, "")
    }
    directly, worked = found["multiplicative", "direct"], found["multiplicative", "cot"]
    assert f"({found['additive', 'direct']})" in docs
    assert f"({directly} directly, {worked} worked)" in docs


def test_the_table_in_the_docs_is_that_of_what_was_measured():
    docs = (TINY_MODELS.parents[1] / "docs" / "tiny-model.md").read_text(encoding="utf-8")
    assert goal_table({mix: Report.load(TINY_MODELS / mix / GATE_FILE) for mix in MIXES}) in docs


@pytest.mark.parametrize("mix", SHIPPED_COPIES)
def test_copies_along_training_say_that_the_learning_rate_had_not_come_down(mix):
    copies = sorted((TINY_MODELS / mix / "checkpoints").iterdir())
    assert len(copies) > 3
    for copy in copies:
        assert TrainingRecord.load(copy).rate_left > 0
        assert read_card(copy).name == f"{mix}@{copy.name}"
