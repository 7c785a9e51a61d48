"""Pictures of tiny models: what each gets right, and where a bias comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    cell_colour,
    empty_chart,
    ink_on,
    lines,
    plain,
    ramp_words,
    theme,
    wrapped,
)
from biaslab.charts.forest import AxisSides, LegendLine, RowPositions, forest_figure
from biaslab.models import CardEffect
from biaslab.stats import wilson
from biaslab.studies import Arms
from biaslab.training.mix import FAMILY
from biaslab.training.origins.effects import OriginEffect, ends, in_order, record, seeds_words
from schoolmath.text.figures import hundredths, percent, percents, signed_points

PLOT = 320
"""Pixels that one plot is high."""

KEY = 150
"""Pixels below the plot for the axis and a key of up to four lines."""


def framed(
    title: str, colours: Theme, *, head: int = 32, plot: int = PLOT, below: int = KEY
) -> go.Figure:
    """An empty picture with its title, that takes no room of its own for axes or legends.

    Args:
        title: in any length; it is broken into lines.
        colours: of the page.
        head: pixels above, beside the title's lines.
        plot: pixels that are drawn in.
        below: pixels for the axis and the key.
    """
    shown = wrapped(title, TITLE_WIDTH)
    above = head + TITLE_LINE * lines(shown)
    figure = go.Figure(layout=base_layout(colours, shown, above + plot + below))
    figure.update_layout(
        margin={"l": 56, "r": 16, "t": above, "b": below, "autoexpand": False}, showlegend=False
    )
    return figure


def axis(colours: Theme) -> dict[str, object]:
    """What every axis looks like."""
    return {"color": colours.text, "gridcolor": colours.grid, "fixedrange": True, "zeroline": False}


def add_zero(figure: go.Figure, colours: Theme) -> None:
    """The line of no effect."""
    figure.add_hline(y=0, line={"color": colours.text, "width": 1.5})


def add_key(figure: go.Figure, texts: Sequence[str], colours: Theme) -> None:
    """Says below the picture what its marks are, a line each."""
    for index, text in enumerate(texts):
        figure.add_annotation(
            text=text, x=0, xref="paper", xanchor="left", xshift=-46, y=0, yref="paper",
            yanchor="top", yshift=-56 - 20 * index, showarrow=False,
            font={"color": colours.text, "size": 13},
        )  # fmt: skip


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


def training_chart(
    curves: Mapping[str, Sequence[OriginEffect]],
    study: str,
    way: str,
    arms: tuple[str, str],
    *,
    dark: bool = False,
) -> Chart:
    """Effects along training above, the right answers of both arms below; a line a mix.

    Args:
        curves: by mix, in the order of training.
        study: its title.
        way: as in `mix_chart`.
        arms: what x and x' are called.
        dark: for a dark page.
    """
    drawn = {mix: curves[mix] for mix in in_order(curves) if len(curves[mix]) > 1}
    data = pd.DataFrame([record(effect) for curve in curves.values() for effect in curve])
    if not drawn:
        return empty_chart(
            "Nothing was measured along training here: choose another prompt strategy, fewer steps "
            "or another study.", dark, data,
        )  # fmt: skip
    colours = theme(dark)
    below = 84 + 20 * (len(drawn) + 1)
    figure = framed(f"{study} along training, {way}", colours, head=22, plot=440, below=below)
    styles = styles_of(list(drawn), colours)
    most = max(effect.examples for curve in drawn.values() for effect in curve)
    figure.update_layout(
        xaxis={
            **axis(colours), "anchor": "y2", "range": [-0.03 * most, 1.05 * most], "nticks": 6,
            "tickformat": "~s", "title": _title("Training examples seen", 8),
        },
        yaxis={
            **axis(colours), "domain": [0.46, 1.0], "title": _title("Effect (points)", 4),
            "range": axis_range([effect for curve in drawn.values() for effect in curve]),
        },
        yaxis2={
            **axis(colours), "domain": [0.0, 0.36], "range": [-3, 103], "tickvals": [0, 50, 100],
            "title": _title("Right (%)", 4),
        },
    )  # fmt: skip
    add_zero(figure, colours)
    for index, (mix, curve) in enumerate(drawn.items()):
        aside = 0.006 * most * (index - (len(drawn) - 1) / 2)
        _add_curve(figure, mix, curve, styles[mix], aside)
        _add_arms(figure, mix, curve, arms, styles[mix])
    texts = [
        f'<span style="color:{style.colour}">{style.look.glyph}</span> {plain(mix)} ({style.dash})'
        for mix, style in styles.items()
    ]
    texts.append(f"Below, thick: {plain(arms[0])}; thin: {plain(arms[1])}")
    add_key(figure, texts, colours)
    return Chart(figure, _training_summary(drawn, study, way), data)


def _title(text: str, standoff: int) -> dict[str, object]:
    return {"text": text, "standoff": standoff, "font": {"size": 13}}


def _add_curve(
    figure: go.Figure, mix: str, curve: Sequence[OriginEffect], style: MixStyle, aside: float
) -> None:
    """A line with its intervals, a little aside so that those of others stay visible."""
    values = [100 * effect.cate for effect in curve]
    judged = [effect.spread.judged for effect in curve]
    figure.add_trace(
        go.Scatter(
            x=[effect.examples + aside for effect in curve],
            y=values, mode="lines+markers", name=mix,
            line={"color": style.colour, "width": 2.5, "dash": style.dash},
            marker={"symbol": style.symbol, "size": 9, "color": style.colour},
            error_y={
                "type": "data", "symmetric": False, "color": style.colour, "thickness": 1.2,
                "width": 3,
                "array": [e and 100 * e.high - v for e, v in zip(judged, values, strict=True)],
                "arrayminus": [e and v - 100 * e.low for e, v in zip(judged, values, strict=True)],
            },
            customdata=[plain(words(effect)) for effect in curve],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _add_arms(
    figure: go.Figure,
    mix: str,
    curve: Sequence[OriginEffect],
    arms: tuple[str, str],
    style: MixStyle,
) -> None:
    for arm, width, of in zip(arms, (3.0, 1.0), (0, 1), strict=True):
        shares = [(effect.x, effect.x_prime)[of] for effect in curve]
        figure.add_trace(
            go.Scatter(
                x=[effect.examples for effect in curve],
                y=[100 * (share.value or 0.0) for share in shares],
                yaxis="y2", mode="lines", opacity=0.7, name=f"{mix}, {arm}",
                line={"color": style.colour, "width": width, "dash": style.dash},
                customdata=[share.n for share in shares],
                hovertemplate=f"{plain(mix)}, {plain(arm)}: %{{y:.1f}} % right "
                "(n = %{customdata})<extra></extra>",
            )
        )  # fmt: skip


def _training_summary(curves: Mapping[str, Sequence[OriginEffect]], study: str, way: str) -> str:
    told = []
    for mix, curve in curves.items():
        each = ", ".join(
            f"{signed_points(effect.cate)} after {effect.examples:,} examples "
            f"(right {percent(effect.x.value)} and {percent(effect.x_prime.value)}, "
            f"interval {ends(effect.spread.judged)}, n = {effect.n:,})"
            for effect in curve
        )
        told.append(f"{mix}: {each}.")
    return f"{study} along training, {way}; effects in percentage points. {' '.join(told)}"


COMPARISONS = {"additive": "“3 more”", "multiplicative": "“3 times as many”"}
"""What kinds of comparison are called on screens."""

_ROW = 42
"""Pixels of a row: two lines of text."""

_LEFT = 116
_KEY = 52
"""Pixels of two lines below: on a phone one is too narrow."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """What was right of the problems of one kind and length."""

    kind: str
    steps: int
    right: int
    n: int

    @property
    def share(self) -> float:
        return self.right / self.n

    @property
    def words(self) -> str:
        found = wilson(self.right, self.n)
        spread = f"95 % interval {percents(found.low, found.high)}, " if found else ""
        steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
        return f"{self.kind}, {steps}: {percent(self.share)} right ({spread}n = {self.n:,})"


def abilities_chart(
    effects: Sequence[CardEffect], arms: Mapping[str, Arms], ability: str, *, dark: bool = False
) -> Chart:
    """How often a model was right on problems it had not seen, by kind and steps.

    Args:
        effects: of one prompt strategy, from the model's card.
        arms: what the members of a study's pairs are called, by study; others are left out.
        ability: how it was asked, in words: ``asked directly``.
        dark: for a dark page.
    """
    cells = [cell for effect in effects if effect.study in arms for cell in _cells(effect, arms)]
    data = pd.DataFrame(
        {
            "kind": [cell.kind for cell in cells], "steps": [cell.steps for cell in cells],
            "right": [cell.right for cell in cells], "n": [cell.n for cell in cells],
        }
    )  # fmt: skip
    if not cells:
        return empty_chart("Nothing was measured of this model asked so.", dark, data)
    kinds = list(dict.fromkeys(cell.kind for cell in cells))
    steps = range(1, max(cell.steps for cell in cells) + 1)
    title = f"What it gets right, per cent, {ability}"
    colours = theme(dark)
    figure = framed(title, colours, plot=_ROW * len(kinds), below=_KEY)
    figure.update_layout(margin={"l": _LEFT}, barmode="overlay", bargap=0)
    still = {"fixedrange": True, "showgrid": False, "zeroline": False, "color": colours.text}
    figure.update_xaxes(
        range=[-0.5, len(steps) - 0.5], side="top", tickvals=list(range(len(steps))),
        ticktext=["1 step", *(str(each) for each in steps[1:])], **still,
    )  # fmt: skip
    figure.update_yaxes(
        range=[len(kinds) - 0.5, -0.5], tickvals=list(range(len(kinds))),
        ticktext=[plain(kind).replace(", ", ",<br>") for kind in kinds], **still,
    )  # fmt: skip
    fills = [cell_colour(cell.share, dark) for cell in cells]
    figure.add_trace(
        go.Bar(
            orientation="h", x=[0.96] * len(cells), base=[cell.steps - 1.48 for cell in cells],
            y=[kinds.index(cell.kind) for cell in cells], width=0.94,
            text=[hundredths(cell.share) for cell in cells], textposition="inside",
            insidetextanchor="middle", textangle=0, constraintext="none",
            insidetextfont={"color": [ink_on(fill) for fill in fills], "size": 13},
            marker={"color": fills, "line": {"color": colours.muted, "width": 1}},
            customdata=[plain(cell.words) for cell in cells],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip
    told = f"{ramp_words(dark)} Empty: not measured.<br>n = {_several(cell.n for cell in cells)}."
    figure.add_annotation(
        text=told, x=0, xref="paper", xanchor="left", xshift=10 - _LEFT, y=0, yref="paper",
        yanchor="top", yshift=-8, showarrow=False, align="left",
        font={"color": colours.text, "size": 13},
    )  # fmt: skip
    return Chart(figure, f"{title}. {'; '.join(cell.words for cell in cells)}.", data)


def _several(counts: Iterable[int]) -> str:
    """How many problems a cell has, or from how many to how many."""
    ends = sorted(set(counts))
    return f"{ends[0]:,}" if len(ends) == 1 else f"{ends[0]:,} to {ends[-1]:,}"


def _cells(effect: CardEffect, arms: Mapping[str, Arms]) -> list[_Cell]:
    """Both members of the pairs."""
    word = COMPARISONS.get(effect.comparison, effect.comparison)
    after = f", {word}" if word else ""
    return [
        _Cell(f"{arm}{after}", effect.steps, right, effect.n)
        for arm, right in zip(
            arms[effect.study], (effect.right_x, effect.right_x_prime), strict=True
        )
    ]
