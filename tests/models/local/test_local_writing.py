"""Local models write the same, whatever else they are asked at the same time.

The reference is the slowest and plainest way: one prompt, no filling up, nothing remembered,
the whole text read again for every token.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import (
    Completion,
    Failure,
    FailureKind,
    GenerationRequest,
    Message,
    ModelForm,
    ModelKind,
    Sampling,
    open_model,
)
from biaslab.models.local import writing
from biaslab.models.local.encoding import Encoder
from biaslab.models.local.memory import Size, plan_batches
from biaslab.models.local.model import LocalModel
from biaslab.models.local.network import Network
from biaslab.models.local.processor import pack
from schoolmath.text.numbers import first_number
from schoolmath.text.thinking import split_thinking
from tests.models.random_models import (
    CHAT_TEMPLATE,
    CONFIGS,
    SENTENCES,
    make_network,
    make_tokenizer,
)

Make = Callable[..., Path]

TEXTS = [
    SENTENCES[0],
    "Ben",
    SENTENCES[1] + " " + SENTENCES[0],
    "How many apples are there?",
    SENTENCES[2],
    "Q: 3 fewer marbles",
    "A: " + SENTENCES[3],
]


def text_request(text: str, **sampling: Any) -> GenerationRequest:
    return GenerationRequest(
        (Message("text", text),), Sampling(**{"max_new_tokens": 10} | sampling)
    )


def opened(path: Path, **options: Any) -> LocalModel:
    model = open_model(f"local:{path}", device="cpu", **options)
    assert isinstance(model, LocalModel)
    return model


def completions(model: LocalModel, requests: Sequence[GenerationRequest]) -> list[Completion]:
    """The answers in the order of the requests, each of which must come exactly once."""
    answered = list(model.generate(requests))
    assert sorted(index for index, _ in answered) == list(range(len(requests)))
    by_index = dict(answered)
    results = [by_index[index] for index in range(len(requests))]
    assert all(isinstance(result, Completion) for result in results), results
    return [result for result in results if isinstance(result, Completion)]


def content(answer: Completion) -> tuple[str, str, int, int]:
    return answer.text, answer.finish, answer.tokens_in, answer.tokens_out


def plainly_written(path: Path, text: str, new_tokens: int) -> str:
    """Greedy text without batch, filling up or memory."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(path)
    network = AutoModelForCausalLM.from_pretrained(path).eval()
    tokens = tokenizer(text)["input_ids"]
    start = len(tokens)
    with torch.inference_mode():
        while len(tokens) < start + new_tokens:
            best = int(network(torch.tensor([tokens]), use_cache=False).logits[0, -1].argmax())
            if best == tokenizer.eos_token_id:
                break
            tokens.append(best)
    return str(tokenizer.decode(tokens[start:], skip_special_tokens=True))


@pytest.mark.parametrize("architecture", CONFIGS)
def test_greedy_text_is_that_of_the_plainest_way(architecture: str, model_directory: Make) -> None:
    path = model_directory(architecture)
    together = completions(opened(path), [text_request(text) for text in TEXTS])
    assert [answer.text for answer in together] == [
        plainly_written(path, text, 10) for text in TEXTS
    ]


@pytest.mark.parametrize("architecture", CONFIGS)
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_padding_does_not_change_outputs(
    architecture: str, temperature: float, model_directory: Make
) -> None:
    """Known bug of such engines: a row filled up to another's length answers differently."""
    model = opened(model_directory(architecture))
    requests = [
        text_request(text, temperature=temperature, max_new_tokens=4 + 3 * number)
        for number, text in enumerate(TEXTS)
    ]
    together = completions(model, requests)
    alone = [completions(model, [request])[0] for request in requests]
    assert [content(a) for a in together] == [content(a) for a in alone]


@pytest.mark.parametrize("architecture", [name for name in CONFIGS if name != "mamba"])
def test_the_usual_architectures_are_asked_in_batches(
    architecture: str, model_directory: Make
) -> None:
    assert opened(model_directory(architecture))._network.batches


def test_a_network_that_padding_changes_is_asked_one_by_one(model_directory: Make) -> None:
    """When positions are not passed on (as if unsupported), then batches are found to be unsafe."""
    path = model_directory("gpt2")
    model = opened(path)
    model._network._takes_positions = False
    assert not model._network.batches
    assert model._network.remembers
    together = completions(model, [text_request(text) for text in TEXTS[:4]])
    assert [a.text for a in together] == [plainly_written(path, text, 10) for text in TEXTS[:4]]


