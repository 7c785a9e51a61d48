from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import Completion, Failure, FailureKind
from biaslab.models.server.request.dialect import cut_at_stop
from biaslab.models.server.request.failures import Recipient, read_answer
from schoolmath.text.thinking import split_thinking
from tests.models.server.asking import request

ASKED = Recipient("http://localhost:8000/v1", "m", "sk-planted-key")


def read(body: Any, role: str = "user", **sampling: Any) -> Completion | Failure:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_answer(content, request("hello", role, **sampling), ASKED, 0.5)


def chat(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"model": "m-1", "choices": [{"message": message, "finish_reason": finish}], **more}


def test_an_answer_without_counted_tokens_has_none() -> None:
    assert read(chat({"content": "12"})) == Completion("12", "stop", 0, 0, 0.5, served="m-1")


def test_an_answer_cut_at_the_limit_says_so() -> None:
    for finish in ("length", "max_tokens"):
        found = read(chat({"content": "The answer is 1"}, finish))
        assert isinstance(found, Completion)
        assert found.finish == "length"


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thinking_that_comes_apart_is_kept_apart(field: str) -> None:
    found = read(chat({"content": "12", field: "3 times 4 is 12"}))
    assert isinstance(found, Completion)
    assert (found.text, found.thinking) == ("12", "3 times 4 is 12")


def test_tokens_used_up_by_thinking_are_a_failure_with_that_reason() -> None:
    for message in (
        {"content": "", "reasoning_content": "Maybe 7"},
        {"content": None, "reasoning": "Maybe 7"},
        {"content": "\n", "reasoning": "Maybe 7"},
        {"content": "<think>Maybe 7"},
        {"content": ""},
    ):
        # The last keeps its thinking to itself, and only counts it.
        thought = {"completion_tokens": 300, "completion_tokens_details": {"reasoning_tokens": 300}}
        more = {"usage": thought} if message == {"content": ""} else {}
        found = read(chat(message, "length", **more), max_new_tokens=300)
        assert isinstance(found, Failure), message
        assert found.kind is FailureKind.THINKING
        assert "limit of 300 tokens was used up by thinking" in found.reason
        assert not found.retryable
        assert not found.stops_run


def test_nothing_written_is_no_thinking_where_nobody_says_so() -> None:
    found = read(chat({"content": ""}, "length", usage={"completion_tokens": 300}))
    assert isinstance(found, Completion)
    assert (found.text, found.finish) == ("", "length")


def test_what_was_written_before_the_limit_is_an_answer_that_was_cut_off() -> None:
    found = read(chat({"content": "The", "reasoning": "Maybe 7"}, "length"))
    assert isinstance(found, Completion)
    assert (found.text, found.thinking, found.finish) == ("The", "Maybe 7", "length")


@pytest.mark.parametrize(
    ("written", "text", "thinking"),
    [
        ("<think>7?</think>\n\n12", "\n\n12", "7?"),
        ("\n<think>7?</think>12", "12", "7?"),
        ("<think>7? No,", "", "7? No,"),
        ("7? No.\n</think>12", "12", "7? No.\n"),
        ("12", "12", ""),
        ("I <think> 12", "I <think> 12", ""),
    ],
)
def test_no_answer_is_read_from_thinking_that_stands_in_a_chats_text(
    written: str, text: str, thinking: str
) -> None:
    found = read(chat({"content": written}))
    assert isinstance(found, Completion)
    assert (found.text, found.thinking) == (text, thinking)


def test_a_plain_completion_is_left_as_written() -> None:
    body = {"choices": [{"text": "<think>7</think>12", "finish_reason": "stop"}]}
    found = read(body, role="text")
    assert isinstance(found, Completion)
    assert (found.text, found.thinking) == ("<think>7</think>12", "")


@given(st.text(), st.text())
def test_taking_thinking_apart_loses_nothing(thinking: str, text: str) -> None:
    written = f"<think>{thinking}</think>{text}"
    thought = split_thinking(written)
    assert f"<think>{thought.thinking}</think>{thought.text}" == written


@given(st.text(), st.lists(st.text(max_size=3)))
def test_a_text_is_cut_at_the_first_stop_text(text: str, stops: list[str]) -> None:
    cut, stopped = cut_at_stop(text, tuple(stops))
    assert text.startswith(cut)
    assert stopped or cut == text
    assert not any(stop and stop in cut for stop in stops)


def test_a_text_that_reached_a_stop_text_was_not_cut_off() -> None:
    found = read(chat({"content": "12\nQ: next"}, "length"), stop=("\nQ:",))
    assert isinstance(found, Completion)
    assert (found.text, found.finish) == ("12", "stop")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "text", "error", "usage", "model",
                             "finish_reason", "code", "prompt_tokens", "refusal"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)  # fmt: skip


@given(JSON | st.binary(), st.sampled_from(["user", "text"]))
def test_whatever_is_sent_is_an_answer_or_a_failure_with_a_sentence(body: Any, role: str) -> None:
    found = read(body, role)
    if isinstance(found, Failure):
        assert found.reason.endswith(".")
    else:
        assert isinstance(found.text, str)


def test_the_key_is_taken_out_of_what_a_server_says() -> None:
    found = read({"error": {"message": "Bad key sk-planted-key."}})
    assert isinstance(found, Failure)
    assert "sk-planted" not in found.reason
    assert "sk-planted" not in repr(ASKED)
