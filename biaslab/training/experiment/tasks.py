"""What is left to do, in order, and what is there already: in the table, and in directories."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from biaslab.training.errors import TrainingError
from biaslab.training.experiment.design import (
    CHECKS,
    ROUNDS,
    ROWS,
    Row,
    Training,
    seeds,
    start_directory,
    start_plan,
    trainings,
    version,
)
from biaslab.training.experiment.table import Kept
from biaslab.training.measures.cells import ALL, Cell
from biaslab.training.origins.family_table import family_rows
from biaslab.training.plan import RECORD_FILE, Plan, TrainingRecord
from biaslab.training.trainer import CHECKS_FILE, RESUME_FILE

START_LESSONS = start_plan(0).steps * start_plan(0).schedule.batch


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of a training, from where it is to `until` lessons.

    Attributes:
        seed, size: of its start. training: what goes on from there; None: the start itself.
    """

    seed: int
    size: str
    until: int
    training: Training | None = None

    def directory(self, work: Path) -> Path:
        """Where it lives."""
        if self.training is None:
            return start_directory(work, self.seed, self.size)
        return work / self.training.name

    def plan(self, work: Path) -> Plan:
        """Of the whole training."""
        if self.training is None:
            return start_plan(self.seed, self.size)
        return self.training.plan(work)

    def seen(self, work: Path) -> int:
        """Lessons that its last save has seen; 0 without one."""
        directory = self.directory(work)
        if not (directory / RECORD_FILE).exists():
            return 0
        record = TrainingRecord.load(directory)
        # A finished start is gone on with from its weights; anything else needs its save.
        there = (directory / RESUME_FILE).exists() or record.finished
        return record.examples if there else 0

    def failed(self, work: Path) -> str:
        """Why nothing can be learnt from how it went; empty where it went well."""
        directory = self.directory(work)
        if not (directory / RECORD_FILE).exists():
            return ""
        if math.isnan(TrainingRecord.load(directory).loss):
            return (
                f"it diverged (its loss is no number any more): delete {directory} to do it anew."
            )
        return ""

    def is_done(self, work: Path) -> bool:
        """Whether it has come so far."""
        return self.seen(work) >= self.until


def tasks(finished: Iterable[Training], rows: Sequence[Row] = ROWS) -> list[Task]:
    """All pieces of what is not finished, in their order.

    Args:
        finished: trainings that are in the table up to their end.
        rows: what of the plan is asked for.
    """
    over = set(finished)
    found: list[Task] = []
    for row in rows:
        for seed in seeds(row.starts):
            left = [one for one in (Training(cell, seed) for cell in row.cells) if one not in over]
            starts = {Task(seed, one.cell.size, START_LESSONS): None for one in left}
            found += [start for start in starts if start not in found]
            found += [Task(seed, one.cell.size, until, one) for until in ROUNDS for one in left]
    return found


def finished_in(table: Iterable[Kept], rows: Sequence[Row] = ROWS) -> list[Training]:
    """The trainings whose last check is in the table."""
    ended = {(kept.row.mix, kept.row.seed) for kept in table if kept.row.final}
    every = [
        Training(cell, seed) for row in rows for seed in seeds(row.starts) for cell in row.cells
    ]
    return [one for one in every if (one.cell.name, one.seed) in ended]


def gathered(table: Sequence[Kept], work: Path, device: str) -> tuple[Kept, ...]:
    """The table with what the directories of unfinished trainings hold.

    What is finished in the table stays as it is. An unfinished training's rows are those of its
    directory; without a save it will be trained anew, and has none. Rows of another version go.
    """
    table = [kept for kept in table if kept.version == version()]
    over = finished_in(table)
    names = {(one.cell.name, one.seed) for one in over}
    found = [kept for kept in table if (kept.row.mix, kept.row.seed) in names]
    for training in trainings():
        if (training.cell.name, training.seed) not in names:
            found += _rows_of(training, work, device)
    return tuple(found)


def _rows_of(training: Training, work: Path, device: str) -> list[Kept]:
    """What was answered at the checks in a training's directory."""
    directory = work / training.name
    task = Task(training.seed, training.cell.size, CHECKS[-1], training)
    seen = task.seen(work)
    if not seen or task.failed(work) or not (directory / CHECKS_FILE).exists():
        return []
    checks: dict[int, list[Cell]] = {}
    try:
        for line in (directory / CHECKS_FILE).read_text(encoding="utf-8").splitlines():
            content = json.loads(line)
            checks[content["examples"]] = [Cell.from_json(cell) for cell in content["cells"]]
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{directory / CHECKS_FILE} is damaged ({error}): delete {directory}, so that this "
            "training is done anew."
        ) from error
    return [
        Kept(version(), device, row)
        for examples, cells in checks.items()
        if examples in CHECKS and examples <= seen
        for row in family_rows(
            training.cell.name, training.seed, examples, examples == CHECKS[-1],
            [cell for cell in cells if cell.wording == ALL],
        )
    ]  # fmt: skip
