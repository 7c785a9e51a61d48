"""Trainings done together leave in their directories what each would have left alone."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from biaslab.training.mix import MIXES, Filling
from biaslab.training.plan import Schedule, TrainingPlan, TrainingRecord
from biaslab.training.trainer import CHECKS_FILE, PROGRESS_FILE, RESUME_FILE, Trainer
from research.experiment import together
from research.experiment.together import train_together

PLANS = [
    TrainingPlan(
        MIXES[mix], seed=seed, steps=10, size="least", check_at=(32, 80), check_pairs=2,
        schedule=Schedule(warm_up=20, batch=8, pool=4),
        filling=Filling("transfer:comparison", 0.5) if seed == 2 else None,
    )
    for mix, seed in (("skewed", 1), ("reversed", 2))
]  # fmt: skip


def trainers(where):
    return [Trainer(plan, where / str(plan.seed)) for plan in PLANS]


def to_the_end(_):
    return False


def lines(directory, name):
    return [json.loads(line) for line in (directory / name).read_text().splitlines()]


def save(directory):
    return torch.load(directory / RESUME_FILE, weights_only=True)


def furthest(one, other):
    return max(
        float((one["model"][name] - other["model"][name]).abs().max()) for name in one["model"]
    )


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    where = tmp_path_factory.mktemp("alone")
    for trainer in trainers(where):
        trainer.run()
    return where


def test_weights_checks_progress_and_records_are_those_of_trainings_alone(alone, tmp_path):
    train_together(trainers(tmp_path), to_the_end)
    for plan in PLANS:
        one, other = alone / str(plan.seed), tmp_path / str(plan.seed)
        assert furthest(save(one), save(other)) < 5e-4
        assert [line["examples"] for line in lines(other, CHECKS_FILE)] == [32, 80]
        for a, b in zip(lines(one, PROGRESS_FILE), lines(other, PROGRESS_FILE), strict=True):
            assert (a["step"], a["examples"]) == (b["step"], b["examples"])
            assert a["loss"] == pytest.approx(b["loss"], abs=1e-3)
        records = [TrainingRecord.load(directory) for directory in (one, other)]
        assert len({(each.examples, each.equations, each.finished) for each in records}) == 1


def test_one_that_was_begun_together_goes_on_alone(alone, tmp_path):
    train_together(trainers(tmp_path), lambda seen: seen.examples >= 32)
    for trainer in trainers(tmp_path):
        assert trainer.counters.examples == 32
        assert trainer.run()
    for plan in PLANS:
        assert furthest(save(alone / str(plan.seed)), save(tmp_path / str(plan.seed))) < 5e-4


def test_what_a_save_says_was_asked_is_noted_though_learning_did_not_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(together, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(together, "_SAVES_TAKE", 0.0)

    def killed(seen):
        if seen.examples >= 64:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        train_together(trainers(tmp_path), killed)
    for trainer in trainers(tmp_path):
        asked = [line["examples"] for line in lines(trainer.directory, CHECKS_FILE)]
        assert trainer.counters.examples == 64
        assert trainer.counters.checked_at == 32
        assert asked == [32]
        assert trainer.run()
        asked = [line["examples"] for line in lines(trainer.directory, CHECKS_FILE)]
        assert asked == [32, 80]


def test_trainings_at_other_steps_do_not_go_together(tmp_path):
    plan = replace(PLANS[0], steps=20)
    both = [Trainer(PLANS[1], tmp_path / "one"), Trainer(plan, tmp_path / "other")]
    with pytest.raises(ValueError, match="same step"):
        train_together(both, to_the_end)
