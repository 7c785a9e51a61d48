"""A request that goes on from a text just written does not have that text read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from biaslab.models import Completion, open_model
from biaslab.models.local.model import LocalModel
from biaslab.models.local.network import Network
from biaslab.models.requests import GenerationRequest, Message, Sampling
from tests.models.random_models import SENTENCES

Make = Callable[..., Path]


def asked(text: str, n: int = 9) -> GenerationRequest:
    return GenerationRequest((Message("text", text),), Sampling(n))


def opened(path: Path, dtype: str = "float32") -> LocalModel:
    model = open_model(f"local:{path}", device="cpu", dtype=dtype)
    assert isinstance(model, LocalModel)
    return model


def texts(model: LocalModel, requests: list[GenerationRequest]) -> list[str]:
    found = dict(model.generate(requests))
    completions = [found[at] for at in range(len(requests))]
    assert all(isinstance(each, Completion) for each in completions)
    return [each.text for each in completions if isinstance(each, Completion)]


def test_second_requests_get_the_same_answers_and_read_only_what_is_new(
    model_directory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = [sentence[: 20 + 9 * at] for at, sentence in enumerate([*SENTENCES, *SENTENCES])]
    read = 0
    plain = Network.scores

    def counting(self: Network, tokens, mask, cache, last):  # type: ignore[no-untyped-def]
        nonlocal read
        read += tokens.numel()
        return plain(self, tokens, mask, cache, last)

    monkeypatch.setattr(Network, "scores", counting)
    # Rotary, learned and linear-bias positions; a sliding window and a state remember otherwise
    # and have everything read again.
    for architecture in ("llama", "gpt2", "bloom", "opt", "gpt_neox", "mistral", "mamba"):
        model = opened(model_directory(architecture))
        first = texts(model, [asked(prompt) for prompt in prompts])
        second = [
            asked(f"{prompt}{text} Therefore, {n}", 5)
            for n, (prompt, text) in enumerate(zip(prompts, first, strict=True))
        ]
        # Somebody else's request among them, and one that shares only a part of a prompt.
        second += [asked("Ben has", 5), asked(prompts[3][:10] + "zzz", 5)]
        read = 0
        given = texts(model, second)
        with_memory, fresh, read = read, opened(model_directory(architecture)), 0
        assert texts(fresh, second) == given, architecture
        if architecture in ("llama", "gpt2", "bloom", "opt", "gpt_neox"):
            assert with_memory < 0.7 * read, architecture
        # What was given away is gone: the same again is read anew, with the same answer.
        assert texts(model, second) == given


def test_memory_of_finished_texts_is_bounded(
    model_directory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = model_directory("llama")
    for most in (0, 4_000, 20_000):
        monkeypatch.setattr(Network, "most_remembered", most)
        model = opened(path)
        first = texts(model, [asked(sentence) for sentence in SENTENCES])
        kept = model._writer._beginnings
        assert kept is not None
        held = list(kept._by_tokens.values())
        assert sum(each.bytes for each in held) == kept._used <= most
        assert len(held) == len(kept._sorted) < len(SENTENCES)
        assert bool(held) == (most == 20_000)
        second = [asked(s + text + " So", 5) for s, text in zip(SENTENCES, first, strict=True)]
        assert texts(model, second) == texts(opened(path), second)
