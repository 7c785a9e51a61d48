"""Files that a person takes away from a screen."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from biaslab.experiments import Design, Experiment, write_csv, write_jsonl


def pairs_csv(study: Experiment, design: Design) -> bytes:
    """The pairs of a design as CSV, a row per member."""
    text = io.StringIO(newline="")
    write_csv(study, study.pairs(design), text)
    return text.getvalue().encode()


def pairs_jsonl(study: Experiment, design: Design) -> bytes:
    """The pairs of a design as JSON lines, a line per member."""
    text = io.StringIO(newline="")
    write_jsonl(study, study.pairs(design), text)
    return text.getvalue().encode()


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as CSV with these columns; what a row does not have stays empty."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()
