"""A set of pairs at a glance: how often each level of a measure occurs, and what is unbalanced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, RunStyle, Theme, empty_chart, plain, theme
from biaslab.charts.forest import LegendLine, RowPositions, forest_figure
from biaslab.studies import Arms
from biaslab.studies.word_problems.overview import Distribution, PairOverview
from biaslab.studies.word_problems.overview.measures import Level
from schoolmath.text.figures import percent

MOST_BINS = 12
"""Levels of a measure that get a row of their own; more numbers than that share rows."""

_HATCH = ("", "/")


@dataclass(frozen=True, slots=True)
class Bin:
    """A row of the chart: one level, or numbers from low to high.

    Attributes:
        label: as on the axis.
        x, x_prime: how many values of each arm it holds.
    """

    label: str
    x: int
    x_prime: int


def measure_chart(distribution: Distribution, arms: Arms, *, dark: bool = False) -> Chart:
    """How often each level of a measure occurs: solid bars for x, hatched ones for x′.

    Args:
        distribution: of one measure.
        arms: what the members are called.
        dark: for a dark page.
    """
    title = distribution.measure.label
    bins = binned(distribution)
    totals = sum(each.x for each in bins), sum(each.x_prime for each in bins)
    data = _data(bins, totals)
    if not any(totals):
        return empty_chart(f"{title}: nothing is known of these problems.", dark, data)
    colours = theme(dark)
    rows = RowPositions()
    placed = [rows.block(each.label, 2, 0.5) for each in bins]
    legend = [
        LegendLine(f"x, solid: {arms.x}", RunStyle(colours.palette[0], "square")),
        LegendLine(f"x′, hatched: {arms.x_prime}", RunStyle(colours.palette[1], "square")),
    ]
    axis = "Per cent of the member's values"
    figure = forest_figure(rows, colours, title, axis, None, legend)
    figure.update_layout(barmode="overlay")
    figure.update_xaxes(rangemode="tozero")
    for index, name in enumerate(("x", "x_prime")):
        counts = [getattr(each, name) for each in bins]
        shares = [100 * n / totals[index] if totals[index] else 0.0 for n in counts]
        labels = [each.label for each in bins]
        places = [each[index] for each in placed]
        _add_bars(figure, (arms.x, arms.x_prime)[index], shares, counts, labels, places, colours)
    return Chart(figure, _summary(distribution, bins, totals, arms), data)


def imbalance_chart(overview: PairOverview, *, dark: bool = False) -> Chart:
    """In how many pairs the members differ beyond the treatment: a bar for each warning."""
    title = "Where members differ beyond the treatment"
    data = pd.DataFrame(
        {
            "aspect": [str(each.aspect) for each in overview.warnings],
            "pairs": [each.pairs for each in overview.warnings],
            "of": [each.of for each in overview.warnings],
            "mean_difference": [each.mean_difference for each in overview.warnings],
            "within_treatment": [each.within for each in overview.warnings],
        }
    )
    if not overview.warnings:
        sentence = "Members differ in nothing but the treatment."
        if not overview.pairs:
            sentence = "There are no pairs to compare yet."
        return empty_chart(sentence, dark, data)
    colours = theme(dark)
    rows = RowPositions()
    places = [rows.block(str(each.aspect).capitalize(), 1)[0] for each in overview.warnings]
    figure = forest_figure(rows, colours, title, "Per cent of the pairs", [0, 101], [])
    shares = [100 * each.pairs / each.of for each in overview.warnings]
    counts = [each.pairs for each in overview.warnings]
    labels = [str(each.aspect) for each in overview.warnings]
    _add_bars(figure, "pairs", shares, counts, labels, places, colours)
    return Chart(figure, f"{title}. {' '.join(map(str, overview.warnings))}", data)


def binned(distribution: Distribution) -> list[Bin]:
    """The levels as rows, numbers in bins of one width where there are too many."""
    x, x_prime = dict(distribution.x), dict(distribution.x_prime)
    levels = list(dict.fromkeys([*x, *x_prime]))
    numbers = sorted(int(level) for level in levels if not isinstance(level, str))
    if not numbers:
        return [_bin(str(level).capitalize(), [level], x, x_prime) for level in levels]
    width = _width(numbers[0], numbers[-1])
    if width == 1:
        every = range(numbers[0], numbers[-1] + 1)
        return [_bin(str(level), [level], x, x_prime) for level in every]
    bins = []
    for low in range(numbers[0] // width * width, numbers[-1] + 1, width):
        inside: list[Level] = [n for n in numbers if low <= n < low + width]
        bins.append(_bin(f"{low} to {low + width - 1}", inside, x, x_prime))
    return bins


def _width(low: int, high: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 ... that makes no more than `MOST_BINS` bins."""
    power = 1
    while True:
        for width in (power, 2 * power, 5 * power):
            if high // width - low // width < MOST_BINS:
                return width
        power *= 10


def _bin(
    label: str, levels: Sequence[Level], x: dict[Level, int], x_prime: dict[Level, int]
) -> Bin:
    return Bin(
        label,
        sum(x.get(level, 0) for level in levels),
        sum(x_prime.get(level, 0) for level in levels),
    )


def _add_bars(
    figure: go.Figure,
    name: str,
    shares: Sequence[float],
    counts: Sequence[int],
    labels: Sequence[str],
    places: Sequence[float],
    colours: Theme,
) -> None:
    index = len(figure.data)
    colour = colours.palette[index]
    figure.add_trace(
        go.Bar(
            orientation="h",
            name=plain(name),
            x=list(shares),
            y=list(places),
            width=0.4,
            marker={
                "color": colour,
                "line": {"color": colour, "width": 1.5},
                "pattern": {
                    "shape": _HATCH[index], "fillmode": "replace", "fgcolor": colour,
                    "bgcolor": colours.background, "size": 7, "solidity": 0.4,
                },
            },
            customdata=[[plain(label), n] for label, n in zip(labels, counts, strict=True)],
            hovertemplate=(
                "%{customdata[0]}<br>%{fullData.name}: %{x:.1f} % (%{customdata[1]})"
                "<extra></extra>"
            ),
        )
    )  # fmt: skip


def _data(bins: Sequence[Bin], totals: tuple[int, int]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "level": [each.label for each in bins],
            "x": [each.x for each in bins],
            "x_prime": [each.x_prime for each in bins],
            "share_x": [each.x / totals[0] if totals[0] else None for each in bins],
            "share_x_prime": [each.x_prime / totals[1] if totals[1] else None for each in bins],
        }
    )


def _summary(
    distribution: Distribution, bins: Sequence[Bin], totals: tuple[int, int], arms: Arms
) -> str:
    parts = [f"{distribution.measure.label}. {distribution.measure.explanation}"]
    means = distribution.mean_x, distribution.mean_x_prime
    for arm, mean, total, name in zip(arms, means, totals, ("x", "x_prime"), strict=True):
        if not total:
            parts.append(f"{arm}: not known.")
            continue
        start = f"mean {mean:.2f}; " if mean is not None else ""
        told = ", ".join(
            f"{each.label} {percent(getattr(each, name) / total)}"
            for each in bins
            if getattr(each, name)
        )
        parts.append(f"{arm} (n = {total}): {start}{told}.")
    return " ".join(parts)
