"""The table of taught models: what each answered at each stage, an effect a line.

Effects are paired: outcome of x less outcome of x', over pairs; nats, or right (1) and not (0).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from biaslab.stats.errors import BrokenAssets
from biaslab.training.origins.rows import FAMILY_FILE, read_lines, whole_number, write_lines
from research.adapters.design import AdapterMeasure, LessonStage

ADAPTERS_FILE = FAMILY_FILE.with_name("adapters.csv")
"""Where the table is, in the project."""

MAKE_IT = "python -m research.adapters"
"""The command that teaches what is missing."""


@dataclass(frozen=True, slots=True)
class AdapterRow:
    """What came of one measure.

    Attributes:
        version: of what all cells have in common (`design.version`).
        x, x_prime, seed: the cell's ratio and seed; all 0 before any lesson.
        stage, measure: when and what was asked.
        n: pairs with two readings; unread: pairs without.
        effect: mean of outcome x less outcome x'; spread: standard deviation of that over pairs.
        outcome_x, outcome_x_prime: mean outcomes of the arms.
        likelier_x, likelier_x_prime: pairs in which the right answer won in that arm.
    """

    version: str
    x: int
    x_prime: int
    seed: int
    stage: str
    measure: str
    n: int
    unread: int
    effect: float
    spread: float
    outcome_x: float
    outcome_x_prime: float
    likelier_x: int
    likelier_x_prime: int

    @property
    def key(self) -> tuple[int, int, int, str, str]:
        """What no other row is of."""
        return self.seed, self.x, self.x_prime, self.stage, self.measure

    @property
    def error(self) -> float:
        """Standard error of the effect over pairs."""
        return self.spread / math.sqrt(self.n)


COLUMNS = tuple(field.name for field in fields(AdapterRow))
"""Of the file."""


def read_table(path: Path = ADAPTERS_FILE) -> tuple[AdapterRow, ...]:
    """All rows; none where there is no file yet.

    Raises:
        BrokenAssets: it cannot be read, a line is malformed or there twice, or its rows are of
            more than one version.
    """
    if not path.is_file():
        return ()
    found = read_lines(path, COLUMNS, _row, lambda row: row.key, lambda what: _broken(path, what))
    if len({row.version for row in found}) > 1:
        raise _broken(path, "has rows of more than one version, which cannot be compared")
    return found


def write_table(rows: Iterable[AdapterRow], path: Path = ADAPTERS_FILE) -> None:
    """Writes all rows in a fixed order, replacing an earlier table at once.

    Raises:
        OSError: it cannot be written; the earlier table stays.
    """
    write_lines(path, COLUMNS, map(astuple, sorted(rows, key=lambda row: row.key)))


def _row(row: Mapping[str, str]) -> AdapterRow:
    whole = {
        name: whole_number(name, row[name])
        for name in ("x", "x_prime", "seed", "n", "unread", "likelier_x", "likelier_x_prime")
    }
    real: dict[str, Any] = {
        name: float(row[name]) for name in ("effect", "spread", "outcome_x", "outcome_x_prime")
    }
    if not all(map(math.isfinite, real.values())) or real["spread"] < 0 or whole["n"] < 1:
        raise ValueError("a figure is none")
    stage, measure = LessonStage(row["stage"]), AdapterMeasure(row["measure"])
    return AdapterRow(row["version"], **whole, **real, stage=stage, measure=measure)


def _broken(path: Path, what: str) -> BrokenAssets:
    return BrokenAssets(
        f"The table of taught models {path.name} {what}: take the project's own again, or move it "
        f"away and teach anew with {MAKE_IT}."
    )
