"""A picture of number and share: how often the rarer form is right, with either of them fixed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart
from biaslab.charts.theme import GLYPHS, Theme, theme
from biaslab.charts.training._frame import add_key, axis, framed
from biaslab.charts.wording import plain
from research.experiment.estimates import StartsEstimate, bar_of
from research.experiment.findings.rarer import (
    NumberOrShare,
    Ratio,
    number_figures,
    number_sentence,
)
from schoolmath.text.figures import percent, percents


@dataclass(frozen=True, slots=True)
class _Curve:
    """Of one thing that is fixed."""

    fixed: str
    symbol: str
    place: int
    effects: Mapping[Ratio, StartsEstimate]


_APART = 0.06
"""Between the marks of one ratio, in doublings."""


def rarer_chart(found: NumberOrShare, x: str, x_prime: str, *, dark: bool = False) -> Chart:
    """Two curves over the ratio: with the total fixed, and with that of the rarer form.

    Args:
        found: the curves.
        x: what x is: ``consistent``.
        x_prime: what x′ is.
        dark: for a dark page.
    """
    colours = theme(dark)
    curves = (
        _Curve("total fixed", "square", 0, found.total),
        _Curve("number of the rarer form fixed", "circle", 1, found.number),
    )
    figure = framed(f"{x_prime.capitalize()} problems right, mean over log lessons", colours)
    figure.update_xaxes(
        **axis(colours), tickvals=[_place(ratio) for ratio in found.total],
        ticktext=[_name(ratio) for ratio in found.total],
        title={"text": f"Lessons, {x} to {x_prime} (log scale)", "font": {"size": 13}},
    )  # fmt: skip
    figure.update_yaxes(
        **axis(colours), title={"text": "Right (%)", "font": {"size": 13}}, rangemode="tozero"
    )
    for curve in curves:
        _add(figure, curve, colours)
    texts = [
        f'<span style="color:{colours.palette[curve.place]}">{GLYPHS[curve.symbol]}</span> '
        f"{curve.fixed}"
        for curve in curves
    ]
    over = "items alone: one start" if found.starts < 2 else "starts and items"
    add_key(figure, [*texts, f"Bars: 95 % intervals over {over}"], colours)
    return Chart(figure, _summary(found, curves, x, x_prime), _data(found.study, curves))


def _place(ratio: Ratio) -> float:
    return math.log2(ratio[0] / ratio[1])


def _name(ratio: Ratio) -> str:
    return f"{ratio[0]}:{ratio[1]}"


def _add(figure: go.Figure, curve: _Curve, colours: Theme) -> None:
    colour = colours.palette[curve.place]
    places = [_place(ratio) + (curve.place - 0.5) * _APART for ratio in curve.effects]
    for place, estimate in zip(places, curve.effects.values(), strict=True):
        if (bar := bar_of(estimate)) is not None:
            figure.add_shape(
                type="line", x0=place, x1=place, y0=100 * max(0.0, bar.low),
                y1=100 * min(1.0, bar.high), line={"color": colour, "width": 3},
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=places, y=[100 * (estimate.value or 0.0) for estimate in curve.effects.values()],
            mode="lines+markers", line={"color": colour, "width": 2},
            marker={"symbol": curve.symbol, "size": 11, "color": colour},
            customdata=[
                plain(f"{curve.fixed}, {_words(ratio, estimate)}")
                for ratio, estimate in curve.effects.items()
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _words(ratio: Ratio, estimate: StartsEstimate) -> str:
    bar = bar_of(estimate)
    between = "" if bar is None else f" ({percents(max(0.0, bar.low), min(1.0, bar.high))})"
    return f"{_name(ratio)}: {percent(estimate.value)}{between}"


def _summary(found: NumberOrShare, curves: tuple[_Curve, ...], x: str, x_prime: str) -> str:
    by_ratio = " ".join(
        f"With {curve.fixed}: {'; '.join(_words(*each) for each in curve.effects.items())}."
        for curve in curves
    )
    return f"{number_sentence(found)} {number_figures(found, x, x_prime)} {by_ratio}"


def _data(study: str, curves: tuple[_Curve, ...]) -> pd.DataFrame:
    rows = []
    for curve in curves:
        for ratio, estimate in curve.effects.items():
            bar = bar_of(estimate)
            rows.append(
                {
                    "study": study, "fixed": curve.fixed, "ratio": _name(ratio),
                    "right_x_prime": estimate.value, "low": bar and bar.low,
                    "high": bar and bar.high, "starts": estimate.n,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)
