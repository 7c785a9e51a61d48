"""Effects as a table and as JSON, for files and other programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from biaslab.stats.effects.effects import Effect

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 2
"""Version of a row. 1 had no columns after invalid_x_prime, and a q of p_t."""

_NUMBERS = (
    "accuracy_x", "accuracy_x_prime", "cate", "ci_low", "ci_high", "p_t", "p_mcnemar", "q_bh",
)  # fmt: skip

TABLE_COLUMNS = (
    "study", "model", "strategy", "stratum", "n", *_NUMBERS, "invalid_x", "invalid_x_prime",
    "p", "run", "settings", "model_kind", "samples", "voted", "clusters", "confidence",
    "interval_method", "looked", "family", "method", "reader", "unread_difference", "unread_p",
    "format",
)  # fmt: skip
"""Columns of a table of effects, in order. Accuracies and CATE are fractions (0.25, never 25);
p-values and q_bh are unrounded; invalid_x and invalid_x_prime are numbers of answers. All are as
in `Effect`, but for settings and reader (`Origin`; null where not given), unread_difference and
unread_p (`Effect.unread`), and format (`FORMAT`). docs/file-format.md describes each."""

Cell: TypeAlias = str | int | float | list[str] | list[dict[str, Any]] | dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the answers of a run come from.

    Attributes:
        settings: what the run's design chose, JSON-ready.
        reader: which way of reading its answers were read by; None where nobody noted it.
    """

    settings: Mapping[str, Any]
    reader: str | None = None


Origins: TypeAlias = Mapping[str, Origin]
"""Origins of runs by their ids."""


def effects_records(
    found: Sequence[Effect], origins: Origins | None = None
) -> list[dict[str, Cell]]:
    """One JSON-ready object per effect with exactly the columns of `TABLE_COLUMNS`."""
    return [_record(effect, (origins or {}).get(effect.run)) for effect in found]


def _record(effect: Effect, origin: Origin | None) -> dict[str, Cell]:
    own: dict[str, Cell] = {
        "settings": None if origin is None else dict(origin.settings),
        "reader": None if origin is None else origin.reader,
        "unread_difference": None if effect.unread is None else effect.unread.difference,
        "unread_p": None if effect.unread is None else effect.unread.p,
        "family": list(effect.family),
        "format": FORMAT,
    }
    return {name: own[name] if name in own else getattr(effect, name) for name in TABLE_COLUMNS}


def effects_table(found: Sequence[Effect], origins: Origins | None = None) -> pd.DataFrame:
    """One row per effect with exactly the columns of `TABLE_COLUMNS`; NaN where undefined.

    Settings are JSON text, the rows of a family are separated by semicolons. For a JSON file
    prefer `effects_json`: pandas rounds small p-values to zero.
    """
    import pandas as pd

    records = effects_records(found, origins)
    for record in records:
        if record["settings"] is not None:
            record["settings"] = json.dumps(record["settings"], ensure_ascii=False, sort_keys=True)
        record["family"] = "; ".join(str(row) for row in record["family"])  # type: ignore[union-attr]
    table = pd.DataFrame(records, columns=list(TABLE_COLUMNS))
    return table.astype(dict.fromkeys((*_NUMBERS, "p", "unread_difference", "unread_p"), "float64"))


def effects_json(found: Sequence[Effect], origins: Origins | None = None) -> str:
    """A JSON list of `effects_records`, numbers in full precision, undefined ones null."""
    return json.dumps(
        effects_records(found, origins), ensure_ascii=False, indent=2, allow_nan=False
    )
