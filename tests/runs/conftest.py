"""A new file of runs for every test, and runs of simulated models in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biaslab.models import Sampling
from biaslab.runs import RunRecord, Store, open_store, prepare, run_here
from biaslab.studies import Design
from tests.runs.simulation import Behaviour, SimulatedModel, simulated_sources

SOUND = Behaviour()
"""Answers everything, and rightly."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


@pytest.fixture
def prepared(store: Store) -> Callable[..., str]:
    """Prepares a run of a simulated model."""

    def prepare_one(
        behaviour: Behaviour = SOUND,
        n: int = 5,
        seed: int = 1,
        strategy: str = "direct",
        sampling: Sampling | None = None,
        settings: dict[str, bool] | None = None,
    ) -> str:
        design = Design("sums", n, seed, settings or {})
        sources = simulated_sources()
        return prepare(store, design, behaviour.spec, strategy, sampling, sources=sources)

    return prepare_one


@pytest.fixture
def do(store: Store) -> Callable[..., RunRecord]:
    """Does a prepared run in this process, with a model object the test can look into."""

    def do_one(run_id: str, model: SimulatedModel | None = None, **how: object) -> RunRecord:
        sources = simulated_sources(model)
        return run_here(store, run_id, sources=sources, **{"pauses": (0.0, 0.0)} | how)

    return do_one
