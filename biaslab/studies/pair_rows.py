"""Pairs as a table: a row per item, for files that people and other programs read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TextIO

from biaslab.studies.study import Experiment, Pair, Value

PAIR_COLUMNS = ("pair", "arm", "steps", "text", "answer")
"""First columns of a table of pairs; the study's other strata follow. ``arm`` is ``x`` (the
member that is easier by hypothesis) or ``x_prime``; ``text`` includes the question."""


def pair_columns(study: Experiment) -> list[str]:
    """All columns of a study's table."""
    others = [stratum.name for stratum in study.strata if stratum.name not in PAIR_COLUMNS]
    return [*PAIR_COLUMNS, *others]


def pair_rows(pairs: Iterable[Pair]) -> Iterator[dict[str, Value]]:
    """Two rows for every pair, x first."""
    for pair in pairs:
        for arm, item in (("x", pair.x), ("x_prime", pair.x_prime)):
            yield {
                "pair": pair.id,
                "arm": arm,
                **pair.strata,
                "text": item.text,
                "answer": item.answer,
            }


def write_jsonl(study: Experiment, pairs: Iterable[Pair], file: TextIO) -> None:
    """Writes the table as JSON lines, an object per item."""
    columns = pair_columns(study)
    for row in pair_rows(pairs):
        ordered = {name: row[name] for name in columns if name in row}
        file.write(json.dumps(ordered, ensure_ascii=False) + "\n")
