"""A training lowers the loss, is gone on with exactly, and says in a sentence what stops it."""

from __future__ import annotations

import json

import pytest
import torch

from biaslab.training import jobs, measuring
from biaslab.training import trainer as trainer_module
from biaslab.training.job import attempt, train_and_measure
from biaslab.training.mix import MIXES
from biaslab.training.plan import FORMAT, Schedule, TrainingError, TrainingPlan, TrainingRecord
from biaslab.training.trainer import (
    CHECKPOINTS,
    CHECKS_FILE,
    PROGRESS_FILE,
    RESUME_FILE,
    STOP_FILE,
    Trainer,
)

QUICK = Schedule(warm_up=5, batch=8, pool=4)


def plan(steps=24, **other):
    values = {"mix": MIXES["skewed"], "seed": 1, "steps": steps, "size": "least"}
    return TrainingPlan(**{**values, "schedule": QUICK, **other})


def weights(directory):
    saved = torch.load(directory / RESUME_FILE, weights_only=True)
    return saved["model"], saved["counters"]


def lines(directory):
    return [json.loads(line) for line in (directory / PROGRESS_FILE).read_text().splitlines()]


def test_the_loss_falls_and_every_pool_is_told(tmp_path):
    told = []
    assert Trainer(plan(160, mix=None), tmp_path, told.append).run()
    losses = [line["loss"] for line in lines(tmp_path)]
    assert told == lines(tmp_path)
    assert losses[-1] < losses[0] - 0.5


def test_the_record_says_how_the_model_came_about(tmp_path):
    Trainer(plan(), tmp_path).run()
    record = TrainingRecord.load(tmp_path)
    assert (record.mix, record.steps, record.examples) == ("skewed", 24, 24 * 8)
    assert record.ratios == MIXES["skewed"].text
    assert record.finished
    assert record.rate_left == 0.0
    assert 0 < record.equations < record.examples
    assert record.hardware


