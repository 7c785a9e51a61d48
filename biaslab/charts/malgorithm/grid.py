"""The heat map of the mal-rules identified: grades by depth of knowledge, numbers in every cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import MOST_POINTS, TITLE_WIDTH, Chart, empty_chart
from biaslab.charts.theme import (
    FEWEST,
    TITLE_LINE,
    Theme,
    base_layout,
    cell_colour,
    faded,
    ink_on,
    ramp_words,
    theme,
)
from biaslab.charts.wording import lines, plain, wrapped
from biaslab.stats import Interval
from biaslab.studies.malgorithm.results import Identification, ReadShare
from schoolmath.text.figures import exact_percent, percent, percents

_TITLE = "Mal-rules identified (MIA) by grade and depth of knowledge"
_ROW = 50
"""Pixels of a row: two lines of text."""
_LEFT = 78
_TOP_LABELS = 26
_NOTE = 30


@dataclass(frozen=True, slots=True)
class GridCell:
    """The figures of the questions of one grade and depth of knowledge."""

    grade: int
    dok: int
    found: Identification


def grid_chart(cells: Sequence[GridCell], *, dark: bool = False) -> Chart:
    """How often the mal-rule's rationale was identified in each cell, with n below.

    Args:
        cells: of one run. The point of a mark is the place of its cell among those with n.
        dark: for a dark page.
    """
    drawn = drawn_cells(cells)
    data = _data(cells)
    if not drawn:
        return empty_chart("No choice that a mal-rule gives has been answered yet.", dark, data)
    if len(drawn) > MOST_POINTS:
        return empty_chart(f"There are {len(drawn)} cells, more than can be read.", dark, data)
    colours = theme(dark)
    grades = sorted({cell.grade for cell in drawn})
    doks = sorted({cell.dok for cell in drawn})
    shown = wrapped(_TITLE, TITLE_WIDTH)
    above = 22 + TITLE_LINE * lines(shown) + _TOP_LABELS
    figure = go.Figure(layout=base_layout(colours, shown, above + _ROW * len(grades) + _NOTE + 10))
    figure.update_layout(
        margin={"l": _LEFT, "r": 12, "t": above, "b": _NOTE + 10, "autoexpand": False},
        showlegend=False, barmode="overlay", bargap=0,
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.5, len(doks) - 0.5], side="top", tickvals=list(range(len(doks))),
        ticktext=[f"DOK {dok}" for dok in doks], fixedrange=True, showgrid=False, zeroline=False,
        ticks="", color=colours.text,
    )  # fmt: skip
    figure.update_yaxes(
        range=[len(grades) - 0.5, -0.5], tickvals=list(range(len(grades))),
        ticktext=[f"Grade {grade}" for grade in grades], fixedrange=True, showgrid=False,
        zeroline=False, ticks="", color=colours.text,
    )  # fmt: skip
    _add_cells(figure, drawn, grades, doks, dark)
    _add_gaps(figure, drawn, grades, doks, colours)
    figure.add_annotation(
        text=f"{ramp_words(dark)} "
        f"Chance: {chance_words([cell.found.chances.mia for cell in drawn])}."
        + (f" Faded: n below {FEWEST}." if any(c.found.mia.n < FEWEST for c in drawn) else ""),
        x=0, xref="paper", xanchor="left", xshift=10 - _LEFT,
        y=0, yref="paper", yanchor="top", yshift=-8, showarrow=False,
        font={"color": colours.text, "size": 13},
    )  # fmt: skip
    return Chart(figure, _summary(drawn), data)


def drawn_cells(cells: Sequence[GridCell]) -> list[GridCell]:
    """The cells that have something to show, in the order of the chart's points."""
    return [cell for cell in cells if cell.found.mia.value is not None]


def _add_cells(
    figure: go.Figure, drawn: Sequence[GridCell], grades: list[int], doks: list[int], dark: bool
) -> None:
    shares = [cell.found.mia.value or 0.0 for cell in drawn]
    fills = [
        faded(colour, theme(dark)) if cell.found.mia.n < FEWEST else colour
        for cell in drawn
        for colour in [cell_colour(cell.found.mia.value or 0.0, dark)]
    ]
    figure.add_trace(
        go.Bar(
            orientation="h",
            x=[0.96] * len(drawn),
            base=[doks.index(cell.dok) - 0.48 for cell in drawn],
            y=[grades.index(cell.grade) for cell in drawn],
            width=0.94,
            text=[
                f"<b>{percent(share, 0)}</b><br>n = {cell.found.mia.n:,}"
                for share, cell in zip(shares, drawn, strict=True)
            ],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            constraintext="none",
            insidetextfont={"color": [ink_on(fill) for fill in fills], "size": 13},
            marker={"color": fills, "line": {"color": theme(dark).muted, "width": 1}},
            customdata=[plain(cell_words(cell)) for cell in drawn],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_gaps(
    figure: go.Figure, drawn: Sequence[GridCell], grades: list[int], doks: list[int], colours: Theme
) -> None:
    there = {(cell.grade, cell.dok) for cell in drawn}
    for row, grade in enumerate(grades):
        for column, dok in enumerate(doks):
            if (grade, dok) not in there:
                figure.add_annotation(
                    text="none", x=column, y=row, showarrow=False, font={"color": colours.muted}
                )


def cell_words(cell: GridCell) -> str:
    """A cell in words, with n and interval."""
    return f"Grade {cell.grade}, DOK {cell.dok}: {share_words(cell.found.mia)}"


def share_words(share: ReadShare, confidence: float = 0.95) -> str:
    """A share in words: ``62.5 % (95 % interval 51.0 % to 72.7 %, n = 24)``."""
    if share.value is None:
        return f"no value (n = {share.n})"
    level = exact_percent(confidence)
    spread = (
        f"no {level} interval can be determined"
        if share.interval is None
        else f"{level} interval {_ends(share.interval)}"
    )
    return f"{percent(share.value)} ({spread}, n = {share.n:,})"


def chance_words(chances: Sequence[float | None]) -> str:
    """What guessing reaches in several places: one share, or from which to which."""
    there = sorted({value for value in chances if value is not None})
    if not there:
        return "not known"
    if len({percent(value, 0) for value in there}) == 1:
        return percent(there[0], 0)
    return f"{percent(there[0], 0)} to {percent(there[-1], 0)}"


def _ends(interval: Interval) -> str:
    return percents(interval.low, interval.high)


def _summary(drawn: Sequence[GridCell]) -> str:
    parts = [f"{_TITLE}."]
    if len(drawn) > 1:
        order = sorted(drawn, key=lambda cell: cell.found.mia.value or 0.0)
        parts.append(f"Lowest: {cell_words(order[0])}. Highest: {cell_words(order[-1])}.")
    parts.append("; ".join(cell_words(cell) for cell in drawn) + ".")
    return " ".join(parts)


def _data(cells: Sequence[GridCell]) -> pd.DataFrame:
    rows = []
    for cell in cells:
        mia, aia = cell.found.mia, cell.found.aia
        rows.append(
            {
                "run": cell.found.run, "grade": cell.grade, "dok": cell.dok,
                "mia": mia.value, "mia_low": mia.interval and mia.interval.low,
                "mia_high": mia.interval and mia.interval.high, "n_mia": mia.n,
                "templates": mia.clusters, "aia": aia.value, "n_aia": aia.n,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
