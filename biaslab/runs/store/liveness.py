"""Whether the worker of a run is alive.

A worker whose lease has lapsed counts as dead. Where it ran on this machine and its process is
gone, that is seen at once.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import psutil

NOW = "((julianday('now') - 2440587.5) * 86400.0)"
"""SQL for seconds since 1970, with fractions."""

UTC = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
"""SQL for the time in UTC, ISO 8601."""


def is_live(row: Mapping[str, Any]) -> bool:
    """Whether a worker holds the run.

    Args:
        row: columns status, lease_owner, lease_expires, worker_host, worker_pid of the run,
            and ``now`` by the same clock.
    """
    if row["status"] != "running" or row["lease_owner"] is None:
        return False
    if row["lease_expires"] <= row["now"]:
        return False
    process = row["worker_pid"]
    return process is None or row["worker_host"] != host() or not _is_dead(process)


@cache
def host() -> str:
    """Where process numbers mean the same: this machine and, on Linux, this container."""
    namespace = Path("/proc/self/ns/pid")
    try:
        return f"{socket.gethostname()} {namespace.readlink()}"
    except OSError:
        return socket.gethostname()


def _is_dead(process: int) -> bool:
    """Whether the process is gone, or ended and only waits for its parent to notice."""
    try:
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False
