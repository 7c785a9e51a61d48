"""Whether the worker of a run is alive.

A worker whose lease has lapsed counts as dead. Where it ran on this machine and its process is
gone, that is seen at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biaslab.system.processes import is_running

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
    return process is None or is_running(row["worker_host"], process) is not False
