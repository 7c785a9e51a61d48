"""What goes wrong in a training, as sentences for the person who started it.

TrainingError
├── BadName          no model can have this name
├── WrongDirectory   it holds something else, or no training
├── OtherPlan        the training in it was begun with another plan
├── TrainingBusy     a process is at it
└── NoSpace          the disk is full
"""

from __future__ import annotations


class TrainingError(Exception):
    """A training cannot start or go on; the text says why and what to do."""


class BadName(TrainingError):
    """A model that is trained here cannot have this name."""


class WrongDirectory(TrainingError):
    """The directory holds something else, or no training."""


class OtherPlan(TrainingError):
    """The training in the directory was begun with another plan."""


class TrainingBusy(TrainingError):
    """A process is at this training."""


class NoSpace(TrainingError):
    """There is not enough space on the disk."""
