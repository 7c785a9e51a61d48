"""The family: plans that differ in the mix alone, and the table of what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biaslab.models.tiny.model import TINY_MODELS
from biaslab.training.gate import GATE_FILE, GateReport
from biaslab.training.mix import FAMILY, MIXES
from biaslab.training.origins.rows import read_family
from biaslab.training.plan import Schedule, TrainingError, TrainingPlan
from research import family as origins_family
from research.family import LOOKED_INTO, FamilyPlan, main, put, train


def test_the_models_of_a_seed_differ_in_their_mix_alone(tmp_path):
    family = FamilyPlan(tmp_path)
    plans = [family.mix_plan(mix, 2) for mix in FAMILY]
    assert {plan.mix for plan in plans} == {MIXES[mix] for mix in FAMILY}
    assert len({replace(plan, mix=None, keep=()) for plan in plans}) == 1
    assert plans[0].start == family.start


def test_a_model_is_put_in_place_without_what_only_a_training_needs(tmp_path):
    made, models = tmp_path / "work" / "skewed-1", tmp_path / "models"
    copies = [made / "checkpoints" / name for name in ("0008k", "0016k")]
    for place in (made, *copies):
        place.mkdir(parents=True, exist_ok=True)
        (place / "model.safetensors").write_text("weights")
        (place / "resume.pt").write_text("to go on from")
    (models / "skewed").mkdir(parents=True)
    (models / "skewed" / "of-an-earlier-one").touch()

    put(made, models / "skewed", (8_000,))
    assert {path.name for path in models.rglob("*") if path.is_file()} == {"model.safetensors"}
    copied = models / "skewed" / "checkpoints"
    assert [path.name for path in copied.iterdir()] == ["0008k"]

    put(made, models / "skewed")
    assert [path.name for path in (models / "skewed").iterdir()] == ["model.safetensors"]


def test_the_command_puts_the_start_and_the_model_that_is_looked_into_in_their_places(
    tmp_path, monkeypatch
):
    work, models = tmp_path / "work", tmp_path / "models"
    family = FamilyPlan(work)
    looked_into = family.model("skewed", 1)
    for place in (family.start, looked_into, looked_into / "checkpoints" / "0032k"):
        place.mkdir(parents=True)
        (place / "model.safetensors").write_text(place.name)
    # The trainings are stood in for: they take hours.
    monkeypatch.setattr(origins_family, "make_all", lambda _: read_family())
    assert main(["--work", f"{work}", "--models", f"{models}", "--table", f"{work / 'table'}"]) == 0
    assert (models / "start" / "model.safetensors").read_text() == "start"
    put_there = models / "skewed-64k"
    assert (put_there / "model.safetensors").read_text() == "skewed-1"
    assert [path.name for path in (put_there / "checkpoints").iterdir()] == ["0032k"]


def test_the_model_that_is_looked_into_is_the_familys():
    (shipped,) = [
        row
        for row in read_family()
        if (row.mix, row.seed, row.final, row.study, row.comparison, row.steps, row.strategy)
        == ("skewed", 1, True, "consistency", "additive", 1, "cot")
    ]
    cell = next(
        cell
        for cell in GateReport.load(TINY_MODELS / LOOKED_INTO / GATE_FILE).cells
        if (cell.study, cell.comparison, cell.steps, cell.strategy)
        == ("consistency", "additive", 1, "cot")
    )
    assert (cell.both, cell.only_x, cell.only_x_prime) == (
        shipped.both, shipped.only_x, shipped.only_x_prime,
    )  # fmt: skip


@pytest.mark.parametrize("mix", ["balanced", "skewed", "reversed"])
def test_the_table_has_three_trainings_of_every_mix_that_is_set_against_the_others(mix):
    assert {row.seed for row in read_family() if row.mix == mix and row.final} == {1, 2, 3}


def test_a_finished_model_of_another_plan_is_not_taken_for_this_one(tmp_path):
    quick = TrainingPlan(MIXES["skewed"], steps=4, size="least", schedule=Schedule(batch=8, pool=4))
    assert train(quick, tmp_path) == tmp_path
    assert train(quick, tmp_path) == tmp_path
    with pytest.raises(TrainingError, match="another plan"):
        train(replace(quick, steps=8), tmp_path)
