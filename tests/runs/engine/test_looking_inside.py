"""Probabilities word by word of real models, in this process and in one of their own."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch

from biaslab.models import (
    Access,
    Failure,
    Likelihood,
    LikelihoodRequest,
    Message,
    Model,
    ModelForm,
    open_model,
)
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.runs.jobs.one_off import score_loose
from biaslab.runs.jobs.one_off_process import ToScore, score_in_background
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.word_problems.inside.prefixes import Prefixes, prefixes_of_pair
from biaslab.studies.word_problems.inside.word_by_word import (
    WordByWord,
    separate_numbers,
    word_by_word,
)
from tests.models.random_models import saved

TINY = TINY_MODELS / DEFAULT_NAME


@cache
def pair() -> Pair:
    design = Design("consistency", 3, 1, {"steps": "1-1", "operations": "additive"})
    (*_, third) = experiment("consistency").pairs(design)
    return third


def members() -> tuple[Prefixes, Prefixes]:
    return prefixes_of_pair(pair(), ModelForm.BASE)


def scored(model: Model, requests: list[LikelihoodRequest]) -> list[Likelihood]:
    told = dict(score_loose(model, requests, pauses=()))
    answers = [told[place] for place in range(len(requests))]
    assert all(isinstance(answer, Likelihood) for answer in answers), answers
    return [answer for answer in answers if isinstance(answer, Likelihood)]


@pytest.fixture(scope="module")
def tiny() -> Model:
    return open_model("tiny", device="cpu")


@pytest.fixture(scope="module")
def inconsistent(tiny: Model) -> WordByWord:
    _, cut = members()
    return word_by_word(cut, scored(tiny, list(cut.requests)))


@cache
def exactly() -> Callable[[str, int], float]:
    """The chance of a number and no further digit, by reading one text alone with transformers."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(TINY)
    network = AutoModelForCausalLM.from_pretrained(TINY).eval()
    digits = tokenizer.convert_tokens_to_ids(list("0123456789"))

    @torch.inference_mode()
    def chance(prompt: str, number: int) -> float:
        before = tokenizer(prompt, add_special_tokens=False)["input_ids"]
        answer = tokenizer.convert_tokens_to_ids(list(str(number)))
        logits = network(torch.tensor([[*before, *answer]]), use_cache=False).logits[0]
        after = logits[len(before) - 1 :].double().softmax(-1)
        written = math.prod(float(after[at, token]) for at, token in enumerate(answer))
        return written * (1 - float(after[len(answer), digits].sum()))

    return chance


class TestTheShippedTinyModel:
    def test_has_the_chances_of_the_plainest_computation(self, inconsistent: WordByWord):
        _, cut = members()
        for at in (0, 8, len(cut.words) - 4, len(cut.words) - 1):
            prompt = cut.requests[at].messages[0].content
            found = inconsistent.chances[at]
            sought = cut.sought
            assert sought.reversed is not None
            assert found.right == pytest.approx(exactly()(prompt, sought.right), abs=1e-5)
            assert found.reversed == pytest.approx(exactly()(prompt, sought.reversed), abs=1e-5)
            others = math.fsum(exactly()(prompt, number) for number in sought.others)
            assert found.other == pytest.approx(others, abs=1e-5)

    def test_writes_every_number_digit_by_digit(self, inconsistent: WordByWord):
        assert inconsistent.digit_by_digit == len(inconsistent.sought.all)

    def test_order_and_company_of_the_requests_change_nothing(
        self, tiny: Model, inconsistent: WordByWord
    ):
        one, other = members()
        requests = [*one.requests, *other.requests]
        order = list(range(len(requests)))
        random.Random(4).shuffle(order)
        mixed = scored(tiny, [requests[index] for index in order])
        back = dict(zip(order, mixed, strict=True))
        words = len(one.requests)
        found = word_by_word(other, [back[words + at] for at in range(len(other.requests))])
        for ours, theirs in zip(found.chances, inconsistent.chances, strict=True):
            assert ours.right == pytest.approx(theirs.right, abs=1e-5)
            assert ours.reversed == pytest.approx(theirs.reversed, abs=1e-5)
            assert ours.other == pytest.approx(theirs.other, abs=1e-5)


def test_a_tokenizer_that_joins_digits_as_it_likes_gives_chances_too(tmp_path: Path):
    model = open_model(f"local:{saved(tmp_path, 'llama', True, False, '')}", device="cpu")
    _, cut = members()
    for likelihood in scored(model, list(cut.requests[:6])):
        found, _ = separate_numbers(cut.sought, likelihood)
        assert all(0 <= probability <= 1 for probability in found.values())
        assert math.fsum(found.values()) <= 1


def test_a_process_of_its_own_scores_one_model_after_the_other_and_fails_only_what_is_missing(
    inconsistent: WordByWord,
):
    _, cut = members()
    wanted = [ToScore(spec, Access(), cut.requests[:3]) for spec in ("tiny:no-such-model", "tiny")]
    told = list(score_in_background(wanted))
    missing = [each.answer for each in told if each.model == 0]
    assert len(missing) == 3
    assert all(isinstance(each, Failure) and "no-such-model" in each.reason for each in missing)
    there = {each.place: each.answer for each in told if each.model == 1}
    for at in range(3):
        answer = there[at]
        assert isinstance(answer, Likelihood)
        right = separate_numbers(cut.sought, answer)[0][cut.sought.right]
        assert right == pytest.approx(inconsistent.chances[at].right, abs=1e-5)


def test_a_request_that_cannot_be_scored_is_a_failure_and_no_probability(tiny: Model):
    empty = LikelihoodRequest((Message("text", "Q:"),), ("",))
    (found,) = score_loose(tiny, [empty], pauses=())
    assert isinstance(found.answer, Failure)
