"""Which options were chosen in both arms of a bias: the whole distribution, option by option."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, empty_chart
from biaslab.charts.effects.forest import LegendLine, RowPositions, forest_figure
from biaslab.charts.theme import RunStyle, Theme, theme
from biaslab.charts.wording import plain
from biaslab.studies.decisions.results import OptionCount
from schoolmath.text.figures import percent

_TITLE = "Which options were chosen?"
_ARMS = (("control", "circle", ""), ("treatment", "diamond", "/"))
_DISTANCE = 0.2


def answers_chart(counts: Sequence[OptionCount], *, dark: bool = False) -> Chart:
    """Share of the answers of each arm that chose each option, in the order of the scale.

    Args:
        counts: of one bias in one run. Trace 0 is the control, trace 1 the treatment; a point
            is the place of its option on the scale.
        dark: for a dark page.
    """
    data = pd.DataFrame(
        [
            {"position": c.position, "option": c.label, "control": c.control,
             "treatment": c.treatment}
            for c in counts
        ]
    )  # fmt: skip
    totals = (sum(c.control for c in counts), sum(c.treatment for c in counts))
    if not any(totals):
        return empty_chart("No answer of this bias has been read yet.", dark, data)
    colours = theme(dark)
    rows = RowPositions()
    places = [rows.block(c.label, 1)[0] for c in counts]
    legend = [
        LegendLine(f"{name} (n = {total:,} answers)", RunStyle(colours.palette[arm], symbol))
        for arm, ((name, symbol, _), total) in enumerate(zip(_ARMS, totals, strict=True))
    ]
    shares = [
        [(c.treatment if arm else c.control) / (totals[arm] or 1) for c in counts] for arm in (0, 1)
    ]
    most = max(max(each) for each in shares)
    figure = forest_figure(
        rows, colours, _TITLE, "Share of the arm's answers, per cent", [0, 105 * most], legend
    )
    for arm in (0, 1):
        _add_arm(figure, arm, shares[arm], places, counts, colours)
    figure.update_layout(barmode="overlay")
    return Chart(figure, _summary(counts, totals, shares), data)


def _add_arm(
    figure: go.Figure,
    arm: int,
    shares: Sequence[float],
    places: Sequence[float],
    counts: Sequence[OptionCount],
    colours: Theme,
) -> None:
    name, _, hatch = _ARMS[arm]
    colour = colours.palette[arm]
    figure.add_trace(
        go.Bar(
            orientation="h",
            x=[100 * share for share in shares],
            y=[y + (2 * arm - 1) * _DISTANCE for y in places],
            width=0.36,
            name=name,
            marker={
                "color": colour, "line": {"color": colour, "width": 1},
                "pattern": {"shape": hatch, "fgcolor": colours.background, "size": 6},
            },
            customdata=[
                [plain(c.label), percent(s), c.treatment if arm else c.control]
                for c, s in zip(counts, shares, strict=True)
            ],
            hovertemplate=(
                "%{fullData.name}: %{customdata[0]}<br>%{customdata[1]} (%{customdata[2]} answers)"
                "<extra></extra>"
            ),
        )
    )  # fmt: skip


def _summary(
    counts: Sequence[OptionCount], totals: tuple[int, int], shares: Sequence[Sequence[float]]
) -> str:
    told = "; ".join(
        f"{c.label}: control {percent(shares[0][at])}, treatment {percent(shares[1][at])}"
        for at, c in enumerate(counts)
    )
    return f"{_TITLE} Control n = {totals[0]:,} answers, treatment n = {totals[1]:,}. {told}."
