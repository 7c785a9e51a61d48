"""Trains what is missing of the experiment, piece by piece, and keeps the table.

    python -m research.experiment --work build/experiment --jobs 2 --hours 3

It first says what is missing, and how long that takes. A training whose last check is in the
table is never done again; one that was interrupted goes on from its last save in ``--work``. So the
same command continues after any end: time up, a key pressed, a computer switched off, or a file
``stop`` put into ``--work``, at which it saves and ends.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biaslab.stats.errors import BrokenAssets
from biaslab.training.cells import ALL, CheckCell
from biaslab.training.heartbeat import Heartbeat
from biaslab.training.learning import FASTER_MEMORY, device
from biaslab.training.plan import RECORD_FILE, TrainingError, TrainingPlan, TrainingRecord
from biaslab.training.trainer import CHECKS_FILE, RESUME_FILE, STOP_FILE, Counters, Trainer
from research.experiment.design import (
    CELLS,
    CHECKS,
    LARGE,
    ROUNDS,
    ROWS,
    SMALL,
    MixRow,
    Training,
    seeds,
    start_directory,
    start_plan,
    trainings,
    version,
)
from research.experiment.outcomes import COT
from research.experiment.table import (
    EXPERIMENT_FILE,
    Pairs,
    SampleRow,
    pairs_file,
    read_pairs,
    read_table,
    write_pairs,
    write_table,
)
from research.experiment.together import train_together
from research.family import family_rows
from schoolmath.text.figures import count, listed

# What is left to do, in order, and what is there already: in the table, and in directories.


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


def finished_in(table: Iterable[SampleRow], rows: Sequence[MixRow] = ROWS) -> list[Training]:
    """The trainings whose last check is in the table."""
    ended = {(kept.row.mix, kept.row.seed) for kept in table if kept.row.final}
    every = [
        Training(cell, seed) for row in rows for seed in seeds(row.starts) for cell in row.cells
    ]
    return [one for one in every if (one.cell.name, one.seed) in ended]


def gathered(table: Sequence[SampleRow], work: Path, device: str) -> tuple[SampleRow, ...]:
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


def gathered_pairs(
    table: Sequence[SampleRow], before: Iterable[Pairs], work: Path
) -> tuple[Pairs, ...]:
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


def _rows_of(training: Training, work: Path, device: str) -> list[SampleRow]:
    """What was answered at the checks in a training's directory."""
    directory = work / training.name
    task = Task(training.seed, training.cell.size, CHECKS[-1], training)
    seen = task.seen(work)
    if not seen or task.failed(work):
        return []
    return [
        SampleRow(version(), device, row)
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


def _check(record: Mapping[str, Any]) -> _Check:
    right: dict[str, str] = {}
    # A check that was made before they were kept has none.
    for pairs in record.get("pairs", ()):
        if (pairs["steps"], pairs["strategy"]) == (1, COT):
            # Pairs of a study that are told apart by wording come one after another.
            right[pairs["study"]] = right.get(pairs["study"], "") + pairs["right"]
    return _Check(tuple(CheckCell.from_json(cell) for cell in record["cells"]), right)


LESSONS_A_SECOND = {SMALL: 330.0, LARGE: 126.0}
"""A core's, by size, as measured (research/docs/experiment.md)."""

CHECK_SECONDS = 8.0
"""Of a core, for one check."""

TOGETHER_A_SECOND = {SMALL: 60_000.0, LARGE: 23_000.0}
"""Lessons a second that are learnt on an accelerator, by size, as measured on one."""

MADE_A_SECOND = 3_800.0
"""Lessons a second that a core beside it makes, where all cores do."""

WATTS = 15.0
"""What a busy core is taken to draw; an assumption, not measured."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Running:
    """How the trainings are done.

    Attributes:
        work: where they live; table: the file that holds what they answered, in counts; which pairs
            were right stands beside it (`pairs.pairs_file`).
        jobs: trainings at a time, each on one core; on an accelerator, processes that make
            lessons, and as many that ask pairs.
        together: trainings at once on an accelerator; 1: each on a core of its own.
        until: the time (of `time.time`) at which to save and end.
        starts: of which starts, by their seeds; of all unless told.
    """

    work: Path
    table: Path = EXPERIMENT_FILE
    jobs: int = 1
    together: int = 1
    until: float = math.inf
    starts: Collection[int] = ()

    @property
    def rounds(self) -> Sequence[int]:
        """Trained together all come to their end at once: then rounds would only begin anew."""
        return ROUNDS if self.together == 1 else ROUNDS[-1:]

    @property
    def is_over(self) -> bool:
        """Whether time is up, or a stop was asked for."""
        return time.time() >= self.until or (self.work / STOP_FILE).exists()


def do(together: Sequence[Task], running: Running) -> None:
    """One piece of a training, or of several at once, in this process.

    It ends early, and saves, when time is up.

    Args:
        together: pieces that are at the same step and end at the same one.
        running: how.

    Raises:
        TrainingError: it cannot start or go on.
    """
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    until = together[0].until

    def enough(counters: Counters) -> bool:
        return counters.examples >= until or running.is_over

    trainers = [Trainer(task.plan(running.work), task.directory(running.work)) for task in together]
    if len(trainers) == 1:
        trainers[0].run(enough)
    else:
        train_together(trainers, enough, running.jobs)


def run(
    running: Running,
    rows: Sequence[MixRow] = ROWS,
    tell: Tell = lambda _: None,
    work_on: Callable[[Sequence[Task], Running], None] = do,
) -> list[str]:
    """Trains what is missing, until all of it is there or time is up.

    Args:
        running: how.
        rows: which rows of the plan.
        tell: gets a line for every piece that is done.
        work_on: does a piece, in a process of its own.

    Returns:
        a sentence for every training that failed; the others went on.

    Raises:
        BrokenAssets: the table cannot be read.
        OSError: it cannot be written.
        TrainingError: another process trains there, or one that trained was ended from outside.
    """
    running.work.mkdir(parents=True, exist_ok=True)
    with Heartbeat(running.work):
        return _run(running, rows, tell, work_on)


def _run(
    running: Running,
    rows: Sequence[MixRow],
    tell: Tell,
    work_on: Callable[[Sequence[Task], Running], None],
) -> list[str]:
    kept = _gather(running)
    left = tasks(finished_in(kept, rows), rows, running.starts, running.rounds)
    failed: dict[Path, str] = {}
    at_work: dict[Future[None], Sequence[Task]] = {}
    processes = 1 if running.together > 1 else running.jobs
    # Set before the processes start, for it is read only then.
    os.environ.update(FASTER_MEMORY)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        while True:
            left = [task for task in left if not _is_over(task, running, failed)]
            while len(at_work) < processes and not running.is_over:
                group = next_group(
                    left, running, [task for some in at_work.values() for task in some]
                )
                if not group:
                    break
                at_work[pool.submit(work_on, group, running)] = group
            if not at_work:
                (running.work / STOP_FILE).unlink(missing_ok=True)
                return list(failed.values())
            for future in wait(at_work, return_when=FIRST_COMPLETED).done:
                error = future.exception()
                if isinstance(error, BrokenProcessPool):
                    raise TrainingError(
                        "A process that trained was ended from outside, perhaps for want of "
                        "memory. The same command goes on from the last saves."
                    ) from error
                for task in at_work.pop(future):
                    directory = task.directory(running.work)
                    why = str(error or type(error).__name__) if error else task.failed(running.work)
                    if why:
                        failed[directory] = f"{directory.name}: {why}"
                    seen = f"{directory.name}: {task.seen(running.work):,} lessons."
                    tell(failed.get(directory, seen))
                _gather(running)


def _gather(running: Running) -> tuple[SampleRow, ...]:
    before = read_table(running.table)
    kept = gathered(before, running.work, device())
    if set(kept) != set(before):
        write_table(kept, running.table)
    noted = read_pairs(pairs_file(running.table))
    pairs = gathered_pairs(kept, noted, running.work)
    if set(pairs) != set(noted):
        write_pairs(pairs, pairs_file(running.table))
    return kept


def _is_over(task: Task, running: Running, failed: Mapping[Path, str]) -> bool:
    """Whether nothing is left to do of it, or nothing can be: it failed, or its start did."""
    start = Task(task.seed, task.size, START_LESSONS)
    if {task.directory(running.work), start.directory(running.work)} & failed.keys():
        return True
    return task.is_done(running.work)


def next_group(left: Sequence[Task], running: Running, at_work: Collection[Task]) -> list[Task]:
    """The first piece that can begin, and those that go with it on an accelerator."""
    busy = {task.directory(running.work) for task in at_work}
    group: list[Task] = []
    like: tuple[object, ...] = ()
    for task in left:
        directory = task.directory(running.work)
        if directory in busy or (
            task.training and not Task(task.seed, task.size, START_LESSONS).is_done(running.work)
        ):
            continue
        # A later piece of the same training waits for this one.
        busy.add(directory)
        kind = (task.size, task.until, task.training is None, task.seen(running.work))
        if not group:
            like = kind
        if kind == like:
            group.append(task)
        if len(group) == running.together:
            break
    return group


def estimate(left: Sequence[Task], running: Running) -> str:
    """How long what is left takes, and what it draws, in a sentence."""
    lessons: dict[Path, tuple[str, int]] = {}
    for task in left:
        missing = max(0, task.until - task.seen(running.work))
        before = lessons.get(task.directory(running.work), ("", 0))[1]
        lessons[task.directory(running.work)] = (task.size, max(before, missing))
    asking = CHECK_SECONDS * len(CHECKS) * len({task.training for task in left} - {None})
    if running.together > 1:
        learning = sum(missing / TOGETHER_A_SECOND[size] for size, missing in lessons.values())
        making = sum(missing for _, missing in lessons.values()) / MADE_A_SECOND
        longer = max(learning, (making + asking) / running.jobs)
        return (
            f"About {longer / 60:.0f} minutes, {running.together} trainings at once on the "
            f"accelerator, while {count(running.jobs, 'core')} of their own make lessons and ask "
            "pairs; as fast as in research/docs/experiment.md."
        )
    hours = asking / 3600
    hours += sum(missing / LESSONS_A_SECOND[size] for size, missing in lessons.values()) / 3600
    return (
        f"About {hours / running.jobs:.1f} hours with {count(running.jobs, 'core')} of their own, "
        f"as fast as those of research/docs/experiment.md; {hours * WATTS / 1000:.2f} kWh, taking "
        f"a busy core to draw {WATTS:.0f} W (an assumption)."
    )


def state(samples: Sequence[SampleRow], rows: Sequence[MixRow] = ROWS) -> list[str]:
    """A line for every row of the plan: what is there, and what is missing."""
    lines = []
    for row in rows:
        over = finished_in(samples, (row,))
        line = f"{row.number} {row.title}: {len(over)} of {len(row.cells) * row.starts} trainings"
        partly = {
            (one.row.mix, one.row.seed): one.row.examples
            for one in sorted(samples, key=lambda one: one.row.examples)
            if one.row.mix in {cell.name for cell in row.cells}
        }
        for training in over:
            partly.pop((training.cell.name, training.seed), None)
        if partly:
            line += (
                f"; begun: {listed(f'{name} {seed} ({n:,})' for (name, seed), n in partly.items())}"
            )
        lines.append(line)
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0, or 1 where a training failed, or 2 where it could not begin."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}", description="Trains what is missing of the experiment."
    )
    parser.add_argument("--work", type=Path, default=Path("build/experiment"), help="trainings")
    parser.add_argument("--table", type=Path, default=EXPERIMENT_FILE, help="gets the figures")
    parser.add_argument(
        "--jobs", type=int, default=_cores(),
        help="trainings at a time, a core each; beside an accelerator, cores that work for it",
    )  # fmt: skip
    parser.add_argument(
        "--together", type=int, default=80, help="at once on an accelerator, where there is one"
    )
    parser.add_argument("--hours", type=float, default=math.inf, help="then it saves and ends")
    parser.add_argument(
        "--rows", type=int, nargs="+", default=[row.number for row in ROWS],
        choices=[row.number for row in ROWS], help="of the plan (research/docs/experiment.md)",
    )  # fmt: skip
    parser.add_argument(
        "--starts", type=int, nargs="+", default=[], choices=seeds(), metavar="SEED",
        help=f"of these starts alone, {seeds()[0]} to {seeds()[-1]}",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="says what is missing, and ends")
    given = parser.parse_args(arguments)
    rows = [row for row in ROWS if row.number in given.rows]
    running = Running(
        given.work,
        given.table,
        jobs=max(1, given.jobs),
        together=max(1, given.together) if device() == "cuda" else 1,
        until=time.time() + 3600 * given.hours,
        starts=given.starts,
    )
    try:
        kept = gathered(read_table(running.table), running.work, device())
        left = tasks(finished_in(kept, rows), rows, running.starts, running.rounds)
        for line in (*state(kept, rows), estimate(left, running)):
            _say(line)
        failed = [] if given.list else run(running, rows, _say)
    except (BrokenAssets, TrainingError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        _say("Ended. The same command goes on from the last saves.")
        return 1
    return 1 if failed else 0


def _cores() -> int:
    """That this process may use, or that the computer has, where that cannot be told."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
