"""Pictures of the study of mal-rules: rationales identified, by grade and depth, and mix-ups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    FEWEST,
    MOST_POINTS,
    TITLE_LINE,
    TITLE_WIDTH,
    Chart,
    RunStyle,
    Theme,
    base_layout,
    cell_colour,
    empty_chart,
    faded,
    ink_on,
    lines,
    plain,
    ramp_words,
    theme,
    wrapped,
)
from biaslab.charts.forest import LegendLine, RowPositions, forest_figure
from biaslab.studies.malgorithm.results import Identification, ReadShare
from schoolmath.text.figures import exact_percent, percent, percents

_GRID_TITLE = "Mal-rules identified (MIA) by grade and depth of knowledge"
_ROW = 50
"""Pixels of a row: two lines of text."""
_LEFT = 78
_TOP_LABELS = 26
_NOTE = 30


@dataclass(frozen=True, slots=True)
class GridCell:
    """The figures of the questions of one grade and depth of knowledge."""

    grade: int
    dok: int
    found: Identification


def grid_chart(cells: Sequence[GridCell], *, dark: bool = False) -> Chart:
    """How often the mal-rule's rationale was identified in each cell, with n below.

    Args:
        cells: of one run. The point of a mark is the place of its cell among those with n.
        dark: for a dark page.
    """
    drawn = drawn_cells(cells)
    data = _grid_data(cells)
    if not drawn:
        return empty_chart("No choice that a mal-rule gives has been answered yet.", dark, data)
    if len(drawn) > MOST_POINTS:
        return empty_chart(f"There are {len(drawn)} cells, more than can be read.", dark, data)
    colours = theme(dark)
    grades = sorted({cell.grade for cell in drawn})
    doks = sorted({cell.dok for cell in drawn})
    shown = wrapped(_GRID_TITLE, TITLE_WIDTH)
    above = 22 + TITLE_LINE * lines(shown) + _TOP_LABELS
    figure = go.Figure(layout=base_layout(colours, shown, above + _ROW * len(grades) + _NOTE + 10))
    figure.update_layout(
        margin={"l": _LEFT, "r": 12, "t": above, "b": _NOTE + 10, "autoexpand": False},
        showlegend=False, barmode="overlay", bargap=0,
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.5, len(doks) - 0.5], side="top", tickvals=list(range(len(doks))),
        ticktext=[f"DOK {dok}" for dok in doks], fixedrange=True, showgrid=False, zeroline=False,
        ticks="", color=colours.text,
    )  # fmt: skip
    figure.update_yaxes(
        range=[len(grades) - 0.5, -0.5], tickvals=list(range(len(grades))),
        ticktext=[f"Grade {grade}" for grade in grades], fixedrange=True, showgrid=False,
        zeroline=False, ticks="", color=colours.text,
    )  # fmt: skip
    _add_cells(figure, drawn, grades, doks, dark)
    _add_gaps(figure, drawn, grades, doks, colours)
    figure.add_annotation(
        text=f"{ramp_words(dark)} "
        f"Chance: {chance_words([cell.found.chances.mia for cell in drawn])}."
        + (f" Faded: n below {FEWEST}." if any(c.found.mia.n < FEWEST for c in drawn) else ""),
        x=0, xref="paper", xanchor="left", xshift=10 - _LEFT,
        y=0, yref="paper", yanchor="top", yshift=-8, showarrow=False,
        font={"color": colours.text, "size": 13},
    )  # fmt: skip
    return Chart(figure, _grid_summary(drawn), data)


def drawn_cells(cells: Sequence[GridCell]) -> list[GridCell]:
    """The cells that have something to show, in the order of the chart's points."""
    return [cell for cell in cells if cell.found.mia.value is not None]


