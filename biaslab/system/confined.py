"""What a process may take that reads a stranger's file, and its first lines. In no layer.

`biaslab.system.processes.confined` starts such a process. This module imports nothing, so that a
process has its bounds before it has anything else.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress
from typing import NamedTuple


class ProcessLimits(NamedTuple):
    """What such a process may take.

    Attributes:
        memory: bytes of address space, where the system counts them.
        seconds: of a core; on the clock, twice as many.
        written: bytes that it may print.
    """

    memory: int
    seconds: int
    written: int


def begin(module: str, memory: str, seconds: str) -> None:
    """Takes from this process what it does not need to read a file, and calls a module's ``main``.

    Windows knows no such limits, and macOS does not count address space: there the clock and the
    readers' own limits remain. A network of its own, with nothing in it, is Linux's alone, and
    only where its administrator lets programs have one.
    """
    _leave_network()
    with suppress(ImportError):
        import resource

        for name, most in (
            ("RLIMIT_AS", int(memory)),
            ("RLIMIT_CPU", int(seconds)),
            ("RLIMIT_FSIZE", 0),
            ("RLIMIT_CORE", 0),
        ):
            with suppress(AttributeError, OSError, ValueError):
                resource.setrlimit(getattr(resource, name), (most, most))
    try:
        importlib.import_module(module).main()
    except MemoryError:
        sys.exit(1)


def _leave_network() -> None:
    """Goes into a network with no way out, where the system has such."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError, ImportError):
            import ctypes

            # CLONE_NEWUSER | CLONE_NEWNET (unshare(2)): whoever has no rights gets a network so.
            ctypes.CDLL(None).unshare(0x10000000 | 0x40000000)
