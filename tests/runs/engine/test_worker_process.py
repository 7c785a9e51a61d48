"""The worker as a real process: it outlives its starter, dies hard, and loses nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import psutil
import pytest

from biaslab.runs import (
    PairPattern,
    RunBusy,
    RunStatus,
    StoreUnreadable,
    launch,
    log_path,
    open_store,
    stop,
)
from biaslab.runs.store.encoding import read_request
from tests.conftest import wait_for
from tests.runs.simulation import Behaviour

WORKER = "tests.runs.engine.simulated_worker"


def process_of(store, run):
    with sqlite3.connect(store.path) as plain:
        (pid,) = plain.execute("SELECT worker_pid FROM runs WHERE id = ?", [run]).fetchone()
    plain.close()
    return pid


def answered_items(store, run):
    """Texts of the items that have an answer in the file."""
    with store.reading() as database:
        rows = database.execute(
            "SELECT items.text FROM answers JOIN items ON items.id = item WHERE run = ?", [run]
        ).fetchall()
    return {text for (text,) in rows}


def stored_prompts(store):
    """Prompts whose responses are in the file."""
    with store.reading() as database:
        rows = database.execute("SELECT request FROM responses").fetchall()
    return {read_request(request).messages[-1].content for (request,) in rows}


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def slow(tmp_path):
    """A simulated model that takes a while for each answer and writes down what it was asked."""
    return Behaviour(delay=0.004, log=str(tmp_path / "asked.log"), wrong=3)


class TestLaunch:
    def test_a_launched_run_runs_at_once_and_finishes(self, store, prepared, slow):
        run = prepared(slow, n=20)

        launch(store.path, run, module=WORKER)

        assert store.run(run).status in (RunStatus.RUNNING, RunStatus.FINISHED)
        wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
        assert store.run(run).answered == 40
        # The process writes its last line after the run is finished in the file.
        wait_for(lambda: "finished" in log_path(store.path, run).read_text())

    def test_it_cannot_be_launched_twice(self, store, prepared, slow):
        run = prepared(slow, n=500)
        launch(store.path, run, module=WORKER)

        with pytest.raises(RunBusy):
            launch(store.path, run, module=WORKER)

        stop(store, run)
        wait_for(lambda: store.run(run).status is RunStatus.STOPPED)

    def test_it_outlives_the_process_that_launched_it(self, store, prepared, slow):
        run = prepared(slow, n=60)
        starter = subprocess.Popen(
            [sys.executable, "-c",
             "import sys, time\nfrom biaslab.runs import launch\n"
             "launch(sys.argv[1], sys.argv[2], module=sys.argv[3])\n"
             "print('launched', flush=True)\ntime.sleep(600)",
             str(store.path), run, WORKER],
            stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert starter.stdout.readline() == b"launched\n"

        os.killpg(starter.pid, signal.SIGKILL)
        starter.wait()
        starter.stdout.close()

        wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
        assert store.run(run).answered == 120

    def test_a_worker_that_cannot_begin_is_seen_as_interrupted(self, store, prepared):
        run = prepared()

        launch(store.path, run, module="tests.runs.no_such_module")

        wait_for(lambda: store.run(run).status is RunStatus.INTERRUPTED)
        assert "no_such_module" in log_path(store.path, run).read_text()

    def test_a_log_that_cannot_be_written_is_told(self, store, prepared):
        run = prepared()
        log_path(store.path, run).parent.write_text("a file where the folder should be")

        with pytest.raises(StoreUnreadable, match="could not be started"):
            launch(store.path, run, module=WORKER)

        assert store.run(run).status is RunStatus.FAILED

    def test_the_environment_reaches_the_worker_and_nothing_else(self, store, prepared):
        """A key given in the environment is neither on the command line nor in any file."""
        run = prepared(Behaviour(delay=0.01), n=300)
        launch(store.path, run, {"SOME_API_KEY": "sk-secret-4711"}, module=WORKER)
        wait_for(lambda: store.run(run).answered > 0)

        worker = psutil.Process(process_of(store, run))

        assert worker.environ()["SOME_API_KEY"] == "sk-secret-4711"
        assert "sk-secret-4711" not in " ".join(worker.cmdline())
        stop(store, run)
        wait_for(lambda: store.run(run).status is RunStatus.STOPPED)
        store.copy_to(store.path.with_name("copy.db"))
        store.close()
        for file in store.path.parent.rglob("*"):
            assert file.is_dir() or b"sk-secret-4711" not in file.read_bytes()


class TestStop:
    def test_stop_and_resume(self, store, prepared, slow, tmp_path):
        run = prepared(slow, n=150)
        launch(store.path, run, module=WORKER)
        wait_for(lambda: store.run(run).answered >= 10)

        stop(store, run)

        assert store.run(run).status in (RunStatus.STOPPING, RunStatus.STOPPED)
        wait_for(lambda: store.run(run).status is RunStatus.STOPPED)
        assert store.run(run).answered < 300
        kept = stored_prompts(store)
        asked = len(lines(tmp_path / "asked.log"))
        launch(store.path, run, module=WORKER)
        wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
        assert not kept & set(lines(tmp_path / "asked.log")[asked:])
        assert store.run(run).answered == 300

    def test_a_stop_before_the_worker_has_begun_is_obeyed(self, store, prepared, slow):
        run = prepared(slow, n=500)
        launch(store.path, run, module=WORKER)

        stop(store, run)

        wait_for(lambda: store.run(run).status is RunStatus.STOPPED)
        assert store.run(run).items_done < 1000


class TestKill:
    @pytest.mark.parametrize(("strategy", "seed"), [("direct", 1), ("two", 2)])
    def test_killed_at_random_moments_no_answer_is_lost_or_asked_again(
        self, store, prepared, slow, tmp_path, strategy, seed
    ):
        run = prepared(slow, n=150, seed=seed, strategy=strategy)
        moments = Random(seed)
        log = tmp_path / "asked.log"
        stored, before = set(), 0
        for session in range(4):
            launch(store.path, run, module=WORKER)
            if session == 3:
                wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
            else:
                done = store.run(run).asked + moments.randrange(1, 60)
                wait_for(lambda done=done: store.run(run).asked >= done)
                os.kill(process_of(store, run), signal.SIGKILL)
                wait_for(lambda: store.run(run).status is RunStatus.INTERRUPTED)

            asked = lines(log)
            assert not stored & set(asked[before:])
            before = len(asked)
            stored = stored_prompts(store)
            record = store.run(run)
            assert record.asked == len(stored)
            assert record.answered == len(answered_items(store, run))

        assert (record.answered, record.invalid, record.failed) == (300, 0, 0)
        assert stored == set(asked)
        assert record.asked == (300 if strategy == "direct" else 600)
        assert record.cached == 0
        assert sum(store.count_patterns(run).values()) == 150
        assert store.count_patterns(run)[PairPattern.UNFINISHED] == 0

    def test_an_interrupted_run_can_be_put_aside(self, store, prepared, slow):
        run = prepared(slow, n=300)
        launch(store.path, run, module=WORKER)
        wait_for(lambda: store.run(run).answered > 0)
        os.kill(process_of(store, run), signal.SIGKILL)
        wait_for(lambda: store.run(run).status is RunStatus.INTERRUPTED)

        stop(store, run)

        assert store.run(run).status is RunStatus.STOPPED


class TestReadersBesideTheWriter:
    def test_screens_read_whole_states_while_the_worker_writes(self, store, prepared, slow):
        run = prepared(slow, n=150)
        launch(store.path, run, module=WORKER)
        seen, counters = [], []

        def look():
            with open_store(store.path) as reader:
                while not done.is_set():
                    record = reader.run(run)
                    with reader.reading() as database:
                        ((stored,),) = database.execute(
                            "SELECT count(*) FROM answers WHERE run = ?", [run]
                        ).fetchall()
                        ((counted,),) = database.execute(
                            "SELECT answered + invalid + failed FROM runs WHERE id = ?", [run]
                        ).fetchall()
                    seen.append((stored, counted))
                    counters.append((reader.change_counter(), record.items_done))
                    assert sum(reader.count_patterns(run).values()) == 150

        done = threading.Event()
        readers = [threading.Thread(target=look) for _ in range(2)]
        for reader in readers:
            reader.start()
        wait_for(lambda: store.run(run).status is RunStatus.FINISHED)
        done.set()
        for reader in readers:
            reader.join()

        assert all(stored == counted for stored, counted in seen)
        assert store.run(run).answered == 300
        assert len({change for change, _ in counters}) > 3
