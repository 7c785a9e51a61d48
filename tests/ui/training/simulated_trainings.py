"""A simulation of trainings: directories as a training leaves them, with made-up figures.

No model stands behind them. They show what the page does with a bias that comes and goes.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from biaslab.training import heartbeat
from biaslab.training.cells import CheckCell
from biaslab.training.mix import MIXES
from biaslab.training.plan import TrainingPlan, TrainingRecord

PAIRS = 100


def cell(study: str, strategy: str, first: float, second: float, wording: str = "") -> CheckCell:
    """Pairs of one step of which so many first and second members are right.

    Whose second member is right, its first one is as well, as far as that goes.
    """
    right_x, right_x_prime = round(first * PAIRS), round(second * PAIRS)
    both = min(right_x, right_x_prime)
    worked = strategy == "cot" and study == "consistency"
    asked = PAIRS if worked else 0
    return CheckCell(
        study, "additive" if study == "consistency" else "", wording, 1, strategy, PAIRS,
        both, right_x - both, right_x_prime - both, PAIRS - max(right_x, right_x_prime),
        operator_asked_x=asked, operator_right_x=right_x if worked else 0,
        operator_plus_x=50 if worked else 0,
        operator_asked_x_prime=asked, operator_right_x_prime=right_x_prime if worked else 0,
        operator_plus_x_prime=50 if worked else 0,
        wrong_x=PAIRS - right_x, reversed_x=(PAIRS - right_x) // 5,
        wrong_x_prime=PAIRS - right_x_prime, reversed_x_prime=4 * (PAIRS - right_x_prime) // 5,
    )  # fmt: skip


def cells(share: float, bias: float) -> list[CheckCell]:
    """A check at a share of the training: the bias grows, and shrinks a little at the end."""
    now = bias * min(1.0, 2.2 * share) * (1.0 if share < 0.8 else 0.8)
    skill = 0.25 + 0.6 * share**0.7
    made = []
    for strategy, more in (("direct", 0.0), ("cot", 0.08)):
        for study, size in (("consistency", 0.45), ("transfer-comparison", 0.35), ("carry", 0.1)):
            first = min(0.98, skill + more + size * now / 2)
            second = min(0.98, max(0.02, skill + more - size * now))
            if study == "transfer-comparison":
                made += [
                    cell(study, strategy, first, second, wording)
                    for wording in ("consistent", "inconsistent")
                ]
            made.append(cell(study, strategy, first, second))
    return made


def write_training(
    root: Path,
    name: str,
    *,
    mix: str = "skewed",
    status: str = "finished",
    minutes: float = 5.0,
    share: float = 1.0,
    bias: float = 1.0,
    checks: int = 8,
) -> Path:
    """Writes a training's directory; a running one belongs to this process."""
    directory = root / name
    directory.mkdir(parents=True)
    TrainingPlan(MIXES[mix], 1, minutes, check_every=minutes / 10).save(directory)
    with (directory / "progress.jsonl").open("w", encoding="utf-8") as file:
        for pool in range(1, 61):
            done = pool / 60
            if done > share:
                break
            line = {
                "minute": round(done * minutes, 3), "share": round(done, 4), "step": 32 * pool,
                "examples": 1024 * pool, "loss": round(0.25 + 2.2 * (1 - done) ** 3, 4),
                "stage": "problems",
            }  # fmt: skip
            file.write(json.dumps(line) + "\n")
    with (directory / "checks.jsonl").open("w", encoding="utf-8") as file:
        for number in range(1, checks + 1):
            done = number / checks
            if done > share:
                break
            check = {
                "minute": round(done * minutes, 3), "examples": int(61_440 * done),
                "cells": [asdict(cell) for cell in cells(done, bias)],
            }  # fmt: skip
            file.write(json.dumps(check) + "\n")
    _write_end(directory, name, mix, status, minutes, share)
    return directory


def _write_end(
    directory: Path, name: str, mix: str, status: str, minutes: float, share: float
) -> None:
    if status in ("running", "stopping"):
        heartbeat.note(directory, os.getpid())
    if status == "stopping":
        (directory / "stop").touch()
    if status == "interrupted":
        heartbeat.note(directory, os.getpid())
        said = json.loads((directory / "process.json").read_text(encoding="utf-8"))
        (directory / "process.json").write_text(
            json.dumps({**said, "pid": 2**22 + 5}), encoding="utf-8"
        )
    if status == "failed":
        (directory / "error.txt").write_text(
            f"There is no space left on the disk of {directory}: free some, then go on.\n",
            encoding="utf-8",
        )
    if status == "finished":
        record = TrainingRecord(
            mix, 1, minutes * share, 1920, 61_440, 9_000, 0.25, True, "2026-11-22", {}, {}
        )
        record.save(directory)
        card = {
            "name": name, "label": f"Tiny model “{name}”", "explanation": "A simulation.",
            "trained_on": [], "limits": [], "parameters": 1, "examples_seen": 61_440,
            "abilities": [],
        }  # fmt: skip
        (directory / "model_card.json").write_text(json.dumps(card), encoding="utf-8")
