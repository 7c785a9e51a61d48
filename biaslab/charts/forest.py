"""Rows under one another over a shared axis: what fits a phone whatever is compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH
from biaslab.charts.theme import Theme, base_layout
from biaslab.charts.wording import lines, shortened, wrapped

_ROW = 36
"""Pixels from one row to the next."""

_LABEL = 20
"""Characters of a line of a row's label."""

_ABOVE = 44
"""Pixels between title and rows, for the words on either side."""

_BELOW = 66
"""Pixels for ticks and title of the axis."""


@dataclass(slots=True)
class Rows:
    """Hands out vertical positions; the first row is at the top.

    Attributes:
        labels: position and text (safe for the figure) of every labelled row.
        headings: position and text of rows that only carry a heading.
    """

    labels: list[tuple[float, str]] = field(default_factory=list)
    headings: list[tuple[float, str]] = field(default_factory=list)
    end: float = 0.0

    def heading(self, text: str) -> None:
        """A heading over the rows that follow, on as many lines as it needs."""
        shown = wrapped(text, TITLE_WIDTH)
        height = 0.35 + 0.5 * lines(shown)
        self.headings.append((self.end + height / 2 - 0.5, shown))
        self.end += height

    def block(self, label: str, marks: int) -> list[float]:
        """Positions of marks under one another that share a label."""
        positions = [self.end + index for index in range(marks)]
        middle = self.end + (marks - 1) / 2
        self.labels.append((middle, wrapped(shortened(label, 3 * _LABEL), _LABEL)))
        self.end += marks + (0.3 if marks > 1 else 0.0)
        return positions


def forest_figure(
    rows: Rows, colours: Theme, title: str, axis: dict[str, Any], legend_entries: int
) -> go.Figure:
    """An empty figure with rows, an axis below them and a legend under that.

    Args:
        rows: all rows, already handed out.
        colours: the theme.
        title: plain words.
        axis: settings of the horizontal axis beyond its colours.
        legend_entries: lines to keep free for the legend.
    """
    shown = wrapped(title, TITLE_WIDTH)
    above = 16 + 20 * lines(shown) + _ABOVE
    below = _BELOW + (12 + 21 * legend_entries if legend_entries else 0)
    height = round(above + below + _ROW * rows.end)
    figure = go.Figure(layout=base_layout(colours, shown, height))
    longest = max((len(line) for _, text in rows.labels for line in text.split("<br>")), default=0)
    left = 24 + 7 * min(longest, _LABEL)
    figure.update_layout(
        margin={"l": left, "r": 18, "t": above, "b": below},
        showlegend=legend_entries > 0,
        legend={
            "orientation": "v", "x": 0, "xref": "container", "xanchor": "left",
            "y": 0, "yref": "container", "yanchor": "bottom",
            "font": {"color": colours.text, "size": 13}, "bgcolor": colours.background,
            "grouptitlefont": {"color": colours.text, "size": 13}, "tracegroupgap": 4,
            "itemclick": False, "itemdoubleclick": False,
        },
    )  # fmt: skip
    figure.update_xaxes(
        color=colours.text, gridcolor=colours.grid, zeroline=False, fixedrange=True,
        showline=True, linecolor=colours.muted, title_font={"size": 13, "color": colours.text},
        nticks=6, **axis,
    )  # fmt: skip
    figure.update_yaxes(
        range=[rows.end - 0.4, -0.75], fixedrange=True, showgrid=False, zeroline=False,
        color=colours.text, tickvals=[y for y, _ in rows.labels],
        ticktext=[text for _, text in rows.labels], ticks="",
    )  # fmt: skip
    for y, text in rows.headings:
        figure.add_annotation(
            text=f"<b>{text}</b>", x=0, xref="paper", xanchor="left", xshift=10 - left, y=y,
            yref="y", showarrow=False, align="left", font={"color": colours.text},
        )  # fmt: skip
    return figure


def side_words(figure: go.Figure, colours: Theme, left: str, right: str) -> None:
    """Words over the two ends of the axis that say what each direction means."""
    for text, x, anchor in ((left, 0.0, "left"), (right, 1.0, "right")):
        figure.add_annotation(
            text=text, x=x, xref="paper", xanchor=anchor, y=1, yref="paper", yanchor="bottom",
            yshift=2, showarrow=False, align=anchor, font={"color": colours.text, "size": 12},
        )  # fmt: skip
