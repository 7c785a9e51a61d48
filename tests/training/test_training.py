"""Training lowers the loss, is saved whole, and the gate and the card tell what was measured."""

from __future__ import annotations

import pytest

from biaslab.experiments.strategies import PUBLISHED_STRATEGIES
from biaslab.models.tiny import read_card
from biaslab.training.card import write_card
from biaslab.training.gate import GATE_FILE, GATE_PROBLEMS, Cell, Report, evaluate, load
from biaslab.training.greedy import continue_texts
from biaslab.training.mix import MIXES
from biaslab.training.network import build_model
from biaslab.training.plan import Schedule, Shape, TrainingRecord
from biaslab.training.train import Trainer, ship

STEPS = 400


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    out = tmp_path_factory.mktemp("training") / "model"
    # Short stages of every kind, so that each is run.
    schedule = Schedule(
        0.0, most_steps=STEPS, warm_up=10, equations_batch=16, batch=16,
        equations_until=0.4, one_step_until=0.6,
    )  # fmt: skip
    trainer = Trainer(MIXES["skewed"], Shape(32, 1, 2), schedule, 1, out)
    trainer.run()
    return trainer, out


def test_a_short_training_lowers_the_loss(trained):
    trainer, _ = trained
    assert len(trainer.losses) > 1
    assert trainer.losses[-1] < trainer.losses[0] - 0.5


def test_a_training_counted_in_steps_ends_after_them(trained):
    _, out = trained
    assert TrainingRecord.load(out).steps == STEPS


def test_a_saved_model_is_opened_by_transformers_and_says_how_it_came_about(trained):
    _, out = trained
    model, tokenizer = load(out)
    record = TrainingRecord.load(out)
    assert model.config.model_type == "llama"
    assert model.config.vocab_size == len(tokenizer)
    assert record.mix == "skewed"
    assert record.finished
    assert record.examples > record.equations > 0


def test_prompts_are_continued_as_if_each_were_alone(trained):
    _, out = trained
    model, tokenizer = load(out)
    prompts = [" 3 + 4 =", " 18 - 3 =", "Q: 7 + 7\nA: The answer (Arabic numerals) is "]
    together = continue_texts(model, tokenizer, prompts * 3, 6)
    alone = [continue_texts(model, tokenizer, [prompt], 6)[0] for prompt in prompts]
    assert together == alone * 3


def test_the_card_holds_the_gates_figures_and_the_app_can_read_it(trained):
    _, out = trained
    model, tokenizer = load(out)
    report = evaluate(
        model, tokenizer, strategies=["direct", "cot"], gate_problems=4, other_problems=3,
        most_steps=2,
    )  # fmt: skip
    report.write(out / GATE_FILE)
    card = write_card(out, "scratch")
    assert read_card(out) == card
    assert card.parameters == sum(weights.numel() for weights in model.parameters())
    assert len(Report.load(out / GATE_FILE).cells) == len(report.cells) == 14
    # A model of a few seconds must be called what it is.
    assert not card.can("consistency", 2, "direct").possible
    assert any("standard for shipping" in text for text in card.limits)
    readme = (out / "README.md").read_text()
    assert "not a language model trained on human text" in readme


def report_of(right: int, strategy: str = "direct") -> Report:
    return Report(
        (
            Cell("transfer-comparison", 1, "", strategy, GATE_PROBLEMS, right, 0, 0),
            Cell("consistency", 1, "additive", strategy, GATE_PROBLEMS, right, 0, 0),
        )
    )


def test_the_gate_opens_at_four_fifths_of_the_easier_arm_whatever_the_harder_one():
    assert report_of(GATE_PROBLEMS * 4 // 5).shortfalls == ()
    assert len(report_of(GATE_PROBLEMS * 4 // 5 - 1).shortfalls) == 2


def test_only_a_model_that_passes_replaces_the_shipped_one(tmp_path, capsys):
    work, out = tmp_path / "work", tmp_path / "shipped"
    for directory, content in ((work, "new"), (out, "old")):
        directory.mkdir()
        (directory / "weights").write_text(content)
    assert ship(report_of(0), work, out) == 1
    assert (out / "weights").read_text() == "old"
    assert "not good enough" in capsys.readouterr().out
    assert ship(report_of(GATE_PROBLEMS), work, out) == 0
    assert (out / "weights").read_text() == "new"


def test_the_gate_stays_closed_when_too_few_or_other_problems_were_asked():
    few = Report((Cell("transfer-comparison", 1, "", "direct", 10, 10, 10, 0),))
    assert len(few.shortfalls) == 2
    assert len(report_of(GATE_PROBLEMS, "cot").shortfalls) == 2


def test_an_untrained_model_does_not_pass():
    from biaslab.training.tokenizer import build_tokenizer

    tokenizer = build_tokenizer()
    model = build_model(tokenizer, Shape(16, 1, 2))
    report = evaluate(
        model, tokenizer, strategies=["direct"], gate_problems=5, other_problems=5, most_steps=1
    )
    assert report.shortfalls


def test_the_learning_rate_rises_stays_and_ends_at_zero():
    schedule = Schedule(10.0, peak=1.0, warm_up=100, falls_from=0.5)
    assert schedule.rate(9, 0.0) == pytest.approx(0.1)
    assert schedule.rate(500, 0.3) == 1.0
    assert schedule.rate(500, 0.75) == pytest.approx(0.5)
    assert schedule.rate(500, 1.0) == 0.0


def test_every_published_strategy_can_be_taught():
    assert [strategy.name for strategy in PUBLISHED_STRATEGIES] == ["direct", "cot", "child-cot"]
