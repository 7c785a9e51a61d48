"""What lessons did to the model, from the table: within each seed first, then over seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from biaslab.stats.estimates import Interval
from biaslab.training.origins.effects import ends
from biaslab.training.origins.predictions import Claim, Judgement, Truth, verdict
from research.adapters.design import (
    LEAST_SEEDS,
    PREDICTIONS,
    RATIOS,
    AdapterClaim,
    AdapterFigure,
    AdapterMeasure,
    LessonStage,
    doublings,
)
from research.adapters.table import AdapterRow
from research.experiment.design import Side
from research.experiment.estimates import (
    One,
    StartsEstimate,
    combined,
    over_starts,
    slope_weights,
)
from research.experiment.verdicts import FigurePlace, Held, decide_together
from schoolmath.text.figures import count, p_words, signed_number, signed_points

Ratio = tuple[int, int]


class AdapterResults:
    """The table, by what was taught and asked.

    Args:
        table: its rows.
    """

    def __init__(self, table: Iterable[AdapterRow]) -> None:
        self._rows = {row.key: row for row in table}
        self.seeds = sorted({seed for seed, *_ in self._rows} - {0})

    def before(self, measure: AdapterMeasure) -> AdapterRow | None:
        """The model as it is."""
        return self._rows.get((0, 0, 0, LessonStage.BEFORE, measure))

    def effect(self, ratio: Ratio, measure: AdapterMeasure, stage: LessonStage) -> StartsEstimate:
        """After the lessons of a ratio, or the balanced ones that followed, over seeds."""
        return over_starts(
            {
                seed: one
                for seed in self.seeds
                if (one := self._one(ratio, seed, measure, stage)) is not None
            }
        )

    def slope(self, measure: AdapterMeasure) -> StartsEstimate:
        """Of the effect over log2 of the ratio, in seeds that have all ratios."""
        shares = slope_weights([doublings(ratio) for ratio in RATIOS])
        found = {}
        for seed in self.seeds:
            ones = [self._one(ratio, seed, measure, LessonStage.TAUGHT) for ratio in RATIOS]
            known = [one for one in ones if one is not None]
            if len(known) == len(RATIOS):
                found[seed] = combined(known, shares)
        return over_starts(found)

    def lost(self, ratio: Ratio, measure: AdapterMeasure) -> StartsEstimate:
        """What of the effect of a ratio is gone after the balanced lessons."""
        found = {}
        for seed in self.seeds:
            taught = self._one(ratio, seed, measure, LessonStage.TAUGHT)
            later = self._one(ratio, seed, measure, LessonStage.BALANCED)
            if taught is not None and later is not None:
                found[seed] = combined([taught, later], [1.0, -1.0])
        return over_starts(found)

    def shares_right(self, ratio: Ratio) -> tuple[float, float] | None:
        """Shares of x and of x' right after the lessons of a ratio, all seeds together."""
        rows = [
            row
            for seed in self.seeds
            if (row := self._rows.get((seed, *ratio, LessonStage.TAUGHT, AdapterMeasure.RIGHT)))
        ]
        n = sum(row.n for row in rows)
        if not n:
            return None
        return sum(row.likelier_x for row in rows) / n, sum(
            row.likelier_x_prime for row in rows
        ) / n

    def of(self, claim: AdapterClaim) -> StartsEstimate:
        """The figure that a claim is about."""
        if claim.figure is AdapterFigure.SLOPE:
            return self.slope(claim.measure)
        ratio = claim.ratio or RATIOS[-1]
        if claim.figure is AdapterFigure.EFFECT:
            return self.effect(ratio, claim.measure, LessonStage.TAUGHT)
        return self.lost(ratio, claim.measure)

    def _one(
        self, ratio: Ratio, seed: int, measure: AdapterMeasure, stage: LessonStage
    ) -> One | None:
        row = self._rows.get((seed, *ratio, stage, measure))
        return None if row is None else One(row.effect, row.error)


