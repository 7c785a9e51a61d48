"""The figures that the predictions are about, worked out from the table alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from biaslab.training.experiment.design import (
    CHECKS,
    LARGE,
    SMALL,
    Cell,
    at_fixed_number,
    at_fixed_total,
)
from biaslab.training.experiment.estimates import (
    Estimate,
    One,
    along,
    combined,
    difference,
    over_starts,
    regression_weights,
    slope_weights,
)
from biaslab.training.experiment.predictions import CARRY, CONSISTENCY, Figure, Predicted
from biaslab.training.experiment.table import Kept
from biaslab.training.origins.rows import FamilyRow

COT, DIRECT = "cot", "direct"
"""Prompt strategies; what is predicted is asked the first way."""

REACHED = 0.80
"""Share right at which a form counts as learnt."""

Weights = Mapping[int, float]
"""By lessons, the weight of a check."""

Curve = dict[int, FamilyRow]
"""A training's answers to one kind of pairs, by lessons."""


def over_log_lessons() -> dict[int, float]:
    """The mean over log2 of lessons, along the line from check to check."""
    places = [math.log2(check) for check in CHECKS]
    whole = places[-1] - places[0]
    weights = dict.fromkeys(CHECKS, 0.0)
    for (left, low), (right, high) in zip(
        zip(CHECKS, places, strict=True), zip(CHECKS[1:], places[1:], strict=False), strict=False
    ):
        for check in (left, right):
            weights[check] += (high - low) / 2 / whole
    return weights


def at_check(lessons: int) -> dict[int, float]:
    """One check alone."""
    return {lessons: 1.0}


class Answers:
    """The table, by training and kind of pairs.

    Args:
        table: its rows.
    """

    def __init__(self, table: Iterable[Kept]) -> None:
        self._curves: dict[tuple[str, int, str, str], Curve] = {}
        for kept in table:
            row = kept.row
            if row.steps == 1:
                key = (row.mix, row.seed, row.study, row.strategy)
                self._curves.setdefault(key, {})[row.examples] = row
        self.seeds = sorted({seed for _, seed, _, _ in self._curves})

    def curve(self, cell: Cell, seed: int, study: str, strategy: str = COT) -> Curve:
        """What a training answered, by lessons; empty where it was not trained."""
        return self._curves.get((cell.name, seed, study, strategy), {})

    def starts(
        self,
        cells: Sequence[Cell],
        study: str,
        weights: Weights,
        figure: Callable[[Sequence[Curve]], One | None],
        strategy: str = COT,
    ) -> Estimate:
        """A figure over the starts of which all these cells were checked wherever it is weighed.

        Args:
            cells: that the figure needs.
            study: whose pairs.
            weights: which checks.
            figure: from the cells' curves in one start; None where it has none.
            strategy: how the pairs were asked.
        """
        found = {}
        for seed in self.seeds:
            curves = [self.curve(cell, seed, study, strategy) for cell in cells]
            if all(weights.keys() <= curve.keys() for curve in curves):
                one = figure(curves)
                if one is not None:
                    found[seed] = one
        return over_starts(found)


def effect_of(row: FamilyRow) -> One:
    """The effect at one check."""
    discordant = (row.only_x + row.only_x_prime) / row.n
    return One(row.cate, math.sqrt(max(0.0, discordant - row.cate**2) / row.n))


def rarer_of(row: FamilyRow) -> One:
    """The share of x' right at one check."""
    share = row.right_x_prime / row.n
    return One(share, math.sqrt(share * (1 - share) / row.n))


def weighed(curve: Curve, weights: Weights, of: Callable[[FamilyRow], One] = effect_of) -> One:
    """A curve's mean over checks."""
    return along([of(curve[check]) for check in weights], list(weights.values()))


def effect(
    answers: Answers, cell: Cell, study: str, weights: Weights, strategy: str = COT
) -> Estimate:
    """The effect in one cell."""
    return answers.starts(
        [cell], study, weights, lambda curves: weighed(curves[0], weights), strategy
    )


def slope(
    answers: Answers,
    cells: Sequence[Cell],
    study: str,
    weights: Weights,
    strategy: str = COT,
) -> Estimate:
    """The slope of the effect over log2 of the cells' ratios, within each start."""
    shares = slope_weights([cell.doublings for cell in cells])

    def of(curves: Sequence[Curve]) -> One:
        return combined([weighed(curve, weights) for curve in curves], shares)

    return answers.starts(cells, study, weights, of, strategy)


