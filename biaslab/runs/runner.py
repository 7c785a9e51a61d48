"""Runs a run."""

from __future__ import annotations

from collections.abc import Callable

from biaslab.runs.records import RunRecord
from biaslab.runs.store import Store


def run_here(
    store: Store, run_id: str, on_progress: Callable[[RunRecord], None] | None = None
) -> RunRecord:
    """Starts or resumes a run in this process."""
    raise NotImplementedError


def stop(store: Store, run_id: str) -> None:
    """Asks the worker to stop."""
    raise NotImplementedError
