"""Weights in eight bits: exact sums, used only where they answer alike, and kept with a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch

from biaslab.models import Access, BrokenModel, Completion, Model, Unsupported, identify, open_model
from biaslab.models.local import precision, processor
from biaslab.models.local.measuring import measure
from biaslab.models.local.network import open_network
from biaslab.models.local.precision import (
    NOT_EXACT,
    RoundingEffect,
    is_known,
    known,
    settled,
)
from biaslab.models.local.processor import EightBitLinear, multiplies_exactly
from biaslab.models.provider import AUTO
from biaslab.models.requests import GenerationRequest, Message, Sampling
from biaslab.runs.engine.sources import settle_format
from biaslab.system.places import beside_runs
from tests.models.random_models import SENTENCES, make_network, make_tokenizer

Make = Callable[..., Path]

ALIKE, OTHERWISE = RoundingEffect(0.001, 0.99, 0.4), RoundingEffect(0.2, 0.7, 0.4)

pytestmark = pytest.mark.skipif(not multiplies_exactly(), reason="this processor rounds")


def problems(n: int) -> list[GenerationRequest]:
    """Prompts of many lengths, half of them with luck."""
    texts = [f"{SENTENCES[i % 4][: 12 + i % 50]} {i} apples and {i * 7 % 31}" for i in range(n)]
    return [
        GenerationRequest((Message("text", text),), Sampling(12, temperature=(i % 2) * 0.7, seed=i))
        for i, text in enumerate(texts)
    ]


def texts(model: Model, requests: list[GenerationRequest]) -> list[str]:
    found = dict(model.generate(requests))
    assert all(isinstance(each, Completion) for each in found.values())
    return [found[at].text for at in range(len(requests))]  # type: ignore[union-attr]


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random weights have no reason to answer alike; what is tested here is something else."""
    monkeypatch.setattr(precision, "MOST_DIVERGENCE", 1e3)
    monkeypatch.setattr(precision, "LEAST_AGREEMENT", 0.0)


@pytest.mark.usefixtures("alike")
def test_200_prompts_get_the_same_texts_alone_together_and_after_a_stop(
    model_directory: Make,
) -> None:
    requests = problems(200)
    spec = f"local:{model_directory('qwen2')}"
    model = open_model(spec, device="cpu", dtype="int8")
    together = texts(model, requests)
    assert [texts(model, [request])[0] for request in requests] == together
    # A run that was killed opens the model anew and asks what is left, in groups of its own.
    again = open_model(spec, device="cpu", dtype="int8")
    assert texts(again, requests[77:]) == together[77:]


@torch.inference_mode()
def test_scores_are_the_same_to_the_last_bit_alone_together_and_read_in_parts(
    tmp_path: Path,
) -> None:
    make_tokenizer().save_pretrained(tmp_path)
    made = make_network("qwen2", 300, hidden_size=64, num_hidden_layers=4, initializer_range=0.1)
    made.save_pretrained(tmp_path)
    network, _ = open_network(tmp_path, "cpu", "int8", None)
    luck = Random(3)
    rows = [[luck.randrange(300) for _ in range(luck.randint(3, 70))] for _ in range(30)]
    alone = [network.scores(*network.filled_up([row]), None, 1)[0, -1] for row in rows]
    for chosen in (range(30), range(0, 30, 3), range(29, 12, -1)):
        tokens, mask = network.filled_up([rows[at] for at in chosen])
        for cache in (None, network.new_cache()):
            together = network.scores(tokens, mask, cache, 1)[:, -1]
            assert all(map(torch.equal, together, (alone[at] for at in chosen)))
        # What was read by itself first is gone on from among others, token by token.
        cache = network.new_cache()
        for start, end in ((0, 40), (40, 41), (41, tokens.shape[1])):
            scores = network.scores(tokens[:, start:end], mask[:, :end], cache, 1)[:, -1]
        assert all(map(torch.equal, scores, (alone[at] for at in chosen)))


