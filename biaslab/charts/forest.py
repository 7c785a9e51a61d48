"""Rows under one another over a shared axis: what fits a phone whatever is compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import plotly.graph_objects as go

from biaslab.charts.chart import (
    TITLE_LINE,
    TITLE_WIDTH,
    RunStyle,
    Theme,
    base_layout,
    interval_words,
    lines,
    plain,
    shortened,
    wrapped,
)
from biaslab.stats import Effect

_ROW = 36
"""Pixels from one row to the next."""

_HEADING = 44
"""Characters of a line of a heading, in bold letters."""

_LABEL = 20
"""Characters of a line of a row's label."""

_LABEL_LINES = 4
_LABEL_LINE = 0.62
"""Height of such a line, in rows."""

_SIDES = 44
"""Pixels between title and rows for the words of `AxisSides`."""

_COUNTS = 66
"""Pixels of the column with the marks' n."""

_BELOW = 66
"""Pixels for ticks and title of the axis."""


_LEGEND_LINE = 20
_LEGEND_WIDTH = 50
"""Characters of a legend's line that fit on a phone."""


@dataclass(frozen=True, slots=True)
class LegendLine:
    """A line of a legend: a mark and what it stands for, or a heading without a mark."""

    text: str
    look: RunStyle | None = None


@dataclass(frozen=True, slots=True)
class AxisSides:
    """What each direction of the axis means; safe for the figure, two short lines each."""

    left: str
    right: str


@dataclass(slots=True)
class RowPositions:
    """Hands out vertical positions; the first row is at the top.

    Attributes:
        labels: position and text (safe for the figure) of every labelled row.
        headings: position and text of rows that only carry a heading.
        width: characters of a line of a label; what is given fits a phone.
    """

    labels: list[tuple[float, str]] = field(default_factory=list)
    headings: list[tuple[float, str]] = field(default_factory=list)
    end: float = 0.0
    width: int = _LABEL

    def heading(self, text: str) -> None:
        """A heading over the rows that follow, on as many lines as it needs."""
        shown = wrapped(text, max(_HEADING, 2 * self.width))
        height = 0.35 + 0.5 * lines(shown)
        self.headings.append((self.end + height / 2 - 0.5, shown))
        self.end += height

    def block(self, label: str, marks: int, height: float = 1.0) -> list[float]:
        """Positions of marks under one another that share a label.

        Args:
            label: in plain text; its beginning is cut where it is too long.
            marks: how many.
            height: of each, in rows.
        """
        shown = wrapped(shortened(label, _LABEL_LINES * self.width), self.width)
        room = max(0.0, _LABEL_LINE * lines(shown) - marks * height)
        start = self.end + room / 2
        positions = [start + index * height for index in range(marks)]
        self.labels.append((start + (marks - 1) * height / 2, shown))
        self.end += room + marks * height + (0.3 if marks > 1 else 0.0)
        return positions


def forest_figure(
    rows: RowPositions,
    colours: Theme,
    title: str,
    axis_title: str,
    axis_range: Sequence[float] | None,
    legend: Sequence[LegendLine],
    sides: AxisSides | None = None,
    *,
    counts: bool = False,
) -> go.Figure:
    """An empty figure with rows, an axis below them and a legend under that.

    Args:
        rows: all rows, already handed out.
        colours: the theme.
        title: plain words.
        axis_title: of the horizontal axis, safe, lines separated by ``<br>``.
        axis_range: its ends; None lets the marks decide.
        legend: its lines.
        sides: words over either side of the rows.
        counts: whether the marks' n stand in a column at the right (`add_marks`).
    """
    shown = wrapped(title, TITLE_WIDTH)
    above = 16 + TITLE_LINE * lines(shown) + (_SIDES if sides else 12)
    texts = [wrapped(shortened(each.text, 2 * _LEGEND_WIDTH), _LEGEND_WIDTH) for each in legend]
    below = _BELOW + _LEGEND_LINE * sum(map(lines, texts))
    height = round(above + below + _ROW * rows.end)
    figure = go.Figure(layout=base_layout(colours, shown, height))
    longest = max((len(line) for _, text in rows.labels for line in text.split("<br>")), default=0)
    left = 24 + 7 * min(longest, rows.width)
    figure.update_layout(
        margin={
            "l": left,
            "r": _COUNTS if counts else 18,
            "t": above,
            "b": below,
            "autoexpand": False,
        },
        showlegend=False,
    )
    figure.update_xaxes(
        color=colours.text, gridcolor=colours.grid, zeroline=False, fixedrange=True,
        showline=True, linecolor=colours.muted, nticks=6, range=axis_range,
        title={"text": axis_title, "standoff": 8, "font": {"size": 13, "color": colours.text}},
    )  # fmt: skip
    figure.update_yaxes(
        range=[rows.end - 0.4, -0.75], fixedrange=True, showgrid=False, zeroline=False,
        color=colours.text, tickvals=[y for y, _ in rows.labels],
        ticktext=[text for _, text in rows.labels], ticks="",
    )  # fmt: skip
    for y, text in rows.headings:
        figure.add_annotation(
            text=f"<b>{text}</b>", x=0, xref="paper", xanchor="left", xshift=10 - left, y=y,
            yref="y", showarrow=False, align="left", font={"color": colours.text},
            bgcolor=colours.background,
        )  # fmt: skip
    _add_legend(figure, colours, legend, texts)
    if sides is not None:
        _add_sides(figure, colours, sides)
    return figure


