"""Models by biases: a cell for each, its colour by sign and size, the number in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH, Chart, empty_chart
from biaslab.charts.decisions.profile import (
    ProfileFigure,
    ScoredRun,
    drawn_interval,
    drawn_value,
    score_words,
)
from biaslab.charts.theme import (
    FEWEST,
    TITLE_LINE,
    Theme,
    base_layout,
    faded,
    ink_on,
    mixed,
    theme,
)
from biaslab.charts.wording import lines, plain, shortened, wrapped
from biaslab.stats import Interval
from biaslab.studies.decisions.published import SOURCE, PublishedBias
from biaslab.studies.decisions.results import BiasScore
from schoolmath.text.figures import signed_number

MOST_CELLS = 700
"""More cells than this are neither readable nor quick to draw."""

_TITLE = "Models by biases"
_ROW = {False: 30, True: 56}
"""Pixels of a row, without and with intervals in the cells."""
_LEFT = 148
_LABEL = 20
"""Characters of a line of a row's name."""
_COLUMN_LABELS = 26
_LEGEND_LINE = 20
_LEGEND_WIDTH = 44
_ENDS = {
    False: ("#B34700", "#FFFFFF", "#00568A"),
    True: ("#E69F00", "#1B1F27", "#56B4E9"),
}
"""The opposite, nought and the bias, on light and dark pages: orange and blue are told apart by
everybody, and the number says the sign again."""


def heat_map_chart(
    runs: Sequence[ScoredRun],
    names: Mapping[str, str],
    figure: ProfileFigure = ProfileFigure.METRIC,
    published: Sequence[PublishedBias] = (),
    *,
    intervals: bool = False,
    dark: bool = False,
) -> Chart:
    """A column for each run and each published model, a row for each bias.

    A score that lies where random answers lie stands in brackets. Published cells have no
    interval and are in italics.

    Args:
        runs: columns in this order; the point of a cell is its place among those that are drawn,
            row by row (`drawn_heat`).
        names: of biases by id, in the order of the rows.
        figure: which of a bias's figures; not the unchanged share, which has no sign.
        published: further columns, by model; drawn for the metric alone.
        intervals: whether cells have their interval under the number.
        dark: for a dark page.
    """
    beside = [cell for cell in published if figure is ProfileFigure.METRIC and cell.bias in names]
    models = list(dict.fromkeys(cell.model for cell in beside))
    rows = [bias for bias in names if any(drawn_value(r, bias, figure) is not None for r in runs)]
    data = _data(runs, rows, names, figure, beside)
    if not rows:
        return empty_chart("Nothing has been answered yet.", dark, data)
    wide = len(runs) + len(models)
    if wide * len(rows) > MOST_CELLS:
        told = f"There are {wide * len(rows)} cells, more than can be read: choose fewer."
        return empty_chart(told, dark, data)
    colours = theme(dark)
    labels = [run.label for run in runs] + [f"{model}, published" for model in models]
    few = any(runs[at].scores[bias].n < FEWEST for at, bias in drawn_heat(runs, names, figure))
    plot = _empty(rows, names, labels, intervals, few, colours)
    _add_runs(plot, runs, rows, names, figure, intervals, dark)
    _add_published(plot, beside, models, rows, len(runs), dark)
    return Chart(plot, _summary(runs, rows, names, figure, beside), data)


def drawn_heat(
    runs: Sequence[ScoredRun], names: Mapping[str, str], figure: ProfileFigure
) -> list[tuple[int, str]]:
    """The cells of the runs that have something to show: place of the run, and bias."""
    return [
        (place, bias)
        for bias in names
        for place, run in enumerate(runs)
        if drawn_value(run, bias, figure) is not None
    ]


def heat_colour(value: float, dark: bool = False) -> str:
    """The colour of a value from -1 to 1."""
    low, middle, high = _ENDS[dark]
    end, share = (high if value > 0 else low), min(1.0, abs(value))
    return mixed(middle, end, share)


def _empty(
    rows: Sequence[str],
    names: Mapping[str, str],
    labels: Sequence[str],
    intervals: bool,
    few: bool,
    colours: Theme,
) -> go.Figure:
    shown = wrapped(_TITLE, TITLE_WIDTH)
    above = 20 + TITLE_LINE * lines(shown) + _COLUMN_LABELS
    legend = _legend(labels, few)
    below = 18 + _LEGEND_LINE * lines(legend)
    figure = go.Figure(
        layout=base_layout(colours, shown, above + _ROW[intervals] * len(rows) + below)
    )
    figure.update_layout(
        margin={"l": _LEFT, "r": 8, "t": above, "b": below, "autoexpand": False},
        showlegend=False, barmode="overlay", bargap=0,
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.5, len(labels) - 0.5], side="top", tickvals=list(range(len(labels))),
        ticktext=[str(at) for at in range(1, len(labels) + 1)], fixedrange=True, showgrid=False,
        zeroline=False, ticks="", color=colours.text, tickangle=0,
    )  # fmt: skip
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5], tickvals=list(range(len(rows))),
        ticktext=[wrapped(shortened(names[bias], 2 * _LABEL), _LABEL) for bias in rows],
        fixedrange=True, showgrid=False, zeroline=False, ticks="", color=colours.text,
        tickfont={"size": 12},
    )  # fmt: skip
    figure.add_annotation(
        text=legend, x=0, xref="paper", xanchor="left", xshift=10 - _LEFT, y=0, yref="paper",
        yanchor="top", yshift=-8, showarrow=False, align="left",
        font={"color": colours.text, "size": 13},
    )  # fmt: skip
    return figure