@torch.inference_mode()
def test_keys_and_values_are_turned_to_float64_once_and_counted_as_such(
    model_directory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = model_directory("qwen2")
    coarse, fine = (open_network(path, "cpu", dtype, None)[0] for dtype in ("float32", "int8"))
    for network, dtype in ((coarse, torch.float32), (fine, torch.float64)):
        cache = network.new_cache()
        for _ in range(2):
            mask = torch.ones(3, cache.get_seq_length() + 2, dtype=torch.long)
            network.scores(torch.ones(3, 2, dtype=torch.long), mask, cache, 1)
        assert {layer.keys.dtype for layer in cache.layers} == {dtype}
        assert {layer.values.dtype for layer in cache.layers} == {dtype}
    # Where memory is short, half as many tokens are worked on together.
    monkeypatch.setattr("biaslab.models.local.network.free_bytes", lambda _: 1 << 20)
    coarse, fine = (open_network(path, "cpu", dtype, None)[0] for dtype in ("float32", "int8"))
    assert coarse.batch_tokens == pytest.approx(2 * fine.batch_tokens, abs=1)


@torch.inference_mode()
def test_a_row_has_the_same_products_in_any_company() -> None:
    torch.manual_seed(1)
    layer = torch.nn.Linear(96, 40)
    rows = torch.randn(130, 96) * torch.logspace(-3, 3, 130)[:, None]
    rounded = EightBitLinear(layer)
    together = rounded(rows)
    for at in range(len(rows)):
        assert torch.equal(rounded(rows[at : at + 1])[0], together[at])
    exact = layer(rows) - layer.bias
    assert (together - layer.bias - exact).norm() <= 0.006 * exact.norm()


@torch.inference_mode()
def test_two_digits_follow_a_row_with_an_outlier_that_one_digit_loses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch.manual_seed(2)
    layer = torch.nn.Linear(256, 64, bias=False)
    row = torch.randn(1, 256)
    row[0, 7] = 300.0
    usual = torch.where(row == 300.0, 0.0, row)

    def error() -> float:
        return float((EightBitLinear(layer)(row) - layer(row)).norm() / layer(usual).norm())

    kept = error()
    without_second(monkeypatch)
    assert kept < 0.2 < error()


def without_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on one digit alone is written."""
    multiply = processor._multiply

    def first_alone(digits: list[torch.Tensor], packed: object, most: int) -> torch.Tensor:
        return multiply([digits[0], *map(torch.zeros_like, digits[1:])], packed, most)

    monkeypatch.setattr(processor, "_multiply", first_alone)


def test_a_model_is_rounded_only_where_it_answers_alike(
    model_directory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = model_directory("llama")
    found = measure(path)
    assert 0 < found.divergence < 0.1
    assert 0.9 < found.agreement <= 1
    # Positive control: with weights of four bits the very same model moves further away.
    monkeypatch.setattr(processor, "WIDE", replace(processor.WIDE, weight=7))
    assert measure(path).divergence > 10 * found.divergence
    # GPT-2 has no linear layer of torch's own: nothing could be rounded, and nothing is claimed.
    with pytest.raises(Unsupported, match="answers otherwise"):
        settled(model_directory("gpt2"), "no-layers", "int8", lambda: NOT_EXACT)


def test_eight_bits_are_taken_where_they_answer_alike_and_gain_time_and_that_is_kept(
    model_directory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = model_directory("llama")
    monkeypatch.setattr(precision, "_stays_exact", lambda _: False)
    cases = {
        "int8": [ALIKE],
        "float32": [OTHERWISE, replace(ALIKE, time=0.95)],
    }
    for expected, measured in cases.items():
        for at, outcome in enumerate(measured):
            looks: list[RoundingEffect] = []

            def look(
                outcome: RoundingEffect = outcome, looks: list[RoundingEffect] = looks
            ) -> RoundingEffect:
                looks.append(outcome)
                return outcome

            revision = f"of-{expected}-{at}"
            assert known(path, revision, AUTO) == "float32"
            assert not is_known(path, revision, AUTO)
            assert settled(path, revision, AUTO, look) == expected
            monkeypatch.setattr(precision, "_measured", {})  # another process
            assert settled(path, revision, AUTO, look) == known(path, revision, AUTO) == expected
            assert is_known(path, revision, AUTO)
            assert len(looks) == 1
    # Asked for by name, what answers otherwise is refused with the figures.
    with pytest.raises(Unsupported, match=r"0\.200 nats.*70.0 %.*Choose float32"):
        settled(path, "of-float32-0", "int8", lambda: OTHERWISE)
    # A file that is damaged is measured for again.
    beside_runs("number-formats.json").write_text(json.dumps({"x": 3})[:-1], encoding="utf-8")
    assert known(path, "of-int8-0", AUTO) == "float32"
    assert settled(path, "of-int8-0", AUTO, lambda: ALIKE) == "int8"


def test_small_models_stay_as_they_are_and_the_format_is_part_of_the_identity(
    model_directory: Make,
) -> None:
    spec = f"local:{model_directory('llama')}"
    plain = identify(spec)
    assert open_model(spec, device="cpu").identity == plain
    assert settle_format(spec, Access()) == Access(dtype="float32")
    assert identify(spec, access=Access(dtype="int8")).revision == f"{plain.revision}-int8.3"
    assert settle_format("openai:somebody", Access()).dtype == "auto"


def test_another_process_measures_for_a_run_and_says_why_not(
    model_directory: Make, custom_model_directory: Make
) -> None:
    path = model_directory("llama")
    found = measure(path)
    if found.alike:
        assert settle_format(f"local:{path}", Access(dtype="int8")).dtype == "int8"
    else:
        with pytest.raises(BrokenModel, match=f"{found.divergence:.3f} nats"):
            settle_format(f"local:{path}", Access(dtype="int8"))
    everything = json.loads(beside_runs("number-formats.json").read_text(encoding="utf-8"))
    revision = identify(f"local:{path}").revision
    (kept,) = (each for key, each in everything.items() if key.startswith(f"{revision} "))
    assert kept["divergence"] == pytest.approx(found.divergence, rel=1e-3)
    broken = custom_model_directory("mistral")
    config = json.loads((broken / "config.json").read_text(encoding="utf-8"))
    (broken / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(BrokenModel, match="lack"):
        settle_format(f"local:{broken}", Access(dtype="int8"))
