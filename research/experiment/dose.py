"""The dose-response curve of a study from what is trained, and a sentence that is no surer than it.

The curve is of the primary outcome as soon as one start has all its cells at their end. Before, it
is of the last check that all cells of a start have come to, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, Theme, empty_chart, plain, theme
from biaslab.charts.origins import add_key, add_zero, axis, framed
from biaslab.training.origins.effects import ends
from research.experiment.design import (
    CHECKS,
    LEAST_STARTS,
    NO_SLOPE,
    STARTS,
    ClaimFigure,
    at_fixed_total,
)
from research.experiment.estimates import StartsEstimate, bar_of
from research.experiment.outcomes import (
    Contrast,
    TrainingAnswers,
    Weights,
    at_check,
    effect,
    over_log_lessons,
    slope,
)
from research.experiment.table import SampleRow
from research.experiment.verdicts import effect_words, value_words
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


def dose(table: Sequence[SampleRow], study: str) -> Dose | None:
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


def sentence(dose: Dose) -> str:
    """What the curve says over learning and at its end, by its intervals; what decides nothing
    says so.
    """
    behind = f"{dose.starts} of {count(STARTS, 'start')}"
    name = effect_words(dose.study)
    if dose.starts < LEAST_STARTS or dose.slope.interval is None:
        return (
            f"Not yet trained: with {behind} nothing is decided (no verdict before "
            f"{LEAST_STARTS}). So far, the {name} goes {_curve(dose)}; {dose.when}."
        )
    when = "Over learning" if dose.end is not None else dose.when.capitalize()
    said = (
        f"{when}, {_verdict(dose, f'the {name}')} with the ratio: a doubling adds "
        f"{value_words(ClaimFigure.SLOPE, dose.slope)}"
    )
    if dose.end is not None:
        end = _brief(dose.end.slope, 2)
        said += f"; after the last lesson, {_verdict(dose.end, 'it')}: {end}"
    return f"{said}; {behind}."


def _verdict(dose: Dose, name: str) -> str:
    """Whether an effect rises, by its interval; every start alike has none."""
    interval = dose.slope.interval
    if interval is not None and interval.low > 0:
        return f"{name} rises"
    if interval is not None and interval.high < NO_SLOPE:
        return f"{name} does not rise"
    return f"it cannot be told whether {name} rises"


def _curve(dose: Dose) -> str:
    ratios = list(dose.effects)
    ends = [
        f"{signed_points(dose.effects[ratio].value)} with {ratio[0]}:{ratio[1]}"
        for ratio in (ratios[0], ratios[-1])
    ]
    return (
        f"from {ends[0]} to {ends[1]}; slope for each doubling "
        f"{value_words(ClaimFigure.SLOPE, dose.slope)}"
    )


def in_mix_sentence(dose: Dose) -> str:
    """How much of the bias is in the mix: what is gone where there are as many lessons of both."""
    if dose.starts < LEAST_STARTS or dose.lessons is not None or dose.end is None:
        return "How much of it is in the mix is not decided yet."
    ratio = ":".join(map(str, list(dose.effects)[-1]))
    return (
        f"In a network of this size, with {ratio} the mix makes {_brief(dose.in_mix, 1)}"
        f"{_perhaps(dose)} of {_whole(dose)} points over learning; after the last lesson "
        f"{_brief(dose.end.in_mix, 1)}{_perhaps(dose.end)} of {_whole(dose.end)}."
    )


def _whole(dose: Dose) -> str:
    return signed_points(list(dose.effects.values())[-1].value)


def _perhaps(dose: Dose) -> str:
    ends = dose.in_mix.interval
    return "" if ends is None or ends.low > 0 or ends.high < 0 else ", perhaps none,"


def _brief(estimate: StartsEstimate, decimals: int) -> str:
    """Points with their 95 % interval, as in ``+1.2 (−0.4 to +2.8)``."""
    value = signed_points(estimate.value, decimals)
    if (ends := estimate.interval) is None:
        return f"{value} (no interval)"
    low, high = signed_points(ends.low, decimals), signed_points(ends.high, decimals)
    return f"{value} ({low} to {high})"


# The picture: the effect by the ratio of what the lessons were.


def dose_chart(dose: Dose | None, ratio: str, *, dark: bool = False) -> Chart:
    """The effect by ratio, a line a start, and the mean of the starts with its interval.

    Args:
        dose: the curve; None: not yet trained.
        ratio: what the ratio is of: ``consistent to inconsistent``.
        dark: for a dark page.
    """
    if dose is None:
        return empty_chart("The experiment is not yet trained: no start has all its cells.", dark)
    colours = theme(dark)
    effect = effect_words(dose.study).capitalize()
    figure = framed(f"{effect} by ratio", colours)
    names = [f"{first}:{second}" for first, second in dose.effects]
    figure.update_xaxes(
        **axis(colours), tickvals=_places(dose), ticktext=names,
        title={"text": f"Lessons, {ratio} (log scale)", "font": {"size": 13}},
    )  # fmt: skip
    figure.update_yaxes(**axis(colours), title={"text": "Effect (points)", "font": {"size": 13}})
    add_zero(figure, colours)
    for seed in dose.slope.starts:
        _add_start(figure, dose, seed, colours)
    _add_mean(figure, dose, colours)
    texts = [
        f'<span style="color:{colours.palette[0]}">■</span> mean of '
        f"{count(dose.starts, 'start')} of {STARTS}",
        dose.when[:1].upper() + dose.when[1:],
        "Bar: 95 % interval" + (" over items alone: one start" if dose.starts < 2 else ""),
        "Small: single starts",
    ]
    add_key(figure, texts, colours)
    return Chart(figure, _summary(dose), _data(dose))


def _places(dose: Dose) -> list[float]:
    return [math.log2(first / second) for first, second in dose.effects]


def _add_start(figure: go.Figure, dose: Dose, seed: int, colours: Theme) -> None:
    values = [100 * estimate.starts[seed].value for estimate in dose.effects.values()]
    figure.add_trace(
        go.Scatter(
            x=_places(dose), y=values, mode="lines+markers",
            line={"color": colours.muted, "width": 1}, marker={"symbol": "square", "size": 5},
            customdata=[plain(f"start {seed}: {signed_points(value / 100)}") for value in values],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _add_mean(figure: go.Figure, dose: Dose, colours: Theme) -> None:
    colour = colours.palette[0]
    for place, estimate in zip(_places(dose), dose.effects.values(), strict=True):
        if (bar := bar_of(estimate)) is not None:
            figure.add_shape(
                type="line", x0=place, x1=place, y0=100 * bar.low, y1=100 * bar.high,
                line={"color": colour, "width": 3},
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=_places(dose),
            y=[100 * (estimate.value or 0.0) for estimate in dose.effects.values()],
            mode="lines+markers", line={"color": colour, "width": 2},
            marker={"symbol": "square", "size": 11, "color": colour},
            customdata=[plain(words) for words in _words(dose)],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _words(dose: Dose) -> list[str]:
    kind = "over items, one start" if dose.starts < 2 else "over starts and items"
    return [
        f"{first}:{second}: {signed_points(estimate.value)} (95 % interval {kind} "
        f"{ends(bar_of(estimate))})"
        for (first, second), estimate in dose.effects.items()
    ]


def _summary(dose: Dose) -> str:
    return f"{sentence(dose)} By ratio: {'; '.join(_words(dose))}."


def _data(dose: Dose) -> pd.DataFrame:
    rows = []
    for (first, second), estimate in dose.effects.items():
        bar = bar_of(estimate)
        rows.append(
            {
                "study": dose.study, "ratio": f"{first}:{second}", "lessons": dose.lessons,
                "effect": estimate.value, "low": bar and bar.low, "high": bar and bar.high,
                "starts": estimate.n,
                "by_start": " ".join(
                    f"{seed}:{one.value:.4f}" for seed, one in estimate.starts.items()
                ),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
