"""The same figures otherwise: from single pairs, and from trainings done a second time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.estimates import Interval
from biaslab.training.origins.predictions import Truth
from research.experiment.design import (
    CONSISTENCY,
    LEAST_STARTS,
    NO_EFFECT,
    NO_SLOPE,
    ClaimFigure,
    Side,
    at_fixed_total,
)
from research.experiment.estimates import CONFIDENCE, One, StartsEstimate, combined, over_starts
from research.experiment.outcomes import Contrast, TrainingAnswers, effect, over_log_lessons, slope
from research.experiment.table import BOTH, EXPERIMENT_FILE, X_PRIME, Pairs, SampleRow, TableName, X
from research.experiment.verdicts import on_side, value_words
from schoolmath.text.figures import hundredths

# The same figures from single pairs: a mixed model with crossed effects of starts and items.
# Every start answered the same pairs, so a contrast has a value z for each start and pair. With
# random effects of starts and of items, and what is left, the variance of the mean of z is
#     V = (MS(starts) + MS(items) - MS(rest)) / (starts * items)
# by the mean squares of the two-way table without replication, which is the closed form of that
# model where nothing is missing (Searle, Casella & McCulloch 1992, Variance Components, ch. 4). A
# component below zero counts as none. Degrees of freedom are those of the starts, the fewer group:
# with them the intervals held the truth in 92 to 100 % of simulated tables of 3, 5 and 10 starts,
# with Satterthwaite's in 90 to 98 (95 wanted). Nothing is taken for independent here, neither cells
# nor checks, as it is with counts alone (`research.experiment.estimates`); so these intervals check
# those, by which verdicts go.


_EFFECT = {X: 1.0, X_PRIME: -1.0}
_RARER = {BOTH: 1.0, X_PRIME: 1.0}

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CrossedContrast:
    """A contrast with its interval over starts and items.

    Attributes:
        seeds: the starts; items: pairs that each of them was asked.
        value: the mean over both; interval: 95 %; None where nothing varies.
        of_starts, of_items: standard errors that starts alone and items alone would leave, both
            with what is left of the other.
    """

    seeds: tuple[int, ...]
    items: int
    value: float
    interval: Interval | None
    of_starts: float
    of_items: float


class PairAnswers:
    """What every pair got right, by training and check.

    Args:
        pairs: as kept.
    """

    def __init__(self, pairs: Iterable[Pairs]) -> None:
        self._right = {each.key: each.right for each in pairs}
        self.seeds = sorted({seed for _, seed, _, _ in self._right})

    def crossed(self, contrast: Contrast) -> CrossedContrast | None:
        """A contrast over the starts of which all its pairs are kept; None with fewer than two."""
        found = {seed: self._values(contrast, seed) for seed in self.seeds}
        values = {seed: each for seed, each in found.items() if each is not None}
        if len(values) < 2:
            return None
        return over_both(np.array(list(values.values())), tuple(values))

    def _values(self, contrast: Contrast, seed: int) -> Values | None:
        """The contrast of every pair in one start; None where some of it is not kept."""
        worth = _RARER if contrast.rarer else _EFFECT
        parts: list[Values] = []
        for cell, weight in contrast.cells:
            for lessons, share in contrast.checks.items():
                right = self._right.get((cell.name, seed, lessons, contrast.study))
                if right is None:
                    return None
                each = np.array([worth.get(digit, 0.0) for digit in right])
                parts.append(weight * share * each)
        whole: Values = np.sum(parts, axis=0)
        return whole


def over_both(values: Values, seeds: tuple[int, ...]) -> CrossedContrast:
    """The mean of a table of starts (rows, at least two) by items, with its interval."""
    starts, items = values.shape
    mean = float(values.mean())
    by_start, by_item = values.mean(axis=1), values.mean(axis=0)
    rest = values - by_start[:, None] - by_item[None, :] + mean
    of_starts = float(by_start.var(ddof=1)) / starts
    of_items = float(by_item.var(ddof=1)) / items
    of_rest = float((rest**2).sum()) / ((starts - 1) * (items - 1)) / (starts * items)
    # A component below zero counts as none: then one of the others is all that there is.
    variance = max(of_starts + of_items - of_rest, of_starts, of_items)
    interval = None
    if variance > 0:
        reach = float(scipy.stats.t.ppf(0.5 + CONFIDENCE / 2, starts - 1)) * math.sqrt(variance)
        interval = Interval(mean - reach, mean + reach)
    return CrossedContrast(seeds, items, mean, interval, math.sqrt(of_starts), math.sqrt(of_items))


# Trainings done a second time, on another device: what the device, or rounding alone, changes.
# The same starts, lessons and checks. Two trainings part over their last digits and then turn at
# other times, so a single one may come out quite differently; what is compared is their mean.
# Declared before any of them was done (research/docs/experiment.md, "Trained on a GPU").


AGAIN = TableName("experiment trained anew", "python -m research.experiment --table FILE")
"""What sentences call the table."""


def again_file(table: Path | None = None) -> Path:
    """Where these trainings are: beside the table of the first ones, the project's own unless told.

    It enters no verdict.
    """
    table = EXPERIMENT_FILE if table is None else table
    return table.with_name(f"{table.stem}_again.csv")


@dataclass(frozen=True, slots=True)
class Again:
    """The second trainings minus the first, within starts; the consistency effect throughout.

    Attributes:
        slope: of the effect over the ratio, a doubling.
        effects: by ratio, the effect's mean over log lessons.
        once, anew: by ratio, the same effects of either, of the same starts.
    """

    slope: StartsEstimate
    effects: dict[tuple[int, int], StartsEstimate]
    once: dict[tuple[int, int], StartsEstimate]
    anew: dict[tuple[int, int], StartsEstimate]

    @property
    def starts(self) -> int:
        """How many starts are behind it."""
        return self.slope.n

    @property
    def distances(self) -> list[float]:
        """By how much the effects of single trainings differ, whatever the direction."""
        return [abs(one.value) for each in self.effects.values() for one in each.starts.values()]


def trained_anew(table: Sequence[SampleRow], again: Sequence[SampleRow]) -> Again | None:
    """What is different; None where no start has all cells of a fixed total in both.

    Args:
        table: the first trainings.
        again: the second ones.
    """
    first, second = TrainingAnswers(table), TrainingAnswers(again)
    cells, checks = at_fixed_total(CONSISTENCY), over_log_lessons()
    whole = _minus(second, first, slope(cells, CONSISTENCY, checks))
    if not whole.n:
        return None
    once, anew = (
        TrainingAnswers(kept for kept in some if kept.row.seed in whole.starts)
        for some in (table, again)
    )
    effects = {cell.ratio: effect(cell, CONSISTENCY, checks) for cell in cells}
    return Again(
        whole,
        {ratio: _minus(anew, once, each) for ratio, each in effects.items()},
        {ratio: once.estimate(each) for ratio, each in effects.items()},
        {ratio: anew.estimate(each) for ratio, each in effects.items()},
    )


def again_sentence(repetition: Again) -> str:
    """By how much the second trainings came out otherwise, and whether that is none."""
    distances = repetition.distances
    figures = (
        f"second minus first: slope {value_words(ClaimFigure.SLOPE, repetition.slope)} a doubling, "
        f"{repetition.starts} starts; the effects of single trainings are "
        f"{hundredths(sum(distances) / len(distances))} points apart on average and "
        f"{hundredths(max(distances))} at most ({len(distances)} trainings, mean over log lessons)"
    )
    if repetition.starts < LEAST_STARTS:
        return (
            f"Trained anew on another device, nothing is decided before {LEAST_STARTS} starts; "
            f"{figures}."
        )
    held = {on_side(Side.NONE, NO_SLOPE, repetition.slope)}
    held |= {on_side(Side.NONE, NO_EFFECT, each) for each in repetition.effects.values()}
    if held == {Truth.TRUE}:
        return f"Trained anew on another device, the effects are the same; {figures}."
    if Truth.FALSE in held:
        return f"Trained anew on another device, the effects are not the same; {figures}."
    return f"Whether effects trained anew on another device are the same cannot be told; {figures}."


def _minus(second: TrainingAnswers, first: TrainingAnswers, contrast: Contrast) -> StartsEstimate:
    one, other = (answers.estimate(contrast).starts for answers in (second, first))
    both: dict[int, One] = {
        seed: combined([one[seed], other[seed]], [1.0, -1.0]) for seed in one if seed in other
    }
    return over_starts(both)
