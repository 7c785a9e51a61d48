"""Differences between runs: a mark with its interval for each, over the line of no difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart
from biaslab.charts.effects.forest import AxisSides, LegendLine, RowPositions, forest_figure
from biaslab.charts.theme import theme
from biaslab.charts.wording import plain, shortened, signed
from biaslab.stats import ALL, Finding
from schoolmath.text.figures import exact_percent


def differences_chart(
    found: Sequence[Finding], called: Mapping[str, str], *, dark: bool = False
) -> Chart:
    """The differences of effects between two runs, over all pairs and in strata.

    Args:
        found: rows ``effect-difference`` of the same two runs; at least one.
        called: what the runs are called, by id.
        dark: for a dark page.
    """
    colours = theme(dark)
    binary = found[0].unit == "fraction"
    scale = 100.0 if binary else 1.0
    first, second = (called[run] for run in found[0].runs)
    rows = RowPositions()
    places = [rows.block(_pairs(each), 1)[0] for each in found]
    title = "Effect of the first run minus effect of the second"
    figure = forest_figure(
        rows, colours, title, "Percentage points" if binary else "Units of the scale", None,
        [LegendLine(f"first: {shortened(first, 32)}"),
            LegendLine(f"second: {shortened(second, 32)}"),
        ],
        AxisSides("more in the<br>second run", "more in the<br>first run"),
    )  # fmt: skip
    words = [_words(each, binary) for each in found]
    drawn = [index for index, each in enumerate(found) if each.estimate is not None]
    x = [scale * (found[index].estimate or 0.0) for index in drawn]
    ends = [(found[i].ci_low, found[i].ci_high, found[i].estimate or 0.0) for i in drawn]
    figure.add_trace(
        go.Scatter(
            x=x,
            y=[places[index] for index in drawn],
            mode="markers+text",
            marker={"color": colours.palette[0], "size": 11, "symbol": "diamond"},
            error_x={
                "type": "data", "symmetric": False, "color": colours.palette[0], "thickness": 2,
                "array": [None if h is None else scale * (h - e) for _, h, e in ends],
                "arrayminus": [None if low is None else scale * (e - low) for low, _, e in ends],
            },
            text=[f"n = {found[index].n}" for index in drawn],
            textposition="top center",
            textfont={"color": colours.text, "size": 12},
            cliponaxis=False,
            customdata=[[plain(_pairs(found[i])), plain(words[i])] for i in drawn],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
        )
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    told = "; ".join(f"{_pairs(each)}: {w}" for each, w in zip(found, words, strict=True))
    data = pd.DataFrame(
        {
            "first": [each.runs[0] for each in found],
            "second": [each.runs[1] for each in found],
            "stratum": [each.stratum for each in found],
            "n": [each.n for each in found],
            "difference": [each.estimate for each in found],
            "ci_low": [each.ci_low for each in found],
            "ci_high": [each.ci_high for each in found],
            "p_holm": [each.p_holm for each in found],
        }
    )
    return Chart(figure, f"{title}. First: {first}. Second: {second}. {told}.", data)


def _pairs(finding: Finding) -> str:
    if finding.stratum == ALL:
        return "All pairs"
    name, _, value = finding.stratum.partition("=")
    return f"{name.capitalize()}: {value}"


def _words(finding: Finding, binary: bool) -> str:
    if finding.estimate is None:
        return "no value"
    spread = "no interval"
    if finding.ci_low is not None and finding.ci_high is not None:
        level = exact_percent(finding.confidence)
        ends = f"{signed(finding.ci_low, binary)} to {signed(finding.ci_high, binary)}"
        spread = f"{level} interval {ends}"
    return f"{signed(finding.estimate, binary)} ({spread}, n = {finding.n})"
