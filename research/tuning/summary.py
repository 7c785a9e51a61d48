"""What fine-tuning did: a sentence that is no surer than its intervals, a table and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import GLYPHS, Chart, plain, theme
from biaslab.charts.origins import add_key, add_zero, axis, framed
from biaslab.training.origins.effects import ends
from biaslab.training.origins.predictions import Truth
from research.experiment.design import NO_EFFECT, Side
from research.experiment.estimates import StartsEstimate, bar_of
from research.tuning.design import (
    LEAST_SEEDS,
    LESSONS,
    SEEDS,
    Arm,
    Stop,
    TuningClaim,
    TuningMeasure,
)
from research.tuning.estimates import (
    ARMS,
    EFFECTS,
    TuningResults,
    answer_of,
    gone_from,
    value_words,
)
from schoolmath.text.figures import NONE, count, hundredths, listed, percent, signed_points

LAST = LESSONS[-1]

_NOTHING = 1e-9
"""An interval narrower than this is none."""

_LEFT = TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, None, Side.NONE)
_SMALLER = TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, Arm.OWN, Side.BELOW)


def sentence(results: TuningResults) -> str:
    """What balanced lessons did to the effect that they are about, beside the null case."""
    left, smaller = results.difference(_LEFT), results.difference(_SMALLER)
    before = results.before(TuningMeasure.ONE_STEP, Stop.LARGEST)
    own = results.after(TuningMeasure.ONE_STEP, Stop.LARGEST, Arm.OWN, LAST)
    if before.value is None or smaller.value is None:
        return "Nothing is fine-tuned yet."
    figures = (
        f"the consistency effect of {signed_points(before.value)} is {value_words(left)} after "
        f"{LAST} balanced lessons and {value_words(own)} after as many of its own mix; difference "
        f"{value_words(smaller)}; {smaller.n} of {count(len(SEEDS), 'seed')}"
    )
    if smaller.n < LEAST_SEEDS:
        return (
            f"Not yet decided: no verdict comes before {count(LEAST_SEEDS, 'seed')}. So far, "
            f"{figures}."
        )
    least = gone_from(results, Arm.BALANCED)
    surely = (
        f" From {least} balanced lessons on it is surely within 5 points of zero."
        if least is not None
        else ""
    )
    return f"{_found(answer_of(_LEFT, left), answer_of(_SMALLER, smaller))}: {figures}.{surely}"


def worse(results: TuningResults) -> str:
    """Whether anything else got worse with balanced lessons than with the null case."""
    told = [
        row
        for row in rows(results)
        if row.measure not in EFFECTS
        and row.difference.n >= LEAST_SEEDS
        and row.difference.interval is not None
    ]
    if not told:
        return ""
    lost = [row for row in told if row.difference.interval and row.difference.interval.high < 0.0]
    if lost:
        largest = min(lost, key=lambda row: row.difference.value or 0.0)
        others = [row.measure for row in lost if row is not largest]
        also = f". Also {listed(others)} (table)" if others else ""
        return (
            f"Balanced lessons cost something else ({len(lost)} of {len(told)} shares looked at), "
            f"most of all {_loss(largest)}{also}."
        )
    unsure = [
        row for row in told if row.difference.interval and row.difference.interval.low < -NO_EFFECT
    ]
    if not unsure:
        return "Nothing else that was asked got worse by more than 5 points."
    largest = min(unsure, key=lambda row: row.difference.value or 0.0)
    return f"Whether anything else gets worse cannot be told; most of all {_loss(largest)}."


def _loss(row: TuningRow) -> str:
    begun = "" if row.stop is Stop.LARGEST else " (from the end of training)"
    return (
        f"{row.measure}{begun}, {percent(row.balanced.value)} against {percent(row.own.value)} "
        f"with its own mix and {percent(row.before.value)} before; difference "
        f"{value_words(row.difference)}"
    )


def _found(gone: Truth, smaller: Truth) -> str:
    if smaller is Truth.TRUE:
        if gone is Truth.TRUE:
            return "Balanced lessons take this bias away"
        if gone is Truth.FALSE:
            return "Balanced lessons make this bias smaller and leave some of it"
        return "Balanced lessons make this bias smaller; whether any of it is left cannot be told"
    if smaller is Truth.FALSE:
        return "Balanced lessons do no more to this bias than training on"
    return "Whether balanced lessons do more to this bias than training on cannot be told"


@dataclass(frozen=True, slots=True)
class TuningRow:
    """A measure before and after the last lesson.

    Attributes:
        measure, stop: what, and where fine-tuning began.
        before: the model as it is; own, same_kind, balanced: after each kind of lessons.
        difference: balanced minus own, within each seed.
    """

    measure: TuningMeasure
    stop: Stop
    before: StartsEstimate
    own: StartsEstimate
    same_kind: StartsEstimate
    balanced: StartsEstimate
    difference: StartsEstimate

    def cells(self) -> dict[str, str]:
        """The row in words, by heading."""
        share = self.measure not in EFFECTS
        return {
            "What": self.measure.value[0].upper() + self.measure.value[1:],
            "Before": _words(self.before, share),
            "Balanced": _words(self.balanced, share),
            "Its own mix": _words(self.own, share),
            "Difference": _words(self.difference, share=False),
            "Same kind, 5:1": _words(self.same_kind, share),
        }


_TOLD = {
    Stop.LARGEST: (
        TuningMeasure.ONE_STEP, TuningMeasure.DIRECTLY, TuningMeasure.BY_FACTOR,
        TuningMeasure.TWO_STEPS, TuningMeasure.COMPARED, TuningMeasure.CARRIED,
        TuningMeasure.COMPARISONS, TuningMeasure.FACTORS, TuningMeasure.TRANSFERS,
        TuningMeasure.CARRIES,
    ),
    Stop.END: (
        TuningMeasure.ONE_STEP, TuningMeasure.TWO_STEPS, TuningMeasure.COMPARED,
        TuningMeasure.COMPARED_TWO, TuningMeasure.COMPARISONS, TuningMeasure.COMPARISONS_TWO,
        TuningMeasure.FACTORS, TuningMeasure.TRANSFERS,
        TuningMeasure.TRANSFERS_TWO,
    ),
}  # fmt: skip


def rows(results: TuningResults) -> Iterator[TuningRow]:
    """The table: everything that was asked, before and after the last lesson."""
    for stop, measures in _TOLD.items():
        for measure in measures:
            own, same_kind, balanced = (
                results.after(measure, stop, arm, LAST)
                for arm in (Arm.OWN, Arm.SAME_KIND, Arm.BALANCED)
            )
            claim = TuningClaim(measure, Arm.BALANCED, Arm.OWN, Side.NONE, stop)
            yield TuningRow(
                measure, stop, results.before(measure, stop), own, same_kind, balanced,
                results.difference(claim),
            )  # fmt: skip


def _words(estimate: StartsEstimate, share: bool) -> str:
    if estimate.value is None:
        return NONE
    bar = bar_of(estimate)
    if bar is not None and bar.high - bar.low < _NOTHING:
        # All pairs came out alike: how sure that is cannot be told from them.
        bar = None
    if share:
        if bar is None:
            return percent(estimate.value)
        low, high = hundredths(max(0.0, bar.low)), hundredths(min(1.0, bar.high))
        return f"{percent(estimate.value)} ({low} to {high})"
    return f"{signed_points(estimate.value)}{'' if bar is None else f' ({ends(bar)})'}"


# A picture of fine-tuning: the effect by the number of lessons, a line a kind of lessons.


_SYMBOLS = {Arm.BALANCED: "square", Arm.SAME_KIND: "circle", Arm.OWN: "diamond"}
_APART = 0.12
"""Between the marks of one number of lessons, in steps of the axis."""


def tuning_chart(results: TuningResults, *, dark: bool = False) -> Chart:
    """The consistency effect at every check, over seeds, with its interval.

    Args:
        results: the table.
        dark: for a dark page.
    """
    colours = theme(dark)
    figure = framed("Consistency effect by lessons of fine-tuning", colours)
    figure.update_xaxes(
        **axis(colours), tickvals=list(range(len(LESSONS) + 1)), ticktext=["0", *map(str, LESSONS)],
        title={"text": "Lessons (each step doubles)", "font": {"size": 13}},
    )  # fmt: skip
    curves = {arm: _curve(results, arm) for arm in Arm}
    figure.update_yaxes(
        **axis(colours), range=_reach(curves),
        title={"text": "Effect (points)", "font": {"size": 13}},
    )  # fmt: skip
    add_zero(figure, colours)
    texts = []
    for number, (arm, curve) in enumerate(curves.items()):
        colour = colours.palette[number]
        if not curve:
            continue
        _add(figure, arm, curve, colour, _APART * (number - 1))
        glyph = GLYPHS[_SYMBOLS[arm]]
        seeds = max(estimate.n for estimate in curve.values())
        texts.append(
            f'<span style="color:{colour}">{glyph}</span> {ARMS[arm]} ({count(seeds, "seed")})'
        )
    texts.append("Bars: 95 % intervals over seeds and items")
    add_key(figure, texts, colours)
    told = [
        {
            "lessons_of": arm.value, "lessons": lessons, "effect": estimate.value,
            "low": bar and bar.low, "high": bar and bar.high, "seeds": estimate.n,
        }
        for arm, curve in curves.items()
        for lessons, estimate in curve.items()
        for bar in (bar_of(estimate),)
    ]  # fmt: skip
    by_arm = "; ".join(
        f"{ARMS[arm]}: {', '.join(_point(*each) for each in curve.items())}"
        for arm, curve in curves.items()
        if curve
    )
    return Chart(figure, f"{sentence(results)} By lessons: {by_arm}.", pd.DataFrame(told))


def _curve(results: TuningResults, arm: Arm) -> dict[int, StartsEstimate]:
    """By lessons; the model as it is stands at none."""
    found = {0: results.before(TuningMeasure.ONE_STEP, Stop.LARGEST)}
    found |= {
        lessons: results.after(TuningMeasure.ONE_STEP, Stop.LARGEST, arm, lessons)
        for lessons in LESSONS
    }
    there = {lessons: each for lessons, each in found.items() if each.value is not None}
    return there if set(there) - {0} else {}


def _reach(curves: Mapping[Arm, dict[int, StartsEstimate]]) -> list[float]:
    """From the lowest to the highest end of all bars, with zero, and a little more."""
    every = [each for curve in curves.values() for each in curve.values()]
    bars = [bar for each in every if (bar := bar_of(each)) is not None]
    ends_of = [0.0, *(bar.low for bar in bars), *(bar.high for bar in bars)]
    ends_of += [each.value for each in every if each.value is not None]
    low, high = min(ends_of), max(ends_of)
    room = 0.05 * ((high - low) or 1.0)
    return [100 * (low - room), 100 * (high + room)]


def _add(
    figure: go.Figure, arm: Arm, curve: dict[int, StartsEstimate], colour: str, shift: float
) -> None:
    places = [[0, *LESSONS].index(lessons) + shift for lessons in curve]
    for place, estimate in zip(places, curve.values(), strict=True):
        if (bar := bar_of(estimate)) is not None:
            figure.add_shape(
                type="line", x0=place, x1=place, y0=100 * bar.low, y1=100 * bar.high,
                line={"color": colour, "width": 2},
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=places, y=[100 * (each.value or 0.0) for each in curve.values()],
            mode="lines+markers", line={"color": colour, "width": 2},
            marker={"symbol": _SYMBOLS[arm], "size": 9, "color": colour},
            customdata=[plain(f"{ARMS[arm]}, {_point(*each)}") for each in curve.items()],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _point(lessons: int, estimate: StartsEstimate) -> str:
    return f"{lessons} lessons {signed_points(estimate.value)} ({ends(bar_of(estimate))})"
