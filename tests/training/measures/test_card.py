"""The card: what a model is, how well it does and what it cannot do, all from measurements."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS, read_card
from biaslab.training import measuring
from biaslab.training.card import (
    caution,
    make_card,
    measure_and_write,
    mix_words,
    rare_words,
    write_card,
)
from biaslab.training.gate import GATE_FILE, GateReport, evaluate
from biaslab.training.measuring import FULL
from biaslab.training.mix import MIXES, LessonMix
from biaslab.training.plan import SIZES, TrainingRecord
from tests.training.measures.answering import Answerer, adding, by_keyword, mute, rightly

RECORD = TrainingRecord(
    "skewed", 3, 12.0, 400, 12_000, 2_000, 0.1234, finished=True, date="2026-01-02",
    shape={"width": 32, "layers": 1, "heads": 2}, schedule={}, ratios=MIXES["skewed"].text,
    hardware="one core (x86_64), no GPU", start_examples=50_000,
)  # fmt: skip


@pytest.fixture
def measured(monkeypatch):
    def of(way, mix=MIXES["skewed"], n=20, most_steps=2):
        kinds = [kind for kind in FULL if kind.steps <= most_steps]
        answerer = way if way is mute else Answerer(kinds, n, way)
        monkeypatch.setattr(measuring, "continue_texts", answerer)
        return evaluate(
            None, None, mix, gate_problems=n, other_problems=n, most_steps=most_steps
        )  # fmt: skip

    return of


@pytest.mark.parametrize(
    ("mix", "words"),
    [
        (MIXES["skewed"], (
            "5 consistent comparisons for each inconsistent one",
            "130 problems of transfers for every 9 problems with a comparison",
            "as many three-digit calculations without a carry or borrow as with one",
        )),
        (MIXES["reversed"], (
            "1 consistent comparison for every 5 inconsistent ones",
            "9 problems of transfers for every 130 problems with a comparison",
        )),
        (MIXES["carry-rare"], (
            "as many consistent comparisons as inconsistent ones",
            "as many problems of transfers as problems with a comparison",
            "5 three-digit calculations without a carry or borrow for each with one",
        )),
        (LessonMix(1, 0, 0, 1, 0, 2), (
            "only consistent comparisons", "only problems with a comparison",
            "only three-digit calculations with a carry or borrow",
        )),
        (LessonMix(0, 1, 1, 0, 2, 0), (
            "only inconsistent comparisons", "only problems of transfers",
            "only three-digit calculations without a carry or borrow",
        )),
    ],
)  # fmt: skip
def test_a_mix_is_told_in_words(mix, words):
    parts = mix_words(mix).split("; ")
    assert len(parts) == 3
    assert set(words) <= set(parts)


@pytest.mark.parametrize(
    ("mix", "words"),
    [
        (MIXES["balanced"], ""),
        (MIXES["skewed"],
         "inconsistent comparisons (1 of 6), problems with a comparison (9 of 139)"),
        (MIXES["reversed"], "consistent comparisons (1 of 6), problems of transfers (9 of 139)"),
        (MIXES["carry-rare"], "three-digit calculations with a carry or borrow (1 of 6)"),
        (LessonMix(3, 0), "inconsistent comparisons (0 of 3)"),
    ],
)  # fmt: skip
def test_what_is_rarer_in_a_mix_is_told_in_a_line(mix, words):
    assert rare_words(mix).replace("\u00a0", " ") == words


def test_it_says_what_the_model_was_trained_on_how_long_and_on_what(measured):
    card = make_card("skewed", RECORD, measured(rightly), 999)
    text = " ".join(card.trained_on)
    for part in (
        mix_words(MIXES["skewed"]), "seed 3", "10,000 word problems", "2,000 bare equations",
        "50,000", "12 minutes on one core (x86_64), no GPU", "0.123 nats",
    ):  # fmt: skip
        assert part in text
    assert card.mix == MIXES["skewed"].text
    assert card.examples_seen == 62_000
    assert "along a training" not in text


def test_effects_stand_on_it_with_interval_and_n(measured):
    card = make_card("skewed", RECORD, measured(by_keyword), 999)
    (effect,) = [
        effect for effect in card.effects
        if (effect.study, effect.comparison, effect.steps, effect.strategy)
        == ("consistency", "additive", 1, "direct")
    ]  # fmt: skip
    assert (effect.n, effect.right_x, effect.right_x_prime, effect.cate) == (20, 20, 0, 1.0)
    assert effect.low is not None
    assert effect.low < 1.0
    assert effect.high == 1.0
    assert not effect.identical
    assert all(effect.identical for effect in make_card("t", RECORD, measured(rightly), 9).effects)
    kinds = {(e.study, e.comparison, e.steps, e.strategy) for e in card.effects}
    assert len(kinds) == len(card.effects)


def test_the_choice_of_operation_stands_against_always_adding(measured):
    right = make_card("t", RECORD, measured(rightly), 9).operations
    assert any("inconsistent 100.0 % right of 20" in text for text in right)
    misled = make_card("t", RECORD, measured(by_keyword), 9).operations
    assert any("inconsistent 0.0 % right of 20" in text for text in misled)
    assert any("0 of 0 wrong answers to consistent" in text for text in misled)
    assert any("20 of 20 wrong answers to inconsistent" in text for text in misled)
    plus = make_card("t", RECORD, measured(adding), 9).operations
    assert all("always adding gets 50.0 %" in text for text in plus if "operation of" in text)


def test_a_model_that_learned_too_little_is_called_that(measured):
    card = make_card("t", RECORD, measured(adding), 9)
    too_little = [text for text in card.limits if text.startswith("It learned too little.")]
    assert len(too_little) == 2
    assert "90 % needed" in too_little[0]
    assert card.limits[0] == too_little[0]


def test_a_model_that_does_not_read_the_wording_is_marked_wherever_it_is_offered(measured):
    card = make_card("t", RECORD, measured(adding, n=200, most_steps=1), 9)
    assert "hardly reads the wording" in card.caution
    assert "50.0 % of consistent and 50.0 % of inconsistent ones" in card.caution
    assert "50.0 %. That it shows no effect would say nothing" in card.caution


@pytest.mark.parametrize("way", [rightly, by_keyword, mute])
def test_a_model_that_goes_by_the_words_or_says_nothing_is_not_called_blind_to_them(way, measured):
    assert make_card("t", RECORD, measured(way, n=200, most_steps=1), 9).caution == ""


def test_where_one_arms_first_steps_cannot_be_read_nothing_is_said_of_reading(measured):
    cells = tuple(
        replace(cell, operator_asked_x=0, operator_right_x=0, operator_plus_x=0)
        for cell in measured(adding, n=200, most_steps=1).cells
    )
    assert caution(measured(adding, n=200, most_steps=1).cells)
    assert caution(cells) == ""


def test_a_model_asked_few_problems_is_not_called_ignorant(measured):
    card = make_card("t", RECORD, measured(rightly), 9)
    assert not any("too little" in text for text in card.limits)
    assert any("20 problems were asked, 500 are needed" in text for text in card.limits)


def test_what_a_model_cannot_do_is_said_and_not_offered(measured):
    card = make_card("t", RECORD, measured(mute), 9)
    assert card.abilities == ()
    assert any("cannot do additive consistency problems with 1 step" in t for t in card.limits)
    assert not card.can("consistency", 1, "direct").possible
    able = make_card("t", RECORD, measured(rightly), 9)
    assert able.can("consistency", 2, "cot").possible
    assert not able.can("consistency", 3, "cot").possible
    assert "Problems with more than 2 steps were not measured." in able.limits


def test_a_model_that_can_do_the_rarer_form_for_people_alone_is_offered_too(measured):
    """Trained on inconsistent comparisons, it may be right on these only."""

    def against_the_keyword(step):
        wrong = {"+": "-", "-": "+", "*": "/", "/": "*"}
        return wrong[step["operation"]] if step["consistent"] else step["operation"]

    card = make_card("t", RECORD, measured(against_the_keyword, MIXES["reversed"]), 9)
    assert card.can("consistency", 1, "direct").possible
    assert not any("too little" in text for text in card.limits)


def test_weights_from_along_a_training_are_called_that(measured):
    copy = replace(RECORD, finished=False, rate_left=0.75)
    card = make_card("skewed@0040k", copy, measured(rightly), 9)
    assert card.label == "Tiny model “skewed” after 62,000 examples"
    assert any("75 % of its largest" in text for text in card.trained_on)


def test_an_older_model_keeps_what_its_ratios_meant(measured):
    older = replace(RECORD, ratios="", hardware="", start_examples=0)
    text = " ".join(make_card("older", older, measured(rightly), 9).trained_on)
    assert "within each study's problems" in text
    assert "one core of a shared x86 machine" in text


def test_it_is_written_beside_the_weights_and_read_by_the_app(tmp_path, monkeypatch):
    from biaslab.training.corpus import build_tokenizer
    from biaslab.training.learning import build_model

    model = build_model(build_tokenizer(), SIZES["least"])
    model.save_pretrained(tmp_path)
    RECORD.save(tmp_path)
    monkeypatch.setattr(measuring, "continue_texts", Answerer(FULL, 4, by_keyword))
    report = measure_and_write(
        None, None, tmp_path, "scratch", gate_problems=4, other_problems=3
    )  # fmt: skip
    card = read_card(tmp_path)
    assert card == write_card(tmp_path, "scratch")
    assert GateReport.load(tmp_path / GATE_FILE) == report
    assert card.parameters == sum(weights.numel() for weights in model.parameters())
    readme = (tmp_path / "README.md").read_text()
    for part in (
        "not a language model trained on human text", "alike in every pair", "+100.0",
        "90 % of one-step transfers and one-step additive comparisons in consistent wording",
        MIXES["skewed"].text, "## Which operation it chooses", *card.limits, *card.operations,
    ):  # fmt: skip
        assert part in readme


def test_cards_of_earlier_versions_are_still_read(tmp_path):
    card = read_card(TINY_MODELS / DEFAULT_NAME)
    content = card.to_json()
    for name in ("effects", "operations", "mix", "caution"):
        del content[name]
    (tmp_path / "model_card.json").write_text(json.dumps(content))
    older = read_card(tmp_path)
    assert (older.effects, older.operations, older.mix, older.caution) == ((), (), "", "")
    assert older == replace(card, effects=(), operations=(), mix="", caution="")
