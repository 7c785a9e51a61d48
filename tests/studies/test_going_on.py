"""A response that was cut off is asked to go on, and its parts are one response again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import (
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelForm,
    Sampling,
)
from biaslab.studies import Design, experiment, experiments
from biaslab.studies.strategies import GO_ON, Length, Procedure, continuation, join, stages_of
from biaslab.studies.study import Answered, Item
from tests.loops import over

TEXT = GenerationRequest((Message("text", "Q: How many?\nA: "),), Sampling(8, stop=("\nQ:",)))
CHAT = GenerationRequest((Message("user", "How many?"),), Sampling(8))


def cut(text: str, **more: Any) -> Completion:
    return Completion(text, "length", 5, 8, 0.5, **more)


def whole(text: str) -> Completion:
    return Completion(text, "stop", 9, 4, 0.25)


def test_plain_text_goes_on_at_the_last_space_between_two_words() -> None:
    going = continuation(TEXT, [cut("Ana has 18 app")], in_turns=True)
    assert going.messages == (Message("text", "Q: How many?\nA: Ana has 18"),)
    assert going.sampling == TEXT.sampling
    assert join([cut("Ana has 18 app"), whole(" apples.")]).text == "Ana has 18 apples."


def test_a_chat_model_that_can_continues_its_own_words_and_another_is_told_to_go_on() -> None:
    parts = [cut("So 18 - 3 i"), cut("is 15, and th")]
    continued = continuation(CHAT, parts[:1], in_turns=False)
    assert continued.messages == (*CHAT.messages, Message("assistant", "So 18 - 3"))
    assert continuation(CHAT, parts, in_turns=True).messages == (
        *CHAT.messages,
        Message("assistant", "So 18 - 3"),
        Message("user", GO_ON),
        Message("assistant", "is 15, and"),
        Message("user", GO_ON),
    )


def test_turns_that_begin_a_sentence_or_an_entry_begin_a_line() -> None:
    for after, expected in (
        ("is 15.", "So 18 - 3 is 15."),
        (" is 15.", "So 18 - 3 is 15."),
        ("The answer is 15.", "So 18 - 3\nThe answer is 15."),
        ("2. Take 3.", "So 18 - 3\n2. Take 3."),
        ("#### 15", "So 18 - 3\n#### 15"),
        ("15", "So 18 - 3 15"),
    ):
        assert join([cut("So 18 - 3 i"), whole(after)], in_turns=True).text == expected


def test_what_was_used_is_used_by_all_parts_together() -> None:
    first = cut("Three and", thinking="Hm.", retries=("429",))
    joined = join([first, replace(whole(" and four."), thinking="So.", served="m")])
    assert (joined.finish, joined.tokens_in, joined.tokens_out) == ("stop", 14, 12)
    assert (joined.seconds, joined.thinking, joined.served) == (0.75, "Hm.\n\nSo.", "m")
    assert joined.retries == ("429",)


def test_a_stop_text_that_lies_across_two_parts_ends_the_response() -> None:
    joined = join([cut("It is 15.\n"), cut(" 15.\nQ: What of")], ("\nQ:",))
    assert (joined.text, joined.finish) == ("It is 15.", "stop")


WORDS = st.lists(st.sampled_from(["a", "12", "is", "apples.", "\n", "="]), max_size=40).map(
    " ".join
)


@given(WORDS, st.lists(st.integers(1, 30), min_size=1, max_size=6), st.booleans())
def test_a_model_that_continues_gives_the_same_in_any_parts(
    text: str, sizes: list[int], plain: bool
) -> None:
    """What it would write depends on the text before alone, as a greedy model's does."""
    request = TEXT if plain else CHAT
    front = len(request.messages[0].content) if plain else 0
    parts: list[Completion] = []
    requests: list[GenerationRequest] = []
    for size in sizes:
        asked = continuation(request, parts, in_turns=False) if parts else request
        before = asked.messages[-1].content[front:] if plain or parts else ""
        assert text.startswith(before)
        written = text[len(before) : len(before) + size]
        ended = len(before) + size >= len(text)
        requests.append(asked)
        parts.append(whole(written) if ended else cut(written))
        if ended:
            break
    joined = join(parts)
    assert text.startswith(joined.text)
    if joined.finish == "stop":
        assert joined.text == text
    (stage,) = stages_of(requests, parts)
    assert stage.places == tuple(range(len(parts)))
    assert stage.response == join(parts, request.sampling.stop)


