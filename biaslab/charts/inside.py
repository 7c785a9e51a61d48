"""What was seen inside a model: answers word by word, swaps of activations, and probes.

Two layouts of the same: words along the bottom, turned, for a wide page; a row for each word, for
a phone, where nothing is turned and nothing has to be pushed aside. Several models are small
multiples. Blue is towards the right answer, orange towards the reversed one; a plus or a minus
says it again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from biaslab.charts.chart import (
    TITLE_LINE,
    TITLE_WIDTH,
    Chart,
    Theme,
    base_layout,
    lines,
    mixed,
    plain,
    shortened,
    theme,
    wrapped,
    written_on,
)
from biaslab.studies.word_problems.inside.probes import PLACES, ProbeAccuracy
from biaslab.studies.word_problems.inside.swaps import PromptWord, SwapEffects
from biaslab.studies.word_problems.inside.word_by_word import WordByWord
from schoolmath.text.figures import hundredths, listed, percent, percents


@dataclass(frozen=True, slots=True)
class WordPanel:
    """One model on one member of a pair.

    Attributes:
        model: its name on screens.
        read: what it would answer after each word.
    """

    model: str
    read: WordByWord


def word_message(panel: WordPanel, arm: str, *, alone: bool = True) -> str:
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


def word_table(panels: Sequence[WordPanel], arm: str) -> pd.DataFrame:
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
    summary = " ".join(word_message(panel, arm, alone=len(panels) == 1) for panel in panels)
    return Chart(figure, summary, word_table(panels, arm))


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


WORTH = 2.0
"""A swap that changes the odds by less than this factor is not told in words, nor marked by a
sign."""

MOST_TOLD = 4
"""Swaps told in words, the largest ones: the chart has them all."""

_LAYER_ROW = 20
"""Height in pixels of a word's row."""
_LAYER = 34
"""Height in pixels of a layer over the words."""
_SWAPS_HEAD = 44
"""Height in pixels of the legend, two lines."""


def layer_words(layer: int) -> str:
    """A layer in words: ``as the words go in``, ``after layer 3``."""
    return f"after layer {layer}" if layer else "as the words go in"


def factor_words(effect: float) -> str:
    """A change of log odds as a factor of the odds: ``× 28``, ``÷ 2.1``."""
    factor = float(f"{math.exp(abs(effect)):.2g}")
    return f"{'÷' if effect < 0 else '×'} {factor:,.{1 if factor < 10 else 0}f}"


def swaps_message(swap_effects: SwapEffects) -> str:
    """Which swap moves the answer most, layer by layer, in one sentence."""
    strongest = [
        (layer, max(range(len(effects)), key=lambda at, row=effects: abs(row[at])))  # type: ignore[misc]
        for layer, effects in enumerate(swap_effects.effects)
    ]
    stretches = [
        (place, [layer for layer, _ in group])
        for place, group in groupby(strongest, key=lambda each: each[1])
    ]
    sizes = {
        index: max((swap_effects.effects[layer][place] for layer in layers), key=abs)
        for index, (place, layers) in enumerate(stretches)
    }
    worth = [index for index, effect in sizes.items() if abs(effect) >= math.log(WORTH)]
    if not worth:
        return f"No single swap changes the odds of the right answer by a factor of {WORTH:g}."
    largest = sorted(worth, key=lambda index: abs(sizes[index]), reverse=True)[:MOST_TOLD]
    told = [
        f"at “{bare(swap_effects.places[place].word)}” {_when(layers)} "
        f"(odds {factor_words(sizes[index])}{_turns(swap_effects, place, layers)})"
        for index, (place, layers) in enumerate(stretches)
        if index in largest
    ]
    return f"The swap that moves the answer most is {listed(told, 'and then')}."


def _when(layers: Sequence[int]) -> str:
    first, last = layers[0], layers[-1]
    if first == last:
        return layer_words(first)
    if first:
        return f"after layers {first} {'and' if last == first + 1 else 'to'} {last}"
    return f"{layer_words(0)} and up to layer {last}"


def _turns(swap_effects: SwapEffects, place: int, layers: Sequence[int]) -> str:
    """Whether one of these swaps makes the other answer of the two the likelier one."""
    before = swap_effects.own.log > 0
    turned = any((swap_effects.swapped[layer][place].log > 0) != before for layer in layers)
    return ", enough to turn it round" if turned else ""


def swaps_table(swap_effects: SwapEffects, model: str) -> pd.DataFrame:
    """A row for every layer and word; probabilities are those at the end of the whole problem."""
    return pd.DataFrame(
        [
            {
                "model": model,
                "layer": layer,
                "position": at + 1,
                "word": place.word,
                "swapped_for": place.other,
                "in_problem": place.told,
                "sentence_differs": place.treated,
                "p_right": odds.right,
                "p_reversed": odds.reversed,
                "log_odds_change": effect,
            }
            for layer, (row, effects) in enumerate(
                zip(swap_effects.swapped, swap_effects.effects, strict=True)
            )
            for at, (place, odds, effect) in enumerate(
                zip(swap_effects.places, row, effects, strict=True)
            )
        ]
    )