def _legend(labels: Sequence[str], few: bool) -> str:
    """What colours, brackets and numbers stand for, in lines that fit a phone."""
    told = [
        "Blue, +: as the bias has it.",
        "Orange, −: the other way.",
        "In brackets: random answers score as much.",
        *([f"Faded: fewer than {FEWEST} pairs."] if few else []),
        *(f"{at}: {shortened(label, 2 * _LEGEND_WIDTH)}" for at, label in enumerate(labels, 1)),
    ]
    return "<br>".join(wrapped(text, _LEGEND_WIDTH) for text in told)


def _add_runs(
    plot: go.Figure,
    runs: Sequence[ScoredRun],
    rows: Sequence[str],
    names: Mapping[str, str],
    figure: ProfileFigure,
    intervals: bool,
    dark: bool,
) -> None:
    drawn = drawn_heat(runs, {bias: names[bias] for bias in rows}, figure)
    scores = [runs[place].scores[bias] for place, bias in drawn]
    values = [drawn_value(runs[place], bias, figure) or 0.0 for place, bias in drawn]
    texts = []
    for value, score in zip(values, scores, strict=True):
        ends = drawn_interval(score, figure) if intervals else None
        under = "" if ends is None else f"<br>{_short(ends.low)}<br>{_short(ends.high)}"
        told_value = _short(value)
        if figure is ProfileFigure.METRIC and by_chance(score, value):
            told_value = f"({told_value})"
        texts.append(f"{told_value}{under}")
    told = [
        f"{plain(runs[place].label)}<br>{plain(names[bias])}<br>{score_words(score, figure)}"
        for (place, bias), score in zip(drawn, scores, strict=True)
    ]
    places = [(place, rows.index(bias)) for place, bias in drawn]
    few = [score.n < FEWEST for score in scores]
    plot.add_trace(_cells(places, values, texts, told, dark, few))


def by_chance(score: BiasScore, value: float | None) -> bool:
    """Whether random answers to the same prompts often score as much."""
    band = score.band
    return band is not None and value is not None and band.low <= value <= band.high


def _add_published(
    plot: go.Figure,
    cells: Sequence[PublishedBias],
    models: Sequence[str],
    rows: Sequence[str],
    first: int,
    dark: bool,
) -> None:
    drawn = [cell for cell in cells if cell.bias in rows]
    if not drawn:
        return
    places = [(first + models.index(cell.model), rows.index(cell.bias)) for cell in drawn]
    told = [
        f"Published: {plain(cell.model)}<br>{plain(cell.name)}<br>"
        f"{signed_number(cell.value)}, no interval {plain(cell.note)}"
        for cell in drawn
    ]
    texts = [f"<i>{_short(cell.value)}</i>" for cell in drawn]
    plot.add_trace(_cells(places, [cell.value for cell in drawn], texts, told, dark))


def _cells(
    places: Sequence[tuple[int, int]],
    values: Sequence[float],
    texts: Sequence[str],
    told: Sequence[str],
    dark: bool,
    few: Sequence[bool] = (),
) -> go.Bar:
    fills = [heat_colour(value, dark) for value in values]
    for at in (at for at, is_few in enumerate(few) if is_few):
        fills[at] = faded(fills[at], theme(dark))
    return go.Bar(
        orientation="h", x=[0.96] * len(places), base=[column - 0.48 for column, _ in places],
        y=[row for _, row in places], width=0.94, text=list(texts), textposition="inside",
        insidetextanchor="middle", textangle=0, constraintext="none",
        insidetextfont={"color": [ink_on(fill) for fill in fills], "size": 12},
        marker={"color": fills, "line": {"color": theme(dark).grid, "width": 1}},
        customdata=list(told), hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip


def _short(value: float) -> str:
    """A number of two decimals without its leading 0: ``+.12``."""
    return signed_number(value).replace("0.", ".", 1)


def _summary(
    runs: Sequence[ScoredRun],
    rows: Sequence[str],
    names: Mapping[str, str],
    figure: ProfileFigure,
    beside: Sequence[PublishedBias],
) -> str:
    parts = [f"{_TITLE}."]
    for run in runs:
        drawn = [bias for bias in rows if drawn_value(run, bias, figure) is not None]
        told = [
            f"{names[bias]} {score_words(run.scores[bias], figure)}"
            + (
                ", as random answers often score"
                if figure is ProfileFigure.METRIC
                and by_chance(run.scores[bias], drawn_value(run, bias, figure))
                else ""
            )
            for bias in drawn
        ]
        parts.append(f"{run.label}: {'; '.join(told)}.")
    if beside:
        each = "; ".join(f"{c.name}, {c.model} {signed_number(c.value)}" for c in beside)
        parts.append(f"{SOURCE}, without intervals: {each}.")
    return " ".join(parts)


def _data(
    runs: Sequence[ScoredRun],
    rows: Sequence[str],
    names: Mapping[str, str],
    figure: ProfileFigure,
    beside: Sequence[PublishedBias],
) -> pd.DataFrame:
    found = []
    for run in runs:
        for bias in rows:
            value = drawn_value(run, bias, figure)
            if value is None:
                continue
            score = run.scores[bias]
            ends: Interval | None = drawn_interval(score, figure)
            found.append(
                {
                    "model": run.label, "run": score.run, "bias": bias, "name": names[bias],
                    "figure": str(figure), "value": value, "low": ends and ends.low,
                    "high": ends and ends.high, "n": score.n, "scenes": score.clusters,
                    "as_chance": (
                        by_chance(score, value) if figure is ProfileFigure.METRIC else None
                    ),
                }
            )  # fmt: skip
    for cell in beside:
        if cell.bias in rows:
            found.append(
                {
                    "model": cell.model, "run": "published", "bias": cell.bias,
                    "name": names[cell.bias], "figure": str(figure), "value": cell.value,
                }
            )  # fmt: skip
    return pd.DataFrame(found)
