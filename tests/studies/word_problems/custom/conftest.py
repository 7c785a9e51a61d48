"""A new file of runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from biaslab.runs import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened
