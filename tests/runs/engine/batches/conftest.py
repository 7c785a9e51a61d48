"""What tests of runs by batches share: a service in this process, and a run to hand over."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from biaslab.models import Access, Endpoint
from biaslab.models.server.keys import bind
from biaslab.runs import (
    RunOptions,
    RunStatus,
    prepare,
    run_here,
    stop,
)
from biaslab.runs.engine import batch_waiting
from biaslab.runs.engine import writer as keeping
from biaslab.runs.store.read_runs import batches
from biaslab.studies import Design
from tests.conftest import wait_for
from tests.runs.engine.batches.batch_worker import sources
from tests.servers.batch_server import BatchServer, serving
from tests.servers.running import process

WORKER = "tests.runs.engine.batches.batch_worker"
KEY = "sk-planted-9876543210"
VARIABLE = "BIASLAB_TEST_KEY"


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch):
    """Days pass in the service's clock, not here, and a stop is seen at once."""
    monkeypatch.setattr(keeping, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(batch_waiting, "FIRST_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(batch_waiting, "LONGEST_LOOK_SECONDS", 0.01)


@pytest.fixture
def service() -> BatchServer:
    return BatchServer()


@pytest.fixture
def url(service) -> Iterator[str]:
    with serving(service) as address:
        yield address


@pytest.fixture
def prepared(store, url) -> Callable[..., str]:
    return lambda **how: prepare_run(store, url, **how)


@pytest.fixture
def do(store):
    """Does a run in this process."""
    return lambda run: run_here(store, run, sources=sources(), pauses=(0.0, 0.0))


def prepare_run(
    store, url, n=5, seed=1, strategy="direct", live=False, sampling=None, samples=1, **options
) -> str:
    endpoint = Endpoint.CHAT if strategy == "chat" else Endpoint.COMPLETIONS
    access = Access((url,), endpoint, key_env=options.pop("key_env", ""))
    if access.key_env:
        bind(access.key_env, [url])
    chosen = RunOptions(samples=samples, access=access, batch_api=not live, **options)
    design = Design("sums", n, seed, {})
    return prepare(
        store, design, "openai:sums", strategy, sampling, options=chosen, sources=sources()
    )


def of(store, run):
    with store.reading() as database:
        return batches(database, run)


def response_ids(store):
    with store.reading() as database:
        return [key for (key,) in database.execute("SELECT id FROM responses").fetchall()]


def outcomes(store, run):
    frame = store.outcomes([run], with_values=True)
    return frame.drop(columns=["run"]).astype(object).fillna("none").to_dict("records")


def counts(record):
    return record.answered, record.invalid, record.failed


def stop_at(service, store, run, looks):
    """Asks for a stop when the service was looked at so often."""
    go_on = service._go_on

    def stopping(batch):
        if service.looks == looks:
            stop(store, run)
        go_on(batch)

    service._go_on = stopping


@contextmanager
def served(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "tests.servers.batch_server", *options]
    with process(command) as running:
        assert running.stdout is not None
        yield running.stdout.readline().strip(), running


def kill_worker(store, run):
    with store.reading() as database:
        ((pid,),) = database.execute("SELECT worker_pid FROM runs WHERE id = ?", [run]).fetchall()
    os.kill(pid, 9)
    wait_for(lambda: store.run(run).status is RunStatus.INTERRUPTED)
