"""Pairs as a Parquet table, and as a data set: a folder with the table and its card, zipped."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

from biaslab.studies import Design, Experiment, Item, Pair
from biaslab.studies.word_problems.files.data_set_card import CARD_FILE, TABLE_FILE, design_json
from biaslab.studies.word_problems.verification import (
    sentences_of,
    steps_of,
    structure_of,
    treated_of,
)

_INTEGER_BITS = 63
# A zip file keeps times; the same design gives the same bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


def parquet_columns(study: Experiment) -> tuple[str, ...]:
    """The columns of the table, a row per item."""
    strata = tuple(stratum.name for stratum in study.strata)
    return ("pair", "arm", "text", "answer", *strata, *_FACTS)


_FACTS = ("structure", "sentences", "treated", "equations")


def write_parquet(study: Experiment, design: Design, pairs: Iterable[Pair]) -> bytes:
    """A row per item: text, answer, strata, and what is known of the mental model.

    The design stands in the file's metadata under ``biaslab.design``, so that the pairs can be
    made again.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, list[Any]] = {name: [] for name in parquet_columns(study)}
    strata = [stratum.name for stratum in study.strata]
    for pair in pairs:
        for arm, item in (("x", pair.x), ("x_prime", pair.x_prime)):
            row = {"pair": pair.id, "arm": arm, "text": item.text, "answer": item.answer}
            row |= _facts(item)
            for name, values in columns.items():
                values.append(pair.strata.get(name) if name in strata else row[name])
    fixed = {
        "sentences": pa.list_(pa.string()),
        "treated": pa.list_(pa.int64()),
        "equations": pa.list_(pa.string()),
    }
    arrays = []
    for name, values in columns.items():
        if name in fixed:
            arrays.append(pa.array(values, fixed[name]))
        elif name in strata:
            arrays.append(pa.array(*_typed(values, pa)))
        else:
            arrays.append(pa.array(values, pa.string()))
    table = pa.Table.from_arrays(arrays, names=list(columns))
    table = table.replace_schema_metadata({"biaslab.design": design_json(design)})
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


def _facts(item: Item) -> dict[str, Any]:
    treated = treated_of(item)
    return {
        "structure": structure_of(item),
        "sentences": list(sentences_of(item)),
        "treated": None if treated is None else list(treated),
        "equations": [step.equation() for step in steps_of(item)],
    }


def _typed(values: Sequence[object], pa: Any) -> tuple[list[object], Any]:
    """Whole numbers and truth values keep their type; a column that mixes types is text."""
    given = [value for value in values if value is not None]
    if given and all(isinstance(value, bool) for value in given):
        return list(values), pa.bool_()
    if given and all(_fits(value) for value in given):
        return list(values), pa.int64()
    return [None if value is None else str(value) for value in values], pa.string()


def _fits(value: object) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and int(str(value)).bit_length() <= _INTEGER_BITS


def write_data_set(card: str, table: bytes) -> bytes:
    """A zip file with the card and the table, as data set hubs expect them.

    Args:
        card: from `biaslab.studies.word_problems.files.data_set_card.data_set_card`.
        table: from `write_parquet`.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in ((CARD_FILE, card.encode()), (TABLE_FILE, table)):
            package.writestr(zipfile.ZipInfo(name, _TIME), content)
    return out.getvalue()
