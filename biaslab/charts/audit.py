"""What share of a corpus is what: a bar a kind with its interval, grouped by feature."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from biaslab.audit import Audit, AuditShare
from biaslab.audit.report import KINDS, TITLES, CorrectedShares, coverage
from biaslab.charts.chart import Chart, RunStyle, Theme, empty_chart, plain, theme
from biaslab.charts.forest import LegendLine, RowPositions, forest_figure
from biaslab.stats.estimates import Interval
from schoolmath.text.figures import percent, percents


def audit_chart(
    audit: Audit,
    features: Sequence[str],
    title: str,
    corrected_shares: CorrectedShares | None = None,
    *,
    dark: bool = False,
) -> Chart:
    """The shares of some features; their coverage stands above the bars.

    Args:
        audit: the audit.
        features: keys of those to be shown; one of which nothing is told is only named.
        title: of the chart.
        corrected_shares: shares by a person's labels, drawn as diamonds below the bars.
        dark: for a dark page.
    """
    colours = theme(dark)
    rows = RowPositions()
    bars: list[tuple[float, str, AuditShare]] = []
    diamonds: list[tuple[float, str, float, Interval]] = []
    data: list[dict[str, object]] = []
    summary: list[str] = []
    for feature in (audit.feature(key) for key in features):
        heading = f"{TITLES[feature.key]}: {coverage(feature)}"
        rows.heading(heading)
        summary.append(f"{heading}.")
        for share in feature.shares:
            name = KINDS[feature.key][share.kind]
            given = (
                None if corrected_shares is None else corrected_shares.shares.get(feature.key, {})
            )
            right = None if given is None else given.get(share.kind)
            data.append(_row(feature.key, name, share))
            if share.share is None or share.interval is None:
                continue
            label = f"{name} ({share.count:,} of {share.n:,})"
            places = rows.block(label, 1 if right is None else 2, 1.0 if right is None else 0.6)
            bars.append((places[0], name, share))
            between = percents(share.interval.low, share.interval.high)
            said = f"{name} {percent(share.share)} ({between}, {share.count:,} of {share.n:,})"
            if right is not None:
                diamonds.append((places[1], name, right.share, right.interval))
                ends = percents(right.interval.low, right.interval.high)
                said += f", corrected {percent(right.share)} ({ends})"
            summary.append(f"{said}.")
    table = pd.DataFrame(data)
    if not bars:
        return empty_chart(f"{title}: nothing is known.", dark, table)
    legend = [LegendLine("as read, with its 95 % interval", RunStyle(colours.palette[0], "square"))]
    if diamonds:
        look = RunStyle(colours.palette[1], "diamond")
        legend.append(LegendLine("corrected by the checked sample", look))
    axis = "Per cent of what is known"
    figure = forest_figure(rows, colours, title, axis, [0, 101], legend)
    _add_bars(figure, bars, colours)
    _add_diamonds(figure, diamonds, colours)
    return Chart(figure, f"{title}. {' '.join(summary)}", table)


def _row(feature: str, kind: str, share: AuditShare) -> dict[str, object]:
    interval = share.interval
    return {
        "feature": feature,
        "kind": kind,
        "count": share.count,
        "n": share.n,
        "share": share.share,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
    }


def _add_bars(
    figure: go.Figure, bars: Sequence[tuple[float, str, AuditShare]], colours: Theme
) -> None:
    shares = [100 * (share.share or 0.0) for _, _, share in bars]
    intervals = [share.interval or Interval(0.0, 0.0) for _, _, share in bars]
    figure.add_trace(
        go.Bar(
            orientation="h",
            x=shares,
            y=[place for place, _, _ in bars],
            width=0.5,
            marker={"color": colours.palette[0]},
            error_x=_ends(shares, intervals, colours.text),
            customdata=[[plain(name), share.count, share.n] for _, name, share in bars],
            hovertemplate="%{customdata[0]}: %{x:.1f} % (%{customdata[1]} of %{customdata[2]})"
            "<extra></extra>",
        )
    )


def _add_diamonds(
    figure: go.Figure,
    diamonds: Sequence[tuple[float, str, float, Interval]],
    colours: Theme,
) -> None:
    if not diamonds:
        return
    shares = [100 * share for _, _, share, _ in diamonds]
    figure.add_trace(
        go.Scatter(
            mode="markers",
            x=shares,
            y=[place for place, _, _, _ in diamonds],
            marker={"color": colours.palette[1], "symbol": "diamond", "size": 11},
            error_x=_ends(shares, [ends for _, _, _, ends in diamonds], colours.palette[1]),
            customdata=[[plain(name)] for _, name, _, _ in diamonds],
            hovertemplate="%{customdata[0]}, corrected: %{x:.1f} %<extra></extra>",
        )
    )


def _ends(shares: Sequence[float], intervals: Sequence[Interval], colour: str) -> dict[str, object]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [100 * ends.high - x for x, ends in zip(shares, intervals, strict=True)],
        "arrayminus": [x - 100 * ends.low for x, ends in zip(shares, intervals, strict=True)],
        "color": colour,
        "thickness": 1.5,
        "width": 4,
    }
