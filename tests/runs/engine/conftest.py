"""A real server over the tiny model, for the runs that ask one."""

from tests.servers.fixtures import tiny_server

__all__ = ["tiny_server"]
