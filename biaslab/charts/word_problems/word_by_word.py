"""What a model would answer if the problem stopped after each word, drawn along its words.

Two layouts of the same: words along the bottom, turned, for a wide page; a row for each word, for
a phone, where nothing is turned and nothing has to be pushed aside. Several models are small
multiples: the same axes, one below the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from biaslab.charts.chart import TITLE_WIDTH, Chart
from biaslab.charts.theme import TITLE_LINE, Theme, base_layout, theme
from biaslab.charts.wording import lines, plain, shortened, wrapped
from biaslab.studies.word_problems.inside.word_by_word import WordByWord
from schoolmath.text.figures import percent


@dataclass(frozen=True, slots=True)
class WordPanel:
    """One model on one member of a pair.

    Attributes:
        model: its name on screens.
        read: what it would answer after each word.
    """

    model: str
    read: WordByWord


def message(panel: WordPanel, arm: str, *, alone: bool = True) -> str:
    """Where the reversed answer leads, and how it ends, in a sentence or two."""
    read, sought = panel.read, panel.read.sought
    who = arm.capitalize() if alone else f"{panel.model}, {arm}"
    last = read.chances[-1]
    if last.reversed is None:
        return (
            f"{who}: at the end the right answer ({sought.right}) has {percent(last.right)}. "
            "Reversing the operation gives no whole number here."
        )
    at = read.misled
    if at is None:
        led = f"the reversed answer ({sought.reversed}) is never clearly ahead"
    else:
        there = read.chances[at]
        led = (
            f"after “{bare(read.words[at])}” (word {at + 1} of {len(read.words)}) the reversed "
            f"answer ({sought.reversed}) leads with {percent(there.reversed or 0.0)} to "
            f"{percent(there.right)}"
        )
    return (
        f"{who}: {led}; at the end the right one ({sought.right}) has {percent(last.right)} and "
        f"the reversed one {percent(last.reversed)}."
    )


def table(panels: Sequence[WordPanel], arm: str) -> pd.DataFrame:
    """A row for every model and word; probabilities are from 0 to 1."""
    return pd.DataFrame(
        [
            {
                "model": panel.model,
                "member": arm,
                "position": index + 1,
                "word": word,
                "sentence_differs": treated,
                "right_answer": panel.read.sought.right,
                "reversed_answer": panel.read.sought.reversed,
                "p_right": chances.right,
                "p_reversed": chances.reversed,
                "p_other_number": chances.other,
            }
            for panel in panels
            for index, (word, treated, chances) in enumerate(
                zip(panel.read.words, panel.read.treated, panel.read.chances, strict=True)
            )
        ]
    )


def bare(word: str) -> str:
    """A word without the marks that end its sentence."""
    return word.rstrip(".,?!") or word


_PANEL, _ALONE = 170, 260
"""Height in pixels of a model's lines above the words, among several and alone."""
_WORD = 7.0
"""Width in pixels of a letter of a word, roughly."""
_ROW = 20
"""Height in pixels of a word's row."""
_DISTANCE = 17
"""Pixels by which labels at the ends of lines are held apart."""
_HEAD = 46
"""Height in pixels above a panel: the model's name and, over rows, the legend."""


class _Line(NamedTuple):
    name: str
    label: str
    values: list[float]
    colour: str
    dash: str
    symbol: str
    glyph: str
    width: float
    size: int


def word_by_word_chart(
    panels: Sequence[WordPanel], arm: str, *, rows: bool = False, dark: bool = False
) -> Chart:
    """Probabilities of the right and of the reversed operation's answer after every word.

    Args:
        panels: one or more models on the same problem.
        arm: what this member of the pair is called.
        rows: a row for each word, for a narrow page; otherwise words along the bottom.
        dark: for a dark page.
    """
    colours = theme(dark)
    title = wrapped(f"{arm.capitalize()}: answer after each word", TITLE_WIDTH)
    above = 22 + TITLE_LINE * lines(title)
    make = _in_rows if rows else _along
    figure = make(panels, colours, title, above)
    summary = " ".join(message(panel, arm, alone=len(panels) == 1) for panel in panels)
    return Chart(figure, summary, table(panels, arm))


