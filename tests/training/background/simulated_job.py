"""A training's process that learns nothing: it counts steps, as long and in the way it is told.

The environment variable SIMULATED says what happens: ``quick`` (a step takes no time), ``slow``
(it goes on until it is stopped or killed), ``error`` (a bug), ``full`` (no space on the disk).
"""

from __future__ import annotations

import errno
import json
import os
import sys
import threading
from dataclasses import asdict
from pathlib import Path

from biaslab.training.heartbeat import TrainingProgress, read_progress
from biaslab.training.job import Tell, main
from biaslab.training.plan import TrainingPlan, TrainingRecord
from biaslab.training.trainer import PROGRESS_FILE, RESUME_FILE, STOP_FILE


def simulated(directory: Path, tell: Tell) -> bool:
    """Counts the plan's steps; every tenth is saved."""
    how = os.environ.get("SIMULATED", "quick")
    if how == "error":
        raise ZeroDivisionError("a bug")
    if how == "full":
        raise OSError(errno.ENOSPC, "No space left on device")
    plan = TrainingPlan.load(directory)
    saved = directory / RESUME_FILE
    step = int(saved.read_text()) if saved.exists() else 0
    while step < plan.steps and not (directory / STOP_FILE).exists():
        step += 1
        line = TrainingProgress(step / 60, step / plan.steps, step, 32 * step, 1 / step, "problems")
        with (directory / PROGRESS_FILE).open("a") as file:
            file.write(json.dumps(asdict(line)) + "\n")
        tell(asdict(line))
        if step % 10 == 0:
            saved.write_text(str(step))
        threading.Event().wait(0.05 if how == "slow" else 0)
    saved.write_text(str(step))
    finish(directory, plan, finished=step == plan.steps)
    return step == plan.steps


def finish(directory: Path, plan: TrainingPlan, *, finished: bool) -> None:
    """Leaves the record of a training and, of a finished one, something that stands for a card."""
    steps = max((line.step for line in read_progress(directory)), default=0)
    TrainingRecord(
        plan.mix_name, plan.seed, 1.0, steps, 32 * steps, 0, 0.1, finished, "2026-01-01", {}, {},
    ).save(directory)  # fmt: skip
    if finished:
        (directory / "model_card.json").write_text("{}")


if __name__ == "__main__":
    sys.exit(main(work=simulated))
