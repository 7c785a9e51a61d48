"""Whether a process is at a training is seen at once, and never two are."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import psutil
import pytest

from biaslab.system.processes import host
from biaslab.training import heartbeat
from biaslab.training.heartbeat import PROCESS_FILE, Heartbeat, is_alive, is_left_behind
from biaslab.training.plan import TrainingBusy


@pytest.fixture
def other():
    """Another process that does nothing."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()


def said(directory, **changed):
    path = directory / PROCESS_FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


def age(directory, seconds=3600.0):
    then = heartbeat.last_beat(directory) - seconds
    os.utime(directory / PROCESS_FILE, (then, then))


def test_nobody_is_at_a_new_training(tmp_path):
    assert not is_alive(tmp_path)
    assert not is_left_behind(tmp_path)


def test_a_process_is_seen_for_as_long_as_it_is_there(tmp_path):
    with Heartbeat(tmp_path):
        assert is_alive(tmp_path)
    assert not is_alive(tmp_path)
    assert not is_left_behind(tmp_path)


def test_a_process_that_ends_by_an_error_takes_its_note_away(tmp_path):
    with pytest.raises(ZeroDivisionError), Heartbeat(tmp_path):
        raise ZeroDivisionError
    assert not is_left_behind(tmp_path)


def test_a_killed_process_is_seen_as_such_also_before_anybody_waited_for_it(tmp_path, other):
    heartbeat.note(tmp_path, other.pid)
    assert is_alive(tmp_path)

    other.kill()
    psutil.wait_procs([psutil.Process(other.pid)], timeout=0)
    while psutil.Process(other.pid).status() != psutil.STATUS_ZOMBIE:
        pass

    assert not is_alive(tmp_path)
    assert is_left_behind(tmp_path)


def test_a_number_that_was_given_out_again_is_not_taken_for_the_process(tmp_path, other):
    heartbeat.note(tmp_path, other.pid)
    said(tmp_path, began=1.0)
    age(tmp_path)

    assert is_left_behind(tmp_path)


def test_a_process_whose_clock_was_set_counts_as_there_while_it_shows_itself(tmp_path, other):
    heartbeat.note(tmp_path, other.pid)
    said(tmp_path, began=1.0)

    assert is_alive(tmp_path)


def test_on_another_machine_only_the_signs_of_life_count(tmp_path):
    heartbeat.note(tmp_path, os.getpid())
    said(tmp_path, host="elsewhere", pid=-1)
    assert is_alive(tmp_path)

    age(tmp_path)
    assert not is_alive(tmp_path)


def test_two_processes_never_have_the_same_training(tmp_path, other):
    heartbeat.note(tmp_path, other.pid)

    with pytest.raises(TrainingBusy, match="running already"), Heartbeat(tmp_path):
        pytest.fail("It was let in.")
    assert json.loads((tmp_path / PROCESS_FILE).read_text())["pid"] == other.pid


def test_what_a_dead_process_left_is_taken_over(tmp_path):
    heartbeat.note(tmp_path, os.getpid())
    said(tmp_path, host=host(), pid=2**22 + 1)

    with Heartbeat(tmp_path):
        assert json.loads((tmp_path / PROCESS_FILE).read_text())["pid"] == os.getpid()


def test_a_note_that_cannot_be_read_is_no_process(tmp_path):
    (tmp_path / PROCESS_FILE).write_text("{")

    assert not is_alive(tmp_path)
    with Heartbeat(tmp_path):
        assert is_alive(tmp_path)
