"""What is left to do, in order, and what is there already: in the table, and in directories."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biaslab.training.cells import ALL, CheckCell
from biaslab.training.plan import RECORD_FILE, TrainingError, TrainingPlan, TrainingRecord
from biaslab.training.trainer import CHECKS_FILE, RESUME_FILE
from research.experiment.contrasts import COT
from research.experiment.design import (
    CELLS,
    CHECKS,
    ROUNDS,
    ROWS,
    MixRow,
    Training,
    seeds,
    start_directory,
    start_plan,
    trainings,
    version,
)
from research.experiment.pairs import Pairs
from research.experiment.table import Kept
from research.family.family_table import family_rows

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

    def plan(self, work: Path) -> TrainingPlan:
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


def tasks(
    finished: Iterable[Training],
    rows: Sequence[MixRow] = ROWS,
    starts: Collection[int] = (),
    rounds: Sequence[int] = ROUNDS,
) -> list[Task]:
    """All pieces of what is not finished, in their order.

    Args:
        finished: trainings that are in the table up to their end.
        rows: what of the plan is asked for.
        starts: of which starts, by their seeds; of all unless told.
        rounds: lessons to which all cells of a start come before any goes further.
    """
    over = set(finished)
    found: list[Task] = []
    for row in rows:
        for seed in seeds(row.starts):
            if starts and seed not in starts:
                continue
            left = [one for one in (Training(cell, seed) for cell in row.cells) if one not in over]
            before = dict.fromkeys(Task(seed, one.cell.size, START_LESSONS) for one in left)
            found += [start for start in before if start not in found]
            found += [Task(seed, one.cell.size, until, one) for until in rounds for one in left]
    return found


def finished_in(table: Iterable[Kept], rows: Sequence[MixRow] = ROWS) -> list[Training]:
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


def gathered_pairs(table: Sequence[Kept], before: Iterable[Pairs], work: Path) -> tuple[Pairs, ...]:
    """Which members of every pair were answered rightly, of what is in the table.

    Args:
        table: its rows. Pairs that are of none of them, or contradict one, go.
        before: what was kept.
        work: directories, whose pairs are newer than those.
    """
    found = {pairs.key: pairs for pairs in before if pairs.version == version()}
    rows = {
        (kept.row.mix, kept.row.seed, kept.row.examples, kept.row.study): kept.row
        for kept in table
        if kept.version == version() and (kept.row.steps, kept.row.strategy) == (1, COT)
    }
    for cell, seed in dict.fromkeys((cell, seed) for cell, seed, _, _ in rows):
        training = Training(CELLS[cell], seed)
        for examples, check in _checks(work / training.name).items():
            for study, right in check.right.items():
                pairs = Pairs(version(), cell, seed, examples, study, right)
                found[pairs.key] = pairs
    return tuple(
        pairs for key, pairs in found.items() if key in rows and pairs.agrees_with(rows[key])
    )


def _rows_of(training: Training, work: Path, device: str) -> list[Kept]:
    """What was answered at the checks in a training's directory."""
    directory = work / training.name
    task = Task(training.seed, training.cell.size, CHECKS[-1], training)
    seen = task.seen(work)
    if not seen or task.failed(work):
        return []
    return [
        Kept(version(), device, row)
        for examples, check in _checks(directory).items()
        if examples in CHECKS and examples <= seen
        for row in family_rows(
            training.cell.name, training.seed, examples, examples == CHECKS[-1],
            [cell for cell in check.cells if cell.wording == ALL],
        )
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Check:
    """What was answered at a check; `right`: by study, the digits of its pairs (`Pairs.right`)."""

    cells: tuple[CheckCell, ...]
    right: dict[str, str]


def _checks(directory: Path) -> dict[int, _Check]:
    """By lessons, the checks in a training's directory; of a repeated one, the last."""
    path = directory / CHECKS_FILE
    if not path.exists():
        return {}
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return {line["examples"]: _check(line) for line in lines}
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{path} is damaged ({error}): delete {directory}, so that this training is done anew."
        ) from error


def _check(line: Mapping[str, Any]) -> _Check:
    right: dict[str, str] = {}
    # A check that was made before they were kept has none.
    for pairs in line.get("pairs", ()):
        if (pairs["steps"], pairs["strategy"]) == (1, COT):
            # Pairs of a study that are told apart by wording come one after another.
            right[pairs["study"]] = right.get(pairs["study"], "") + pairs["right"]
    return _Check(tuple(CheckCell.from_json(cell) for cell in line["cells"]), right)
