"""Trainings done a second time, on another device: what the device, or rounding alone, changes.

The same starts, lessons and checks. Two trainings part over their last digits and then turn at
other times, so a single one may come out quite differently; what is compared is their mean.
Declared before any of them was done (research/docs/experiment.md, "Trained on a GPU").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from biaslab.training.origins.predictions import Truth
from research.experiment.contrasts import Contrast, effect, over_log_lessons, slope
from research.experiment.design import at_fixed_total
from research.experiment.estimates import One, StartsEstimate, combined, over_starts
from research.experiment.outcomes import TrainingAnswers
from research.experiment.predictions import (
    CONSISTENCY,
    LEAST_STARTS,
    NO_EFFECT,
    NO_SLOPE,
    ClaimFigure,
    Side,
)
from research.experiment.table import EXPERIMENT_FILE, Kept, TableName
from research.experiment.verdicts import on_side
from research.experiment.wording import value_words
from schoolmath.text.figures import hundredths

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


def trained_anew(table: Sequence[Kept], again: Sequence[Kept]) -> Again | None:
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


def again_sentence(found: Again) -> str:
    """By how much the second trainings came out otherwise, and whether that is none."""
    distances = found.distances
    figures = (
        f"second minus first: slope {value_words(ClaimFigure.SLOPE, found.slope)} a doubling, "
        f"{found.starts} starts; the effects of single trainings are "
        f"{hundredths(sum(distances) / len(distances))} points apart on average and "
        f"{hundredths(max(distances))} at most ({len(distances)} trainings, mean over log lessons)"
    )
    if found.starts < LEAST_STARTS:
        return (
            f"Trained anew on another device, nothing is decided before {LEAST_STARTS} starts; "
            f"{figures}."
        )
    held = {on_side(Side.NONE, NO_SLOPE, found.slope)}
    held |= {on_side(Side.NONE, NO_EFFECT, each) for each in found.effects.values()}
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
