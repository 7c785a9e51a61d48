"""Tables of a calibration as Markdown, and all their cells as one CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple


class CalibrationCell(NamedTuple):
    """A figure of a table.

    Attributes:
        section, part: the headings that it stands under; part is empty where there is one table.
        row: the words at the left; where a row begins with figures, its first one.
        column: its heading; value: as it is printed.
    """

    section: str
    part: str
    row: str
    column: str
    value: str


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]], words: int) -> str:
    """A table as Markdown.

    Args:
        columns: their names.
        rows: as many cells each.
        words: how many columns, from the left, hold words; the others are figures.
    """
    rule = ["---"] * words + ["--:"] * (len(columns) - words)
    return "\n".join(
        (_line(columns), f"|{'|'.join(rule)}|", *(_line(row) for row in rows)),
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def calibration_cells(sections: Mapping[str, str]) -> Iterator[CalibrationCell]:
    """Every figure of every table, in order.

    Args:
        sections: Markdown by heading, as sections of a calibration are made.
    """
    for section, text in sections.items():
        part, words = "", 0
        columns: list[str] = []
        for line in text.splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("### "):
                part = line.removeprefix("### ")
            if not line.startswith("|"):
                columns = []
            elif not columns:
                columns = cells
            elif set(line) <= set("|-: "):
                words = max(1, sum(not cell.endswith(":") for cell in cells))
            else:
                row = ", ".join(cells[:words]).replace("`", "")
                for column, value in zip(columns[words:], cells[words:], strict=True):
                    yield CalibrationCell(section, part, row, column, value)


def cells_csv(sections: Mapping[str, str]) -> str:
    """All figures as CSV, one on a line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CalibrationCell._fields)
    writer.writerows(calibration_cells(sections))
    return text.getvalue()
