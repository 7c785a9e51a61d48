"""One queue of work for this computer."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from biaslab.runs import RunStatus, Store, StoreError, StoreFull, launch, prepare, stop
from biaslab.runs.engine.runner import run_here
from biaslab.runs.jobs.plans import launch_plan
from biaslab.runs.jobs.queue import GivenUp, JobKind, QueuedWork, in_turn, line, place
from biaslab.runs.store import connection
from biaslab.runs.store.connection import LEAST_FREE
from biaslab.studies import Design
from biaslab.system.processes import host
from tests.conftest import wait_for

FIRST, SECOND, THIRD = (QueuedWork(JobKind.RUN, name) for name in ("first", "second", "third"))


def test_work_is_done_in_the_order_in_which_it_came(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    done: list[QueuedWork] = []

    def do(work: QueuedWork, waits: threading.Event) -> None:
        with in_turn(path, work, waits.set):
            done.append(work)

    threads = []
    with in_turn(path, FIRST):
        for work in (SECOND, THIRD):
            waits = threading.Event()
            threads.append(threading.Thread(target=do, args=(work, waits)))
            threads[-1].start()
            assert waits.wait(30)
        assert line(path) == [FIRST, SECOND, THIRD]
        assert place(path, THIRD) == 2
        assert done == []
    for thread in threads:
        thread.join(30)
    assert done == [SECOND, THIRD]
    assert line(path) == []
    assert place(path, THIRD) is None


def test_work_beside_other_files_does_not_wait(tmp_path: Path) -> None:
    waited: list[str] = []
    with (
        in_turn(tmp_path / "one.db", FIRST),
        in_turn(tmp_path / "two.db", SECOND, lambda: waited.append("two")),
    ):
        assert not waited


def test_what_is_given_up_while_it_waits_leaves_the_queue(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with in_turn(path, FIRST):
        with pytest.raises(GivenUp), in_turn(path, SECOND, is_given_up=lambda: True):
            pass
        assert line(path) == [FIRST]


def test_a_process_that_died_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    script = (
        "import os, sys\n"
        "from biaslab.runs.jobs.queue import *\n"
        "with in_turn(sys.argv[1], QueuedWork(JobKind.RUN, 'killed')):\n"
        "    os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)]).returncode == 9
    assert len(list((tmp_path / "runs-logs" / "queue").glob("*.json"))) == 1
    waited: list[str] = []
    with in_turn(path, FIRST, lambda: waited.append("first")):
        assert line(path) == [FIRST]
    assert not waited


@pytest.mark.parametrize(
    "written", ["", "[1]", "{}", json.dumps({"host": host(), "process": "x", "kind": "run"})]
)
def test_a_ticket_that_says_nothing_keeps_nobody_waiting(written: str, tmp_path: Path) -> None:
    folder = tmp_path / "runs-logs" / "queue"
    folder.mkdir(parents=True)
    (folder / "00000000000000000001-x.json").write_text(written)
    with in_turn(tmp_path / "runs.db", FIRST):
        assert line(tmp_path / "runs.db") == [FIRST]


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "runs-logs").write_text("in the way")
    with (
        pytest.raises(StoreError, match="No turn could be taken"),
        in_turn(tmp_path / "runs.db", FIRST),
    ):
        pass


def a_run(store: Store, n: int = 3) -> str:
    return prepare(store, Design("carry", n, 1), "learner:perfect", "direct")


def test_runs_that_are_launched_wait_for_each_other_and_can_be_stopped_meanwhile(
    store: Store,
) -> None:
    # Given work that is being done, and two runs that wait for it
    first, second = a_run(store), a_run(store, 4)
    with in_turn(store.path, QueuedWork(JobKind.PLAN, "long")):
        for run in (first, second):
            launch(store.path, run)
            wait_for(lambda run=run: place(store.path, QueuedWork(JobKind.RUN, run)) is not None)
        assert [work.name for work in line(store.path)] == ["long", first, second]
        assert {store.run(run).status for run in (first, second)} == {RunStatus.RUNNING}
        assert store.run(first).items_done == 0
        # When one of them is stopped
        stop(store, first)
        wait_for(lambda: store.run(first).status is RunStatus.STOPPED)
        assert [work.name for work in line(store.path)] == ["long", second]
    # Then the other one is done, and the stopped one was never asked
    wait_for(lambda: store.run(second).status is RunStatus.FINISHED)
    assert store.run(first).items_done == 0


def test_a_run_in_this_process_waits_where_it_is_told_to(store: Store) -> None:
    assert run_here(store, a_run(store), queued=True).status is RunStatus.FINISHED
    assert line(store.path) == []


@pytest.mark.parametrize("begin", ["write a run", "start one", "start a plan"])
def test_nothing_is_begun_on_a_disk_that_is_nearly_full(
    begin: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(store)
    free = shutil.disk_usage(store.path.parent)._replace(free=LEAST_FREE - 1)
    monkeypatch.setattr(connection.shutil, "disk_usage", lambda _: free)
    does = {
        "write a run": lambda: a_run(store),
        "start one": lambda: launch(store.path, run),
        "start a plan": lambda: launch_plan(store.path, b"any"),
    }
    with pytest.raises(StoreFull, match="Only 499 MB are free"):
        does[begin]()
    assert store.run(run).status is RunStatus.READY
