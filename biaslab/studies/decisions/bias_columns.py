"""The figures of decision biases as further columns of a table of effects."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from biaslab.stats.effects.effects import Effect
from biaslab.stats.effects.strata import ALL
from biaslab.stats.effects.tables import Cell
from biaslab.stats.estimates.proportions import Interval
from biaslab.studies.decisions.results import BiasScore, bias_profile

BIAS_COLUMNS = (
    "metric", "metric_ci_low", "metric_ci_high", "metric_size", "shift", "shift_ci_low",
    "shift_ci_high", "unchanged", "unchanged_ci_low", "unchanged_ci_high", "chance_metric",
    "chance_size", "chance_low", "chance_high", "noise", "scenes",
)  # fmt: skip
"""Added to the columns of effects where a run is of decision biases: see `BiasScore`; the band
of chance is chance_low to chance_high, and scenes are the clusters."""

COUNTS = ("scenes",)


def bias_cells(
    found: Sequence[Effect], items: pd.DataFrame, by: str | None = None
) -> list[dict[str, Cell]]:
    """For each effect the cells of `BIAS_COLUMNS`.

    Args:
        found: effects of runs of this study, broken down by ``by``.
        items: their answered items.
        by: a stratum, or None for all pairs.
    """
    scores = {
        (score.run, score.bias): score
        for score in bias_profile(items, by or "bias")
        if (score.bias == ALL) == (by is None)
    }
    return [
        _cells(scores.get((effect.run, str(effect.stratum_value) if by else ALL)))
        for effect in found
    ]


def _cells(score: BiasScore | None) -> dict[str, Cell]:
    if score is None:
        return dict.fromkeys(BIAS_COLUMNS)
    chance = score.chance
    return {
        "metric": score.metric,
        **_ends("metric_ci", score.metric_ci),
        "metric_size": score.size,
        "shift": score.shift,
        **_ends("shift_ci", score.shift_ci),
        "unchanged": score.unchanged,
        **_ends("unchanged_ci", score.unchanged_ci),
        "chance_metric": None if chance is None else chance.mean,
        "chance_size": None if chance is None else chance.mean_size,
        **_ends("chance", score.band),
        "noise": score.noise,
        "scenes": score.clusters,
    }


def _ends(name: str, interval: Interval | None) -> dict[str, Cell]:
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return {f"{name}_low": low, f"{name}_high": high}
