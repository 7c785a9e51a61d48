"""The figures that are weighted sums of what cells answered at checks, within a start.

A contrast says what is weighed and how; counts give its value (`outcomes`), and so do single pairs
(`crossed`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.experiment.design import CHECKS, MixCell, at_fixed_number, at_fixed_total
from research.experiment.estimates import regression_weights, slope_weights
from research.experiment.predictions import CARRY, CONSISTENCY, ClaimFigure, Predicted

COT, DIRECT = "cot", "direct"
"""Prompt strategies; what is predicted is asked the first way."""

Weights = Mapping[int, float]
"""By lessons, the weight of a check."""


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


@dataclass(frozen=True, slots=True)
class Contrast:
    """A weighted sum over cells and checks of one start.

    Attributes:
        study: whose pairs; strategy: how they were asked.
        cells: with their weights.
        checks: lessons, with their weights.
        rarer: whether the share of x' right is weighed; else the effect.
    """

    study: str
    cells: Sequence[tuple[MixCell, float]]
    checks: Weights
    rarer: bool = False
    strategy: str = COT

    @property
    def between_checks(self) -> bool:
        """Whether checks are set against each other, and not averaged."""
        return abs(math.fsum(self.checks.values())) < 1e-9


def effect(cell: MixCell, study: str, checks: Weights, strategy: str = COT) -> Contrast:
    """The effect in one cell."""
    return Contrast(study, [(cell, 1.0)], checks, strategy=strategy)


def slope(cells: Sequence[MixCell], study: str, checks: Weights, strategy: str = COT) -> Contrast:
    """The slope of the effect over log2 of the cells' ratios."""
    shares = slope_weights([cell.doublings for cell in cells])
    return Contrast(study, list(zip(cells, shares, strict=True)), checks, strategy=strategy)


def rarer_right(cell: MixCell, study: str) -> Contrast:
    """The share of x' right in one cell, mean over log lessons."""
    return Contrast(study, [(cell, 1.0)], over_log_lessons(), rarer=True)


def cells_of(study: str) -> tuple[MixCell, ...]:
    """All cells of a study, at a fixed total and at a fixed number."""
    return tuple(dict.fromkeys((*at_fixed_total(study), *at_fixed_number(study))))


def numbers(
    study: str, figure: ClaimFigure, checks: Weights | None = None, without: MixCell | None = None
) -> Contrast:
    """What the numbers of lessons of x and x' do to the share of x' right, a doubling.

    Least squares over all cells of the study:
    share right = constant + rarer * log2(number of x') + commoner * log2(number of x).

    Args:
        study: whose pairs.
        figure: which coefficient.
        checks: the mean over log lessons unless told.
        without: a cell that is left out.
    """
    cells = [cell for cell in cells_of(study) if cell != without]
    predictors = [[math.log2(number) for number in reversed(_numbers(c, study))] for c in cells]
    rarer, commoner = regression_weights(predictors)
    shares = {
        ClaimFigure.RARER: rarer,
        ClaimFigure.COMMONER: commoner,
        ClaimFigure.BOTH: rarer + commoner,
    }[figure]
    weights = [float(share) for share in shares]
    when = over_log_lessons() if checks is None else checks
    return Contrast(study, list(zip(cells, weights, strict=True)), when, rarer=True)


def shrinkage(cell: MixCell, study: str) -> Contrast:
    """By how much the effect is smaller after the last lesson than in the mean."""
    checks = over_log_lessons()
    checks[CHECKS[-1]] -= 1.0
    return Contrast(study, [(cell, 1.0)], checks)


def contrast_of(claim: Predicted, size: str = "") -> Contrast | None:
    """What a claim is about; None for a delay, which is no weighted sum.

    Args:
        claim: that is made; of sizes, the slope of one of them is the contrast.
        size: of the network; the usual one unless told.
    """
    sized = {"size": size} if size else {}
    match claim.figure:
        case ClaimFigure.SLOPE | ClaimFigure.SIZE:
            return slope(at_fixed_total(claim.study, **sized), claim.study, over_log_lessons())
        case ClaimFigure.CONTROL:
            return slope(at_fixed_total(CONSISTENCY), CARRY, over_log_lessons())
        case ClaimFigure.EFFECT:
            return effect(_cell(claim), claim.study, over_log_lessons())
        case ClaimFigure.SHRINKAGE:
            return shrinkage(_cell(claim), claim.study)
        case ClaimFigure.RARER | ClaimFigure.COMMONER | ClaimFigure.BOTH:
            return numbers(claim.study, claim.figure)
        case ClaimFigure.DELAY:
            return None


def _numbers(cell: MixCell, study: str) -> tuple[float, float]:
    """Lessons of the study's x and x'; the balanced cell has as many of each in all studies."""
    return MixCell(study, cell.ratio, cell.few).numbers


def _cell(claim: Predicted) -> MixCell:
    return next(cell for cell in at_fixed_total(claim.study) if cell.ratio == claim.ratio)
