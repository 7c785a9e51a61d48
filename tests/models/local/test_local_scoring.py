"""Log-probabilities are those of the plainest computation: one text, read once, alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import Failure, Likelihood, LikelihoodRequest, Message, open_model
from biaslab.models.local.model import LocalModel
from biaslab.models.requests import split_at_shared_beginning
from tests.models.random_models import CHAT_TEMPLATE, CONFIGS, SENTENCES

Make = Callable[..., Path]

QUESTIONS = [
    (SENTENCES[0], (" 15", " 21", " Ben has 15 apples.", " no")),
    ("Q:", (" apples", " How many are left?")),
    (SENTENCES[1] + " " + SENTENCES[2], (" A", " B", " C", " D")),
    ("A: The answer (Arabic numerals) is", (" 999", " 12 boxes, 4 each.", " x")),
]


def asked(text: str, continuations: tuple[str, ...]) -> LikelihoodRequest:
    return LikelihoodRequest((Message("text", text),), continuations)


def opened(path: Path, **options: Any) -> LocalModel:
    model = open_model(f"local:{path}", device="cpu", **options)
    assert isinstance(model, LocalModel)
    return model


def likelihoods(model: LocalModel, requests: list[LikelihoodRequest]) -> list[Likelihood]:
    answered = list(model.likelihood(requests))
    assert sorted(index for index, _ in answered) == list(range(len(requests)))
    by_index = dict(answered)
    results = [by_index[index] for index in range(len(requests))]
    assert all(isinstance(result, Likelihood) for result in results), results
    return [result for result in results if isinstance(result, Likelihood)]


def plainly_scored(path: Path, text: str, continuation: str) -> tuple[float, int]:
    """Read the whole text once, alone, in double precision from the scores on."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(path)
    network = AutoModelForCausalLM.from_pretrained(path).eval()
    before = tokenizer(text)["input_ids"]
    whole = tokenizer(text + continuation)["input_ids"]
    assert whole[: len(before)] == before
    with torch.inference_mode():
        logs = network(torch.tensor([whole]), use_cache=False).logits[0].double().log_softmax(-1)
    places = range(len(before), len(whole))
    return sum(float(logs[at - 1, whole[at]]) for at in places), len(places)


@pytest.mark.parametrize("architecture", CONFIGS)
def test_log_probabilities_are_those_of_the_plainest_way(
    architecture: str, model_directory: Make
) -> None:
    path = model_directory(architecture)
    given = likelihoods(opened(path), [asked(*question) for question in QUESTIONS])
    for result, (text, continuations) in zip(given, QUESTIONS, strict=True):
        expected = [plainly_scored(path, text, continuation) for continuation in continuations]
        assert result.log_probabilities == pytest.approx([p for p, _ in expected], abs=1e-5)
        assert result.tokens == tuple(n for _, n in expected)


@pytest.mark.parametrize("batch_tokens", [1, 60, 100_000])
def test_the_token_budget_changes_nothing(batch_tokens: int, model_directory: Make) -> None:
    path = model_directory("llama")
    requests = [asked(*question) for question in QUESTIONS]
    given = likelihoods(opened(path, batch_tokens=batch_tokens), requests)
    expected = likelihoods(opened(path), requests)
    for one, other in zip(given, expected, strict=True):
        assert one.log_probabilities == pytest.approx(other.log_probabilities, abs=1e-5)
        assert one.tokens == other.tokens


def test_the_company_of_other_requests_changes_nothing(model_directory: Make) -> None:
    model = opened(model_directory("gpt2"))
    requests = [asked(*question) for question in QUESTIONS]
    together = likelihoods(model, requests)
    for number, request in enumerate(requests):
        alone = likelihoods(model, [request])[0]
        assert alone.log_probabilities == pytest.approx(
            together[number].log_probabilities, abs=1e-5
        )


