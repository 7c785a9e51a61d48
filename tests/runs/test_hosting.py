"""What hosts may have asked: listed models, so much and no more."""

from __future__ import annotations

import datetime
import shutil
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from biaslab.models import Access, GenerationRequest, Message, identify
from biaslab.models.prices import Price
from biaslab.models.tiny.model import DEFAULT_NAME, TINY_MODELS
from biaslab.runs import (
    Budget,
    RunOptions,
    RunStatus,
    Store,
    hosting,
    launch,
    prepare,
    run_here,
    stop,
)
from biaslab.runs.hosting import (
    LIMITS,
    MODELS_VARIABLE,
    MOST_PAIRS,
    HostLimit,
    why_not_listed,
    within_limits,
)
from biaslab.runs.jobs.one_off import ask_in_background
from biaslab.runs.jobs.plans import launch_plan
from biaslab.runs.jobs.queue import JobKind, QueuedWork, in_turn
from biaslab.studies import Design
from biaslab.system import roles
from biaslab.system.roles import NotAllowed, Role
from tests.conftest import wait_for

HERE = "http://localhost:8000/v1"
SERVER = Access((HERE,))
DESIGN = Design("carry", 3, 1)
LIMITS_OF_1000 = Budget(LIMITS.requests, LIMITS.tokens, Decimal(1000))


@pytest.fixture(autouse=True)
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(MODELS_VARIABLE, raising=False)
    roles.known_by(lambda: Role.HOST, lambda: "anna")
    yield
    roles.known_by(lambda: Role.HERE)


@pytest.mark.parametrize("spec", ["learner:shy", "tiny", "tiny:balanced"])
def test_what_comes_along_may_be_asked(spec: str) -> None:
    assert not why_not_listed(spec)


@pytest.mark.parametrize(
    ("spec", "access"),
    [
        ("local:/etc", Access()),
        ("local:../../home", Access()),
        ("tiny:../../elsewhere", Access()),
        ("openai:gpt-5", Access()),
        ("openai:small", SERVER),
        ("openai:small", Access(("http://169.254.169.254/v1",))),
        ("openai:small", Access((HERE, "http://10.0.0.1/v1"))),
    ],
)
def test_nothing_else_may_be_asked_until_it_is_listed(
    spec: str, access: Access, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    with pytest.raises(NotAllowed, match="not among the models that hosts may ask"):
        prepare(store, DESIGN, spec, "direct", options=RunOptions(access=access))
    with pytest.raises(NotAllowed):
        list(ask_in_background(spec, access, [GenerationRequest("1+1?")]))
    assert store.runs() == []
    urls = access.base_urls or ("https://api.openai.com/v1",)
    names = [f"{spec}@{url}" for url in urls] if spec.startswith("openai:") else [spec]
    monkeypatch.setenv(MODELS_VARIABLE, ", ".join(names))
    assert not why_not_listed(spec, access)


def test_a_listed_model_is_asked_at_its_own_address_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, f"openai:small@{HERE}")
    assert not why_not_listed("openai:small", SERVER)
    assert why_not_listed("openai:other", SERVER)
    assert why_not_listed("openai:small", Access(("http://localhost:8001/v1",)))


def test_a_listed_directory_may_be_asked_by_what_it_is_called_in_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = shutil.copytree(TINY_MODELS / DEFAULT_NAME, tmp_path / "listed")
    other = shutil.copytree(TINY_MODELS / "skewed", tmp_path / "other")
    called, unlisted = (identify(f"local:{path}").spec for path in (listed, other))
    assert str(tmp_path) not in called
    monkeypatch.setenv(MODELS_VARIABLE, f"local:{listed}, local:{tmp_path / 'gone'}")
    assert not why_not_listed(called)
    assert why_not_listed(unlisted)
    assert why_not_listed(f"local:{other}")


def test_a_run_of_a_host_has_limits_whatever_they_choose(store: Store) -> None:
    run = prepare(
        store, DESIGN, "learner:shy", "direct", options=RunOptions(budget=Budget(requests=10**7))
    )
    assert store.run(run).options.budget == Budget(LIMITS.requests, LIMITS.tokens)
    price = Price(Decimal(1), Decimal(1), "USD", "entered", datetime.date(2026, 11, 1))
    options = RunOptions(price=price, budget=Budget(tokens=5, money=Decimal(1)))
    assert within_limits(options).budget == Budget(LIMITS.requests, 5, Decimal(1))
    assert within_limits(RunOptions(price=price)).budget.money == LIMITS.money
    roles.known_by(lambda: Role.HERE)
    assert within_limits(options) == options


