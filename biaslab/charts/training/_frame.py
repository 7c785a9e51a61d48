"""What the pictures of trainings share: a title above, curves over one place, a key below."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH
from biaslab.charts.theme import TITLE_LINE, Theme, base_layout
from biaslab.charts.wording import lines, wrapped

PLOT = 320
"""Pixels that one plot is high."""

KEY = 150
"""Pixels below the plot for the axis and a key of up to four lines."""


def framed(
    title: str, colours: Theme, *, head: int = 32, plot: int = PLOT, below: int = KEY
) -> go.Figure:
    """An empty picture with its title, that takes no room of its own for axes or legends.

    Args:
        title: in any length; it is broken into lines.
        colours: of the page.
        head: pixels above, beside the title's lines.
        plot: pixels that are drawn in.
        below: pixels for the axis and the key.
    """
    shown = wrapped(title, TITLE_WIDTH)
    above = head + TITLE_LINE * lines(shown)
    figure = go.Figure(layout=base_layout(colours, shown, above + plot + below))
    figure.update_layout(
        margin={"l": 56, "r": 16, "t": above, "b": below, "autoexpand": False}, showlegend=False
    )
    return figure


def axis(colours: Theme) -> dict[str, object]:
    """What every axis looks like."""
    return {"color": colours.text, "gridcolor": colours.grid, "fixedrange": True, "zeroline": False}


def add_zero(figure: go.Figure, colours: Theme) -> None:
    """The line of no effect."""
    figure.add_hline(y=0, line={"color": colours.text, "width": 1.5})


def add_key(figure: go.Figure, texts: Sequence[str], colours: Theme) -> None:
    """Says below the picture what its marks are, a line each."""
    for index, text in enumerate(texts):
        figure.add_annotation(
            text=text, x=0, xref="paper", xanchor="left", xshift=-46, y=0, yref="paper",
            yanchor="top", yshift=-56 - 20 * index, showarrow=False,
            font={"color": colours.text, "size": 13},
        )  # fmt: skip
