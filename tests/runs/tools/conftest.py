"""What the tests of other tools share: the tools, where they are installed, and our own run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from biaslab.models import Access, Endpoint
from biaslab.runs import RunOptions, Store, open_store, prepare, run_here
from biaslab.stats import Effect, effects
from biaslab.studies import Design
from tests.conftest import DEADLINE
from tests.servers.fixtures import ServerUrl, tiny_server

__all__ = ["tiny_server"]

PAIRS = 200


def needs(module: str) -> pytest.MarkDecorator:
    """Skips a test where a tool is not installed."""
    return pytest.mark.skipif(
        find_spec(module) is None, reason=f"{module} is not installed: run `make test-tools`"
    )


@pytest.fixture
def tool(tmp_path: Path) -> Callable[..., str]:
    """Runs a tool's command in an empty folder, offline; gives its output."""

    def run(*command: str, **variables: str) -> str:
        done = subprocess.run(
            [str(Path(sys.executable).parent / command[0]), *command[1:]],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=DEADLINE,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", **variables},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "runs.db")


@pytest.fixture(scope="session")
def our_own(tiny_server: ServerUrl, tmp_path_factory: pytest.TempPathFactory) -> Effect:
    """The effect that BiasLab itself finds on the server, asked in turns."""
    with open_store(tmp_path_factory.mktemp("own") / "runs.db") as own:
        access = Access(base_urls=(tiny_server(),), endpoint=Endpoint.CHAT)
        run = prepare(
            own, Design("consistency", PAIRS, 1, {"steps": "1-3"}), "openai:tiny", "direct",
            options=RunOptions(access=access),
        )  # fmt: skip
        record = run_here(own, run)
        assert record.failed == 0, record
        return effect_of(own, run)


def effect_of(store: Store, run: str) -> Effect:
    (found,) = effects(store.outcomes([run]))
    return found


def figures(effect: Effect) -> list[float | None]:
    return [effect.cate, effect.ci_low, effect.ci_high, effect.n, effect.clusters]
