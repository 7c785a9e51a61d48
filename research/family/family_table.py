"""Writes the table of the family: a row a cell, model and check. It is read without torch, by
`biaslab.training.origins.rows`; docs/origins.md says what the columns mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path

from biaslab.training.cells import CheckCell
from biaslab.training.origins.rows import (
    COLUMNS,
    FAMILY_FILE,
    FamilyRow,
    family_row,
    read_family,
    write_lines,
)

__all__ = ["FAMILY_FILE", "family_rows", "read_family", "write_family"]


def family_rows(
    mix: str, seed: int, examples: int, final: bool, cells: Iterable[CheckCell]
) -> tuple[FamilyRow, ...]:
    """The rows of one check of one model.

    Args:
        mix: name of its mix.
        seed: of its training.
        examples: training examples seen since the start.
        final: whether its training has ended.
        cells: what was measured.
    """
    model = {"mix": mix, "seed": seed, "examples": examples, "final": int(final)}
    return tuple(family_row({**model, **cell.to_json()}) for cell in cells)


def write_family(rows: Iterable[FamilyRow], path: Path = FAMILY_FILE) -> None:
    """Writes all rows, in a fixed order, replacing an earlier table at once.

    Args:
        rows: of all models and checks.
        path: the file; its directory is made where there is none.

    Raises:
        OSError: it cannot be written.
    """
    write_lines(path, COLUMNS, map(astuple, sorted(rows, key=lambda row: row.key)))
