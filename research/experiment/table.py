"""The experiment's table: what every training answered at every check. It is read without torch.

Its columns are those of the family's table (docs/origins.md), with the cell for the mix, and before
them the version of what all trainings have in common and what they were trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

from biaslab.stats.errors import BrokenAssets
from biaslab.training.origins.rows import COLUMNS as FAMILY_COLUMNS
from biaslab.training.origins.rows import (
    FAMILY_FILE,
    FamilyRow,
    family_row,
    read_lines,
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
class Kept:
    """A row of the table.

    Attributes:
        version: of what all trainings have in common (`design.version`).
        device: ``cpu`` or ``cuda``.
        row: what was answered; its mix is the cell's name.
    """

    version: str
    device: str
    row: FamilyRow


def read_table(path: Path | None = None, named: TableName = TableName()) -> tuple[Kept, ...]:
    """All rows; none where there is no file yet.

    Args:
        path: the file; the project's own unless told.
        named: which table it is.

    Raises:
        BrokenAssets: it cannot be read, lacks a column, says something twice, or a line of it
            contradicts itself; or its rows are of more than one version.
    """
    path = EXPERIMENT_FILE if path is None else path
    if not path.is_file():
        return ()
    found = read_lines(
        path, COLUMNS, _kept, lambda kept: kept.row.key, lambda what: _broken(path, named, what)
    )
    if len({kept.version for kept in found}) > 1:
        raise _broken(path, named, "has rows of more than one version, which cannot be compared")
    return found


def write_table(rows: Iterable[Kept], path: Path = EXPERIMENT_FILE) -> None:
    """Writes all rows, in a fixed order, replacing an earlier table at once.

    Raises:
        OSError: it cannot be written; the earlier table stays.
    """
    ordered = sorted(rows, key=lambda kept: kept.row.key)
    lines = ((kept.version, kept.device, *astuple(kept.row)) for kept in ordered)
    write_lines(path, COLUMNS, lines)


def _kept(line: Mapping[str, str]) -> Kept:
    row = family_row({**line, "mix": line["cell"]})
    return Kept(str(line["version"]), str(line["device"]), row)


def _broken(path: Path, named: TableName, what: str) -> BrokenAssets:
    return BrokenAssets(
        f"The table of the {named.name} {path.name} {what}: take the project's own again, or move "
        f"it away and train anew with {named.make_it}."
    )
