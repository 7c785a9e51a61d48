"""Trains and measures the whole family: every mix with every seed, from one start.

    python -m research.family --work build/family --jobs 2

A start is trained, then every mix goes on from it with every seed. Each model is measured on the
same unseen pairs; the start and the model that *Look inside* begins with (`LOOKED_INTO`) are put
into assets/models, and all figures into assets/origins/family.csv. What is in ``--work`` already
is gone on with, so an interrupted family is continued by the same command. The other models that
ship are trained longer, from the same start (`research.shipped`).
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path

from biaslab.models.tiny.model import TINY_MODELS
from biaslab.training.card import measure_and_write, write_card
from biaslab.training.cells import CheckCell
from biaslab.training.gate import GATE_FILE, TAUGHT_STEPS, GateReport, load
from biaslab.training.measuring import QUICK, measure
from biaslab.training.mix import FAMILY, MIXES
from biaslab.training.origins.rows import (
    COLUMNS,
    FAMILY_FILE,
    FamilyRow,
    family_row,
    read_family,
    write_lines,
)
from biaslab.training.plan import RECORD_FILE, START, TrainingError, TrainingPlan, TrainingRecord
from biaslab.training.trainer import CHECKPOINTS, Trainer, copy_name

__all__ = ["FAMILY_FILE", "family_rows", "read_family", "write_family"]

# The table of the family: a row a cell, model and check. `biaslab.training.origins.rows` reads it;
# research/docs/family.md says what the columns mean.


def family_rows(
    mix: str, seed: int, examples: int, final: bool, cells: Iterable[CheckCell]
) -> tuple[FamilyRow, ...]:
    """The rows of one check of one model.

    Args:
        mix: name of its mix.
        seed: of its training.
        examples: training examples seen since the start.
        final: whether its training has ended.
        cells: what was measured.
    """
    model = {"mix": mix, "seed": seed, "examples": examples, "final": int(final)}
    return tuple(family_row({**model, **cell.to_json()}) for cell in cells)


def write_family(rows: Iterable[FamilyRow], path: Path = FAMILY_FILE) -> None:
    """Writes all rows, in a fixed order, replacing an earlier table at once.

    Args:
        rows: of all models and checks.
        path: the file; its directory is made where there is none.

    Raises:
        OSError: it cannot be written.
    """
    write_lines(path, COLUMNS, map(astuple, sorted(rows, key=lambda row: row.key)))


# The family.


SEEDS = (1, 2, 3)
START_STEPS = 2_500
MIX_STEPS = 2_000

KEPT = (8_000, 16_000, 24_000, 32_000, 48_000)
"""Examples, after the start, at which copies of the models are kept."""

LOOKED_INTO = "skewed-64k"
"""Name under which the family's `skewed` of the first seed ships: asked directly it turns some
inconsistent problems round, which none of those that are trained longer does."""

LOOKED_INTO_COPIES = (32_000,)
"""Its copies that ship; fine-tuning starts from them too (`research.tuning.design`)."""

WATCHED = ("skewed", "balanced", "reversed")
"""Mixes whose copies along training are measured."""

ONE_STEP_PAIRS = 500
"""Pairs of each one-step kind that a finished model is asked."""

LONGER_PAIRS = 200
"""Pairs of each longer kind, and of each kind that a copy along training is asked."""

ASKED = ("direct", "cot")
"""How the models of the table are asked."""


@dataclass(frozen=True, slots=True)
class FamilyPlan:
    """What is trained.

    Attributes:
        work: where the models grow, a directory each.
        seeds: of the lessons after the start. The start has the first one.
        start_steps, mix_steps: optimizer steps of the start, and of every mix after it.
        jobs: trainings at a time, each on one core (on a GPU, one).
    """

    work: Path
    seeds: tuple[int, ...] = SEEDS
    start_steps: int = START_STEPS
    mix_steps: int = MIX_STEPS
    jobs: int = 2

    @property
    def start(self) -> Path:
        """Directory of the start."""
        return self.work / "start"

    def model(self, mix: str, seed: int) -> Path:
        """Directory of a mix's model."""
        return self.work / f"{mix}-{seed}"

    @property
    def start_plan(self) -> TrainingPlan:
        """What the start is to do."""
        return TrainingPlan(None, seed=self.seeds[0], steps=self.start_steps)

    def mix_plan(self, mix: str, seed: int) -> TrainingPlan:
        """What a mix is to do after its start."""
        kept = KEPT if mix in WATCHED else ()
        return TrainingPlan(
            MIXES[mix], seed=seed, steps=self.mix_steps, start=self.start, keep=kept
        )


