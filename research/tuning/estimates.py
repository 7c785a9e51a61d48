"""What fine-tuning did, from its table: within each seed first, then over seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from biaslab.stats.estimates import Interval
from biaslab.training.origins.effects import ends
from biaslab.training.origins.predictions import Claim, Judgement, Truth, verdict
from biaslab.training.origins.rows import FamilyRow
from research.experiment.design import Side
from research.experiment.estimates import One, StartsEstimate, combined, over_starts
from research.experiment.outcomes import effect_of
from research.experiment.table import SampleRow
from research.experiment.verdicts import on_side
from research.tuning.design import (
    LEAST_SEEDS,
    LESSONS,
    PREDICTIONS,
    Arm,
    Stop,
    TuningClaim,
    TuningMeasure,
    TuningPrediction,
)
from schoolmath.text.figures import count, points_wide, signed_points

# Figures of fine-tuning in words: the same in charts, on the page and in verdicts.


ARMS = {
    Arm.BALANCED: "balanced",
    Arm.SAME_KIND: "same kind, 5:1",
    Arm.OWN: "its own mix",
}
"""What the arms are called beside figures."""


def claim_words(claim: TuningClaim) -> str:
    """What is claimed: ``consistency effect, one step, balanced minus its own mix: below zero``."""
    if claim.side is Side.NONE:
        return f"{_of(claim)}: within {points_wide(claim.margin)} of zero"
    return f"{_of(claim)}: {claim.side}"


def figure_words(claim: TuningClaim, estimate: StartsEstimate) -> str:
    """The figure with its interval and seeds, or that there is none yet."""
    name = _of(claim)
    name = name[0].upper() + name[1:]
    if estimate.value is None:
        return f"{name}: not fine-tuned yet."
    said = f"{name}: {value_words(estimate)}, {count(estimate.n, 'seed')}"
    return f"{said}; no verdict before {LEAST_SEEDS}." if estimate.n < LEAST_SEEDS else f"{said}."


def value_words(estimate: StartsEstimate) -> str:
    """A difference in points with its interval: ``+3.1 (+1.2 to +5.0)``."""
    if estimate.interval is None:
        return f"{signed_points(estimate.value)} (no interval)"
    return f"{signed_points(estimate.value)} ({ends(estimate.interval)})"


def _of(claim: TuningClaim) -> str:
    which = ARMS[claim.arm]
    if claim.against is not None:
        which += f" minus {ARMS[claim.against]}"
    begun = ", from the end of training" if claim.stop is Stop.END else ""
    return f"{claim.measure}{begun}, {which}, {claim.lessons} lessons"


def _of_x(row: FamilyRow) -> One:
    return _share(row.right_x, row.n)


def _of_both(row: FamilyRow) -> One:
    # The members of a pair are no two draws: the error is that of pairs.
    share = (row.right_x + row.right_x_prime) / (2 * row.n)
    return One(share, math.sqrt(share * (1 - share) / row.n))


def _share(right: int, n: int) -> One:
    return One(right / n, math.sqrt(right / n * (1 - right / n) / n))


@dataclass(frozen=True, slots=True)
class _RowFilter:
    """Which rows a measure is of, and what of them."""

    study: str
    comparison: str
    steps: int
    strategy: str = "cot"
    of: Callable[[FamilyRow], One] = effect_of


_MEASURES = {
    TuningMeasure.ONE_STEP: _RowFilter("consistency", "additive", 1),
    TuningMeasure.DIRECTLY: _RowFilter("consistency", "additive", 1, "direct"),
    TuningMeasure.BY_FACTOR: _RowFilter("consistency", "multiplicative", 1),
    TuningMeasure.TWO_STEPS: _RowFilter("consistency", "additive", 2),
    TuningMeasure.COMPARED: _RowFilter("transfer-comparison", "", 1),
    TuningMeasure.COMPARED_TWO: _RowFilter("transfer-comparison", "", 2),
    TuningMeasure.CARRIED: _RowFilter("carry", "", 1),
    TuningMeasure.TRANSFERS: _RowFilter("transfer-comparison", "", 1, of=_of_x),
    TuningMeasure.TRANSFERS_TWO: _RowFilter("transfer-comparison", "", 2, of=_of_x),
    TuningMeasure.CARRIES: _RowFilter("carry", "", 1, of=_of_both),
    TuningMeasure.COMPARISONS: _RowFilter("consistency", "additive", 1, of=_of_both),
    TuningMeasure.FACTORS: _RowFilter("consistency", "multiplicative", 1, of=_of_both),
    TuningMeasure.COMPARISONS_TWO: _RowFilter("consistency", "additive", 2, of=_of_both),
}

EFFECTS = frozenset(measure for measure, asked in _MEASURES.items() if asked.of is effect_of)
"""Measures that are differences of two shares; the others are shares."""


def _possible(shares: StartsEstimate) -> StartsEstimate:
    """A difference of two shares, whose interval cannot go beyond all of them."""
    if shares.interval is None:
        return shares
    low, high = max(-1.0, shares.interval.low), min(1.0, shares.interval.high)
    return replace(shares, interval=Interval(low, high))


class TuningResults:
    """The table of fine-tuning, by what was fine-tuned and asked.

    Args:
        table: its rows.
    """

    def __init__(self, table: Iterable[SampleRow]) -> None:
        self._rows: dict[tuple[str, int, int, _RowFilter], FamilyRow] = {}
        kinds: dict[tuple[str, str, int, str], list[_RowFilter]] = {}
        for asked in _MEASURES.values():
            kind = (asked.study, asked.comparison, asked.steps, asked.strategy)
            kinds.setdefault(kind, []).append(asked)
        seeds = set()
        for kept in table:
            row = kept.row
            seeds.add(row.seed)
            kind = (row.study, row.comparison, row.steps, row.strategy)
            for asked in kinds.get(kind, ()):
                self._rows[row.mix, row.seed, row.examples, asked] = row
        self.seeds = sorted(seeds - {0})

    def before(self, measure: TuningMeasure, stop: Stop) -> StartsEstimate:
        """The model as it is: one, so its interval can be over items alone."""
        one = self._one(measure, stop, 0, 0)
        return over_starts({} if one is None else {0: one})

    def after(self, measure: TuningMeasure, stop: Stop, arm: Arm, lessons: int) -> StartsEstimate:
        """After so many lessons, over the seeds that have come so far."""
        found = {seed: self._one(measure, f"{stop}-{arm}", seed, lessons) for seed in self.seeds}
        return over_starts({seed: one for seed, one in found.items() if one is not None})

    def difference(self, claim: TuningClaim) -> StartsEstimate:
        """The figure of a claim: of one arm, or of one minus another within each seed."""
        one = self.after(claim.measure, claim.stop, claim.arm, claim.lessons)
        if claim.against is None:
            return one
        other = self.after(claim.measure, claim.stop, claim.against, claim.lessons).starts
        found = over_starts(
            {
                seed: combined([mine, other[seed]], [1.0, -1.0])
                for seed, mine in one.starts.items()
                if seed in other
            }
        )
        return found if claim.measure in EFFECTS else _possible(found)

    def _one(self, measure: TuningMeasure, cell: str, seed: int, lessons: int) -> One | None:
        asked = _MEASURES[measure]
        row = self._rows.get((cell, seed, lessons, asked))
        return None if row is None else asked.of(row)


def answer_of(claim: TuningClaim, estimate: StartsEstimate) -> Truth:
    """Whether a claim holds; too few seeds decide nothing."""
    if estimate.n < LEAST_SEEDS:
        return Truth.UNKNOWN
    return on_side(claim.side, claim.margin, estimate)


def judge(results: TuningResults) -> tuple[Judgement, ...]:
    """The predictions in their order, with their verdicts and figures."""
    return tuple(_judgement(prediction, results) for prediction in PREDICTIONS)


def _judgement(prediction: TuningPrediction, results: TuningResults) -> Judgement:
    figures = [(claim, results.difference(claim)) for claim in prediction.claims]
    claims = tuple(
        Claim(claim_words(claim), answer_of(claim, estimate)) for claim, estimate in figures
    )
    said = tuple(figure_words(claim, estimate) for claim, estimate in figures)
    return Judgement(
        prediction.number, prediction.title, prediction.text, verdict(claims), claims, said
    )


def gone_from(results: TuningResults, arm: Arm) -> int | None:
    """The fewest lessons after which the effect is surely within the margin, then and later."""
    least = None
    for lessons in reversed(LESSONS):
        claim = TuningClaim(TuningMeasure.ONE_STEP, arm, None, Side.NONE, lessons=lessons)
        if answer_of(claim, results.difference(claim)) is not Truth.TRUE:
            break
        least = lessons
    return least
