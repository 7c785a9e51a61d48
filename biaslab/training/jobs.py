"""Trainings in the background: started, watched, stopped and gone on with from any process.

    start_job(plan, directory)
    look(directory)              # status, progress, checks; any number of times
    ask_to_stop(directory)       # saves and ends
    go_on(directory)             # from the last save

A training is a directory and a process that outlives the page, the tab and the server. Nothing
here imports torch.
"""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from biaslab.models.tiny.model import CARD_FILE
from biaslab.system.processes import detach
from biaslab.system.roles import May, require
from biaslab.training import heartbeat
from biaslab.training.heartbeat import (
    ProgressCheck,
    TrainingProgress,
    mend,
    read_checks,
    read_progress,
)
from biaslab.training.learning import FASTER_MEMORY
from biaslab.training.plan import (
    PLAN_FILE,
    RECORD_FILE,
    NoSpace,
    TrainingBusy,
    TrainingError,
    TrainingPlan,
    TrainingRecord,
    WrongDirectory,
    spec_of,
)
from biaslab.training.trainer import CHECKS_FILE, PROGRESS_FILE, STOP_FILE, continued

JOB = "biaslab.training.job"
"""The module that the new process runs."""

ERROR_FILE = "error.txt"
"""The sentence with which a training ended, where it ended by an error."""

LOG_FILE = "training.log"
"""What the process had to say, for whoever looks for the cause of an error."""

LEAST_SPACE = 200_000_000
"""Bytes that must be free before a training starts: weights, saves and copies take far less."""


class JobStatus(StrEnum):
    """What a training is doing.

    STOPPING: it was asked to stop and is about to save. INTERRUPTED: its process died without
    saving; it goes on from the save before. STOPPED and INTERRUPTED ones can be gone on with,
    FAILED ones too where the error is put right.
    """

    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class JobState:
    """A training as it stands.

    Attributes:
        directory: where it lives.
        status: what it is doing.
        plan: what it is to do; None where that cannot be read, `error` says why then.
        progress, checks: what it said so far, in order.
        error: a sentence where it failed, else empty.
        quiet: seconds since its last heartbeat.
    """

    directory: Path
    status: JobStatus
    plan: TrainingPlan | None
    progress: tuple[TrainingProgress, ...]
    checks: tuple[ProgressCheck, ...]
    error: str
    quiet: float

    @property
    def name(self) -> str:
        """What it is called: the directory's name."""
        return self.directory.name

    @property
    def spec(self) -> str:
        """What opens its model, as in ``--model``."""
        return spec_of(self.directory)

    @property
    def active(self) -> bool:
        """Whether a process is at it."""
        return self.status in (JobStatus.RUNNING, JobStatus.STOPPING)


def start_job(
    plan: TrainingPlan, directory: Path, *, module: str = JOB, queue: Path | None = None
) -> None:
    """Starts a training in a process of its own; returns once that is started.

    Args:
        plan: what it is to do.
        directory: where it will live; made if it is not there.
        module: what to run; takes the arguments of `biaslab.training.job`.
        queue: a file of runs with whose work it is done in turn; None to begin at once.

    Raises:
        NotAllowed: whoever acts may not do this.
        WrongDirectory: the directory holds something else, or a training already.
        NoSpace: the disk is nearly full.
        TrainingBusy: somebody starts one there at the same moment.
        TrainingError: the directory cannot be written, or the process not started.
    """
    require(May.TRAIN)
    make_directory(directory)
    try:
        with heartbeat.taking(directory):
            if (directory / PLAN_FILE).exists():
                raise WrongDirectory(
                    f"There is a training in {directory} already: go on with that one, or choose "
                    "another name."
                )
            plan.save(directory)
            _launch(directory, module, queue)
    except OSError as error:
        raise _cannot(directory, error) from error


def go_on(
    directory: Path,
    more_minutes: float = 0.0,
    *,
    module: str = JOB,
    queue: Path | None = None,
) -> None:
    """Goes on from the last save, in a process of its own.

    Args:
        directory: where the training lives.
        more_minutes: to be trained beyond its plan; the learning rate then falls at the new end.
        module: as in `start_job`.
        queue: as there.

    Raises:
        NotAllowed: whoever acts may not do this.
        WrongDirectory: there is no training.
        TrainingBusy: a process is at it.
        NoSpace: the disk is nearly full.
        TrainingError: it is finished and no more minutes are given; its plan is of another
            version or damaged, or counts steps while more minutes are wanted; the directory
            cannot be written, or the process not started.
    """
    require(May.TRAIN)
    check_training(directory)
    check_space(directory)
    try:
        with heartbeat.taking(directory):
            if is_finished(directory) and not more_minutes:
                raise TrainingError(
                    f"The training in {directory} is finished: give it more minutes to go on."
                )
            plan_more(directory, more_minutes)
            make_ready(directory)
            _launch(directory, module, queue)
    except OSError as error:
        raise _cannot(directory, error) from error


def look(directory: Path) -> JobState:
    """A training as it stands.

    Raises:
        WrongDirectory: there is none.
    """
    check_training(directory)
    try:
        plan, error = TrainingPlan.load(directory), ""
    except TrainingError as unreadable:
        plan, error = None, str(unreadable)
    said = _text(directory / ERROR_FILE)
    status = _status(directory, failed=bool(said) or plan is None)
    if status is JobStatus.FAILED:
        error = error or said
    return JobState(
        directory,
        status,
        plan,
        read_progress(directory),
        read_checks(directory),
        error,
        max(0.0, time.time() - _last_sign(directory)),
    )


