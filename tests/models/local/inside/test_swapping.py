"""One activation swapped for that of another text, against computations without any hook."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from biaslab.models import Failure, LikelihoodRequest, Message, open_model
from biaslab.models.activations import ProbeRequest, Span, SwapRequest, SwapResult, look
from biaslab.models.local.encoding import Encoder
from biaslab.models.local.inside import tokens_at
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from tests.models.random_models import make_tokenizer, saved

OWN = "Q: Ana has 18 apples. Ana has 3 more apples than Ben.\nA: The answer (Arabic numerals) is"
# The names change places, so both texts have as many tokens whatever the tokenizer.
OTHER = OWN.replace(" Ana", " X").replace(" Ben", " Ana").replace(" X", " Ben")
NEXT = (" has", " Ana", " apples")
"""What may come next, a single token for all tokenizers here."""
NUMBERS = (*NEXT, " 7", " 15", " 21", " 150")


def spans(text: str) -> list[Span]:
    """Each word with the space before it; together they are the text."""
    ends, at = [], 0
    for word in text.split():
        at = text.index(word, at) + len(word)
        ends.append(at)
    ends[-1] = len(text)
    return [Span(one, two) for one, two in zip([0, *ends], ends, strict=False)]


def request(
    places: list[tuple[Span, Span]], continuations: tuple[str, ...] = NEXT, other: str = OTHER
) -> SwapRequest:
    return SwapRequest(
        (Message("text", OWN),), (Message("text", other),), tuple(places), continuations
    )


WORDS = list(zip(spans(OWN), spans(OTHER), strict=True))
ALL = (Span(0, len(OWN)), Span(0, len(OTHER)))


@cache
def opened(directory: Path | None, architecture: str) -> Any:
    if directory is None:
        return open_model("tiny", device="cpu")
    return open_model(f"local:{saved(directory, architecture, True, False, '')}", device="cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random")


@pytest.fixture(scope="module", params=["tiny", "llama", "gpt2", "gpt_neox", "qwen2"])
def model(request: pytest.FixtureRequest, folder: Path) -> Any:
    return opened(None if request.param == "tiny" else folder, request.param)


def asked(model: Any, wanted: SwapRequest) -> SwapResult:
    found = look(model, wanted)
    assert isinstance(found, SwapResult), found
    return found


def alone(model: Any, text: str, continuations: tuple[str, ...] = NEXT) -> tuple[float, ...]:
    wanted = LikelihoodRequest((Message("text", text),), continuations)
    ((_, found),) = model.likelihood([wanted])
    return tuple(found.log_probabilities)


def near(logs: tuple[float, ...]) -> Any:
    return pytest.approx(logs, abs=2e-4)


class TestInAnyArchitecture:
    def test_with_nothing_swapped_both_texts_are_answered_as_ever(self, model: Any):
        found = asked(model, request(WORDS))
        assert found.own.log_probabilities == near(alone(model, OWN))
        assert found.other.log_probabilities == near(alone(model, OTHER))
        assert {len(layer) for layer in found.layers} == {len(WORDS)}

    def test_every_word_swapped_as_it_goes_in_gives_the_answer_to_the_other_text(self, model: Any):
        found = asked(model, request([ALL], NUMBERS))
        other = alone(model, OTHER, NUMBERS)
        assert found.own.log_probabilities != near(other)
        assert found.layers[0][0].log_probabilities == near(other)

    def test_every_word_swapped_at_any_layer_gives_what_comes_next_in_the_other_text(
        self, model: Any
    ):
        found = asked(model, request([ALL]))
        assert found.own.tokens == (1,) * len(NEXT)
        for layer in found.layers:
            assert layer[0].log_probabilities == near(alone(model, OTHER))

    def test_the_last_place_swapped_at_the_last_layer_gives_the_other_distribution(
        self, model: Any
    ):
        found = asked(model, request(WORDS))
        assert found.layers[-1][-1].log_probabilities == near(alone(model, OTHER))
        assert found.layers[0][-1].log_probabilities == near(alone(model, OWN))

    def test_swapping_with_the_same_text_changes_nothing(self, model: Any):
        found = asked(model, request(list(zip(spans(OWN), spans(OWN), strict=True)), other=OWN))
        for layer in found.layers:
            for each in layer:
                assert each.log_probabilities == near(found.own.log_probabilities)

    def test_what_was_swapped_is_no_longer_swapped_afterwards(self, model: Any):
        before = alone(model, OWN)
        asked(model, request(WORDS))
        assert alone(model, OWN) == before


class TestTheShippedTinyModel:
    @pytest.mark.parametrize(("layer", "word"), [(0, 8), (1, 8), (2, 10), (3, 10), (4, 16)])
    def test_has_the_result_of_a_pass_through_its_blocks_by_hand(self, layer: int, word: int):
        numbers = (" 7", " 15", " 21")
        found = asked(opened(None, "tiny"), request(WORDS, numbers)).layers[layer][word]
        by_hand = [_by_hand(layer, WORDS[word], number) for number in numbers]
        assert found.log_probabilities == near(tuple(by_hand))

    def test_a_word_that_both_texts_share_and_that_nothing_differs_before_does_nothing(self):
        places = list(zip(spans(OWN), spans(OWN.replace("Ben", "Eva")), strict=True))
        found = asked(opened(None, "tiny"), request(places, other=OWN.replace("Ben", "Eva")))
        for layer in found.layers:
            assert layer[1].log_probabilities == near(found.own.log_probabilities)

    def test_the_word_that_differs_is_what_it_is_as_it_goes_in(self):
        fewer = OWN.replace("more", "fewer")
        places = list(zip(spans(OWN), spans(fewer), strict=True))
        found = asked(opened(None, "tiny"), request(places, NUMBERS, fewer))
        put_in = found.layers[0][OWN.split().index("more")]
        assert put_in.log_probabilities == near(alone(opened(None, "tiny"), fewer, NUMBERS))


@torch.inference_mode()
def _by_hand(layer: int, place: tuple[Span, Span], number: str) -> float:
    """One text at a time, block by block, with one line of activations overwritten."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = TINY_MODELS / DEFAULT_NAME
    tokenizer = AutoTokenizer.from_pretrained(path)
    model = AutoModelForCausalLM.from_pretrained(path, attn_implementation="eager").eval()

    def tokens(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    def steps(text: str, put: Any = None) -> list[torch.Tensor]:
        ids = torch.tensor([tokens(text)])
        hidden = model.model.embed_tokens(ids)
        length = ids.shape[1]
        mask = torch.full((length, length), float("-inf")).triu(1)[None, None]
        turned = model.model.rotary_emb(hidden, position_ids=torch.arange(length)[None])
        layers = []
        for at in range(len(model.model.layers) + 1):
            if at:
                block = model.model.layers[at - 1]
                output = block(hidden, attention_mask=mask, position_embeddings=turned)
                hidden = output if isinstance(output, torch.Tensor) else output[0]
            if put is not None and at == layer:
                hidden = put(hidden.clone())
            layers.append(hidden)
        return layers

    source = steps(OTHER)[layer]
    one, two = place
    here = range(len(tokens(OWN[: one.start])), len(tokens(OWN[: one.end])))
    there = range(len(tokens(OTHER[: two.start])), len(tokens(OTHER[: two.end])))

    def put(hidden: torch.Tensor) -> torch.Tensor:
        for own, other in zip(reversed(here), reversed(there), strict=False):
            hidden[0, own] = source[0, other]
        return hidden

    last = model.lm_head(model.model.norm(steps(OWN + number, put)[-1]))[0].double()
    before, answer = len(tokens(OWN)), tokens(OWN + number)[len(tokens(OWN)) :]
    logs = last.log_softmax(-1)
    return sum(float(logs[before - 1 + at, token]) for at, token in enumerate(answer))


class TestWhichTokensStandWhere:
    @pytest.mark.parametrize("adds_bos", [True, False])
    def test_every_token_of_the_text_belongs_to_exactly_one_word(self, adds_bos: bool):
        encoder = Encoder(make_tokenizer(adds_bos=adds_bos))
        tokens, places = tokens_at(encoder, [Message("text", OWN)], spans(OWN))
        assert [at for place in places for at in place] == list(range(adds_bos, len(tokens)))

    def test_a_word_has_the_tokens_that_spell_it(self):
        encoder = Encoder(make_tokenizer())
        tokens, places = tokens_at(encoder, [Message("text", OWN)], spans(OWN))
        for word, place in zip(OWN.split(), places, strict=False):
            assert encoder.decode([tokens[at] for at in place], []).strip() == word

    def test_what_a_chat_template_puts_behind_belongs_to_the_last_word(self):
        template = "{% for m in messages %}<{{ m['content'] }}>{% endfor %} Answer:"
        encoder = Encoder(make_tokenizer(adds_bos=False, template=template))
        tokens, places = tokens_at(encoder, [Message("user", OWN)], spans(OWN))
        assert places[-1][-1] == len(tokens) - 1
        assert encoder.decode([tokens[at] for at in places[-1]], []).strip().endswith("Answer:")


def test_a_simulated_learner_cannot_be_looked_into():
    found = look(open_model("learner:careless"), request(WORDS))
    assert isinstance(found, Failure)
    assert "cannot be looked into" in found.reason


def test_texts_longer_than_the_model_takes_are_refused(tmp_path: Path):
    long = (Message("text", OWN * 20),)
    found = look(
        opened(tmp_path, "llama"), SwapRequest(long, long, ((Span(0, 2), Span(0, 2)),), NEXT)
    )
    assert isinstance(found, Failure)
    assert "takes 128" in found.reason


def test_requests_about_the_inside_are_what_they_were_after_they_were_written():
    import json

    from biaslab.models.activations import PlacedText, read, written

    marked = PlacedText((Message("text", OWN),), tuple(spans(OWN)))
    probe = ProbeRequest((marked,), (marked, marked), {"operation": (True,)})
    for each in (request(WORDS), probe):
        assert read(json.loads(json.dumps(written(each)))) == each
