"""The default tiny model is whole, small, knows today's words and passed its gate."""

from __future__ import annotations

from itertools import islice

import pytest

from biaslab.models import ModelForm, open_model, read_card
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import Design
from biaslab.training.corpus import build_tokenizer, words
from biaslab.training.gate import GATE_FILE, GateReport, load
from biaslab.training.learning import open_start
from biaslab.training.lessons import STUDIES
from biaslab.training.measuring import continue_texts
from biaslab.training.plan import TrainingRecord

TINY = TINY_MODELS / DEFAULT_NAME
LARGEST_BYTES = 10_000_000


@pytest.fixture(scope="module")
def opened():
    return open_model("tiny", device="cpu")


def requests(study, n):
    design = Design(study, n, 77, {"steps": "1-1"})
    pairs = list(islice(STUDIES[study].pairs(design), n))
    items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
    direct = PUBLISHED_STRATEGIES[0]
    return items, [direct.next_request(item, (), ModelForm.BASE) for item in items]


def test_it_passed_the_gate_after_a_finished_training():
    assert GateReport.load(TINY / GATE_FILE).shortfalls == ()
    assert TrainingRecord.load(TINY).finished
    assert not any("learned too little" in text for text in read_card(TINY).limits)


def test_it_is_small():
    assert sum(file.stat().st_size for file in TINY.iterdir()) < LARGEST_BYTES


def test_it_has_a_token_for_every_word_that_a_problem_can_hold_today():
    _, tokenizer = load(TINY)
    assert set(words()) <= set(tokenizer.get_vocab())


@pytest.mark.parametrize("study", ["consistency", "transfer-comparison"])
def test_the_app_gets_the_same_answers_from_it_as_the_gate(opened, study):
    items, asked = requests(study, 20)
    answers = dict(opened.generate(asked))
    model, tokenizer = load(TINY)
    prompts = [request.messages[0].content for request in asked]
    expected = continue_texts(model, tokenizer, prompts, asked[0].sampling.max_new_tokens)
    assert [answers[index].text for index in range(len(items))] == expected


def test_it_stops_by_itself_after_its_reasoning_and_after_its_answer(opened):
    items, _ = requests("consistency", 10)
    step_by_step = PUBLISHED_STRATEGIES[1]
    for item in items:
        answered = []
        for _ in range(2):
            request = step_by_step.next_request(item, answered, ModelForm.BASE)
            ((_, completion),) = opened.generate([request])
            assert completion.finish == "stop"
            answered.append(completion)


def test_it_is_gone_on_with_as_the_same_model_where_its_words_have_other_numbers_today():
    _, own = load(TINY)
    today = build_tokenizer()
    _, asked = requests("consistency", 2)
    prompts = [request.messages[0].content for request in asked]

    before = continue_texts(open_start(TINY, own).model.eval(), own, prompts, 12)
    after = continue_texts(open_start(TINY, today).model.eval(), today, prompts, 12)

    assert after == before
