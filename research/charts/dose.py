"""A picture of the dose: the effect by the ratio of what the lessons were."""

from __future__ import annotations

import math

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, empty_chart
from biaslab.charts.theme import Theme, theme
from biaslab.charts.training._frame import add_key, add_zero, axis, framed
from biaslab.charts.wording import plain
from biaslab.training.origins.effects import ends
from research.experiment.design import STARTS
from research.experiment.estimates import bar_of
from research.experiment.findings.dose import Dose, sentence
from research.experiment.wording import effect_words
from schoolmath.text.figures import count, signed_points


def dose_chart(found: Dose | None, ratio: str, *, dark: bool = False) -> Chart:
    """The effect by ratio, a line a start, and the mean of the starts with its interval.

    Args:
        found: the curve; None: not yet trained.
        ratio: what the ratio is of: ``consistent to inconsistent``.
        dark: for a dark page.
    """
    if found is None:
        return empty_chart("The experiment is not yet trained: no start has all its cells.", dark)
    colours = theme(dark)
    effect = effect_words(found.study).capitalize()
    figure = framed(f"{effect} by ratio, {found.when}", colours)
    names = [f"{first}:{second}" for first, second in found.effects]
    figure.update_xaxes(
        **axis(colours), tickvals=_places(found), ticktext=names,
        title={"text": f"Lessons, {ratio} (log scale)", "font": {"size": 13}},
    )  # fmt: skip
    figure.update_yaxes(**axis(colours), title={"text": "Effect (points)", "font": {"size": 13}})
    add_zero(figure, colours)
    for seed in found.slope.starts:
        _add_start(figure, found, seed, colours)
    _add_mean(figure, found, colours)
    texts = [
        f'<span style="color:{colours.palette[0]}">■</span> mean of '
        f"{count(found.starts, 'start')} of {STARTS}",
        "Bar: 95 % interval" + (" over items alone: one start" if found.starts < 2 else ""),
        "Small: single starts",
    ]
    add_key(figure, texts, colours)
    return Chart(figure, _summary(found), _data(found))


def _places(found: Dose) -> list[float]:
    return [math.log2(first / second) for first, second in found.effects]


def _add_start(figure: go.Figure, found: Dose, seed: int, colours: Theme) -> None:
    values = [100 * estimate.starts[seed].value for estimate in found.effects.values()]
    figure.add_trace(
        go.Scatter(
            x=_places(found), y=values, mode="lines+markers",
            line={"color": colours.muted, "width": 1}, marker={"symbol": "square", "size": 5},
            customdata=[plain(f"start {seed}: {signed_points(value / 100)}") for value in values],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _add_mean(figure: go.Figure, found: Dose, colours: Theme) -> None:
    colour = colours.palette[0]
    for place, estimate in zip(_places(found), found.effects.values(), strict=True):
        if (bar := bar_of(estimate)) is not None:
            figure.add_shape(
                type="line", x0=place, x1=place, y0=100 * bar.low, y1=100 * bar.high,
                line={"color": colour, "width": 3},
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=_places(found),
            y=[100 * (estimate.value or 0.0) for estimate in found.effects.values()],
            mode="lines+markers", line={"color": colour, "width": 2},
            marker={"symbol": "square", "size": 11, "color": colour},
            customdata=[plain(words) for words in _words(found)],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _words(found: Dose) -> list[str]:
    kind = "over items, one start" if found.starts < 2 else "over starts and items"
    return [
        f"{first}:{second}: {signed_points(estimate.value)} (95 % interval {kind} "
        f"{ends(bar_of(estimate))})"
        for (first, second), estimate in found.effects.items()
    ]


def _summary(found: Dose) -> str:
    return f"{sentence(found)} By ratio: {'; '.join(_words(found))}."


def _data(found: Dose) -> pd.DataFrame:
    rows = []
    for (first, second), estimate in found.effects.items():
        bar = bar_of(estimate)
        rows.append(
            {
                "study": found.study, "ratio": f"{first}:{second}", "lessons": found.lessons,
                "effect": estimate.value, "low": bar and bar.low, "high": bar and bar.high,
                "starts": estimate.n,
                "by_start": " ".join(
                    f"{seed}:{one.value:.4f}" for seed, one in estimate.starts.items()
                ),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
