"""The trainings of this machine: where they are, which is at work, and which names are free."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from biaslab.models.tiny.model import CARD_FILE, TINY_MODELS
from biaslab.system.places import custom_models
from biaslab.training import heartbeat
from biaslab.training.jobs import JobState, look
from biaslab.training.plan import PLAN_FILE, START, BadName, WrongDirectory, check_name


def trainings() -> list[JobState]:
    """All of them, the one that was heard of last first.

    A page asks every second, while a training needs the machine: only those whose files have
    changed are read again, so what a state says of the time since (`JobState.quiet`) may be old.
    """
    found: list[tuple[int, JobState]] = []
    with suppress(OSError):
        for directory in sorted(custom_models().iterdir()):
            with suppress(OSError, WrongDirectory):  # it may be removed just now
                if (directory / PLAN_FILE).exists():
                    written, signature = _signature(directory)
                    found.append((written, _looked(directory, signature)))
    return [job for _, job in sorted(found, key=lambda each: each[0], reverse=True)]


def _signature(directory: Path) -> tuple[int, tuple[object, ...]]:
    """When a file was last written, in nanoseconds, and what the training's state depends on.

    A process renews its own file all the time, which changes nothing.
    """
    with os.scandir(directory) as entries:
        files = {entry.name: entry.stat() for entry in entries}
    written = max(file.st_mtime_ns for file in files.values())
    files.pop(heartbeat.PROCESS_FILE, None)
    there = heartbeat.is_alive(directory), heartbeat.is_left_behind(directory)
    sizes = sorted((name, file.st_size, file.st_mtime_ns) for name, file in files.items())
    return written, (*there, *sizes)


@lru_cache(maxsize=256)
def _looked(directory: Path, signature: tuple[object, ...]) -> JobState:
    del signature
    return look(directory)


def directory_of(name: str) -> Path:
    """Where a training of this name lives, or would."""
    return custom_models() / name


def busy(there: Sequence[JobState]) -> JobState | None:
    """The training that a process is at, if any is."""
    return next((job for job in there if job.active), None)


def can_be_asked(job: JobState) -> bool:
    """Whether its model is one that studies can ask: it was measured and has a card."""
    return (job.directory / CARD_FILE).exists()


def first_weights() -> Path | None:
    """The start that trainings go on from; None where this copy of the app has none."""
    return START if (START / "config.json").exists() else None


def is_free(name: str) -> bool:
    """Whether neither a model of the app nor a training here has this name."""
    return not directory_of(name).exists() and not (TINY_MODELS / name).exists()


def name_fault(name: str) -> str:
    """Why a new training cannot be called so, in a sentence; empty where it can."""
    try:
        name = check_name(name)
    except BadName as error:
        return str(error)
    if directory_of(name).exists():
        return (
            f"There is a training “{name}” on this computer already: choose another name, or go "
            "on with that one from the list."
        )
    return ""
