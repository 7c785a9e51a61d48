"""Processes that BiasLab starts: one environment for all, without a key that was typed."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from biaslab.cli import main as command_line
from biaslab.models import TYPED_KEY, Access, GenerationRequest, LikelihoodRequest, Message
from biaslab.runs import launch, open_store, prepare
from biaslab.runs.jobs.one_off import ToScore, ask_in_background, score_in_background
from biaslab.studies import Design
from biaslab.system.processes import (
    AttachedProcess,
    TookTooLong,
    detach,
    environment,
    host,
    is_running,
)
from biaslab.training.jobs import start_job
from biaslab.training.plan import TrainingPlan
from biaslab.ui.models.server_testing import ask_for_models, try_server
from tests.conftest import wait_for

ROOT = Path(__file__).resolve().parents[1]
KEY = "sk-planted-in-the-environment"
HERE = Access(("http://localhost:9/v1",))
TEXT = (Message("text", "Ana has"),)


def _run(folder: Path) -> None:
    with open_store(folder / "runs.db") as store:
        launch(store.path, prepare(store, Design("carry", 2, 1), "learner:perfect", "direct"))


def _training(folder: Path) -> None:
    start_job(TrainingPlan(None, steps=1), folder / "training")


def _writing(_: Path) -> None:
    list(ask_in_background("learner:perfect", Access(), [GenerationRequest(TEXT)]))


def _scoring(_: Path) -> None:
    list(score_in_background([ToScore("tiny", Access(), [LikelihoodRequest(TEXT, (" 1",))])]))


def _testing(_: Path) -> None:
    try_server("openai:tiny", HERE, {}, lambda _: None)


def _listing(_: Path) -> None:
    ask_for_models(HERE, {}, lambda _: None)


def _app(_: Path) -> None:
    CliRunner().invoke(command_line, ["app"])


@pytest.mark.skipif(sys.platform == "win32", reason="the fake Python is a shell script")
@pytest.mark.parametrize("start", [_run, _training, _writing, _scoring, _testing, _listing, _app])
def test_no_process_gets_a_key_that_it_was_not_given(
    start: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nenv > "{seen}.new"\nmv "{seen}.new" "{seen}"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv(TYPED_KEY, KEY)
    monkeypatch.setenv("BIASLAB_PLANTED", "and this is inherited")
    with suppress(Exception):  # the fake Python gives no answers
        start(tmp_path)
    wait_for(seen.exists)
    given = seen.read_text()
    assert KEY not in given
    assert TYPED_KEY not in given
    assert "and this is inherited" in given
    assert str(ROOT) in given.split("PYTHONPATH=")[1].splitlines()[0]


def test_a_key_reaches_the_process_that_it_was_given_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TYPED_KEY, "another session's")
    assert environment({TYPED_KEY: KEY})[TYPED_KEY] == KEY
    assert environment()["PATH"] == os.environ["PATH"]


@dataclass
class Program:
    """A module that the next process runs."""

    folder: Path

    def __call__(self, text: str) -> str:
        (self.folder / "planted_program.py").write_text(text)
        return "planted_program"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return Program(tmp_path)


def test_what_it_prints_comes_line_by_line_however_much_it_reads(program: Program) -> None:
    echo = program("import sys\nfor line in sys.stdin: print(line.strip()[::-1])")
    with AttachedProcess(echo, text="drawer\n" * 50_000) as process:
        assert set(process.lines()) == {"reward\n"}


def test_whoever_leaves_ends_the_process(program: Program) -> None:
    says_its_number = program("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)")
    with AttachedProcess(says_its_number) as process:
        number = int(next(process.lines()))
        assert is_running(host(), number)
    assert is_running(host(), number) is False


def test_one_that_takes_too_long_is_given_up_and_the_waiting_are_told(program: Program) -> None:
    told: list[float] = []
    with (
        AttachedProcess(program("import time\ntime.sleep(600)")) as process,
        pytest.raises(TookTooLong),
    ):
        list(process.lines(told.append, 0.5))
    assert told


def test_the_sentence_of_one_that_ended_early_is_kept_without_its_key(program: Program) -> None:
    refused = program("import os, sys\nsys.exit('Error: Not ' + os.environ['BIASLAB_TYPED_KEY'])")
    with AttachedProcess(refused, further={TYPED_KEY: KEY}) as process:
        assert list(process.lines()) == []
        assert process.why_ended() == "Not [key]"


def test_a_fault_goes_to_the_log_alone(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    with AttachedProcess(program("raise ValueError('planted')")) as process:
        assert list(process.lines()) == []
        assert process.why_ended() == ""
    assert "planted" in caplog.text


def test_a_detached_one_writes_to_its_log_and_is_not_left_listed(
    program: Program, tmp_path: Path
) -> None:
    log = tmp_path / "logs" / "one.log"
    number = detach(program("print('done')"), [], log)
    wait_for(lambda: is_running(host(), number) is False)
    assert log.read_text() == "done\n"


def test_a_number_tells_nothing_elsewhere_or_once_it_was_given_out_again() -> None:
    here = psutil.Process()
    assert is_running(host(), here.pid, here.create_time())
    assert is_running(host(), here.pid, here.create_time() - 60) is None
    assert is_running("another machine", here.pid) is None


def test_processes_are_started_in_one_place() -> None:
    """multiprocessing's are those that docs/decisions/014-processes.md tells apart."""
    starts = {"subprocess": set(), "multiprocessing": set()}
    parts = ("schoolmath", "biaslab", "research")
    for path in (path for part in parts for path in (ROOT / part).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                starts.get(name, set()).add(path.relative_to(ROOT).as_posix())
    assert starts == {
        "subprocess": {"biaslab/models/local/gguf/template.py", "biaslab/system/processes.py"},
        "multiprocessing": {
            "biaslab/models/server/worker_pool.py", "research/experiment/running.py",
            "research/experiment/together.py", "research/family.py",
            "research/shipped.py",
        },
    }  # fmt: skip
