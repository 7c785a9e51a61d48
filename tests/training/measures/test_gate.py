"""The gate: a model must be able to do what most of its training problems were."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models.tiny.model import TINY_MODELS, tiny_names
from biaslab.training import gate, measuring
from biaslab.training.cells import ALL, CheckCell
from biaslab.training.gate import (
    GATE_FILE,
    GATE_PROBLEMS,
    GateReport,
    conditions,
    evaluate,
    mix_of,
)
from biaslab.training.measuring import FULL
from biaslab.training.mix import MIXES, LessonMix
from biaslab.training.plan import TrainingError, TrainingRecord
from tests.loops import over
from tests.training.measures.answering import Answerer, by_keyword, reversing, rightly

PASSES = GATE_PROBLEMS * 9 // 10


def direct(
    study, comparison, right_x, right_x_prime, n=GATE_PROBLEMS, wording=ALL, steps=1, way="direct"
):
    both = min(right_x, right_x_prime)
    return CheckCell(
        study, comparison, wording, steps, way, n, both, right_x - both,
        right_x_prime - both, n - max(right_x, right_x_prime),
    )  # fmt: skip


def report(mix, transfers, consistent, inconsistent, n=GATE_PROBLEMS):
    return GateReport(
        mix,
        (
            direct("transfer-comparison", ALL, transfers, 0, n),
            direct("consistency", "additive", consistent, inconsistent, n),
        ),
    )


def record(**other):
    values = {
        "mix": "skewed", "seed": 1, "minutes": 1.0, "steps": 1, "examples": 2, "equations": 1,
        "loss": 0.1, "finished": True, "date": "2026-01-01", "shape": {}, "schedule": {},
    }  # fmt: skip
    return TrainingRecord(**{**values, **other})


@pytest.mark.parametrize(
    ("mix", "asked"),
    [
        (MIXES["balanced"], ["transfers", "consistent wording", "inconsistent wording"]),
        (MIXES["skewed"], ["transfers", "consistent wording"]),
        (MIXES["reversed"], ["inconsistent wording"]),
        (MIXES["carry-rare"], ["transfers", "consistent wording", "inconsistent wording"]),
        (LessonMix(transfer=1, comparison=0), ["transfers"]),
        (LessonMix(consistent=0, inconsistent=3, transfer=0), ["inconsistent wording"]),
    ],
)
def test_the_majority_form_of_a_mix_is_what_the_gate_asks(mix, asked):
    found = [condition.what for condition in conditions(mix)]
    assert len(found) == len(asked)
    assert all(f" {part}" in what for part, what in zip(asked, found, strict=True))


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("balanced", (PASSES, PASSES, PASSES)),
        ("skewed", (PASSES, PASSES, 0)),
        ("reversed", (0, 0, PASSES)),
    ],
)
def test_it_opens_at_nine_tenths_of_the_majority_form_whatever_the_rarer_one(name, right):
    assert report(MIXES[name], *right).shortfalls == ()
    short = report(MIXES[name], *(number - bool(number) for number in right))
    assert len(short.shortfalls) == len(conditions(MIXES[name]))
    assert all("90 % needed" in text for text in short.learned_too_little)


def test_it_stays_closed_when_too_few_or_other_problems_were_asked():
    few = report(MIXES["skewed"], 10, 10, 10, n=10)
    assert few.learned_too_little == ()
    assert len(few.asked_too_few) == len(few.shortfalls) == 2
    others = GateReport(
        MIXES["skewed"],
        (
            direct("transfer-comparison", ALL, GATE_PROBLEMS, 0, wording="consistent"),
            direct("consistency", "multiplicative", GATE_PROBLEMS, 0),
            direct("consistency", "additive", GATE_PROBLEMS, 0, steps=2),
        ),
    )
    assert len(others.asked_too_few) == 2


@given(*[st.integers(0, GATE_PROBLEMS)] * 3, st.sampled_from(sorted(MIXES)))
def test_what_was_measured_survives_being_written_and_read(
    tmp_path_factory, transfers, consistent, inconsistent, name
):
    path = tmp_path_factory.getbasetemp() / "measured.json"
    found = report(MIXES[name], transfers, consistent, inconsistent)
    found.write(path)
    assert GateReport.load(path) == found
    assert json.loads(path.read_text())["shortfalls"] == list(found.shortfalls)


@pytest.mark.parametrize(
    "content",
    [
        '{"shortfalls": [], "cells": [{"study": "carry", "right_x": 1}]}',
        '{"cells": []}',
        '{"mix": "sideways", "cells": []}',
        "[]",
        "{",
    ],
)
def test_what_an_earlier_version_measured_or_a_damaged_file_is_refused(tmp_path, content):
    (tmp_path / GATE_FILE).write_text(content)
    with pytest.raises(TrainingError, match=r"measure the model anew with python -m"):
        GateReport.load(tmp_path / GATE_FILE)


def test_the_mix_stands_in_the_record_by_ratios_or_in_older_ones_by_name():
    own = LessonMix(2, 1)
    assert mix_of(record()) == MIXES["skewed"]
    assert mix_of(record(mix="own", ratios=own.text)) == own
    with pytest.raises(TrainingError, match="no mix of word problems"):
        mix_of(record(mix="start"))
    with pytest.raises(TrainingError, match="damaged"):
        mix_of(record(ratios="consistent:inconsistent=0:0"))


def test_the_command_says_so_of_a_start(tmp_path, capsys):
    record(mix="start").save(tmp_path)
    assert gate.main([str(tmp_path)]) == 2
    assert "nothing to measure" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("way", "passes"),
    [
        (rightly, {"balanced", "skewed", "reversed"}),
        (by_keyword, {"skewed"}),
        (reversing, set()),
    ],
)
def test_who_passes_depends_on_what_the_training_problems_were(monkeypatch, way, passes):
    monkeypatch.setattr(gate, "GATE_PROBLEMS", 20)
    one_step = [kind for kind in FULL if kind.steps == 1]
    monkeypatch.setattr(measuring, "continue_texts", Answerer(one_step, 20, way))
    found = {
        name
        for name in ("balanced", "skewed", "reversed")
        if not evaluate(
            None, None, MIXES[name], strategies=["direct"], gate_problems=20, most_steps=1
        ).shortfalls
    }
    assert found == passes


@over("name", tiny_names())
def test_the_models_that_come_with_the_app_passed_their_gates(name):
    found = GateReport.load(TINY_MODELS / name / GATE_FILE)
    assert found.mix == mix_of(TrainingRecord.load(TINY_MODELS / name))
    assert found.shortfalls == ()


def test_the_prompt_strategy_that_a_model_does_better_counts():
    halves = report(MIXES["balanced"], *[GATE_PROBLEMS // 2] * 3).cells
    worked = (
        direct("transfer-comparison", ALL, PASSES, 0, way="cot"),
        direct("consistency", "additive", PASSES, PASSES, way="cot"),
    )
    assert GateReport(MIXES["balanced"], halves).shortfalls
    assert GateReport(MIXES["balanced"], (*halves, *worked)).shortfalls == ()


def test_a_better_way_that_was_asked_too_seldom_does_not_open_the_gate():
    halves = report(MIXES["balanced"], *[GATE_PROBLEMS // 2] * 3).cells
    few = (
        direct("transfer-comparison", ALL, 10, 0, n=10, way="cot"),
        direct("consistency", "additive", 10, 10, n=10, way="cot"),
    )
    assert GateReport(MIXES["balanced"], (*halves, *few)).learned_too_little
