"""What stands beside effects: warnings, floor and ceiling, a part of the pairs, simple strategies.

"2.1 and 2.1 % right, no difference" says nothing about a difference. A row is at an end where
the answers to both kinds together are, as far as their interval tells, and neither kind is not.

A strategy that never looks at what a study is about may still come out differently on x and x':
it has an effect of its own there. The rest of a model's effect is the mean, over the pairs, of the
model's difference minus the strategy's. A model that follows the strategy has no rest; where the
strategy has no effect, the rest is the whole effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.effects import ALL, Effect, StratumValue, effects, stratum_label
from biaslab.stats.estimates import Estimate, Interval, mean_estimate, wilson
from biaslab.stats.outcomes import (
    InvalidRule,
    check_outcomes,
    check_rule,
    count_pairs,
    right_or_wrong,
)
from biaslab.stats.paired import IntervalMethod
from biaslab.stats.stopping import Adjustment
from schoolmath.text.figures import (
    count,
    exact_percent,
    listed,
    percent,
    signed_number,
    signed_points,
)

if TYPE_CHECKING:
    import pandas as pd

MARGIN = 0.1
"""A row is at the floor where the whole interval of the share right, of both arms together, lies
below this and neither arm lies above it, and at the ceiling where all lie as near to all right. A
difference of more than this cannot come out then."""


class End(StrEnum):
    """An end of the scale from nothing to all right."""

    FLOOR = "floor"
    CEILING = "ceiling"


_ROOM = {
    End.FLOOR: (
        "wrong", "below", MARGIN,
        "easier, such as fewer steps, smaller numbers, step by step, or a stronger model",
    ),
    End.CEILING: (
        "right", "above", 1 - MARGIN,
        "harder, such as more steps, larger numbers, the answer asked for at once, or a weaker "
        "model",
    ),
}  # fmt: skip


def end_of(effect: Effect) -> End | None:
    """At which end both arms are; None where one is not, or outcomes are no rights and wrongs."""
    both = (effect.accuracy_x, effect.accuracy_x_prime)
    if not effect.binary or None in both:
        return None
    shares = [share for share in both if share is not None]
    together = wilson(round(sum(shares) * effect.n), 2 * effect.n, effect.confidence)
    if together is None:
        return None
    if together.high < MARGIN and max(shares) < MARGIN:
        return End.FLOOR
    return End.CEILING if together.low > 1 - MARGIN and min(shares) > 1 - MARGIN else None


def end_sentence(effect: Effect, arms: tuple[str, str] = ("x", "x'")) -> str:
    """Why a row that shows no difference says little, and what to change; empty elsewhere.

    Empty also where the interval leaves out zero: there a difference showed all the same.

    Args:
        effect: one row.
        arms: what x and x' are called.
    """
    end = end_of(effect)
    if end is None or (effect.ci_low or 0.0) > 0 or (effect.ci_high or 0.0) < 0:
        return ""
    are, side, bound, change = _ROOM[end]
    unread = effect.invalid_x + effect.invalid_x_prime > effect.answers
    look = (
        " More than half of the answers could not be read: look at those first." if unread else ""
    )
    return (
        f"both kinds are at the {end}: nearly all answers are {are} ({percent(effect.accuracy_x)} "
        f"of “{arms[0]}” and {percent(effect.accuracy_x_prime)} of “{arms[1]}” right on "
        f"{count(effect.n, 'pair')}, the {exact_percent(effect.confidence)} interval of both "
        f"together {side} {percent(bound)}). So a difference could hardly show, and "
        f"this does not say that there is none.{look} Make it {change}."
    )


def effect_warnings(
    effects: Sequence[Effect], by: str | None = None, vote: bool = False
) -> list[str]:
    """Sentences for whoever reads these effects; none where all is well.

    Args:
        effects: effects made with the same ``by`` and ``vote``.
        by: as for `effects`.
        vote: as for `effects`.
    """
    sentences: dict[str, None] = {}
    for effect in effects:
        if by is not None and effect.stratum == ALL:
            sentences[undivided_sentence(effect.study, by)] = None
        if vote and not effect.voted:
            sentences[
                f"Run {effect.run} asked every item once, so there is nothing to vote on: its "
                "answers count as they are."
            ] = None
        unread = unread_arms(effect)
        told = [unread or unread_more(effect), "" if unread else end_sentence(effect)]
        if effect.missing is not None:
            told.append(effect.missing.sentence())
        for sentence in filter(None, told):
            sentences[f"{_row(effect)}: {sentence}"] = None
    return list(sentences)


def _row(effect: Effect) -> str:
    return f"Run {effect.run}" + ("" if effect.stratum == ALL else f", {effect.stratum}")


def undivided_sentence(study: str, by: str) -> str:
    """Why the runs of a study have one row where others are broken down."""
    return (
        f"The pairs of study {study} have no stratum '{by}': each of its runs has one row, for "
        "all pairs."
    )


def unread_more(effect: Effect, arms: tuple[str, str] = ("x", "x'")) -> str:
    """That one arm's answers could be read less often, with the numbers; empty elsewhere.

    Args:
        effect: one row.
        arms: what x and x' are called.
    """
    return "" if effect.unread is None else effect.unread.sentence(arms)


def unread_arms(effect: Effect, arms: tuple[str, str] = ("x", "x'")) -> str:
    """Why the effect says nothing where no answer of an arm could be read; empty elsewhere.

    Args:
        effect: one row.
        arms: what x and x' are called.
    """
    unread = [
        name
        for name, count in zip(arms, (effect.invalid_x, effect.invalid_x_prime), strict=True)
        if effect.answers and count == effect.answers
    ]
    if not unread:
        return ""
    which = "none of the answers" if len(unread) == 2 else f"none of the answers to “{unread[0]}”"
    return (
        f"{which} could be read ({effect.answers} of {effect.answers}), so the difference says "
        "nothing about what was asked. Read some of the answers, and choose another model or way "
        "of asking."
    )


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


def with_beside(effects: Sequence[Effect], others: Sequence[Effect]) -> list[Effect]:
    """The rows over all pairs, each followed by that of its part, where there is one."""
    of_run = {effect.run: effect for effect in others}
    return [
        row for effect in effects for row in (effect, of_run.get(effect.run)) if row is not None
    ]


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
    counted = count_pairs(outcomes, invalid if binary else "exclude")
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


def explained_columns(shares: Sequence[StrategyShare]) -> dict[str, float | None]:
    """The same as columns of a table: what each strategy's own effect is (``baseline_NAME``), and
    what it leaves of the model's on the same pairs (``beyond_NAME``, with interval and p).
    """
    columns: dict[str, float | None] = {}
    for each in shares:
        name, ends = each.strategy.replace("-", "_"), each.rest.interval
        columns |= {
            f"baseline_{name}": each.own.mean,
            f"beyond_{name}": each.rest.mean,
            f"beyond_{name}_ci_low": None if ends is None else ends.low,
            f"beyond_{name}_ci_high": None if ends is None else ends.high,
            f"beyond_{name}_p": each.rest.p,
        }
    return columns


def explained_records(shares: Sequence[StrategyShare]) -> list[dict[str, float | int | str | None]]:
    """One JSON-ready object a strategy: effects as fractions, with the ends of their intervals."""
    records = []
    for each in shares:
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


SOME_PAIRS = 0.1
"""What the members of fewer pairs differ in is no matter of the whole set."""
MOST_ADJUSTED = 4
"""Differences that an effect is adjusted for at once: those of the most pairs."""
FEWEST_CLUSTERS = 20
"""With fewer clusters a model of their differences says nothing."""


@dataclass(frozen=True, slots=True)
class AdjustedEffect:
    """An effect, had the members been alike in what else they differ in.

    Attributes:
        raw: the mean difference of outcomes as it is.
        adjusted: the same at no other difference, by least squares; None where ``why_not`` says so.
        interval: of it, respecting clusters (CR1, t with clusters less coefficients).
        names: what the members differ in, in the order of how many pairs do.
        pairs: in how many pairs they do in any of these; of: among how many.
        why_not: why the two can't be told apart, a sentence.
    """

    raw: float
    adjusted: float | None
    interval: Interval | None
    names: tuple[str, ...]
    pairs: int
    of: int
    why_not: str = ""

    def sentence(self, binary: bool = True) -> str:
        """What to know before the effect is believed."""
        start = (
            f"The members also differ in {listed(self.names)} (in {self.pairs:,} of {self.of:,} "
            "pairs)"
        )
        if self.adjusted is None or self.interval is None:
            return f"{start}. {self.why_not}"
        points = signed_points if binary else signed_number
        low, high = points(self.interval.low), points(self.interval.high)
        return (
            f"{start}: were they alike in that, the effect would be {points(self.adjusted)} "
            f"({low} to {high}) in place of {points(self.raw)}, if such differences add up."
        )


def adjusted_effect(
    outcomes: pd.DataFrame,
    unlike: Mapping[str, Mapping[str, float]],
    invalid: InvalidRule = "strict",
    confidence: float = 0.95,
) -> AdjustedEffect | None:
    """The effect of one run, adjusted for what else the members of its pairs differ in.

    The difference of a pair's outcomes is taken to be the effect and so much for each unit of each
    other difference; the effect is what is left where all of these are 0.

    Args:
        outcomes: rows of one run.
        unlike: by pair, x minus x′ of everything that may differ; a pair left out is alike.
        invalid: as for `effects`.
        confidence: coverage of the interval.

    Returns:
        None where the members differ in nothing else, or no pair counts.
    """
    check_outcomes(outcomes)
    counted = count_pairs(outcomes, invalid)
    n = len(counted.pair)
    names = dict.fromkeys(name for pair in counted.pair for name in unlike.get(pair, {}))
    columns = {
        name: np.array([unlike.get(pair, {}).get(name, 0.0) for pair in counted.pair])
        for name in names
    }
    many = {name: int((column != 0).sum()) for name, column in columns.items()}
    chosen = sorted((m for m in many if many[m] >= SOME_PAIRS * n), key=lambda m: -many[m])
    chosen = chosen[:MOST_ADJUSTED]
    if not n or not chosen:
        return None
    differ = int(np.any([columns[name] != 0 for name in chosen], axis=0).sum())
    y = np.asarray(counted.y_x, float) - np.asarray(counted.y_x_prime, float)
    told = (float(y.mean()), None, None, tuple(chosen), differ, n)
    for name in chosen:
        if columns[name].min() > 0 or columns[name].max() < 0:
            why = (
                f"In {name} one always has more, so its influence cannot be separated from the "
                "effect."
            )
            return AdjustedEffect(*told, why)
    places = np.unique(counted.cluster.astype(str), return_inverse=True)[1]
    design = [np.ones(n)]
    for name in chosen:
        column = columns[name] / columns[name].std()
        if np.linalg.matrix_rank(np.column_stack([*design, column]), tol=1e-6) > len(design):
            design.append(column)
    clusters = int(places.max()) + 1
    if clusters < FEWEST_CLUSTERS + len(design):
        why = "There are too few pairs to tell what that does."
        return AdjustedEffect(*told, why)
    value, spread = _at_no_difference(np.column_stack(design), y, places)
    freedom = clusters - len(design)
    reach = spread * float(scipy.special.stdtrit(freedom, (1 + confidence) / 2))
    interval = Interval(value - reach, value + reach)
    return AdjustedEffect(told[0], value, interval, *told[3:])


def _at_no_difference(
    design: npt.NDArray[np.float64], y: npt.NDArray[np.float64], cluster: npt.NDArray[np.intp]
) -> tuple[float, float]:
    """The first coefficient of least squares, and its standard error over clusters (CR1)."""
    n, k = design.shape
    bread = np.linalg.inv(design.T @ design)
    beta = bread @ design.T @ y
    scores = np.zeros((int(cluster.max()) + 1, k))
    np.add.at(scores, cluster, design * (y - design @ beta)[:, None])
    count = len(scores)
    factor = count / (count - 1) * (n - 1) / (n - k)
    covariance = factor * bread @ (scores.T @ scores) @ bread
    return float(beta[0]), float(np.sqrt(max(covariance[0, 0], 0.0)))
