"""Tokens are counted where the tokenizer is here, and estimated on the safe side elsewhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import (
    BrokenModel,
    Completion,
    GenerationRequest,
    LikelihoodRequest,
    Message,
    ModelNotFound,
    Sampling,
    open_model,
)
from biaslab.models.counting import (
    CHARACTERS_PER_TOKEN,
    ENOUGH_SAMPLES,
    MARGIN,
    MARGIN_OF_FEW,
    CountedHow,
    LengthCounter,
    MeasuredRatio,
    Sample,
    TokenizerCounter,
    characters,
)
from biaslab.models.local.encoding import Encoder
from biaslab.models.spec import token_counter
from tests.models.random_models import CHAT_TEMPLATE, SENTENCES, make_tokenizer

Make = Callable[..., Path]

PROBLEM = "Q: Ana has 18 apples. Ben has 3 fewer apples than Ana. How many has Ben?\nA:"
texts = st.text() | st.lists(st.sampled_from(SENTENCES)).map(" ".join)
turns = st.lists(
    st.builds(Message, st.sampled_from(["user", "assistant", "system"]), texts, st.just("")),
    min_size=1,
    max_size=4,
).map(tuple)


def plain(text: str) -> GenerationRequest:
    return GenerationRequest((Message("text", text),), Sampling(max_new_tokens=1))


@pytest.fixture(scope="session")
def tokenizer_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], Any]:
    """A tokenizer of transformers and the counter made of the file that it saves."""
    made: dict[bool, Any] = {}

    def make(adds_bos: bool) -> Any:
        if adds_bos not in made:
            tokenizer = make_tokenizer(adds_bos=adds_bos, template=CHAT_TEMPLATE)
            folder = tmp_path_factory.mktemp("tokenizer")
            tokenizer.save_pretrained(folder)
            made[adds_bos] = Encoder(tokenizer), TokenizerCounter(folder / "tokenizer.json")
        return made[adds_bos]

    return make


class TestOwnTokenizer:
    @pytest.mark.parametrize("architecture", ["llama", "gpt2"])
    @pytest.mark.parametrize("adds_bos", [True, False])
    def test_a_count_is_what_the_model_itself_says(
        self, model_directory: Make, architecture: str, adds_bos: bool
    ) -> None:
        spec = f"local:{model_directory(architecture, adds_bos=adds_bos)}"
        counter, model = token_counter(spec), open_model(spec, device="cpu")
        for text in (PROBLEM, SENTENCES[0], "Ben"):
            ((_, answer),) = model.generate([plain(text)])
            assert isinstance(answer, Completion)
            count = counter.count(plain(text))
            assert (count.tokens, count.at_most) == (answer.tokens_in, answer.tokens_in)
            assert count.how is CountedHow.COUNTED

    def test_the_tiny_model_is_counted_as_it_reads(self) -> None:
        ((_, answer),) = open_model("tiny", device="cpu").generate([plain(PROBLEM)])
        assert isinstance(answer, Completion)
        assert token_counter("tiny").count(plain(PROBLEM)).tokens == answer.tokens_in

    @pytest.mark.parametrize("adds_bos", [True, False])
    @given(text=texts)
    def test_any_text_is_counted_as_the_model_would_encode_it(
        self, tokenizer_files: Callable[[bool], Any], adds_bos: bool, text: str
    ) -> None:
        encoder, counter = tokenizer_files(adds_bos)
        request = plain(text)
        tokens = encoder.encode(encoder.prompt(request.messages))
        assert counter.count(request).tokens == len(tokens)

    @given(text=texts, ends=st.lists(st.sampled_from([" 15", " 21", "."]), min_size=1, max_size=3))
    def test_every_continuation_is_counted_with_the_text_before_it(
        self, tokenizer_files: Callable[[bool], Any], text: str, ends: list[str]
    ) -> None:
        encoder, counter = tokenizer_files(True)
        request = LikelihoodRequest((Message("text", text),), tuple(ends))
        prompt = encoder.prompt(request.messages)
        assert counter.count(request).tokens == sum(len(encoder.encode(prompt, e)) for e in ends)

    @given(messages=turns)
    def test_turns_are_marked_as_estimated_and_bounded(
        self, tokenizer_files: Callable[[bool], Any], messages: tuple[Message, ...]
    ) -> None:
        encoder, counter = tokenizer_files(True)
        count = counter.count(GenerationRequest(messages))
        contents = sum(counter.count(plain(m.content)).tokens - 1 for m in messages)
        assert count.how is CountedHow.RULE
        assert "chat template" in count.note
        assert contents < count.tokens <= count.at_most
        if messages[-1].role != "assistant":
            assert len(encoder.encode(encoder.prompt(messages))) <= count.at_most

    def test_a_model_without_that_file_is_estimated(self, custom_model_directory: Make) -> None:
        folder = custom_model_directory()
        (folder / "tokenizer.json").unlink()
        assert token_counter(f"local:{folder}").count(plain(PROBLEM)).how is CountedHow.RULE

    def test_a_damaged_file_says_what_to_do(self, custom_model_directory: Make) -> None:
        folder = custom_model_directory()
        (folder / "tokenizer.json").write_text('{"version": "1.0"}')
        with pytest.raises(BrokenModel, match=r"tokenizer\.json is damaged .* get the file again"):
            token_counter(f"local:{folder}")

    def test_a_missing_model_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(ModelNotFound):
            token_counter(f"local:{tmp_path / 'none'}")

    def test_counting_imports_neither_torch_nor_transformers(self) -> None:
        code = (
            "import sys; from biaslab.models.counting import *; from biaslab.models import *;"
            "token_counter('tiny').count(GenerationRequest((Message('text', 'a'),)));"
            "sys.exit(any(name in sys.modules for name in ('torch', 'transformers')))"
        )
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestLearner:
    def test_its_words_are_counted_as_it_counts_them(self) -> None:
        request = GenerationRequest((Message("text", PROBLEM),))
        count = token_counter("learner:perfect").count(request)
        assert (count.tokens, count.how) == (len(PROBLEM.split()), CountedHow.COUNTED)


class TestServer:
    def test_without_any_experience_a_rule_of_thumb_is_used_and_named(self) -> None:
        count = token_counter("openai:some-model").count(plain("a" * 4000))
        assert count.how is CountedHow.RULE
        assert 1000 <= count.tokens < 1100 < 2000 <= count.at_most
        assert f"{CHARACTERS_PER_TOKEN:g} characters" in count.note

    @given(st.lists(st.sampled_from(SENTENCES), min_size=1).map(" ".join))
    def test_the_bound_holds_for_word_problems_even_digit_by_digit(self, text: str) -> None:
        tiny = token_counter("tiny").count(plain(text)).tokens
        assert tiny <= LengthCounter().count(plain(text)).at_most

    def test_earlier_responses_give_a_measured_ratio(self) -> None:
        samples = [Sample(30, 100)] * ENOUGH_SAMPLES
        ratio = MeasuredRatio.of(samples, "20 earlier responses of this model")
        count = token_counter("openai:some-model", measured=ratio).count(plain("a" * 1000))
        assert (count.tokens, count.how) == (300, CountedHow.MEASURED)
        assert count.at_most == pytest.approx(300 * MARGIN, abs=1)
        assert "20 earlier responses of this model" in count.note

    def test_few_samples_leave_a_wider_margin(self) -> None:
        ratio = MeasuredRatio.of([Sample(30, 100)], "one")
        assert ratio == MeasuredRatio.of_one(0.3, "one")
        assert ratio is not None
        assert ratio.at_most == pytest.approx(0.3 * MARGIN_OF_FEW)

    def test_nothing_is_learnt_from_servers_that_do_not_count(self) -> None:
        assert MeasuredRatio.of([Sample(0, 100), Sample(5, 0)], "none") is None

    @given(st.lists(st.builds(Sample, st.integers(1, 999), st.integers(1, 999)), min_size=1))
    @settings(max_examples=50)
    def test_no_sample_has_more_tokens_than_the_bound(self, samples: list[Sample]) -> None:
        ratio = MeasuredRatio.of(samples, "samples")
        assert ratio is not None
        for sample in samples:
            count = LengthCounter(ratio).count(plain("a" * sample.characters))
            assert count.tokens <= count.at_most
            assert sample.tokens <= count.at_most

    @given(turns, st.lists(texts, min_size=1, max_size=4).map(tuple))
    def test_continuations_are_counted_one_by_one(
        self, messages: tuple[Message, ...], ends: tuple[str, ...]
    ) -> None:
        alone = [characters(LikelihoodRequest(messages, (end,))) for end in ends]
        assert characters(LikelihoodRequest(messages, ends)) == sum(alone)
        assert alone[0] == characters(GenerationRequest(messages)) + len(ends[0])
