"""What a tiny model gets right: kinds of problems by reasoning steps, a share in every cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, empty_chart
from biaslab.charts.theme import cell_colour, ink_on, ramp_words, theme
from biaslab.charts.training._frame import framed
from biaslab.charts.wording import plain
from biaslab.models import CardEffect
from biaslab.stats import wilson
from biaslab.studies import Arms
from schoolmath.text.figures import hundredths, percent, percents

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
    effects: Sequence[CardEffect], arms: Mapping[str, Arms], asked: str, *, dark: bool = False
) -> Chart:
    """How often a model was right on problems it had not seen, by kind and steps.

    Args:
        effects: of one prompt strategy, from the model's card.
        arms: what the members of a study's pairs are called, by study; others are left out.
        asked: how it was asked, in words: ``asked directly``.
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
    title = f"What it gets right, per cent, {asked}"
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
