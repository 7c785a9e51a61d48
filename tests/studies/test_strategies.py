"""Prompts: word for word the paper's, in base and in instruction-tuned form."""

from __future__ import annotations

import pytest

from biaslab.models import Completion, GenerationRequest, Message, ModelForm
from biaslab.studies import Design, Item, experiment
from biaslab.studies.strategies import (
    BEGUN_STRATEGIES,
    PUBLISHED_STRATEGIES,
    Procedure,
    published_name,
)
from biaslab.studies.study import form_read

BY_NAME = {strategy.name: strategy for strategy in PUBLISHED_STRATEGIES}


@pytest.fixture
def item() -> Item:
    return next(experiment("consistency").pairs(Design("consistency", 1, 1))).x


def said(text: str) -> Completion:
    return Completion(text, "stop", 1, 1, 0.0)


def test_the_paper_has_direct_step_by_step_and_child_persona():
    assert list(BY_NAME) == ["direct", "cot", "child-cot"]


class TestBaseModels:
    def test_a_direct_prompt_is_the_papers(self, item):
        request = BY_NAME["direct"].next_request(item, (), ModelForm.BASE)
        expected = f"Q: {item.text}\nA: The answer (Arabic numerals) is "
        assert request.messages == (Message("text", expected),)

    @pytest.mark.parametrize(
        ("name", "cue"),
        [
            ("cot", "Let's think step by step."),
            ("child-cot", "Let's think step by step as a grade-school child would."),
        ],
    )
    def test_reasoning_is_asked_for_first_and_stands_in_the_second_prompt(self, item, name, cue):
        strategy = BY_NAME[name]
        first = strategy.next_request(item, (), ModelForm.BASE)
        assert first.messages[0].content == f"Q: {item.text}\nA: {cue}"
        second = strategy.next_request(item, (said(" 5 - 3 = 2."),), ModelForm.BASE)
        assert second.messages[0].content == (
            f"Q: {item.text}\nA: {cue} 5 - 3 = 2.\nTherefore, the answer (Arabic numerals) is"
        )

    def test_a_base_model_is_stopped_before_a_question_of_its_own(self, item):
        for strategy in PUBLISHED_STRATEGIES:
            assert "\nQ:" in strategy.next_request(item, (), ModelForm.BASE).sampling.stop


class TestChatModels:
    def test_a_direct_prompt_is_the_papers_in_one_turn(self, item):
        request = BY_NAME["direct"].next_request(item, (), ModelForm.CHAT)
        expected = f"{item.text}\n\nThe answer (Arabic numerals) is"
        assert request.messages == (Message("user", expected),)

    @pytest.mark.parametrize("name", ["cot", "child-cot"])
    def test_the_second_stage_never_leaves_the_problem_out(self, item, name):
        # The paper's code asked servers for the answer without the problem.
        second = BY_NAME[name].next_request(item, (said("5 - 3 = 2"),), ModelForm.CHAT)
        assert [message.role for message in second.messages] == ["user", "assistant", "user"]
        assert item.text in second.messages[0].content
        assert second.messages[1].content == "5 - 3 = 2"


class TestEveryStrategy:
    @pytest.mark.parametrize("form", list(ModelForm))
    @pytest.mark.parametrize("strategy", PUBLISHED_STRATEGIES, ids=lambda s: s.name)
    def test_asking_ends(self, item, strategy, form):
        answered: list[Completion] = []
        while (request := strategy.next_request(item, answered, form)) is not None:
            assert isinstance(request, GenerationRequest)
            assert request.sampling.temperature == 0
            answered.append(said("1"))
        assert len(answered) == (1 if strategy.name == "direct" else 2)

    def test_reasoning_may_be_as_long_as_in_the_paper(self, item):
        first = BY_NAME["cot"].next_request(item, (), ModelForm.BASE)
        assert first.sampling.max_new_tokens == 256

    def test_versions_differ_between_strategies(self):
        assert len({strategy.version for strategy in PUBLISHED_STRATEGIES}) == 3

    def test_the_right_answer_is_never_in_a_prompt(self, item):
        for strategy in PUBLISHED_STRATEGIES:
            for form in ModelForm:
                request = strategy.next_request(item, (), form)
                prompt = request.messages[0].content.replace(item.text, "")
                assert item.answer not in prompt


class TestBegunAnswers:
    def test_the_cue_ends_the_models_own_turn(self, item):
        direct, cot = BEGUN_STRATEGIES
        request = direct.next_request(item, (), ModelForm.CHAT)
        assert request.messages == (
            Message("user", item.text),
            Message("assistant", "The answer (Arabic numerals) is"),
        )
        second = cot.next_request(item, (said(" 5 - 3 = 2."),), ModelForm.CHAT)
        assert second.messages[-1] == Message(
            "assistant", "5 - 3 = 2.\nTherefore, the answer (Arabic numerals) is"
        )

    def test_what_is_published_is_asked_in_the_same_words_as_ever(self, item):
        # Reasoning is asked for alike, and so is everything of a model that continues text.
        for begun in BEGUN_STRATEGIES:
            published = BY_NAME[published_name(begun.name)]
            for answered in ((), (said("5 - 3 = 2."),)):
                assert begun.next_request(item, answered, ModelForm.BASE) == (
                    published.next_request(item, answered, ModelForm.BASE)
                )
        cot = BEGUN_STRATEGIES[1].next_request(item, (), ModelForm.CHAT)
        assert cot == BY_NAME["cot"].next_request(item, (), ModelForm.CHAT)

    def test_what_follows_the_beginning_is_read(self, item):
        study, (direct, _) = experiment("consistency"), BEGUN_STRATEGIES
        response = (said(f" {item.answer}.\n\nExplanation: first 99 and then 98, so it is 97."),)
        reading = study.read(item, response, form_read(direct, ModelForm.CHAT))
        assert (reading.value, reading.outcome) == (item.answer, 1.0)
        for strategy in PUBLISHED_STRATEGIES:
            assert form_read(strategy, ModelForm.CHAT) is ModelForm.CHAT

    def test_a_begun_answer_that_is_cut_off_goes_on_in_the_same_turn(self, item):
        direct = BEGUN_STRATEGIES[0]
        procedure = Procedure(experiment("consistency"), direct, ModelForm.CHAT, in_turns=True)
        parts = [Completion(" found by adding what", "length", 1, 1, 0.0)]
        assert procedure.response(item, (), parts) is None
        more = procedure.request(item, (), parts)
        assert [message.role for message in more.messages] == ["user", "assistant"]
        assert more.messages[-1].content == "The answer (Arabic numerals) is found by adding"
        parts.append(Completion(" what they have: 12.", "stop", 1, 1, 0.0))
        whole = procedure.response(item, (), parts)
        assert whole.text == " found by adding what they have: 12."
