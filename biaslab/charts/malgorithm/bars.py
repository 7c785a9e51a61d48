"""Bars of the rationales identified: those of the keys and those of the mal-rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import MOST_POINTS, Chart, empty_chart
from biaslab.charts.effects.forest import LegendLine, RowPositions, forest_figure
from biaslab.charts.malgorithm.grid import chance_words, share_words
from biaslab.charts.theme import RunStyle, Theme, theme
from biaslab.charts.wording import plain
from biaslab.studies.malgorithm.results import Identification, ReadShare

AIA, MIA = "AIA", "MIA"
_TITLE = "How often was the rationale identified?"
_HATCH = {AIA: "", MIA: "/"}


@dataclass(frozen=True, slots=True)
class BarGroup:
    """The figures of some questions of one run.

    Attributes:
        run: what the run is called; label: what the questions are called; both plain text.
        found: their figures.
    """

    run: str
    label: str
    found: Identification


def bars_chart(groups: Sequence[BarGroup], *, dark: bool = False) -> Chart:
    """AIA (solid) and MIA (hatched) of every group, with intervals and the line of chance.

    Args:
        groups: those of a run after one another. Trace 0 holds the AIA, trace 1 the MIA; a
            point is the place of its group.
        dark: for a dark page.
    """
    data = _data(groups)
    if not any(group.found.aia.n or group.found.mia.n for group in groups):
        return empty_chart("Nothing has been answered yet.", dark, data)
    if 2 * len(groups) > MOST_POINTS:
        sentence = f"There are {2 * len(groups)} bars, more than can be read: choose fewer runs."
        return empty_chart(sentence, dark, data)
    colours = theme(dark)
    rows = RowPositions()
    runs = list(dict.fromkeys(group.run for group in groups))
    placed: list[list[float]] = []
    last = ""
    for group in groups:
        if len(runs) > 1 and group.run != last:
            rows.heading(group.run)
            last = group.run
        placed.append(rows.block(group.label, 2, 0.5))
    chances = _chances(groups)
    legend = [
        LegendLine("AIA, solid: why the right choice", RunStyle(colours.palette[0], "square")),
        LegendLine("MIA, hatched: why a wrong choice", RunStyle(colours.palette[1], "square")),
        LegendLine(f"Dashed line: chance, {chance_words(chances)}"),
    ]
    axis_title = "Per cent identified<br>(lines: 95 % interval)"
    figure = forest_figure(rows, colours, _TITLE, axis_title, [0, 101], legend)
    figure.update_layout(barmode="overlay")
    for index, name in enumerate((AIA, MIA)):
        _add(figure, name, groups, [each[index] for each in placed], colours)
    _add_chances(figure, groups, placed, colours)
    return Chart(figure, _summary(groups), data)


def _chances(groups: Sequence[BarGroup]) -> list[float | None]:
    return [each for group in groups for each in (group.found.chances.aia, group.found.chances.mia)]


def _add_chances(
    figure: go.Figure, groups: Sequence[BarGroup], placed: list[list[float]], colours: Theme
) -> None:
    """One line where chance is the same everywhere, else a piece of line at every bar."""
    line = {"color": colours.text, "width": 1.5, "dash": "dash"}
    there = {each for each in _chances(groups) if each is not None}
    if len(there) == 1:
        figure.add_vline(x=100 * there.pop(), line=line)
        return
    for group, places in zip(groups, placed, strict=True):
        chances = (group.found.chances.aia, group.found.chances.mia)
        for chance, place in zip(chances, places, strict=True):
            if chance is not None:
                figure.add_shape(
                    type="line", x0=100 * chance, x1=100 * chance,
                    y0=place - 0.25, y1=place + 0.25, line=line,
                )  # fmt: skip


def _share(group: BarGroup, name: str) -> ReadShare:
    return group.found.aia if name == AIA else group.found.mia


def _add(
    figure: go.Figure, name: str, groups: Sequence[BarGroup], places: list[float], colours: Theme
) -> None:
    colour = colours.palette[0 if name == AIA else 1]
    shares = [_share(group, name) for group in groups]
    values = [share.value or 0.0 for share in shares]
    both = list(zip(shares, values, strict=True))
    figure.add_trace(
        go.Bar(
            orientation="h",
            name=name,
            x=[100 * value for value in values],
            y=places,
            width=0.4,
            marker={
                "color": colour,
                "line": {"color": colour, "width": 1.5},
                "pattern": {
                    "shape": _HATCH[name], "fillmode": "replace", "fgcolor": colour,
                    "bgcolor": colours.background, "size": 7, "solidity": 0.4,
                },
            },
            error_x={
                "type": "data", "symmetric": False, "color": colours.text, "thickness": 1.5,
                "width": 4,
                "array": [s.interval and 100 * (s.interval.high - v) for s, v in both],
                "arrayminus": [s.interval and 100 * (v - s.interval.low) for s, v in both],
            },
            customdata=[
                [plain(group.run), plain(group.label), share_words(share)]
                for group, share in zip(groups, shares, strict=True)
            ],
            hovertemplate=(
                "%{customdata[0]}<br>%{customdata[1]}<br>%{fullData.name}: %{customdata[2]}"
                "<extra></extra>"
            ),
        )
    )  # fmt: skip


def _summary(groups: Sequence[BarGroup]) -> str:
    parts = [f"{_TITLE} Chance is {chance_words(_chances(groups))}."]
    for run in dict.fromkeys(group.run for group in groups):
        each = "; ".join(
            f"{group.label}: AIA {share_words(group.found.aia)}, MIA {share_words(group.found.mia)}"
            for group in groups
            if group.run == run
        )
        parts.append(f"{run}: {each}.")
    return " ".join(parts)


def _data(groups: Sequence[BarGroup]) -> pd.DataFrame:
    rows = []
    for group in groups:
        row: dict[str, object] = {"run": group.found.run, "who": group.run, "group": group.label}
        for name in (AIA, MIA):
            share, key = _share(group, name), name.lower()
            row |= {
                key: share.value, f"{key}_low": share.interval and share.interval.low,
                f"{key}_high": share.interval and share.interval.high, f"n_{key}": share.n,
            }  # fmt: skip
        rows.append(row)
    return pd.DataFrame(rows)
