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
from biaslab.models.activations import ProbeResult, SwapResult, look
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.runs.jobs.one_off import ToScore, score_in_background, score_loose
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.word_problems.inside.probes import (
    CUE_PLACE,
    PLACES,
    ProbeAccuracy,
    accuracies,
    probes,
)
from biaslab.studies.word_problems.inside.swaps import SwapEffects, decided, swaps_of_pair
from biaslab.studies.word_problems.inside.word_by_word import (
    LEAD,
    Prefixes,
    WordByWord,
    prefixes_of_pair,
    separate_numbers,
    word_by_word,
)
from biaslab.ui.inside.models import DEFAULT_PAIR, PREFERRED, SHOWING
from biaslab.ui.widgets.queries import PREVIEWED
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


@pytest.fixture(scope="module")
def skewed() -> Model:
    return open_model(PREFERRED[0], device="cpu")


@pytest.fixture(scope="module")
def shown(skewed: Model) -> SwapEffects:
    swaps = swaps_of_pair(default_pair(), ModelForm.BASE)
    found = look(skewed, swaps.request)
    assert isinstance(found, SwapResult)
    return decided(swaps, found)


@cache
def offered() -> list[Pair]:
    """The pairs that the page offers with its own seed and study."""
    settings: dict[str, str | int | bool] = {"steps": "1-1", "operations": "additive"}
    return list(experiment("consistency").pairs(Design("consistency", PREVIEWED, 1, settings)))


def default_pair() -> Pair:
    return offered()[DEFAULT_PAIR - 1]


class TestTheSwapsOfTheDefaultPair:
    def test_agree_with_word_by_word_on_both_members(self, skewed: Model, shown: SwapEffects):
        for cut, odds in zip(
            prefixes_of_pair(default_pair(), ModelForm.BASE), (shown.other, shown.own), strict=True
        ):
            last = word_by_word(cut, scored(skewed, list(cut.requests))).chances[-1]
            assert odds.right == pytest.approx(last.right, abs=1e-5)
            assert odds.reversed == pytest.approx(last.reversed, abs=1e-5)

    def test_do_nothing_before_the_words_differ_and_something_where_they_do(
        self, shown: SwapEffects
    ):
        first = next(at for at, each in enumerate(shown.places) if each.word != each.other)
        for effects in shown.effects:
            assert effects[:first] == pytest.approx((0.0,) * first, abs=1e-3)
        assert max(map(abs, shown.effects[0])) > 1

    def test_move_from_the_changed_sentence_to_the_answer(self, shown: SwapEffects):
        last = len(shown.places) - 1
        for layer, effects in enumerate(shown.effects):
            strongest = max(range(len(effects)), key=lambda at, row=effects: abs(row[at]))
            assert strongest == last if layer == 4 else shown.places[strongest].treated


class TestTheDefaultPair:
    """The page is about an answer that turns round, so its first pair shows one."""

    def test_reversed_leads_in_the_inconsistent_member_and_right_in_the_other(self, skewed: Model):
        x, x_prime = prefixes_of_pair(default_pair(), ModelForm.BASE)
        read = word_by_word(x_prime, scored(skewed, list(x_prime.requests)))
        after = len(read.treated) - read.treated[::-1].index(True)
        assert read.misled is not None
        assert read.misled >= after - 1
        end = read.chances[-1]
        assert end.reversed is not None
        assert end.reversed - end.right >= LEAD
        told = word_by_word(x, scored(skewed, list(x.requests))).chances[-1]
        assert told.reversed is not None
        assert told.right - told.reversed >= LEAD

    def test_is_the_clearest_of_those_that_the_page_offers(self, skewed: Model):
        leads = {}
        for number, pair in enumerate(offered(), start=1):
            cuts = prefixes_of_pair(pair, ModelForm.BASE)
            sought = cuts[0].sought
            if sought.reversed is None:
                continue
            chances = [
                word_by_word(cut, [each] * len(cut.requests)).chances[-1]
                for cut, each in zip(
                    cuts, scored(skewed, [cut.requests[-1] for cut in cuts]), strict=True
                )
            ]
            right, turned = (each.right - (each.reversed or 0.0) for each in chances)
            if right >= LEAD and turned <= -LEAD:
                leads[number] = right - turned, str(sought.right)[0] != str(sought.reversed)[0]
        apart = {number: lead for number, (lead, differ) in leads.items() if differ}
        assert max(apart, key=apart.__getitem__) == DEFAULT_PAIR
        assert len(leads) == SHOWING


def test_a_process_of_its_own_swaps_after_it_has_scored(shown: SwapEffects):
    _, cut = members()
    swaps = swaps_of_pair(default_pair(), ModelForm.BASE)
    wanted = [ToScore(PREFERRED[0], Access(), [swaps.request, cut.requests[0]])]
    first, second = score_in_background(wanted)
    assert isinstance(first.answer, Likelihood)
    assert isinstance(second.answer, SwapResult)
    assert (first.place, second.place) == (1, 0)
    for ours, theirs in zip(decided(swaps, second.answer).effects, shown.effects, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-3)


@pytest.fixture(scope="module")
def found() -> list[ProbeAccuracy]:
    asked = probes(ModelForm.BASE)
    ((*_, answer),) = score_in_background([ToScore("tiny:skewed-64k", Access(), [asked.request])])
    assert isinstance(answer, ProbeResult)
    return accuracies(asked, answer)


class TestTheProbe:
    def test_finds_the_cue_word_at_its_place_as_it_goes_in(self, found: list[ProbeAccuracy]):
        (there,) = (each for each in found if (each.layer, each.place) == (0, CUE_PLACE))
        assert there.cue == 1
        assert (there.share, there.n) == (0.5, 400)

    def test_is_at_chance_where_labels_are_shuffled(self, found: list[ProbeAccuracy]):
        assert all(0.4 < each.shuffled < 0.6 for each in found)
        assert 0.48 < sum(each.shuffled for each in found) / len(found) < 0.52

    def test_finds_the_operation_only_further_up_and_at_the_end(self, found: list[ProbeAccuracy]):
        last = len(PLACES) - 1
        there = {(each.layer, each.place): each for each in found}
        assert there[0, last].interval.low <= 0.5 <= there[0, last].interval.high
        assert there[4, last].interval.low > 0.8
