"""Whatever a server sends is read by one reader, within limits, and nothing is guessed."""

from __future__ import annotations

import gzip
import json
import zlib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import TYPED_KEY, Completion, Failure
from biaslab.models.server.channel import ServerChannel
from biaslab.models.server.request.replies import (
    LONGEST_NAME,
    LONGEST_TEXT,
    Finish,
    NoAnswer,
    SentError,
    count_of,
    listed_models,
    load,
    read_reply,
)
from tests.models.server.asking import QUICK, access, ask, ask_all, collect, request
from tests.servers.faulty import SERVED, Fault, FaultyServer, answer, half_json, raw, status

pytestmark = pytest.mark.usefixtures("no_pauses")

KEY = "sk-planted-0123456789"
PAGE = "<!doctype html><title>Back soon</title>"


def body(text: str = "12", **choice: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"model": SERVED, "choices": [{"finish_reason": "stop", "message": message} | choice]}


def test_counts_are_whole_numbers_up_to_a_limit_or_none() -> None:
    for good in (0, 1, 2**53):
        assert count_of(good) == good
    for bad in (-1, 2**53 + 1, 10**400, True, 1.0, float("inf"), "7", None, [], {}):
        assert count_of(bad) is None
        usage = {"prompt_tokens": bad, "completion_tokens": bad}
        reply = read_reply({**body(), "usage": usage}, chat=True)
        assert (reply.tokens_in, reply.tokens_out) == (0, 0)


def test_the_end_of_an_answer_is_one_of_a_list() -> None:
    for word, finish in {
        "stop": Finish.WHOLE, "STOP": Finish.WHOLE, "eos_token": Finish.WHOLE,
        "length": Finish.CUT, "max_tokens": Finish.CUT, "content_filter": Finish.FILTERED,
        "who knows": Finish.UNSAID, "": Finish.UNSAID,
    }.items():  # fmt: skip
        assert read_reply(body(finish_reason=word), chat=True).finish is finish
    for other in (None, 7, ["stop"], {}):
        assert read_reply(body(finish_reason=other), chat=True).finish is Finish.UNSAID
    for word in ("abort", "timeout", "insufficient_system_resource"):
        with pytest.raises(NoAnswer, match="broke the answer off"):
            read_reply(body(finish_reason=word), chat=True)


def test_names_are_short_texts_on_one_line() -> None:
    named = {**body(), "model": "a\n" + "m" * 10_000}
    served = read_reply(named, chat=True).served
    assert served.startswith("a mmm")
    assert len(served) == LONGEST_NAME
    for other in (None, 7, ["m"], {}):
        assert read_reply({**body(), "model": other}, chat=True).served == ""


def test_the_choice_is_taken_by_its_index() -> None:
    first, second = body("right", index=0)["choices"][0], body("wrong", index=1)["choices"][0]
    both = {"model": SERVED, "choices": [second, first]}
    assert read_reply(both, chat=True).text == "right"
    assert read_reply({**both, "choices": [None, second]}, chat=True).text == "wrong"


def test_thinking_that_comes_as_a_part_of_the_content_is_kept_apart() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "9?"}]},
        {"type": "text", "text": "12"},
    ]
    reply = read_reply(body(message={"content": parts}), chat=True)
    assert (reply.text, reply.thinking) == ("12", "9?")


def test_a_list_of_models_holds_names_that_can_be_asked_by() -> None:
    entries = [
        {"id": "a", "max_model_len": 100}, {"id": "a"}, {"id": "b", "meta": {"n_ctx": 7}},
        {"id": "c", "context_length": -1}, {"id": "m" * (LONGEST_NAME + 1)}, {"id": 7}, "d", None,
    ]  # fmt: skip
    found = listed_models({"data": entries})
    assert found is not None
    assert [(model.name, model.longest) for model in found] == [("a", 100), ("b", 7), ("c", None)]
    assert listed_models(entries) == found
    assert listed_models({"data": "a"}) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "text", "error", "usage", "model", "index",
                 "finish_reason", "code", "prompt_tokens", "refusal", "type", "thinking", "data",
                 "id", "meta", "n_ctx"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)  # fmt: skip


@given(JSON, st.booleans())
def test_any_json_is_a_reply_an_error_or_no_answer(content: Any, chat: bool) -> None:
    loaded = load(json.dumps(content).encode(), KEY)
    listed_models(loaded)
    try:
        reply = read_reply(loaded, chat=chat)
    except (SentError, NoAnswer):
        return
    assert len(reply.text) <= LONGEST_TEXT
    assert 0 <= reply.tokens_in <= 2**53


@given(st.binary(max_size=50) | st.just(b"[" * 100_000))
def test_any_bytes_are_json_or_no_answer(content: bytes) -> None:
    with suppress(NoAnswer):
        load(content)


def test_the_key_is_nowhere_in_what_was_read_however_it_was_spelt(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TYPED_KEY, KEY)
    spelt = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
    plain = json.dumps({**body(f"It is {KEY}"), "model": f"m-{KEY}"})
    server.faults["plain"] = [raw(plain)]
    server.faults["spelt"] = [raw(plain.replace(KEY, spelt))]
    for prompt in ("plain", "spelt"):
        found = ask(access(server.url), prompt)
        assert isinstance(found, Completion)
        assert (found.text, found.served) == ("It is [key]", "m-[key]")


