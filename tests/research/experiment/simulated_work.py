"""Pieces of trainings that learn nothing: they leave in a directory what a training would."""

from __future__ import annotations

import json
import math
import os
import signal
from dataclasses import asdict
from pathlib import Path

from biaslab.training.cells import CheckCell
from biaslab.training.plan import TrainingError, TrainingRecord
from biaslab.training.trainer import CHECKS_FILE, RESUME_FILE
from research.experiment.design import CHECKS

DIVERGES = "consistency-2to1-101"
"""Beginning of the directory of a training that fails."""

PAIRS = {
    "study": "consistency", "comparison": "additive", "wording": "", "steps": 1, "strategy": "cot",
    "right": "3333322100",
}  # fmt: skip
"""The two bits of every pair that such a training counts at each check."""


def pretend(together, running):
    """Comes to the piece's end at once, and says in what order pieces were done."""
    for task in together:
        directory = task.directory(running.work)
        if directory.name.startswith(DIVERGES):
            raise TrainingError("its weights are no numbers any more")
        with (running.work / "order").open("a") as file:
            file.write(f"{directory.name.rpartition('-')[0]} {task.until}\n")
        come_to(directory, task.until)


def pretend_nan(together, running):
    """Comes to the end with a loss that is no number."""
    for task in together:
        come_to(task.directory(running.work), task.until, loss=math.nan)


def killed(_together, _running):
    """Is ended from outside."""
    os.kill(os.getpid(), signal.SIGKILL)


def order(work: Path) -> list[str]:
    """The pieces in the order in which they were done."""
    return (work / "order").read_text().splitlines()


def come_to(directory: Path, lessons: int, loss: float = 0.1) -> None:
    """Leaves a training that has come so far, with its checks."""
    directory.mkdir(exist_ok=True)
    start = directory.name.startswith("start")
    finished = start or lessons == CHECKS[-1]
    TrainingRecord(
        "own", 1, 1.0, lessons // 32, lessons, 0, loss, finished, "2026-01-01", {}, {}
    ).save(directory)
    (directory / RESUME_FILE).touch()
    if not start:
        cell = CheckCell("consistency", "additive", "", 1, "cot", 10, 5, 2, 1, 2)
        with (directory / CHECKS_FILE).open("w") as file:
            for check in CHECKS:
                if check <= lessons:
                    line = {"examples": check, "cells": [asdict(cell)], "pairs": [PAIRS]}
                    file.write(json.dumps(line) + "\n")
