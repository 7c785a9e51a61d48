"""Tables of effects with the columns that studies add (`FurtherColumns`), as CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from biaslab.stats.effects.effects import ALL, Cell, Effect, Origins, effects_records, effects_table
from biaslab.stats.outcomes import InvalidRule
from biaslab.studies.registry import experiments
from biaslab.studies.results import FurtherColumns

if TYPE_CHECKING:
    import pandas as pd


def further_columns() -> dict[str, FurtherColumns]:
    """What studies add, by their names, in the order in which it stands in tables."""
    offered = {name: study.further_columns() for name, study in experiments().items()}
    found = {name: further for name, further in offered.items() if further is not None}
    return dict(sorted(found.items(), key=lambda each: each[1].rank))


def further_cells(
    found: Sequence[Effect],
    items: Mapping[str, pd.DataFrame],
    by: str | None = None,
    invalid: InvalidRule = "strict",
) -> list[dict[str, Cell]]:
    """For each effect the cells that its study adds; none where it adds none.

    Args:
        found: effects by the same ``by`` and ``invalid``.
        items: `Store.answered_items` of the runs of each study that adds columns.
        by: as for `effects`.
        invalid: as for `effects`.
    """
    cells: list[dict[str, Cell]] = [{} for _ in found]
    further = further_columns()
    for study, table in items.items():
        if table.empty:
            continue
        places = [place for place, effect in enumerate(found) if effect.study == study]
        own = [found[place] for place in places]
        divided = by if any(effect.stratum != ALL for effect in own) else None
        made = further[study].cells(own, table, divided, invalid)
        for place, added in zip(places, made, strict=True):
            cells[place] = added
    return cells


def further_json(
    found: Sequence[Effect],
    cells: Sequence[Mapping[str, Cell]],
    origins: Origins | None = None,
) -> str:
    """As `effects_json`, with the cells added where an effect has them."""
    rows = [
        {**record, **added}
        for record, added in zip(effects_records(found, origins), cells, strict=True)
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2, allow_nan=False)


def further_table(
    found: Sequence[Effect],
    cells: Sequence[Mapping[str, Cell]],
    origins: Origins | None = None,
) -> pd.DataFrame:
    """As `effects_table`, with the columns of a study added if any effect has them."""
    import pandas as pd

    table = effects_table(found, origins)
    present = {name for row in cells for name in row}
    for further in further_columns().values():
        if not present.intersection(further.columns):
            continue
        added = pd.DataFrame(list(cells), columns=list(further.columns))
        kinds = dict.fromkeys(further.columns, "float64")
        kinds |= dict.fromkeys(further.texts, "object")
        # Counts are read as numbers first: missing ones are floats until then.
        typed = added.astype(kinds).astype(dict.fromkeys(further.counts, "Int64"))
        table = pd.concat([table, typed], axis=1)
    # What simple strategies get has columns by their names, numbers all of them.
    named = dict.fromkeys(name for row in cells for name in row)
    beside = [name for name in named if name.startswith(("baseline_", "beyond_"))]
    missing = [name for name in beside if name not in table.columns]
    strategies = pd.DataFrame(list(cells), columns=missing).astype("float64")
    return pd.concat([table, strategies], axis=1) if missing else table
