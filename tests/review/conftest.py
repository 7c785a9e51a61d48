"""Fixtures of other subjects that are needed here too."""

from tests.runs.conftest import store

__all__ = ["store"]
