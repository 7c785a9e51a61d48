"""What can go wrong when a model is opened, as a tree of errors.

ModelError
├── UnknownModel       the text does not name a model
├── ModelNotFound      the directory or file is not there
├── BrokenModel        it is there but cannot be opened
└── Unsupported        this model cannot do what the study needs
"""

from __future__ import annotations


class ModelError(Exception):
    """Base of everything this package raises on purpose; its text is for the user."""


class UnknownModel(ModelError):
    """The text given does not name a model."""


class ModelNotFound(ModelError):
    """The model's directory or file is missing."""


class BrokenModel(ModelError):
    """The model's files are damaged, incomplete or of a kind that is not opened."""


class Unsupported(ModelError):
    """The model cannot do what is asked of it."""