def test_a_network_that_cannot_remember_reads_everything_again(model_directory: Make) -> None:
    path = model_directory("llama")
    model = opened(path)
    network = model._network
    forward = network.model.forward

    def forgetful(**given: Any) -> Any:
        return forward(**{**given, "past_key_values": None, "use_cache": False})

    network.model.forward = forgetful
    assert not network.batches
    assert not network.remembers
    together = completions(model, [text_request(text) for text in TEXTS[:3]])
    assert [a.text for a in together] == [plainly_written(path, text, 10) for text in TEXTS[:3]]


def test_the_order_and_company_of_requests_change_nothing(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    requests = [text_request(text, temperature=0.8, seed=3) for text in TEXTS]
    forward = completions(model, requests)
    backward = completions(model, requests[::-1])[::-1]
    assert [content(a) for a in forward] == [content(a) for a in backward]


@pytest.mark.parametrize("batch_tokens", [1, 40, 100_000])
def test_the_token_budget_changes_nothing_but_speed(
    batch_tokens: int, model_directory: Make
) -> None:
    path = model_directory("qwen2")
    requests = [text_request(text) for text in TEXTS]
    given = completions(opened(path, batch_tokens=batch_tokens), requests)
    assert [a.text for a in given] == [a.text for a in completions(opened(path), requests)]


def test_a_seed_gives_its_own_text_and_the_same_one_again(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    requests = [text_request(TEXTS[0], temperature=1.0, seed=seed) for seed in range(8)]
    first = [a.text for a in completions(model, requests)]
    assert len(set(first)) > 4
    assert [a.text for a in completions(model, requests)] == first


def test_temperature_draws_tokens_as_often_as_the_model_says(model_directory: Make) -> None:
    path = model_directory("llama")
    model = opened(path)
    tokens, mask = model._network.filled_up(
        [model._encoder.encode(model._encoder.prompt((Message("text", TEXTS[0]),)))]
    )
    with torch.inference_mode():
        scores = model._network.scores(tokens, mask, None, 1)[0, 0]
    likely = scores.div(2.0).softmax(-1)
    before = tokens[0].tolist()[-4:]
    vocabulary = range(len(likely))
    texts = model._encoder.decode_all([[token] for token in vocabulary], [before] * len(likely))
    text = texts[int(likely.argmax())]
    n = 600
    drawn = completions(
        model,
        [text_request(TEXTS[0], temperature=2.0, seed=s, max_new_tokens=1) for s in range(n)],
    )
    p = sum(float(likely[token]) for token in vocabulary if texts[token] == text)
    share = sum(a.text == text for a in drawn) / n
    assert abs(share - p) < 4.5 * (p * (1 - p) / n) ** 0.5 + 0.01


def test_answers_come_as_rows_finish(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    requests = [text_request(TEXTS[0], max_new_tokens=n) for n in (12, 2, 7)]
    order = [index for index, _ in model.generate(requests)]
    assert order == [1, 2, 0]


def test_whoever_watches_sees_one_text_grow_until_it_is_finished(
    model_directory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(model_directory("llama"))
    requests = [
        text_request(text, max_new_tokens=n) for text, n in zip(TEXTS, (6, 9), strict=False)
    ]
    whole = [answer.text for answer in completions(model, requests)]
    seen: list[str] = []
    model.on_text = seen.append
    # A text that is written faster than anybody reads is not shown.
    monkeypatch.setattr(writing, "SHOWN_SECONDS", math.inf)
    assert [answer.text for answer in completions(model, requests)] == whole
    assert not seen
    monkeypatch.setattr(writing, "SHOWN_SECONDS", 0.0)
    assert [answer.text for answer in completions(model, requests)] == whole
    shown = [next((n for n in (0, 1) if whole[n].startswith(text)), None) for text in seen]
    assert len(seen) == 9
    assert shown == [shown[0]] * 6 + [1] * 3 or shown == [shown[0]] * 9, seen
    model.on_text = None
    completions(model, requests)
    assert len(seen) == 9


def test_a_stop_text_ends_the_writing_and_is_left_out(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    whole = [
        a.text for a in completions(model, [text_request(t, max_new_tokens=24) for t in TEXTS])
    ]
    stops = [text[len(text) // 2 : len(text) // 2 + 2] or "x" for text in whole]
    requests = [
        text_request(text, max_new_tokens=24, stop=("never there", stop))
        for text, stop in zip(TEXTS, stops, strict=True)
    ]
    for answer, text, stop in zip(completions(model, requests), whole, stops, strict=True):
        assert answer.text == text.split(stop)[0]
        assert stop not in answer.text
        if stop in text:
            assert answer.finish == "stop"
            assert answer.tokens_out < 24


def test_writing_can_end_once_the_first_number_is_over(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    whole = completions(model, [text_request(text, max_new_tokens=40) for text in TEXTS])
    until = completions(
        model, [text_request(text, max_new_tokens=40, until_number=True) for text in TEXTS]
    )

    numbers = [first_number(answer.text) for answer in whole]
    assert sum(number is not None and number.is_over for number in numbers) >= 3
    for number, all_of_it, answer in zip(numbers, whole, until, strict=True):
        assert all_of_it.text.startswith(answer.text)
        if number is None or not number.is_over:
            assert answer == replace(all_of_it, seconds=answer.seconds)
            continue
        assert first_number(answer.text) == number
        assert answer.finish == "stop"
        assert answer.text[number.span[1] :].strip(".,")


def test_writing_ends_at_the_end_of_text_which_is_no_part_of_the_text(
    custom_model_directory: Make,
) -> None:
    path = custom_model_directory("llama")
    whole = completions(opened(path), [text_request(TEXTS[0])])[0]
    assert whole.finish == "length"
    assert whole.tokens_out == 10
    from transformers import AutoTokenizer, GenerationConfig

    last = AutoTokenizer.from_pretrained(path)(whole.text, add_special_tokens=False)["input_ids"]
    GenerationConfig(eos_token_id=[1, last[4]]).save_pretrained(path)
    ended = completions(opened(path), [text_request(TEXTS[0])])[0]
    assert ended.finish == "stop"
    assert whole.text.startswith(ended.text)
    assert ended.tokens_out < 10


def test_a_prompt_that_fills_the_context_fails_with_a_sentence(model_directory: Make) -> None:
    model = opened(model_directory("gpt2"))
    answered = dict(model.generate([text_request("apples " * 300), text_request(TEXTS[0])]))
    failure = answered[0]
    assert isinstance(failure, Failure)
    assert not failure.retryable
    assert "the model takes 128 in all" in failure.reason
    assert isinstance(answered[1], Completion)


def test_writing_up_to_the_end_of_the_context_says_so(model_directory: Make) -> None:
    model = opened(model_directory("gpt2"))
    answer = completions(model, [text_request(" 18" * 120, max_new_tokens=256)])[0]
    assert answer.finish in {"length", "stop"}
    assert answer.tokens_in + answer.tokens_out <= 128
    if answer.finish == "length":
        assert answer.tokens_in + answer.tokens_out == 128


def test_no_tokens_asked_for_gives_no_text(model_directory: Make) -> None:
    answer = completions(opened(model_directory()), [text_request("Q", max_new_tokens=0)])[0]
    assert content(answer)[:2] == ("", "length")


@pytest.mark.parametrize("pad", [True, False])
def test_a_tokenizer_needs_no_padding_token(pad: bool, model_directory: Make) -> None:
    path = model_directory("gpt_neox", pad=pad)
    together = completions(opened(path), [text_request(text) for text in TEXTS])
    assert [a.text for a in together] == [plainly_written(path, text, 10) for text in TEXTS]


def test_plain_text_gets_the_tokenizers_special_tokens_once() -> None:
    encoder = Encoder(make_tokenizer(adds_bos=True))
    prompt = encoder.prompt((Message("text", "Ana"),))
    assert encoder.encode(prompt).count(0) == 1
    assert encoder.encode(prompt)[0] == 0
    without = Encoder(make_tokenizer(adds_bos=False))
    assert 0 not in without.encode(without.prompt((Message("text", "Ana"),)))


def test_a_tokenizer_that_ends_texts_does_not_end_the_prompt() -> None:
    from tokenizers import processors

    tokenizer = make_tokenizer()
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    assert tokenizer("Ana")["input_ids"][-1] == 1
    encoder = Encoder(tokenizer)
    tokens = encoder.encode(encoder.prompt((Message("text", "Ana"),)))
    assert tokens[0] == 0
    assert 1 not in tokens


@pytest.mark.parametrize("adds_bos", [True, False])
def test_beginning_of_text_is_not_added_twice(adds_bos: bool) -> None:
    """Known bug of such engines: the chat template writes it and the tokenizer adds it again."""
    encoder = Encoder(make_tokenizer(adds_bos=adds_bos, template=CHAT_TEMPLATE))
    for messages in (
        (Message("user", "How many?"),),
        (Message("user", "How many?"), Message("assistant", "The answer is")),
    ):
        tokens = encoder.encode(encoder.prompt(messages))
        assert tokens.count(0) == 1
        assert tokens[0] == 0


def test_plain_text_that_begins_with_the_token_itself_has_it_once() -> None:
    encoder = Encoder(make_tokenizer(adds_bos=True))
    assert encoder.encode(encoder.prompt((Message("text", "<s>Ana"),))).count(0) == 1


def test_a_template_without_beginning_of_text_is_taken_as_it_is() -> None:
    encoder = Encoder(
        make_tokenizer(adds_bos=True, template=CHAT_TEMPLATE.replace("{{ bos_token }}", ""))
    )
    assert 0 not in encoder.encode(encoder.prompt((Message("user", "How many?"),)))


def test_turns_are_written_by_the_chat_template() -> None:
    encoder = Encoder(make_tokenizer(template=CHAT_TEMPLATE))
    asked = (Message("system", "Be brief."), Message("user", "How many?"))
    assert encoder.form is ModelForm.CHAT
    assert encoder.prompt(asked).text == "<s><system>Be brief.</s><user>How many?</s><assistant>"
    begun = (*asked, Message("assistant", "The answer (Arabic numerals) is"))
    assert encoder.prompt(begun).text == (
        "<s><system>Be brief.</s><user>How many?</s><assistant>The answer (Arabic numerals) is"
    )


def test_a_chat_model_answers_turns_and_continues_plain_text(model_directory: Make) -> None:
    model = opened(model_directory("llama", template=CHAT_TEMPLATE))
    assert model.identity.form is ModelForm.CHAT
    turns = GenerationRequest((Message("user", TEXTS[0]),), Sampling(max_new_tokens=5))
    answers = completions(model, [turns, text_request(TEXTS[0], max_new_tokens=5)])
    assert answers[0].tokens_in > answers[1].tokens_in


def test_a_base_model_refuses_turns_with_a_sentence(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    assert model.identity.form is ModelForm.BASE
    ((_, answer),) = model.generate([GenerationRequest((Message("user", "How many?"),))])
    assert isinstance(answer, Failure)
    assert "no chat template" in answer.reason


def test_a_template_that_refuses_the_messages_is_a_failure(model_directory: Make) -> None:
    encoder_template = "{{ raise_exception('Only user turns, please') }}"
    tokenizer = make_tokenizer(template=encoder_template)
    model = opened(model_directory("llama"))
    model._encoder = Encoder(tokenizer)
    ((_, answer),) = model.generate([GenerationRequest((Message("user", "How many?"),))])
    assert isinstance(answer, Failure)
    assert "Only user turns, please" in answer.reason


@pytest.mark.parametrize("messages", [(), (Message("text", ""),)])
def test_nothing_asked_is_a_failure(messages: tuple[Message, ...], model_directory: Make) -> None:
    model = opened(model_directory("llama", adds_bos=False))
    ((_, answer),) = model.generate([GenerationRequest(messages)])
    assert isinstance(answer, Failure)
    assert "nothing was asked" in answer.reason


def test_two_models_never_share_a_batch(model_directory: Make) -> None:
    """Known bug of such engines: prompts of two models end up in one batch.

    Each model has a writer of its own that is given its own requests only; two models that
    write in turns, a row at a time, do not notice each other.
    """
    one, other = opened(model_directory("llama")), opened(model_directory("gpt2"))
    requests = [text_request(text) for text in TEXTS]
    expected = [completions(model, requests) for model in (one, other)]
    mixed: list[dict[int, Completion | Failure]] = [{}, {}]
    for left, right in zip(one.generate(requests), other.generate(requests), strict=True):
        mixed[0].update([left])
        mixed[1].update([right])
    for answered, wanted in zip(mixed, expected, strict=True):
        assert [
            answer.text for _, answer in sorted(answered.items()) if isinstance(answer, Completion)
        ] == [answer.text for answer in wanted]


def test_scores_that_are_no_numbers_are_a_failure_and_no_answer(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    with torch.no_grad():
        model._network.model.lm_head.weight.fill_(float("nan"))
    ((_, answer),) = model.generate([text_request(TEXTS[0])])
    assert isinstance(answer, Failure)
    assert "not numbers" in answer.reason


def test_too_little_memory_makes_smaller_batches(model_directory: Make) -> None:
    """Simulated: a device that has room for two rows only."""
    path = model_directory("llama")
    model = opened(path)
    assert model._network.batches
    forward = model._network.model.forward
    largest = []

    def cramped(**given: Any) -> Any:
        if given["input_ids"].shape[0] > 2:
            raise torch.OutOfMemoryError("simulated")
        largest.append(given["input_ids"].shape[0])
        return forward(**given)

    model._network.model.forward = cramped
    answers = completions(model, [text_request(text) for text in TEXTS])
    assert max(largest) == 2
    assert [a.text for a in answers] == [plainly_written(path, text, 10) for text in TEXTS]


def test_no_memory_for_a_single_row_is_a_failure(model_directory: Make) -> None:
    model = opened(model_directory("llama"))
    assert model._network.batches

    def none_left(**_: Any) -> Any:
        raise torch.OutOfMemoryError("simulated")

    model._network.model.forward = none_left
    answered = dict(model.generate([text_request(TEXTS[0]), text_request(TEXTS[1])]))
    assert all(isinstance(answer, Failure) for answer in answered.values())
    assert len(answered) == 2


def test_time_is_shared_among_the_rows(model_directory: Make) -> None:
    answers = completions(opened(model_directory()), [text_request(text) for text in TEXTS])
    assert all(answer.seconds > 0 for answer in answers)


def test_identity_is_the_name_and_the_sum_of_the_files(model_directory: Make) -> None:
    path = model_directory("llama")
    model = opened(path)
    assert model.identity.spec == f"local:{path.name}#{model.identity.revision[:12]}"
    assert model.identity.kind is ModelKind.LANGUAGE_MODEL


def test_packed_weights_give_the_same_scores() -> None:
    network = make_network("llama", 300)
    tokens = torch.arange(64).reshape(2, 32)
    with torch.inference_mode():
        before = network(tokens).logits
        assert pack(network) in {0, 15}
        assert torch.allclose(network(tokens).logits, before, atol=1e-4)
        assert torch.allclose(network(tokens[:1, :3]).logits, before[:1, :3], atol=1e-4)


def test_other_number_formats_are_not_packed() -> None:
    assert pack(make_network("llama", 300).to(torch.bfloat16)) == 0
    assert pack(make_network("gpt2", 300).transformer) == 0


def test_bfloat16_writes_as_well(model_directory: Make) -> None:
    answers = completions(
        opened(model_directory("llama"), dtype="bfloat16"), [text_request(t) for t in TEXTS]
    )
    assert len(answers) == len(TEXTS)


sizes = st.lists(st.builds(Size, st.integers(1, 500), st.integers(0, 300)), max_size=60)


@given(sizes, st.integers(1, 5000), st.integers(1, 20))
def test_batches_hold_every_request_once_within_the_budget(
    sizes: list[Size], tokens: int, rows: int
) -> None:
    plan = plan_batches(sizes, tokens, rows)
    assert sorted(index for batch in plan for index in batch) == list(range(len(sizes)))
    for batch in plan:
        longest = max(sizes[i].before for i in batch) + max(sizes[i].after for i in batch)
        assert len(batch) == 1 or (len(batch) * longest <= tokens and len(batch) <= rows)


def test_a_network_knows_its_limits() -> None:
    assert Network(make_network("gpt2", 300)).context == 128
    assert Network(make_network("bloom", 300)).context is None
    assert Network(make_network("llama", 300)).vocabulary == 300


def test_special_tokens_that_mark_thinking_are_no_part_of_an_answer() -> None:
    tokenizer = make_tokenizer()
    tokenizer.add_special_tokens({"additional_special_tokens": ["[THINK]", "[/THINK]", "<|pad|>"]})
    written = tokenizer("[THINK]18 - 3 = 9[/THINK]<|pad|>15</s>", add_special_tokens=False)
    text = Encoder(tokenizer).decode(written["input_ids"], [])
    assert text == "[THINK]18 - 3 = 9[/THINK]15"
    assert split_thinking(text).text == "15"


def test_what_follows_a_prompt_that_opens_thinking_is_thinking(model_directory: Make) -> None:
    asked = GenerationRequest((Message("user", SENTENCES[0]),), Sampling(max_new_tokens=5))
    open_path = model_directory(template=CHAT_TEMPLATE.replace("<assistant>", "<assistant><think>"))
    ((_, used_up),) = opened(open_path).generate([asked])
    assert isinstance(used_up, Failure)
    assert used_up.kind is FailureKind.THINKING
    assert "limit of 5 tokens" in used_up.reason
    (answer,) = completions(opened(model_directory(template=CHAT_TEMPLATE)), [asked])
    assert answer.thinking == ""
