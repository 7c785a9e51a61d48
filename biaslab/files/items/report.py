"""What became of every row of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biaslab.files.items.item import ImportedItem
from biaslab.files.items.reasons import ItemStatus


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that gave no item.

    Attributes:
        row: the spreadsheet's row, or the question's number, from 1.
        reason: why, as a clause.
        name: what the file calls it; often empty.
    """

    row: int
    reason: str
    name: str = ""

    def __str__(self) -> str:
        name = f" ({self.name})" if self.name else ""
        return f"Row {self.row}{name}: {self.reason}."


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that was changed, left out or is doubtful.

    Attributes:
        text: what, as a sentence or, for a row, a clause.
        row: of which row; None for the whole file.
    """

    text: str
    row: int | None = None

    def __str__(self) -> str:
        return self.text if self.row is None else f"Row {self.row}: {self.text}."


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a file: every row is an item or is refused.

    Attributes:
        items: the items, in the file's order.
        refused: the other rows with the reason.
        remarks: what was changed, left out or is doubtful.
        form: the format: malalgoqa, eedi, gift, aiken, moodle, csv, xlsx or json.
        mapping: column of each field, for tables; empty for other formats.
        rows: how many rows or questions were found; blank rows do not count.
        encoding: how the text was read; empty where the format says so itself.
        found_by: how the format was found, as a clause.

    Raises:
        ValueError: the counts do not add up.
    """

    items: tuple[ImportedItem, ...]
    refused: tuple[RefusedRow, ...]
    remarks: tuple[Remark, ...]
    form: str
    mapping: Mapping[str, str] = field(default_factory=dict)
    rows: int = 0
    encoding: str = ""
    found_by: str = ""

    def __post_init__(self) -> None:
        if self.rows != len(self.items) + len(self.refused):
            raise ValueError(
                f"{self.rows} rows gave {len(self.items)} items and {len(self.refused)} refusals."
            )

    @property
    def statuses(self) -> Counter[ItemStatus]:
        """How many items have each status."""
        return Counter(item.reasons.status for item in self.items)

    def summary(self) -> str:
        """The counts in one sentence."""
        counts = self.statuses
        each = ", ".join(f"{counts[status]} {status}" for status in ItemStatus)
        return f"{self.rows} rows: {len(self.items)} items ({each}), {len(self.refused)} refused."

    def as_json(self) -> dict[str, Any]:
        """Everything but the items themselves, as a JSON object."""
        return {
            "format": self.form,
            "found_by": self.found_by,
            "encoding": self.encoding,
            "mapping": dict(self.mapping),
            "rows": self.rows,
            "statuses": {str(status): self.statuses[status] for status in ItemStatus},
            "items": [_entry(item) for item in self.items],
            "refused": [
                {"row": each.row, "name": each.name, "reason": each.reason} for each in self.refused
            ],
            "remarks": [{"row": each.row, "text": each.text} for each in self.remarks],
        }


def _entry(item: ImportedItem) -> dict[str, Any]:
    reasons = item.reasons
    return {
        "row": item.row,
        "id": item.id,
        "status": str(reasons.status),
        "reasons_are": str(reasons.told),
        "usable_for": reasons.usable_for,
        "missing": list(reasons.missing),
    }
