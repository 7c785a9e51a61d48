"""Starts the worker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def launch(
    path: str | Path, run_id: str, environment: Mapping[str, str] | None = None
) -> None:
    """Starts or resumes a run in a process of its own."""
    raise NotImplementedError
