"""A server proves that it goes on from the model's last message, and how much it may think."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from biaslab.models.provider import Access, Continuing, Endpoint, ThinkingSwitch, why_no_level
from biaslab.models.requests import Sampling, ThinkingLevel
from biaslab.models.server.capabilities import Capabilities
from biaslab.models.server.probe.probing import probe
from biaslab.models.server.request.client import Patience
from biaslab.runs import RunOptions, RunStatus, open_store, prepare, run_here
from biaslab.runs.errors import UnfitModel
from biaslab.stats import compare
from biaslab.studies import Design, experiment
from tests.conftest import DEADLINE
from tests.servers.faulty import Asked, FaultyServer, content, status

PATIENT = Patience(connect=DEADLINE, silence=DEADLINE, deadline=DEADLINE, attempts_more=0)
DESIGN = Design("consistency", 3, 1, {"steps": "1-1"})


def probed(server: FaultyServer) -> Capabilities:
    found = probe("faulty", (server.url,), endpoint=Endpoint.CHAT, patience=PATIENT)
    assert found.ok, found.problems
    return found


def simulated(
    way: Continuing | None = None, new_turn: str = "", switch: str = "", *, repeats: bool = False
) -> Any:
    """A server in whose place a real one may be: what it does is written here.

    Args:
        way: what it needs to go on from the model's last message; None: it never does.
        new_turn: what it says in a turn of its own then, with ``{word}``, ``{number}`` and
            ``{copy}``, its last message done to the end; "": an error.
        switch: a `ThinkingSwitch`, ``always`` the same thinking, ``strict`` (an error for what it
            does not know), or none at all.
        repeats: whether it sends what was begun in front of the rest, as llama.cpp does.
    """

    async def does(asked: Asked) -> Response:
        body, last = asked.body, asked.body["messages"][-1]
        if switch == "strict" and {"chat_template_kwargs", "reasoning_effort"} & set(body):
            return await status(400, {"message": "Unknown parameter."})(asked)
        if last["role"] == "assistant":
            return await _continued(asked, last)
        thinking = {"reasoning_content": "so " * _length(body, last["content"])}
        return JSONResponse(content(asked, "The answer is 8.", message=thinking))

    async def _continued(asked: Asked, last: dict[str, Any]) -> Response:
        order = asked.body["messages"][0]["content"]
        told = {
            Continuing.UNTOLD: True,
            Continuing.FLAGS: asked.body.get("continue_final_message") is True
            and asked.body.get("add_generation_prompt") is False,
            Continuing.PREFIX: last.get("prefix") is True,
        }
        found = re.search(r"the word (\w+)\..*: ([\d-]+)", order)
        begun = last["content"]
        rest = found[2].removeprefix(begun.split()[-1]) if found else " 7."
        if way is not None and told[way]:
            return JSONResponse(content(asked, f"{begun if repeats else ''}{rest}"))
        if not new_turn:
            return await status(400, {"message": "The last message must be a user's."})(asked)
        words = {"word": found[1], "number": found[2]} if found else {"word": "", "number": ""}
        said = new_turn.format(**words, copy=f"{begun}{rest}").split()
        # No token is more than a word here, and none is written beyond the limit.
        return JSONResponse(content(asked, " ".join(said[: asked.body["max_tokens"]])))

    def _length(body: dict[str, Any], asked: str) -> int:
        template = body.get("chat_template_kwargs", {}).get("enable_thinking", True)
        effort = {"low": 4, "high": 40}.get(body.get("reasoning_effort", ""), 12)
        lengths = {"template": 12 * template, "always": 12, "effort": effort}
        lengths["words"] = 0 if asked.endswith("/no_think") else 12
        return int(lengths.get(switch, 0))

    return does


def test_a_server_that_goes_on_is_found_with_what_it_needs(server: FaultyServer) -> None:
    for way in Continuing:
        for repeats in (False, True):
            server.forget()
            server.always = simulated(way, "{word} {number}", repeats=repeats)
            assert probed(server).chosen.continuing is way


def test_a_server_that_begins_anew_or_refuses_is_not_believed(server: FaultyServer) -> None:
    anew = ("{word} {number}", "{number}", "{copy}", "You are welcome! Anything else?", "")
    for new_turn in anew:
        server.forget()
        server.always = simulated(None, new_turn)
        assert probed(server).chosen.continuing is None, new_turn


def test_a_switch_of_thinking_is_found_by_what_it_does(server: FaultyServer) -> None:
    for switch in (*ThinkingSwitch, "always", "strict", ""):
        server.forget()
        server.always = simulated(switch=switch)
        wanted = ThinkingSwitch(switch) if switch in list(ThinkingSwitch) else None
        found = probed(server)
        assert found.chosen.switch is wanted, switch
        assert Capabilities.of_json(found.as_json()) == found


def test_levels_that_a_server_cannot_be_told_are_refused_in_a_sentence() -> None:
    refused = {
        (switch, level)
        for switch in (None, *ThinkingSwitch)
        for level in ThinkingLevel
        if why_no_level(switch, level)
    }
    assert refused == {
        *((None, level) for level in ThinkingLevel),
        (ThinkingSwitch.EFFORT, ThinkingLevel.OFF),
        (ThinkingSwitch.TEMPLATE, ThinkingLevel.SHORT),
        (ThinkingSwitch.WORDS, ThinkingLevel.SHORT),
    }


def test_a_begun_answer_is_read_as_the_rest_of_its_sentence(
    server: FaultyServer, tmp_path: Path
) -> None:
    access = Access((server.url,), Endpoint.CHAT, "faulty-1", continuing=Continuing.FLAGS)
    for repeats in (False, True):
        server.always = simulated(Continuing.FLAGS, repeats=repeats)
        with open_store(tmp_path / f"{repeats}.db") as store:
            run = prepare(
                store, DESIGN, "openai:faulty", "direct-begun", options=RunOptions(access=access)
            )
            record = run_here(store, run)
            assert (record.status, record.invalid, record.failed) == (RunStatus.FINISHED, 0, 0)
            member = store.pair_detail(run, store.outcomes([run])["pair"][0]).x
            assert member.responses[0].text == " 7."
            assert (member.reading.value, member.reading.rule) == ("7", "first number")
    assert {asked.prompt for asked in server.asked} == {"The answer (Arabic numerals) is"}


def test_the_level_of_thinking_is_sent_and_is_another_way_of_asking(
    server: FaultyServer, tmp_path: Path
) -> None:
    server.always = simulated(switch="effort")
    access = Access((server.url,), Endpoint.CHAT, "faulty-1", switch=ThinkingSwitch.EFFORT)
    with open_store(tmp_path / "runs.db") as store:
        runs = [
            prepare(
                store,
                DESIGN,
                "openai:faulty",
                "direct",
                Sampling(4096, thinking=ThinkingLevel(level)),
                options=RunOptions(access=access),
            )
            for level in ("short", "long")
        ]
        records = [run_here(store, run) for run in runs]
        # Not one answer of the first run is taken over by the second.
        assert [(each.asked, each.cached) for each in records] == [(6, 0), (6, 0)]
        ways = store.outcomes(runs)["strategy"].unique().tolist()
    assert ways == ["direct, thinking short", "direct, thinking long"]
    sent = [(a.body["reasoning_effort"], a.body["max_tokens"]) for a in server.asked]
    assert set(sent[:6]) == {("low", 256 + 256)}
    assert set(sent[6:]) == {("high", 256 + 4096)}


def test_two_levels_are_compared_on_the_same_pairs(server: FaultyServer, tmp_path: Path) -> None:
    pairs = list(experiment("consistency").pairs(replace(DESIGN, n=12)))
    right = {item.text: item.answer for pair in pairs for item in (pair.x, pair.x_prime)}
    turned = {pair.x_prime.text for pair in pairs}
    access = Access((server.url,), Endpoint.CHAT, "faulty-1", switch=ThinkingSwitch.EFFORT)
    # A server that errs on x' with little thinking alone, and one that errs whatever it hears.
    for heeds, difference in ((True, -1.0), (False, 0.0)):

        async def does(asked: Asked, heeds: bool = heeds) -> Response:
            text = asked.prompt.split("\n\n")[0]
            errs = text in turned and (asked.body["reasoning_effort"] == "low" or not heeds)
            return JSONResponse(content(asked, "99999" if errs else right[text]))

        server.always = does
        with open_store(tmp_path / f"{heeds}.db") as store:
            runs = [
                prepare(
                    store, replace(DESIGN, n=12), "openai:faulty", "direct",
                    Sampling(4096, thinking=level), options=RunOptions(access=access),
                )
                for level in (ThinkingLevel.LONG, ThinkingLevel.SHORT)
            ]  # fmt: skip
            for run in runs:
                run_here(store, run)
            found = compare(store.outcomes(runs)).findings
        row = next(each for each in found if each.question == "effect-difference")
        assert row.estimate == difference
        assert row.n == 12
        assert row.ci_low is not None
        assert row.ci_high is not None
        assert row.ci_low <= difference <= row.ci_high
        assert (row.ci_high < 0) is heeds


def test_what_a_model_cannot_be_asked_is_refused_before_anything_is(
    server: FaultyServer, tmp_path: Path
) -> None:
    unproved = Access((server.url,), Endpoint.CHAT, "faulty-1")
    proved = Access(
        (server.url,), Endpoint.CHAT, "faulty-1", continuing=Continuing.UNTOLD,
        switch=ThinkingSwitch.TEMPLATE,
    )  # fmt: skip
    cases = (
        (unproved, "openai:faulty", "direct-begun", None, "did not prove that it does"),
        (unproved, "openai:faulty", "direct", "off", "found no way to say"),
        (proved, "openai:faulty", "direct", "short", "Choose off or long"),
        (proved, "openai:faulty", "cot-begun", "long", "leaves no room to think"),
        (Access(), "learner:careless", "direct", "off", "no thinking to be switched"),
    )
    with open_store(tmp_path / "runs.db") as store:
        for access, model, strategy, level, why in cases:
            sampling = None if level is None else Sampling(thinking=ThinkingLevel(level))
            with pytest.raises(UnfitModel, match=why):
                prepare(store, DESIGN, model, strategy, sampling, options=RunOptions(access=access))
        assert store.runs() == []
    assert server.asked == []