def ask_to_stop(directory: Path) -> None:
    """Asks the training to save and end; nothing happens to one that is not running.

    Raises:
        NotAllowed: whoever acts may not do this.
        WrongDirectory: there is none.
        TrainingError: the directory cannot be written.
    """
    require(May.TRAIN)
    check_training(directory)
    if heartbeat.is_alive(directory):
        try:
            (directory / STOP_FILE).touch()
        except OSError as error:
            raise _cannot(directory, error) from error


def jobs(root: Path) -> list[JobState]:
    """The trainings in a directory, the one that was heard of last first."""
    try:
        there = [entry for entry in root.iterdir() if (entry / PLAN_FILE).exists()]
    except OSError:
        return []
    found = []
    for directory in there:
        with suppress(WrongDirectory):  # it may have been removed since
            found.append(look(directory))
    return sorted(found, key=lambda job: job.quiet)


def remove(directory: Path) -> None:
    """Removes a training with its model.

    Raises:
        NotAllowed: whoever acts may not do this.
        WrongDirectory: there is no training.
        TrainingBusy: a process is at it.
        TrainingError: the files cannot be removed.
    """
    require(May.TRAIN)
    check_training(directory)
    if heartbeat.is_alive(directory):
        raise TrainingBusy(f"The training in {directory} is running: stop it first.")
    try:
        shutil.rmtree(directory)
    except OSError as error:
        raise _cannot(directory, error) from error


def make_directory(directory: Path) -> None:
    """Makes the directory of a training, or finds that it can be one.

    Raises:
        WrongDirectory: it holds something else, or is a file.
        NoSpace: the disk is nearly full.
        TrainingError: it cannot be made.
    """
    if directory.exists() and not directory.is_dir():
        raise WrongDirectory(f"{directory} is a file: choose a directory for the training.")
    check_space(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        others = {entry.name for entry in directory.iterdir()} - {heartbeat.LOCK_FILE}
    except OSError as error:
        raise _cannot(directory, error) from error
    if others and PLAN_FILE not in others:
        raise WrongDirectory(
            f"{directory} holds other files ({', '.join(sorted(others)[:3])}"
            f"{', …' if len(others) > 3 else ''}): choose an empty or a new directory."
        )


def check_training(directory: Path) -> None:
    """Sees that there is a training.

    Raises:
        WrongDirectory: there is none.
    """
    if not (directory / PLAN_FILE).is_file():
        raise WrongDirectory(f"There is no training in {directory}.")


def check_space(directory: Path) -> None:
    """Sees that there is space for a training.

    Raises:
        NoSpace: there is not.
    """
    there = next(path for path in (directory, *directory.absolute().parents) if path.exists())
    free = shutil.disk_usage(there).free
    if free < LEAST_SPACE:
        raise NoSpace(
            f"Only {free // 1_000_000} MB are free on the disk of {directory}, and a training "
            f"needs {LEAST_SPACE // 1_000_000} MB: free some, or choose another disk."
        )


def plan_more(directory: Path, more_minutes: float) -> None:
    """Lengthens the plan of a training that no process is at.

    Raises:
        TrainingError: the plan cannot be read, or counts steps.
    """
    plan = TrainingPlan.load(directory)
    if more_minutes and plan.steps:
        raise TrainingError(
            f"The training in {directory} is planned in steps ({plan.steps:,}), so it cannot be "
            "given more minutes: train anew in another directory."
        )
    if more_minutes:
        continued(plan, more_minutes).save(directory)


def make_ready(directory: Path) -> None:
    """Puts away what the last process left behind, before another goes on.

    The card goes as well: the weights that it tells of are about to change.

    Raises:
        OSError: the directory cannot be written.
    """
    for name in (STOP_FILE, ERROR_FILE, CARD_FILE):
        (directory / name).unlink(missing_ok=True)
    mend(directory)


def _launch(directory: Path, module: str, queue: Path | None) -> None:
    arguments = [str(directory.absolute())]
    arguments += [] if queue is None else ["--queue", str(queue)]
    process = detach(module, arguments, directory / LOG_FILE, FASTER_MEMORY)
    heartbeat.note(directory, process)


def _status(directory: Path, *, failed: bool) -> JobStatus:
    if heartbeat.is_alive(directory):
        stopping = (directory / STOP_FILE).exists()
        return JobStatus.STOPPING if stopping else JobStatus.RUNNING
    if failed:
        return JobStatus.FAILED
    if heartbeat.is_left_behind(directory):
        return JobStatus.INTERRUPTED
    return JobStatus.FINISHED if is_finished(directory) else JobStatus.STOPPED


def is_finished(directory: Path) -> bool:
    """Whether the training came to the end of its plan, and its model was measured."""
    try:
        record = TrainingRecord.load(directory)
        return record.finished and (directory / CARD_FILE).exists()
    except (OSError, ValueError, TypeError):
        return False


def _last_sign(directory: Path) -> float:
    names = (PLAN_FILE, RECORD_FILE, PROGRESS_FILE, CHECKS_FILE, ERROR_FILE)
    signs = [heartbeat.last_beat(directory)]
    for name in names:
        with suppress(OSError):
            signs.append((directory / name).stat().st_mtime)
    return max(signs)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _cannot(directory: Path, error: OSError) -> TrainingError:
    return TrainingError(
        f"The training in {directory} cannot be started, changed or removed "
        f"({error.strerror or error}): check that the directory may be written to."
    )
