"""Which rationale was taken for which, the most frequent first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import TITLE_WIDTH, Chart, empty_chart
from biaslab.charts.theme import TITLE_LINE, Theme, base_layout, theme
from biaslab.charts.wording import lines, plain, wrapped
from schoolmath.text.figures import percent

MOST = 12
"""Bars of the chart; the table has all."""

_TITLE = "Which rationale was taken for which?"
_BAR = 20
_LINE = 18
_GAP = 12
_BELOW = 42
_LEGEND_LINE = 20
_WIDTH = 46
"""Characters of a label's line that fit on a phone."""


class Sort(StrEnum):
    """What was taken for what; the text is a line of the legend."""

    TO_KEY = "a mal-rule taken for the right way"
    FROM_KEY = "the right way taken for a mal-rule"
    AMONG = "a mal-rule taken for another one"


_HATCHES = {Sort.TO_KEY: "", Sort.AMONG: "/", Sort.FROM_KEY: "x"}
_SIGNS = {Sort.TO_KEY: "■ solid", Sort.AMONG: "▨ hatched", Sort.FROM_KEY: "▩ crossed"}


@dataclass(frozen=True, slots=True)
class MixUp:
    """One rationale taken for another.

    Attributes:
        rule, named: ids of the one that led to the choice and of the one named.
        rule_words, named_words: what they are called, plain text.
        answers: how often; of: how many answers there are about choices of that rule.
        sort: what was taken for what.
    """

    rule: str
    named: str
    rule_words: str
    named_words: str
    answers: int
    of: int
    sort: Sort

    @property
    def words(self) -> str:
        """The mix-up in words."""
        return f"{self.rule_words} → {self.named_words}"


def mixups_chart(mixups: Sequence[MixUp], *, dark: bool = False) -> Chart:
    """The most frequent mix-ups as bars; a point is the place of its mix-up.

    Args:
        mixups: the most frequent first.
        dark: for a dark page.
    """
    data = _data(mixups)
    if not mixups:
        return empty_chart("No rationale was taken for another one.", dark, data)
    colours = theme(dark)
    drawn = mixups[:MOST]
    title = wrapped(_TITLE, TITLE_WIDTH)
    labels = [wrapped(mixup.words, _WIDTH) for mixup in drawn]
    sorts = list(dict.fromkeys(mixup.sort for mixup in drawn))
    above = 20 + TITLE_LINE * lines(title)
    below = _BELOW + _LEGEND_LINE * len(sorts)
    tops: list[float] = []
    end = 0.0
    for label in labels:
        tops.append(end)
        end += _LINE * lines(label) + _BAR + _GAP
    figure = go.Figure(layout=base_layout(colours, title, round(above + end + below)))
    figure.update_layout(
        margin={"l": 12, "r": 16, "t": above, "b": below, "autoexpand": False},
        showlegend=False, barmode="overlay",
    )  # fmt: skip
    most = max(mixup.answers for mixup in drawn)
    figure.update_xaxes(
        range=[0, 1.35 * most], fixedrange=True, color=colours.text, gridcolor=colours.grid,
        zeroline=False, showline=True, linecolor=colours.muted, nticks=6, tickformat="d",
        title={"text": "Answers", "standoff": 4, "font": {"size": 13, "color": colours.text}},
    )  # fmt: skip
    figure.update_yaxes(range=[end, 0], visible=False, fixedrange=True)
    middles = [
        top + _LINE * lines(label) + _BAR / 2 + 2 for top, label in zip(tops, labels, strict=True)
    ]
    _add_bars(figure, drawn, middles, colours)
    for top, label in zip(tops, labels, strict=True):
        figure.add_annotation(
            text=label, x=0, xref="paper", xanchor="left", y=top, yref="y", yanchor="top",
            showarrow=False, align="left", font={"color": colours.text, "size": 13},
            bgcolor=colours.background, borderpad=0,
        )  # fmt: skip
    for index, sort in enumerate(sorts):
        figure.add_annotation(
            text=f'<span style="color:{_colour(sort, colours)}">{_SIGNS[sort].split()[0]}</span> '
            f"{_SIGNS[sort].split()[1]}: {plain(sort)}",
            x=0, xref="paper", xanchor="left", y=0, yref="paper", yanchor="top",
            yshift=-_BELOW - _LEGEND_LINE * index, showarrow=False, align="left",
            font={"color": colours.text, "size": 13},
        )  # fmt: skip
    return Chart(figure, _summary(mixups), data)


def _colour(sort: Sort, colours: Theme) -> str:
    return colours.palette[list(_HATCHES).index(sort)]


def _add_bars(
    figure: go.Figure, drawn: Sequence[MixUp], middles: list[float], colours: Theme
) -> None:
    fills = [_colour(mixup.sort, colours) for mixup in drawn]
    figure.add_trace(
        go.Bar(
            orientation="h",
            x=[mixup.answers for mixup in drawn],
            y=middles,
            width=_BAR - 4,
            text=[f"{mixup.answers:,} of {mixup.of:,}" for mixup in drawn],
            textposition="outside",
            textfont={"color": colours.text, "size": 13},
            constraintext="none",
            marker={
                "color": fills,
                "line": {"color": fills, "width": 1.5},
                "pattern": {
                    "shape": [_HATCHES[mixup.sort] for mixup in drawn], "fillmode": "replace",
                    "fgcolor": fills, "bgcolor": colours.background, "size": 7, "solidity": 0.4,
                },
            },
            customdata=[f"{plain(mixup.words)}<br>{_share_words(mixup)}" for mixup in drawn],
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )
    )  # fmt: skip


def _share_words(mixup: MixUp) -> str:
    return f"{mixup.answers:,} of {mixup.of:,} answers ({percent(mixup.answers / mixup.of)})"


def _summary(mixups: Sequence[MixUp]) -> str:
    each = "; ".join(f"{mixup.words}: {_share_words(mixup)}" for mixup in mixups[:MOST])
    more = len(mixups) - MOST
    rest = f" {more} more are in the table." if more > 0 else ""
    return (
        f"{_TITLE} The most frequent first, what led to the choice → what was named. {each}.{rest}"
    )


def _data(mixups: Sequence[MixUp]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "rule": each.rule, "named": each.named, "rule_name": each.rule_words,
                "named_name": each.named_words, "answers": each.answers, "of": each.of,
            }
            for each in mixups
        ]
    )  # fmt: skip
