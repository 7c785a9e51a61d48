"""Columns that some studies add to a table of effects: each study's own figures.

A study with figures of its own has an entry in `FURTHER`; tables, CSV and JSON follow from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from biaslab.stats.effects.effects import Effect
from biaslab.stats.effects.strata import ALL
from biaslab.stats.effects.tables import Cell, Origins, effects_records, effects_table
from biaslab.stats.outcomes import InvalidRule
from biaslab.studies.concepts.concept_columns import CONCEPT_COLUMNS, concept_cells
from biaslab.studies.concepts.results import run_answers, warnings_of
from biaslab.studies.concepts.rows import STUDY as CONCEPTS
from biaslab.studies.decisions.results import BIAS_COLUMNS, bias_cells
from biaslab.studies.decisions.results import COUNTS as BIAS_COUNTS
from biaslab.studies.decisions.results import STUDY as DECISIONS
from biaslab.studies.malgorithm.answers import STUDY as MALGORITHM
from biaslab.studies.malgorithm.results import (
    IDENTIFICATION_COLUMNS,
    identification_cells,
)

if TYPE_CHECKING:
    import pandas as pd

MakeCells: TypeAlias = Callable[
    [Sequence[Effect], "pd.DataFrame", str | None, InvalidRule], list[dict[str, Cell]]
]


@dataclass(frozen=True, slots=True)
class Further:
    """What one study adds.

    Attributes:
        columns: their names; counts: those of them that are whole numbers.
        cells: a dictionary for each effect of the study, made from its answered items.
        note: what a vote does not change, for a table of votes.
        warnings: from the study's items to sentences about runs that are not to be believed.
    """

    columns: tuple[str, ...]
    counts: tuple[str, ...]
    cells: MakeCells
    note: str
    warnings: Callable[[pd.DataFrame], list[str]] = lambda _: []


FURTHER: Mapping[str, Further] = {
    MALGORITHM: Further(
        IDENTIFICATION_COLUMNS,
        tuple(name for name in IDENTIFICATION_COLUMNS if name.endswith("_n")),
        identification_cells,
        "AIA, MIA and MCQ are means over samples, not votes.",
    ),
    CONCEPTS: Further(
        CONCEPT_COLUMNS,
        (),
        lambda found, items, by, _: concept_cells(found, items, by),
        "Yes-rate, d' and criterion are over samples, not votes.",
        lambda items: [
            f"Run {run.run}: {sentence}"
            for run in run_answers(items)
            for sentence in warnings_of(run)
        ],
    ),
    DECISIONS: Further(
        BIAS_COLUMNS,
        BIAS_COUNTS,
        lambda found, items, by, _: bias_cells(found, items, by),
        "Figures of biases are means over samples, not votes.",
    ),
}
"""The studies with columns of their own, by name."""


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
    for study, table in items.items():
        if table.empty:
            continue
        places = [place for place, effect in enumerate(found) if effect.study == study]
        own = [found[place] for place in places]
        divided = by if any(effect.stratum != ALL for effect in own) else None
        made = FURTHER[study].cells(own, table, divided, invalid)
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
    for further in FURTHER.values():
        if not present.intersection(further.columns):
            continue
        added = pd.DataFrame(list(cells), columns=list(further.columns)).astype("float64")
        counted = added.astype(dict.fromkeys(further.counts, "Int64"))
        table = pd.concat([table, counted], axis=1)
    return table
