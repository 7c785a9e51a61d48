from __future__ import annotations

from collections.abc import Callable

import pytest

from biaslab.models import (
    Completion,
    Endpoint,
    Failure,
    Likelihood,
    LikelihoodRequest,
    Message,
    open_model,
)
from biaslab.models.local.model import LocalModel
from tests.models.server.asking import access, request
from tests.servers.faulty import FaultyServer, status

QUESTION = "Q: Ben has 5 apples. Ana has 3 more apples than Ben. How many apples does Ana have?"
SCORED = [
    LikelihoodRequest((Message("text", f"{QUESTION}\nA: "),), (" 8", " 2")),
    LikelihoodRequest((Message("text", "Q: Ana has"),), (" 5", " 16", " 7")),
]


def test_a_servers_likelihoods_are_those_of_the_model(
    tiny_server: Callable[..., str], tiny_model: LocalModel
) -> None:
    where = access(tiny_server(), endpoint=Endpoint.COMPLETIONS)
    found = dict(open_model("openai:tiny", access=where).likelihood(SCORED))
    for index, expected in tiny_model.likelihood(SCORED):
        given = found[index]
        assert isinstance(given, Likelihood)
        assert isinstance(expected, Likelihood)
        assert given.served == "tiny"
        assert given.log_probabilities == pytest.approx(expected.log_probabilities, abs=1e-3)


@pytest.mark.parametrize("switches", ["logprobs=ignored", "logprobs=shifted,echo=shifted"])
def test_likelihoods_that_were_not_shown_to_be_right_stop_the_run(
    tiny_server: Callable[..., str], switches: str
) -> None:
    where = access(tiny_server(switches), endpoint=Endpoint.COMPLETIONS)
    for found in dict(open_model("openai:tiny", access=where).likelihood(SCORED)).values():
        assert isinstance(found, Failure)
        assert found.stops_run
        assert not found.retryable


def test_both_prompt_strategies_go_through_one_model(
    tiny_server: Callable[..., str], tiny_model: LocalModel
) -> None:
    asked = [request(f"{QUESTION}\nA: The answer (Arabic numerals) is ", role="text")]
    where = access(tiny_server(), endpoint=Endpoint.COMPLETIONS)
    ((_, here),) = tiny_model.generate(asked)
    ((_, there),) = open_model("openai:tiny", access=where).generate(asked)
    assert isinstance(here, Completion)
    assert isinstance(there, Completion)
    assert (there.text, there.tokens_out > 0) == (here.text, True)


def test_nothing_asked_needs_no_server() -> None:
    model = open_model("openai:m", access=access("http://127.0.0.1:9/v1"))
    assert list(model.generate([])) == []


def test_all_requests_come_back_whatever_becomes_of_each(server: FaultyServer) -> None:
    server.faults["7"] = [status(400)]
    model = open_model("openai:faulty", access=access(server.url))
    found = dict(model.generate([request(str(number)) for number in range(30)]))
    assert sorted(found) == list(range(30))
    assert [number for number, each in found.items() if isinstance(each, Failure)] == [7]
