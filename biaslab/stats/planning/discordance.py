"""How often the members of a pair differ: what decides how many pairs an effect needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.estimates.clustered import Values, clustered_share
from biaslab.stats.estimates.proportions import Interval
from biaslab.stats.outcomes import check_outcomes, right_or_wrong

if TYPE_CHECKING:
    import pandas as pd

ASSUMED_DISCORDANCE = 0.4
"""Assumed where nothing was seen yet. In the published runs of these studies (Opedal et al.
2024) the accuracies would give a median of 0.35 to 0.41 if a model's answers to both members had
nothing to do with each other; they have, so this is on the safe side for most models."""


@dataclass(frozen=True, slots=True)
class DiscordanceSeen:
    """How often members of pairs differed in some runs.

    Attributes:
        discordance: share of pairs of which one member was right and the other was not; of
            samples of pairs where items were asked several times.
        interval: Wilson's, with pairs of the same cluster, also of different runs, as one
            observation.
        n: pairs that count, of all runs; runs: how many.
        alike: share of the variance of differences that lies between pairs rather than between
            the samples of a pair, 0..1; None where no pair has several samples, or nothing
            varies.
    """

    discordance: float
    interval: Interval
    n: int
    runs: int
    alike: float | None


def discordance_seen(outcomes: pd.DataFrame, confidence: float = 0.95) -> DiscordanceSeen | None:
    """The discordance of the runs in a table; None where no pair counts yet.

    Answers that could not be read count as not right. Give the runs of one study only, and of
    models like the one that a plan is for.

    Raises:
        BrokenOutcomes: the table contradicts itself.
        ImpossiblePlan: outcomes are positions on a scale.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_outcomes(outcomes)
    if not right_or_wrong(outcomes):
        raise ImpossiblePlan(
            "Outcomes of this study are positions on a scale, not right or wrong: plan it from "
            "the width of the interval in a first small run."
        )
    states = outcomes[["state_x", "state_x_prime"]]
    back = states.isin(("answered", "invalid")).all(axis=1)
    rows = outcomes.loc[back]
    if rows.empty:
        return None
    right = [
        rows[f"y_{member}"].where(rows[f"state_{member}"] == "answered", 0.0).to_numpy(float)
        for member in ("x", "x_prime")
    ]
    difference: Values = right[0] - right[1]
    pair = rows.groupby(["run", "pair"], sort=False).ngroup().to_numpy()
    size = np.bincount(pair).astype(np.float64)
    share: Values = np.bincount(pair, weights=np.abs(difference)) / size
    first = np.unique(pair, return_index=True)[1]
    cluster = rows["cluster"].to_numpy(dtype=object)[first]
    interval = clustered_share(share, cluster, len(rows), confidence)
    assert interval is not None
    return DiscordanceSeen(
        discordance=float(share.mean()),
        interval=interval,
        n=share.size,
        runs=int(rows["run"].nunique()),
        alike=_alike(difference, pair, size),
    )


def _alike(difference: Values, pair: npt.NDArray[np.integer[Any]], size: Values) -> float | None:
    """Intraclass correlation by one-way analysis of variance (Donner 1986, Int. Stat. Rev. 54)."""
    pairs, rows = size.size, difference.size
    if pairs < 2 or rows == pairs:
        return None
    mean = np.bincount(pair, weights=difference) / size
    between = float((size * (mean - difference.mean()) ** 2).sum()) / (pairs - 1)
    within = float(((difference - mean[pair]) ** 2).sum()) / (rows - pairs)
    typical = (rows - float((size**2).sum()) / rows) / (pairs - 1)
    total = between + (typical - 1.0) * within
    if total <= 0.0:
        return None
    return min(1.0, max(0.0, (between - within) / total))
