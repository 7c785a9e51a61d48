"""A picture of mixes of school problems: what effects come of all their ratios at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart
from biaslab.charts.effects.forest import (
    AxisSides,
    LegendLine,
    RowPositions,
    forest_figure,
    range_of,
)
from biaslab.charts.theme import RunStyle, theme
from biaslab.charts.training.origins import MixStyle, styles_of
from biaslab.charts.wording import plain
from biaslab.training.origins.effects import ends
from research.experiment.estimates import StartsEstimate, bar_of
from research.experiment.findings.school import (
    COMPARED,
    RATIOS_OF,
    SchoolMixes,
    school_figures,
    school_sentence,
)
from schoolmath.text.figures import signed_points

_APART = 0.3
"""Of the marks of a row, in rows: single starts below, the last lesson above."""

Placed = tuple[str, str, float]
"""A study, a cell and how high it stands."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """Of a cell: how high, what it is in words, and its effect."""

    mix: str
    y: float
    words: str
    value: float


def school_chart(found: SchoolMixes, studies: Mapping[str, str], *, dark: bool = False) -> Chart:
    """Effects study by study: the mean over lessons with its interval, and after the last one.

    Args:
        found: what comes of the mixes.
        studies: titles, by name, from top to bottom.
        dark: for a dark page.
    """
    colours = theme(dark)
    rows = RowPositions()
    placed: list[Placed] = []
    for study, title in studies.items():
        rows.heading(title)
        placed += [
            (study, name, y) for name in COMPARED for y in rows.block(RATIOS_OF[name], 1, 1.1)
        ]
    over = "items alone: one start" if found.starts < 2 else "starts and items"
    figure = forest_figure(
        rows, colours, "Effect by mix, step by step",
        "Effect in percentage points<br>(CATE, easier arm minus harder arm)",
        _range(found),
        [
            LegendLine("Large mark: mean over log lessons", RunStyle(colours.text, "square")),
            LegendLine(f"Bar: 95 % interval over {over}"),
            LegendLine("Cross: after the last lesson", RunStyle(colours.text, "x")),
            LegendLine("Small marks below: single starts"),
        ],
        AxisSides("◀ the other way", "in the expected<br>direction ▶"),
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    styles = styles_of(COMPARED, colours)
    _add(figure, found, placed, styles)
    return Chart(figure, _summary(found, studies), _data(found))


def _add(
    figure: go.Figure, found: SchoolMixes, placed: Sequence[Placed], styles: Mapping[str, MixStyle]
) -> None:
    for study, name, y in placed:
        if (bar := bar_of(found.mean[study, name])) is not None:
            figure.add_shape(
                type="line", x0=100 * bar.low, x1=100 * bar.high, y0=y, y1=y,
                line={"color": styles[name].colour, "width": 3},
            )  # fmt: skip
    starts = [
        _Mark(name, y + _APART, f"start {seed}: {signed_points(one.value)}", one.value)
        for study, name, y in placed
        for seed, one in found.mean[study, name].starts.items()
    ]
    _add_marks(figure, starts, styles, "square", 5)
    for symbol, size, above, of in (("x", 8, _APART, found.end), ("square", 11, 0.0, found.mean)):
        marks = [
            _Mark(
                name,
                y - above,
                words(of[study, name], RATIOS_OF[name]),
                of[study, name].value or 0.0,
            )
            for study, name, y in placed
        ]
        _add_marks(figure, marks, styles, symbol, size)


def _add_marks(
    figure: go.Figure,
    marks: Sequence[_Mark],
    styles: Mapping[str, MixStyle],
    symbol: str,
    size: int,
) -> None:
    figure.add_trace(
        go.Scatter(
            x=[100 * mark.value for mark in marks], y=[mark.y for mark in marks], mode="markers",
            marker={"symbol": symbol, "size": size,
                    "color": [styles[mark.mix].colour for mark in marks]},
            customdata=[plain(mark.words) for mark in marks],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def words(estimate: StartsEstimate, mix: str) -> str:
    """An effect with its interval, in one line."""
    bar = bar_of(estimate)
    between = "" if bar is None else f" (95 % interval {ends(bar)})"
    return f"{mix}: {signed_points(estimate.value)}{between}"


def _range(found: SchoolMixes) -> list[float]:
    values = [estimate.value or 0.0 for estimate in found.end.values()]
    for estimate in found.mean.values():
        values += [one.value for one in estimate.starts.values()]
        if (bar := bar_of(estimate)) is not None:
            values += [bar.low, bar.high]
    return range_of(values, binary=True)


def _summary(found: SchoolMixes, studies: Mapping[str, str]) -> str:
    told = []
    for study, title in studies.items():
        mean = "; ".join(words(found.mean[study, name], RATIOS_OF[name]) for name in COMPARED)
        end = "; ".join(words(found.end[study, name], RATIOS_OF[name]) for name in COMPARED)
        told.append(f"{title}, mean over log lessons: {mean}. After the last lesson: {end}.")
    return f"{school_sentence(found)} {school_figures(found)} {' '.join(told)}"


def _data(found: SchoolMixes) -> pd.DataFrame:
    rows = []
    for study, mix, when, estimate in found.rows():
        bar = bar_of(estimate)
        rows.append(
            {
                "study": study, "mix": mix, "when": when, "effect": estimate.value,
                "low": bar and bar.low, "high": bar and bar.high, "starts": estimate.n,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
