"""A server that plans can ask."""

from __future__ import annotations

from tests.servers.fixtures import tiny_server  # noqa: F401
