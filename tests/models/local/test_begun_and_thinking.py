"""A local model goes on from an answer begun for it, and thinks as much as its template is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.models import Completion, Failure, GenerationRequest, Message, Sampling, open_model
from biaslab.models.local.encoding import Encoder
from biaslab.models.local.model import LocalModel
from biaslab.models.requests import ThinkingLevel
from biaslab.studies import Design, experiment
from biaslab.studies.strategies import BEGUN_STRATEGIES
from tests.models.random_models import CHAT_TEMPLATE, SENTENCES, make_tokenizer

OPENS = CHAT_TEMPLATE.replace("<assistant>", "<assistant><think>\n")
SWITCHED = CHAT_TEMPLATE.replace(
    "<assistant>",
    "<assistant>{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n"
    "{% else %}<think>{% endif %}",
)
EFFORT = CHAT_TEMPLATE.replace("<assistant>", "<assistant>{{ reasoning_effort or 'medium' }}")
ASKED = (Message("user", SENTENCES[0]),)


def of_item() -> Any:
    return next(experiment("consistency").pairs(Design("consistency", 1, 1))).x


def test_an_answer_is_begun_as_the_template_has_a_last_message_continued() -> None:
    tokenizer = make_tokenizer(template=CHAT_TEMPLATE)
    for strategy in BEGUN_STRATEGIES:
        answered: list[Any] = []
        encoder = Encoder(tokenizer)
        request = strategy.next_request(of_item(), answered, encoder.form)
        if request.messages[-1].role != "assistant":
            answered.append(Completion("5 + 3 = 8", "stop", 1, 1, 0.0))
            request = strategy.next_request(of_item(), answered, encoder.form)
        turns = [{"role": m.role, "content": m.content} for m in request.messages]
        expected = tokenizer.apply_chat_template(turns, tokenize=False, continue_final_message=True)
        assert encoder.prompt(request.messages).text == expected
        assert expected.endswith("he answer (Arabic numerals) is")


def test_a_begun_answer_never_stands_within_thinking() -> None:
    begun = (*ASKED, Message("assistant", "The answer is"))
    text = Encoder(make_tokenizer(template=OPENS)).prompt(begun).text
    assert text.endswith("<think>\n</think>\n\nThe answer is")


def test_a_level_is_told_in_the_templates_own_words() -> None:
    for template, level, end in (
        (SWITCHED, ThinkingLevel.OFF, "</think>\n\n"),
        (SWITCHED, ThinkingLevel.SHORT, "<assistant><think>"),
        (SWITCHED, ThinkingLevel.LONG, "<assistant><think>"),
        (EFFORT, ThinkingLevel.SHORT, "<assistant>low"),
        (EFFORT, ThinkingLevel.LONG, "<assistant>high"),
        (EFFORT, None, "<assistant>medium"),
    ):
        assert Encoder(make_tokenizer(template=template)).prompt(ASKED, level).text.endswith(end)


def test_a_model_without_the_switch_pauses_the_run_with_one_sentence(
    model_directory: Callable[..., Path],
) -> None:
    for template, level, why in (
        (CHAT_TEMPLATE, ThinkingLevel.OFF, "no switch for its thinking"),
        (EFFORT, ThinkingLevel.OFF, "with short or long thinking"),
    ):
        model = open_model(f"local:{model_directory(template=template)}")
        request = GenerationRequest(ASKED, Sampling(thinking=level))
        ((_, failure),) = model.generate([request])
        assert isinstance(failure, Failure)
        assert failure.stops_run
        assert why in failure.reason


def test_thinking_is_ended_at_its_limit_and_an_answer_follows(
    model_directory: Callable[..., Path],
) -> None:
    # A random network never ends its thinking by itself within so few tokens.
    torch.manual_seed(0)
    model = open_model(f"local:{model_directory('bloom', template=SWITCHED)}")
    assert isinstance(model, LocalModel)
    limit = ThinkingLevel.SHORT.tokens
    asked = [
        GenerationRequest(
            (Message("user", sentence),), Sampling(limit + 30, thinking=ThinkingLevel.SHORT)
        )
        for sentence in SENTENCES
    ]
    together = dict(model.generate(asked))
    for index, request in enumerate(asked):
        result = together[index]
        assert not isinstance(result, Failure), result
        assert result.tokens_out <= limit + 30
        assert result.thinking
        assert result.text.strip()
        # Each as if it were alone.
        ((_, alone),) = model.generate([request])
        assert not isinstance(alone, Failure)
        assert (alone.text, alone.thinking) == (result.text, result.thinking)
    unbounded = GenerationRequest(ASKED, Sampling(limit + 30))
    ((_, used_up),) = model.generate([unbounded])
    assert isinstance(used_up, Failure)


def test_a_level_is_chosen_on_the_command_line_and_belongs_to_the_run(
    model_directory: Callable[..., Path], tmp_path: Path
) -> None:
    def biaslab(*words: str) -> Result:
        return CliRunner().invoke(main, [*words, "--db", str(tmp_path / "runs.db")])

    asked = ("run", "consistency", "--n", "2", "--max-tokens", "4", "--go-on", "0")
    model = f"local:{model_directory(template=SWITCHED)}"
    biaslab(*asked, "--model", model, "--thinking", "off")
    without = biaslab(*asked, "--model", f"local:{model_directory(template=CHAT_TEMPLATE)}",
                      "--thinking", "off")  # fmt: skip
    assert "no switch for its thinking that BiasLab knows. Start a new run" in without.output
    listed = biaslab("runs").output.splitlines()
    assert ["direct, thinking off" in line for line in listed] == [True, True]
    assert ["paused" in line for line in listed] == [True, False]
    again = biaslab("run", "--resume", listed[1].split()[0], "--thinking", "long")
    assert "has thinking off, not long" in again.output