def swap_chart(
    swap_effects: SwapEffects, model: str, *, rows: bool = False, dark: bool = False
) -> Chart:
    """The effect of swapping each activation for the other member's.

    Args:
        swap_effects: what each swap did.
        model: its name on screens.
        rows: a row for each word, for a narrow page; otherwise words along the bottom.
        dark: for a dark page.
    """
    colours = theme(dark)
    title = wrapped(f"Where it is decided: {model}", TITLE_WIDTH if rows else 2 * TITLE_WIDTH)
    labels = [_label(place, colours) for place in swap_effects.places]
    letters = max(len(_in_words(place)) for place in swap_effects.places)
    above = 22 + TITLE_LINE * lines(title) + _SWAPS_HEAD
    layers = ["in", *map(str, range(1, len(swap_effects.effects)))]
    figure = go.Figure()
    if rows:
        height = above + 26 + _LAYER_ROW * len(labels) + 12
        margin = {"l": 16 + int(1.1 * _WORD * letters), "r": 16, "t": above + 26, "b": 12}
    else:
        below = 16 + int(_WORD * letters)
        height = above + _LAYER * len(layers) + below
        margin = {"l": 64, "r": 16, "t": above, "b": below}
    figure.update_layout(base_layout(colours, title, height))
    figure.update_layout(margin={**margin, "autoexpand": False}, plot_bgcolor=colours.grid)
    figure.add_trace(_cells(swap_effects, colours, rows=rows))
    figure.add_trace(_signs(swap_effects, colours, rows=rows))
    words_axis = {"tickvals": list(range(len(labels))), "ticktext": labels, "tickfont.size": 13}
    layers_axis = {"tickvals": list(range(len(layers))), "ticktext": layers}
    both = {"color": colours.text, "showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(**both)
    figure.update_yaxes(**both)
    after = {"text": "after layer", "standoff": 4}
    if rows:
        figure.update_yaxes(**words_axis, range=[len(labels) - 0.5, -0.5])
        figure.update_xaxes(**layers_axis, side="top", title=after)
    else:
        figure.update_xaxes(**words_axis, tickangle=-90, range=[-0.5, len(labels) - 0.5])
        figure.update_yaxes(**layers_axis, title=after)
    figure.add_annotation(
        text=_swaps_legend(swap_effects, colours), x=0, xref="paper", xanchor="left",
        xshift=-margin["l"] + 8, y=1, yref="paper", yanchor="bottom",
        yshift=30 if rows else 4, showarrow=False, align="left",
        font={"color": colours.text, "size": 12},
    )  # fmt: skip
    return Chart(figure, swaps_message(swap_effects), swaps_table(swap_effects, model))


def _cells(swap_effects: SwapEffects, colours: Theme, *, rows: bool) -> go.Heatmap:
    values = [list(each) for each in swap_effects.effects]
    most = _most(swap_effects)
    hover = [
        [
            f"“{plain(bare(place.word))}” swapped for “{plain(bare(place.other))}”, "
            f"{layer_words(layer)}<br>odds of the right answer {factor_words(effect)}<br>"
            f"right {percent(odds.right)}, reversed {percent(odds.reversed)}"
            for place, odds, effect in zip(swap_effects.places, swapped, effects, strict=True)
        ]
        for layer, (swapped, effects) in enumerate(zip(swap_effects.swapped, values, strict=True))
    ]
    if rows:
        values, hover = _turned(values), _turned(hover)
    return go.Heatmap(
        z=values, zmin=-most, zmax=most, customdata=hover,
        hovertemplate="%{customdata}<extra></extra>", showscale=False, xgap=1, ygap=1,
        colorscale=[[0, colours.palette[1]], [0.5, colours.background], [1, colours.palette[0]]],
    )  # fmt: skip


def _signs(swap_effects: SwapEffects, colours: Theme, *, rows: bool) -> go.Scatter:
    """A plus or a minus on each swap that is worth one."""
    marked = [
        (layer, at, effect)
        for layer, effects in enumerate(swap_effects.effects)
        for at, effect in enumerate(effects)
        if abs(effect) >= math.log(WORTH)
    ]
    layers, words = [layer for layer, _, _ in marked], [at for _, at, _ in marked]
    most = _most(swap_effects)
    cells = [
        mixed(colours.background, colours.palette[int(effect < 0)], abs(effect) / most)
        for _, _, effect in marked
    ]
    return go.Scatter(
        x=layers if rows else words, y=words if rows else layers, mode="text",
        text=[_sign(effect) for _, _, effect in marked], hoverinfo="skip", showlegend=False,
        textfont={"size": 13, "color": [written_on(cell, colours) for cell in cells]},
    )  # fmt: skip


def _most(swap_effects: SwapEffects) -> float:
    """The effect that has the full colour."""
    return max(math.log(WORTH), *(abs(value) for row in swap_effects.effects for value in row))


def _sign(effect: float) -> str:
    return "+" if effect > 0 else "−"


def _turned(grid: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*grid, strict=True)]


def _in_words(place: PromptWord) -> str:
    return place.word if place.word == place.other else f"{place.word} ← {place.other}"