def _along(panels: Sequence[WordPanel], colours: Theme, title: str, above: int) -> go.Figure:
    words = panels[0].read.words
    below = 30 + int(_WORD * max(map(len, words)))
    panel_height = _PANEL if len(panels) > 1 else _ALONE
    height = above + len(panels) * (panel_height + _HEAD) + below
    figure = make_subplots(
        rows=len(panels), cols=1, shared_xaxes=True,
        vertical_spacing=_spacing(_HEAD, height - above - below, len(panels)),
    )  # fmt: skip
    figure.update_layout(base_layout(colours, title, height))
    figure.update_layout(
        margin={"l": 46, "r": 96, "t": above + _HEAD // 2, "b": below, "autoexpand": False},
        showlegend=False,
    )
    _words_axis(figure.update_xaxes, panels[0].read, colours)
    figure.update_xaxes(tickangle=-90, range=[-0.6, len(words) - 0.4])
    _share_axis(figure.update_yaxes, colours)
    shade = _shade(colours)
    for number, panel in enumerate(panels, 1):
        places = list(range(len(words)))
        found = _lines(panel.read, colours)
        for first, last in _changed(panel.read):
            figure.add_vrect(first, last, row=number, col=1, **shade)
        for line in found:
            _draw(figure, line, places, line.values, number, panel.read)
        domain = figure.layout[_axis("yaxis", number)].domain
        _name(figure, panel, domain[1], 6, colours, named=len(panels) > 1)
        ends = _spread_out([line.values[-1] for line in found], 100 * _DISTANCE / panel_height)
        for line, at in zip(found, ends, strict=True):
            figure.add_annotation(
                text=line.label, x=1.0, xref="paper", xanchor="left", xshift=4,
                y=at, yref=_axis("y", number), yanchor="middle", showarrow=False,
                font={"color": line.colour, "size": 12}, align="left",
            )  # fmt: skip
    return figure


def _in_rows(panels: Sequence[WordPanel], colours: Theme, title: str, above: int) -> go.Figure:
    words = panels[0].read.words
    head, axis = 3 * _ROW, 34
    panel_height = _ROW * len(words)
    inner = len(panels) * panel_height + (len(panels) - 1) * (head + axis)
    height = above + head + inner + axis
    figure = make_subplots(
        rows=len(panels), cols=1, vertical_spacing=_spacing(head + axis, inner, len(panels))
    )
    figure.update_layout(base_layout(colours, title, height))
    longest = max(map(len, words))
    figure.update_layout(
        margin={"l": 16 + int(1.15 * _WORD * longest), "r": 16, "t": above + head, "b": axis,
                "autoexpand": False},
        showlegend=False,
    )  # fmt: skip
    _words_axis(figure.update_yaxes, panels[0].read, colours)
    figure.update_yaxes(range=[len(words) - 0.5, -0.5])
    _share_axis(figure.update_xaxes, colours)
    shade = _shade(colours)
    for number, panel in enumerate(panels, 1):
        places = list(range(len(words)))
        found = _lines(panel.read, colours)
        for first, last in _changed(panel.read):
            figure.add_hrect(first, last, row=number, col=1, **shade)
        for line in found:
            _draw(figure, line, line.values, places, number, panel.read)
        domain = figure.layout[_axis("yaxis", number)].domain
        _name(figure, panel, domain[1], 2 * _ROW, colours, named=len(panels) > 1)
        legend = "<br>".join((
            "   ".join(_legend(line) for line in found[:-1]), _legend(found[-1])
        ))  # fmt: skip
        figure.add_annotation(
            text=legend, x=0, xref="paper", xanchor="left",
            xshift=-8 - int(1.15 * _WORD * longest), y=domain[1], yref="paper", yanchor="bottom",
            yshift=2, showarrow=False, align="left", font={"color": colours.text, "size": 12},
        )  # fmt: skip
    return figure


def _legend(line: _Line) -> str:
    return f'<span style="color:{line.colour}">{line.glyph}</span> {line.label}'


def _lines(read: WordByWord, colours: Theme) -> list[_Line]:
    """The lines that there are; the light one of other numbers last."""
    sought = read.sought
    right = [100 * each.right for each in read.chances]
    found = [
        _Line("right answer", f"right: {sought.right}", right, colours.palette[0], "solid",
              "circle", "●", 2.6, 6)
    ]  # fmt: skip
    if sought.reversed is not None:
        turned = [100 * (each.reversed or 0.0) for each in read.chances]
        found.append(
            _Line("reversed operation", f"reversed: {sought.reversed}", turned, colours.palette[1],
                  "dash", "diamond", "◆", 2.6, 7)
        )  # fmt: skip
    other = [100 * each.other for each in read.chances]
    found.append(
        _Line("another number of the problem", "other number", other, colours.muted, "dot",
              "line-ew", "┄", 1.2, 3)
    )  # fmt: skip
    return found


def _draw(
    figure: go.Figure, line: _Line, x: list[Any], y: list[Any], row: int, read: WordByWord
) -> None:
    figure.add_trace(
        go.Scatter(
            x=x, y=y, mode="lines+markers", name=line.name,
            line={"color": line.colour, "dash": line.dash, "width": line.width},
            marker={"color": line.colour, "symbol": line.symbol, "size": line.size},
            customdata=[
                [plain(bare(word)), percent(value / 100)]
                for word, value in zip(read.words, line.values, strict=True)
            ],
            hovertemplate=f"after “%{{customdata[0]}}”<br>{line.name}: %{{customdata[1]}}"
            "<extra></extra>",
        ),
        row=row, col=1,
    )  # fmt: skip


def _changed(read: WordByWord) -> list[tuple[float, float]]:
    """From where to where, on the axis of words, the sentences stand that the treatment changes."""
    runs = []
    for differs, group in groupby(range(len(read.words)), key=read.treated.__getitem__):
        places = list(group)
        if differs:
            runs.append((places[0] - 0.5, places[-1] + 0.5))
    return runs


def _shade(colours: Theme) -> dict[str, Any]:
    # Drawn before its panel has any line, which plotly would otherwise skip.
    return {
        "layer": "below", "fillcolor": colours.grid, "opacity": 0.6, "line_width": 0,
        "exclude_empty_subplots": False,
    }  # fmt: skip


def _words_axis(update: Any, read: WordByWord, colours: Theme) -> None:
    shown = [
        f"<b>{plain(word)}</b>" if differs else plain(word)
        for word, differs in zip(read.words, read.treated, strict=True)
    ]
    update(
        tickmode="array", tickvals=list(range(len(shown))), ticktext=shown, color=colours.text,
        showgrid=False, zeroline=False, fixedrange=True, tickfont={"size": 13},
    )  # fmt: skip


def _share_axis(update: Any, colours: Theme) -> None:
    update(
        range=[-4, 104], tickvals=[0, 25, 50, 75, 100], ticktext=["0", "", "50", "", "100 %"],
        color=colours.text, gridcolor=colours.grid, zeroline=False, fixedrange=True,
    )  # fmt: skip


def _name(
    figure: go.Figure, panel: WordPanel, top: float, shift: int, colours: Theme, *, named: bool
) -> None:
    if named:
        figure.add_annotation(
            text=f"<b>{plain(shortened(panel.model, TITLE_WIDTH))}</b>", x=0, xref="paper",
            xanchor="left", y=top, yref="paper", yanchor="bottom", yshift=shift, showarrow=False,
            font={"color": colours.text, "size": 13},
        )  # fmt: skip


def _spread_out(values: Sequence[float], distance: float) -> list[float]:
    """Where labels stand: as near as can be to the values, none over another, all inside."""
    order = sorted(range(len(values)), key=values.__getitem__)
    placed = dict.fromkeys(order, 0.0)
    lowest = 0.0
    for index in order:
        placed[index] = max(values[index], lowest)
        lowest = placed[index] + distance
    highest = 100.0
    for index in reversed(order):
        placed[index] = min(placed[index], highest)
        highest = placed[index] - distance
    return [placed[index] for index in range(len(values))]


def _axis(name: str, number: int) -> str:
    return name if number == 1 else f"{name}{number}"


def _spacing(gap: int, inner: int, panels: int) -> float:
    """The gap between panels as a share of the height inside the margins."""
    return 0.0 if panels == 1 else gap / inner