def test_the_shared_beginning_is_read_once(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    assert model._network.batches
    read = []
    forward = model._network.model.forward

    def counted(**given: Any) -> Any:
        read.append(given["input_ids"].numel())
        return forward(**given)

    model._network.model.forward = counted
    long = " ".join(SENTENCES)
    likelihoods(model, [asked(long, (" apples", " pencils", " boxes", " marbles"))] * 3)
    before = len(model._encoder.encode(model._encoder.prompt((Message("text", long),))))
    assert read == [before]


def test_one_token_each_adds_up_to_at_most_one(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    ((_, result),) = model.likelihood([asked(SENTENCES[0], tuple(" abcdefgh0123"))])
    assert isinstance(result, Likelihood)
    assert result.tokens == (1,) * 13
    assert sum(map(math.exp, result.log_probabilities)) <= 1.0


def test_a_token_across_the_border_is_scored_whole_for_every_continuation(
    model_directory: Make,
) -> None:
    """Given a prompt that ends in a space, which the tokenizer joins to the word after it.

    Then the space belongs to every continuation, and each score is that of the text as it
    would stand in a book: the same as when the space is moved to the continuation.
    """
    model = opened(model_directory("llama"))
    ending_in_space, moved = likelihoods(
        model,
        [
            asked("Ben has 3 fewer ", ("apples", "marbles")),
            asked("Ben has 3 fewer", (" apples", " marbles")),
        ],
    )
    assert ending_in_space.log_probabilities == pytest.approx(moved.log_probabilities, abs=1e-5)
    assert ending_in_space.tokens == moved.tokens


def test_chat_turns_are_scored_after_the_template(model_directory: Make) -> None:
    model = opened(model_directory("llama", template=CHAT_TEMPLATE))
    turns = (Message("user", "How many?"), Message("assistant", "The answer is"))
    written = (Message("text", "<user>How many?</s><assistant>The answer is"),)
    chat, plain = likelihoods(
        model,
        [
            LikelihoodRequest(turns, (" 15", " 21 apples")),
            LikelihoodRequest(written, (" 15", " 21 apples")),
        ],
    )
    assert chat.log_probabilities == pytest.approx(plain.log_probabilities, abs=1e-5)


def test_the_same_request_twice_is_answered_twice(model_directory: Make) -> None:
    first, again = likelihoods(opened(model_directory("llama")), [asked(*QUESTIONS[0])] * 2)
    assert first == again


@pytest.mark.parametrize(
    ("text", "continuations", "reason"),
    [
        ("Q:", (), "continuation without text"),
        ("Q:", (" a", ""), "continuation without text"),
        ("apples " * 300, (" a",), "the model takes 128 in all"),
        ("Q:", (" apples" * 300,), "the model takes 128 in all"),
    ],
)
def test_what_cannot_be_scored_is_a_failure_with_a_sentence(
    text: str, continuations: tuple[str, ...], reason: str, model_directory: Make
) -> None:
    model = opened(model_directory("gpt2"))
    answered = dict(model.likelihood([asked(text, continuations), asked(*QUESTIONS[0])]))
    failure = answered[0]
    assert isinstance(failure, Failure)
    assert reason in failure.reason
    assert isinstance(answered[1], Likelihood)


def test_nothing_before_the_continuation_is_a_failure(model_directory: Make) -> None:
    model = opened(model_directory("llama", adds_bos=False))
    ((_, answer),) = model.likelihood([asked("", (" apples",))])
    assert isinstance(answer, Failure)
    assert "Nothing stands before" in answer.reason


tokens = st.lists(st.integers(0, 3), min_size=1, max_size=8)


@given(tokens, st.lists(tokens, min_size=1, max_size=4))
def test_beginning_and_endings_make_up_the_texts(prompt: list[int], texts: list[list[int]]) -> None:
    beginning, endings = split_at_shared_beginning(prompt, texts)
    assert all(endings)
    assert [list(beginning + ending) for ending in endings] == texts
    assert list(beginning) == prompt[: len(beginning)]
