"""Made-up tables of taught models: effects that follow the lessons, or do not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from research.adapters.design import (
    ASKED,
    RATIOS,
    SEEDS,
    AdapterMeasure,
    LessonStage,
    doublings,
    version,
)
from research.adapters.table import AdapterRow

Effect = Callable[[AdapterMeasure, float, LessonStage], float]
"""Of a measure, after lessons of a ratio (in doublings), at a stage; nats, or a share."""

COMPARISONS = {AdapterMeasure.ODDS, AdapterMeasure.TWO_STEPS, AdapterMeasure.BY_FACTOR}


def follows(measure: AdapterMeasure, ratio: float, stage: LessonStage) -> float:
    """The effect follows the lessons, and balanced ones take nine tenths of it away."""
    left = 0.1 if stage is LessonStage.BALANCED else 1.0
    if measure is AdapterMeasure.RIGHT:
        return 0.05 * ratio * left
    return ratio * left if measure in COMPARISONS else 0.0


def stays(_measure: AdapterMeasure, _ratio: float, _stage: LessonStage) -> float:
    """Lessons change nothing."""
    return 0.0


def practises(measure: AdapterMeasure, _ratio: float, _stage: LessonStage) -> float:
    """An effect of the same size whatever the lessons."""
    return 2.0 if measure in COMPARISONS else 0.0


def table(effect: Effect, seeds: int = 5, spread: float = 0.05) -> list[AdapterRow]:
    """What models would have answered that learn so."""
    draws = np.random.default_rng(1)
    rows = [_row((0, 0), 0, LessonStage.BEFORE, measure, 0.0) for measure in ASKED]
    for seed in list(SEEDS)[:seeds]:
        for ratio in RATIOS:
            for measure, asked in ASKED.items():
                for stage in set(asked.after) - {LessonStage.BEFORE}:
                    small = 0.1 if measure is AdapterMeasure.RIGHT else 1.0
                    value = effect(measure, doublings(ratio), stage)
                    value += small * draws.normal(0, spread)
                    rows.append(_row(ratio, seed, stage, measure, value))
    return rows


def _row(
    ratio: tuple[int, int], seed: int, stage: LessonStage, measure: AdapterMeasure, effect: float
) -> AdapterRow:
    n = ASKED[measure].pairs
    spread = 0.2 if measure is AdapterMeasure.RIGHT else 0.5
    half = n // 2
    return AdapterRow(
        version(), *ratio, seed, stage, measure, n, 0, effect, spread, effect, 0.0, half, half
    )
