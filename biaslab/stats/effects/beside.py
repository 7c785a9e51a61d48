"""The effect over one part of the pairs, to stand beside that over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from biaslab.stats.effects.effects import Effect, effects
from biaslab.stats.effects.strata import ALL, StratumValue, stratum_label
from biaslab.stats.estimates.paired import IntervalMethod
from biaslab.stats.outcomes import InvalidRule
from biaslab.stats.sequential.stopping import Adjustment

if TYPE_CHECKING:
    import pandas as pd


def effects_beside(
    outcomes: pd.DataFrame,
    part: tuple[str, StratumValue],
    invalid: InvalidRule = "strict",
    confidence: float = 0.95,
    vote: bool = False,
    adjusted: Mapping[str, Adjustment] | None = None,
    interval: IntervalMethod = "imagined-pairs",
) -> list[Effect]:
    """The effects over the pairs that have one value of a stratum.

    Args:
        outcomes: as for `effects`.
        part: the stratum and its value.
        invalid: as for `effects`.
        confidence: as for `effects`.
        vote: as for `effects`.
        adjusted: as for `effects`: what the looks at the whole run ask for.
        interval: as for `effects`.

    Returns:
        A row for each run that has such pairs and others too, named after the part. Where all
        pairs are of the part, the row over all of them says it already. q allows for these rows.
    """
    name, value = part
    inside = outcomes["strata"].map(lambda strata: strata.get(name) == value)
    mixed = inside.groupby(outcomes["run"]).transform("nunique") > 1 if len(outcomes) else inside
    rows = outcomes[(inside & mixed).astype(bool)]
    if rows.empty:
        return []
    label = stratum_label(name, value)
    return [
        replace(
            effect,
            stratum=label,
            stratum_value=value,
            family=tuple(f"{each.removesuffix(ALL)}{label}" for each in effect.family),
        )
        for effect in effects(rows, None, invalid, confidence, vote, adjusted, interval)
    ]


def with_beside(found: Sequence[Effect], beside: Sequence[Effect]) -> list[Effect]:
    """The rows over all pairs, each followed by that of its part, where there is one."""
    of_run = {effect.run: effect for effect in beside}
    return [row for effect in found for row in (effect, of_run.get(effect.run)) if row is not None]
