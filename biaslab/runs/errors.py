"""What can go wrong with the file of runs and with a run, as two trees of errors.

StoreError
├── NotAStore        the file is something else: not an SQLite database, or another program's
├── DamagedStore     it was a file of runs and cannot be read any more
├── NewerStore       it was written by a newer BiasLab
├── OlderStore       it was written before release 0.4
├── StoreFull        the disk, or the space granted, is used up
├── StoreBusy        another program holds the file locked for too long
└── StoreUnreadable  it cannot be opened, read or written where it is

RunError
├── UnknownRun       no run has this id
├── UnknownSet       no kept set of pairs has this id
├── UnknownPair      the run has no such pair
├── UnknownDesign    no design is saved under this name, or has this version
├── BadDesignName    a design cannot be called that
├── UnknownStrategy  the study has no such prompt strategy
├── UnfitModel       the model cannot do what the study asks
├── BadNote          a note cannot be kept as it is
├── ChangedNote      another note was written there meanwhile
├── RunBusy          a worker is at it already
├── LostRun          another worker has taken the run over
├── RecordedRun      it was opened from a bundle, and is only to be looked at
├── RunPaused        nothing more can be answered until a person does something
├── ReviewError      a quality review cannot be made as was asked, or its sheets do not go together
└── ChangedRun       model or prompts are no longer those the run was prepared with
"""

from __future__ import annotations


class StoreError(Exception):
    """Base of what goes wrong with the file; its text is for the user."""


class NotAStore(StoreError):
    """The file is no file of runs."""


class DamagedStore(StoreError):
    """The file of runs is damaged."""


class NewerStore(StoreError):
    """The file was written by a newer version of BiasLab."""


class OlderStore(StoreError):
    """A BiasLab before its release 0.4 wrote the file."""


class StoreFull(StoreError):
    """There is no room left for what should be written."""


class StoreBusy(StoreError):
    """Another program kept the file locked."""


class StoreUnreadable(StoreError):
    """The file cannot be opened, read or written."""


class RunError(Exception):
    """Base of what goes wrong with a run; its text is for the user."""


class UnknownRun(RunError):
    """No run has this id."""


class UnknownSet(RunError):
    """No kept set of pairs has this id."""


class UnknownPair(RunError):
    """The run has no such pair."""


class UnknownDesign(RunError):
    """No design is saved under this name, or it has no such version."""


class BadDesignName(RunError):
    """A design cannot be saved under this name."""


class UnknownStrategy(RunError):
    """The study has no such prompt strategy."""


class UnfitModel(RunError):
    """The model cannot do what the study asks, so its answers would say nothing."""


class BadNote(RunError):
    """A note is too long, or holds signs that no screen shows."""


class ChangedNote(RunError):
    """Another mark or note was kept there since it was read."""


class RunBusy(RunError):
    """A worker has the run already."""


class LostRun(RunError):
    """Another worker has taken the run over; this one must stop writing."""


class RecordedRun(RunError):
    """The run is somebody's record: it is neither asked nor changed."""


class RunPaused(RunError):
    """Nothing more can be answered, or be paid for, until a person does something."""


class ChangedRun(RunError):
    """Model or prompts have changed since the run was prepared."""


class ReviewError(RunError):
    """A quality review cannot be made as was asked, or its sheets do not go together."""


def then_resume(reason: str) -> str:
    """Why a run paused, with what to do after that, once."""
    return reason if "resume the run" in reason.lower() else f"{reason} Then resume the run."


# What can go wrong with other tools.


class ToolError(Exception):
    """A study cannot be asked in a tool, or not in this way."""


class LogRefused(ToolError):
    """A file is no log of a study, or its answers are not those to the study's prompts."""


class ToolMissing(ToolError):
    """The tool is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} is not installed: run `pip install "biaslab[{extra}]"`.')