def train(plan: TrainingPlan, directory: Path) -> Path:
    """Trains to the plan's end, unless that was done before.

    Raises:
        TrainingError: what is there was trained by another plan.
    """
    if (directory / RECORD_FILE).exists() and TrainingRecord.load(directory).finished:
        if TrainingPlan.load(directory) != plan:
            raise TrainingError(
                f"The model in {directory} was trained by another plan (other steps, lessons or "
                "copies): choose another --work, or delete that directory."
            )
        return directory
    Trainer(plan, directory).run()
    return directory


def measured(
    directory: Path,
    name: str,
    seed: int,
    strategies: Sequence[str] = ASKED,
    most_steps: int = TAUGHT_STEPS,
) -> tuple[FamilyRow, ...]:
    """The rows of a model and of its copies; measures what was not measured before.

    Args:
        directory: the training's.
        name: the model's; in the family its mix's.
        seed: of its lessons.
        strategies: prompts that the finished model is asked with.
        most_steps: longest problems that it is asked.
    """
    record = TrainingRecord.load(directory)
    if not (directory / GATE_FILE).exists():
        measure_and_write(
            *load(directory), directory, name, gate_problems=ONE_STEP_PAIRS,
            other_problems=LONGER_PAIRS, strategies=strategies, most_steps=most_steps,
        )  # fmt: skip
    report = GateReport.load(directory / GATE_FILE)
    rows = list(family_rows(name, seed, record.examples, True, report.cells))
    for copy in sorted((directory / CHECKPOINTS).glob("*k")):
        examples = TrainingRecord.load(copy).examples
        if not (copy / GATE_FILE).exists():
            model, tokenizer = load(copy)
            found = measure(model, tokenizer, QUICK, ASKED, LONGER_PAIRS)
            GateReport(report.mix, found).write(copy / GATE_FILE)
            write_card(copy, f"{name}@{copy.name}")
        found = GateReport.load(copy / GATE_FILE).cells
        rows += family_rows(name, seed, examples, False, found)
    return tuple(rows)


def make(family: FamilyPlan, mix: str, seed: int) -> tuple[FamilyRow, ...]:
    """Trains and measures one model."""
    directory = train(family.mix_plan(mix, seed), family.model(mix, seed))
    return measured(directory, mix, seed)


def make_all(family: FamilyPlan) -> tuple[FamilyRow, ...]:
    """The start, then every mix from it with every seed; the table of the family."""
    train(family.start_plan, family.start)
    with ProcessPoolExecutor(family.jobs, multiprocessing.get_context("spawn")) as pool:
        found = [pool.submit(make, family, mix, seed) for seed in family.seeds for mix in FAMILY]
        return tuple(row for rows in found for row in rows.result())


_NOT_SHIPPED = ("resume.pt", "progress.jsonl", "checks.jsonl", "plan.json", "stop", CHECKPOINTS)


def put(source: Path, target: Path, copies: Sequence[int] = ()) -> None:
    """Puts a trained model in the place of another, without what only a training needs.

    Args:
        source: the training's directory.
        target: replaced by it.
        copies: those from along the training that go with it, by their lessons.
    """
    fresh = target.with_name(target.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    without = shutil.ignore_patterns(*_NOT_SHIPPED)
    shutil.copytree(source, fresh, ignore=without)
    for lessons in copies:
        copy = Path(CHECKPOINTS) / copy_name(lessons)
        shutil.copytree(source / copy, fresh / copy, ignore=without)
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
    parser.add_argument("--models", type=Path, default=TINY_MODELS, help="gets the start")
    parser.add_argument("--table", type=Path, default=FAMILY_FILE, help="gets the figures")
    given = parser.parse_args(arguments)
    family = FamilyPlan(
        given.work, tuple(given.seeds), given.start_steps, given.mix_steps, given.jobs
    )
    family.work.mkdir(parents=True, exist_ok=True)
    rows = make_all(family)
    write_family(rows, given.table)
    put(family.start, given.models / START.name)
    put(family.model("skewed", family.seeds[0]), given.models / LOOKED_INTO, LOOKED_INTO_COPIES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
