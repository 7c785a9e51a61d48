"""A picture of fine-tuning: the effect by the number of lessons, a line a kind of lessons."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart
from biaslab.charts.theme import GLYPHS, theme
from biaslab.charts.training._frame import add_key, add_zero, axis, framed
from biaslab.charts.wording import plain
from biaslab.training.origins.effects import ends
from research.experiment.estimates import StartsEstimate, bar_of
from research.tuning.estimates import TuningResults
from research.tuning.predictions import LESSONS, Arm, Stop, TuningMeasure
from research.tuning.summary import sentence
from research.tuning.wording import ARMS
from schoolmath.text.figures import count, signed_points

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