@dataclass(frozen=True, slots=True)
class DecidedClaim:
    """A claim, its figure and what comes of it among all of them."""

    claim: AdapterClaim
    estimate: StartsEstimate
    held: Held


def decide(results: AdapterResults) -> dict[AdapterClaim, DecidedClaim]:
    """Every claim; their tests are one family."""
    claims = [claim for prediction in PREDICTIONS for claim in prediction.claims]
    figures = [results.of(claim) for claim in claims]
    located = [
        FigurePlace(claim.side, claim.margin, figure)
        for claim, figure in zip(claims, figures, strict=True)
    ]
    held = decide_together(located, LEAST_SEEDS)
    return {
        claim: DecidedClaim(claim, figure, each)
        for claim, figure, each in zip(claims, figures, held, strict=True)
    }


def judge(results: AdapterResults) -> tuple[Judgement, ...]:
    """The predictions in their order, with their verdicts and figures."""
    decided = decide(results)
    judged = []
    for prediction in PREDICTIONS:
        those = [decided[claim] for claim in prediction.claims]
        claims = tuple(Claim(claim_words(each.claim), each.held.answer) for each in those)
        said = tuple(map(_figure_words, those))
        judged.append(
            Judgement(
                prediction.number, prediction.title, prediction.text, verdict(claims), claims, said
            )
        )
    return tuple(judged)


# Figures in words: the same in docs, on the page and in verdicts.


def claim_words(claim: AdapterClaim) -> str:
    """What is claimed: ``consistency, one step, effect with 5:1, is above zero``."""
    if claim.side is not Side.NONE:
        return f"{_of(claim)} is {claim.side}"
    unit = "points" if claim.measure is AdapterMeasure.RIGHT else "nats"
    margin = 100 * claim.margin if unit == "points" else claim.margin
    return f"{_of(claim)} is within {margin:g} {unit} of zero"


def value_words(measure: AdapterMeasure, estimate: StartsEstimate) -> str:
    """A value and its interval: ``+0.42 nats (+0.31 to +0.53)``."""
    if estimate.value is None:
        return "not taught yet"
    if measure is AdapterMeasure.RIGHT:
        value, unit = signed_points(estimate.value), "points"
        interval = "" if estimate.interval is None else ends(estimate.interval)
    else:
        value, unit = signed_number(estimate.value), "nats"
        interval = "" if estimate.interval is None else _ends(estimate.interval)
    return f"{value} {unit} ({interval or 'no interval'})"


def factor(nats: float) -> str:
    """Nats as a factor of odds: ``2.7 times``."""
    times = math.exp(abs(nats))
    return f"{times:.0f} times" if times >= 10 else f"{times:.1f} times"


def _figure_words(claim: DecidedClaim) -> str:
    name = _of(claim.claim)
    said = f"{name[0].upper()}{name[1:]}: {value_words(claim.claim.measure, claim.estimate)}"
    if claim.estimate.value is None:
        return f"{said}."
    said += f", {count(claim.estimate.n, 'seed')}"
    if claim.held.q is not None:
        said += f", q {p_words(claim.held.q)}"
    return f"{said}; no verdict before {LEAST_SEEDS}." if _few(claim) else f"{said}."


def _few(claim: DecidedClaim) -> bool:
    return claim.held.answer is Truth.UNKNOWN


def _of(claim: AdapterClaim) -> str:
    ratio = "" if claim.ratio is None else f"{claim.ratio[0]}:{claim.ratio[1]}"
    what: Mapping[AdapterFigure, str] = {
        AdapterFigure.SLOPE: "slope of the effect, a doubling of the ratio",
        AdapterFigure.EFFECT: f"effect with {ratio}",
        AdapterFigure.LOST: f"effect with {ratio} less that after balanced lessons",
    }
    return f"{claim.measure}: {what[claim.figure]}"


def _ends(interval: Interval) -> str:
    return f"{signed_number(interval.low)} to {signed_number(interval.high)}"
