"""Runs: what a run used, why something was sent again or failed, and what to do about a pause."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from biaslab.models import TYPED_KEY, Failure, Sampling
from biaslab.models.prices import Price
from biaslab.models.requests import used_up
from biaslab.runs import Budget, RunOptions, RunStatus, Store, open_store, prepare, run_here
from biaslab.stats import GroupSequential
from biaslab.studies import Design
from biaslab.studies.answers.numeric import NUMBERS_READER
from biaslab.studies.strategies import Length
from tests.ui.conftest import ANSWER, SERVER, Visit, ask_server, links, words

PRICE = Price(
    Decimal("100"), Decimal("200"), "USD", "https://prices.example", datetime.date(2026, 11, 1)
)
KEYED = replace(SERVER, key_env=TYPED_KEY)


@pytest.fixture
def store(empty: Path) -> Store:
    return open_store(empty)


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Mapping[str, str], bool]]:
    """Runs whose workers were started, with environment and whether for failed ones alone."""
    started: list[tuple[str, Mapping[str, str], bool]] = []

    def launch(_path: Path, run: str, environment: Mapping[str, str], *, only_failed: bool) -> None:
        started.append((run, environment, only_failed))

    for module in ("ask.runs", "ask.asking"):
        monkeypatch.setattr(f"biaslab.ui.{module}.launch", launch)
    return started


def _paused(store: Store, budget: Budget, access: object = SERVER) -> str:
    options = RunOptions(access=access, budget=budget, price=PRICE)  # type: ignore[arg-type]
    run = ask_server(store, options=options)
    assert store.run(run).status is RunStatus.PAUSED
    return run


def test_the_record_says_what_was_used(store: Store, visit: Visit) -> None:
    again = replace(ANSWER, retries=("429 too many requests", "time-out"))
    ask_server(store, (ANSWER, again), RunOptions(access=SERVER, price=PRICE))
    shown = words(visit("runs"))
    assert "10 asked for this run, 0 saved from earlier runs" in shown
    assert "600 sent, 100 written" in shown
    assert "0.0800 USD at 100 sent and 200 written for a million tokens" in shown
    assert "https://prices.example, 2026-11-01" in shown


def test_a_run_that_takes_everything_from_earlier_ones_says_so(store: Store, visit: Visit) -> None:
    ask_server(store)
    ask_server(store)
    assert "0 asked for this run, 10 saved from earlier runs" in words(visit("runs"))


def test_reasons_for_sending_again_are_counted(store: Store, visit: Visit) -> None:
    ask_server(store, (replace(ANSWER, retries=("429 too many requests", "time-out")),))
    app = visit("runs")
    (box,) = [box for box in app.expander if box.label == "Why requests were sent again (20)"]
    assert "10 × 429 too many requests" in box.markdown[0].value
    assert "10 × time-out" in box.markdown[0].value


def test_without_a_price_no_cost_is_given(store: Store, visit: Visit) -> None:
    ask_server(store)
    assert "not known: no price was given" in words(visit("runs"))


def test_reasons_for_failing_are_counted_and_failed_ones_asked_again_alone(
    store: Store, visit: Visit, launched: list[tuple[str, Mapping[str, str], bool]]
) -> None:
    refused = Failure("The model refused to answer *this*.", retryable=False)
    run = ask_server(store, (ANSWER, refused))
    app = visit("runs")
    assert "5 problems failed and are not counted as wrong." in app.warning[0].value
    assert "5 × The model refused to answer \\*this\\*." in app.warning[0].value
    assert links(app)["Look at what failed"] == f"items?run={run}&pattern=unfinished"
    app.button(key=f"retry {run}").click().run()
    assert launched == [(run, {}, True)]


def test_a_pause_says_why_and_how_much_of_the_budget_is_used(store: Store, visit: Visit) -> None:
    _paused(store, Budget(requests=4, tokens=5_000, money=Decimal(2)))
    app = visit("runs")
    assert "**Paused**" in app.get("progress")[0].proto.text
    assert "The budget of this run is used up: 4 of 4 requests" in app.warning[0].value
    assert "4 of 4 requests; 280 of 5,000 tokens; 0.0320 USD of 2.00 USD" in words(app)


def test_a_paused_run_goes_on_with_a_larger_budget(
    store: Store, visit: Visit, launched: list[tuple[str, Mapping[str, str], bool]]
) -> None:
    run = _paused(store, Budget(requests=4, money=Decimal(2)))
    app = visit("runs")
    app.number_input(key=f"requests {run}").set_value(50)
    app.text_input(key=f"money {run}").set_value("3,5")
    app.number_input(key=f"at once {run}").set_value(8)
    next(b for b in app.button if b.label == "Resume with these limits").click().run()
    options = store.run(run).options
    assert options.budget == Budget(requests=50, money=Decimal("3.5"))
    assert options.access == replace(SERVER, at_once=8)
    assert launched == [(run, {}, False)]


def test_a_run_that_thought_in_vain_goes_on_with_more_tokens(
    store: Store, visit: Visit, launched: list[tuple[str, Mapping[str, str], bool]]
) -> None:
    run = ask_server(store, (used_up(256),), n=8)
    app = visit("runs")
    assert "10 responses of this run were used up by thinking" in app.warning[0].value
    assert "Raise the most tokens of a response" in app.warning[0].value
    app.number_input(key=f"length {run}").set_value(4096)
    next(b for b in app.button if b.label == "Resume with these limits").click().run()
    assert store.run(run).options.length == Length(4096)
    assert launched == [(run, {}, False)]
    words_after = words(visit("runs"))
    assert "4,096 tokens at most for each response" in words_after
    assert "what is cut off is asked to go on up to 3 times" in words_after


def test_a_limit_that_is_no_amount_changes_nothing(
    store: Store, visit: Visit, launched: list[tuple[str, Mapping[str, str], bool]]
) -> None:
    run = _paused(store, Budget(requests=4))
    before = store.run(run).options
    app = visit("runs")
    app.text_input(key=f"money {run}").set_value("much")
    next(b for b in app.button if b.label == "Resume with these limits").click().run()
    assert "is no amount of money" in app.error[0].value
    assert store.run(run).options == before
    assert not launched


def test_a_typed_key_is_asked_for_before_a_run_goes_on(
    store: Store, visit: Visit, launched: list[tuple[str, Mapping[str, str], bool]]
) -> None:
    run = _paused(store, Budget(requests=4), KEYED)
    app = visit("runs")
    assert app.button(key=f"resume {run}").disabled
    app.text_input(key=f"key {run}").set_value("sk-planted").run()
    assert "planted" not in words(app) + str(dict(app.query_params))
    app.button(key=f"resume {run}").click().run()
    assert launched == [(run, {TYPED_KEY: "sk-planted"}, False)]


@pytest.mark.usefixtures("launched")
def test_failed_ones_can_be_retried_alone_while_others_are_open(store: Store, visit: Visit) -> None:
    refused = Failure("The model refused to answer.", retryable=False)
    options = RunOptions(access=SERVER, budget=Budget(requests=4))
    run = ask_server(store, (ANSWER, refused), options)
    record = store.run(run)
    assert (record.status, record.failed > 0) == (RunStatus.PAUSED, True)
    app = visit("runs")
    assert app.button(key=f"resume {run}").label == "Resume"
    retry = app.button(key=f"retry {run}")
    assert retry.label == f"Retry {record.failed} failed problems alone"


def test_a_run_that_stopped_early_says_how_many_were_enough(store: Store, visit: Visit) -> None:
    options = RunOptions(stopping=GroupSequential(looks=10, at_most=1000))
    design = Design("consistency", 1000, 1, {"steps": "1-2"})
    run = prepare(store, design, "learner:halfway", "direct", options=options)
    record = run_here(store, run)
    assert record.enough is not None
    app = visit("runs")
    bar = app.get("progress")[0].proto
    assert bar.text == f"**Finished early** · {record.enough} of 1,000 pairs were enough"
    assert bar.value == 100
    assert f"Looks of the rule for stopping early ({len(record.looks)})" in [
        box.label for box in app.expander
    ]
    shown = words(app)
    assert f"After {record.enough} pairs" in shown
    assert "the effect is clear" in shown
    assert ">needless</span>" in shown


def test_repeats_are_counted_as_answers_to_problems(store: Store, visit: Visit) -> None:
    ask_server(store, options=RunOptions(samples=3, access=SERVER), sampling=Sampling(64, 0.7))
    app = visit("runs")
    assert "30 of 30 answers (3 to 10 problems)" in app.get("progress")[0].proto.text
    assert "each problem is asked 3 times" in words(app)


def test_a_batch_with_the_server_is_told_with_its_age(store: Store, visit: Visit) -> None:
    options = RunOptions(access=SERVER, batch_api=True)
    design = Design("consistency", 5, 1)
    run = prepare(store, design, "openai:small", "direct", options=options)
    with store.writing() as connection:
        connection.execute(
            "INSERT INTO batches (id, run, server_id, status, requests, created, message)"
            " VALUES ('b', ?, 'batch_7', 'submitted', 10, '2026-11-21T03:12:00Z', 'Half done.')",
            (run,),
        )
    app = visit("runs")
    assert "A batch of 10 requests has been with the server since 21 Nov 2026, 03:12" in words(app)
    assert "(batch_7). Half done." in words(app)


def test_where_and_how_a_server_was_asked_is_kept_in_words(store: Store, visit: Visit) -> None:
    ask_server(store, options=RunOptions(access=KEYED))
    shown = words(visit("runs"))
    assert "http://localhost:8000/v1; 32 requests at most at once" in shown
    assert "Language model: small" in shown


def test_a_run_is_read_in_the_published_way_and_back(store: Store, visit: Visit) -> None:
    run = prepare(store, Design("carry", 2, 1), "learner:perfect", "direct")
    run_here(store, run)
    app = visit("runs")
    app.button(key=f"reread {run} published 1").click().run()
    assert not app.exception
    assert "read again by “published 1”" in app.success[0].value
    assert store.run(run).reader == "published 1"
    app.button(key=f"reread {run} {NUMBERS_READER}").click().run()
    assert store.run(run).reader == NUMBERS_READER
