"""The dose-response curve of a study from what is trained, and a sentence that is no surer than it.

The curve is of the primary outcome as soon as one start has all its cells at their end. Before, it
is of the last check that all cells of a start have come to, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from research.experiment.contrasts import (
    Contrast,
    Weights,
    at_check,
    effect,
    over_log_lessons,
    slope,
)
from research.experiment.design import CHECKS, STARTS, at_fixed_total
from research.experiment.estimates import StartsEstimate
from research.experiment.outcomes import TrainingAnswers
from research.experiment.predictions import LEAST_STARTS, NO_SLOPE, ClaimFigure
from research.experiment.table import Kept
from research.experiment.wording import effect_words, value_words
from schoolmath.text.figures import count, signed_points


@dataclass(frozen=True, slots=True)
class Dose:
    """Effects by ratio, of the same starts at every ratio.

    Attributes:
        study: whose pairs; lessons: after how many; None: the mean over log lessons.
        effects: by ratio of x to x', from the lowest; slope: of them, for each doubling.
        in_mix: what of the effect with the last ratio is not there with 1:1.
        end: the same of the same starts after the last lesson, where this is the mean.
    """

    study: str
    lessons: int | None
    effects: dict[tuple[int, int], StartsEstimate]
    slope: StartsEstimate
    in_mix: StartsEstimate
    end: Dose | None = None

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
    answers = TrainingAnswers(table)
    cells = at_fixed_total(study)
    candidates: list[tuple[int | None, Weights]] = [(None, over_log_lessons())]
    candidates += [(check, at_check(check)) for check in reversed(CHECKS)]
    for lessons, weights in candidates:
        seeds = answers.estimate(slope(cells, study, weights)).starts
        if seeds:
            behind = TrainingAnswers(kept for kept in table if kept.row.seed in seeds)
            found = _dose(behind, study, lessons, weights)
            if lessons is None:
                end = _dose(behind, study, CHECKS[-1], at_check(CHECKS[-1]))
                return replace(found, end=end)
            return found
    return None


def _dose(answers: TrainingAnswers, study: str, lessons: int | None, weights: Weights) -> Dose:
    cells = at_fixed_total(study)
    even = next(cell for cell in cells if cell.ratio == (1, 1))
    return Dose(
        study,
        lessons,
        {cell.ratio: answers.estimate(effect(cell, study, weights)) for cell in cells},
        answers.estimate(slope(cells, study, weights)),
        answers.estimate(Contrast(study, [(cells[-1], 1.0), (even, -1.0)], weights)),
    )


def sentence(found: Dose) -> str:
    """What the curve says over learning and at its end, by its intervals; what decides nothing
    says so.
    """
    behind = f"{found.starts} of {count(STARTS, 'start')}"
    name = effect_words(found.study)
    if found.starts < LEAST_STARTS or found.slope.interval is None:
        return (
            f"Not yet trained: with {behind} nothing is decided (no verdict before "
            f"{LEAST_STARTS}). So far, the {name} goes {_curve(found)}; {found.when}."
        )
    when = "Over learning" if found.end is not None else found.when.capitalize()
    said = (
        f"{when}, {_verdict(found, f'the {name}')} with the ratio: a doubling adds "
        f"{value_words(ClaimFigure.SLOPE, found.slope)}"
    )
    if found.end is not None:
        end = _brief(found.end.slope, 2)
        said += f"; after the last lesson, {_verdict(found.end, 'it')}: {end}"
    return f"{said}; {behind}."


def _verdict(found: Dose, name: str) -> str:
    """Whether an effect rises, by its interval; every start alike has none."""
    interval = found.slope.interval
    if interval is not None and interval.low > 0:
        return f"{name} rises"
    if interval is not None and interval.high < NO_SLOPE:
        return f"{name} does not rise"
    return f"it cannot be told whether {name} rises"


def _curve(found: Dose) -> str:
    ratios = list(found.effects)
    ends = [
        f"{signed_points(found.effects[ratio].value)} with {ratio[0]}:{ratio[1]}"
        for ratio in (ratios[0], ratios[-1])
    ]
    return (
        f"from {ends[0]} to {ends[1]}; slope for each doubling "
        f"{value_words(ClaimFigure.SLOPE, found.slope)}"
    )


def in_mix_sentence(found: Dose) -> str:
    """How much of the bias is in the mix: what is gone where there are as many lessons of both."""
    if found.starts < LEAST_STARTS or found.lessons is not None or found.end is None:
        return "How much of it is in the mix is not decided yet."
    ratio = ":".join(map(str, list(found.effects)[-1]))
    return (
        f"With {ratio} the mix makes {_brief(found.in_mix, 1)}{_perhaps(found)} of {_whole(found)} "
        f"points over learning; after the last lesson {_brief(found.end.in_mix, 1)}"
        f"{_perhaps(found.end)} of {_whole(found.end)}."
    )


def _whole(found: Dose) -> str:
    return signed_points(list(found.effects.values())[-1].value)


def _perhaps(found: Dose) -> str:
    ends = found.in_mix.interval
    return "" if ends is None or ends.low > 0 or ends.high < 0 else ", perhaps none,"


def _brief(estimate: StartsEstimate, decimals: int) -> str:
    """Points with their 95 % interval, as in ``+1.2 (−0.4 to +2.8)``."""
    value = signed_points(estimate.value, decimals)
    if (ends := estimate.interval) is None:
        return f"{value} (no interval)"
    low, high = signed_points(ends.low, decimals), signed_points(ends.high, decimals)
    return f"{value} ({low} to {high})"
