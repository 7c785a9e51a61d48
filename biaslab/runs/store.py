"""The file of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.experiments.experiment import Value
from biaslab.runs.records import PairDetail, PairRow, Pattern, RunRecord

if TYPE_CHECKING:
    import pandas as pd


class Store:
    """One file of runs."""

    @property
    def path(self) -> Path:
        """Where the file is."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes the file."""
        raise NotImplementedError

    def runs(self) -> list[RunRecord]:
        """Every run, the newest first."""
        raise NotImplementedError

    def run(self, run_id: str) -> RunRecord:
        """One run as it stands now."""
        raise NotImplementedError

    def outcomes(self, run_ids: Sequence[str]) -> pd.DataFrame:
        """A row per run and pair."""
        raise NotImplementedError

    def pair_rows(
        self,
        run_id: str,
        patterns: Sequence[str] | None = None,
        strata: Mapping[str, Value] | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> list[PairRow]:
        """A page of the run's pairs in their order."""
        raise NotImplementedError

    def count_patterns(
        self, run_id: str, strata: Mapping[str, Value] | None = None
    ) -> dict[Pattern, int]:
        """How many pairs have each pattern."""
        raise NotImplementedError

    def pair_detail(self, run_id: str, pair_id: str) -> PairDetail:
        """Everything kept about one pair in this run."""
        raise NotImplementedError

    def export_rows(self, run_id: str) -> Iterator[dict[str, str | int | float | None]]:
        """A flat row per pair and arm."""
        raise NotImplementedError

    def change_counter(self) -> int:
        """A number that changes with every write."""
        raise NotImplementedError


def open_store(path: str | Path) -> Store:
    """Opens a file of runs."""
    raise NotImplementedError
