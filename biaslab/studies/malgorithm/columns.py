"""The columns that this study adds to tables of effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from biaslab.stats.effects.effects import Cell, Effect
from biaslab.stats.outcomes import InvalidRule
from biaslab.studies.malgorithm.answers import STUDY
from biaslab.studies.malgorithm.results import Identification, ReadShare, identifications

if TYPE_CHECKING:
    import pandas as pd

IDENTIFICATION_COLUMNS = tuple(
    f"{name}{part}" for name in ("aia", "mia", "mcq") for part in ("", "_ci_low", "_ci_high", "_n")
)
"""Added to the columns of effects where a run is of this study: shares as fractions 0..1, their
intervals, clustered by question, and the number of items that count."""


def identification_cells(
    found: Sequence[Effect],
    items: pd.DataFrame,
    by: str | None = None,
    invalid: InvalidRule = "strict",
) -> list[dict[str, Cell]]:
    """For each effect the cells of `IDENTIFICATION_COLUMNS`; none for other studies.

    Args:
        found: effects by the same ``by`` and ``invalid``.
        items: `Store.answered_items` of the runs of this study among them.
        by: as for `identifications`.
        invalid: as for `identifications`.
    """
    if items.empty:
        return [{} for _ in found]
    made = {(each.run, each.stratum): each for each in identifications(items, by, invalid)}
    return [_cells(made, effect) for effect in found]


def _cells(made: Mapping[tuple[str, str], Identification], effect: Effect) -> dict[str, Cell]:
    if effect.study != STUDY:
        return {}
    of_run = made.get((effect.run, effect.stratum))
    cells: dict[str, Cell] = {}
    for name in ("aia", "mia", "mcq"):
        share: ReadShare | None = None if of_run is None else getattr(of_run, name)
        interval = None if share is None else share.interval
        cells[name] = None if share is None else share.value
        cells[f"{name}_ci_low"] = None if interval is None else interval.low
        cells[f"{name}_ci_high"] = None if interval is None else interval.high
        cells[f"{name}_n"] = 0 if share is None else share.n
    return cells | _place_by_value_cells(of_run)


def _place_by_value_cells(of_run: Identification | None) -> dict[str, Cell]:
    """What the second smallest option gets of the questions, and what MCQ has beyond it."""
    name = "mcq_place_by_value"
    if of_run is None:
        return {}
    rule = next(each for each in of_run.baselines if each.beyond is not None)
    rest = rule.beyond
    assert rest is not None
    return {
        f"baseline_{name}": rule.mcq,
        f"beyond_{name}": rest.mean,
        f"beyond_{name}_ci_low": None if rest.interval is None else rest.interval.low,
        f"beyond_{name}_ci_high": None if rest.interval is None else rest.interval.high,
        f"beyond_{name}_p": rest.p,
    }
