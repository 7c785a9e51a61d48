"""What hosts may have asked: listed models, so much and no more."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal

import pytest
import yaml

from biaslab import roles
from biaslab.models import Access, GenerationRequest
from biaslab.models.prices import Price
from biaslab.roles import NotAllowed, Role
from biaslab.runs import Budget, RunOptions, RunStatus, Store, hosting, launch, prepare, stop
from biaslab.runs.hosting import (
    LIMITS,
    MODELS_VARIABLE,
    MOST_PAIRS,
    TooMuch,
    why_not_listed,
    within_limits,
)
from biaslab.runs.jobs.one_off_process import ask_in_background
from biaslab.runs.jobs.queue import Kind, Work, in_turn
from biaslab.runs.matrix import launch_plan
from biaslab.studies import Design
from tests.conftest import wait_for

HERE = "http://localhost:8000/v1"
SERVER = Access((HERE,))
DESIGN = Design("carry", 3, 1)


@pytest.fixture(autouse=True)
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(MODELS_VARIABLE, raising=False)
    roles.known_by(lambda: Role.HOST)
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
    with pytest.raises(TooMuch, match="at most 5,000 pairs"):
        prepare(store, Design("carry", MOST_PAIRS + 1, 1), "learner:shy", "direct")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"models": ["local:/etc"]}, NotAllowed),
        ({"budget": {"requests": 10**7}}, TooMuch),
        ({"budget": {}}, TooMuch),
        ({"studies": [{"study": "carry", "n": MOST_PAIRS + 1}]}, TooMuch),
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
    with in_turn(store.path, Work(Kind.TRAINING, "mine")):
        with pytest.raises(TooMuch, match="wait already"):
            launch(store.path, run)
        roles.known_by(lambda: Role.HERE)
        launch(store.path, run)
        stop(store, run)
        wait_for(lambda: store.run(run).status is RunStatus.STOPPED)
