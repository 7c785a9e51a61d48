"""What every chart function returns, and the picture button of the browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from biaslab.charts.theme import base_layout, theme
from biaslab.charts.wording import lines, wrapped

if TYPE_CHECKING:
    import pandas as pd

MOST_POINTS = 200
"""More marks than this are neither readable nor quick to draw."""

TITLE_WIDTH = 44
"""Characters of a title's line that fit on a phone."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of results together with the same results in words and in numbers.

    Attributes:
        figure: the plotly figure; show it without another theme over it.
        summary: what it shows in plain words, with n and intervals: for screen readers and
            for those who do not read charts. Plain text, not markup.
        data: the numbers behind it, a row per mark; empty in an empty chart.
    """

    figure: go.Figure
    summary: str
    data: pd.DataFrame


def config(name: str) -> dict[str, Any]:
    """Plotly's configuration: a button that downloads the picture as SVG under this name."""
    filename = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "chart"
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "responsive": True,
        "scrollZoom": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": f"biaslab-{filename}"},
    }


CONFIG = config("chart")
"""`config` for a chart without a name of its own."""


def empty_chart(sentence: str, dark: bool = False, data: pd.DataFrame | None = None) -> Chart:
    """A chart that says why there is nothing to see.

    Args:
        sentence: why, and what to do; also the summary.
        dark: for a dark page.
        data: numbers that exist but are not drawn.
    """
    import pandas as pd

    colours = theme(dark)
    text = wrapped(sentence, TITLE_WIDTH)
    figure = go.Figure(layout=base_layout(colours, "", 80 + 20 * lines(text)))
    figure.update_layout(margin={"l": 10, "r": 10, "t": 10, "b": 10})
    figure.update_xaxes(visible=False, fixedrange=True)
    figure.update_yaxes(visible=False, fixedrange=True)
    figure.add_annotation(
        text=text, showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper",
        font={"size": 14, "color": colours.text},
    )  # fmt: skip
    return Chart(figure, sentence, pd.DataFrame() if data is None else data)
