"""Log-probabilities from a server are those of the model, or there are none."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai import APIStatusError

from biaslab.models import Failure, Likelihood, LikelihoodRequest, Message, Unsupported
from biaslab.models.local.model import LocalModel
from biaslab.models.provider import Access, Endpoint
from biaslab.models.requests import split_at_shared_beginning
from biaslab.models.server.background import run_in_background
from biaslab.models.server.capabilities import Proof, Scoring
from biaslab.models.server.model import ServerModel
from biaslab.models.server.probe.proving import prove
from biaslab.models.server.request.client import Patience, open_client
from biaslab.models.server.request.scoring import Unscorable, add_up, look_up, score
from biaslab.models.server.request.server_client import ServerClient
from biaslab.models.server.request.token_chances import (
    EchoedToken,
    NotGiven,
    Wrong,
    read_echo,
    read_first_alternatives,
)
from tests.conftest import DEADLINE
from tests.servers.fixtures import ServerUrl

T = TypeVar("T")

ECHO = Proof(Scoring.ECHO, right=True, alternatives=5)
TOP = Proof(Scoring.TOP, right=True, alternatives=20)

QUESTION = "Ben has {} apples. Ana has {} more apples than Ben. How many apples does Ana have?"
CUE = "The answer (Arabic numerals) is"


def on_line(url: str, use: Callable[[ServerClient], Awaitable[T]]) -> T:
    """What becomes of one use of the server."""

    async def used() -> T:
        patience = Patience(connect=DEADLINE, silence=DEADLINE, deadline=DEADLINE, attempts_more=0)
        async with open_client(Access((url,)), url, patience=patience) as client:
            return await use(ServerClient(client, "tiny"))

    return run_in_background(used())


def asked(text: str, continuations: tuple[str, ...]) -> LikelihoodRequest:
    return LikelihoodRequest((Message("text", text),), continuations)


def locally(model: LocalModel, request: LikelihoodRequest) -> Likelihood:
    ((_, result),) = model.likelihood([request])
    assert isinstance(result, Likelihood)
    return result


def by_echo(url: str, requests: list[LikelihoodRequest]) -> list[Likelihood | Failure]:
    async def use(line: ServerClient) -> list[Likelihood | Failure]:
        return [await score(line, Endpoint.COMPLETIONS, ECHO, request) for request in requests]

    return on_line(url, use)


# The whole way: a real server against the local model


def same(given: Likelihood | Failure, expected: Likelihood) -> None:
    assert isinstance(given, Likelihood), given
    assert given.log_probabilities == pytest.approx(expected.log_probabilities, abs=1e-4)
    assert given.tokens == expected.tokens


words = st.sampled_from(
    ["apples", "marbles", "8", "17", " pencils", " 5", ".", " Ana", "\nQ:", " "]
)
prompts = st.builds(
    lambda a, b, end: f"Q: {QUESTION.format(a, b)}\nA: {CUE}{end}",
    st.integers(2, 99),
    st.integers(2, 99),
    st.sampled_from(["", " ", " 1", " the answer", "  ", "\n"]),
)
continuations = st.lists(
    st.lists(words, min_size=1, max_size=4).map("".join), min_size=1, max_size=4
).map(tuple)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(requests=st.lists(st.builds(asked, prompts, continuations), min_size=1, max_size=5))
def test_echo_gives_what_the_local_model_gives(
    requests: list[LikelihoodRequest], tiny_server: ServerUrl, tiny_model: LocalModel
) -> None:
    """Also where a token crosses the border, as “ apples” after a prompt that ends in a space."""
    for request, result in zip(requests, by_echo(tiny_server(), requests), strict=True):
        same(result, locally(tiny_model, request))


@pytest.mark.parametrize("switches", ["begin", "offsets=no", "begin,offsets=no"])
def test_echo_is_right_whatever_places_the_server_gives(
    switches: str, tiny_server: ServerUrl, tiny_model: LocalModel
) -> None:
    """Some count a beginning of text that the text does not have; some give no places at all."""
    request = asked(f"Q: {QUESTION.format(5, 3)}\nA: {CUE} ", ("8", "apples", "6 apples."))
    (result,) = by_echo(tiny_server(switches), [request])
    same(result, locally(tiny_model, request))


def test_echo_counts_tokens_and_names_the_model(tiny_server: ServerUrl) -> None:
    (result,) = by_echo(tiny_server("served=tiny-2"), [asked("Q: Ana has", (" 5", " 16"))])
    assert isinstance(result, Likelihood)
    assert result.served == "tiny-2"
    assert result.tokens == (2, 3)
    assert result.tokens_in == 6 + 7


def test_a_list_of_first_tokens_gives_what_the_local_model_gives(
    tiny_server: ServerUrl, tiny_model: LocalModel
) -> None:
    turn = f"{QUESTION.format(5, 3)}\n\n{CUE}"
    plain = f"Q: {QUESTION.format(5, 3)}\nA: {CUE} "
    expected = locally(tiny_model, asked(plain, ("8", "9")))

    async def use(line: ServerClient) -> list[Likelihood | Failure]:
        chat = LikelihoodRequest((Message("user", turn),), ("8", "9"))
        return [
            await score(line, Endpoint.CHAT, TOP, chat),
            await score(line, Endpoint.COMPLETIONS, TOP, asked(plain, ("8", "9"))),
        ]

    for result in on_line(tiny_server(), use):
        same(result, expected)


@pytest.mark.parametrize(
    ("endpoint", "proof", "messages", "given", "reason"),
    [
        (Endpoint.CHAT, TOP, (Message("user", "Hm?"),), ("marbles", "8"), "is not among the 20"),
        (Endpoint.CHAT, TOP, (Message("user", "Hm?"),), (), "without text"),
        (Endpoint.COMPLETIONS, ECHO, (Message("text", "Q:"),), (" 8", ""), "without text"),
        (Endpoint.COMPLETIONS, ECHO, (Message("text", ""),), ("Q",), "Nothing stands before"),
        (Endpoint.COMPLETIONS, ECHO, (Message("user", "Q:"),), (" 8",), "choose its chat"),
        (
            Endpoint.CHAT,
            TOP,
            (Message("user", "Hm?"), Message("assistant", "It is")),
            ("8",),
            "end the messages with a turn of the user",
        ),
    ],
)
def test_what_cannot_be_scored_is_a_failure_with_a_sentence(
    endpoint: Endpoint,
    proof: Proof,
    messages: tuple[Message, ...],
    given: tuple[str, ...],
    reason: str,
    tiny_server: ServerUrl,
) -> None:
    request = LikelihoodRequest(messages, given)
    result = on_line(tiny_server(), lambda line: score(line, endpoint, proof, request))
    assert isinstance(result, Failure)
    assert reason in result.reason
    assert not result.retryable


# Proving


@pytest.mark.parametrize(
    ("switches", "endpoint", "scoring"),
    [
        ("", Endpoint.COMPLETIONS, Scoring.ECHO),
        ("begin", Endpoint.COMPLETIONS, Scoring.ECHO),
        ("most=5", Endpoint.COMPLETIONS, Scoring.ECHO),
        ("echo=refused", Endpoint.COMPLETIONS, Scoring.TOP),
        ("echo=ignored", Endpoint.COMPLETIONS, Scoring.TOP),
        ("echo=blind", Endpoint.COMPLETIONS, Scoring.TOP),
        ("", Endpoint.CHAT, Scoring.TOP),
        ("most=5", Endpoint.CHAT, Scoring.TOP),
        ("limit=max_completion_tokens", Endpoint.CHAT, Scoring.TOP),
    ],
)
def test_right_log_probabilities_are_proved_right(
    switches: str, endpoint: Endpoint, scoring: Scoring, tiny_server: ServerUrl
) -> None:
    proof = on_line(tiny_server(switches), lambda line: prove(line, endpoint))
    assert proof == Proof(scoring, right=True, alternatives=proof.alternatives)
    assert proof.alternatives == (5 if scoring is Scoring.ECHO or "most=5" in switches else 20)


@pytest.mark.parametrize(
    ("switches", "endpoint", "scoring", "why_not"),
    [
        ("logprobs=ignored", Endpoint.CHAT, Scoring.NONE, "gives none when they are asked for"),
        ("logprobs=ignored", Endpoint.COMPLETIONS, Scoring.NONE, "gives none"),
        ("logprobs=refused", Endpoint.CHAT, Scoring.NONE, "“logprobs is not supported by this"),
        ("logprobs=refused", Endpoint.COMPLETIONS, Scoring.NONE, "refuses to give them"),
        ("most=1,echo=refused", Endpoint.COMPLETIONS, Scoring.NONE, "at most 1"),
        ("logprobs=constant", Endpoint.CHAT, Scoring.TOP, "every token the same number"),
        ("logprobs=constant", Endpoint.COMPLETIONS, Scoring.ECHO, "every token the same number"),
        ("logprobs=positive", Endpoint.CHAT, Scoring.TOP, "above 0"),
        ("logprobs=positive", Endpoint.COMPLETIONS, Scoring.ECHO, "above 0"),
        ("logprobs=shifted", Endpoint.CHAT, Scoring.TOP, "writes “8” at temperature 0"),
        ("logprobs=shifted", Endpoint.COMPLETIONS, Scoring.ECHO, "cannot be relied on"),
        ("echo=shifted", Endpoint.COMPLETIONS, Scoring.ECHO, "when it repeats the same text"),
    ],
)
def test_ignored_and_wrong_log_probabilities_are_refused(
    switches: str, endpoint: Endpoint, scoring: Scoring, why_not: str, tiny_server: ServerUrl
) -> None:
    async def use(line: ServerClient) -> Proof:
        proof = await prove(line, endpoint)
        requests = line.requests
        with pytest.raises(Unsupported) as refused:
            await score(line, endpoint, proof, asked("Q:", (" 8", " 6")))
        assert str(refused.value) == proof.why_not
        assert line.requests == requests
        return proof

    proof = on_line(tiny_server(switches), use)
    assert (proof.scoring, proof.right) == (scoring, False)
    assert why_not in proof.why_not
    assert proof.why_not.endswith("need another server or a local model.")


@pytest.mark.parametrize("status", [401, 404, 429, 503])
def test_an_error_that_says_nothing_about_log_probabilities_proves_nothing(
    status: int, tiny_server: ServerUrl
) -> None:
    """Given a server that is away just now, then it is not said to give none."""
    with pytest.raises(APIStatusError) as error:
        on_line(tiny_server(f"down={status}"), lambda line: prove(line, Endpoint.CHAT))
    assert error.value.status_code == status


# The model behind its interface


def test_many_likelihoods_through_the_model_are_those_of_the_local_model(
    tiny_server: ServerUrl, tiny_model: LocalModel
) -> None:
    model = ServerModel("tiny", Access((tiny_server(),), Endpoint.COMPLETIONS, at_once=8))
    requests = [
        asked(f"Q: {QUESTION.format(ben, more)}\nA: {CUE} ", (str(ben + more), str(ben - more)))
        for ben in range(10, 40, 3)
        for more in (2, 5, 7)
    ]
    given = dict(model.likelihood(requests))
    expected = dict(tiny_model.likelihood(requests))
    assert given.keys() == expected.keys()
    for index, result in expected.items():
        assert isinstance(result, Likelihood)
        same(given[index], result)


def test_a_model_whose_server_was_found_wrong_fails_every_likelihood_with_the_reason(
    tiny_server: ServerUrl,
) -> None:
    model = ServerModel("tiny", Access((tiny_server("logprobs=shifted"),), Endpoint.COMPLETIONS))
    for _, result in model.likelihood([asked("Q: Ana has", (" 5", " 6"))] * 2):
        assert isinstance(result, Failure)
        assert result.stops_run
        assert "cannot be relied on" in result.reason


# Reading what servers send


pieces = st.lists(
    st.text(st.characters(exclude_characters="<\ufffd"), min_size=1, max_size=4),
    min_size=1,
    max_size=12,
).filter(lambda tokens: not "".join(tokens).isspace())


def echo(tokens: list[str], text: str, places: list[int] | None) -> dict[str, Any]:
    numbers = [None, *(-float(at) for at in range(1, len(tokens)))]
    columns = {"tokens": tokens, "token_logprobs": numbers, "text_offset": places}
    return {"text": text, "logprobs": columns}


@given(pieces, st.sampled_from(["", "<s>"]), st.text(max_size=3), st.booleans(), st.booleans())
def test_echoed_tokens_make_up_the_text_that_was_sent(
    tokens: list[str], front: str, written: str, placed: bool, counted: bool
) -> None:
    text = "".join(tokens)
    everything = [*([front] if front else []), *tokens, written]
    start = 0 if counted else -len(front)
    places = [start + len("".join(everything[:at])) for at in range(len(everything))]
    choice = echo(everything, text + written, places if placed else None)
    read = read_echo(choice, text)
    assert [token.text for token in read] == tokens
    assert "".join(text[token.start : token.end] for token in read) == text


def test_part_of_a_character_is_placed_by_its_neighbours() -> None:
    choice = echo(["a", "bytes:\\xc3", "bytes:\\xa9", "b", "!"], "aéb!", [0, 1, 2, 2, 3])
    read = read_echo(choice, "aéb")
    assert [(token.start, token.end) for token in read] == [(0, 1), (1, 2), (2, 2), (2, 3)]


@pytest.mark.parametrize(
    ("tokens", "places", "reason"),
    [
        (["a ", "c", "d"], [0, 2, 3], "do not make up the text"),
        (["b", "!", "?"], [0, 1, 2], "do not make up the text"),
        (["a", " b", "!"], [0, "x", 3], "no numbers"),
    ],
)
def test_tokens_that_are_not_the_text_are_not_believed(
    tokens: list[str], places: list[Any], reason: str
) -> None:
    with pytest.raises(Wrong, match=reason):
        read_echo(echo(tokens, "a b!", places), "a b")


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"text": "a b", "logprobs": None},
        {"text": "a b", "logprobs": {"tokens": [], "token_logprobs": []}},
        echo(["!", "?"], "!?", [0, 1]),
        {"text": "a b!", "logprobs": {"tokens": ["a", " b", "!"], "token_logprobs": [None] * 3}},
    ],
)
def test_an_answer_without_echo_is_told_from_a_wrong_one(choice: dict[str, Any]) -> None:
    with pytest.raises(NotGiven):
        read_echo(choice, "a b")


@pytest.mark.parametrize("bad", [math.nan, 0.5, "-1", True])
def test_numbers_that_are_no_log_probabilities_are_not_believed(bad: Any) -> None:
    rows = {"content": [{"top_logprobs": [{"token": "a", "logprob": bad}]}]}
    with pytest.raises(Wrong):
        read_first_alternatives({"logprobs": rows})
    columns = {"tokens": ["a", "b"], "token_logprobs": [None, bad]}
    with pytest.raises(Wrong):
        read_echo({"text": "ab", "logprobs": columns}, "ab")


def test_both_shapes_of_alternatives_are_read_best_first() -> None:
    rows = [{"token": "b", "logprob": -2.0}, {"token": "a", "logprob": -1.0}]
    by_rows = read_first_alternatives({"logprobs": {"content": [{"top_logprobs": rows}]}})
    by_columns = read_first_alternatives({"logprobs": {"top_logprobs": [{"b": -2.0, "a": -1.0}]}})
    assert list(by_rows.items()) == list(by_columns.items()) == [("a", -1.0), ("b", -2.0)]


def test_alternatives_of_more_than_the_whole_probability_are_not_believed() -> None:
    with pytest.raises(Wrong, match="add up to more than 1"):
        read_first_alternatives({"logprobs": {"top_logprobs": [{"a": -0.1, "b": -0.2}]}})


# Adding up and looking up


def tokens_of(text: str, cuts: set[int]) -> tuple[EchoedToken, ...]:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    return tuple(
        EchoedToken(text[start:end], start, end, None if start == 0 else -float(end - start))
        for start, end in pairwise(places)
    )


@given(
    st.text("ab ", min_size=3, max_size=8),
    st.lists(st.tuples(st.text("ab ", min_size=1, max_size=4), st.booleans()), min_size=1),
    st.sets(st.integers(1, 7)),
)
def test_what_is_added_up_starts_at_one_place_for_all(
    prompt: str, continuations: list[tuple[str, bool]], cuts: set[int]
) -> None:
    """Given texts cut into tokens, in some of which a token crosses the border.

    Then the shared beginning is the one that is found for local models.
    """
    border = len(prompt)
    before = {cut for cut in cuts if cut < border} | {1}
    texts = [
        tokens_of(prompt + text, before | ({border} if cut else set()))
        for text, cut in continuations
    ]
    alone = [token.text for token in tokens_of(prompt, before)]
    _, endings = split_at_shared_beginning(
        list(map(hash, alone)), [[hash(token.text) for token in tokens] for tokens in texts]
    )
    assert add_up(border, texts).tokens == tuple(map(len, endings))


@pytest.mark.parametrize(
    ("listed", "asked_for", "expected"),
    [
        ({"A": -0.1, "B": -3.0}, ("A", "B"), (-0.1, -3.0)),
        ({"A": -0.1, "B": -3.0}, (" A", " B"), (-0.1, -3.0)),
        ({" A": -0.1, " B": -3.0}, ("A", "B"), (-0.1, -3.0)),
        ({"A": -1.0, "B": -2.0, " A": -7.0, " B": -6.0}, (" A", " B"), (-1.0, -2.0)),
        ({"A": -1.0, " A": -3.0, " B": -4.0}, ("A", "B"), (-3.0, -4.0)),
    ],
)
def test_a_turn_is_looked_up_in_one_spelling(
    listed: dict[str, float], asked_for: tuple[str, ...], expected: tuple[float, ...]
) -> None:
    assert look_up(listed, asked_for, in_turn=True) == expected


@pytest.mark.parametrize(
    ("listed", "asked_for", "in_turn"),
    [
        ({"A": -0.1, "B": -3.0}, (" A", " B"), False),
        ({"A": -1.0, " B": -2.0}, ("A", "B"), True),
        ({"A": -1.0, " B": -2.0}, (" A", "B"), True),
        ({"1": -1.0, "2": -2.0}, ("15", "21"), True),
    ],
)
def test_spellings_are_never_mixed(
    listed: dict[str, float], asked_for: tuple[str, ...], in_turn: bool
) -> None:
    with pytest.raises(Unscorable, match="is not among the"):
        look_up(listed, asked_for, in_turn=in_turn)
