"""The family: plans that differ in the mix alone, and what of it is shipped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biaslab.models import read_card
from biaslab.models.tiny.model import TINY_MODELS
from biaslab.training.errors import TrainingError
from biaslab.training.measures.gate import GATE_FILE, Report
from biaslab.training.mix import MIXES, read_mix
from biaslab.training.origins.family import SHIPPED_COPIES, Family, ship, train
from biaslab.training.origins.family_table import family_rows
from biaslab.training.origins.rows import read_family
from biaslab.training.plan import START, Plan, Schedule, TrainingRecord

LARGEST_BYTES = 3_000_000


def test_the_models_of_a_seed_differ_in_their_mix_alone(tmp_path):
    family = Family(tmp_path)
    plans = [family.mix_plan(mix, 2) for mix in MIXES]
    assert {plan.mix for plan in plans} == set(MIXES.values())
    assert len({replace(plan, mix=None, keep=()) for plan in plans}) == 1
    assert plans[0].start == family.start


def test_models_are_shipped_without_what_only_a_training_needs(tmp_path):
    family = Family(tmp_path / "work", seeds=(4,))
    for directory in (family.start, *(family.model(mix, 4) for mix in MIXES)):
        copy = directory / "checkpoints" / "0008k"
        copy.mkdir(parents=True)
        for place in (directory, copy):
            (place / "model.safetensors").write_text("weights")
            (place / "resume.pt").write_text("to go on from")
    models = tmp_path / "models"
    (models / "skewed").mkdir(parents=True)
    (models / "skewed" / "of-an-earlier-one").touch()
    ship(family, models)

    assert {path.name for path in models.iterdir()} == {*MIXES, START.name}
    assert not list(models.rglob("resume.pt"))
    assert not (models / "skewed" / "of-an-earlier-one").exists()
    assert {path.parent.name for path in models.rglob("checkpoints")} == set(SHIPPED_COPIES)


@pytest.mark.parametrize("mix", MIXES)
def test_a_shipped_model_is_small_and_learnt_the_majority_form_of_its_mix(mix):
    directory = TINY_MODELS / mix
    assert sum(file.stat().st_size for file in directory.iterdir() if file.is_file()) < (
        LARGEST_BYTES
    )
    assert Report.load(directory / GATE_FILE).shortfalls == ()
    record = TrainingRecord.load(directory)
    assert record.finished
    assert record.rate_left == 0.0
    assert read_mix(record.ratios) == MIXES[mix]
    assert read_card(directory).effects


def test_all_shipped_models_were_trained_as_long_in_the_same_shape_from_the_same_start():
    records = [TrainingRecord.load(TINY_MODELS / mix) for mix in MIXES]
    trained = {
        (each.steps, each.examples, each.start_examples, str(each.shape), str(each.schedule))
        for each in records
    }
    assert len(trained) == 1
    assert records[0].start_examples == TrainingRecord.load(START).examples


@pytest.mark.parametrize("mix", MIXES)
def test_the_table_has_the_figures_of_the_shipped_models(mix):
    table = read_family()
    directory = TINY_MODELS / mix
    record = TrainingRecord.load(directory)
    cells = Report.load(directory / GATE_FILE).cells
    assert set(family_rows(mix, record.seed, record.examples, True, cells)) <= set(table)


@pytest.mark.parametrize("mix", SHIPPED_COPIES)
def test_copies_along_training_say_that_the_learning_rate_had_not_come_down(mix):
    copies = sorted((TINY_MODELS / mix / "checkpoints").iterdir())
    assert len(copies) > 3
    for copy in copies:
        assert TrainingRecord.load(copy).rate_left > 0
        assert read_card(copy).name == f"{mix}@{copy.name}"


@pytest.mark.parametrize("mix", ["balanced", "skewed", "reversed"])
def test_the_table_has_three_trainings_of_every_mix_that_is_set_against_the_others(mix):
    assert {row.seed for row in read_family() if row.mix == mix and row.final} == {1, 2, 3}


def test_a_finished_model_of_another_plan_is_not_taken_for_this_one(tmp_path):
    quick = Plan(MIXES["skewed"], steps=4, size="least", schedule=Schedule(batch=8, pool=4))
    assert train(quick, tmp_path) == tmp_path
    assert train(quick, tmp_path) == tmp_path
    with pytest.raises(TrainingError, match="another plan"):
        train(replace(quick, steps=8), tmp_path)
