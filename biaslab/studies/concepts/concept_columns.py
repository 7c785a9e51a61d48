"""Yes-rate, d' and criterion of both arms as further columns of a table of effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biaslab.stats.effects.effects import Effect
from biaslab.stats.effects.strata import ALL
from biaslab.stats.effects.tables import Cell
from biaslab.studies.concepts.results import signals_of
from biaslab.studies.concepts.rows import Answer, run_answers

if TYPE_CHECKING:
    import pandas as pd

_FIGURES = ("yes_rate", "d_prime", "d_prime_ci_low", "d_prime_ci_high", "criterion")
CONCEPT_COLUMNS = tuple(f"{name}_{arm}" for arm in ("x", "x_prime") for name in _FIGURES)
"""Added to the columns of effects where a run is of this study: of readable answers."""


def concept_cells(
    found: Sequence[Effect], items: pd.DataFrame, by: str | None = None
) -> list[dict[str, Cell]]:
    """For each effect of this study the cells of `CONCEPT_COLUMNS`.

    Args:
        found: effects of runs of this study by the same ``by``.
        items: `Store.answered_items` of these runs.
        by: the stratum.
    """
    answers = {run.run: run.answers for run in run_answers(items)}
    return [_cells(effect, answers.get(effect.run, ()), by) for effect in found]


def _cells(effect: Effect, answers: Sequence[Answer], by: str | None) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for arm in ("x", "x_prime"):
        of_arm = [
            each
            for each in answers
            if each.arm == arm
            and (effect.stratum == ALL or each.strata.get(by or "") == effect.stratum_value)
        ]
        seen = signals_of(of_arm)
        interval = seen.d_interval
        values = (
            seen.yes_rate,
            seen.d_prime,
            None if interval is None else interval.low,
            None if interval is None else interval.high,
            seen.criterion,
        )
        cells |= {f"{name}_{arm}": value for name, value in zip(_FIGURES, values, strict=True)}
    return cells