def test_what_is_no_secret_is_left_in_what_was_said(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for placeholder in ("1", "x", "none", "EMPTY"):
        monkeypatch.setenv(TYPED_KEY, placeholder)
        server.always = answer("x = 12, none is EMPTY")
        found = ask(access(server.url))
        assert isinstance(found, Completion)
        assert (found.text, found.served) == ("x = 12, none is EMPTY", SERVED)


def test_an_answer_that_is_too_long_is_cut_and_it_is_said(server: FaultyServer) -> None:
    server.always = answer("1 + 1 = 2 " * 50_000)
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        channel.send("long", request("long"))
        found = collect(channel, 1)["long"]
        assert isinstance(found, Completion)
        assert len(found.text) == LONGEST_TEXT
        assert found.finish == "length"
        (said,) = channel.notice.remarks
    assert "Answers of more than 200,000 signs were cut" in said


def test_what_unpacks_to_too_much_is_given_up(server: FaultyServer) -> None:
    bomb = b" " * 2**26
    for packing, packed in {
        "gzip": gzip.compress(bomb), "deflate": zlib.compress(bomb), "identity": bomb,
    }.items():  # fmt: skip
        server.always = raw(packed, content_encoding=packing)
        found = ask(access(server.url))
        assert isinstance(found, Failure)
        assert "sent more than 16 MB as one answer" in found.reason, packing
        assert not found.stops_run
    assert len(server.asked) == 3


def test_the_packings_that_are_asked_for_are_unpacked_and_no_others(server: FaultyServer) -> None:
    content = json.dumps(body("19 " * 50_000)).encode()
    raw_deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    for packing, packed in {
        "gzip": gzip.compress(content),
        "deflate": zlib.compress(content),
        "Deflate": raw_deflate.compress(content) + raw_deflate.flush(),
    }.items():
        server.always = raw(packed, content_encoding=packing)
        found = ask(access(server.url))
        assert isinstance(found, Completion), packing
        assert found.text == "19 " * 50_000
    assert server.asked[0].headers["accept-encoding"] == "gzip, deflate"
    for packing, packed in {"br": content, "gzip": content, "zstd": content}.items():
        server.always = raw(packed, content_encoding=packing)
        found = ask(access(server.url))
        assert isinstance(found, Failure), packing
        assert found.retryable


NULL = {"finish": None, "usage": {"prompt_tokens": 0, "completion_tokens": 0}}


def test_an_empty_answer_without_an_end_is_asked_for_again(server: FaultyServer) -> None:
    server.faults["hello"] = [answer("", **NULL)]
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert (found.text, found.retries) == ("You said hello", ("an empty answer",))
    server.always = answer("", **NULL)
    found = ask(access(server.url))
    assert isinstance(found, Failure)
    assert "sent an empty answer and did not say how it ended" in found.reason
    assert len(found.retries) == QUICK.attempts_more
    assert found.retryable


def test_text_without_an_end_is_no_answer_of_a_server_that_says_ends(server: FaultyServer) -> None:
    server.faults["hello"] = [answer("The answer is", finish=None)]
    before, found = ask_all(access(server.url, at_once=1), [request("a"), request("hello")])
    assert isinstance(before, Completion)
    assert isinstance(found, Completion)
    assert (found.text, found.retries) == ("You said hello", ("no word of how it ended",))
    # Where it is the very first answer, the server is asked how it ends answers.
    server.faults["hello"] = [answer("The answer is", finish=None)]
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert found.text == "You said hello"


def test_a_server_that_never_says_how_answers_end_is_believed_by_its_count(
    server: FaultyServer,
) -> None:
    for word in (None, "finished by magic"):
        server.always = answer("19", finish=word)
        whole, cut = ask_all(access(server.url), [request("a"), request("b", max_new_tokens=3)])
        assert isinstance(whole, Completion)
        assert isinstance(cut, Completion)
        assert (whole.finish, cut.finish) == ("stop", "length")
    server.always = answer("19", finish=None, usage={})
    found = ask(access(server.url))
    assert isinstance(found, Failure)
    assert "may have been cut off" in found.reason


@pytest.mark.parametrize("fault", [half_json(), raw(""), raw("null"), raw("[]"), raw({})])
def test_what_is_no_answer_is_asked_for_again_as_often_as_an_error(
    server: FaultyServer, fault: Fault
) -> None:
    server.faults["hello"] = [fault] * QUICK.attempts_more
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert len(found.retries) == QUICK.attempts_more


@pytest.mark.parametrize("code", [200, 403, 404])
def test_a_page_of_a_server_that_was_proved_pauses_nothing(server: FaultyServer, code: int) -> None:
    page = raw(PAGE, code, "text/html")
    server.faults["once"] = [page]
    server.faults["always"] = [page] * 9
    for proved in ({"served": SERVED}, {}):
        first, once, always = ask_all(
            access(server.url, at_once=1, **proved),
            [request(prompt) for prompt in ("first", "once", "always")],
        )
        assert isinstance(first, Completion)
        assert isinstance(once, Completion)
        assert isinstance(always, Failure)
        assert "sent a web page instead of an answer" in always.reason
        assert always.retryable
        assert not always.stops_run
        server.faults["always"] = [page] * 9


def test_an_error_inside_an_answer_is_an_error(server: FaultyServer) -> None:
    server.faults["hello"] = [raw({"error": {"message": "Upstream failed.", "code": 502}})]
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert found.retries == ("502 bad gateway",)
    server.always = raw({"error": {"message": "Insufficient credits", "code": 402}})
    found = ask(access(server.url))
    assert isinstance(found, Failure)
    assert found.stops_run


def test_the_wait_that_a_server_asks_for_with_an_empty_answer_holds(server: FaultyServer) -> None:
    server.faults["hello"] = [status(503), answer("", **NULL), status(429)]
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert found.retries == (
        "503 service unavailable", "an empty answer", "429 too many requests",
    )  # fmt: skip