def test_so_does_one_that_a_host_goes_on_with(store: Store) -> None:
    roles.known_by(lambda: Role.HERE)
    run = prepare(store, DESIGN, "learner:shy", "direct")
    roles.known_by(lambda: Role.HOST)
    launch(store.path, run)
    assert store.run(run).options.budget.requests == LIMITS.requests
    wait_for(lambda: store.run(run).status is RunStatus.FINISHED)


def test_more_pairs_than_a_host_may_ask_are_refused(store: Store) -> None:
    with pytest.raises(HostLimit, match="at most 5,000 pairs"):
        prepare(store, Design("carry", MOST_PAIRS + 1, 1), "learner:shy", "direct")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"models": ["local:/etc"]}, NotAllowed),
        ({"budget": {"requests": 10**7}}, HostLimit),
        ({"budget": {}}, HostLimit),
        ({"studies": [{"study": "carry", "n": MOST_PAIRS + 1}]}, HostLimit),
    ],
)
def test_a_plan_is_no_way_around(
    change: dict[str, object], error: type[Exception], store: Store
) -> None:
    plan = {
        "studies": [{"study": "carry", "n": 3}],
        "models": ["learner:shy"],
        "budget": {"requests": 10},
    }
    with pytest.raises(error):
        launch_plan(store.path, yaml.safe_dump(plan | change).encode())


def test_a_full_queue_takes_no_more_from_hosts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "MOST_WAITING", 1)
    run = prepare(store, DESIGN, "learner:shy", "direct")
    with in_turn(store.path, QueuedWork(JobKind.TRAINING, "mine")):
        with pytest.raises(HostLimit, match="wait already"):
            launch(store.path, run)
        roles.known_by(lambda: Role.HERE)
        launch(store.path, run)
        stop(store, run)
        wait_for(lambda: store.run(run).status is RunStatus.STOPPED)


