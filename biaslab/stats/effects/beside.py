"""What stands beside an effect: that over one part of the pairs, and those of simple strategies.

A strategy that never looks at what a study is about may still come out differently on x and x':
it has an effect of its own there. The rest of a model's effect is the mean, over the pairs, of the
model's difference minus the strategy's. A model that follows the strategy has no rest; where the
strategy has no effect, the rest is the whole effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from biaslab.stats.effects.effects import ALL, Effect, StratumValue, effects, stratum_label
from biaslab.stats.estimates import Estimate, mean_estimate
from biaslab.stats.outcomes import InvalidRule, check_outcomes, check_rule, count, right_or_wrong
from biaslab.stats.paired import IntervalMethod
from biaslab.stats.stopping import Adjustment

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


StrategyOutcomes: TypeAlias = Mapping[str, float]
"""What a strategy gets on each item, by the item's id, scored as the study scores; items to which
it cannot be applied are not there."""


@dataclass(frozen=True, slots=True)
class StrategyShare:
    """What one simple strategy gets on the pairs of a run, and what it leaves to explain.

    Attributes:
        run: which; strategy: the strategy's name.
        n: pairs that count and to which the strategy can be applied.
        left_out: pairs that count and to which it cannot.
        model: the model's effect on these n pairs; own: the strategy's; rest: the model's
            difference minus the strategy's, pair by pair. Each with interval and p.
    """

    run: str
    strategy: str
    n: int
    left_out: int
    model: Estimate
    own: Estimate
    rest: Estimate


def explained(
    outcomes: pd.DataFrame,
    strategies: Mapping[str, StrategyOutcomes],
    invalid: InvalidRule = "strict",
    confidence: float = 0.95,
) -> list[StrategyShare]:
    """What each strategy explains of the effect of one run.

    Args:
        outcomes: the run's rows, with the columns ``item_x`` and ``item_x_prime``. Several samples
            of a pair count as their mean.
        strategies: what each strategy gets, by its name.
        invalid: as in `effects`, for the model's answers.
        confidence: coverage of the intervals, which do not allow for looking.

    Raises:
        BrokenOutcomes, UnknownChoice: as `effects`.
    """
    check_rule(invalid)
    check_outcomes(outcomes)
    binary = right_or_wrong(outcomes)
    counted = count(outcomes, invalid if binary else "exclude")
    rows = outcomes.iloc[counted.first]
    run = str(outcomes["run"].iloc[0]) if len(outcomes) else ""
    found = []
    for name, of_item in strategies.items():
        own = _got(rows["item_x"], of_item) - _got(rows["item_x_prime"], of_item)
        applies = np.isfinite(own)
        model = (counted.y_x - counted.y_x_prime)[applies]
        cluster = counted.cluster[applies]

        def estimate(values: np.ndarray, bound: float, cluster: np.ndarray = cluster) -> Estimate:
            return mean_estimate(values, cluster, confidence, scale=not binary, bound=bound)

        found.append(
            StrategyShare(
                run=run,
                strategy=name,
                n=int(applies.sum()),
                left_out=int((~applies).sum()),
                model=estimate(model, 1.0),
                own=estimate(own[applies], 1.0),
                rest=estimate(model - own[applies], 2.0),
            )
        )
    return found


def _got(items: pd.Series, of_item: StrategyOutcomes) -> np.ndarray:
    return np.array([of_item.get(item, np.nan) for item in items], dtype=np.float64)


def explained_columns(found: Sequence[StrategyShare]) -> dict[str, float | None]:
    """The same as columns of a table: what each strategy's own effect is (``baseline_NAME``), and
    what it leaves of the model's on the same pairs (``beyond_NAME``, with interval and p).
    """
    columns: dict[str, float | None] = {}
    for each in found:
        name, ends = each.strategy.replace("-", "_"), each.rest.interval
        columns |= {
            f"baseline_{name}": each.own.mean,
            f"beyond_{name}": each.rest.mean,
            f"beyond_{name}_ci_low": None if ends is None else ends.low,
            f"beyond_{name}_ci_high": None if ends is None else ends.high,
            f"beyond_{name}_p": each.rest.p,
        }
    return columns


def explained_records(found: Sequence[StrategyShare]) -> list[dict[str, float | int | str | None]]:
    """One JSON-ready object a strategy: effects as fractions, with the ends of their intervals."""
    records = []
    for each in found:
        record: dict[str, float | int | str | None] = {
            "strategy": each.strategy, "n": each.n, "left_out": each.left_out,
        }  # fmt: skip
        for name, estimate in (("cate", each.model), ("own", each.own), ("rest", each.rest)):
            ends = estimate.interval
            record |= {
                name: estimate.mean,
                f"{name}_ci_low": None if ends is None else ends.low,
                f"{name}_ci_high": None if ends is None else ends.high,
            }
        record["rest_p"] = each.rest.p
        records.append(record)
    return records
