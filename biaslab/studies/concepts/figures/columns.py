"""Further columns of a table of effects: leaning of both arms, and what goes beyond counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from biaslab.stats.effects.effects import ALL, Cell, Effect
from biaslab.stats.outcomes import InvalidRule
from biaslab.studies.concepts.figures.results import gap_of, signals_of
from biaslab.studies.concepts.figures.rows import RunAnswers, run_answers

if TYPE_CHECKING:
    import pandas as pd

_FIGURES = ("yes_rate", "d_prime", "d_prime_ci_low", "d_prime_ci_high", "criterion")
_BEYOND = ("baseline_count", "beyond_count", "beyond_count_ci_low", "beyond_count_ci_high",
           "beyond_count_p")  # fmt: skip
CONCEPT_COLUMNS = (
    *(f"{name}_{arm}" for arm in ("x", "x_prime") for name in _FIGURES),
    *_BEYOND,
)
"""Added to the columns of effects where a run is of this study: yes-rate, d' and criterion of
readable answers; the effect that counting alone has on the same pairs, and the rest."""


def concept_cells(
    found: Sequence[Effect],
    items: pd.DataFrame,
    by: str | None = None,
    invalid: InvalidRule = "strict",
) -> list[dict[str, Cell]]:
    """For each effect of this study the cells of `CONCEPT_COLUMNS`.

    Args:
        found: effects of runs of this study by the same ``by``.
        items: `Store.answered_items` of these runs.
        by: the stratum.
        invalid: as for `effects`.
    """
    answers = {run.run: run for run in run_answers(items)}
    return [_cells(effect, answers[effect.run], by, invalid) for effect in found]


def _cells(
    effect: Effect, run: RunAnswers, by: str | None, invalid: InvalidRule
) -> dict[str, Cell]:
    inside = tuple(
        each
        for each in run.answers
        if effect.stratum == ALL or each.strata.get(by or "") == effect.stratum_value
    )
    cells: dict[str, Cell] = {}
    for arm in ("x", "x_prime"):
        of_arm = [each for each in inside if each.arm == arm]
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
    gap = gap_of(replace(run, answers=inside), invalid)
    if gap is not None:
        ends = gap.beyond.interval
        rest: tuple[Cell, ...] = (
            gap.counting,
            gap.beyond.mean,
            None if ends is None else ends.low,
            None if ends is None else ends.high,
            gap.beyond.p,
        )
        cells |= dict(zip(_BEYOND, rest, strict=True))
    return cells
