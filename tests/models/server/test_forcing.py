"""A llama.cpp server is made to write a text, and its numbers are those of the model.

`tests.servers.llama` stands for the server. Where ``BIASLAB_LLAMA_URL`` is the base URL of a real
one, it is asked too; ``BIASLAB_LLAMA_MODEL`` is the model's name there.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import pytest

from biaslab.models import (
    Access,
    Endpoint,
    Failure,
    Likelihood,
    LikelihoodRequest,
    Message,
    ServerModel,
)
from biaslab.models.local.model import LocalModel
from biaslab.models.server.background import run_in_background
from biaslab.models.server.capabilities import Proof, Scoring
from biaslab.models.server.probe.proving import prove
from biaslab.models.server.request.client import Patience, open_client
from biaslab.models.server.request.forcing import FRESH, prompt_of
from biaslab.models.server.request.scoring import first_alternatives, score
from biaslab.models.server.request.server_client import ServerClient
from tests.conftest import DEADLINE
from tests.servers.llama import FAULTS, LlamaServer

T = TypeVar("T")

FORCED = Proof(Scoring.FORCED, right=True, alternatives=20)
PROBLEM = "Ben has 5 apples. Ana has 3 more apples than Ben. How many apples does Ana have?"
CUE = "The answer (Arabic numerals) is"
PLAIN = (Message("text", f"Q: {PROBLEM}\nA: {CUE} "),)
TURN = (Message("user", f"{PROBLEM}\n\n{CUE}"),)


@pytest.fixture(scope="module")
def llama() -> Iterator[LlamaServer]:
    with LlamaServer() as server:
        yield server


def on_line(url: str, use: Callable[[ServerClient], Awaitable[T]], model: str = "tiny") -> T:
    """What becomes of one use of the server."""

    async def used() -> T:
        patience = Patience(connect=DEADLINE, silence=DEADLINE, deadline=DEADLINE, attempts_more=0)
        async with open_client(Access((url,)), url, patience=patience) as client:
            return await use(ServerClient(client, model))

    return run_in_background(used())


def scored(
    url: str, messages: tuple[Message, ...], *texts: str, endpoint: Endpoint = Endpoint.CHAT
) -> Likelihood | Failure:
    request = LikelihoodRequest(messages, texts)
    return on_line(url, lambda line: score(line, endpoint, FORCED, request))


def test_it_gives_what_the_local_model_gives_token_by_token(
    llama: LlamaServer, tiny_model: LocalModel
) -> None:
    """Also where a token crosses the border, and for texts of several tokens.

    The prompt is read anew each time.
    """
    for prompt, texts in (
        (f"Q: {PROBLEM}\nA: {CUE}", (" 8", " 2", " 53", " 8 apples.\nQ:")),
        (f"Q: {PROBLEM}\nA: {CUE} ", ("8", "apples", "6 apples.")),
        ("Q: Ana has", (" 5", " 5 marbles")),
    ):
        messages = (Message("text", prompt),)
        found = scored(llama.url(), messages, *texts)
        ((_, expected),) = tiny_model.likelihood([LikelihoodRequest(messages, texts)])
        assert isinstance(found, Likelihood), found
        assert isinstance(expected, Likelihood)
        assert found.tokens == expected.tokens
        assert found.log_probabilities == pytest.approx(expected.log_probabilities, abs=1e-4)
        for mine, theirs in zip(found.by_token, expected.by_token, strict=True):
            assert mine == pytest.approx(theirs, abs=1e-4)
    assert all(body["cache_prompt"] is False for body in llama.asked)


def test_turns_are_the_text_that_the_server_makes_of_them(llama: LlamaServer) -> None:
    """A last turn of the model's own is gone on from."""
    in_turns = scored(llama.url(), TURN, "8", "6")
    as_text = scored(llama.url(), PLAIN, "8", "6")
    assert isinstance(in_turns, Likelihood)
    assert in_turns == as_text
    begun = scored(llama.url(), (*TURN, Message("assistant", "8")), " apples")
    assert begun == scored(llama.url(), (Message("text", PLAIN[0].content + "8"),), " apples")


def test_what_an_answer_lists_takes_no_request_of_its_own(
    llama: LlamaServer, tiny_model: LocalModel
) -> None:
    """As for a number and every further digit, which few requests tell."""
    texts = tuple(f"1{more}" for more in ("", *"0123456789"))
    before = len(llama.asked)
    found = scored(llama.url(), PLAIN, *texts)
    assert len(llama.asked) <= before + 3
    ((_, expected),) = tiny_model.likelihood([LikelihoodRequest(PLAIN, texts)])
    assert isinstance(found, Likelihood)
    assert isinstance(expected, Likelihood)
    assert found.log_probabilities == pytest.approx(expected.log_probabilities, abs=1e-4)


