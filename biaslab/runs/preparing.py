"""Writes down a run before anything is asked."""

from __future__ import annotations

from collections.abc import Callable

from biaslab.experiments.experiment import Design
from biaslab.models import Sampling
from biaslab.runs.store import Store


def prepare(
    store: Store,
    design: Design,
    model_spec: str,
    strategy: str,
    sampling: Sampling | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> str:
    """Writes pairs, items and the run's row; returns the run's id."""
    raise NotImplementedError