class _Script:
    """Writes one part after the other, whatever is asked."""

    def __init__(self, *parts: Completion) -> None:
        self.parts = list(parts)
        self.requests: list[Any] = []
        self.came: list[Answered] = []

    def go(self, procedure: Procedure, item: Item) -> list[Answered]:
        stages: list[Answered] = []
        parts: list[Answered] = []
        while (request := procedure.request(item, stages, parts)) is not None:
            self.requests.append(request)
            self.came.append(self.parts.pop(0))
            parts.append(self.came[-1])
            response = procedure.response(item, stages, parts)
            if response is not None:
                stages.append(response)
                parts.clear()
        return stages


def _procedure(study: str, strategy: str, **how: Any) -> tuple[Procedure, Item]:
    found = experiment(study)
    way = next(each for each in found.strategies if each.name == strategy)
    pair = next(found.pairs(Design(study, 1, 1)))
    return Procedure(found, way, how.pop("form", ModelForm.CHAT), **how), pair.x


def test_an_answer_is_asked_to_go_on_until_it_can_be_read() -> None:
    procedure, item = _procedure("consistency", "direct", in_turns=True)
    script = _Script(cut("To find out, we first ta"), cut("take what Ana has an"), whole("#### 7"))
    (answer,) = script.go(procedure, item)
    assert isinstance(answer, Completion)
    assert answer.text == "To find out, we first take what Ana has\n#### 7"
    assert procedure.study.read(item, [answer], procedure.form).value == "7"
    assert [len(request.messages) for request in script.requests] == [1, 3, 5]


def test_an_answer_that_was_stated_before_the_cut_is_not_asked_again() -> None:
    procedure, item = _procedure("consistency", "direct")
    script = _Script(cut("The answer is 12. Let me check this once mo"))
    script.go(procedure, item)
    assert len(script.requests) == 1


def test_no_more_often_than_is_allowed_and_never_after_nothing_was_written() -> None:
    for times in range(4):
        procedure, item = _procedure("consistency", "direct", length=Length(go_on=times))
        script = _Script(*[cut("We have to find the")] * 4)
        script.go(procedure, item)
        assert len(script.requests) == 1 + times
    procedure, item = _procedure("consistency", "direct")
    script = _Script(cut(" "))
    script.go(procedure, item)
    assert len(script.requests) == 1


def test_reasoning_goes_on_before_a_conclusion_is_asked_for() -> None:
    procedure, item = _procedure("consistency", "cot", form=ModelForm.BASE)
    script = _Script(cut("First we take the"), whole(" the apples. 3 + 4 = 7."), whole("7"))
    reasoning, answer = script.go(procedure, item)
    assert isinstance(reasoning, Completion)
    assert reasoning.text == "First we take the apples. 3 + 4 = 7."
    assert reasoning.text in script.requests[-1].messages[0].content
    assert answer == whole("7")
    stages = stages_of(script.requests, script.came)
    assert [stage.places for stage in stages] == [(0, 1), (2,)]
    assert [stage.response for stage in stages] == [reasoning, answer]


@over("study", experiments())
def test_it_holds_for_every_study_and_strategy(study: str) -> None:
    """A cut in the middle of the first word is gone on from, wherever a text is written."""
    found = experiment(study)
    try:
        item = next(found.pairs(Design(study, 1, 1))).x
    except Exception:  # it asks about what people keep
        pytest.skip("The study has no pairs of its own.")
    wrong = []
    for way in found.strategies:
        for form in ModelForm:
            procedure = Procedure(found, way, form, in_turns=True)
            asked = procedure.request(item, [])
            if isinstance(asked, LikelihoodRequest):
                scored = Likelihood((-1.0, -2.0), (1, 1))
                if procedure.response(item, [], [scored]) is not scored:
                    wrong.append((way.name, form, "scored"))
                continue
            parts = [cut("Let me see what is asked for he")]
            going = procedure.request(item, [], parts)
            if procedure.response(item, [], parts) is not None:
                wrong.append((way.name, form, "was not asked to go on"))
            elif not isinstance(going, GenerationRequest) or going.messages == asked.messages:
                wrong.append((way.name, form, "asks the same again"))
            elif stages_of([asked, going], [*parts, whole("re.")])[0].places != (0, 1):
                wrong.append((way.name, form, "is not known again"))
    assert not wrong


def test_a_person_may_raise_and_lower_what_is_written() -> None:
    for tokens, chosen, expected in (
        (None, None, 256),
        (40, None, 40),
        (9000, None, 9000),
        (9000, Sampling(4096, 0.7, 3), 9000),
        (None, Sampling(4096, 0.7, 3), 256),
        (None, Sampling(64, 0.7, 3), 64),
    ):
        length = Length(tokens)
        procedure, item = _procedure("consistency", "direct", length=length, sampling=chosen)
        asked = procedure.request(item, [])
        assert isinstance(asked, GenerationRequest)
        assert asked.sampling.max_new_tokens == expected, (tokens, chosen)
        assert asked.sampling.temperature == (0.0 if chosen is None else 0.7)
