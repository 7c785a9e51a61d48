"""Pictures of a concept: the number line of one total, and all totals at once."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH, Chart
from biaslab.charts.theme import TITLE_LINE, base_layout, theme
from biaslab.charts.wording import lines, wrapped
from biaslab.studies.concepts import Concept, Population
from schoolmath.text.figures import percent

LONGEST_LINE = 100
"""Largest total that a number line shows: more marks are not told apart."""

MOST_TOTALS = 100
"""Most totals in the picture of all totals."""


def number_line(concept: Concept, total: int, least: int = 0, *, dark: bool = False) -> Chart:
    """Every part of one total: filled where yes is right, hollow where no is.

    Args:
        concept: what is asked about.
        total: how many there are in all, up to `LONGEST_LINE`.
        least: smallest part.
        dark: for a dark page.
    """
    colours = theme(dark)
    parts = list(range(least, total + 1))
    yes = [concept.answers_yes(total, has) for has in parts]
    shown = wrapped(f"“{concept.id}”: parts of a total of {total}", TITLE_WIDTH)
    above = 22 + TITLE_LINE * lines(shown)
    figure = go.Figure(layout=base_layout(colours, shown, above + 130))
    figure.update_layout(
        margin={"l": 20, "r": 20, "t": above, "b": 76, "autoexpand": False}, showlegend=False
    )
    size = 13 if total <= 30 else 8 if total <= 60 else 5
    for right, symbol, colour in (
        (True, "circle", colours.palette[0]), (False, "circle-open", colours.muted)
    ):  # fmt: skip
        at = [has for has, says in zip(parts, yes, strict=True) if says == right]
        figure.add_trace(
            go.Scatter(
                x=at, y=[0.0] * len(at), mode="markers", name="yes" if right else "no",
                marker={"symbol": symbol, "size": size, "color": colour,
                        "line": {"color": colour, "width": 1.5}},
                hovertemplate=f"%{{x}} of {total}: {'yes' if right else 'no'}<extra></extra>",
            )
        )  # fmt: skip
    figure.update_xaxes(
        range=[least - total / 40 - 0.4, total * 1.025 + 0.4], color=colours.text,
        gridcolor=colours.grid, zeroline=False, fixedrange=True, nticks=6,
        title={"text": "How many somebody has", "standoff": 6},
    )  # fmt: skip
    figure.update_yaxes(visible=False, range=[-1, 1], fixedrange=True)
    figure.add_annotation(
        text="● yes   ○ no", x=0, xref="paper", xanchor="left", y=0, yref="paper",
        yanchor="top", yshift=-54, showarrow=False, font={"color": colours.text},
    )  # fmt: skip
    data = pd.DataFrame({"total": total, "has": parts, "yes": yes})
    summary = f"“{concept.id}” with a total of {total}: yes for {_runs(parts, yes)}."
    return Chart(figure, summary, data)


def extension_chart(concept: Concept, population: Population, *, dark: bool = False) -> Chart:
    """All totals of a population, up to `MOST_TOTALS` of them: where yes is right.

    Args:
        concept: what is asked about.
        population: the totals and parts.
        dark: for a dark page.
    """
    colours = theme(dark)
    totals = list(range(population.low, min(population.high, population.low + MOST_TOTALS - 1) + 1))
    parts = list(range(population.min_has, totals[-1] + 1))
    grid = [
        [int(concept.answers_yes(total, has)) if has <= total else None for total in totals]
        for has in parts
    ]
    shown = wrapped(f"“{concept.id}”: every total and part", TITLE_WIDTH)
    above = 22 + TITLE_LINE * lines(shown)
    figure = go.Figure(layout=base_layout(colours, shown, above + 370))
    figure.update_layout(margin={"l": 58, "r": 14, "t": above, "b": 86, "autoexpand": False})
    figure.add_trace(
        go.Heatmap(
            x=totals, y=parts, z=grid, zmin=0, zmax=1, showscale=False, hoverongaps=False,
            colorscale=[[0, colours.grid], [1, colours.palette[0]]],
            customdata=[["" if z is None else ("no", "yes")[z] for z in row] for row in grid],
            hovertemplate="%{y} of %{x}: %{customdata}<extra></extra>",
        )
    )  # fmt: skip
    axis = {
        "color": colours.text, "zeroline": False, "fixedrange": True, "showgrid": False,
        "nticks": 6,
    }  # fmt: skip
    figure.update_xaxes(title={"text": "How many in all", "standoff": 6}, **axis)
    figure.update_yaxes(title={"text": "How many somebody has", "standoff": 6}, **axis)
    figure.add_annotation(
        text=f'<span style="color:{colours.palette[0]}">■</span> yes   '
        f'<span style="color:{colours.muted}">□</span> no',
        x=0, xref="paper", xanchor="left", y=0, yref="paper", yanchor="top", yshift=-56,
        showarrow=False, font={"color": colours.text},
    )  # fmt: skip
    cells = [
        (total, has, bool(value))
        for has, row in zip(parts, grid, strict=True)
        for total, value in zip(totals, row, strict=True)
        if value is not None
    ]
    data = pd.DataFrame(cells, columns=["total", "has", "yes"])
    yes = int(data["yes"].sum())
    summary = (
        f"“{concept.id}” with totals from {totals[0]} to {totals[-1]}: yes is right for {yes:,} of "
        f"{len(data):,} amounts ({percent(yes / len(data))})."
    )
    return Chart(figure, summary, data)


def _runs(parts: list[int], yes: list[bool]) -> str:
    """The parts with a yes in words: ``0 to 8 and 12 to 20``; many single ones by their number."""
    found: list[list[int]] = []
    for has, says in zip(parts, yes, strict=True):
        if says:
            if found and found[-1][1] == has - 1:
                found[-1][1] = has
            else:
                found.append([has, has])
    if not found:
        return "none of them"
    if len(found) > 6:
        return f"{sum(yes)} of {len(parts)} parts, such as {found[0][0]} and {found[1][0]}"
    return " and ".join(f"{a} to {b}" if a != b else str(a) for a, b in found)
