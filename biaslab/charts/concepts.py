"""Pictures of the study of concepts: a concept on its number line, how well each was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    MOST_POINTS,
    TITLE_LINE,
    TITLE_WIDTH,
    Chart,
    RunStyle,
    Theme,
    base_layout,
    empty_chart,
    lines,
    plain,
    theme,
    wrapped,
)
from biaslab.charts.forest import LegendLine, RowPositions, forest_figure
from biaslab.studies.concepts import Concept, Population
from biaslab.studies.concepts.results import ConceptAccuracy, ConceptFigures
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


_TITLE = "How often was the answer right?"
_SEMANTICS = {"hidden": "circle", "made-up": "diamond", "explicit": "square"}
_ARMS = {"x": "first concept", "x_prime": "the one compared with it"}


@dataclass(frozen=True, slots=True)
class Curve:
    """Accuracy by distance from the threshold.

    Attributes:
        arm: ``x`` or ``x_prime``; semantics: what the prompt says.
        bins: names of the bins, rising, with their accuracies.
    """

    arm: str
    semantics: str
    bins: Mapping[str, ConceptAccuracy]


def accuracy_chart(figures: Sequence[ConceptFigures], *, dark: bool = False) -> Chart:
    """Accuracy of every concept with its interval; ticks mark what learners reach.

    Args:
        figures: of one run. Trace 0 is the ratio learner, trace 1 the count learner, then a trace
            for each way of saying the concept.
        dark: for a dark page.
    """
    data = _data(figures)
    if not any(each.accuracy.n for each in figures):
        return empty_chart("Nothing has been answered yet.", dark, data)
    if 3 * len(figures) > MOST_POINTS:
        sentence = f"There are {len(figures)} concepts, more than can be read in one chart."
        return empty_chart(sentence, dark, data)
    colours = theme(dark)
    rows = RowPositions()
    by_concept: dict[tuple[str, str], list[ConceptFigures]] = {}
    for each in figures:
        by_concept.setdefault((each.arm, each.concept), []).append(each)
    placed: list[tuple[ConceptFigures, float]] = []
    last = ""
    for (arm, concept), group in by_concept.items():
        if arm != last:
            rows.heading(_ARMS[arm].capitalize())
            last = arm
        placed += zip(group, rows.block(concept, len(group), 0.6), strict=True)
    present = [name for name in _SEMANTICS if any(f.semantics == name for f in figures)]
    legend = [
        *(
            LegendLine(name.capitalize(), RunStyle(colours.palette[index], _SEMANTICS[name]))
            for index, name in enumerate(present)
        ),
        LegendLine("Tall tick: ratio learner; short: count"),
        LegendLine("Dashed line: chance, 50 %"),
    ]
    figure = forest_figure(
        rows, colours, _TITLE, "Per cent right<br>(lines: 95 % interval)", [0, 101], legend
    )
    for name, size in (("ratio", 20), ("count", 10)):
        _add_ceiling(figure, placed, name, size, colours)
    for index, name in enumerate(present):
        _add_points(figure, placed, name, colours.palette[index])
    figure.add_vline(x=50, line={"color": colours.text, "width": 1.5, "dash": "dash"})
    return Chart(
        figure, f"{_TITLE} Chance is 50 %. {'; '.join(_words(each) for each in figures)}.", data
    )


def distance_chart(curves: Sequence[Curve], bins: Sequence[str], *, dark: bool = False) -> Chart:
    """Accuracy by distance from the threshold, a line for each concept and way of saying it.

    Args:
        curves: of one run.
        bins: all bins in rising order.
        dark: for a dark page.
    """
    shown_bins = [name for name in bins if any(name in curve.bins for curve in curves)]
    rows = [
        {
            "arm": _ARMS[curve.arm], "semantics": curve.semantics, "distance": name,
            "accuracy": found.value, "n": found.n,
            "low": found.interval and found.interval.low,
            "high": found.interval and found.interval.high,
        }
        for curve in curves
        for name, found in curve.bins.items()
    ]  # fmt: skip
    data = pd.DataFrame(rows)
    if not any(found.n for curve in curves for found in curve.bins.values()):
        return empty_chart("Nothing has been answered yet.", dark, data)
    colours = theme(dark)
    shown = wrapped("How often right, by distance from the threshold", TITLE_WIDTH)
    above = 22 + TITLE_LINE * lines(shown)
    below = 96 + 20 * len(curves)
    figure = go.Figure(layout=base_layout(colours, shown, above + 240 + below))
    figure.update_layout(
        margin={"l": 56, "r": 14, "t": above, "b": below, "autoexpand": False}, showlegend=False
    )
    figure.update_xaxes(
        tickvals=list(range(len(shown_bins))),
        ticktext=[name.replace(" to ", "–").replace(" or more", "+") for name in shown_bins],
        range=[-0.4, len(shown_bins) - 0.6], color=colours.text, gridcolor=colours.grid,
        fixedrange=True, zeroline=False,
        title={"text": "Distance, as a share of the total", "standoff": 8},
    )  # fmt: skip
    figure.update_yaxes(
        range=[0, 103], color=colours.text, gridcolor=colours.grid, fixedrange=True,
        zeroline=False, title={"text": "Per cent right", "standoff": 6},
    )  # fmt: skip
    for index, curve in enumerate(curves):
        _add_curve(figure, curve, shown_bins, index, len(curves), colours)
    figure.add_hline(y=50, line={"color": colours.text, "width": 1.5, "dash": "dash"})
    return Chart(figure, _distance_summary(curves), data)


def _add_ceiling(
    figure: go.Figure,
    placed: Sequence[tuple[ConceptFigures, float]],
    name: str,
    size: int,
    colours: Theme,
) -> None:
    found = [
        (100 * ceiling.accuracy, place)
        for each, place in placed
        for ceiling in each.ceilings
        if ceiling.name == name and ceiling.accuracy is not None
    ]
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in found], y=[y for _, y in found], mode="markers", name=name,
            marker={"symbol": "line-ns", "size": size, "color": colours.muted,
                    "line": {"color": colours.muted, "width": 2.5}},
            hovertemplate=f"{name} learner: %{{x:.1f}} %<extra></extra>",
        )
    )  # fmt: skip


def _add_points(
    figure: go.Figure, placed: Sequence[tuple[ConceptFigures, float]], name: str, colour: str
) -> None:
    mine = [
        (each, each.accuracy.value, place)
        for each, place in placed
        if each.semantics == name and each.accuracy.value is not None
    ]
    ends = [(each.accuracy.interval, value) for each, value, _ in mine]
    figure.add_trace(
        go.Scatter(
            x=[100 * value for _, value, _ in mine],
            y=[place for _, _, place in mine],
            mode="markers",
            name=name,
            marker={"symbol": _SEMANTICS[name], "size": 10, "color": colour},
            error_x={
                "type": "data", "symmetric": False, "color": colour, "thickness": 1.5, "width": 4,
                "array": [end and 100 * (end.high - value) for end, value in ends],
                "arrayminus": [end and 100 * (value - end.low) for end, value in ends],
            },
            customdata=[plain(_words(each)) for each, _, _ in mine],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _add_curve(
    figure: go.Figure, curve: Curve, bins: Sequence[str], index: int, many: int, colours: Theme
) -> None:
    colour = colours.palette[index % len(colours.palette)]
    at = [
        (place + (index - (many - 1) / 2) * 0.06, curve.bins[name])
        for place, name in enumerate(bins)
        if name in curve.bins and curve.bins[name].value is not None
    ]
    values = [100 * (found.value or 0.0) for _, found in at]
    ends = [found.interval for _, found in at]
    name = f"{_ARMS[curve.arm]}, {curve.semantics}"
    symbol = _SEMANTICS.get(curve.semantics, "circle")
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in at], y=values, mode="lines+markers", name=name,
            line={"color": colour, "width": 2, "dash": "solid" if curve.arm == "x" else "dot"},
            marker={"symbol": symbol, "size": 9, "color": colour},
            error_y={
                "type": "data", "symmetric": False, "color": colour, "thickness": 1.2, "width": 3,
                "array": [e and 100 * e.high - v for e, v in zip(ends, values, strict=True)],
                "arrayminus": [e and v - 100 * e.low for e, v in zip(ends, values, strict=True)],
            },
            customdata=[found.n for _, found in at],
            hovertemplate=f"{plain(name)}: %{{y:.1f}} % (n = %{{customdata}})<extra></extra>",
        )
    )  # fmt: skip
    dash = "solid" if curve.arm == "x" else "dotted"
    figure.add_annotation(
        text=f'<span style="color:{colour}">{RunStyle(colour, symbol).glyph}</span> '
        f"{plain(name)} ({dash})",
        x=0, xref="paper", xanchor="left", xshift=-46, y=0, yref="paper", yanchor="top",
        yshift=-66 - 20 * index, showarrow=False, font={"color": colours.text, "size": 13},
    )  # fmt: skip


def _words(figures: ConceptFigures) -> str:
    found = figures.accuracy
    if found.value is None:
        return f"“{figures.concept}”, {figures.semantics}: no value"
    spread = (
        "no interval"
        if found.interval is None
        else f"95 % interval {percent(found.interval.low)} to {percent(found.interval.high)}"
    )
    ceilings = ", ".join(
        f"{ceiling.name} learner {percent(ceiling.accuracy)}"
        for ceiling in figures.ceilings
        if ceiling.accuracy is not None
    )
    return (
        f"“{figures.concept}”, {figures.semantics}: {percent(found.value)} ({spread}, n = "
        f"{found.n:,}; "
        f"{ceilings})"
    )


def _distance_summary(curves: Sequence[Curve]) -> str:
    parts = []
    for curve in curves:
        each = ", ".join(
            f"{name}: {percent(found.value)} (n = {found.n:,})"
            for name, found in curve.bins.items()
            if found.value is not None
        )
        parts.append(f"{_ARMS[curve.arm].capitalize()}, {curve.semantics}: {each}.")
    return f"Accuracy by distance from the threshold. Chance is 50 %. {' '.join(parts)}"


def _data(figures: Sequence[ConceptFigures]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "run": each.run, "arm": _ARMS[each.arm], "concept": each.concept,
                "bound": each.bound, "direction": each.direction, "semantics": each.semantics,
                "accuracy": each.accuracy.value, "n": each.accuracy.n,
                "low": each.accuracy.interval and each.accuracy.interval.low,
                "high": each.accuracy.interval and each.accuracy.interval.high,
                "yes_rate": each.signals.yes_rate, "d_prime": each.signals.d_prime,
                "criterion": each.signals.criterion,
                **{f"{ceiling.name}_learner": ceiling.accuracy for ceiling in each.ceilings},
            }
            for each in figures
        ]
    )  # fmt: skip
