"""The experiment's tables: what every training answered at every check, and of which pairs.

Its columns are those of the family's table (research/docs/family.md), with the cell for the mix,
and before them the version of what all trainings have in common and what they were trained on. It
is read without torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from biaslab.stats.errors import BrokenAssets
from biaslab.training.origins.rows import COLUMNS as FAMILY_COLUMNS
from biaslab.training.origins.rows import (
    FAMILY_FILE,
    FamilyRow,
    family_row,
    read_lines,
    whole_number,
    write_lines,
)

EXPERIMENT_FILE = FAMILY_FILE.with_name("experiment.csv")
"""Where the experiment's table is, in the project."""

MAKE_IT = "python -m research.experiment"
"""The command that trains what is missing and writes the table."""


@dataclass(frozen=True, slots=True)
class TableName:
    """What sentences call a table of these columns; `make_it` is the command that writes it."""

    name: str = "experiment"
    make_it: str = MAKE_IT


COLUMNS = ("version", "device", "cell", *FAMILY_COLUMNS[1:])
"""The columns of the file, in their order."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A row of the table.

    Attributes:
        version: of what all trainings have in common (`design.version`).
        device: ``cpu`` or ``cuda``.
        row: what was answered; its mix is the cell's name.
    """

    version: str
    device: str
    row: FamilyRow


def read_table(path: Path | None = None, table: TableName = TableName()) -> tuple[SampleRow, ...]:
    """All rows; none where there is no file yet.

    Args:
        path: the file; the project's own unless told.
        table: which table it is.

    Raises:
        BrokenAssets: it cannot be read, lacks a column, says something twice, or a line of it
            contradicts itself; or its rows are of more than one version.
    """
    path = EXPERIMENT_FILE if path is None else path
    if not path.is_file():
        return ()
    found = read_lines(
        path, COLUMNS, _kept, lambda kept: kept.row.key, lambda what: _broken(path, table, what)
    )
    if len({kept.version for kept in found}) > 1:
        raise _broken(path, table, "has rows of more than one version, which cannot be compared")
    return found


def write_table(rows: Iterable[SampleRow], path: Path = EXPERIMENT_FILE) -> None:
    """Writes all rows, in a fixed order, replacing an earlier table at once.

    Raises:
        OSError: it cannot be written; the earlier table stays.
    """
    ordered = sorted(rows, key=lambda kept: kept.row.key)
    lines = ((kept.version, kept.device, *astuple(kept.row)) for kept in ordered)
    write_lines(path, COLUMNS, lines)


def _kept(record: Mapping[str, str]) -> SampleRow:
    row = family_row({**record, "mix": record["cell"]})
    return SampleRow(str(record["version"]), str(record["device"]), row)


def _broken(path: Path, table: TableName, what: str) -> BrokenAssets:
    return BrokenAssets(
        f"The table of the {table.name} {path.name} {what}: take the project's own again, or move "
        f"it away and train anew with {table.make_it}."
    )


# Which members of every pair were answered rightly: two bits a pair, training and check.
# Counts do not tell what other pairs would have changed from what other trainings would have; these
# do (`research.experiment.repeated`). Kept of one-step problems asked step by step, which the
# predictions are about. The pairs themselves are those of `measuring.unseen_pairs`.


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


PAIR_COLUMNS = tuple(field.name for field in fields(Pairs))
"""The columns of the file, in their order."""


def read_pairs(path: Path) -> tuple[Pairs, ...]:
    """All of them; none where there is no file yet.

    Raises:
        BrokenAssets: it cannot be read, lacks a column, or a line of it is malformed.
    """
    if not path.is_file():
        return ()
    return read_lines(
        path, PAIR_COLUMNS, _pairs, lambda pairs: pairs.key, lambda what: _broken_pairs(path, what)
    )


def write_pairs(pair_lists: Iterable[Pairs], path: Path) -> None:
    """Writes all of them, in a fixed order, replacing an earlier file at once.

    Raises:
        OSError: it cannot be written; the earlier file stays.
    """
    write_lines(path, PAIR_COLUMNS, map(astuple, sorted(pair_lists, key=lambda pairs: pairs.key)))


def _pairs(row: Mapping[str, str]) -> Pairs:
    return Pairs(
        row["version"], row["cell"], whole_number("seed", row["seed"]),
        whole_number("examples", row["examples"]), row["study"], row["right"],
    )  # fmt: skip


def _broken_pairs(path: Path, what: str) -> BrokenAssets:
    return BrokenAssets(
        f"The file of the experiment's pairs {path.name} {what}: take the project's own again, "
        f"or move it away: {MAKE_IT} writes those of what it trains from then on."
    )