def test_what_cannot_be_scored_is_a_failure_with_a_sentence(llama: LlamaServer) -> None:
    own = (*TURN, Message("assistant", "8"))
    shown = (Message("user", "How many?", "<svg/>"),)
    for url, messages, text, endpoint, reason in (
        (llama.url(), PLAIN, "", Endpoint.CHAT, "without text"),
        (llama.url(), PLAIN, "8<end>", Endpoint.CHAT, "a mark of its own"),
        (llama.url(), (Message("text", ""),), "8", Endpoint.CHAT, "Nothing stands before"),
        (llama.url(), (*PLAIN, *TURN), "8", Endpoint.CHAT, "one plain text, or turns"),
        (llama.url(), TURN, "8", Endpoint.COMPLETIONS, "choose its chat"),
        (llama.url(), shown, "8", Endpoint.CHAT, "A picture can be shown to a chat model"),
        (llama.url("template"), own, " apples", Endpoint.CHAT, "does not let it go on"),
        (llama.url("letters"), PLAIN, "8 apples", Endpoint.CHAT, "exactly the tokens"),
        (llama.url("dropped"), PLAIN, "8 apples", Endpoint.CHAT, "exactly the tokens"),
        (llama.url("after"), PLAIN, "8 apples", Endpoint.CHAT, "calls the text certain"),
        (llama.url("underflow"), PLAIN, "apples", Endpoint.CHAT, "numbers end at about -87"),
    ):
        found = scored(url, messages, text, endpoint=endpoint)
        assert isinstance(found, Failure), (text, reason)
        assert reason in found.reason
        assert not found.retryable


def test_it_is_proved_before_it_is_used(llama: LlamaServer) -> None:
    """Positive control: the server without a fault. Null cases: one with each of the faults.

    One that does not write what it is made to is asked by its lists, as it was before; one whose
    numbers contradict each other is refused altogether. Cut by letters, the short texts of a proof
    come as they should; what does not is refused text by text.
    """
    wrong = "when it is free and"
    expected = {
        "": (Scoring.FORCED, True, ""),
        "ignored": (Scoring.TOP, True, ""),
        "letters": (Scoring.FORCED, True, ""),
        "unknown": (Scoring.TOP, True, ""),
        "dropped": (Scoring.TOP, True, ""),
        "after": (Scoring.FORCED, False, "calls the text certain"),
        "tempered": (Scoring.FORCED, False, wrong),
        "shifted": (Scoring.FORCED, False, wrong),
        "template": (Scoring.FORCED, False, wrong),
    }
    assert set(expected) == {"", *FAULTS} - {"underflow"}
    for fault, (scoring, right, why_not) in expected.items():
        proof = on_line(llama.url(fault), lambda line: prove(line, Endpoint.CHAT))
        assert (proof.scoring, proof.right) == (scoring, right), (fault, proof)
        assert why_not in proof.why_not
    plain = on_line(llama.url(), lambda line: prove(line, Endpoint.COMPLETIONS))
    assert plain == FORCED


def test_a_model_behind_its_interface_is_proved_and_scored(llama: LlamaServer) -> None:
    model = ServerModel("tiny", Access((llama.url(),), Endpoint.CHAT, at_once=2))
    requests = [LikelihoodRequest(TURN, ("8", "2")), LikelihoodRequest(PLAIN, ("8 apples",))]
    found = dict(model.likelihood(requests))
    assert found == {
        0: scored(llama.url(), TURN, "8", "2"),
        1: scored(llama.url(), PLAIN, "8 apples"),
    }


@pytest.mark.skipif("BIASLAB_LLAMA_URL" not in os.environ, reason="asks a real llama.cpp server")
def test_a_real_server_gives_each_token_the_number_of_its_list() -> None:
    url, model = os.environ["BIASLAB_LLAMA_URL"], os.environ.get("BIASLAB_LLAMA_MODEL", "model")

    async def use(line: ServerClient) -> None:
        for endpoint in Endpoint:
            proof = await prove(line, endpoint)
            assert (proof.scoring, proof.right) == (Scoring.FORCED, True), proof
        listed, _ = await first_alternatives(line, Endpoint.CHAT, TURN, 20, **FRESH)
        prompt = await prompt_of(line, TURN)
        request = LikelihoodRequest((Message("text", prompt),), tuple(listed))
        found = await score(line, Endpoint.CHAT, FORCED, request)
        assert isinstance(found, Likelihood), found
        assert found.log_probabilities == pytest.approx(tuple(listed.values()), abs=1e-3)

    on_line(url, use, model)
