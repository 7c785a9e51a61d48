"""A still picture of a chart, drawn from the numbers of its own figure, as SVG.

It stands in the page before the chart that moves is there, where that cannot be drawn, and on
paper. Places across are shares of the width, so it fits a phone and a sheet alike; colours are
classes, so the page's style gives them for light and dark.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any

import plotly.graph_objects as go

from biaslab.charts import LIGHT

_LEFT, _RIGHT = 2.0, 97.0
"""Where the axis begins and ends, in per cent of the width."""

_LETTER = 2.1
"""A letter beside a mark, in per cent of a phone's width."""

_LINE, _ROW, _BAR = 20.0, 22.0, 14.0
_AXIS = 44.0
"""Pixels of a line of words, of a row of marks, of a bar, and of the axis below them."""

_TICKS = 5
_TAGS = re.compile(r"<[^>]*>")
_CLASSES = {colour: f"mark-{place}" for place, colour in enumerate(LIGHT.palette)}
_CLASSES[LIGHT.muted] = "mark-muted"

_SHAPES = {
    "circle": "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0Z",
    "square": "M-4.5 -4.5H4.5V4.5H-4.5Z",
    "diamond": "M0 -6L6 0L0 6L-6 0Z",
    "triangle-up": "M0 -6L6 4.5H-6Z",
    "triangle-down": "M0 6L6 -4.5H-6Z",
    "triangle-right": "M6 0L-4.5 6V-6Z",
    "triangle-left": "M-6 0L4.5 6V-6Z",
    "cross": "M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",
    "x": "M-5.5 -3L-3 -5.5L0 -2.5L3 -5.5L5.5 -3L2.5 0L5.5 3L3 5.5L0 2.5L-3 5.5L-5.5 3L-2.5 0Z",
    "star": "M0 -7L1.6 -2.2H6.6L2.6 0.8L4.1 5.7L0 2.7L-4.1 5.7L-2.6 0.8L-6.6 -2.2H-1.6Z",
}


@dataclass(slots=True)
class _Point:
    """A mark: what stands beside it, its interval, and how it looks."""

    x: float
    low: float | None
    high: float | None
    words: str
    colour: str
    symbol: str


