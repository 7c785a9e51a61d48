"""A picture of where a bias comes from: effects at the end of training, by mix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import MOST_POINTS, Chart, empty_chart
from biaslab.charts.effects.forest import AxisSides, LegendLine, RowPositions, forest_figure
from biaslab.charts.theme import RunStyle, Theme, theme
from biaslab.charts.wording import plain
from biaslab.training.mix import FAMILY
from biaslab.training.origins.effects import OriginEffect, ends, in_order, record, seeds_words
from schoolmath.text.figures import signed_points

NOT_MEASURED = "None of this was measured: choose another prompt strategy, or fewer steps."
"""What an empty chart says."""

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
_SYMBOLS = ("square", "diamond")


@dataclass(frozen=True, slots=True)
class MixPanel:
    """One study's effects at the end of training.

    Attributes:
        study: its title; effects: by mix.
    """

    study: str
    effects: Mapping[str, OriginEffect]


@dataclass(frozen=True, slots=True)
class MixStyle:
    """How a mix looks: the same on every chart."""

    colour: str
    symbol: str
    dash: str

    @property
    def look(self) -> RunStyle:
        """For legends."""
        return RunStyle(self.colour, self.symbol)


def mix_chart(panels: Sequence[MixPanel], way: str, *, dark: bool = False) -> Chart:
    """The effect of every mix, study by study: a large mark with two bars, a small mark a seed.

    Args:
        panels: studies from top to bottom; those without effects are named in the summary.
        way: how the pairs were asked and how many steps they have: ``asked directly, 1 step``.
        dark: for a dark page.
    """
    data = pd.DataFrame([record(effect) for panel in panels for effect in panel.effects.values()])
    found = [panel for panel in panels if panel.effects]
    if not found:
        return empty_chart(NOT_MEASURED, dark)
    if sum(effect.seeds + 1 for p in found for effect in p.effects.values()) > MOST_POINTS:
        return empty_chart("There are too many trainings to show in one chart.", dark, data)
    colours = theme(dark)
    rows = RowPositions()
    placed: list[tuple[OriginEffect, float]] = []
    for panel in found:
        rows.heading(panel.study)
        for mix in in_order(panel.effects):
            placed += zip([panel.effects[mix]], rows.block(mix, 1, 0.9), strict=True)
    styles = styles_of([mix for panel in found for mix in panel.effects], colours)
    figure = forest_figure(
        rows, colours, f"Effect by training mix, {way}",
        "Effect in percentage points<br>(CATE, easier arm minus harder arm)",
        axis_range([effect for effect, _ in placed]),
        [
            LegendLine("Large mark: all trainings together", RunStyle(colours.text, "square")),
            LegendLine("Thick bar: 95 % interval over items"),
            LegendLine("Thin bar: 95 % interval over trainings"),
            LegendLine("Small marks below: single trainings"),
        ],
        AxisSides("◀ the other way", "in the expected<br>direction ▶"),
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    for width, over_seeds in ((1.5, True), (5, False)):
        _add_bars(figure, placed, styles, width, over_seeds=over_seeds)
    _add_marks(figure, placed, styles)
    absent = [panel.study for panel in panels if not panel.effects]
    return Chart(figure, _mix_summary(found, way, absent), data)


def styles_of(mixes: Sequence[str], colours: Theme) -> dict[str, MixStyle]:
    """How each of these mixes looks, whichever others are there."""
    found = {}
    for place, mix in enumerate(in_order([*FAMILY, *mixes])):
        if mix in mixes:
            found[mix] = MixStyle(
                colours.palette[place % len(colours.palette)],
                _SYMBOLS[place % len(_SYMBOLS)], _DASHES[place % len(_DASHES)],
            )  # fmt: skip
    return found


def axis_range(effects: Sequence[OriginEffect]) -> list[float]:
    """Ends of an axis, in points, that hold all effects, their intervals and zero."""
    found = [0.05, -0.05]
    for effect in effects:
        found += [effect.cate, *(row.cate for row in effect.rows)]
        for interval in (effect.spread.over_items, effect.spread.over_seeds):
            found += [] if interval is None else [interval.low, interval.high]
    low, high = 100 * min(found), 100 * max(found)
    margin = max(2.0, 0.06 * (high - low))
    return [low - margin, high + margin]


def _add_bars(
    figure: go.Figure,
    placed: Sequence[tuple[OriginEffect, float]],
    styles: Mapping[str, MixStyle],
    width: float,
    *,
    over_seeds: bool,
) -> None:
    for effect, y in placed:
        interval = effect.spread.over_seeds if over_seeds else effect.spread.over_items
        if interval is not None:
            figure.add_shape(
                type="line", x0=100 * interval.low, x1=100 * interval.high, y0=y, y1=y,
                line={"color": styles[effect.mix].colour, "width": width},
            )  # fmt: skip


def _add_marks(
    figure: go.Figure,
    placed: Sequence[tuple[OriginEffect, float]],
    styles: Mapping[str, MixStyle],
) -> None:
    figure.add_trace(
        go.Scatter(
            x=[100 * row.cate for effect, _ in placed for row in effect.rows],
            y=[y + 0.28 for effect, y in placed for _ in effect.rows],
            mode="markers",
            marker={"symbol": "square", "size": 5,
                    "color": [styles[e.mix].colour for e, _ in placed for _ in e.rows]},
            customdata=[
                plain(f"{effect.mix}, seed {row.seed}: {signed_points(row.cate)} (n = {row.n:,})")
                for effect, _ in placed
                for row in effect.rows
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[100 * effect.cate for effect, _ in placed],
            y=[y for _, y in placed],
            mode="markers",
            marker={"symbol": "square", "size": 11,
                    "color": [styles[effect.mix].colour for effect, _ in placed]},
            customdata=[plain(words(effect)) for effect, _ in placed],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def words(effect: OriginEffect) -> str:
    """An effect with both its intervals, in one line."""
    spread = effect.spread
    over_seeds = (
        "over trainings none"
        if spread.over_seeds is None
        else f"over trainings {ends(spread.over_seeds)}, {spread.freedom} degrees of freedom"
    )
    same = "; both arms came out alike in every pair" if effect.identical else ""
    return (
        f"{effect.mix}: {signed_points(effect.cate)} (95 % interval over items "
        f"{ends(spread.over_items)}, {over_seeds}; {seeds_words(effect)}{same})"
    )


def _mix_summary(panels: Sequence[MixPanel], way: str, absent: Sequence[str]) -> str:
    told = [
        f"{panel.study}: "
        + "; ".join(words(panel.effects[mix]) for mix in in_order(panel.effects))
        + "."
        for panel in panels
    ]
    told += [f"{study}: not measured." for study in absent]
    return f"Effect by training mix, {way}, in percentage points. {' '.join(told)}"
