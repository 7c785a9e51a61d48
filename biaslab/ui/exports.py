"""Files that a person takes away from a screen."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biaslab.experiments import Design, Experiment, Pair, Value

PAIR_COLUMNS = ("pair", "arm", "steps", "text", "answer")
"""Columns of a file of pairs, as on the command line; the study's other strata follow."""


def pairs_csv(study: Experiment, design: Design) -> bytes:
    """The pairs of a design as CSV, a row per member."""
    return to_csv(_columns(study), _rows(study.pairs(design)))


def pairs_jsonl(study: Experiment, design: Design) -> bytes:
    """The pairs of a design as JSON lines, a line per member."""
    columns = _columns(study)
    lines = (
        json.dumps({name: row[name] for name in columns if name in row}, ensure_ascii=False)
        for row in _rows(study.pairs(design))
    )
    return "".join(f"{line}\n" for line in lines).encode()


def to_csv(columns: Sequence[str], rows: Iterator[Mapping[str, Any]]) -> bytes:
    """Rows as CSV with these columns; what a row does not have stays empty."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _columns(study: Experiment) -> list[str]:
    others = [stratum.name for stratum in study.strata if stratum.name not in PAIR_COLUMNS]
    return [*PAIR_COLUMNS, *others]


def _rows(pairs: Iterator[Pair]) -> Iterator[dict[str, Value]]:
    for pair in pairs:
        for arm, item in (("x", pair.x), ("x_prime", pair.x_prime)):
            yield {
                "pair": pair.id,
                "arm": arm,
                **pair.strata,
                "text": item.text,
                "answer": item.answer,
            }
