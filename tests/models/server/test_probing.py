"""A probe finds out what a server really does, and says what is wrong in sentences."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.responses import Response

from biaslab.models.provider import TYPED_KEY, Endpoint
from biaslab.models.server.capabilities import (
    Capabilities,
    EndpointReport,
    ProbeStep,
    Proof,
    Scoring,
    Seed,
    SystemMessage,
    Thinking,
)
from biaslab.models.server.keys import bind
from biaslab.models.server.probe.listing import ListedModel, ModelList, meant_urls
from biaslab.models.server.probe.probing import probe
from biaslab.models.server.request.client import Patience
from tests.conftest import DEADLINE
from tests.servers.faulty import Asked, FaultyServer, answer, wait_for
from tests.servers.fixtures import ServerUrl

PATIENT = Patience(connect=DEADLINE, silence=DEADLINE, deadline=DEADLINE, attempts_more=0)


def probed(url: str, name: str = "tiny", **options: object) -> Capabilities:
    return probe(name, (url,), patience=PATIENT, **options)  # type: ignore[arg-type]


def problem(found: Capabilities) -> str:
    assert not found.ok
    (sentence,) = found.problems
    assert sentence.endswith(".")
    return sentence


# A server that can do everything


def test_everything_that_a_server_can_do_is_found(tiny_server: ServerUrl) -> None:
    found = probed(tiny_server())
    assert (found.ok, found.problems) == (True, ())
    assert (found.name, found.served, found.models) == ("tiny", "tiny", ("tiny",))
    assert found.base_urls == (tiny_server(),)
    assert [each.endpoint for each in found.found if each.works] == list(Endpoint)
    assert found.endpoint is Endpoint.CHAT
    assert found.system_message is SystemMessage.ACCEPTED
    assert found.seed is Seed.REPEATS
    assert (found.scoring, found.scoring_is_right) == (Scoring.TOP, True)
    assert (found.longest, found.longest_from) == (1024, "list of models")
    assert found.thinking is Thinking.NONE
    assert found.chosen is not None
    # The tiny model is wrong about this sum: its answer is shown as it is.
    assert found.chosen.answer == "8"
    assert found.seconds is not None
    assert found.tokens_per_character == pytest.approx(35 / 113)


def test_a_probe_says_what_it_used(tiny_server: ServerUrl) -> None:
    found = probed(tiny_server())
    assert 10 < found.requests <= 27
    assert 300 < found.tokens < 1500


def test_one_way_of_writing_can_be_asked_for(tiny_server: ServerUrl) -> None:
    found = probed(tiny_server(), endpoint=Endpoint.COMPLETIONS)
    assert [each.endpoint for each in found.found] == [Endpoint.COMPLETIONS]
    assert (found.endpoint, found.scoring) == (Endpoint.COMPLETIONS, Scoring.ECHO)
    assert found.system_message is SystemMessage.UNKNOWN


# Servers that lack something


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ("chat=no", {"endpoint": Endpoint.COMPLETIONS, "scoring": Scoring.ECHO}),
        ("completions=no", {"endpoint": Endpoint.CHAT, "scoring": Scoring.TOP}),
        ("system=refused", {"system_message": SystemMessage.REFUSED}),
        ("system=dropped", {"system_message": SystemMessage.DROPPED}),
        ("system=obeyed", {"system_message": SystemMessage.OBEYED}),
        ("seed=ignored", {"seed": Seed.IGNORED}),
        ("seed=stuck", {"seed": Seed.UNCLEAR}),
        ("logprobs=ignored", {"scoring": Scoring.NONE, "scoring_is_right": False}),
        ("logprobs=shifted", {"scoring": Scoring.TOP, "scoring_is_right": False}),
        ("thinking=apart", {"thinking": Thinking.SEPARATE}),
        ("limit=max_completion_tokens", {"scoring_is_right": True}),
        ("models=no", {"lists_models": False, "models": (), "longest": 1024}),
        ("tells_length=no,context=300", {"longest": 300, "longest_from": "error message"}),
        ("tells_length=no,checks_length=no", {"longest": None, "longest_from": ""}),
    ],
)
def test_what_a_server_lacks_is_found_and_is_no_error(
    switches: str, expected: dict[str, object], tiny_server: ServerUrl
) -> None:
    found = probed(tiny_server(switches))
    assert found.ok
    assert found.problems == ()
    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("switches", "sentence"),
    [
        ("warm", "does not take temperature 0"),
        ("thinking=inside", "writes its thinking into its answer"),
        ("thinking=strange", "holds <ponder>, which looks like a marker that BiasLab does not"),
        ("seed=refused", "takes no seed, so answers above temperature 0 are asked for without"),
        ("finish=no", "does not say how its answers end (finish_reason). One that used all"),
        ("finish=no,counts=no", "What may be half an answer is never read"),
        ("stop=broken,chat=no", "has an error when it is to"),
        ("any_name,served=other", "“tiny” was asked for and the server answered as “other”"),
    ],
)
def test_what_should_be_known_is_said_though_the_server_can_be_used(
    switches: str, sentence: str, tiny_server: ServerUrl
) -> None:
    found = probed(tiny_server(switches))
    assert found.ok
    (said,) = found.problems
    assert sentence in said


def test_names_that_alternate_are_told_unless_they_are_said_to_be_one_model() -> None:
    dated = itertools.cycle(("m-2024-08-06", "m-2024-11-20"))

    async def alternating(asked: Asked) -> Response:
        return await answer("8", model=next(dated))(asked)

    with FaultyServer(always=alternating) as server:
        told = probe("m", [server.url], endpoint=Endpoint.CHAT, patience=PATIENT)
        assert told.ok
        assert any("answers came under several names" in problem for problem in told.problems)
        also = ("m-2024-08-06", "m-2024-11-20")
        said = probe("m", [server.url], endpoint=Endpoint.CHAT, also_served=also, patience=PATIENT)
        assert not any("several names" in problem for problem in said.problems)


def test_a_way_of_writing_that_is_not_there_is_told_with_its_reason(
    tiny_server: ServerUrl,
) -> None:
    found = probed(tiny_server("completions=no"))
    completions = found.found[1]
    assert not completions.works
    assert "offers no plain completions for “tiny” (“Not Found”)" in completions.why_not


# Addresses, names and keys that are wrong


@pytest.mark.parametrize("path", ["", "/", "/v1/chat/completions", "/v1/models", "/page/v1"])
def test_the_address_that_was_meant_is_found(path: str, tiny_server: ServerUrl) -> None:
    found = probed(tiny_server(path=path))
    assert "There is no OpenAI-compatible server at" in problem(found)
    assert f"there is one at {tiny_server()}: use that base URL." in problem(found)
    assert found.meant_url == tiny_server()


@dataclass
class ServerReply:
    """What a server says, whatever it is asked."""

    status: int
    kind: str
    body: bytes


SIGN_IN = ServerReply(200, "text/html", b"<!doctype html><title>Sign in</title>")
"""As a router or a sign-in gate says."""


class _Anything(BaseHTTPRequestHandler):
    """Answers everything with what it was told to say; a simulation of no server in particular."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    says: ClassVar[list[ServerReply]] = [SIGN_IN]

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        said = self.says[0]
        self.says.append(self.says.pop(0))
        self.send_response(said.status)
        self.send_header("content-type", said.kind)
        self.send_header("content-length", str(len(said.body)))
        self.end_headers()
        self.wfile.write(said.body)

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing."""


@pytest.fixture(scope="module")
def anything() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Anything) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_page_is_told_from_a_server(anything: str) -> None:
    _Anything.says[:] = [SIGN_IN]
    said = problem(probed(f"{anything}/v1"))
    assert said.startswith(f"What answers at {anything}/v1 is no OpenAI-compatible server")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
parts = st.fixed_dictionaries(
    {},
    optional={
        "data": st.lists(st.fixed_dictionaries({"id": values, "meta": values})) | values,
        "error": st.fixed_dictionaries({"message": values, "code": values}) | values,
        "usage": st.fixed_dictionaries({"prompt_tokens": values}) | values,
        "model": values,
        "choices": st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "text": values,
                    "message": st.fixed_dictionaries({"content": values}) | values,
                    "logprobs": st.fixed_dictionaries(
                        {},
                        optional={
                            "tokens": st.lists(values),
                            "token_logprobs": st.lists(values),
                            "top_logprobs": st.lists(values),
                            "text_offset": values,
                            "content": st.lists(st.dictionaries(st.just("top_logprobs"), values)),
                        },
                    )
                    | values,
                },
            )
        )
        | values,
    },
)
bodies = (parts | values).map(lambda value: json.dumps(value).encode()) | st.binary(max_size=9)
answers = st.builds(
    ServerReply,
    st.sampled_from([200, 200, 200, 200, 400, 404, 422, 500]),
    st.sampled_from(["application/json", "application/json", "text/plain"]),
    bodies,
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(says=st.lists(answers, min_size=1, max_size=4))
def test_whatever_a_server_answers_is_told_and_never_an_exception(
    says: list[ServerReply], anything: str
) -> None:
    _Anything.says[:] = says
    found = probed(f"{anything}/v1")
    assert found.ok or found.problems
    assert not found.scoring_is_right
    assert Capabilities.of_json(json.loads(json.dumps(found.as_json()))) == found


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tinny", "There is no model “tinny” at 127.0.0.1"),
        ("tinny", "Did you mean tiny? It has tiny."),
        ("gpt-9", "It has tiny."),
    ],
)
def test_a_model_that_is_not_there_is_answered_with_those_that_are(
    name: str, sentence: str, tiny_server: ServerUrl
) -> None:
    found = probed(tiny_server(), name)
    assert sentence in problem(found)
    assert found.models == ("tiny",)


def test_a_model_that_is_not_there_is_told_without_a_list(tiny_server: ServerUrl) -> None:
    found = probed(tiny_server("models=no"), "tinny")
    assert "There is no model “tinny”" in problem(found)


def test_a_server_that_is_not_there_is_said(unused_port: int) -> None:
    url = f"http://127.0.0.1:{unused_port}/v1"
    assert problem(probed(url)).startswith(f"Nothing answers at {url}.")


def test_a_server_that_is_too_slow_is_said(tiny_server: ServerUrl) -> None:
    found = probe(
        "tiny",
        (tiny_server("latency=60"),),
        patience=Patience(connect=1.0, silence=0.2, deadline=0.3, attempts_more=0),
    )
    assert "did not answer in time" in problem(found)


# The time that a test may take


def test_when_the_time_is_over_what_is_known_by_then_is_kept() -> None:
    over = threading.Event()

    async def hanging(asked: Asked) -> Response:
        if "seed" in asked.body:
            return await wait_for(over, answer())(asked)
        return await answer("8")(asked)

    begun: list[ProbeStep] = []
    with FaultyServer(always=hanging) as server:
        found = probe("faulty", [server.url], patience=PATIENT, seconds=5, tell=begun.append)
        over.set()
    assert begun == [ProbeStep.MODELS, ProbeStep.PROBLEM, ProbeStep.SEED]
    assert found.ok
    assert found.untried == ProbeStep.SEED.and_after
    assert found.chosen is not None
    assert (found.chosen.answer, found.seed) == ("8", Seed.UNKNOWN)
    assert not found.scoring_is_right
    assert "ended after 5 seconds. Not tried: what a seed does;" in found.problems[-1]
    assert Capabilities.of_json(json.loads(json.dumps(found.as_json()))) == found


def test_a_model_that_answers_nothing_in_time_is_told_so(tiny_server: ServerUrl) -> None:
    found = probed(tiny_server("latency=60"), seconds=0.5)
    assert "had not answered a word problem after 0.5 seconds" in problem(found)
    assert ProbeStep.PROBLEM in found.untried


@pytest.mark.parametrize(
    ("name", "url", "sentence"),
    [
        ("tiny", "localhost:8000", "is no base URL"),
        ("tiny", "", "is empty"),
        (" ", "http://localhost:8000/v1", "No model was named"),
    ],
)
def test_what_cannot_be_asked_is_said_at_once(name: str, url: str, sentence: str) -> None:
    found = probed(url, name)
    assert sentence in problem(found)
    assert found.requests == 0


PLANTED = "sk-planted-0123456789abcdef"


def test_a_wrong_key_is_said_and_not_shown(
    tiny_server: ServerUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server repeats the key in its error, as OpenAI's does."""
    monkeypatch.setenv("MY_KEY", PLANTED)
    url = tiny_server("key=another")
    bind("MY_KEY", [url])
    found = probed(url, key_env="MY_KEY")
    assert "refuses the key" in problem(found)
    assert PLANTED not in repr(found) + json.dumps(found.as_json())


