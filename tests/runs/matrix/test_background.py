"""Plans in the background: one after the other, each once, stopped when somebody says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from biaslab.runs import RunStatus, Store, StoreError, open_store
from biaslab.runs.jobs.plans import is_plan_going_on, last_words, launch_plan, plan_key, stop_plan
from biaslab.runs.jobs.queue import JobKind, QueuedWork, in_turn
from biaslab.runs.matrix import read_plan
from tests.conftest import wait_for

LEARNERS = ["learner:careless", "learner:keyword"]


def plan_of(n: int, models: list[str] = LEARNERS) -> bytes:
    content = {"studies": [{"study": "consistency", "n": n}], "models": models}
    return yaml.safe_dump(content).encode()


def finished(store: Store) -> int:
    return sum(run.status is RunStatus.FINISHED for run in store.runs())


def test_a_plan_is_done_in_a_process_of_its_own_and_its_end_is_noticed(store: Store) -> None:
    plan = plan_of(5)
    launch_plan(store.path, plan)
    assert is_plan_going_on(store.path, plan)
    wait_for(lambda: not is_plan_going_on(store.path, plan))
    assert finished(store) == 2
    assert last_words(store.path, plan) == ""


def test_starting_it_twice_asks_nothing_twice(store: Store) -> None:
    plan = plan_of(5)
    launch_plan(store.path, plan)
    launch_plan(store.path, plan)
    wait_for(lambda: not is_plan_going_on(store.path, plan))
    launch_plan(store.path, plan)
    wait_for(lambda: not is_plan_going_on(store.path, plan))
    assert len(store.runs()) == 2
    assert all(run.asked == run.items_total for run in store.runs())


def test_a_plan_waits_until_another_of_the_same_file_is_done(store: Store) -> None:
    plan = plan_of(5)
    with in_turn(store.path, QueuedWork(JobKind.RUN, "first")):
        launch_plan(store.path, plan)
        log = store.path.parent / f"{store.path.stem}-logs/plans/{plan_key(plan)}.log"
        wait_for(lambda: log.is_file() and "waits for its turn" in log.read_text())
        assert store.runs() == []
        assert is_plan_going_on(store.path, plan)
    wait_for(lambda: not is_plan_going_on(store.path, plan))
    assert finished(store) == 2


def test_a_plan_that_waits_can_be_stopped(store: Store) -> None:
    plan = plan_of(5)
    with in_turn(store.path, QueuedWork(JobKind.RUN, "first")):
        launch_plan(store.path, plan)
        stop_plan(store, plan)
        wait_for(lambda: not is_plan_going_on(store.path, plan))
    assert store.runs() == []


def test_stopping_the_run_of_a_plan_ends_the_plan_and_keeps_what_was_answered(
    store: Store,
) -> None:
    plan = plan_of(5_000)
    launch_plan(store.path, plan)
    wait_for(lambda: any(run.items_done for run in store.runs()))
    (run,) = store.runs()
    stop_plan(store, plan, run.id)
    wait_for(lambda: not is_plan_going_on(store.path, plan))
    (run,) = store.runs()
    assert run.status is RunStatus.STOPPED
    assert 0 < run.answered < 10_000


def test_why_a_plan_was_refused_is_told(store: Store) -> None:
    plan = plan_of(5, ["learner:nobody"])
    launch_plan(store.path, plan)
    wait_for(lambda: not is_plan_going_on(store.path, plan))
    assert "nobody" in last_words(store.path, plan)


@pytest.mark.parametrize("written", ["", "{}", "[1]", json.dumps({"host": "x", "process": "y"})])
def test_a_note_of_a_process_that_means_nothing_is_no_process(store: Store, written: str) -> None:
    plan = plan_of(5)
    folder = store.path.parent / f"{store.path.stem}-logs/plans"
    folder.mkdir(parents=True)
    (folder / f"{plan_key(plan)}.json").write_text(written)
    assert not is_plan_going_on(store.path, plan)


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.db") as store:
        (tmp_path / "runs-logs").write_text("in the way")
        with pytest.raises(StoreError, match="could not be started"):
            launch_plan(store.path, plan_of(5))


def test_the_key_of_a_plan_is_that_of_its_text() -> None:
    assert plan_key(plan_of(5)) == plan_key(plan_of(5)) != plan_key(plan_of(6))
    assert read_plan(plan_of(5)).studies[0].n == 5
