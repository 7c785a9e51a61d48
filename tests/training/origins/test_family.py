"""The family: plans that differ in the mix alone, and the table of what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biaslab.training.errors import TrainingError
from biaslab.training.mix import FAMILY, MIXES
from biaslab.training.origins.family import Family, put, train
from biaslab.training.origins.rows import read_family
from biaslab.training.plan import Plan, Schedule


def test_the_models_of_a_seed_differ_in_their_mix_alone(tmp_path):
    family = Family(tmp_path)
    plans = [family.mix_plan(mix, 2) for mix in FAMILY]
    assert {plan.mix for plan in plans} == {MIXES[mix] for mix in FAMILY}
    assert len({replace(plan, mix=None, keep=()) for plan in plans}) == 1
    assert plans[0].start == family.start


def test_a_model_is_put_in_place_without_what_only_a_training_needs(tmp_path):
    made, models = tmp_path / "work" / "skewed-1", tmp_path / "models"
    copy = made / "checkpoints" / "0008k"
    copy.mkdir(parents=True)
    for place in (made, copy):
        (place / "model.safetensors").write_text("weights")
        (place / "resume.pt").write_text("to go on from")
    (models / "skewed").mkdir(parents=True)
    (models / "skewed" / "of-an-earlier-one").touch()

    put(made, models / "skewed", with_copies=True)
    assert {path.name for path in models.rglob("*") if path.is_file()} == {"model.safetensors"}
    assert (models / "skewed" / "checkpoints" / "0008k").is_dir()

    put(made, models / "skewed")
    assert [path.name for path in (models / "skewed").iterdir()] == ["model.safetensors"]


@pytest.mark.parametrize("mix", ["balanced", "skewed", "reversed"])
def test_the_table_has_three_trainings_of_every_mix_that_is_set_against_the_others(mix):
    assert {row.seed for row in read_family() if row.mix == mix and row.final} == {1, 2, 3}


def test_a_finished_model_of_another_plan_is_not_taken_for_this_one(tmp_path):
    quick = Plan(MIXES["skewed"], steps=4, size="least", schedule=Schedule(batch=8, pool=4))
    assert train(quick, tmp_path) == tmp_path
    assert train(quick, tmp_path) == tmp_path
    with pytest.raises(TrainingError, match="another plan"):
        train(replace(quick, steps=8), tmp_path)
