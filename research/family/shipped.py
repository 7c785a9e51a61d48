"""The models that come with the app.

    python -m research.family.shipped --work build/shipped --jobs 2

Every mix goes on from the start that ships, with the same seed, as many lessons, and the same ones
but for what its ratios change, and once more for longer. Nothing that a model does decides whether
it ships, or the models would be chosen for what they are there to show (docs/training-lab.md,
"Which models ship").
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from biaslab.models.tiny.model import TINY_MODELS
from biaslab.training.gate import GATE_FILE, GateReport
from biaslab.training.learning import FASTER_MEMORY
from biaslab.training.measuring import STRATEGIES
from biaslab.training.mix import MIXES
from biaslab.training.plan import START, Schedule, TrainingPlan
from research.family.family import measured, put, train
from research.family.goals import goal_table, left_table

LESSONS = 128_000
"""After the start."""

LONG = {f"{mix}-640k": mix for mix in MIXES}
"""Names of the models with five times the lessons, and their mixes: for whom a model should above
all be able to do school problems, and to see what more lessons leave of what a mix does."""

LONG_LESSONS = 640_000
"""After the start, of `LONG`."""

SHIPPED = (*MIXES, *LONG)
"""Names of all models that this module trains."""

SEED = 1
"""Of all of them. There is no second one to choose from."""

SHIPPED_COPIES = ("skewed", "balanced")
"""Mixes of which copies from along their training ship too."""

KEPT = (8_000, 16_000, 24_000, 32_000, 48_000)
"""Lessons at which copies of `SHIPPED_COPIES` are kept."""

SCHEDULE = Schedule(one_step_until=0.3, equations_share=0.2)

EQUATION_KINDS = (
    ("small", 0.20), ("two digits", 0.15), ("three digits", 0.25), ("table", 0.40),
)  # fmt: skip
"""Of the bare equations: more products than the family had, whose models chose the right operation
where things are compared by a factor, and then multiplied wrongly."""

MOST_STEPS = 5
"""Longest problems that a shipped model is measured on; those beyond three are not taught."""


def plan_of(name: str) -> TrainingPlan:
    """What the training of a model of `SHIPPED` is to do."""
    lessons = LONG_LESSONS if name in LONG else LESSONS
    return TrainingPlan(
        MIXES[LONG.get(name, name)], seed=SEED, steps=lessons // SCHEDULE.batch, start=START,
        keep=KEPT if name in SHIPPED_COPIES else (), equation_kinds=EQUATION_KINDS,
        schedule=SCHEDULE,
    )  # fmt: skip


def make(work: Path, name: str) -> Path:
    """The directory of a model, trained and measured unless that was done before."""
    directory = train(plan_of(name), work / name)
    measured(directory, name, SEED, STRATEGIES, MOST_STEPS)
    return directory


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("build/shipped"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--models", type=Path, default=TINY_MODELS, help="gets the models")
    parser.add_argument("--only", nargs="+", choices=SHIPPED, default=SHIPPED)
    given = parser.parse_args(arguments)
    given.work.mkdir(parents=True, exist_ok=True)
    os.environ.update(FASTER_MEMORY)
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        made = pool.map(partial(make, given.work), given.only)
        found = dict(zip(given.only, made, strict=True))
    for name, directory in found.items():
        put(directory, given.models / name, KEPT if name in SHIPPED_COPIES else ())
    reports = {name: GateReport.load(directory / GATE_FILE) for name, directory in found.items()}
    shorter = {name: report for name, report in reports.items() if name not in LONG}
    longer = {name: report for name, report in reports.items() if name in LONG}
    both = {
        mix: (shorter[mix], longer[name]) for name, mix in LONG.items()
        if name in longer and mix in shorter
    }  # fmt: skip
    for table in (goal_table(shorter), goal_table(longer), left_table(both)):
        sys.stdout.write(f"{table}\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
