"""Fixtures of other subjects that are needed here too."""

from tests.servers.fixtures import tiny_model, tiny_server
from tests.stats.conftest import make_outcomes

__all__ = ["make_outcomes", "tiny_model", "tiny_server"]
