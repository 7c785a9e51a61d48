"""One worker at a time: taking a run, losing it, and noticing that a worker is dead."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from biaslab.runs import LostRun, RunBusy, RunStatus, UnknownRun, stop
from biaslab.runs.engine import leases
from biaslab.runs.engine.ask import ItemRead
from biaslab.runs.engine.writer import RunWriter
from biaslab.runs.store.records import WRITING
from biaslab.studies import Reading
from biaslab.system import processes
from tests.conftest import wait_for
from tests.runs.simulation import Behaviour, SimulatedModel

READING = Reading("7", 1.0, "number", "First number.")


@pytest.fixture
def run(prepared):
    return prepared(n=3)


def column(store, name):
    with store.reading() as database:
        (row,) = list(database.query(f"SELECT {name} AS value FROM runs"))
    return row["value"]


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


class TestClaim:
    def test_of_many_only_one_gets_the_run(self, store, run):
        together = threading.Barrier(6)
        got, refused = [], []

        def claim():
            together.wait()
            try:
                got.append(leases.claim(store, run, 60.0, os.getpid()))
            except RunBusy:
                refused.append(1)

        claimants = [threading.Thread(target=claim) for _ in range(6)]
        for claimant in claimants:
            claimant.start()
        for claimant in claimants:
            claimant.join()

        assert (len(got), len(refused)) == (1, 5)
        assert store.run(run).status is RunStatus.RUNNING

    def test_a_run_that_does_not_exist(self, store):
        with pytest.raises(UnknownRun):
            leases.claim(store, "nowhere", 60.0, None)

    def test_a_released_run_can_be_taken_again(self, store, run):
        owner = leases.claim(store, run, 60.0, None)
        leases.release(store, run, owner, RunStatus.STOPPED, "")

        assert leases.claim(store, run, 60.0, None) != owner

    def test_only_the_owner_can_release(self, store, run):
        leases.claim(store, run, 60.0, None)

        leases.release(store, run, "somebody else", RunStatus.FINISHED, "")

        assert store.run(run).status is RunStatus.RUNNING


class TestDeath:
    def test_a_lapsed_lease_shows_as_interrupted_and_can_be_taken(self, store, run):
        leases.claim(store, run, -1.0, os.getpid())
        assert store.run(run).status is RunStatus.INTERRUPTED

        leases.claim(store, run, 60.0, os.getpid())

        assert store.run(run).status is RunStatus.RUNNING

    @pytest.mark.skipif(sys.platform == "win32", reason="an ended process leaves nothing there")
    def test_a_killed_worker_that_nobody_has_waited_for_is_dead(self, store, run):
        # Until its parent asks how it ended, a killed process keeps its number.
        worker = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        leases.claim(store, run, 60.0, worker.pid)
        assert store.run(run).status is RunStatus.RUNNING

        worker.kill()
        os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)

        assert store.run(run).status is RunStatus.INTERRUPTED
        worker.communicate()

    def test_a_dead_process_on_this_machine_shows_at_once(self, store, run):
        leases.claim(store, run, 600.0, dead_process())

        assert store.run(run).status is RunStatus.INTERRUPTED

    def test_what_a_dead_worker_was_writing_is_dropped(self, store, run):
        leases.claim(store, run, 60.0, dead_process())
        with store.writing() as connection:
            connection.execute("UPDATE runs SET message = ?", [f"{WRITING}“12 apples and …”"])

        assert store.run(run).message == ""

    def test_process_numbers_of_other_machines_mean_nothing(self, store, run, monkeypatch):
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(leases, "host", lambda: "another machine")
            leases.claim(store, run, 600.0, dead_process())

        assert store.run(run).status is RunStatus.RUNNING
        assert processes.host() != "another machine"

    def test_stopping_shows_while_the_worker_lives(self, store, run):
        leases.claim(store, run, 60.0, os.getpid())

        stop(store, run)

        assert store.run(run).status is RunStatus.STOPPING


class TestKeeper:
    def test_it_renews_the_lease_while_the_model_is_silent(self, store, run, monkeypatch):
        monkeypatch.setattr("biaslab.runs.engine.writer.RENEW_SECONDS", 0.01)
        owner = leases.claim(store, run, 0.5, os.getpid())
        first = column(store, "lease_expires")

        with RunWriter(store, run, "model", owner):
            wait_for(lambda: column(store, "lease_expires") > first + 1)

        assert column(store, "lease_expires") > first + 1

    def test_a_silent_worker_hears_of_a_stop(self, store, run, monkeypatch):
        monkeypatch.setattr("biaslab.runs.engine.writer.RENEW_SECONDS", 0.01)
        owner = leases.claim(store, run, 60.0, os.getpid())

        with RunWriter(store, run, "model", owner) as writer:
            stop(store, run)
            writer.pause(60.0)
            assert writer.stop_requested

    def test_an_overtaken_worker_writes_nothing_more(self, store, prepared, do):
        """A worker that was suspended, and whose run was taken over, must not count twice."""
        run = prepared(n=3)
        item = next(iter(store.export_rows(run)))["item"]
        old = leases.claim(store, run, -1.0, os.getpid())
        do(run)

        writer = RunWriter(store, run, "model", old).__enter__()
        writer.put(ItemRead(item, READING, ()))
        with pytest.raises(LostRun, match="Another worker"):
            writer.flush()
        with pytest.raises(LostRun):
            writer.__exit__(None, None, None)

        assert store.run(run).answered == 6
        assert store.run(run).status is RunStatus.FINISHED

    def test_an_overtaken_worker_stops_asking(self, store, prepared, do):
        run = prepared(n=200)

        class Overtaken(SimulatedModel):
            def generate(self, requests):
                for result in super().generate(requests):
                    yield result
                    if len(self.asked) == 5:
                        with store.writing() as connection:
                            connection.execute("UPDATE runs SET lease_owner = 'another'")

        model = Overtaken(Behaviour())
        with pytest.raises(LostRun):
            do(run, model)

        assert len(model.asked) < 400
        assert column(store, "lease_owner") == "another"

    def test_a_worker_whose_lease_was_handed_over_too_late_does_not_begin(self, store, run, do):
        model = SimulatedModel(Behaviour())
        old = leases.claim(store, run, -1.0, None)
        leases.claim(store, run, 60.0, os.getpid())

        with pytest.raises(LostRun, match="has not begun"):
            do(run, model, owner=old)

        assert model.asked == []

    def test_an_answer_is_never_counted_twice(self, store, run):
        item = next(iter(store.export_rows(run)))["item"]
        owner = leases.claim(store, run, 60.0, os.getpid())

        with RunWriter(store, run, "model", owner) as writer:
            for _ in range(3):
                writer.put(ItemRead(item, READING, ()))
                writer.flush()

        assert store.run(run).answered == 1
