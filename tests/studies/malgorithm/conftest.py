"""Fixtures of other subjects that are needed here too."""

from tests.stats.conftest import make_outcomes

__all__ = ["make_outcomes"]
