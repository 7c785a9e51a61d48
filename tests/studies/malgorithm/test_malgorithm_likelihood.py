"""Malgorithms by likelihood: nothing is written, and the likeliest letter counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from biaslab.models import (
    LEARNERS,
    Access,
    Endpoint,
    Failure,
    LearnerModel,
    Likelihood,
    LikelihoodRequest,
    Message,
    Model,
    ModelForm,
    ServerModel,
)
from biaslab.models.local.model import LocalModel
from biaslab.runs import RunStatus, Store, open_store, prepare, run_here
from biaslab.runs.engine.ask import Outcomes, ask_without_store
from biaslab.runs.store.records import response_words
from biaslab.stats import Effect, effects
from biaslab.studies import Design, Item, Pair, Reading, experiment
from biaslab.studies.malgorithm.prompts import JSON_CUE
from biaslab.studies.malgorithm.results import Identification, identifications
from tests.servers.fixtures import ServerUrl
from tests.servers.llama import LlamaServer

STUDY = experiment("malgorithm")
STRATEGIES = {strategy.name: strategy for strategy in STUDY.strategies}
WAY = STRATEGIES["likelihood"]
PERFECT = next(LearnerModel(learner) for learner in LEARNERS if learner.name == "perfect")
FORMS = pytest.mark.parametrize("form", list(ModelForm))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def pairs(n: int = 3) -> list[Pair]:
    return list(STUDY.pairs(Design("malgorithm", n, 1)))


def items(n: int) -> list[Item]:
    return [item for pair in pairs(n) for item in (pair.x, pair.x_prime)]


def scores(*numbers: float) -> Likelihood:
    return Likelihood(numbers, (1,) * len(numbers))


def of_label(item: Item, label: str) -> Likelihood:
    """Scores that prefer this label."""
    return scores(*(-0.2 if each == label else -3.0 for each in item.facts["rationales"]))


def run(store: Store, learner: str, strategy: str, n: int) -> str:
    made = prepare(store, Design("malgorithm", n, 1), f"learner:{learner}", strategy)
    assert run_here(store, made).status is RunStatus.FINISHED
    return made


def figures(store: Store, run_id: str) -> Identification:
    (found,) = identifications(store.answered_items([run_id]))
    return found


def effect(store: Store, run_id: str) -> Effect:
    (found,) = effects(store.outcomes([run_id]))
    return found


class TestAsking:
    @FORMS
    def test_the_prompt_is_that_of_the_written_answer_with_the_answer_begun(self, form):
        item = pairs()[0].x
        answered: list[Likelihood] = []
        for named in ("options", "rationales"):
            written = STRATEGIES["simple"].next_request(item, answered, form)
            request = WAY.next_request(item, answered, form)
            assert isinstance(request, LikelihoodRequest)
            begun = [Message("assistant", JSON_CUE)] if form is ModelForm.CHAT else []
            assert list(request.messages) == [*written.messages, *begun]
            assert request.messages[-1].content.endswith(JSON_CUE)
            assert request.continuations == tuple(item.facts[named]) == tuple("ABCD")
            answered.append(scores(-1, -2, -3, -4))
        assert WAY.next_request(item, answered, form) is None

    def test_the_question_is_asked_with_the_keys_choice_alone(self):
        other = pairs()[0].x_prime
        first = WAY.next_request(other, (), ModelForm.BASE)
        assert "Options:\n" not in first.messages[0].content
        assert WAY.next_request(other, [scores(-1, -2, -3, -4)], ModelForm.BASE) is None


class TestReading:
    def test_the_likeliest_letter_counts_however_improbable_all_are(self):
        for pair in pairs(9):
            item = pair.x_prime
            for label in item.facts["rationales"]:
                reading = STUDY.read(item, [of_label(item, label)], ModelForm.CHAT)
                assert reading.value == label
                assert reading.outcome == float(label == item.answer)
                assert (reading.extra, reading.missing) == ({"json": None}, False)
        reading = STUDY.read(item, [scores(-30, -31, -32, -33)], ModelForm.CHAT)
        assert (reading.value, reading.rule) == ("A", "likeliest")
        assert "together have a probability of 1.5e-13" in reading.explanation

    @pytest.mark.parametrize(
        ("numbers", "rule"),
        [
            ((-1.0, -2.0, -1.0, -3.0), "tie"),
            ((-1.0, -1.0, -1.0, -1.0), "tie"),
            ((-1.0, math.nan, -2.0, -3.0), "no number"),
            ((-1.0, -math.inf, -2.0, -3.0), "no number"),
        ],
    )
    def test_a_tie_and_what_cannot_be_scored_is_no_answer(self, numbers, rule):
        reading = STUDY.read(pairs()[0].x_prime, [scores(*numbers)], ModelForm.CHAT)
        assert (reading.value, reading.outcome) == (None, None)
        assert (reading.rule, reading.missing) == (rule, True)

    def test_a_tie_below_the_likeliest_is_none(self):
        reading = STUDY.read(pairs()[0].x_prime, [scores(-2, -1, -2, -2)], ModelForm.CHAT)
        assert reading.value == "B"

    def test_the_questions_own_answer_is_kept_beside_and_left_out_where_it_is_a_tie(self):
        item = pairs()[0].x
        key = item.facts["key"]
        own = scores(*(-0.1 if letter == key else -4.0 for letter in "ABCD"))
        told = of_label(item, item.answer)
        both = STUDY.read(item, [own, told], ModelForm.CHAT)
        assert (both.outcome, both.extra["mcq"], both.extra["mcq_value"]) == (1.0, 1.0, key)
        tied = STUDY.read(item, [scores(-1, -1, -2, -3), told], ModelForm.CHAT)
        assert (tied.outcome, tied.extra) == (1.0, {"json": None})


class TestRuns:
    def test_positive_control_each_learner_does_by_likelihood_what_it_does_in_words(self, store):
        """One that knows all, and one drawn to the key, whose effect is large; item by item."""
        for learner in ("perfect", "key-drawn"):
            written, scored = (run(store, learner, way, 60) for way in ("simple", "likelihood"))
            one, other = (store.answered_items([made]) for made in (written, scored))
            for column in ("item", "state", "value", "outcome"):
                assert one[column].tolist() == other[column].tolist()
            in_words, found = figures(store, written), figures(store, scored)
            for name in ("aia", "mia", "mcq", "all_three", "attraction", "slots", "chances"):
                assert getattr(found, name) == getattr(in_words, name)
            assert (in_words.exact_json, found.exact_json) == (1.0, None)
            assert effect(store, scored).cate == effect(store, written).cate
        assert found.aia.value == 1.0
        assert effect(store, scored).ci_low > 0.2

    def test_null_case_a_coin_shows_no_effect_and_is_right_as_often_as_by_guessing(self, store):
        made = run(store, "coin", "likelihood", 900)
        found, shown = figures(store, made), effect(store, made)
        assert shown.ci_low <= 0 <= shown.ci_high
        for share in (found.aia, found.mia, found.mcq):
            assert share.interval is not None
            assert share.interval.low - 0.02 < 0.25 < share.interval.high + 0.02

    def test_each_letter_stands_beside_its_number_where_responses_are_shown(self, store):
        made = run(store, "perfect", "likelihood", 3)
        (pair, *_) = pairs()
        (exchange,) = store.pair_detail(made, pair.id).x_prime.exchanges
        lines = response_words(exchange.request, exchange.answered).split("\n")
        assert [line[-1] for line in lines] == ["A", "B", "C", "D"]
        assert f"-0.1054  {pair.x_prime.answer}" in lines

    def test_ties_are_missing_and_not_wrong(self):
        said = ask_without_store(STUDY, WAY, Undecided(), items(3))
        for found in said.values():
            assert isinstance(found, Failure)
            assert "exactly equally probable" in found.reason
            assert not found.retryable

    def test_a_learner_of_other_things_says_that_it_cannot(self):
        (learner,) = (each for each in LEARNERS if each.name == "ratio")
        for found in ask_without_store(STUDY, WAY, LearnerModel(learner), items(1)).values():
            assert isinstance(found, Failure)
            assert "cannot read rationales" in found.reason


class Undecided:
    """Every text is as probable to it as every other one."""

    identity = PERFECT.identity

    def likelihood(self, requests: Sequence[LikelihoodRequest]) -> Iterator[tuple[int, Likelihood]]:
        for index, request in enumerate(requests):
            yield index, scores(*(-1.0 for _ in request.continuations))


def asked(model: Model) -> Outcomes:
    return ask_without_store(STUDY, WAY, model, items(9))


def values(said: Outcomes) -> dict[str, str | None]:
    return {item: found.value for item, found in said.items() if isinstance(found, Reading)}


@pytest.fixture(scope="module")
def here(tiny_model: LocalModel) -> Outcomes:
    said = asked(tiny_model)
    assert all(isinstance(found, Reading) for found in said.values())
    return said


class TestModels:
    """A model opened here and servers over the same weights choose alike."""

    def test_an_echoing_server(self, here: Outcomes, tiny_server: ServerUrl):
        access = Access((tiny_server(),), Endpoint.COMPLETIONS)
        assert values(asked(ServerModel("tiny", access))) == values(here)

    def test_a_llama_server_that_is_made_to_write(self, here: Outcomes):
        with LlamaServer() as server:
            access = Access((server.url(),), Endpoint.COMPLETIONS)
            assert values(asked(ServerModel("tiny", access))) == values(here)
            # Turns are rendered as another text, whose answer is begun in the same way
            in_turns = asked(ServerModel("tiny", Access((server.url(),), Endpoint.CHAT)))
            assert all(isinstance(found, Reading) for found in in_turns.values())

    def test_a_chat_that_lists_first_words_alone_is_refused_and_nothing_is_wrong(
        self, tiny_server: ServerUrl
    ):
        access = Access((tiny_server(),), Endpoint.CHAT)
        for found in asked(ServerModel("tiny", access)).values():
            assert isinstance(found, Failure)
