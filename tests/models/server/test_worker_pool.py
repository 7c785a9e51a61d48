from __future__ import annotations

import pickle
import threading

import psutil
import pytest

from biaslab.models import Completion, Concurrent, Failure, Likelihood, open_model
from biaslab.models.server.worker_pool import WorkerPool
from tests.conftest import wait_for as wait_until
from tests.models.server.asking import QUICK, access, collect, request
from tests.servers.faulty import SERVED, FaultyServer, answer, wait_for


def test_results_travel_between_processes() -> None:
    for result in (
        Completion("a", "stop", 1, 2, 0.5, "b", "c", ("d",)),
        Likelihood((-1.0,), (1,), 3, "c", ("d",)),
        Failure("a", True, True, ("d",)),
    ):
        assert pickle.loads(pickle.dumps(result)) == result


def test_several_processes_answer_everything_once(server: FaultyServer) -> None:
    model = open_model("openai:faulty", access=access(server.url, processes=2))
    assert isinstance(model, Concurrent)
    found = dict(model.generate([request(str(number)) for number in range(100)]))
    assert sorted(found) == list(range(100))
    for number, result in found.items():
        assert isinstance(result, Completion)
        assert result.text == f"You said {number}"
    assert sorted(server.prompts(), key=int) == [str(number) for number in range(100)]


def test_the_requests_of_a_dead_process_are_sent_again_and_counted(server: FaultyServer) -> None:
    go_on = threading.Event()
    server.always = wait_for(go_on, answer())
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    with WorkerPool("faulty", access(server.url, processes=2, served=SERVED), QUICK) as pool:
        for number in range(8):
            pool.send(str(number), request(str(number)))
        wait_until(lambda: len(server.asked) == 8)
        pool._workers[0].process.kill()
        go_on.set()
        found = collect(pool, 8)
        assert all(isinstance(result, Completion) for result in found.values())
        retried = [result.retries for result in found.values() if result.retries]
        assert retried == [("the process that sent it died",)] * 4
    left = {child.pid for child in psutil.Process().children(recursive=True)} - before
    assert all("resource_tracker" in " ".join(psutil.Process(pid).cmdline()) for pid in left)


def test_where_every_process_dies_the_run_stops_with_a_sentence(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biaslab.models.server.worker_pool.MOST_DEATHS", 0)
    never = threading.Event()
    server.always = wait_for(never, answer())
    with WorkerPool("faulty", access(server.url, processes=1), QUICK) as pool:
        pool.send("a", request("a"))
        pool._workers[0].process.kill()
        found = collect(pool, 1)["a"]
        never.set()
        assert isinstance(found, Failure)
        assert found.stops_run
        assert "died" in found.reason
        assert pool.room == 0


def test_where_every_process_dies_every_request_fails_and_nobody_waits(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A process that only builds an object: it ends at once.
    monkeypatch.setattr("biaslab.models.server.worker_pool._work", BaseException)
    monkeypatch.setattr("biaslab.models.server.worker_pool.MOST_DEATHS", 0)
    model = open_model("openai:faulty", access=access(server.url, processes=2, at_once=2))
    found = dict(model.generate([request(str(number)) for number in range(6)]))
    assert sorted(found) == list(range(6))
    assert all(isinstance(result, Failure) and result.stops_run for result in found.values())
    assert server.prompts() == []
