"""Where the operation is decided: the effect of each swap under its word, layers upwards.

Two layouts of the same, as for answers word by word: words along the bottom for a wide page, a row
for each word for a phone. Blue is towards the right answer, orange towards the reversed one; a plus
or a minus says it again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH, Chart
from biaslab.charts.theme import TITLE_LINE, Theme, base_layout, mixed, theme, written_on
from biaslab.charts.word_problems.word_by_word import bare
from biaslab.charts.wording import lines, plain, wrapped
from biaslab.studies.word_problems.inside.swaps import PromptWord, SwapEffects
from schoolmath.text.figures import listed, percent

WORTH = 2.0
"""A swap that changes the odds by less than this factor is not told in words, nor marked by a
sign."""

MOST_TOLD = 4
"""Swaps told in words, the largest ones: the chart has them all."""

_WORD = 7.0
"""Width in pixels of a letter of a word, roughly."""
_ROW = 20
"""Height in pixels of a word's row."""
_LAYER = 34
"""Height in pixels of a layer over the words."""
_HEAD = 44
"""Height in pixels of the legend, two lines."""


def layer_words(layer: int) -> str:
    """A layer in words: ``as the words go in``, ``after layer 3``."""
    return f"after layer {layer}" if layer else "as the words go in"


def factor_words(effect: float) -> str:
    """A change of log odds as a factor of the odds: ``× 28``, ``÷ 2.1``."""
    factor = float(f"{math.exp(abs(effect)):.2g}")
    return f"{'÷' if effect < 0 else '×'} {factor:,.{1 if factor < 10 else 0}f}"


def message(decided: SwapEffects) -> str:
    """Which swap moves the answer most, layer by layer, in one sentence."""
    strongest = [
        (layer, max(range(len(effects)), key=lambda at, row=effects: abs(row[at])))  # type: ignore[misc]
        for layer, effects in enumerate(decided.effects)
    ]
    stretches = [
        (place, [layer for layer, _ in group])
        for place, group in groupby(strongest, key=lambda each: each[1])
    ]
    sizes = {
        index: max((decided.effects[layer][place] for layer in layers), key=abs)
        for index, (place, layers) in enumerate(stretches)
    }
    worth = [index for index, effect in sizes.items() if abs(effect) >= math.log(WORTH)]
    if not worth:
        return f"No single swap changes the odds of the right answer by a factor of {WORTH:g}."
    largest = sorted(worth, key=lambda index: abs(sizes[index]), reverse=True)[:MOST_TOLD]
    told = [
        f"at “{bare(decided.places[place].word)}” {_when(layers)} "
        f"(odds {factor_words(sizes[index])}{_turns(decided, place, layers)})"
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


def _turns(decided: SwapEffects, place: int, layers: Sequence[int]) -> str:
    """Whether one of these swaps makes the other answer of the two the likelier one."""
    before = decided.own.log > 0
    turned = any((decided.swapped[layer][place].log > 0) != before for layer in layers)
    return ", enough to turn it round" if turned else ""


def table(decided: SwapEffects, model: str) -> pd.DataFrame:
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
                zip(decided.swapped, decided.effects, strict=True)
            )
            for at, (place, odds, effect) in enumerate(
                zip(decided.places, row, effects, strict=True)
            )
        ]
    )


def swap_chart(
    decided: SwapEffects, model: str, *, rows: bool = False, dark: bool = False
) -> Chart:
    """The effect of swapping each activation for the other member's.

    Args:
        decided: what each swap did.
        model: its name on screens.
        rows: a row for each word, for a narrow page; otherwise words along the bottom.
        dark: for a dark page.
    """
    colours = theme(dark)
    title = wrapped(f"Where it is decided: {model}", TITLE_WIDTH if rows else 2 * TITLE_WIDTH)
    labels = [_label(place, colours) for place in decided.places]
    letters = max(len(_in_words(place)) for place in decided.places)
    above = 22 + TITLE_LINE * lines(title) + _HEAD
    layers = ["in", *map(str, range(1, len(decided.effects)))]
    figure = go.Figure()
    if rows:
        height = above + 26 + _ROW * len(labels) + 12
        margin = {"l": 16 + int(1.1 * _WORD * letters), "r": 16, "t": above + 26, "b": 12}
    else:
        below = 16 + int(_WORD * letters)
        height = above + _LAYER * len(layers) + below
        margin = {"l": 64, "r": 16, "t": above, "b": below}
    figure.update_layout(base_layout(colours, title, height))
    figure.update_layout(margin={**margin, "autoexpand": False}, plot_bgcolor=colours.grid)
    figure.add_trace(_cells(decided, colours, rows=rows))
    figure.add_trace(_signs(decided, colours, rows=rows))
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
        text=_legend(decided, colours), x=0, xref="paper", xanchor="left",
        xshift=-margin["l"] + 8, y=1, yref="paper", yanchor="bottom",
        yshift=30 if rows else 4, showarrow=False, align="left",
        font={"color": colours.text, "size": 12},
    )  # fmt: skip
    return Chart(figure, message(decided), table(decided, model))


def _cells(decided: SwapEffects, colours: Theme, *, rows: bool) -> go.Heatmap:
    values = [list(each) for each in decided.effects]
    most = _most(decided)
    hover = [
        [
            f"“{plain(bare(place.word))}” swapped for “{plain(bare(place.other))}”, "
            f"{layer_words(layer)}<br>odds of the right answer {factor_words(effect)}<br>"
            f"right {percent(odds.right)}, reversed {percent(odds.reversed)}"
            for place, odds, effect in zip(decided.places, swapped, effects, strict=True)
        ]
        for layer, (swapped, effects) in enumerate(zip(decided.swapped, values, strict=True))
    ]
    if rows:
        values, hover = _turned(values), _turned(hover)
    return go.Heatmap(
        z=values, zmin=-most, zmax=most, customdata=hover,
        hovertemplate="%{customdata}<extra></extra>", showscale=False, xgap=1, ygap=1,
        colorscale=[[0, colours.palette[1]], [0.5, colours.background], [1, colours.palette[0]]],
    )  # fmt: skip


def _signs(decided: SwapEffects, colours: Theme, *, rows: bool) -> go.Scatter:
    """A plus or a minus on each swap that is worth one."""
    marked = [
        (layer, at, effect)
        for layer, effects in enumerate(decided.effects)
        for at, effect in enumerate(effects)
        if abs(effect) >= math.log(WORTH)
    ]
    layers, words = [layer for layer, _, _ in marked], [at for _, at, _ in marked]
    most = _most(decided)
    cells = [
        mixed(colours.background, colours.palette[int(effect < 0)], abs(effect) / most)
        for _, _, effect in marked
    ]
    return go.Scatter(
        x=layers if rows else words, y=words if rows else layers, mode="text",
        text=[_sign(effect) for _, _, effect in marked], hoverinfo="skip", showlegend=False,
        textfont={"size": 13, "color": [written_on(cell, colours) for cell in cells]},
    )  # fmt: skip


def _most(decided: SwapEffects) -> float:
    """The effect that has the full colour."""
    return max(math.log(WORTH), *(abs(value) for row in decided.effects for value in row))


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


def _legend(decided: SwapEffects, colours: Theme) -> str:
    strongest = max((effect for row in decided.effects for effect in row), key=abs)
    right, turned = colours.palette[:2]
    return (
        f'<span style="color:{right}">■</span> + towards right: {decided.sought.right}   '
        f'<span style="color:{turned}">■</span> − towards reversed: {decided.sought.reversed}<br>'
        f"strongest: odds {factor_words(strongest)}"
    )
