"""How many of a class answered each item of a test rightly, wrongly or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, RunStyle, plain, theme
from biaslab.charts.forest import LegendLine, RowPositions, forest_figure
from schoolmath.malrules.classes import ItemAnswers
from schoolmath.text.figures import count

_THICK = 0.62
"""Of a bar, in rows."""

_NAMES = ("right", "wrong", "not answered")
_SIGNS = ("square", "square", "square")


def class_chart(found: Sequence[ItemAnswers], dark: bool = False) -> Chart:
    """A bar for each item, from the right answers on its left to the missing ones.

    Args:
        found: what a class answered, item by item; one at least.
        dark: for a dark page.
    """
    colours = theme(dark)
    pupils = found[0].answered + found[0].blank
    counted = [(each.right, each.answered - each.right, each.blank) for each in found]
    rows = RowPositions()
    places = [rows.block(f"Item {each.item + 1}", 1, 0.8)[0] for each in found]
    given = (colours.palette[0], colours.palette[1], colours.muted)
    title = f"What {count(pupils, 'pupil')} answered"
    legend = [
        LegendLine(name, RunStyle(*of)) for name, *of in zip(_NAMES, given, _SIGNS, strict=True)
    ]
    figure = forest_figure(rows, colours, title, "Pupils", [0, pupils], legend)
    for place, (name, colour) in enumerate(zip(_NAMES, given, strict=True)):
        figure.add_trace(
            go.Bar(
                x=[each[place] for each in counted],
                y=places,
                orientation="h",
                width=_THICK,
                name=name,
                marker={"color": colour, "line": {"color": colours.background, "width": 1}},
                # The number in it tells a piece from the others in a copy in grey, too.
                text=[str(each[place]) if each[place] else "" for each in counted],
                textposition="inside",
                insidetextanchor="middle",
                insidetextfont={"color": colours.background, "size": 12},
                customdata=[plain(f"Item {each.item + 1}") for each in found],
                hovertemplate="%{customdata}<br>%{x} " + name + "<extra></extra>",
            )
        )  # fmt: skip
    figure.update_layout(barmode="stack")
    told = "; ".join(
        f"item {each.item + 1}: {right} right, {wrong} wrong, {blank} not answered"
        for each, (right, wrong, blank) in zip(found, counted, strict=True)
    )
    table = pd.DataFrame(
        [(each.item + 1, *of) for each, of in zip(found, counted, strict=True)],
        columns=["item", "right", "wrong", "not answered"],
    )
    return Chart(figure, f"{title}: {told}.", table)
