"""What can go wrong with a whole file; rows that cannot be taken over are in the report."""

from __future__ import annotations


class InterchangeError(Exception):
    """A file cannot be read or written at all; the message is a sentence that says why."""
