"""The trainings of this machine: where they are, which is at work, and which names are free."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from biaslab.models.tiny import CARD_FILE, TINY_MODELS
from biaslab.places import own_models
from biaslab.training.errors import BadName
from biaslab.training.jobs import JobState, jobs
from biaslab.training.names import check_name
from biaslab.training.plan import START


def trainings() -> list[JobState]:
    """All of them, the one that was heard of last first."""
    return jobs(own_models())


def directory_of(name: str) -> Path:
    """Where a training of this name lives, or would."""
    return own_models() / name


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