@dataclass(frozen=True, slots=True)
class ForestMark:
    """An effect on a row.

    Attributes:
        y: how high.
        effect: what it is; it has a value.
        words: which pairs, in plain words.
        beside: what stands at the mark before its n; may be empty.
    """

    y: float
    effect: Effect
    words: str
    beside: str = ""


def add_marks(
    figure: go.Figure, label: str, marks: Sequence[ForestMark], style: RunStyle, colours: Theme
) -> None:
    """Draws effects that have a value as one trace, each with its interval, its n at the right.

    Args:
        figure: of `forest_figure`.
        label: whose they are, in plain words.
        marks: in the order in which clicks number them.
        style: of all of them.
        colours: the theme.
    """
    scale = 100.0 if marks[0].effect.binary else 1.0
    cates = [mark.effect.cate or 0.0 for mark in marks]
    figure.add_trace(
        go.Scatter(
            x=[scale * cate for cate in cates],
            y=[mark.y for mark in marks],
            mode="markers+text" if any(mark.beside for mark in marks) else "markers",
            name=plain(label),
            marker={
                "color": style.colour, "symbol": style.symbol, "size": 12,
                "line": {"color": style.colour, "width": 1},
            },
            error_x={
                "type": "data", "symmetric": False, "color": style.colour, "thickness": 2,
                "width": 5,
                "array": [
                    _reach(mark.effect.ci_high, cate, scale)
                    for mark, cate in zip(marks, cates, strict=True)
                ],
                "arrayminus": [
                    _reach(mark.effect.ci_low, cate, -scale)
                    for mark, cate in zip(marks, cates, strict=True)
                ],
            },
            text=[plain(mark.beside) for mark in marks],
            textposition="top center",
            textfont={"color": colours.text, "size": 12},
            cliponaxis=False,
            customdata=[
                [plain(label), plain(mark.words), interval_words(mark.effect)] for mark in marks
            ],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        )
    )  # fmt: skip
    add_counts(figure, ((mark.y, mark.effect.n) for mark in marks), colours)


def add_counts(figure: go.Figure, counts: Iterable[tuple[float, int]], colours: Theme) -> None:
    """Writes each n at its height into the column at the right of `forest_figure`."""
    for y, n in counts:
        figure.add_annotation(
            text=f"n = {n}", x=1, xref="paper", xanchor="left", xshift=6, y=y, yref="y",
            showarrow=False, font={"color": colours.text, "size": 12},
        )  # fmt: skip


def axis_range(effects: Sequence[Effect], others: Sequence[float] = ()) -> list[float]:
    """Ends of an axis that holds these effects with their intervals, further values and zero."""
    ends = [v for each in effects for v in (each.cate, each.ci_low, each.ci_high) if v is not None]
    return range_of([*ends, *others], binary=effects[0].binary)


def range_of(values: Sequence[float], *, binary: bool) -> list[float]:
    """Ends of an axis that holds these values and zero.

    Args:
        values: fractions where binary, else on the scale.
        binary: whether the axis is in percentage points.
    """
    scale = 100.0 if binary else 1.0
    low, high = scale * min(0.0, *values), scale * max(0.0, *values)
    margin = max(0.08 * (high - low), 0.02 * scale)
    return [low - margin, high + margin]


def _reach(end: float | None, cate: float, scale: float) -> float | None:
    return None if end is None else scale * (end - cate)


def _add_legend(
    figure: go.Figure, colours: Theme, legend: Sequence[LegendLine], texts: Sequence[str]
) -> None:
    """Plotly's own legend breaks the whole figure where a name is wider than a phone."""
    above = 0
    for line, text in zip(legend, texts, strict=True):
        before, above = above, above + lines(text)
        if line.look is not None:
            text = f'<span style="color:{line.look.colour}">{line.look.glyph}</span> {text}'
        figure.add_annotation(
            text=text, x=0, xref="paper", xanchor="left", xshift=10 - figure.layout.margin.l,
            y=0, yref="paper", yanchor="top", yshift=-(_BELOW - 4) - _LEGEND_LINE * before,
            showarrow=False, align="left", font={"color": colours.text, "size": 13},
        )  # fmt: skip


def _add_sides(figure: go.Figure, colours: Theme, sides: AxisSides) -> None:
    beginning = 10 - figure.layout.margin.l
    for text, x, anchor, shift in (
        (sides.left, 0.0, "left", beginning),
        (sides.right, 1.0, "right", 0),
    ):
        figure.add_annotation(
            text=text, x=x, xref="paper", xanchor=anchor, y=1, yref="paper", yanchor="bottom",
            xshift=shift, yshift=2, showarrow=False, align=anchor,
            font={"color": colours.text, "size": 12},
        )  # fmt: skip