@pytest.mark.parametrize(
    "switches", ["completions=no,system=refused,logprobs=refused", "seed=refused,echo=refused"]
)
def test_a_key_that_a_server_repeats_in_its_errors_is_not_shown(
    switches: str, tiny_server: ServerUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", PLANTED)
    url = tiny_server(f"parrots,most=1,{switches}")
    bind("MY_KEY", [url])
    found = probed(url, key_env="MY_KEY")
    assert found.ok
    assert "[key]" in json.dumps(found.as_json())
    assert PLANTED not in repr(found) + json.dumps(found.as_json())


def test_a_missing_key_is_said(tiny_server: ServerUrl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TYPED_KEY, raising=False)
    assert "asks for a key and none was given" in problem(probed(tiny_server("key=a-key")))
    named = probed(tiny_server(), key_env="NOT_SET_ANYWHERE")
    assert "NOT_SET_ANYWHERE" in problem(named)


def test_the_right_key_opens(tiny_server: ServerUrl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TYPED_KEY, PLANTED)
    found = probed(tiny_server(f"key={PLANTED}"))
    assert found.ok
    assert found.endpoint is Endpoint.CHAT


# Several addresses


def test_addresses_of_one_model_are_all_tried(tiny_server: ServerUrl) -> None:
    urls = (tiny_server(), tiny_server("latency=0"))
    found = probe("tiny", urls, patience=PATIENT)
    assert found.ok
    assert found.base_urls == urls
    assert found.requests == probed(urls[0]).requests + 1


def test_addresses_of_different_models_are_refused(
    tiny_server: ServerUrl, unused_port: int
) -> None:
    different = probe("tiny", (tiny_server(), tiny_server("served=other")), patience=PATIENT)
    assert "give only addresses that serve the same model" in problem(different)
    gone = f"http://127.0.0.1:{unused_port}/v1"
    assert f"Nothing answers at {gone}" in problem(
        probe("tiny", (tiny_server(), gone), patience=PATIENT)
    )


# What is kept


texts = st.text(max_size=5)
found_endpoints = st.builds(
    EndpointReport,
    endpoint=st.sampled_from(Endpoint),
    works=st.booleans(),
    served=texts,
    answer=texts,
    thinking=st.sampled_from(Thinking),
    seconds=st.none() | st.floats(0, 100),
    tokens_in=st.integers(0, 100),
    tokens_per_character=st.none() | st.floats(0, 10),
    seed=st.sampled_from(Seed),
    cold=st.booleans(),
    stops=st.none() | st.booleans(),
    proof=st.builds(Proof, st.sampled_from(Scoring), st.booleans(), texts, st.integers(0, 20)),
)
capabilities = st.builds(
    Capabilities,
    name=texts,
    base_urls=st.lists(texts).map(tuple),
    ok=st.booleans(),
    problems=st.lists(texts).map(tuple),
    endpoint=st.none() | st.sampled_from(Endpoint),
    models=st.lists(texts).map(tuple),
    found=st.lists(found_endpoints, max_size=2).map(tuple),
    system_message=st.sampled_from(SystemMessage),
    longest=st.none() | st.integers(1, 10**6),
    requests=st.integers(0, 100),
)


@given(capabilities)
def test_what_was_found_is_the_same_after_it_was_kept_as_json(found: Capabilities) -> None:
    assert Capabilities.of_json(json.loads(json.dumps(found.as_json()))) == found


# Names and addresses that are meant


@pytest.mark.parametrize(
    ("asked_for", "meant"),
    [
        ("llama3", "llama3:latest"),
        ("LLAMA3:latest", "llama3:latest"),
        ("Qwen2.5-0.5b", "Qwen/Qwen2.5-0.5B-Instruct"),
        ("mistrall", "mistral"),
    ],
)
def test_close_names_are_offered(asked_for: str, meant: str) -> None:
    names = ("mistral", "llama3:latest", "Qwen/Qwen2.5-0.5B-Instruct")
    listed = ModelList(tuple(ListedModel(name, None) for name in names))
    assert listed.shown(asked_for).startswith(f"Did you mean {meant}?")


def test_long_lists_are_cut() -> None:
    listed = ModelList(tuple(ListedModel(f"model-{number:03}", None) for number in range(300)))
    assert listed.shown("zzz").endswith("model-009 and 290 more.")


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("https://openrouter.ai", "https://openrouter.ai/api/v1"),
        ("http://localhost:8000/v1/completions", "http://localhost:8000/v1"),
        ("http://localhost:8000/docs", "http://localhost:8000/v1"),
    ],
)
def test_meant_addresses_are_on_the_same_server(url: str, meant: str) -> None:
    host = Path(url.removeprefix("https://").removeprefix("http://")).parts[0]
    assert meant in meant_urls(url)
    assert all(host in each for each in meant_urls(url))
