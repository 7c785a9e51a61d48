"""A server that this project did not write: `transformers serve` with the tiny model."""

from __future__ import annotations

import pytest

from biaslab.models import Completion, Failure, GenerationRequest, Message, Sampling
from biaslab.models.local.model import LocalModel
from biaslab.models.provider import Access, Endpoint
from biaslab.models.requests import LikelihoodRequest
from biaslab.models.server.capabilities import Scoring, Seed, SystemMessage
from biaslab.models.server.model import ServerModel
from biaslab.models.server.probe.probing import probe
from tests.servers.real_serve import RealServer

PROBLEMS = [
    f"Ben has {ben} apples. Ana has {more} more apples than Ben. How many apples does Ana have?"
    for ben, more in ((5, 3), (4, 2), (12, 5), (31, 6))
]
CUE = "The answer (Arabic numerals) is"


def turn(problem: str) -> tuple[Message, ...]:
    return (Message("user", f"{problem}\n\n{CUE}"),)


def text(problem: str) -> tuple[Message, ...]:
    return (Message("text", f"Q: {problem}\nA: {CUE} "),)


def test_a_probe_finds_both_ways_of_writing(real_server: RealServer) -> None:
    found = probe(real_server.name, (real_server.url,))
    assert found.ok, found.problems
    assert [each.endpoint for each in found.found if each.works] == list(Endpoint)
    assert found.served == f"{real_server.name}@main"
    assert found.system_message is SystemMessage.ACCEPTED
    assert found.seed is Seed.REPEATS
    assert found.lists_models
    assert found.chosen is not None
    assert found.chosen.answer == "8"
    assert found.chosen.tokens_in == 35


def test_a_probe_finds_that_log_probabilities_are_silently_ignored(
    real_server: RealServer,
) -> None:
    found = probe(real_server.name, (real_server.url,))
    for each in found.found:
        assert (each.proof.scoring, each.proof.right) == (Scoring.NONE, False)
        assert "gives none when they are asked for" in each.proof.why_not


@pytest.mark.parametrize("endpoint", Endpoint)
def test_its_answers_are_those_of_the_same_model_opened_here(
    endpoint: Endpoint, real_server: RealServer, tiny_model: LocalModel
) -> None:
    """Given what a probe found, when problems are asked many at once through the model."""
    found = probe(real_server.name, (real_server.url,), endpoint=endpoint)
    access = Access(found.base_urls, found.endpoint, found.served, at_once=4)
    model = ServerModel(real_server.name, access)
    sampling = Sampling(max_new_tokens=24, stop=("\nQ:",))
    ask = turn if endpoint is Endpoint.CHAT else text
    given = dict(model.generate([GenerationRequest(ask(each), sampling) for each in PROBLEMS]))
    local = [GenerationRequest(text(each), sampling) for each in PROBLEMS]
    for index, expected in tiny_model.generate(local):
        answer = given[index]
        assert isinstance(answer, Completion), answer
        assert isinstance(expected, Completion)
        assert (answer.text, answer.finish) == (expected.text, expected.finish)
        assert answer.tokens_in == expected.tokens_in
        assert answer.served == found.served


@pytest.mark.parametrize("endpoint", Endpoint)
def test_likelihoods_are_refused_and_never_read_from_text(
    endpoint: Endpoint, real_server: RealServer
) -> None:
    model = ServerModel(real_server.name, Access((real_server.url,), endpoint))
    ask = turn if endpoint is Endpoint.CHAT else text
    ((_, result),) = model.likelihood([LikelihoodRequest(ask(PROBLEMS[0]), ("8", "6"))])
    assert isinstance(result, Failure)
    assert result.stops_run
    assert "need another server or a local model" in result.reason


def test_a_model_it_does_not_serve_is_said_in_its_words(real_server: RealServer) -> None:
    found = probe("another", (real_server.url,))
    assert not found.ok
    assert "another" in found.problems[0]
    assert "pinned to" in found.problems[0]
