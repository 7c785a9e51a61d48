"""The dose-response curve of a study from what is trained, and a sentence that is no surer than it.

The curve is of the primary outcome as soon as one start has all its cells at their end. Before, it
is of the last check that all cells of a start have come to, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.text.figures import count, signed_points
from biaslab.training.experiment.contrasts import (
    Weights,
    at_check,
    effect,
    over_log_lessons,
    slope,
)
from biaslab.training.experiment.design import CHECKS, STARTS, at_fixed_total
from biaslab.training.experiment.estimates import Estimate
from biaslab.training.experiment.outcomes import Answers
from biaslab.training.experiment.predictions import LEAST_STARTS, NO_SLOPE, Figure
from biaslab.training.experiment.table import Kept
from biaslab.training.experiment.wording import effect_words, value_words


@dataclass(frozen=True, slots=True)
class Dose:
    """Effects by ratio, of the same starts at every ratio.

    Attributes:
        study: whose pairs; lessons: after how many; None: the mean over log lessons.
        effects: by ratio of x to x', from the lowest; slope: of them, for each doubling.
    """

    study: str
    lessons: int | None
    effects: dict[tuple[int, int], Estimate]
    slope: Estimate

    @property
    def starts(self) -> int:
        """How many starts are behind it."""
        return self.slope.n

    @property
    def when(self) -> str:
        """At which lessons: ``after 8,192 of 131,072 lessons``."""
        if self.lessons is None:
            return f"mean over log lessons, {CHECKS[0]:,} to {CHECKS[-1]:,}"
        return f"after {self.lessons:,} of {CHECKS[-1]:,} lessons"


def dose(table: Sequence[Kept], study: str) -> Dose | None:
    """The curve at a fixed total; None where no start has all its cells at any check."""
    answers = Answers(table)
    cells = at_fixed_total(study)
    candidates: list[tuple[int | None, Weights]] = [(None, over_log_lessons())]
    candidates += [(check, at_check(check)) for check in reversed(CHECKS)]
    for lessons, weights in candidates:
        found = answers.estimate(slope(cells, study, weights))
        if found.n:
            behind = Answers(kept for kept in table if kept.row.seed in found.starts)
            effects = {cell.ratio: behind.estimate(effect(cell, study, weights)) for cell in cells}
            return Dose(study, lessons, effects, found)
    return None


def sentence(found: Dose) -> str:
    """What the curve says, by its interval; what decides nothing says so."""
    ratios = list(found.effects)
    ends = [
        f"{signed_points(found.effects[ratio].value)} with {ratio[0]}:{ratio[1]}"
        for ratio in (ratios[0], ratios[-1])
    ]
    behind = f"{found.starts} of {count(STARTS, 'start')}"
    curve = (
        f"from {ends[0]} to {ends[1]}; slope for each doubling "
        f"{value_words(Figure.SLOPE, found.slope)}; {found.when}"
    )
    figures, name = f"{curve}; {behind}", effect_words(found.study)
    interval = found.slope.interval
    if found.starts < LEAST_STARTS or interval is None:
        return (
            f"Not yet trained: with {behind} nothing is decided "
            f"(no verdict before {LEAST_STARTS}). So far, the {name} goes {curve}."
        )
    if interval.low > 0:
        return f"The {name} rises with the ratio: {figures}."
    if interval.high < NO_SLOPE:
        return f"The {name} does not rise with the ratio: {figures}."
    return f"Whether the {name} rises with the ratio cannot be told: {figures}."
