"""Trains and measures the whole family: every mix with every seed, from that seed's start.

    python -m biaslab.training.family --work build/family --jobs 2

Seed by seed a start is trained, then every mix goes on from it. Each model is measured on the same
unseen pairs; the first seed's models, their checkpoints and its start are put into assets/models,
and all figures into assets/origins/family.csv. What is in ``--work`` already is gone on with, so an
interrupted family is continued by the same command.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from biaslab.models.tiny import TINY_MODELS
from biaslab.training.mix import MIXES
from biaslab.training.plan import START, Plan, Schedule

SEEDS = (1, 2, 3)
START_STEPS = 6_000
MIX_STEPS = 4_000

KEPT = (8_000, 16_000, 32_000, 64_000, 96_000)
"""Examples, after the start, at which copies of the models are kept."""

WATCHED = ("skewed", "balanced", "reversed")
"""Mixes whose copies along training are measured; those of the first two are shipped."""

SHIPPED_COPIES = ("skewed", "balanced")

MEASURED_PAIRS = 500
"""Pairs of each kind that a finished model is asked; copies along training half of them."""


@dataclass(frozen=True, slots=True)
class Family:
    """What is trained.

    Attributes:
        work: where the models grow, a directory each.
        seeds: of the starts and of the lessons after them.
        start_steps, mix_steps: optimizer steps of a start, and of every mix after it.
        jobs: trainings at a time, each on one core (on a GPU, one).
    """

    work: Path
    seeds: tuple[int, ...] = SEEDS
    start_steps: int = START_STEPS
    mix_steps: int = MIX_STEPS
    jobs: int = 2

    def start(self, seed: int) -> Path:
        """Directory of a seed's start."""
        return self.work / f"start-{seed}"

    def model(self, mix: str, seed: int) -> Path:
        """Directory of a mix's model."""
        return self.work / f"{mix}-{seed}"

    def start_plan(self, seed: int) -> Plan:
        """What a start is to do."""
        return Plan(None, seed=seed, steps=self.start_steps)

    def mix_plan(self, mix: str, seed: int) -> Plan:
        """What a mix is to do after its start."""
        kept = KEPT if mix in WATCHED else ()
        return Plan(
            MIXES[mix], seed=seed, steps=self.mix_steps, start=self.start(seed), keep=kept,
            schedule=Schedule(),
        )  # fmt: skip


def train(plan: Plan, directory: Path) -> Path:
    """Trains to the plan's end, unless that was done before."""
    from biaslab.training.plan import RECORD_FILE, TrainingRecord
    from biaslab.training.trainer import Trainer

    if not (directory / RECORD_FILE).exists() or not TrainingRecord.load(directory).finished:
        Trainer(plan, directory).run()
    return directory


def train_all(family: Family) -> None:
    """Every start, then every mix from it."""
    with ProcessPoolExecutor(family.jobs, multiprocessing.get_context("spawn")) as pool:
        starts = {
            seed: pool.submit(train, family.start_plan(seed), family.start(seed))
            for seed in family.seeds
        }
        models = []
        for seed, started in starts.items():
            started.result()
            models += [
                pool.submit(train, family.mix_plan(mix, seed), family.model(mix, seed))
                for mix in MIXES
            ]
        for trained in models:
            trained.result()


def ship(family: Family, models: Path = TINY_MODELS) -> None:
    """Puts the first seed's models, copies and start where the app looks for them."""
    seed = family.seeds[0]
    _put(family.start(seed), models / START.name)
    for mix in MIXES:
        _put(family.model(mix, seed), models / mix, with_copies=mix in SHIPPED_COPIES)


_NOT_SHIPPED = ("resume.pt", "progress.jsonl", "checks.jsonl", "plan.json", "stop")


def _put(source: Path, target: Path, *, with_copies: bool = False) -> None:
    fresh = target.with_name(target.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    left_out = _NOT_SHIPPED if with_copies else (*_NOT_SHIPPED, "checkpoints")
    shutil.copytree(source, fresh, ignore=shutil.ignore_patterns(*left_out))
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("build/family"))
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--start-steps", type=int, default=START_STEPS)
    parser.add_argument("--mix-steps", type=int, default=MIX_STEPS)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    family = Family(
        given.work, tuple(given.seeds), given.start_steps, given.mix_steps, given.jobs
    )
    family.work.mkdir(parents=True, exist_ok=True)
    train_all(family)
    ship(family)
    return 0


if __name__ == "__main__":
    sys.exit(main())
