"""Linear probes: fitted to the activations that the model really has, by the plainest formula."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from biaslab.models import Failure, Message, open_model
from biaslab.models.activations import PlacedText, ProbeRequest, ProbeResult, Span, look
from biaslab.models.local import inside
from biaslab.models.local.encoding import Encoder
from biaslab.models.local.inside import RIDGE, blocks_of, read_off
from biaslab.models.local.network import open_network
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS

NAMES = ("Ana", "Ben", "Eva", "Ivan", "Mei", "Omar")
TINY = TINY_MODELS / DEFAULT_NAME


def text(name: str, count: int, cue: str) -> PlacedText:
    said = f"Q: {name} has {count} apples. {name} has 3 {cue} apples than Carla."
    cues = said.index(cue)
    places = (Span(2, said.index(name) + len(name)), Span(cues - 1, cues + len(cue)))
    return PlacedText((Message("text", said),), places)


FITTED = [
    text(name, count, cue) for name in NAMES for count in (4, 18) for cue in ("more", "fewer")
]
TESTED = [text(name, 25, cue) for name in NAMES for cue in ("more", "fewer")]


def asked(fitted: list[PlacedText], tested: list[PlacedText], *labels: bool) -> ProbeRequest:
    return ProbeRequest(tuple(fitted), tuple(tested), {"cue": tuple(labels)})


class TestTheProbe:
    def test_is_ridge_regression_on_standardised_numbers(self):
        draw = np.random.default_rng(1)
        fitted, tested = draw.normal(2, 3, (50, 7)), draw.normal(2, 3, (20, 7))
        signs = np.sign(draw.normal(size=(50, 2)))
        middle, spread = fitted.mean(0), fitted.std(0)
        # Ridge as ordinary least squares with a row of its own for the size of each weight.
        wide = np.vstack([(fitted - middle) / spread, np.sqrt(RIDGE * 50) * np.eye(7)])
        wanted = np.vstack([signs - signs.mean(0), np.zeros((7, 2))])
        weights = np.linalg.lstsq(wide, wanted, rcond=None)[0]
        expected = (tested - middle) / spread @ weights + signs.mean(0)
        found = read_off(torch.tensor(fitted), torch.tensor(signs), torch.tensor(tested))
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-10)

    def test_reads_nothing_off_numbers_that_are_alike_in_all_texts(self):
        alike = torch.full((10, 3), 0.7, dtype=torch.float64)
        signs = torch.tensor([[1.0]] * 6 + [[-1.0]] * 4, dtype=torch.float64)
        assert read_off(alike, signs, alike + 1e-9).flatten().tolist() == pytest.approx([0.2] * 10)

    def test_finds_a_word_where_it_stands_and_nowhere_before(self):
        model: Any = open_model("tiny", device="cpu")
        found = look(model, asked(FITTED, TESTED, *(True, False) * (len(FITTED) // 2)))
        assert isinstance(found, ProbeResult)
        truth = (True, False) * len(NAMES)
        for layer in found.said["cue"]:
            before, at = layer
            assert at == truth
            assert len(set(before)) == 1  # alike for both, as the word has not been read yet


def test_activations_are_those_that_transformers_tells():
    from transformers import AutoModelForCausalLM

    network, tokenizer = open_network(TINY, "cpu", "float32", None)
    blocks = blocks_of(network.model)
    assert blocks is not None
    found = inside._at_places(network, Encoder(tokenizer), blocks, FITTED[:3])
    plain = AutoModelForCausalLM.from_pretrained(TINY).eval()
    for row, each in enumerate(FITTED[:3]):
        content = each.messages[0].content
        with torch.inference_mode():
            ids = tokenizer(content, add_special_tokens=False, return_tensors="pt")["input_ids"]
            told = plain(ids, output_hidden_states=True).hidden_states
        for place, span in enumerate(each.places):
            at = len(tokenizer(content[: span.end], add_special_tokens=False)["input_ids"]) - 1
            # What transformers tells last has been through the final norm; the others have not.
            for layer in range(len(blocks)):
                torch.testing.assert_close(
                    found[layer, row, place], told[layer][0, at], atol=1e-5, rtol=1e-4
                )


def test_a_place_without_a_token_is_refused():
    nowhere = [PlacedText(each.messages, (Span(0, 0),)) for each in FITTED]
    found = look(open_model("tiny", device="cpu"), asked(nowhere, nowhere, *[True] * len(nowhere)))
    assert isinstance(found, Failure)
    assert "no token" in found.reason


def test_a_model_too_large_for_memory_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inside, "MOST_NUMBERS", 1000)
    found = look(open_model("tiny", device="cpu"), asked(FITTED, TESTED, *[True] * len(FITTED)))
    assert isinstance(found, Failure)
    assert "too large" in found.reason
