"""What can go wrong with a paper or a bundle; every text is for the person who reads it."""

from __future__ import annotations


class PaperError(Exception):
    """Nothing can be written of these runs, or not there."""


class BundleError(PaperError):
    """What was given is no bundle that can be read."""
