"""Pictures of a training as it goes on: its loss, and figures of unseen pairs by minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    GLYPHS,
    TITLE_LINE,
    TITLE_WIDTH,
    Chart,
    Theme,
    base_layout,
    empty_chart,
    lines,
    plain,
    signed,
    theme,
    wrapped,
)
from biaslab.stats import Interval
from schoolmath.text.figures import percent

MOST_LOSSES = 300
"""Points of the loss that are drawn; of a longer training, every n-th pool."""

_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")
_DASHES = ("solid", "dot", "dash", "dashdot", "longdash", "longdashdot")
_DASH_WORDS = {
    "solid": "solid", "dot": "dotted", "dash": "dashed", "dashdot": "dash-dotted",
    "longdash": "long dashes", "longdashdot": "long dash-dotted",
}  # fmt: skip
_PLOT = 230
_BELOW = 58
_LEGEND_LINE = 20
_LEGEND_WIDTH = 40


@dataclass(frozen=True, slots=True)
class Loss:
    """How far off the model was on the lessons of a pool.

    Attributes:
        minute: of training, when the pool was through.
        loss: mean, in nats a taught token.
    """

    minute: float
    loss: float


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """A figure at one check.

    Attributes:
        minute: of training.
        value: a fraction: a share right, or a difference of shares; None where none is known.
        interval: its 95 % confidence interval.
        n: pairs behind it.
    """

    minute: float
    value: float | None
    interval: Interval | None
    n: int


@dataclass(frozen=True, slots=True)
class Course:
    """A figure check by check: one line of a chart."""

    name: str
    points: tuple[MeasuredFigure, ...]


def loss_chart(losses: Sequence[Loss], *, dark: bool = False) -> Chart:
    """The loss by minutes.

    Args:
        losses: in the order of the training.
        dark: for a dark page.
    """
    data = pd.DataFrame([{"minute": each.minute, "loss": each.loss} for each in losses])
    if not losses:
        return empty_chart("No lessons are through yet.", dark, data)
    colours = theme(dark)
    title = "How far off is it on its lessons?"
    figure = _figure(title, "Loss, nats a taught token", 0, colours)
    every = -(-len(losses) // MOST_LOSSES)
    drawn = [*losses[:-1:every], losses[-1]]
    figure.add_trace(
        go.Scatter(
            x=[each.minute for each in drawn],
            y=[each.loss for each in drawn],
            mode="lines" if len(drawn) > 1 else "markers",
            name="loss",
            line={"color": colours.palette[0], "width": 2},
            hovertemplate="after %{x:.1f} minutes: loss %{y:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(range=_span([each.minute for each in drawn]))
    figure.update_yaxes(rangemode="tozero")
    first, last = losses[0], losses[-1]
    summary = (
        f"{title} The loss was {first.loss:.3f} nats a taught token after {first.minute:.1f} "
        f"minutes and is {last.loss:.3f} after {last.minute:.1f}; lower is better. 0 would be "
        "every taught word foreseen."
    )
    return Chart(figure, summary, data)


def accuracy_course_chart(
    title: str, courses: Sequence[Course], *, pairs: str = "pairs", dark: bool = False
) -> Chart:
    """Shares of right answers by minutes, a line a course.

    Args:
        title: what is asked, for people.
        courses: in the order of the legend; trace n is course n.
        pairs: what n counts.
        dark: for a dark page.
    """
    return _courses(title, courses, "Per cent right", pairs, signs=False, dark=dark)


def cate_course_chart(
    title: str, courses: Sequence[Course], *, pairs: str = "pairs", dark: bool = False
) -> Chart:
    """CATE by minutes, a line a course; above zero the first kind is easier.

    Args:
        title: what is compared, for people.
        courses: in the order of the legend; trace n is course n.
        pairs: what n counts.
        dark: for a dark page.
    """
    return _courses(title, courses, "Percentage points", pairs, signs=True, dark=dark)


def _courses(
    title: str, courses: Sequence[Course], unit: str, pairs: str, *, signs: bool, dark: bool
) -> Chart:
    data = _data(courses)
    shown = [course for course in courses if any(p.value is not None for p in course.points)]
    if not shown:
        return empty_chart("Nothing has been measured yet.", dark, data)
    colours = theme(dark)
    legend = [
        wrapped(f"{course.name} ({_DASH_WORDS[_dash(place)]})", _LEGEND_WIDTH)
        for place, course in enumerate(shown)
    ]
    figure = _figure(title, f"{unit}<br>(bars: 95 % interval)", sum(map(lines, legend)), colours)
    if signs:
        figure.add_hline(y=0, line={"color": colours.text, "width": 1.5})
    minutes = [point.minute for course in shown for point in course.points]
    below = 0
    span = _span(minutes)
    beside = 0.012 * (span[1] - span[0])
    for place, course in enumerate(shown):
        shift = beside * (place - (len(shown) - 1) / 2)
        _add_course(figure, course, place, shift, colours, signs=signs)
        _add_legend_line(figure, legend[place], place, below, colours)
        below += lines(legend[place])
    figure.update_xaxes(range=span)
    figure.update_yaxes(range=_heights(shown) if signs else [-3, 103])
    return Chart(figure, _summary(title, shown, pairs, signs=signs), data)


def _figure(title: str, unit: str, legend_lines: int, colours: Theme) -> go.Figure:
    shown = wrapped(title, TITLE_WIDTH)
    above = 22 + TITLE_LINE * lines(shown)
    below = _BELOW + _LEGEND_LINE * legend_lines
    figure = go.Figure(layout=base_layout(colours, shown, above + _PLOT + below))
    figure.update_layout(
        margin={"l": 62, "r": 14, "t": above, "b": below, "autoexpand": False}, showlegend=False
    )
    figure.update_xaxes(
        color=colours.text, gridcolor=colours.grid, fixedrange=True, zeroline=False, nticks=7,
        title={"text": "Minutes of training", "standoff": 8, "font": {"size": 13}},
    )  # fmt: skip
    figure.update_yaxes(
        color=colours.text, gridcolor=colours.grid, fixedrange=True, zeroline=False, nticks=7,
        title={"text": unit, "standoff": 6, "font": {"size": 12}},
    )  # fmt: skip
    return figure


def _add_course(
    figure: go.Figure, course: Course, place: int, shift: float, colours: Theme, *, signs: bool
) -> None:
    # Drawn a little beside one another, so that intervals of the same minute differ.
    at = [(point, point.value) for point in course.points if point.value is not None]
    colour = _colour(place, colours)
    values = [100 * value for _, value in at]
    figure.add_trace(
        go.Scatter(
            x=[point.minute + shift for point, _ in at],
            y=values,
            mode="lines+markers",
            name=plain(course.name),
            line={"color": colour, "width": 2, "dash": _dash(place)},
            marker={"symbol": _symbol(place), "size": 9, "color": colour},
            error_y={
                "type": "data", "symmetric": False, "color": colour, "thickness": 1.2, "width": 3,
                "array": [_reach(p.interval, v, up=True) for p, v in at],
                "arrayminus": [_reach(p.interval, v, up=False) for p, v in at],
            },
            cliponaxis=False,
            customdata=[
                [f"{point.minute:.1f}", plain(_value_words(point, signs=signs))] for point, _ in at
            ],
            hovertemplate=(
                f"{plain(course.name)}<br>after %{{customdata[0]}} minutes: %{{customdata[1]}}"
                "<extra></extra>"
            ),
        )
    )  # fmt: skip


def _reach(ends: Interval | None, value: float, *, up: bool) -> float | None:
    if ends is None:
        return None
    return 100 * (ends.high - value if up else value - ends.low)


def _add_legend_line(figure: go.Figure, text: str, place: int, below: int, colours: Theme) -> None:
    glyph = GLYPHS[_symbol(place)]
    figure.add_annotation(
        text=f'<span style="color:{_colour(place, colours)}">{glyph}</span> {text}',
        x=0, xref="paper", xanchor="left", xshift=-50, y=0, yref="paper", yanchor="top",
        yshift=4 - _BELOW - _LEGEND_LINE * below, showarrow=False, align="left",
        font={"color": colours.text, "size": 13},
    )  # fmt: skip


def _colour(place: int, colours: Theme) -> str:
    return colours.palette[place % len(colours.palette)]


def _symbol(place: int) -> str:
    return _SYMBOLS[place % len(_SYMBOLS)]


def _dash(place: int) -> str:
    return _DASHES[place % len(_DASHES)]


def _span(minutes: Sequence[float]) -> list[float]:
    """From the beginning to a little beyond the last minute."""
    last = max([*minutes, 0.0]) or 1.0
    return [-0.03 * last, 1.05 * last]


def _heights(courses: Sequence[Course]) -> list[float]:
    ends = [0.0]
    for course in courses:
        for point in course.points:
            ends += [] if point.value is None else [point.value]
            ends += [] if point.interval is None else [point.interval.low, point.interval.high]
    low, high = 100 * min(ends), 100 * max(ends)
    margin = max(0.08 * (high - low), 3.0)
    return [low - margin, high + margin]


def _value_words(point: MeasuredFigure, *, signs: bool) -> str:
    if point.value is None:
        return f"no value (n = {point.n:,})"
    write: Any = signed if signs else percent
    ends = point.interval
    spread = (
        "no interval" if ends is None else f"95 % interval {write(ends.low)} to {write(ends.high)}"
    )
    return f"{write(point.value)} ({spread}, n = {point.n:,})"


def _summary(title: str, courses: Sequence[Course], pairs: str, *, signs: bool) -> str:
    parts = [title]
    if signs:
        parts.append("In percentage points; above zero the first kind is easier.")
    for course in courses:
        known = [point for point in course.points if point.value is not None]
        first, last = known[0], known[-1]
        words = f"{_value_words(last, signs=signs)} after {last.minute:.1f} minutes"
        if len(known) > 1:
            earlier = _value_words(first, signs=signs)
            words = f"{earlier} after {first.minute:.1f} minutes, {words}"
        parts.append(f"{course.name}: {words}.")
    return f"{' '.join(parts)} n counts {pairs}."


def _data(courses: Sequence[Course]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "course": course.name, "minute": point.minute, "value": point.value,
                "low": point.interval and point.interval.low,
                "high": point.interval and point.interval.high, "n": point.n,
            }
            for course in courses
            for point in course.points
        ]
    )  # fmt: skip
