"""Tables of a calibration as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
