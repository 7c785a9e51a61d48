"""Trainings in the background: they outlive whoever started them, die hard, and lose little."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from biaslab.runs.jobs.queue import JobKind, QueuedWork, in_turn, place
from biaslab.training import jobs as module
from biaslab.training.heartbeat import PROCESS_FILE, Heartbeat
from biaslab.training.jobs import ask_to_stop, go_on, jobs, look, remove, start_job
from biaslab.training.mix import MIXES
from biaslab.training.plan import (
    PLAN_FILE,
    NoSpace,
    TrainingBusy,
    TrainingError,
    TrainingPlan,
    WrongDirectory,
)
from biaslab.training.trainer import PROGRESS_FILE, RESUME_FILE, STOP_FILE
from tests.conftest import wait_for
from tests.training.background.simulated_job import finish

JOB = "tests.training.background.simulated_job"
PLAN = TrainingPlan(MIXES["skewed"], seed=3, steps=20)
LONG = replace(PLAN, steps=1_000_000)


@pytest.fixture
def directory(tmp_path):
    """Where a training is to live; whatever is at it in the end is ended."""
    path = tmp_path / "own" / "mine"
    yield path
    if (path / PLAN_FILE).exists() and look(path).active:
        process_of(path).kill()


def process_of(directory) -> psutil.Process:
    return psutil.Process(json.loads((directory / PROCESS_FILE).read_text())["pid"])


def begun(directory: Path, plan: TrainingPlan = PLAN) -> Path:
    """A training that no process is at."""
    directory.mkdir(parents=True)
    plan.save(directory)
    return directory


def test_a_training_is_started_goes_on_by_itself_and_finishes(directory):
    start_job(PLAN, directory, module=JOB)

    assert look(directory).plan == PLAN
    wait_for(lambda: look(directory).status == "finished")
    state = look(directory)
    assert [line.step for line in state.progress] == list(range(1, 21))
    assert (state.error, state.active, state.name) == ("", False, "mine")
    assert not (directory / PROCESS_FILE).exists()
    with pytest.raises(TrainingError, match="more minutes"):
        go_on(directory, module=JOB)


def test_a_running_training_is_stopped_and_gone_on_with(directory, monkeypatch):
    monkeypatch.setenv("SIMULATED", "slow")
    start_job(LONG, directory, module=JOB)
    assert look(directory).status == "running"
    with pytest.raises(TrainingBusy):
        go_on(directory, module=JOB)
    with pytest.raises(TrainingBusy):
        remove(directory)
    with pytest.raises(TrainingBusy):
        start_job(PLAN, directory, module=JOB)
    wait_for(lambda: look(directory).progress)

    ask_to_stop(directory)

    assert look(directory).status in ("stopping", "stopped")
    wait_for(lambda: look(directory).status == "stopped")
    steps = look(directory).progress[-1].step
    go_on(directory, module=JOB)
    wait_for(lambda: look(directory).progress[-1].step > steps)
    assert look(directory).status == "running"


def test_it_outlives_its_starter_and_killed_it_is_interrupted_and_goes_on_from_its_save(
    directory, monkeypatch
):
    monkeypatch.setenv("SIMULATED", "slow")
    starter = subprocess.Popen(
        [sys.executable, "-c",
         "import sys, pathlib\nfrom tests.training.background import test_jobs as t\n"
         "t.start_job(t.LONG, pathlib.Path(sys.argv[1]), module=t.JOB)\n"
         "print('started', flush=True)\ninput()", str(directory)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert starter.stdout.readline() == b"started\n"
    os.killpg(starter.pid, signal.SIGKILL)
    starter.communicate()
    wait_for(lambda: (directory / RESUME_FILE).exists())
    assert look(directory).status == "running"

    process_of(directory).kill()

    wait_for(lambda: look(directory).status == "interrupted")
    saved = int((directory / RESUME_FILE).read_text())
    with (directory / PROGRESS_FILE).open("a") as file:
        file.write('{"minute": 12.3, "sh')
    replace(PLAN, steps=saved + 5).save(directory)
    monkeypatch.setenv("SIMULATED", "quick")
    go_on(directory, module=JOB)
    wait_for(lambda: look(directory).status == "finished")
    assert [line.step for line in look(directory).progress] == list(range(1, saved + 6))


def test_an_error_is_told_as_a_sentence_and_the_log_has_the_details(directory, monkeypatch):
    monkeypatch.setenv("SIMULATED", "error")
    start_job(PLAN, directory, module=JOB)

    wait_for(lambda: look(directory).status == "failed")
    error = look(directory).error
    assert "ZeroDivisionError" in error
    assert "Traceback" not in error
    assert "\n" not in error
    assert "a bug" in (directory / "training.log").read_text()
    monkeypatch.setenv("SIMULATED", "quick")
    go_on(directory, module=JOB)
    wait_for(lambda: look(directory).status == "finished")
    assert look(directory).error == ""


def test_a_process_that_cannot_begin_is_seen_as_interrupted(directory):
    start_job(PLAN, directory, module="tests.training.no_such_module")

    wait_for(lambda: look(directory).status == "interrupted")
    assert "no_such_module" in (directory / "training.log").read_text()


class TestDirectories:
    def test_one_that_holds_something_else_is_refused_and_left_alone(self, tmp_path):
        (tmp_path / "shopping.txt").write_text("bread")

        with pytest.raises(WrongDirectory, match=r"shopping\.txt"):
            start_job(PLAN, tmp_path, module=JOB)

        assert [path.name for path in tmp_path.iterdir()] == ["shopping.txt"]

    def test_a_file_is_refused(self, tmp_path):
        (tmp_path / "mine").write_text("bread")

        with pytest.raises(WrongDirectory, match="is a file"):
            start_job(PLAN, tmp_path / "mine", module=JOB)

    def test_one_with_a_training_is_refused(self, directory):
        begun(directory)

        with pytest.raises(WrongDirectory, match="already"):
            start_job(PLAN, directory, module=JOB)

    def test_a_full_disk_is_told_before_anything_is_written(self, tmp_path, monkeypatch):
        usage = namedtuple("usage", "total used free")
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 0, 199_999_999))

        with pytest.raises(NoSpace, match="199 MB are free"):
            start_job(PLAN, tmp_path / "mine", module=JOB)

        assert list(tmp_path.iterdir()) == []

    def test_a_place_that_cannot_be_written_is_told(self, tmp_path):
        (tmp_path / "file").write_text("")

        with pytest.raises(TrainingError, match="cannot be started"):
            start_job(PLAN, tmp_path / "file" / "mine", module=JOB)

    @pytest.mark.parametrize("act", [look, go_on, ask_to_stop, remove])
    def test_without_a_training_nothing_can_be_done(self, act, tmp_path):
        with pytest.raises(WrongDirectory, match="no training"):
            act(tmp_path)
        assert list(tmp_path.iterdir()) == []


class TestStates:
    def test_stopped_and_finished_are_told_apart_by_the_record_and_the_card(self, directory):
        begun(directory)
        assert look(directory).status == "stopped"
        (directory / PROGRESS_FILE).write_text(
            '{"minute": 1, "share": 1, "step": 20, "examples": 640, "loss": 1, "stage": "start"}\n'
        )
        finish(directory, PLAN, finished=False)
        assert look(directory).status == "stopped"
        finish(directory, PLAN, finished=True)
        assert look(directory).status == "finished"
        assert look(directory).progress[0].examples == 640

    def test_asked_to_stop_it_is_stopping_until_it_has_saved(self, directory):
        begun(directory)
        with Heartbeat(directory):
            assert look(directory).status == "running"
            ask_to_stop(directory)
            assert look(directory).status == "stopping"
        assert look(directory).status == "stopped"

    def test_a_training_that_is_not_running_is_not_asked_to_stop(self, directory):
        begun(directory)

        ask_to_stop(directory)

        assert not (directory / STOP_FILE).exists()

    def test_a_training_of_another_version_is_told_and_can_be_removed(self, directory):
        begun(directory)
        (directory / PLAN_FILE).write_text('{"format": 1}')

        state = look(directory)

        assert (state.status, state.plan) == ("failed", None)
        assert "another version" in state.error
        with pytest.raises(TrainingError, match="another version"):
            go_on(directory, module=JOB)
        remove(directory)
        assert not directory.exists()

    def test_all_trainings_are_listed_the_one_heard_of_last_first(self, tmp_path):
        for age, name in ((300, "old"), (0, "new"), (100, "middle")):
            path = begun(tmp_path / name) / PLAN_FILE
            then = path.stat().st_mtime - age
            os.utime(path, (then, then))
        (tmp_path / "something else").mkdir()
        (tmp_path / "file").write_text("")

        assert [job.name for job in jobs(tmp_path)] == ["new", "middle", "old"]
        assert jobs(tmp_path)[2].quiet >= 300
        assert jobs(tmp_path / "nowhere") == []


class TestGoingOn:
    @pytest.fixture(autouse=True)
    def launched(self, monkeypatch):
        """Nothing is started; what would have been is noted."""
        found = []
        monkeypatch.setattr(module, "_launch", lambda *given: found.append(given))
        return found

    def test_more_minutes_lengthen_the_plan(self, directory, launched):
        begun(directory, TrainingPlan(MIXES["balanced"], minutes=5.0))

        go_on(directory, 2.5)

        assert TrainingPlan.load(directory).minutes == 7.5
        assert launched == [(directory, module.JOB, None)]

    def test_a_training_counted_in_steps_takes_no_minutes(self, directory, launched):
        begun(directory)

        with pytest.raises(TrainingError, match="planned in steps"):
            go_on(directory, 1.0)
        assert launched == []

    def test_what_the_last_process_left_is_put_away_and_the_card_of_other_weights(self, directory):
        begun(directory)
        for name in (STOP_FILE, "error.txt", "model_card.json"):
            (directory / name).write_text("")

        go_on(directory)

        assert {path.name for path in directory.iterdir()} == {PLAN_FILE, "taking.lock"}


def test_importing_the_jobs_does_not_import_torch():
    code = (
        "import sys, biaslab.training.jobs, biaslab.cli\n"
        "print('torch' in sys.modules, 'transformers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]


def test_a_training_waits_for_its_turn_and_can_be_stopped_meanwhile(
    directory: Path, tmp_path: Path
) -> None:
    queue = tmp_path / "runs.db"
    with in_turn(queue, QueuedWork(JobKind.RUN, "first")):
        start_job(PLAN, directory, module=JOB, queue=queue)
        wait_for(lambda: place(queue, QueuedWork(JobKind.TRAINING, directory.name)) == 1)
        assert look(directory).status == "running"
        ask_to_stop(directory)
        wait_for(lambda: not look(directory).active)
        assert look(directory).status == "stopped"
        go_on(directory, module=JOB, queue=queue)
        wait_for(lambda: place(queue, QueuedWork(JobKind.TRAINING, directory.name)) == 1)
    wait_for(lambda: look(directory).status == "finished")