def _label(place: PromptWord, colours: Theme) -> str:
    """A word as on the chart above: bold where its sentence differs, light around the problem."""
    said = plain(_in_words(place))
    if place.treated:
        return f"<b>{said}</b>"
    return said if place.told else f'<span style="color:{colours.muted}">{said}</span>'


def _swaps_legend(swap_effects: SwapEffects, colours: Theme) -> str:
    strongest = max((effect for row in swap_effects.effects for effect in row), key=abs)
    right, turned = colours.palette[:2]
    return (
        f'<span style="color:{right}">■</span> + towards right: {swap_effects.sought.right}   '
        f'<span style="color:{turned}">■</span> − towards reversed: '
        f"{swap_effects.sought.reversed}<br>"
        f"strongest: odds {factor_words(strongest)}"
    )


_PROBE_ROW = 26
"""Height in pixels of a place's row."""
_WRITTEN = 9
"""Layers up to which each cell has room for its number on a phone."""
_PLACE = 170
"""Width in pixels of the names of places."""


def probe_message(accuracies: Sequence[ProbeAccuracy]) -> str:
    """Where the probe is right most often, in one sentence."""
    best = max(accuracies, key=lambda each: each.share)
    return (
        "A linear probe, which weighs the model's numbers at one place, names the operation best "
        f"at the {PLACES[best.place]}, {layer_words(best.layer)}: right for {percent(best.share)} "
        f"of {best.n} problems that it has not seen (95 % interval "
        f"{percents(best.interval.low, best.interval.high)}), where the word “more” or “fewer” "
        "alone would be right for half."
    )


def probe_table(accuracies: Sequence[ProbeAccuracy], model: str) -> pd.DataFrame:
    """A row for every layer and place; shares are from 0 to 1."""
    return pd.DataFrame(
        [
            {
                "model": model,
                "layer": each.layer,
                "place": PLACES[each.place],
                "right": each.right,
                "n": each.n,
                "share": each.share,
                "low": each.interval.low,
                "high": each.interval.high,
                "share_inconsistent": each.inconsistent,
                "share_shuffled_labels": each.shuffled,
                "share_of_cue_word": each.cue,
            }
            for each in accuracies
        ]
    )


def probe_chart(accuracies: Sequence[ProbeAccuracy], model: str, *, dark: bool = False) -> Chart:
    """How often the operation was read off rightly, a row for each place, a column for each layer.

    Args:
        accuracies: of `accuracies`, layer by layer.
        model: its name on screens.
        dark: for a dark page.
    """
    colours = theme(dark)
    title = wrapped(f"Operation, % right: {model}", TITLE_WIDTH)
    layers = 1 + max(each.layer for each in accuracies)
    above = 22 + TITLE_LINE * lines(title) + 40
    figure = go.Figure(layout=base_layout(colours, title, above + _PROBE_ROW * len(PLACES) + 12))
    figure.update_layout(
        margin={"l": _PLACE, "r": 12, "t": above, "b": 12, "autoexpand": False},
        plot_bgcolor=colours.grid,
    )
    cells = {(each.place, each.layer): each for each in accuracies}
    grid = [[cells[place, layer] for layer in range(layers)] for place in range(len(PLACES))]
    figure.add_trace(
        go.Heatmap(
            z=[[each.share for each in row] for row in grid], zmin=0.5, zmax=1, showscale=False,
            xgap=1, ygap=1, colorscale=[[0, colours.background], [1, colours.palette[0]]],
            customdata=[
                [
                    f"{plain(PLACES[each.place])}, {layer_words(each.layer)}<br>"
                    f"{each.right} of {each.n} right, "
                    f"{percents(each.interval.low, each.interval.high)}<br>"
                    f"inconsistent ones: {percent(each.inconsistent)}<br>"
                    f"shuffled labels: {percent(each.shuffled)}; cue word: {percent(each.cue)}"
                    for each in row
                ]
                for row in grid
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip
    if layers <= _WRITTEN:
        figure.add_trace(_numbers(accuracies, colours))
    axis = {"color": colours.text, "showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(
        tickvals=list(range(layers)), ticktext=["in", *map(str, range(1, layers))], side="top",
        title={"text": "after layer", "standoff": 4}, **axis,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(PLACES))), ticktext=[plain(place) for place in PLACES],
        range=[len(PLACES) - 0.5, -0.5], **axis,
    )  # fmt: skip
    return Chart(figure, probe_message(accuracies), probe_table(accuracies, model))


def _numbers(accuracies: Sequence[ProbeAccuracy], colours: Theme) -> go.Scatter:
    """The percentage in each cell."""
    cells = [
        mixed(colours.background, colours.palette[0], max(0.0, 2 * each.share - 1))
        for each in accuracies
    ]
    return go.Scatter(
        x=[each.layer for each in accuracies], y=[each.place for each in accuracies], mode="text",
        text=[hundredths(each.share, 0) for each in accuracies], hoverinfo="skip", showlegend=False,
        textfont={"size": 13, "color": [written_on(cell, colours) for cell in cells]},
    )  # fmt: skip
