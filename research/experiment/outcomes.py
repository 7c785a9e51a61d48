"""The figures that the predictions are about, worked out from the table alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from biaslab.training.origins.rows import FamilyRow
from research.experiment.contrasts import (
    COT,
    Contrast,
    Weights,
    contrast_of,
    over_log_lessons,
)
from research.experiment.design import CHECKS, LARGE, SMALL, MixCell, at_fixed_total
from research.experiment.estimates import (
    One,
    StartsEstimate,
    along,
    combined,
    difference,
    over_starts,
    slope_weights,
)
from research.experiment.predictions import ClaimFigure, Predicted
from research.experiment.table import Kept

REACHED = 0.80
"""Share right at which a form counts as learnt."""

Curve = dict[int, FamilyRow]
"""A training's answers to one kind of pairs, by lessons."""


class TrainingAnswers:
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


def estimate_of(answers: TrainingAnswers, claim: Predicted) -> StartsEstimate:
    """The figure that a claim is about."""
    if claim.figure is ClaimFigure.SIZE:
        sized = [contrast_of(claim, size) for size in (SMALL, LARGE)]
        small, large = (answers.estimate(contrast) for contrast in sized if contrast)
        return difference(small, large)
    contrast = contrast_of(claim)
    return delays(answers, claim.study) if contrast is None else answers.estimate(contrast)
