from __future__ import annotations

import socket
import threading

import pytest

from biaslab.models import Completion, Failure, open_model
from biaslab.models.server.channel import ServerChannel
from biaslab.models.server.keys import bind
from biaslab.models.server.request.client import Patience
from tests.conftest import wait_for as wait_until
from tests.models.server.asking import QUICK, access, ask, ask_all, collect, request
from tests.servers.faulty import (
    SERVED,
    Fault,
    FaultyServer,
    answer,
    cut,
    half_json,
    only_with_key,
    raw,
    redirect,
    status,
    trickle,
    wait_for,
)

pytestmark = pytest.mark.usefixtures("no_pauses")


def closed_url() -> str:
    """An address at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


def test_an_answer_comes_back_with_all_that_the_server_said_of_it(server: FaultyServer) -> None:
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert (found.text, found.finish, found.served) == ("You said hello", "stop", SERVED)
    assert (found.tokens_in, found.tokens_out, found.retries) == (5, 3, ())
    assert found.seconds > 0


def test_turns_go_to_the_chat_and_plain_text_is_continued(server: FaultyServer) -> None:
    chat, plain = ask_all(access(server.url), [request("a"), request("b", role="text")])
    assert isinstance(chat, Completion)
    assert isinstance(plain, Completion)
    assert {asked.prompt: asked.path for asked in server.asked} == {
        "a": "/v1/chat/completions",
        "b": "/v1/completions",
    }


@pytest.mark.parametrize(
    ("fault", "retry"),
    [
        (status(429), "429 too many requests"),
        (status(429, retry_after_ms="1"), "429 too many requests"),
        (status(500), "500 internal server error"),
        (status(503), "503 service unavailable"),
        (cut(), "connection lost"),
    ],
    ids=["429", "429 with Retry-After", "500", "503", "cut connection"],
)
def test_what_passes_is_asked_again_and_counted(
    server: FaultyServer, fault: Fault, retry: str
) -> None:
    server.faults["hello"] = [fault, fault]
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert found.text == "You said hello"
    assert found.retries == (retry, retry)


@pytest.mark.parametrize(
    ("fault", "words", "retries"),
    [
        (status(429), "asked too much at once", 3),
        (status(500), "error of its own (500)", 3),
        (cut(), "connection to 127.0.0.1", 3),
        (half_json(), "half an answer", 3),
        (raw({"model": SERVED, "choices": []}), "without a text in it", 3),
        (raw({"model": SERVED}), "no list of choices", 3),
        (raw({"model": SERVED, "choices": [{"finish_reason": "stop"}]}), "without a message", 3),
        (raw({"error": {"message": "Upstream failed.", "code": 502}}), "“Upstream failed.”", 3),
        (answer(message={"content": None}), "empty (null)", 3),
        (answer(finish="error"), "broke the answer off", 3),
    ],
)
def test_what_does_not_pass_is_a_failure_that_may_be_retried(
    server: FaultyServer, fault: Fault, words: str, retries: int
) -> None:
    server.always = fault
    found = ask(access(server.url))
    assert isinstance(found, Failure)
    assert words in found.reason
    assert found.retryable
    assert not found.stops_run
    assert len(found.retries) == retries


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(401, {"message": "No."}), "asks for a key"),
        (status(402, {"message": "Insufficient credits"}), "wants to be paid"),
        (status(429, {"code": "insufficient_quota", "message": "No."}), "wants to be paid"),
        (
            status(404, {"message": "The model `faulty` does not exist.", "type": "NotFoundError"}),
            "It has faulty, other. Check the name.",
        ),
        (raw('{"detail": "Not Found"}', 404), "no OpenAI-compatible server"),
        (raw("<html>Not here</html>", 404, "text/html"), "no OpenAI-compatible server"),
        (raw("<!doctype html><p>Hello", 200, "text/html"), "no OpenAI-compatible server"),
        (redirect("http://elsewhere.invalid/v1"), "sends on to another address"),
        (
            status(400, {"message": "Unsupported value: 'temperature' does not support 0 with this "
                         "model.", "param": "temperature", "code": "unsupported_value"}),
            "does not take “temperature”",
        ),
    ],
)  # fmt: skip
def test_what_a_person_must_put_right_stops_the_run(
    server: FaultyServer, fault: Fault, words: str
) -> None:
    server.always = fault
    found = ask(access(server.url))
    assert isinstance(found, Failure)
    assert words in found.reason
    assert found.stops_run
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (
            status(400, {"message": "This model's maximum context length is 8 tokens."}),
            "longer than the model “faulty” bears",
        ),
        (
            status(400, {"message": "No.", "code": "context_length_exceeded"}),
            "longer than the model “faulty” bears",
        ),
        (
            status(400, {"message": "No.", "code": "content_filter"}),
            "refused to answer this for its content",
        ),
        (answer(finish="content_filter"), "refused to answer this for its content"),
        (answer(message={"content": None, "refusal": "I won't."}), "“I won't.”"),
        (status(400, {"message": "Something else."}), "refused the request (400)"),
    ],
)
def test_what_concerns_one_item_fails_that_item_for_good(
    server: FaultyServer, fault: Fault, words: str
) -> None:
    server.faults["bad"] = [fault]
    bad, good = ask_all(access(server.url), [request("bad"), request("good")])
    assert isinstance(good, Completion)
    assert isinstance(bad, Failure)
    assert words in bad.reason
    assert not bad.retryable
    assert not bad.stops_run


def test_nothing_listening_stops_the_run_after_the_client_has_tried_again() -> None:
    found = ask(access(closed_url()))
    assert isinstance(found, Failure)
    assert found.reason.startswith("Nothing answers at http://127.0.0.1:")
    assert found.stops_run
    assert found.retries == ("no connection",) * 3


def test_a_server_that_sends_bytes_for_ever_holds_its_place_no_longer_than_the_deadline(
    server: FaultyServer,
) -> None:
    server.faults["slow"] = [trickle()]
    patience = Patience(silence=20.0, deadline=0.2)
    slow, other = ask_all(access(server.url), [request("slow"), request("other")], patience)
    assert isinstance(other, Completion)
    assert isinstance(slow, Failure)
    assert "did not answer in time" in slow.reason
    assert slow.retryable
    assert not slow.stops_run


def test_silence_is_a_time_out_that_the_client_repeats(server: FaultyServer) -> None:
    never = threading.Event()
    server.faults["hello"] = [wait_for(never, answer())]
    found = ask(access(server.url), patience=Patience(silence=0.1, attempts_more=2))
    never.set()
    assert isinstance(found, Completion)
    assert found.retries == ("timed out",)


def test_a_slow_request_holds_up_no_other(server: FaultyServer) -> None:
    go_on = threading.Event()
    server.faults["slow"] = [wait_for(go_on, answer())]
    with ServerChannel("faulty", access(server.url, at_once=2), QUICK) as channel:
        channel.send("slow", request("slow"))
        for number in range(50):
            channel.send(str(number), request(str(number)))
        others = collect(channel, 50)
        assert "slow" not in others
        go_on.set()
        assert list(collect(channel, 1)) == ["slow"]


def test_failing_requests_hold_up_no_other(server: FaultyServer) -> None:
    go_on = threading.Event()
    server.faults["bad"] = [status(500), wait_for(go_on, status(500)), status(500), status(500)]
    with ServerChannel("faulty", access(server.url, at_once=2), QUICK) as channel:
        channel.send("bad", request("bad"))
        for number in range(50):
            channel.send(str(number), request(str(number)))
        assert all(isinstance(found, Completion) for found in collect(channel, 50).values())
        go_on.set()
        assert isinstance(collect(channel, 1)["bad"], Failure)


def test_never_more_at_once_than_allowed(server: FaultyServer) -> None:
    found = ask_all(access(server.url, at_once=3), [request(str(n)) for n in range(40)])
    assert all(isinstance(each, Completion) for each in found)
    assert server.most_at_once <= 3


def test_too_many_requests_make_less_room_until_answers_come_again(server: FaultyServer) -> None:
    server.faults["hello"] = [status(429)]
    with ServerChannel("faulty", access(server.url, at_once=8), QUICK) as channel:
        assert channel.room == 8
        channel.send("0", request("hello"))
        assert channel.room == 7
        collect(channel, 1)
        fallen = channel.room
        assert fallen < 8
        for number in range(40):
            channel.send(str(number), request(str(number)))
        collect(channel, 40)
        assert channel.room == 8


def test_nothing_is_sent_while_the_server_wants_to_be_left_alone(server: FaultyServer) -> None:
    server.faults["first"] = [status(429, retry_after="500")]
    impatient = Patience(attempts_more=0)
    with ServerChannel("faulty", access(server.url), impatient) as channel:
        channel.send("first", request("first"))
        found = collect(channel, 1)["first"]
        assert isinstance(found, Failure)
        assert "left alone for 500 seconds" in found.reason
        assert found.retryable
        assert channel.room == 0
        channel.send("second", request("second"))
        assert channel.receive(0.05) == []
        assert server.prompts() == ["first"]


def test_a_wait_that_the_client_would_not_bear_is_waited_for(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openai._base_client.MAX_RETRY_AFTER_DELAY", 0.01)
    server.faults["hello"] = [status(429, retry_after_ms="50"), status(503, retry_after_ms="50")]
    found = ask(access(server.url))
    assert isinstance(found, Completion)
    assert found.retries == ("429 too many requests", "503 service unavailable")


def test_a_long_wait_is_told_and_one_that_is_too_long_stops_the_run(server: FaultyServer) -> None:
    told = "wants to be left alone for 9 minutes, until "
    for code, wait, sentence in ((429, "30", ""), (429, "500", told), (503, "500", told)):
        server.faults["first"] = [status(code, retry_after=wait)] * 9
        with ServerChannel("faulty", access(server.url), Patience(attempts_more=0)) as channel:
            channel.send("first", request("first"))
            found = collect(channel, 1)["first"]
            assert isinstance(found, Failure)
            assert not found.stops_run
            assert sentence in channel.notice.waiting
            assert bool(channel.notice.waiting) is bool(sentence)
        server.faults.clear()
    with FaultyServer(always=status(429, retry_after="86400")) as busy:
        found = ask(access(busy.url))
        assert isinstance(found, Failure)
        assert "wants to be left alone for 24 hours, until " in found.reason
        assert found.stops_run
        with ServerChannel("faulty", access(busy.url, server.url), QUICK) as channel:
            for number in range(8):
                channel.send(str(number), request(str(number)))
            collect(channel, 8)
            assert channel.notice.waiting == ""


def test_another_model_is_never_mixed_in(server: FaultyServer) -> None:
    server.faults["other"] = [answer(model="another-model")]
    server.faults["nameless"] = [answer(model=None)]
    same, other, nameless = ask_all(
        access(server.url, served=SERVED), [request(p) for p in ("same", "other", "nameless")]
    )
    assert isinstance(same, Completion)
    assert isinstance(other, Failure)
    assert "“another-model”" in other.reason
    assert not other.retryable
    assert isinstance(nameless, Failure)
    assert "without a name" in nameless.reason


def test_names_that_alternate_are_one_model_only_where_somebody_says_so(
    server: FaultyServer,
) -> None:
    dated = ("m-2024-08-06", "m-2024-11-20")
    for number in range(6):
        server.faults[str(number)] = [answer(model=dated[number % 2])] * 2
    requests = [request(str(number)) for number in range(6)]
    apart = ask_all(access(server.url, served=dated[0]), requests)
    refused = [found for found in apart if isinstance(found, Failure)]
    assert len(refused) == 3
    assert "Ask for a model by a name that means one version of it" in refused[0].reason
    assert "--also-served" in refused[0].reason
    said = access(server.url, served=dated[0], also_served=dated[1:])
    assert all(isinstance(found, Completion) for found in ask_all(said, requests))
    one, both = (open_model("openai:m", access=each).identity for each in (
        access(server.url, served=dated[0]), said
    ))  # fmt: skip
    assert one.revision != both.revision


def test_where_no_name_is_known_the_first_answer_decides(server: FaultyServer) -> None:
    server.faults["b"] = [answer(model="another-model")]
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        channel.send("a", request("a"))
        assert isinstance(collect(channel, 1)["a"], Completion)
        channel.send("b", request("b"))
        assert isinstance(collect(channel, 1)["b"], Failure)


def test_a_key_that_is_refused_half_way_stops_the_run_and_keeps_what_was_answered(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "sk-first-0123456789")
    right = ["sk-first-0123456789"]
    server.always = only_with_key(lambda: right[0], answer())
    bind("A_KEY", [server.url])
    with ServerChannel("faulty", access(server.url, key_env="A_KEY"), QUICK) as channel:
        channel.send("before", request("before"))
        assert isinstance(collect(channel, 1)["before"], Completion)
        right[0] = "sk-second"
        channel.send("after", request("after"))
        found = collect(channel, 1)["after"]
    assert isinstance(found, Failure)
    assert "refuses the key" in found.reason
    assert "sk-first" not in found.reason
    assert found.stops_run


def test_several_addresses_share_the_work(server: FaultyServer) -> None:
    with FaultyServer() as second:
        found = ask_all(
            access(server.url, second.url, at_once=8), [request(str(n)) for n in range(60)]
        )
        assert all(isinstance(each, Completion) for each in found)
        assert min(len(server.asked), len(second.asked)) >= 10


def test_the_work_of_a_dead_address_goes_to_the_others_and_is_noticed(
    server: FaultyServer, caplog: pytest.LogCaptureFixture
) -> None:
    dead = closed_url()
    found = ask_all(access(dead, server.url), [request(str(n)) for n in range(30)])
    assert all(isinstance(each, Completion) for each in found)
    noticed = {retry for each in found for retry in each.retries}
    assert f"no answer from {dead[7:-3]}" in noticed
    assert f"{dead} cannot be used now" in caplog.text


def test_the_work_of_an_address_with_nothing_but_errors_goes_to_the_others(
    server: FaultyServer,
) -> None:
    with FaultyServer(always=status(502)) as ill:
        found = ask_all(access(ill.url, server.url), [request(str(n)) for n in range(30)])
    assert all(isinstance(each, Completion) for each in found)


def test_when_all_addresses_are_dead_the_run_stops() -> None:
    found = ask(access(closed_url(), closed_url()))
    assert isinstance(found, Failure)
    assert found.stops_run


def test_many_results_come_back_in_one_go(server: FaultyServer) -> None:
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        for number in range(8):
            channel.send(str(number), request(str(number)))
        wait_until(lambda: len(channel._results) == 8)
        assert len(channel.receive(1)) == 8


def test_closing_gives_up_what_is_on_its_way_and_leaves_no_thread(server: FaultyServer) -> None:
    never = threading.Event()
    server.faults["slow"] = [wait_for(never, answer())]
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        channel.send("slow", request("slow"))
        wait_until(lambda: server.asked)
    never.set()
    assert not [thread for thread in threading.enumerate() if thread.name == "servers"]
