"""A picture of how a bias comes and goes: effects and right answers along training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, empty_chart
from biaslab.charts.theme import theme
from biaslab.charts.training._frame import add_key, add_zero, axis, framed
from biaslab.charts.training.origins import MixStyle, axis_range, styles_of, words
from biaslab.charts.wording import plain
from biaslab.training.origins.effects import OriginEffect, ends, in_order, record
from schoolmath.text.figures import percent, signed_points


def training_chart(
    curves: Mapping[str, Sequence[OriginEffect]],
    study: str,
    way: str,
    arms: tuple[str, str],
    *,
    dark: bool = False,
) -> Chart:
    """Effects along training above, the right answers of both arms below; a line a mix.

    Args:
        curves: by mix, in the order of training.
        study: its title.
        way: as in `biaslab.charts.training.origins.mix_chart`.
        arms: what x and x' are called.
        dark: for a dark page.
    """
    drawn = {mix: curves[mix] for mix in in_order(curves) if len(curves[mix]) > 1}
    data = pd.DataFrame([record(effect) for curve in curves.values() for effect in curve])
    if not drawn:
        return empty_chart(
            "Nothing was measured along training here: choose another prompt strategy, fewer steps "
            "or another study.", dark, data,
        )  # fmt: skip
    colours = theme(dark)
    below = 84 + 20 * (len(drawn) + 1)
    figure = framed(f"{study} along training, {way}", colours, head=22, plot=440, below=below)
    styles = styles_of(list(drawn), colours)
    most = max(effect.examples for curve in drawn.values() for effect in curve)
    figure.update_layout(
        xaxis={
            **axis(colours), "anchor": "y2", "range": [-0.03 * most, 1.05 * most], "nticks": 6,
            "tickformat": "~s", "title": _title("Training examples seen", 8),
        },
        yaxis={
            **axis(colours), "domain": [0.46, 1.0], "title": _title("Effect (points)", 4),
            "range": axis_range([effect for curve in drawn.values() for effect in curve]),
        },
        yaxis2={
            **axis(colours), "domain": [0.0, 0.36], "range": [-3, 103], "tickvals": [0, 50, 100],
            "title": _title("Right (%)", 4),
        },
    )  # fmt: skip
    add_zero(figure, colours)
    for index, (mix, curve) in enumerate(drawn.items()):
        aside = 0.006 * most * (index - (len(drawn) - 1) / 2)
        _add_curve(figure, mix, curve, styles[mix], aside)
        _add_arms(figure, mix, curve, arms, styles[mix])
    texts = [
        f'<span style="color:{style.colour}">{style.look.glyph}</span> {plain(mix)} ({style.dash})'
        for mix, style in styles.items()
    ]
    texts.append(f"Below, thick: {plain(arms[0])}; thin: {plain(arms[1])}")
    add_key(figure, texts, colours)
    return Chart(figure, _training_summary(drawn, study, way), data)


def _title(text: str, standoff: int) -> dict[str, object]:
    return {"text": text, "standoff": standoff, "font": {"size": 13}}


def _add_curve(
    figure: go.Figure, mix: str, curve: Sequence[OriginEffect], style: MixStyle, aside: float
) -> None:
    """A line with its intervals, a little aside so that those of others stay visible."""
    values = [100 * effect.cate for effect in curve]
    judged = [effect.spread.judged for effect in curve]
    figure.add_trace(
        go.Scatter(
            x=[effect.examples + aside for effect in curve],
            y=values, mode="lines+markers", name=mix,
            line={"color": style.colour, "width": 2.5, "dash": style.dash},
            marker={"symbol": style.symbol, "size": 9, "color": style.colour},
            error_y={
                "type": "data", "symmetric": False, "color": style.colour, "thickness": 1.2,
                "width": 3,
                "array": [e and 100 * e.high - v for e, v in zip(judged, values, strict=True)],
                "arrayminus": [e and v - 100 * e.low for e, v in zip(judged, values, strict=True)],
            },
            customdata=[plain(words(effect)) for effect in curve],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _add_arms(
    figure: go.Figure,
    mix: str,
    curve: Sequence[OriginEffect],
    arms: tuple[str, str],
    style: MixStyle,
) -> None:
    for arm, width, of in zip(arms, (3.0, 1.0), (0, 1), strict=True):
        shares = [(effect.x, effect.x_prime)[of] for effect in curve]
        figure.add_trace(
            go.Scatter(
                x=[effect.examples for effect in curve],
                y=[100 * (share.value or 0.0) for share in shares],
                yaxis="y2", mode="lines", opacity=0.7, name=f"{mix}, {arm}",
                line={"color": style.colour, "width": width, "dash": style.dash},
                customdata=[share.n for share in shares],
                hovertemplate=f"{plain(mix)}, {plain(arm)}: %{{y:.1f}} % right "
                "(n = %{customdata})<extra></extra>",
            )
        )  # fmt: skip


def _training_summary(curves: Mapping[str, Sequence[OriginEffect]], study: str, way: str) -> str:
    told = []
    for mix, curve in curves.items():
        each = ", ".join(
            f"{signed_points(effect.cate)} after {effect.examples:,} examples "
            f"(right {percent(effect.x.value)} and {percent(effect.x_prime.value)}, "
            f"interval {ends(effect.spread.judged)}, n = {effect.n:,})"
            for effect in curve
        )
        told.append(f"{mix}: {each}.")
    return f"{study} along training, {way}; effects in percentage points. {' '.join(told)}"
