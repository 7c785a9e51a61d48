"""A model learns the answers of its lessons and nothing else, and is asked from files."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from biaslab.models import Completion, Likelihood, ModelForm, ModelIdentity, ModelKind
from biaslab.studies import Design, experiment
from research.adapters import teaching
from research.adapters.design import (
    ASKED,
    PAIR_SEED,
    AdapterCell,
    AdapterMeasure,
    LessonStage,
    balanced_lessons,
    lessons,
)
from research.adapters.table import read_table
from research.adapters.teaching import BEFORE, Teacher, examples, rows, run
from tests.models.random_models import CHAT_TEMPLATE, make_network, make_tokenizer

CELL = AdapterCell((5, 1), 7)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real transformer with random weights that answers in turns."""
    folder = tmp_path_factory.mktemp("models")
    tokenizer = make_tokenizer(template=CHAT_TEMPLATE)
    network = make_network("llama", len(tokenizer), max_position_embeddings=512)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_only_the_answer_and_its_end_are_learnt(base):
    tokenizer = AutoTokenizer.from_pretrained(base)
    given = list(lessons(CELL, 20))
    for lesson, example in zip(given, examples(given, tokenizer), strict=True):
        learnt = [each for each in example["labels"] if each != -100]
        assert tokenizer.decode(learnt) == f"{lesson.answer}</s>"
        assert example["input_ids"][-len(learnt) :] == learnt
        assert lesson.messages[0].content in tokenizer.decode(example["input_ids"])


def test_lessons_are_learnt_by_the_adapter_alone(base):
    teacher = Teacher(base, 3)
    before = {name: each.clone() for name, each in teacher._model.state_dict().items()}
    one = list(islice(balanced_lessons(3, 10), 10)) * 12
    first, last = teacher.teach(one), teacher.teach(one)
    assert last < first
    for name, weights in teacher._model.state_dict().items():
        assert ("lora_" in name) is not torch.equal(weights, before[name]), name
    again = Teacher(base, 3)
    assert again.teach(one) == first


def test_what_is_there_is_not_taught_again(base, tmp_path, monkeypatch):
    few = {each: ASKED[each] for each in (AdapterMeasure.ODDS, AdapterMeasure.CARRIED)}
    for measure, asked in few.items():
        few[measure] = teaching.AskedPairs(
            asked.study, asked.settings, 3, asked.strategy, asked.after
        )
    monkeypatch.setattr(teaching, "ASKED", few)
    monkeypatch.setattr(teaching, "LESSONS", 10)
    monkeypatch.setattr(teaching, "BALANCED", 10)
    told: list[str] = []
    file = tmp_path / "adapters.csv"
    run(base, tmp_path / "kept", file, told.append, most=2)
    made = read_table(file)
    assert {(row.seed, row.stage) for row in made} == {
        (0, LessonStage.BEFORE), (401, LessonStage.TAUGHT), (401, LessonStage.BALANCED),
    }  # fmt: skip
    assert (tmp_path / "kept" / "1to5-401" / "adapter_model.safetensors").is_file()
    run(base, tmp_path / "kept", file, told.append, most=1)
    assert set(made) < set(read_table(file))
    assert sum(line.startswith("1to5-401: ") for line in told) == 1


class Misled:
    """A stand-in that solves consistent problems and takes the reversed answer in others."""

    identity = ModelIdentity("stand-in", ModelKind.LEARNER, "", ModelForm.CHAT)

    def __init__(self) -> None:
        self.said: dict[str, tuple[bool, str, str]] = {}
        for asked in ASKED.values():
            design = Design(asked.study, asked.pairs, PAIR_SEED, dict(asked.settings))
            for pair in experiment(asked.study).pairs(design):
                for item, is_right in ((pair.x, True), (pair.x_prime, False)):
                    wrong = item.options[1] if item.options else "123456"
                    self.said[item.text] = (is_right, item.answer, wrong)

    def likelihood(self, requests):
        for place, request in enumerate(requests):
            is_right, *_ = self.said[request.messages[0].content]
            scores = (-1.0, -3.0) if is_right else (-3.0, -1.0)
            yield place, Likelihood(scores, (1, 1))

    def generate(self, requests):
        for place, request in enumerate(requests):
            is_right, answer, wrong = self.said[request.messages[0].content]
            yield place, Completion(f" {answer if is_right else wrong}.", "stop", 1, 1, 0.0)


def test_who_is_misled_has_the_effect_in_odds_and_in_right_answers():
    found = {row.measure: row for row in rows(BEFORE, LessonStage.BEFORE, Misled())}
    assert set(found) == set(ASKED)
    for measure, row in found.items():
        assert row.n + row.unread == ASKED[measure].pairs
        assert (row.likelier_x, row.likelier_x_prime) == (row.n, 0)
        right = measure is AdapterMeasure.RIGHT
        assert (row.effect, row.spread) == (1.0 if right else 4.0, 0.0)