def numbers(answers: Answers, study: str, figure: Figure) -> Estimate:
    """What the numbers of lessons of x and x' do to the share of x' right, a doubling.

    Within each start, least squares over all cells of the study, at a fixed total and at a fixed
    number: share right = constant + rarer * log2(number of x') + commoner * log2(number of x).
    """
    cells = list(dict.fromkeys((*at_fixed_total(study), *at_fixed_number(study))))
    predictors = [[math.log2(number) for number in reversed(_numbers(c, study))] for c in cells]
    rarer, commoner = regression_weights(predictors)
    shares = {Figure.RARER: rarer, Figure.COMMONER: commoner, Figure.BOTH: rarer + commoner}[figure]
    weights = over_log_lessons()

    def of(curves: Sequence[Curve]) -> One:
        return combined([weighed(curve, weights, rarer_of) for curve in curves], list(shares))

    return answers.starts(cells, study, weights, of)


def _numbers(cell: Cell, study: str) -> tuple[float, float]:
    """Lessons of the study's x and x'; the balanced cell has as many of each in all studies."""
    return Cell(study, cell.ratio, cell.few).numbers


def delay(curve: Curve) -> float | None:
    """log2 of how many times the lessons x' needs to be learnt; None where neither was."""
    first, second = (
        _reached({check: getattr(row, name) / row.n for check, row in sorted(curve.items())})
        for name in ("right_x", "right_x_prime")
    )
    if first is None and second is None:
        return None
    late = 2 * CHECKS[-1]
    return math.log2((second or late) / (first or late))


def _reached(shares: Mapping[int, float]) -> float | None:
    """Lessons at which the share first came to `REACHED`, between two checks on their line."""
    before: tuple[int, float] | None = None
    for lessons, share in shares.items():
        if share >= REACHED:
            if before is None:
                return float(lessons)
            part = (REACHED - before[1]) / (share - before[1])
            return before[0] + part * (lessons - before[0])
        before = lessons, share
    return None


def delays(answers: Answers, study: str) -> Estimate:
    """The slope of the delay over log2 of the ratio, in starts where all cells have one."""
    cells = at_fixed_total(study)
    shares = slope_weights([cell.doublings for cell in cells])

    def of(curves: Sequence[Curve]) -> One | None:
        found = [delay(curve) for curve in curves]
        known = [One(each) for each in found if each is not None]
        return combined(known, shares) if len(known) == len(found) else None

    return answers.starts(cells, study, over_log_lessons(), of)


def shrinkage(answers: Answers, cell: Cell, study: str) -> Estimate:
    """By how much the effect is smaller after the last lesson than in the mean."""
    weights = over_log_lessons()
    weights[CHECKS[-1]] -= 1.0

    def of(curves: Sequence[Curve]) -> One:
        return combined([effect_of(curves[0][check]) for check in weights], list(weights.values()))

    return answers.starts([cell], study, weights, of)


def estimate_of(answers: Answers, claim: Predicted) -> Estimate:
    """The figure that a claim is about."""
    weights = over_log_lessons()
    match claim.figure:
        case Figure.SLOPE:
            return slope(answers, at_fixed_total(claim.study), claim.study, weights)
        case Figure.CONTROL:
            return slope(answers, at_fixed_total(CONSISTENCY), CARRY, weights)
        case Figure.EFFECT:
            return effect(answers, _cell(claim), claim.study, weights)
        case Figure.SHRINKAGE:
            return shrinkage(answers, _cell(claim), claim.study)
        case Figure.DELAY:
            return delays(answers, claim.study)
        case Figure.SIZE:
            sized = partial(slope, answers, study=claim.study, weights=weights)
            small, large = (
                sized(cells=at_fixed_total(claim.study, size)) for size in (SMALL, LARGE)
            )
            return difference(small, large)
        case Figure.RARER | Figure.COMMONER | Figure.BOTH:
            return numbers(answers, claim.study, claim.figure)


def _cell(claim: Predicted) -> Cell:
    return next(cell for cell in at_fixed_total(claim.study) if cell.ratio == claim.ratio)