def _add_cells(
    figure: go.Figure, cells: Sequence[GridCell], grades: list[int], doks: list[int], dark: bool
) -> None:
    shares = [cell.found.mia.value or 0.0 for cell in cells]
    fills = [
        faded(colour, theme(dark)) if cell.found.mia.n < FEWEST else colour
        for cell in cells
        for colour in [cell_colour(cell.found.mia.value or 0.0, dark)]
    ]
    figure.add_trace(
        go.Bar(
            orientation="h",
            x=[0.96] * len(cells),
            base=[doks.index(cell.dok) - 0.48 for cell in cells],
            y=[grades.index(cell.grade) for cell in cells],
            width=0.94,
            text=[
                f"<b>{percent(share, 0)}</b><br>n = {cell.found.mia.n:,}"
                for share, cell in zip(shares, cells, strict=True)
            ],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            constraintext="none",
            insidetextfont={"color": [ink_on(fill) for fill in fills], "size": 13},
            marker={"color": fills, "line": {"color": theme(dark).muted, "width": 1}},
            customdata=[plain(cell_words(cell)) for cell in cells],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_gaps(
    figure: go.Figure, cells: Sequence[GridCell], grades: list[int], doks: list[int], colours: Theme
) -> None:
    there = {(cell.grade, cell.dok) for cell in cells}
    for row, grade in enumerate(grades):
        for column, dok in enumerate(doks):
            if (grade, dok) not in there:
                figure.add_annotation(
                    text="none", x=column, y=row, showarrow=False, font={"color": colours.muted}
                )


def cell_words(cell: GridCell) -> str:
    """A cell in words, with n and interval."""
    return f"Grade {cell.grade}, DOK {cell.dok}: {share_words(cell.found.mia)}"


def share_words(share: ReadShare, confidence: float = 0.95) -> str:
    """A share in words: ``62.5 % (95 % interval 51.0 % to 72.7 %, n = 24)``."""
    if share.value is None:
        return f"no value (n = {share.n})"
    level = exact_percent(confidence)
    spread = (
        f"no {level} interval can be determined"
        if share.interval is None
        else f"{level} interval {percents(share.interval.low, share.interval.high)}"
    )
    return f"{percent(share.value)} ({spread}, n = {share.n:,})"


def chance_words(chances: Sequence[float | None]) -> str:
    """What guessing reaches in several places: one share, or from which to which."""
    there = sorted({value for value in chances if value is not None})
    if not there:
        return "not known"
    if len({percent(value, 0) for value in there}) == 1:
        return percent(there[0], 0)
    return f"{percent(there[0], 0)} to {percent(there[-1], 0)}"


def _grid_summary(cells: Sequence[GridCell]) -> str:
    parts = [f"{_GRID_TITLE}."]
    if len(cells) > 1:
        order = sorted(cells, key=lambda cell: cell.found.mia.value or 0.0)
        parts.append(f"Lowest: {cell_words(order[0])}. Highest: {cell_words(order[-1])}.")
    parts.append("; ".join(cell_words(cell) for cell in cells) + ".")
    return " ".join(parts)


def _grid_data(cells: Sequence[GridCell]) -> pd.DataFrame:
    rows = []
    for cell in cells:
        mia, aia = cell.found.mia, cell.found.aia
        rows.append(
            {
                "run": cell.found.run, "grade": cell.grade, "dok": cell.dok,
                "mia": mia.value, "mia_low": mia.interval and mia.interval.low,
                "mia_high": mia.interval and mia.interval.high, "n_mia": mia.n,
                "templates": mia.clusters, "aia": aia.value, "n_aia": aia.n,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


AIA, MIA = "AIA", "MIA"
_BARS_TITLE = "How often was the rationale identified?"
_HATCH = {AIA: "", MIA: "/"}


@dataclass(frozen=True, slots=True)
class BarGroup:
    """The figures of some questions of one run.

    Attributes:
        run: what the run is called; label: what the questions are called; both plain text.
        found: their figures.
    """

    run: str
    label: str
    found: Identification


def bars_chart(groups: Sequence[BarGroup], *, dark: bool = False) -> Chart:
    """AIA (solid) and MIA (hatched) of every group, with intervals and the line of chance.

    Args:
        groups: those of a run after one another. Trace 0 holds the AIA, trace 1 the MIA; a
            point is the place of its group.
        dark: for a dark page.
    """
    data = _bars_data(groups)
    if not any(group.found.aia.n or group.found.mia.n for group in groups):
        return empty_chart("Nothing has been answered yet.", dark, data)
    if 2 * len(groups) > MOST_POINTS:
        sentence = f"There are {2 * len(groups)} bars, more than can be read: choose fewer runs."
        return empty_chart(sentence, dark, data)
    colours = theme(dark)
    rows = RowPositions()
    runs = list(dict.fromkeys(group.run for group in groups))
    placed: list[list[float]] = []
    last = ""
    for group in groups:
        if len(runs) > 1 and group.run != last:
            rows.heading(group.run)
            last = group.run
        placed.append(rows.block(group.label, 2, 0.5))
    chances = _chances(groups)
    legend = [
        LegendLine("AIA, solid: why the right choice", RunStyle(colours.palette[0], "square")),
        LegendLine("MIA, hatched: why a wrong choice", RunStyle(colours.palette[1], "square")),
        LegendLine(f"Dashed line: chance, {chance_words(chances)}"),
    ]
    axis_title = "Per cent identified<br>(lines: 95 % interval)"
    figure = forest_figure(rows, colours, _BARS_TITLE, axis_title, [0, 101], legend)
    figure.update_layout(barmode="overlay")
    for index, name in enumerate((AIA, MIA)):
        _add(figure, name, groups, [each[index] for each in placed], colours)
    _add_chances(figure, groups, placed, colours)
    return Chart(figure, _bars_summary(groups), data)


def _chances(groups: Sequence[BarGroup]) -> list[float | None]:
    return [each for group in groups for each in (group.found.chances.aia, group.found.chances.mia)]


def _add_chances(
    figure: go.Figure, groups: Sequence[BarGroup], placed: list[list[float]], colours: Theme
) -> None:
    """One line where chance is the same everywhere, else a piece of line at every bar."""
    line = {"color": colours.text, "width": 1.5, "dash": "dash"}
    there = {each for each in _chances(groups) if each is not None}
    if len(there) == 1:
        figure.add_vline(x=100 * there.pop(), line=line)
        return
    for group, places in zip(groups, placed, strict=True):
        chances = (group.found.chances.aia, group.found.chances.mia)
        for chance, place in zip(chances, places, strict=True):
            if chance is not None:
                figure.add_shape(
                    type="line", x0=100 * chance, x1=100 * chance,
                    y0=place - 0.25, y1=place + 0.25, line=line,
                )  # fmt: skip


def _share(group: BarGroup, name: str) -> ReadShare:
    return group.found.aia if name == AIA else group.found.mia


def _add(
    figure: go.Figure, name: str, groups: Sequence[BarGroup], places: list[float], colours: Theme
) -> None:
    colour = colours.palette[0 if name == AIA else 1]
    shares = [_share(group, name) for group in groups]
    values = [share.value or 0.0 for share in shares]
    both = list(zip(shares, values, strict=True))
    figure.add_trace(
        go.Bar(
            orientation="h",
            name=name,
            x=[100 * value for value in values],
            y=places,
            width=0.4,
            marker={
                "color": colour,
                "line": {"color": colour, "width": 1.5},
                "pattern": {
                    "shape": _HATCH[name], "fillmode": "replace", "fgcolor": colour,
                    "bgcolor": colours.background, "size": 7, "solidity": 0.4,
                },
            },
            error_x={
                "type": "data", "symmetric": False, "color": colours.text, "thickness": 1.5,
                "width": 4,
                "array": [s.interval and 100 * (s.interval.high - v) for s, v in both],
                "arrayminus": [s.interval and 100 * (v - s.interval.low) for s, v in both],
            },
            customdata=[
                [plain(group.run), plain(group.label), share_words(share)]
                for group, share in zip(groups, shares, strict=True)
            ],
            hovertemplate=(
                "%{customdata[0]}<br>%{customdata[1]}<br>%{fullData.name}: %{customdata[2]}"
                "<extra></extra>"
            ),
        )
    )  # fmt: skip


def _bars_summary(groups: Sequence[BarGroup]) -> str:
    parts = [f"{_BARS_TITLE} Chance is {chance_words(_chances(groups))}."]
    for run in dict.fromkeys(group.run for group in groups):
        each = "; ".join(
            f"{group.label}: AIA {share_words(group.found.aia)}, MIA {share_words(group.found.mia)}"
            for group in groups
            if group.run == run
        )
        parts.append(f"{run}: {each}.")
    return " ".join(parts)


def _bars_data(groups: Sequence[BarGroup]) -> pd.DataFrame:
    rows = []
    for group in groups:
        row: dict[str, object] = {"run": group.found.run, "who": group.run, "group": group.label}
        for name in (AIA, MIA):
            share, key = _share(group, name), name.lower()
            row |= {
                key: share.value, f"{key}_low": share.interval and share.interval.low,
                f"{key}_high": share.interval and share.interval.high, f"n_{key}": share.n,
            }  # fmt: skip
        rows.append(row)
    return pd.DataFrame(rows)


MOST = 12
"""Bars of the chart; the table has all."""

_MIXUPS_TITLE = "Which rationale was taken for which?"
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
    data = _mixups_data(mixups)
    if not mixups:
        return empty_chart("No rationale was taken for another one.", dark, data)
    colours = theme(dark)
    drawn = mixups[:MOST]
    title = wrapped(_MIXUPS_TITLE, TITLE_WIDTH)
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
    return Chart(figure, _mixups_summary(mixups), data)


def _colour(sort: Sort, colours: Theme) -> str:
    return colours.palette[list(_HATCHES).index(sort)]


def _add_bars(
    figure: go.Figure, mix_ups: Sequence[MixUp], middles: list[float], colours: Theme
) -> None:
    fills = [_colour(mixup.sort, colours) for mixup in mix_ups]
    figure.add_trace(
        go.Bar(
            orientation="h",
            x=[mixup.answers for mixup in mix_ups],
            y=middles,
            width=_BAR - 4,
            text=[f"{mixup.answers:,} of {mixup.of:,}" for mixup in mix_ups],
            textposition="outside",
            textfont={"color": colours.text, "size": 13},
            constraintext="none",
            marker={
                "color": fills,
                "line": {"color": fills, "width": 1.5},
                "pattern": {
                    "shape": [_HATCHES[mixup.sort] for mixup in mix_ups], "fillmode": "replace",
                    "fgcolor": fills, "bgcolor": colours.background, "size": 7, "solidity": 0.4,
                },
            },
            customdata=[f"{plain(mixup.words)}<br>{_share_words(mixup)}" for mixup in mix_ups],
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )
    )  # fmt: skip


def _share_words(mixup: MixUp) -> str:
    return f"{mixup.answers:,} of {mixup.of:,} answers ({percent(mixup.answers / mixup.of)})"


def _mixups_summary(mixups: Sequence[MixUp]) -> str:
    each = "; ".join(f"{mixup.words}: {_share_words(mixup)}" for mixup in mixups[:MOST])
    more = len(mixups) - MOST
    rest = f" {more} more are in the table." if more > 0 else ""
    return (
        f"{_MIXUPS_TITLE} The most frequent first, what led to the choice → what was named. "
        f"{each}.{rest}"
    )


def _mixups_data(mixups: Sequence[MixUp]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "rule": each.rule, "named": each.named, "rule_name": each.rule_words,
                "named_name": each.named_words, "answers": each.answers, "of": each.of,
            }
            for each in mixups
        ]
    )  # fmt: skip