def test_a_training_that_was_stopped_goes_on_as_if_it_never_had(tmp_path):
    """The same lessons and the same weights, bit by bit."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    Trainer(plan(), whole).run()

    stopped = Trainer(plan(), parts, lambda _: (parts / STOP_FILE).touch())
    assert not stopped.run()
    assert not (parts / STOP_FILE).exists()
    assert not TrainingRecord.load(parts).finished
    assert Trainer(plan(), parts).run()
    assert weights(parts)[1]["step"] == weights(whole)[1]["step"]
    assert weights(parts)[1]["examples"] == weights(whole)[1]["examples"]
    for name, tensor in weights(whole)[0].items():
        assert torch.equal(tensor, weights(parts)[0][name]), name


def test_copies_are_kept_on_the_way_and_opened_like_any_model(tmp_path):
    from transformers import AutoModelForCausalLM

    Trainer(plan(keep=(64, 10_000)), tmp_path).run()
    kept = tmp_path / CHECKPOINTS / "0000k"
    assert AutoModelForCausalLM.from_pretrained(kept).config.model_type == "llama"
    record = TrainingRecord.load(kept)
    assert not record.finished
    assert record.rate_left > 0
    assert [path.name for path in (tmp_path / CHECKPOINTS).iterdir()] == ["0000k"]


def test_a_mix_goes_on_from_a_start_and_its_record_says_so(tmp_path):
    Trainer(plan(16, mix=None), tmp_path / "start").run()
    Trainer(plan(8, start=tmp_path / "start", size="family"), tmp_path / "mix").run()
    record = TrainingRecord.load(tmp_path / "mix")
    assert record.start_examples == 16 * 8
    assert record.shape["width"] == 32


def test_a_start_that_is_not_there_is_said(tmp_path):
    with pytest.raises(TrainingError, match="no model to go on from"):
        Trainer(plan(start=tmp_path / "nowhere"), tmp_path / "mix")


def test_a_save_of_another_version_is_refused(tmp_path):
    Trainer(plan(8), tmp_path).run()
    saved = torch.load(tmp_path / RESUME_FILE, weights_only=True)
    torch.save({**saved, "format": FORMAT + 1}, tmp_path / RESUME_FILE)
    with pytest.raises(TrainingError, match="another version"):
        Trainer(plan(8), tmp_path)


def test_a_damaged_save_is_refused(tmp_path):
    Trainer(plan(8), tmp_path).run()
    (tmp_path / RESUME_FILE).write_bytes(b"no save")
    with pytest.raises(TrainingError, match="damaged"):
        Trainer(plan(8), tmp_path)


def test_a_save_of_another_size_is_refused(tmp_path):
    Trainer(plan(8), tmp_path).run()
    with pytest.raises(TrainingError, match="another size"):
        Trainer(plan(8, size="family"), tmp_path)


def test_a_full_disk_is_said_and_the_last_save_stays(tmp_path, monkeypatch):
    training = Trainer(plan(8), tmp_path)
    training.run()
    before = (tmp_path / RESUME_FILE).read_bytes()

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(trainer_module.Trainer, "_write_model", full)
    with pytest.raises(TrainingError, match="no space left"):
        training.save(finished=True)
    assert (tmp_path / RESUME_FILE).read_bytes() == before


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"size": "huge"}, "no size"),
        ({"steps": -1}, "-1 steps"),
        ({"steps": 0, "minutes": 0}, "more than 0"),
        ({"steps": 0, "minutes": 1e9}, "at most"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(values, says):
    with pytest.raises(TrainingError, match=says):
        plan(**values)


def test_a_plan_is_read_as_it_was_saved(tmp_path):
    saved = plan(keep=(8, 16), start=tmp_path / "start")
    saved.save(tmp_path)
    assert TrainingPlan.load(tmp_path) == saved


def test_a_plan_of_another_version_is_refused(tmp_path):
    plan().save(tmp_path)
    content = json.loads((tmp_path / "plan.json").read_text())
    (tmp_path / "plan.json").write_text(json.dumps({**content, "format": 1}))
    with pytest.raises(TrainingError, match="another version"):
        TrainingPlan.load(tmp_path)


def test_a_training_leaves_the_smallest_numbers_to_the_rest_of_the_process(tmp_path):
    Trainer(plan(8), tmp_path).run()
    assert 5e-324 * 1.0 > 0.0


@pytest.mark.parametrize("other", [{"mix": MIXES["balanced"]}, {"seed": 2}])
def test_a_save_of_another_training_is_never_gone_on_with(tmp_path, other):
    Trainer(plan(8), tmp_path).run()
    with pytest.raises(TrainingError, match="another mix, seed or start"):
        Trainer(plan(8, **other), tmp_path)


def test_a_folder_that_was_moved_is_gone_on_with_and_another_start_is_not(tmp_path):
    Trainer(plan(4), tmp_path / "here" / "start").run()
    Trainer(plan(4), tmp_path / "here" / "other").run()
    half = plan(16, start=tmp_path / "here" / "start")
    assert not Trainer(half, tmp_path / "here" / "mix").run(lambda seen: seen.step >= 8)
    (tmp_path / "here").rename(tmp_path / "there")
    with pytest.raises(TrainingError, match="another mix, seed or start"):
        Trainer(plan(16, start=tmp_path / "there" / "other"), tmp_path / "there" / "mix")
    moved = plan(16, start=tmp_path / "there" / "start")
    assert Trainer(moved, tmp_path / "there" / "mix").run()


def checks(directory):
    return [
        json.loads(line)["examples"] for line in (directory / CHECKS_FILE).read_text().splitlines()
    ]


def test_pairs_are_asked_after_the_counts_of_the_plan_and_once_each(tmp_path):
    asking = plan(24, check_at=(64, 128, 192), check_pairs=2)
    assert not Trainer(asking, tmp_path).run(lambda seen: seen.examples >= 64)
    assert checks(tmp_path) == [64]
    assert Trainer(asking, tmp_path).run()
    assert checks(tmp_path) == [64, 128, 192]
    assert Trainer(asking, tmp_path).run()
    assert checks(tmp_path) == [64, 128, 192]


def test_every_check_keeps_two_bits_a_pair_that_agree_with_its_counts(tmp_path):
    Trainer(plan(24, check_at=(64,), check_pairs=3), tmp_path).run()
    line = json.loads((tmp_path / CHECKS_FILE).read_text().splitlines()[0])
    told_apart = {
        (cell["study"], cell["comparison"], cell["wording"], cell["strategy"]): cell
        for cell in line["cells"]
    }
    assert len(line["pairs"]) == 8
    for pairs in line["pairs"]:
        cell = told_apart[
            tuple(pairs[name] for name in ("study", "comparison", "wording", "strategy"))
        ]
        assert len(pairs["right"]) == cell["n"] == 3
        assert pairs["right"].count("0") == cell["neither"]


def test_a_training_that_stops_where_it_is_enough_goes_on_as_if_it_never_had(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    Trainer(plan(), whole).run()
    Trainer(plan(), parts).run(lambda seen: seen.examples >= 64)
    assert weights(parts)[1]["examples"] == 64
    Trainer(plan(), parts).run()
    for name, tensor in weights(whole)[0].items():
        assert torch.equal(tensor, weights(parts)[0][name]), name


def test_what_is_learnt_is_no_matter_of_what_else_draws_at_random(tmp_path):
    alone, beside = tmp_path / "alone", tmp_path / "beside"
    Trainer(plan(), alone).run()
    Trainer(plan(), beside, lambda _: torch.rand(3)).run()
    for name, tensor in weights(alone)[0].items():
        assert torch.equal(tensor, weights(beside)[0][name]), name


def test_a_stop_is_heeded_while_pairs_are_asked_and_they_are_asked_when_it_goes_on(
    tmp_path, monkeypatch
):
    asking = plan(24, check_at=(64,), check_pairs=2)
    continue_texts = measuring.continue_texts

    def asked_to_stop_meanwhile(*given):
        (tmp_path / STOP_FILE).touch()
        return continue_texts(*given)

    monkeypatch.setattr(measuring, "continue_texts", asked_to_stop_meanwhile)
    trainer = Trainer(asking, tmp_path)
    assert not trainer.run()
    assert trainer.counters.examples == 64
    assert not (tmp_path / CHECKS_FILE).exists()
    assert not (tmp_path / STOP_FILE).exists()

    monkeypatch.setattr(measuring, "continue_texts", continue_texts)
    assert Trainer(asking, tmp_path).run()
    assert checks(tmp_path) == [64, 192]


def test_stopped_while_its_end_is_measured_it_has_learnt_all_and_is_measured_when_it_goes_on(
    tmp_path, monkeypatch
):
    plan(8).save(tmp_path)
    continue_texts = measuring.continue_texts

    def asked_to_stop_meanwhile(*given):
        (tmp_path / STOP_FILE).touch()
        return continue_texts(*given)

    monkeypatch.setattr(measuring, "continue_texts", asked_to_stop_meanwhile)
    assert not attempt(tmp_path, work=few)
    assert TrainingRecord.load(tmp_path).finished
    assert jobs.look(tmp_path).status is jobs.JobStatus.STOPPED
    before = weights(tmp_path)[1]["step"]

    monkeypatch.setattr(measuring, "continue_texts", continue_texts)
    jobs.make_ready(tmp_path)
    assert attempt(tmp_path, work=few)
    assert jobs.look(tmp_path).status is jobs.JobStatus.FINISHED
    assert weights(tmp_path)[1]["step"] == before == 8


def few(directory, tell):
    return train_and_measure(directory, tell, pairs=2)
