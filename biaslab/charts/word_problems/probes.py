"""Where the operation can be read off: how often linear probes are right, by layer and place."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH, Chart
from biaslab.charts.theme import TITLE_LINE, Theme, base_layout, mixed, theme, written_on
from biaslab.charts.word_problems.swaps import layer_words
from biaslab.charts.wording import lines, plain, wrapped
from biaslab.studies.word_problems.inside.probes import PLACES, ProbeAccuracy
from schoolmath.text.figures import hundredths, percent, percents

_ROW = 26
"""Height in pixels of a place's row."""
_WRITTEN = 9
"""Layers up to which each cell has room for its number on a phone."""
_PLACE = 170
"""Width in pixels of the names of places."""


def message(found: Sequence[ProbeAccuracy]) -> str:
    """Where the probe is right most often, in one sentence."""
    best = max(found, key=lambda each: each.share)
    return (
        "A linear probe, which weighs the model's numbers at one place, names the operation best "
        f"at the {PLACES[best.place]}, {layer_words(best.layer)}: right for {percent(best.share)} "
        f"of {best.n} problems that it has not seen (95 % interval "
        f"{percents(best.interval.low, best.interval.high)}), where the word “more” or “fewer” "
        "alone would be right for half."
    )


def table(found: Sequence[ProbeAccuracy], model: str) -> pd.DataFrame:
    """A row for every layer and place; shares are from 0 to 1."""
    return pd.DataFrame(
        [
            {
                "model": model,
                "layer": each.layer,
                "place": PLACES[each.place],
                "right": each.right,
                "n": each.n,
                "share": each.share,
                "low": each.interval.low,
                "high": each.interval.high,
                "share_inconsistent": each.inconsistent,
                "share_shuffled_labels": each.shuffled,
                "share_of_cue_word": each.cue,
            }
            for each in found
        ]
    )


def probe_chart(found: Sequence[ProbeAccuracy], model: str, *, dark: bool = False) -> Chart:
    """How often the operation was read off rightly, a row for each place, a column for each layer.

    Args:
        found: of `accuracies`, layer by layer.
        model: its name on screens.
        dark: for a dark page.
    """
    colours = theme(dark)
    title = wrapped(f"Operation, % right: {model}", TITLE_WIDTH)
    layers = 1 + max(each.layer for each in found)
    above = 22 + TITLE_LINE * lines(title) + 40
    figure = go.Figure(layout=base_layout(colours, title, above + _ROW * len(PLACES) + 12))
    figure.update_layout(
        margin={"l": _PLACE, "r": 12, "t": above, "b": 12, "autoexpand": False},
        plot_bgcolor=colours.grid,
    )
    cells = {(each.place, each.layer): each for each in found}
    grid = [[cells[place, layer] for layer in range(layers)] for place in range(len(PLACES))]
    figure.add_trace(
        go.Heatmap(
            z=[[each.share for each in row] for row in grid], zmin=0.5, zmax=1, showscale=False,
            xgap=1, ygap=1, colorscale=[[0, colours.background], [1, colours.palette[0]]],
            customdata=[
                [
                    f"{plain(PLACES[each.place])}, {layer_words(each.layer)}<br>"
                    f"{each.right} of {each.n} right, "
                    f"{percents(each.interval.low, each.interval.high)}<br>"
                    f"inconsistent ones: {percent(each.inconsistent)}<br>"
                    f"shuffled labels: {percent(each.shuffled)}; cue word: {percent(each.cue)}"
                    for each in row
                ]
                for row in grid
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip
    if layers <= _WRITTEN:
        figure.add_trace(_numbers(found, colours))
    axis = {"color": colours.text, "showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(
        tickvals=list(range(layers)), ticktext=["in", *map(str, range(1, layers))], side="top",
        title={"text": "after layer", "standoff": 4}, **axis,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(PLACES))), ticktext=[plain(place) for place in PLACES],
        range=[len(PLACES) - 0.5, -0.5], **axis,
    )  # fmt: skip
    return Chart(figure, message(found), table(found, model))


def _numbers(found: Sequence[ProbeAccuracy], colours: Theme) -> go.Scatter:
    """The percentage in each cell."""
    cells = [
        mixed(colours.background, colours.palette[0], max(0.0, 2 * each.share - 1))
        for each in found
    ]
    return go.Scatter(
        x=[each.layer for each in found], y=[each.place for each in found], mode="text",
        text=[hundredths(each.share, 0) for each in found], hoverinfo="skip", showlegend=False,
        textfont={"size": 13, "color": [written_on(cell, colours) for cell in cells]},
    )  # fmt: skip
