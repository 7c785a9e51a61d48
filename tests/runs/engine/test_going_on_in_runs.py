"""Runs whose responses are cut off: by a real tiny model, and by servers on loopback."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from biaslab.models import (
    Access,
    Completion,
    Endpoint,
    Failure,
    FailureKind,
    GenerationRequest,
    ModelForm,
    ModelIdentity,
    open_model,
)
from biaslab.models.local.model import LocalModel
from biaslab.models.server.capabilities import Capabilities, EndpointReport, Thinking
from biaslab.runs import RunOptions, RunStatus, Store, change_options, prepare, run_here
from biaslab.runs.engine.ask import MOST_THOUGHT, Asker, RunAnswer
from biaslab.runs.errors import RunError
from biaslab.runs.library.connections import THINKING_TOKENS, Connection, length_for, remember
from biaslab.runs.rereading import asked_otherwise, reread
from biaslab.runs.store.options import read_options, write_options
from biaslab.stats import effect_warnings, effects
from biaslab.studies import Design, experiment
from biaslab.studies.strategies import AS_BEFORE, GO_ON, Length, continuation, join
from tests.runs.simulation import (
    Behaviour,
    SimulatedModel,
    SimulatedServer,
    SumStudy,
    simulated_sources,
)
from tests.servers.faulty import SERVED, FaultyServer, answer
from tests.servers.fixtures import ServerUrl

if TYPE_CHECKING:
    from tests.servers.faulty import Asked

ROWS = "SELECT item, sample, state, value, reason, responses FROM answers WHERE run = ?"


def rows(store: Store, run: str) -> list[dict[str, Any]]:
    with store.reading() as database:
        return [dict(row) for row in database.query(f"{ROWS} ORDER BY item", [run])]


# A real transformer, trained and opened by this project.


@pytest.mark.parametrize("strategy", ["direct", "cot"])
def test_a_greedy_model_that_goes_on_writes_what_one_longer_request_gives(strategy: str) -> None:
    model = open_model("tiny", device="cpu")
    study = experiment("consistency")
    way = next(each for each in study.strategies if each.name == strategy)
    items = [pair.x for pair in study.pairs(Design(study.name, 8, 1, {"steps": "1-3"}))]
    asked = [way.next_request(item, (), ModelForm.BASE) for item in items]
    requests = [each for each in asked if isinstance(each, GenerationRequest)]
    long = _written(model, requests)
    assert {each.finish for each in long} == {"stop"}
    for size in (3, 5, 8):
        short = [_of(request, size) for request in requests]
        parts: list[list[Completion]] = [[each] for each in _written(model, short)]
        for _ in range(40):
            left = [at for at, each in enumerate(parts) if join(each).finish == "length"]
            going = [continuation(short[at], parts[at], in_turns=False) for at in left]
            for at, part in zip(left, _written(model, going), strict=True):
                parts[at].append(part)
        stops = requests[0].sampling.stop
        assert [join(each, stops).text for each in parts] == [each.text for each in long]
        assert max(map(len, parts)) > 1 or size > max(each.tokens_out for each in long)


def _of(request: GenerationRequest, tokens: int) -> GenerationRequest:
    return replace(request, sampling=replace(request.sampling, max_new_tokens=tokens))


def _written(model: Any, requests: Sequence[GenerationRequest]) -> list[Completion]:
    assert isinstance(model, LocalModel)
    found = dict(model.generate(requests))
    results = [found[at] for at in range(len(requests))]
    assert all(isinstance(each, Completion) for each in results), results
    return [each for each in results if isinstance(each, Completion)]


def test_a_run_of_a_real_model_that_is_cut_off_comes_to_the_answers_of_one_that_is_not(
    store: Store,
) -> None:
    """Before: nearly nothing could be read at so few tokens. After: all that can be."""
    design = Design("consistency", 10, 1, {"steps": "1-2"})
    runs = {}
    for name, length in (
        ("whole", Length(go_on=0)),
        ("before", Length(5, go_on=0)),
        ("after", Length(5, go_on=20)),
    ):
        runs[name] = prepare(store, design, "tiny", "cot", options=RunOptions(length=length))
        assert run_here(store, runs[name]).status is RunStatus.FINISHED
    values = {name: [row["value"] for row in rows(store, run)] for name, run in runs.items()}
    assert values["after"] == values["whole"]
    assert values["before"] != values["whole"]
    parts = [len(json.loads(row["responses"])) for row in rows(store, runs["after"])]
    assert min(parts) > 2


# Models that write as they are described.


@dataclass
class Cut(SimulatedModel):
    """A simulated model that may write three words at a time, and goes on as it began.

    Attributes:
        words: before its sum.
        never: sums with this second number stay without an answer.
    """

    words: int = 6
    never: int = -1

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        for index, request in enumerate(requests):
            prompt = request.messages[-1].content
            self.asked.append(prompt)
            first, second = map(int, re.findall(r"\d+", prompt)[:2])
            begun = len(re.split(r"So:|\?", prompt)[-1].split())
            most = 999 if second == self.never else self.words
            said = [*["on"] * most, str(first + second)][begun : begun + 3]
            finish = "stop" if begun + 3 > most else "length"
            yield index, Completion("".join(f" {word}" for word in said), finish, 5, 3, 0.01)


@dataclass
class CutServer(Cut, SimulatedServer):
    """The same as a server, which answers requests on their own."""


def _cut_run(store: Store, model: Cut, strategy: str = "direct", **how: Any) -> str:
    sources = simulated_sources(model)
    options = RunOptions(**how)
    run = prepare(
        store, Design("sums", 6, 1), model.behaviour.spec, strategy, options=options,
        sources=sources,
    )  # fmt: skip
    run_here(store, run, sources=sources, pauses=())
    return run


@pytest.mark.parametrize("kind", [Cut, CutServer])
@pytest.mark.parametrize("strategy", ["direct", "two"])
def test_both_askers_ask_to_go_on(store: Store, kind: type[Cut], strategy: str) -> None:
    run = _cut_run(store, kind(Behaviour()), strategy, samples=1)
    record = store.run(run)
    assert (record.answered, record.invalid, record.failed) == (12, 0, 0)
    assert {row["state"] for row in rows(store, run)} == {"answered"}
    assert record.asked == 12 * 3 * (2 if strategy == "two" else 1)


@pytest.mark.parametrize("kind", [Cut, CutServer])
def test_what_never_comes_to_an_answer_is_missing_and_not_wrong(
    store: Store, kind: type[Cut]
) -> None:
    run = _cut_run(store, kind(Behaviour(), never=14))
    record = store.run(run)
    assert (record.answered, record.invalid, record.failed) == (11, 0, 1)
    (failure,) = store.failures(run)
    assert "Cut off at 16 tokens before an answer could be read" in failure.reason
    assert "asked to go on 3 times" in failure.reason
    (row,) = [row for row in rows(store, run) if row["state"] == "failed"]
    assert len(json.loads(row["responses"])) == 4
    (effect,) = effects(store.outcomes([run]))
    assert (effect.n, effect.failed, effect.cate) == (5, 1, 0.0)
    assert effect.missing is not None
    assert (effect.missing.x, effect.missing.x_prime) == (0, 1)
    assert effect.missing.if_right == 0.0
    assert effect.missing.if_wrong == pytest.approx(1 / 6)
    (warning,) = effect_warnings([effect])
    assert "If all missing answers were right the difference would be 0.0 points" in warning
    assert "if all were wrong +16.7" in warning
    # Asked again it costs nothing, until it may go on more often.
    again = kind(Behaviour(), never=14)
    run_here(store, run, sources=simulated_sources(again), pauses=())
    assert again.asked == []


def test_nobody_gives_up_on_a_model_that_is_cut_off_again_and_again(store: Store) -> None:
    model = Cut(Behaviour(), words=99)
    sources = simulated_sources(model)
    run = prepare(store, Design("sums", 40, 1), model.behaviour.spec, "direct", sources=sources)
    record = run_here(store, run, sources=sources, pauses=())
    assert (record.status, record.failed) == (RunStatus.FINISHED, 80)


def test_a_run_of_before_goes_on_as_it_began(store: Store) -> None:
    """Its options say nothing of how much may be written."""
    model = Cut(Behaviour(), words=99)
    run = _cut_run(store, model)
    with store.writing() as connection:
        (options,) = connection.execute("SELECT options FROM runs").fetchone()
        old = json.loads(options)
        del old["length"]
        connection.execute("UPDATE runs SET options = ?", [json.dumps(old)])
        connection.execute("DELETE FROM answers")
    assert store.run(run).options.length == AS_BEFORE == read_options("{}", 1).length
    again = Cut(Behaviour(), words=99)
    record = run_here(store, run, sources=simulated_sources(again), pauses=())
    assert (record.status, again.asked) == (RunStatus.FINISHED, [])
    assert {row["state"] for row in rows(store, run)} == {"invalid"}
    assert {len(json.loads(row["responses"])) for row in rows(store, run)} == {1}


def test_options_are_kept_as_they_are() -> None:
    for length in (Length(), AS_BEFORE, Length(4096, 7)):
        assert read_options(write_options(RunOptions(length=length)), 1).length == length
    for wrong in (Length(0), Length(10**9), Length(go_on=-1), Length(go_on=99)):
        with pytest.raises(RunError, match="Choose another number"):
            RunOptions(length=wrong)


@pytest.mark.parametrize("strategy", ["direct", "two"])
def test_a_run_that_went_on_is_read_again(store: Store, strategy: str) -> None:
    run = _cut_run(store, Cut(Behaviour()), strategy)
    before = rows(store, run)
    study = SumStudy(reader="sums 2")
    found = reread(store, run, sources=simulated_sources(study=study))
    assert (found.answers, found.changes) == (12, ())
    assert rows(store, run) == before
    detail = store.pair_detail(run, store.pair_rows(run, limit=1)[0].pair)
    assert len(detail.x.exchanges) == 3 * len(detail.x.stages)
    last = detail.x.stages[-1].answered
    assert isinstance(last, Completion)
    assert last.text == f"{' on' * 6} {detail.x.item.answer}"


def test_an_export_has_the_whole_response(store: Store) -> None:
    run = _cut_run(store, Cut(Behaviour()), "two")
    flat = list(store.export_rows(run))
    assert {row["finish"] for row in flat} == {"stop"}
    assert all(row["response"].startswith(" on" * 6) for row in flat)
    assert all(row["prompt"].startswith("What is") for row in flat)


def test_how_much_may_be_written_can_be_raised_and_not_lowered(store: Store) -> None:
    run = _cut_run(store, Cut(Behaviour(), never=14), length=Length(64, 1))
    options = store.run(run).options
    for lower in (Length(32, 1), Length(None, 1), Length(64, 0)):
        with pytest.raises(RunError, match="raised while it"):
            change_options(store, run, replace(options, length=lower))
    change_options(store, run, replace(options, length=Length(128, 5)))
    model = Cut(Behaviour(), words=10)
    record = run_here(store, run, sources=simulated_sources(model), pauses=())
    assert (record.answered, record.failed) == (12, 0)


# Servers on loopback.


@pytest.fixture
def faulty() -> Iterator[FaultyServer]:
    with FaultyServer() as server:
        yield server


def _served_run(store: Store, server: FaultyServer, n: int = 8, **how: Any) -> str:
    access = Access((server.url,), Endpoint.CHAT, SERVED, at_once=2)
    options = RunOptions(access=access, **how)
    return prepare(store, Design("consistency", n, 1), "openai:faulty", "direct", options=options)


def test_a_server_is_told_to_go_on_and_its_turns_are_read_together(
    store: Store, faulty: FaultyServer
) -> None:
    async def twice(asked: Asked) -> Any:
        if asked.prompt == GO_ON:
            return await answer("The answer is 12.")(asked)
        return await answer("We have to find out how ma", finish="length")(asked)

    faulty.always = twice
    record = run_here(store, _served_run(store, faulty, n=2))
    assert (record.answered, record.invalid, record.failed) == (4, 0, 0)
    assert {row["value"] for row in rows(store, record.id)} == {"12"}
    going = [asked.body["messages"] for asked in faulty.asked if asked.prompt == GO_ON]
    assert len(going) == 4
    assert {messages[1]["content"] for messages in going} == {"We have to find out how"}
    assert asked_otherwise(store, record.id) == 0


def test_a_run_that_thinks_in_vain_pauses_and_says_what_to_do(
    store: Store, faulty: FaultyServer
) -> None:
    """All tokens went into thinking; with more of them there are answers."""

    async def thinks(asked: Asked) -> Any:
        if asked.body["max_tokens"] < 2000:
            thought = {"reasoning_content": "Well ..."}
            return await answer("", finish="length", message=thought)(asked)
        return await answer("12")(asked)

    faulty.always = thinks
    run = _served_run(store, faulty)
    record = run_here(store, run)
    assert record.status is RunStatus.PAUSED
    assert f"{MOST_THOUGHT} responses of this run were used up by thinking" in record.message
    assert "The limit of 256 tokens" in record.message
    assert "--max-tokens" in record.message
    assert record.message.endswith("Then resume the run.")
    assert len(faulty.asked) < 16
    options = replace(record.options, length=Length(2000))
    change_options(store, run, options)
    record = run_here(store, run)
    assert (record.status, record.answered) == (RunStatus.FINISHED, 16)


def test_a_model_that_was_seen_to_think_has_room_for_it(store: Store, faulty: FaultyServer) -> None:
    access = Access((faulty.url,), Endpoint.CHAT, SERVED)
    for thinking, longest, expected in (
        (Thinking.NONE, None, None),
        (Thinking.SEPARATE, None, THINKING_TOKENS),
        (Thinking.INSIDE, 3000, 1500),
    ):
        way = EndpointReport(Endpoint.CHAT, works=True, served=SERVED, thinking=thinking)
        tested = Capabilities(
            "faulty", (faulty.url,), True, endpoint=Endpoint.CHAT, served=SERVED, found=(way,),
            longest=longest,
        )  # fmt: skip
        remember(store, Connection("openai:faulty", access, tested))
        assert length_for(store, "openai:faulty", access, Length()).tokens == expected
        assert store.run(_served_run(store, faulty, n=1)).options.length == Length(expected)
        chosen = _served_run(store, faulty, n=1, length=Length(300, 0))
        assert store.run(chosen).options.length == Length(300, 0)


class _Thinks(SimulatedModel):
    """A simulated model that is opened here and never stops to think."""

    @property
    def identity(self) -> ModelIdentity:
        return replace(super().identity, spec="local:/models/thinks", form=ModelForm.CHAT)

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        for index, _ in enumerate(requests):
            yield index, Completion("<think>Well, we have", "length", 5, 9, 0.1)


def test_thinking_within_the_text_that_never_ends_is_that_failure() -> None:
    study = experiment("consistency")
    items = [pair.x for pair in study.pairs(Design("consistency", 3, 1))]
    asker = Asker(study, study.strategies[0], _Thinks(Behaviour()), None, lambda _: {})
    kinds = [
        event.failure.kind
        for event in asker.ask(RunAnswer(item, 0) for item in items)
        if hasattr(event, "failure")
    ]
    assert kinds == [FailureKind.THINKING] * 3


def test_a_real_server_over_a_tiny_model_is_asked_to_go_on(
    store: Store, tiny_server: ServerUrl
) -> None:
    """Shares of answers that were cut off for good: before all, or a fifth; after it none."""
    access = Access((tiny_server(),), Endpoint.COMPLETIONS)
    design = Design("consistency", 15, 1, {"steps": "1-1"})
    for strategy, tokens, least in (("direct", 1, 1.0), ("cot", 4, 0.2)):
        cut_off = {}
        values = {}
        for length in (Length(tokens, 0), Length(tokens, 20), Length(go_on=0)):
            options = RunOptions(access=access, length=length)
            run = prepare(store, design, "openai:tiny", strategy, options=options)
            record = run_here(store, run)
            assert record.status is RunStatus.FINISHED
            cut_off[length] = (record.invalid + record.failed) / record.items_done
            values[length] = [row["value"] for row in rows(store, run)]
        before, after, whole = cut_off
        assert cut_off[before] >= least
        assert values[before] != values[whole]
        assert cut_off[after] == cut_off[whole] == 0
        assert values[after] == values[whole]
