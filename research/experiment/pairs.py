"""Which members of every pair were answered rightly: two bits a pair, training and check.

Counts do not tell what other pairs would have changed from what other trainings would have; these
do (`research.experiment.crossed`). Kept of one-step problems asked step by step, which the
predictions are about. The pairs themselves are those of `measuring.unseen_pairs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from biaslab.stats.errors import BrokenAssets
from biaslab.training.origins.rows import FamilyRow, read_lines, whole_number, write_lines
from research.experiment.table import EXPERIMENT_FILE, MAKE_IT

BOTH, X, X_PRIME, NEITHER = "3210"
"""Digit of a pair of which both members were answered rightly, x alone, x' alone, or neither."""


def pairs_file(table: Path | None = None) -> Path:
    """Where they are kept: beside the table that counts them, the project's own unless told."""
    table = EXPERIMENT_FILE if table is None else table
    return table.with_name(f"{table.stem}_pairs.csv")


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of one study at one check of a training.

    Attributes:
        version: of what all trainings have in common (`design.version`).
        cell, seed: the training; examples: lessons that it had seen.
        study: whose pairs.
        right: a digit a pair, in the order in which all trainings are asked.
    """

    version: str
    cell: str
    seed: int
    examples: int
    study: str
    right: str

    def __post_init__(self) -> None:
        if not self.right or set(self.right) - {BOTH, X, X_PRIME, NEITHER}:
            raise ValueError(f"right has other digits than {NEITHER} to {BOTH}, or none")

    @property
    def key(self) -> tuple[str, int, int, str]:
        """What it is of: cell, seed, lessons, study."""
        return self.cell, self.seed, self.examples, self.study

    def agrees_with(self, row: FamilyRow) -> bool:
        """Whether these are the pairs that a row of the table counts."""
        counts = {BOTH: row.both, X: row.only_x, X_PRIME: row.only_x_prime, NEITHER: row.neither}
        return all(self.right.count(digit) == number for digit, number in counts.items())


COLUMNS = tuple(field.name for field in fields(Pairs))
"""The columns of the file, in their order."""


def read_pairs(path: Path) -> tuple[Pairs, ...]:
    """All of them; none where there is no file yet.

    Raises:
        BrokenAssets: it cannot be read, lacks a column, or a line of it is malformed.
    """
    if not path.is_file():
        return ()
    return read_lines(
        path, COLUMNS, _pairs, lambda pairs: pairs.key, lambda what: _broken(path, what)
    )


def write_pairs(kept: Iterable[Pairs], path: Path) -> None:
    """Writes all of them, in a fixed order, replacing an earlier file at once.

    Raises:
        OSError: it cannot be written; the earlier file stays.
    """
    write_lines(path, COLUMNS, map(astuple, sorted(kept, key=lambda pairs: pairs.key)))


def _pairs(line: Mapping[str, str]) -> Pairs:
    return Pairs(
        line["version"], line["cell"], whole_number("seed", line["seed"]),
        whole_number("examples", line["examples"]), line["study"], line["right"],
    )  # fmt: skip


def _broken(path: Path, what: str) -> BrokenAssets:
    return BrokenAssets(
        f"The file of the experiment's pairs {path.name} {what}: take the project's own again, "
        f"or move it away: {MAKE_IT} writes those of what it trains from then on."
    )