class TestADay:
    """What a host, and all hosts, may use in 24 hours. `DESIGN` takes six requests."""

    def small(
        self, monkeypatch: pytest.MonkeyPatch, one: int = 10**6, everybody: int = 10**6
    ) -> None:
        monkeypatch.setattr(hosting, "OF_ONE", hosting.OF_ONE._replace(requests=one))
        monkeypatch.setattr(hosting, "OF_ALL", hosting.OF_ALL._replace(requests=everybody))

    def asked(self, store: Store, seed: int = 1) -> str:
        made = prepare(store, Design("carry", 3, seed), "learner:shy", "direct")
        return run_here(store, made).message

    def acts(self, name: str) -> None:
        roles.known_by(lambda: Role.HOST, lambda: name)

    def test_a_run_ends_where_the_day_leaves_no_more(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.small(monkeypatch, one=10)
        # When two runs would take twelve requests
        assert not self.asked(store)
        message = self.asked(store, seed=2)
        # Then the second has four of its six, and says that it is the day
        assert "4 of 4 requests" in message
        assert "what a host may use in 24 hours" in message
        assert store.runs()[0].asked == 4
        # And a third does not begin
        with pytest.raises(HostLimit, match="10 requests in 24 hours"):
            launch(store.path, prepare(store, Design("carry", 3, 3), "learner:shy", "direct"))

    def test_a_run_whose_day_was_used_up_while_it_waited_asks_nothing_and_can_be_resumed(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.small(monkeypatch, one=6)
        waiting = prepare(store, Design("carry", 3, 2), "learner:shy", "direct")
        assert not self.asked(store)
        record = run_here(store, waiting)
        assert record.asked == 0
        assert record.status is RunStatus.PAUSED
        assert "what a host may use in 24 hours" in record.message

    def test_a_budget_of_no_money_stays_one(self, store: Store) -> None:
        price = Price(Decimal(1), Decimal(1), "USD", "entered", datetime.date(2026, 11, 1))
        options = RunOptions(price=price, budget=Budget(money=Decimal(0)))
        made = prepare(store, DESIGN, "learner:shy", "direct", options=options)
        assert run_here(store, made).asked == 0

    def test_answers_that_are_there_already_cost_nothing(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.small(monkeypatch, one=12)
        assert not self.asked(store)
        assert not self.asked(store)
        assert hosting.left(store.path, "anna").requests == 6

    def test_another_host_has_a_day_of_their_own_within_that_of_all(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.small(monkeypatch, one=6, everybody=9)
        assert not self.asked(store)
        self.acts("ben")
        assert "3 of 3 requests" in self.asked(store, seed=2)

    def test_a_day_later_all_is_there_again(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.small(monkeypatch, one=6)
        assert not self.asked(store)
        assert hosting.left(store.path, "anna").requests == 0
        later = time.time() + 24 * 3600 + 1
        monkeypatch.setattr(hosting.time, "time", lambda: later)
        assert hosting.left(store.path, "anna").requests == 6

    def test_the_person_here_is_not_bound_and_uses_nothing_of_it(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.small(monkeypatch, one=1, everybody=1)
        roles.known_by(lambda: Role.HERE)
        assert not self.asked(store)
        assert hosting.left(store.path, "anna").requests == 1

    def test_a_process_that_works_for_a_host_is_bound_as_they_are(self, store: Store) -> None:
        made = prepare(store, DESIGN, "learner:shy", "direct")
        launch(store.path, made)
        wait_for(lambda: store.run(made).status is RunStatus.FINISHED)
        assert hosting.left(store.path, "anna").requests == hosting.OF_ONE.requests - 6

    def test_so_is_that_of_a_plan(self, store: Store) -> None:
        plan = {
            "studies": [{"study": "carry", "n": 3}],
            "models": ["learner:shy"],
            "budget": {"requests": 100},
        }
        launch_plan(store.path, yaml.safe_dump(plan).encode())
        wait_for(lambda: [each.status for each in store.runs()] == [RunStatus.FINISHED])
        assert hosting.left(store.path, "anna").requests == hosting.OF_ONE.requests - 6

    def test_what_a_screen_asks_counts_too(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BIASLAB_DB", str(store.path))
        self.small(monkeypatch, one=2)
        asked = [GenerationRequest((Message("user", each),)) for each in ("1+1?", "1+2?")]
        assert len(list(ask_in_background("learner:shy", Access(), asked))) == 2
        with pytest.raises(HostLimit, match="leave you 0 requests"):
            list(ask_in_background("learner:shy", Access(), asked))

    def test_money_is_counted_in_each_currency(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Given a price of a dollar a token, and hosts who may spend 1,000 of them in a run
        price = Price(Decimal(10**6), Decimal(10**6), "USD", "entered", datetime.date(2026, 11, 1))
        monkeypatch.setattr(hosting, "LIMITS", LIMITS_OF_1000)
        monkeypatch.setattr(hosting, "OF_ALL", hosting.OF_ALL._replace(money=Decimal(1000)))
        monkeypatch.setattr(hosting, "OF_ONE", hosting.OF_ONE._replace(money=Decimal(400)))
        made = prepare(
            store, Design("carry", 20, 1), "learner:shy", "direct", options=RunOptions(price=price)
        )
        # When the run costs more than the 400 that the day leaves
        record = run_here(store, made)
        # Then it ends within them
        assert "of 400.00 USD" in record.message
        assert 300 < record.tokens_in + record.tokens_out <= 400
        left = hosting.left(store.path, "anna")
        assert left.money("USD") == 400 - record.tokens_in - record.tokens_out
        assert left.money("EUR") == 400

    def test_no_run_is_handed_over_as_a_batch(self, store: Store) -> None:
        with pytest.raises(HostLimit, match="batch"):
            prepare(store, DESIGN, "learner:shy", "direct", options=RunOptions(batch_api=True))

    def test_a_damaged_note_counts_for_nobody(self, store: Store) -> None:
        assert not self.asked(store)
        (notes,) = store.path.parent.glob("*-logs/hosted.jsonl")
        notes.write_bytes(notes.read_bytes() + b'{"when": 1}\n[]\nnothing\n')
        assert hosting.left(store.path, "anna").requests == hosting.OF_ONE.requests - 6
