"""The figures that the predictions are about, worked out from the table alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from biaslab.training.origins.rows import FamilyRow
from research.experiment.design import (
    CARRY,
    CHECKS,
    CONSISTENCY,
    LARGE,
    SMALL,
    ClaimFigure,
    MixCell,
    PredictedClaim,
    at_fixed_number,
    at_fixed_total,
)
from research.experiment.estimates import (
    One,
    StartsEstimate,
    along,
    combined,
    difference,
    over_starts,
    regression_weights,
    slope_weights,
)
from research.experiment.table import SampleRow

# Figures that are weighted sums of what cells answered at checks, within a start. A contrast says
# what is weighed and how; counts give its value, and so do single pairs (`repeated`).


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


def contrast_of(claim: PredictedClaim, size: str = "") -> Contrast | None:
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


def _cell(claim: PredictedClaim) -> MixCell:
    return next(cell for cell in at_fixed_total(claim.study) if cell.ratio == claim.ratio)


REACHED = 0.80
"""Share right at which a form counts as learnt."""

Curve = dict[int, FamilyRow]
"""A training's answers to one kind of pairs, by lessons."""


class TrainingAnswers:
    """The table, by training and kind of pairs.

    Args:
        table: its rows.
    """

    def __init__(self, table: Iterable[SampleRow]) -> None:
        self._curves: dict[tuple[str, int, str, str], Curve] = {}
        for kept in table:
            row = kept.row
            if row.steps == 1:
                key = (row.mix, row.seed, row.study, row.strategy)
                self._curves.setdefault(key, {})[row.examples] = row
        self.seeds = sorted({seed for _, seed, _, _ in self._curves})

    def curve(self, cell: MixCell, seed: int, study: str, strategy: str = COT) -> Curve:
        """What a training answered, by lessons; empty where it was not trained."""
        return self._curves.get((cell.name, seed, study, strategy), {})

    def estimate(
        self, contrast: Contrast, of: Callable[[FamilyRow], One] | None = None
    ) -> StartsEstimate:
        """A contrast over the starts that have all its cells wherever they are weighed.

        Args:
            contrast: what is weighed, and how.
            of: what of every row; what the contrast says unless told.
        """
        of = of or (rarer_of if contrast.rarer else effect_of)
        # The same pairs were asked at all checks, so errors of a mean over checks add up.
        over_checks = combined if contrast.between_checks else along
        checks, shares = list(contrast.checks), list(contrast.checks.values())

        def value(curves: Sequence[Curve]) -> One:
            parts = [over_checks([of(curve[check]) for check in checks], shares)
                     for curve in curves]  # fmt: skip
            return combined(parts, [share for _, share in contrast.cells])

        cells = [cell for cell, _ in contrast.cells]
        return self.starts(cells, contrast.study, contrast.checks, value, contrast.strategy)

    def starts(
        self,
        cells: Sequence[MixCell],
        study: str,
        weights: Weights,
        figure: Callable[[Sequence[Curve]], One | None],
        strategy: str = COT,
    ) -> StartsEstimate:
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


def log_odds_of(row: FamilyRow) -> One:
    """The effect at one check on log odds: log of the odds of x right over those of x' right.

    Half a pair is added to right and to wrong answers (Haldane 1956, Annals of Human Genetics 20),
    so that where all or none are right it is a number too. Differences in points shrink where a
    share nears 0 or 1; those in log odds do not.
    """
    shares = [(right + 0.5) / (row.n + 1) for right in (row.right_x, row.right_x_prime)]
    first, other = shares
    worth = [row.n * share * (1 - share) for share in shares]
    # How much more often both members of a pair are right than by chance; less than 0 where rarer.
    together = (row.both / row.n - first * other) * row.n / (worth[0] * worth[1])
    variance = max(0.0, 1 / worth[0] + 1 / worth[1] - 2 * together)
    value = math.log(first / (1 - first)) - math.log(other / (1 - other))
    return One(value, math.sqrt(variance))


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


def delays(answers: TrainingAnswers, study: str) -> StartsEstimate:
    """The slope of the delay over log2 of the ratio, in starts where all cells have one."""
    cells = at_fixed_total(study)
    shares = slope_weights([cell.doublings for cell in cells])

    def of(curves: Sequence[Curve]) -> One | None:
        found = [delay(curve) for curve in curves]
        known = [One(each) for each in found if each is not None]
        return combined(known, shares) if len(known) == len(found) else None

    return answers.starts(cells, study, over_log_lessons(), of)


def estimate_of(answers: TrainingAnswers, claim: PredictedClaim) -> StartsEstimate:
    """The figure that a claim is about."""
    if claim.figure is ClaimFigure.SIZE:
        sized = [contrast_of(claim, size) for size in (SMALL, LARGE)]
        small, large = (answers.estimate(contrast) for contrast in sized if contrast)
        return difference(small, large)
    contrast = contrast_of(claim)
    return delays(answers, claim.study) if contrast is None else answers.estimate(contrast)