@dataclass(slots=True)
class _Bar:
    """Pieces of one bar from left to right, each with its end."""

    pieces: list[tuple[float, float, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Row:
    """What stands at one height: words over it, marks or a bar in it."""

    y: float
    label: str = ""
    heading: bool = False
    marks: list[_Point] = field(default_factory=list)
    bar: _Bar | None = None


def still(figure: go.Figure, words: str) -> str:
    """The picture as SVG; empty where the figure has nothing that is drawn here.

    Drawn are marks with their intervals, bars from left to right, the labels of rows, headings
    between them and the lines below.

    Args:
        figure: in the colours of a light page.
        words: what it shows, for those who do not see it.
    """
    rows = _rows(figure)
    if not any(row.marks or row.bar for row in rows):
        return ""
    low, high = _ends(figure, rows)

    longest = max((len(mark.words) for row in rows for mark in row.marks), default=0)
    right = _RIGHT - _LETTER * min(longest, 16)

    def place(x: float) -> float:
        return round(_LEFT + (right - _LEFT) * (x - low) / (high - low), 3)

    body: list[str] = []
    sides = [text for text in _annotations(figure) if text.get("yanchor") == "bottom"]
    at = 6.0
    if sides:
        lines = max(str(each["text"]).count("<br>") + 1 for each in sides)
        for each in sides:
            end = each.get("xanchor") == "right"
            x, anchor = ("100%", "end") if end else ("0", "start")
            for place_of, line in enumerate(str(each["text"]).split("<br>")):
                line = _words(line)
                body.append(_text(x, at + 14 + 16 * place_of, line, anchor=anchor, kind="faint"))
        at += 16 * lines + 8
    top = at
    inner: list[str] = []
    for row in rows:
        if row.label:
            at += 6 if row.heading else 0
            for line in _fitting(row.label, bold=row.heading):
                inner.append(_text("0", at + 14, line, kind="head" if row.heading else ""))
                at += _LINE - 2
        for mark in row.marks:
            inner += _mark(mark, at + _ROW / 2, place)
            at += _ROW
        if row.bar is not None:
            inner += _bar(row.bar, at + 2, place)
            at += _ROW
        at += 4
    ticks = [tick for tick in _ticks(low, high) if low <= tick <= high]
    for tick in ticks:
        across = place(tick)
        zero = ' class="zero"' if tick == 0 else ' class="grid"'
        body.append(f'<line{zero} x1="{across}%" x2="{across}%" y1="{top:g}" y2="{at:g}"/>')
        body.append(_text(f"{across}%", at + 16, _number(tick), anchor="middle", kind="faint"))
    body += inner
    for place_of, line in enumerate(str(figure.layout.xaxis.title.text or "").split("<br>")):
        body.append(_text("0", at + 34 + 16 * place_of, _words(line), kind="faint"))
        height = at + 40 + 16 * place_of
    return (
        f'<svg class="still" width="100%" height="{height:g}" role="img" '
        f'aria-label="{escape(words, quote=True)}">{"".join(body)}</svg>'
    )


def legend(figure: go.Figure) -> list[tuple[str, str, str]]:
    """The lines of the legend below a figure: class of the colour, sign, words."""
    lines = []
    for each in _annotations(figure):
        if each.get("yanchor") != "top" or each.get("yref") != "paper":
            continue
        match = re.match(r'<span style="color:(#\w{6})">(.)</span> (.*)', str(each["text"]), re.S)
        colour, sign, words = match.groups() if match else ("", "", str(each["text"]))
        lines.append((_CLASSES.get(colour, ""), sign, _words(words)))
    return lines


def _annotations(figure: go.Figure) -> list[dict[str, Any]]:
    return [each.to_plotly_json() for each in figure.layout.annotations]


def _rows(figure: go.Figure) -> list[_Row]:
    """Everything from top to bottom."""
    axis = figure.layout.yaxis
    rows = [
        _Row(float(y), _words(text.replace("<br>", " ")))
        for y, text in zip(axis.tickvals or (), axis.ticktext or (), strict=True)
    ]
    headings = [
        _Row(float(each["y"]), _words(str(each["text"]).replace("<br>", " ")), heading=True)
        for each in _annotations(figure)
        if each.get("yref") == "y"
    ]
    for y, mark in sorted(_points(figure), key=lambda each: each[0]):
        if not rows:
            rows.append(_Row(y))
        min(rows, key=lambda row: abs(row.y - y)).marks.append(mark)
    for y, piece, colour in _pieces(figure):
        row = min(rows, key=lambda row: abs(row.y - y), default=_Row(y))
        if row not in rows:
            rows.append(row)
        row.bar = row.bar or _Bar()
        start = row.bar.pieces[-1][1] if row.bar.pieces else 0.0
        row.bar.pieces.append((start, start + piece, colour))
    return sorted([*rows, *headings], key=lambda row: row.y)


def _points(figure: go.Figure) -> Iterator[tuple[float, _Point]]:
    for trace in figure.data:
        if trace.type != "scatter" or "markers" not in (trace.mode or ""):
            continue
        xs, ys = list(trace.x), list(trace.y)
        above, below, texts = (
            _filled(each, len(xs))
            for each in (trace.error_x.array, trace.error_x.arrayminus, trace.text)
        )
        for x, y, more, less, words in zip(xs, ys, above, below, texts, strict=True):
            low = None if less is None else x - less
            high = None if more is None else x + more
            colour, symbol = str(trace.marker.color or ""), str(trace.marker.symbol or "circle")
            yield float(y), _Point(x, low, high, _words(words or ""), colour, symbol)


def _filled(values: Sequence[Any] | None, length: int) -> list[Any]:
    return [None] * length if values is None else list(values)


def _pieces(figure: go.Figure) -> Iterator[tuple[float, float, str]]:
    """The pieces of all bars: where they are, how long, in which colour."""
    for trace in figure.data:
        if trace.type == "bar" and trace.orientation == "h":
            for y, x in zip(trace.y, trace.x, strict=True):
                yield float(y), float(x), str(trace.marker.color or "")


def _ends(figure: go.Figure, rows: Sequence[_Row]) -> tuple[float, float]:
    given = figure.layout.xaxis.range
    if given is not None:
        return float(given[0]), float(given[1])
    values = [
        each for row in rows for mark in row.marks for each in (mark.x, mark.low, mark.high)
        if each is not None
    ]  # fmt: skip
    values += [end for row in rows if row.bar for _, end, _ in row.bar.pieces]
    low, high = min(0.0, *values), max(0.0, *values)
    room = 0.04 * ((high - low) or 1.0)
    return (low - room if low < 0 else low), high + room


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between the ends, about five of them."""
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _look(colour: str, kind: str) -> str:
    known = _CLASSES.get(colour)
    return f'class="{known} {kind}"' if known else f'class="{kind}" fill="{escape(colour)}"'


def _mark(mark: _Point, y: float, place: Any) -> Iterator[str]:
    if mark.low is not None and mark.high is not None:
        low, high = place(mark.low), place(mark.high)
        yield (
            f'<line {_look(mark.colour, "bar")} x1="{low}%" x2="{high}%" y1="{y:g}" y2="{y:g}"/>'
        )
    hollow = mark.symbol.endswith("-open")
    shape = _SHAPES.get(mark.symbol.removesuffix("-open"), _SHAPES["circle"])
    kind = "hollow" if hollow else "sign"
    yield (
        f'<svg x="{place(mark.x)}%" y="{y:g}" overflow="visible">'
        f'<path {_look(mark.colour, kind)} d="{shape}"/></svg>'
    )
    if mark.words:
        yield _text("100%", y + 4, mark.words, anchor="end", kind="faint")


def _bar(bar: _Bar, y: float, place: Any) -> Iterator[str]:
    for start, end, colour in bar.pieces:
        if end > start:
            x, wide = place(start), round(place(end) - place(start), 3)
            yield (
                f'<rect {_look(colour, "piece")} x="{x}%" width="{wide}%" y="{y:g}" '
                f'height="{_BAR:g}"/>'
            )


def _words(text: str) -> str:
    """What a text of a figure says: without its markup."""
    return unescape(_TAGS.sub("", text)).strip()


_WIDE = 46
"""Characters of a line that fit a phone."""


def _fitting(text: str, *, bold: bool) -> list[str]:
    from textwrap import wrap

    return wrap(text, _WIDE - (6 if bold else 0)) or [""]


def _text(x: str, y: float, words: str, *, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text{named}{where} x="{x}" y="{y:g}">{escape(words, quote=False)}</text>'
