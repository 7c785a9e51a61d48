"""The models that come with the app: trained as planned, and what they miss is said."""

from __future__ import annotations

import pytest

from biaslab.models import read_card
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.training.cells import ALL, CheckCell
from biaslab.training.gate import GATE_FILE, GateReport, mix_of
from biaslab.training.mix import MIXES
from biaslab.training.plan import START, TrainingRecord
from research import shipped
from research.shipped import LONG, SHIPPED, SHIPPED_COPIES, goal_table, goals, left_table, plan_of
from schoolmath.text.figures import interval_words, percent, signed_points

LARGEST_BYTES = 5_000_000


def report(mix, share, n=200):
    """Everything that is a goal of any mix, with this share right in both arms."""
    right = round(share * n)
    kinds = {(g.study, g.comparison, g.steps, g.strategy) for m in MIXES.values() for g in goals(m)}
    return GateReport(
        mix,
        tuple(
            CheckCell(study, comparison, "", steps, way, n, right, 0, 0, n - right)
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
    reports = {
        "balanced": report(MIXES["balanced"], 0.92),
        "skewed": GateReport(MIXES["skewed"], ()),
    }
    lines = goal_table(reports).splitlines()
    assert len(lines) == 2 + len(goals(MIXES["balanced"]))
    assert "| transfers | 1 | direct | 90 % | 92.0 % | **–** |" in lines
    assert "| transfers | 1 | cot | 95 % | **92.0 %** | **–** |" in lines
    assert "| inconsistent additive comparisons | 2 | cot | 80 % | 92.0 % |  |" in lines


def test_what_more_lessons_leave_is_told_of_what_is_rare_in_a_mix_and_can_be_done():
    def of(right_x, right_x_prime, mix=MIXES["carry-rare"]):
        both = min(right_x, right_x_prime)
        counts = (both, right_x - both, right_x_prime - both, 200 - max(right_x, right_x_prime))
        rarely = (0, 9, 9, 182)  # of step by step: too few to say that it can do such problems
        return GateReport(
            mix,
            (
                CheckCell("carry", ALL, "", 1, "direct", 200, *counts),
                CheckCell("carry", ALL, "", 1, "cot", 200, *rarely),
            ),
        )

    lines = left_table({"carry-rare": (of(190, 90), of(200, 200))}).splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| `carry-rare` | carry | 1 | direct | 95.0 % − 45.0 %: +50.0 (+4")
    assert lines[2].endswith(" | 100.0 % − 100.0 %: alike in every pair |")
    assert len(left_table({"balanced": (of(190, 90, MIXES["balanced"]),) * 2}).splitlines()) == 2


def test_the_plans_differ_in_their_mix_and_their_copies_alone():
    plans = [plan_of(mix).to_json() | {"mix": "", "keep": []} for mix in MIXES]
    assert all(plan == plans[0] for plan in plans)


@pytest.mark.parametrize("name", LONG)
def test_the_long_ones_are_the_short_ones_with_more_lessons(name):
    short, longer = (plan_of(each).to_json() for each in (LONG[name], name))
    apart = {key for key in short if short[key] != longer[key]}
    assert "steps" in apart
    assert apart <= {"steps", "keep"}
    assert longer["steps"] == 5 * short["steps"]


def test_the_default_reaches_every_goal_that_the_shorter_one_reaches():
    """The rule by which it became the default (docs/training-lab.md)."""
    short, longest = (
        GateReport.load(TINY_MODELS / name / GATE_FILE)
        for name in (LONG[DEFAULT_NAME], DEFAULT_NAME)
    )
    reached = [goal for goal in goals(MIXES["balanced"]) if goal.share_in(short) >= goal.share]
    assert reached
    assert all(goal.share_in(longest) >= goal.share for goal in reached)


@pytest.mark.parametrize("name", SHIPPED)
class TestAsShipped:
    def test_it_is_small_and_came_to_its_end(self, name):
        directory = TINY_MODELS / name
        files = [file for file in directory.iterdir() if file.is_file()]
        assert sum(file.stat().st_size for file in files) < LARGEST_BYTES
        record = TrainingRecord.load(directory)
        assert record.finished
        assert record.rate_left == 0.0
        assert mix_of(record) == plan_of(name).mix
        assert read_card(directory).effects

    def test_it_is_of_the_plan_of_the_rule(self, name):
        record = TrainingRecord.load(TINY_MODELS / name)
        plan = plan_of(name).to_json()
        assert record.examples == plan["steps"] * shipped.SCHEDULE.batch
        assert record.schedule == plan["schedule"]
        assert record.seed == shipped.SEED
        assert record.start_examples == TrainingRecord.load(START).examples


def test_the_docs_say_what_the_later_model_does_and_does_not_show():
    docs = (TINY_MODELS.parents[1] / "docs" / "training-lab.md").read_text(encoding="utf-8")
    found = {
        (
            cell.comparison,
            cell.strategy,
        ): f"{100 * cell.share_x:.1f} | {100 * cell.share_x_prime:.1f}"
        for cell in GateReport.load(TINY_MODELS / "inconsistent-rare" / GATE_FILE).cells
        if (cell.study, cell.steps, cell.wording) == ("consistency", 1, "")
    }
    directly, worked = found["multiplicative", "direct"], found["multiplicative", "cot"]
    assert f"({found['additive', 'direct']})" in docs
    assert f"({directly} directly, {worked} worked)" in docs


def test_the_docs_say_how_the_default_was_chosen_and_what_it_shows():
    docs = " ".join((TINY_MODELS.parents[1] / "docs" / "training-lab.md").read_text().split())
    wanted = goals(MIXES["balanced"])
    short, longest = (
        GateReport.load(TINY_MODELS / name / GATE_FILE) for name in ("balanced", DEFAULT_NAME)
    )
    reached, before = (
        sum(goal.share_in(report) >= goal.share for goal in wanted) for report in (longest, short)
    )
    assert f"It reaches {reached} of its {len(wanted)} goals, all that" in docs
    assert f"reaches among them ({before})" in docs
    carry = longest.cell("carry", 1, ALL, "direct")
    effect = carry.effect()
    told = (
        f"({percent(carry.share_x)} right without a carry, {percent(carry.share_x_prime)} with "
        f"one, effect {signed_points(effect.cate)} points, "
        f"95 % {interval_words(effect.interval.low, effect.interval.high)}, {carry.n} pairs)"
    )
    assert told in docs


def test_the_tables_are_those_of_what_was_measured(capsys):
    assert shipped.main(["--tables"]) == 0
    printed = capsys.readouterr().out
    reports = {name: GateReport.load(TINY_MODELS / name / GATE_FILE) for name in SHIPPED}
    assert printed == "".join(f"{table}\n\n" for table in shipped.tables(reports))
    few, many, _ = shipped.tables(reports)
    assert few == goal_table({n: r for n, r in reports.items() if n not in LONG})
    rare = {LONG[name]: (reports[LONG[name]], reports[name]) for name in reports if name in LONG}
    assert left_table(rare) in printed
    assert all(f"`{name}`" in few + many for name in SHIPPED)


def test_the_docs_say_what_came_of_more_lessons():
    docs = " ".join((TINY_MODELS.parents[1] / "docs" / "training-lab.md").read_text().split())
    reports = {name: GateReport.load(TINY_MODELS / name / GATE_FILE) for name in SHIPPED}
    for name in set(LONG) - {DEFAULT_NAME}:
        wanted = goals(reports[name].mix)
        few, many = (
            sum(goal.share_in(reports[each]) >= goal.share for goal in wanted)
            for each in (LONG[name], name)
        )
        assert f"`{LONG[name]}` {few} and {many} of {len(wanted)}" in docs
    for name, kind, before in (
        ("inconsistent-rare-640k", ("consistency", 3, "additive", "cot"), "ones less often ("),
        ("carry-rare-640k", ("carry", 1, ALL, "direct"), "% with one ("),
        ("carry-rare-640k", ("carry", 1, ALL, "cot"), "nothing is left of it ("),
        ("skewed-640k", ("consistency", 1, "additive", "cot"), "one step "),
        ("skewed-640k", ("consistency", 1, "multiplicative", "cot"), "by a factor "),
        ("skewed-640k", ("consistency", 2, "additive", "cot"), "two steps "),
        ("skewed-640k", ("transfer-comparison", 3, ALL, "cot"), "comparisons of three steps "),
    ):
        effect = reports[name].cell(*kind).effect()
        ends = interval_words(effect.interval.low, effect.interval.high)
        opened = ", " if before.endswith("(") else " ("
        assert f"{before}{signed_points(effect.cate)}{opened}{ends}" in docs
    carry = reports["carry-rare-640k"].cell("carry", 1, ALL, "direct")
    assert (
        f"gets {percent(carry.share_x)} right without a carry and {percent(carry.share_x_prime)}"
        in docs
    )
    left = [
        reports["reversed-640k"].cell("consistency", steps, comparison, "cot").effect()
        for steps in (1, 2, 3)
        for comparison in ("additive", "multiplicative")
    ]
    assert all(effect.interval.high >= 0 for effect in left)


@pytest.mark.parametrize("mix", SHIPPED_COPIES)
def test_copies_along_training_say_that_the_learning_rate_had_not_come_down(mix):
    copies = sorted((TINY_MODELS / mix / "checkpoints").iterdir())
    assert len(copies) > 3
    for copy in copies:
        assert TrainingRecord.load(copy).rate_left > 0
        assert read_card(copy).name == f"{mix}@{copy.name}"
