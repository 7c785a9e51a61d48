"""Pictures of the study of decision biases: profiles, models by biases, and options chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    FEWEST,
    MOST_POINTS,
    PUBLISHED_SYMBOLS,
    TITLE_LINE,
    TITLE_WIDTH,
    Chart,
    RunStyle,
    Theme,
    base_layout,
    empty_chart,
    faded,
    ink_on,
    lines,
    looks,
    mixed,
    plain,
    shortened,
    signed,
    theme,
    wrapped,
)
from biaslab.charts.forest import AxisSides, LegendLine, RowPositions, forest_figure
from biaslab.stats import Interval
from biaslab.studies.decisions.published import SOURCE, PublishedBias
from biaslab.studies.decisions.results import BiasScore, OptionCount
from schoolmath.text.figures import exact_percent, percent, signed_number

_OPTIONS_TITLE = "Which options were chosen?"
_ARMS = (("control", "circle", ""), ("treatment", "diamond", "/"))
_DISTANCE = 0.2


def answers_chart(counts: Sequence[OptionCount], *, dark: bool = False) -> Chart:
    """Share of the answers of each arm that chose each option, in the order of the scale.

    Args:
        counts: of one bias in one run. Trace 0 is the control, trace 1 the treatment; a point
            is the place of its option on the scale.
        dark: for a dark page.
    """
    data = pd.DataFrame(
        [
            {"position": c.position, "option": c.label, "control": c.control,
             "treatment": c.treatment}
            for c in counts
        ]
    )  # fmt: skip
    totals = (sum(c.control for c in counts), sum(c.treatment for c in counts))
    if not any(totals):
        return empty_chart("No answer of this bias has been read yet.", dark, data)
    colours = theme(dark)
    rows = RowPositions()
    places = [rows.block(c.label, 1)[0] for c in counts]
    legend = [
        LegendLine(f"{name} (n = {total:,} answers)", RunStyle(colours.palette[arm], symbol))
        for arm, ((name, symbol, _), total) in enumerate(zip(_ARMS, totals, strict=True))
    ]
    shares = [
        [(c.treatment if arm else c.control) / (totals[arm] or 1) for c in counts] for arm in (0, 1)
    ]
    most = max(max(each) for each in shares)
    figure = forest_figure(
        rows,
        colours,
        _OPTIONS_TITLE,
        "Share of the arm's answers, per cent",
        [0, 105 * most],
        legend,
    )
    for arm in (0, 1):
        _add_arm(figure, arm, shares[arm], places, counts, colours)
    figure.update_layout(barmode="overlay")
    return Chart(figure, _options_summary(counts, totals, shares), data)


def _add_arm(
    figure: go.Figure,
    arm: int,
    shares: Sequence[float],
    places: Sequence[float],
    counts: Sequence[OptionCount],
    colours: Theme,
) -> None:
    name, _, hatch = _ARMS[arm]
    colour = colours.palette[arm]
    figure.add_trace(
        go.Bar(
            orientation="h",
            x=[100 * share for share in shares],
            y=[y + (2 * arm - 1) * _DISTANCE for y in places],
            width=0.36,
            name=name,
            marker={
                "color": colour, "line": {"color": colour, "width": 1},
                "pattern": {"shape": hatch, "fgcolor": colours.background, "size": 6},
            },
            customdata=[
                [plain(c.label), percent(s), c.treatment if arm else c.control]
                for c, s in zip(counts, shares, strict=True)
            ],
            hovertemplate=(
                "%{fullData.name}: %{customdata[0]}<br>%{customdata[1]} (%{customdata[2]} answers)"
                "<extra></extra>"
            ),
        )
    )  # fmt: skip


def _options_summary(
    counts: Sequence[OptionCount], totals: tuple[int, int], shares: Sequence[Sequence[float]]
) -> str:
    told = "; ".join(
        f"{c.label}: control {percent(shares[0][at])}, treatment {percent(shares[1][at])}"
        for at, c in enumerate(counts)
    )
    return (
        f"{_OPTIONS_TITLE} Control n = {totals[0]:,} answers, treatment n = {totals[1]:,}. {told}."
    )


_PROFILE_TITLE = "How biased are the decisions?"
_NO_MARK = "Nothing has been answered yet."


class ProfileFigure(StrEnum):
    """Which figure of a bias is drawn."""

    METRIC = "metric"
    SHIFT = "shift"
    UNCHANGED = "unchanged"


_WORDS = {
    ProfileFigure.METRIC: (
        "Score of the publication, −1 to 1",
        AxisSides("◀ the other way", "in the direction<br>of the bias ▶"),
    ),
    ProfileFigure.SHIFT: (
        "Movement, in lengths of the scale",
        AxisSides("◀ the other way", "in the direction<br>of the bias ▶"),
    ),
    ProfileFigure.UNCHANGED: ("Share of pairs with the same option in both arms", None),
}


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """The scores of one run.

    Attributes:
        label: what the run is called, in plain text; kind: of its model.
        scores: by bias.
    """

    label: str
    kind: str
    scores: Mapping[str, BiasScore]


def profile_chart(
    runs: Sequence[ScoredRun],
    names: Mapping[str, str],
    figure: ProfileFigure = ProfileFigure.METRIC,
    published: Sequence[PublishedBias] = (),
    *,
    dark: bool = False,
) -> Chart:
    """Every bias of every run as a mark with its interval, over the band of random answers.

    Args:
        runs: traces in this order; a point is the place of its bias among the run's.
        names: of biases by id, in the order of the rows.
        figure: which of a bias's figures.
        published: hollow marks; drawn for the metric alone.
        dark: for a dark page.
    """
    data = _profile_data(runs, names)
    shown = [b for b in names if any(drawn_value(run, b, figure) is not None for run in runs)]
    if not shown:
        return empty_chart(_NO_MARK, dark, data)
    if len(shown) * len(runs) > MOST_POINTS:
        sentence = f"There are {len(shown) * len(runs)} marks, more than can be read: choose fewer."
        return empty_chart(sentence, dark, data)
    beside = [each for each in published if figure is ProfileFigure.METRIC and each.bias in shown]
    columns = list(dict.fromkeys(each.model for each in beside))
    colours = theme(dark)
    rows = RowPositions()
    positions = {b: rows.block(names[b], len(runs), 0.75) for b in shown}
    run_looks = looks([run.kind for run in runs], colours)
    legend = [LegendLine(run.label, look) for run, look in zip(runs, run_looks, strict=True)]
    if figure is ProfileFigure.METRIC:
        legend.append(LegendLine("Grey: where random answers lie"))
    for name in columns:
        legend.append(LegendLine(f"Hollow: {name}, published"))
    title, sides = _WORDS[figure]
    plot = forest_figure(
        rows,
        colours,
        _PROFILE_TITLE,
        f"{title}<br>(bars: 95 % interval)",
        [-0.03, 1.03] if figure is ProfileFigure.UNCHANGED else [-1.05, 1.05],
        legend,
        sides,
    )
    if figure is ProfileFigure.METRIC:
        _add_bands(plot, runs, positions, colours)
    if figure is not ProfileFigure.UNCHANGED:
        plot.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    for place, (run, look) in enumerate(zip(runs, run_looks, strict=True)):
        _add_run(plot, run, place, positions, names, figure, look)
    for place, name in enumerate(columns):
        _add_published_rows(plot, [e for e in beside if e.model == name], place, positions, colours)
    return Chart(plot, _profile_summary(runs, names, figure, shown, beside), data)


def drawn_value(run: ScoredRun, bias: str, figure: ProfileFigure) -> float | None:
    """A figure of a bias in a run; None where there is none."""
    score = run.scores.get(bias)
    if score is None:
        return None
    match figure:
        case ProfileFigure.METRIC:
            return score.metric
        case ProfileFigure.SHIFT:
            return score.movement
        case ProfileFigure.UNCHANGED:
            return score.unchanged


def drawn_interval(score: BiasScore, figure: ProfileFigure) -> Interval | None:
    """The interval of a figure; None where none can be determined."""
    match figure:
        case ProfileFigure.METRIC:
            return score.metric_ci
        case ProfileFigure.SHIFT:
            return score.movement_ci
        case ProfileFigure.UNCHANGED:
            return score.unchanged_ci


def _add_bands(
    plot: go.Figure,
    runs: Sequence[ScoredRun],
    positions: Mapping[str, list[float]],
    colours: Theme,
) -> None:
    for bias, places in positions.items():
        for run, y in zip(runs, places, strict=True):
            score = run.scores.get(bias)
            if score is not None and score.band is not None:
                plot.add_shape(
                    type="rect", x0=max(-1.0, score.band.low), x1=min(1.0, score.band.high),
                    y0=y - 0.3, y1=y + 0.3, line_width=0, fillcolor=colours.muted, opacity=0.28,
                    layer="below",
                )  # fmt: skip


def _add_run(
    plot: go.Figure,
    run: ScoredRun,
    place: int,
    positions: Mapping[str, list[float]],
    names: Mapping[str, str],
    figure: ProfileFigure,
    style: RunStyle,
) -> None:
    drawn = drawn_biases(run, list(positions), figure)
    values = [drawn_value(run, bias, figure) or 0.0 for bias in drawn]
    ends = [drawn_interval(run.scores[bias], figure) for bias in drawn]
    plot.add_trace(
        go.Scatter(
            x=values,
            y=[positions[bias][place] for bias in drawn],
            mode="markers",
            name=plain(run.label),
            marker={"color": style.colour, "symbol": style.symbol, "size": 11},
            error_x={
                "type": "data", "symmetric": False, "color": style.colour, "thickness": 2,
                "width": 4,
                "array": [None if e is None else e.high - v
                          for e, v in zip(ends, values, strict=True)],
                "arrayminus": [None if e is None else v - e.low
                               for e, v in zip(ends, values, strict=True)],
            },
            cliponaxis=False,
            customdata=[
                [plain(run.label), plain(names[b]), score_words(run.scores[b], figure)]
                for b in drawn
            ],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        )
    )  # fmt: skip


def drawn_biases(run: ScoredRun, biases: Sequence[str], figure: ProfileFigure) -> list[str]:
    """The biases that have a mark in a run's trace, in the order of its points."""
    return [bias for bias in biases if drawn_value(run, bias, figure) is not None]


def _add_published_rows(
    plot: go.Figure,
    cells: Sequence[PublishedBias],
    place: int,
    positions: Mapping[str, list[float]],
    colours: Theme,
) -> None:
    plot.add_trace(
        go.Scatter(
            x=[cell.value for cell in cells],
            y=[sum(positions[cell.bias]) / len(positions[cell.bias]) for cell in cells],
            mode="markers",
            name=plain(f"{cells[0].model}, published"),
            marker={
                "color": colours.muted, "size": 11, "line": {"color": colours.muted, "width": 2},
                "symbol": PUBLISHED_SYMBOLS[place % len(PUBLISHED_SYMBOLS)],
            },
            cliponaxis=False,
            customdata=[
                [plain(f"{c.model}: {c.name} {signed(c.value, binary=False)}"), plain(c.note)]
                for c in cells
            ],
            hovertemplate="Published: %{customdata[0]}<br>%{customdata[1]}<extra></extra>",
        )
    )  # fmt: skip


def score_words(score: BiasScore, figure: ProfileFigure = ProfileFigure.METRIC) -> str:
    """A figure in words: ``+0.12 (95 % interval +0.05 to +0.19, n = 44 pairs in 22 scenes)``."""
    value = {
        ProfileFigure.METRIC: score.metric,
        ProfileFigure.SHIFT: score.movement,
        ProfileFigure.UNCHANGED: score.unchanged,
    }[figure]
    if value is None:
        return f"no value (n = {score.n})"
    ends = drawn_interval(score, figure)
    level = exact_percent(score.confidence)
    spread = (
        f"no {level} interval can be determined"
        if ends is None
        else f"{level} interval {_number(ends.low, figure)} to {_number(ends.high, figure)}"
    )
    return f"{_number(value, figure)} ({spread}, n = {score.n:,} pairs in {score.clusters} scenes)"


def _number(value: float, figure: ProfileFigure) -> str:
    if figure is ProfileFigure.UNCHANGED:
        return percent(value)
    return signed(value, binary=False)


def _profile_summary(
    runs: Sequence[ScoredRun],
    names: Mapping[str, str],
    figure: ProfileFigure,
    biases: Sequence[str],
    cells: Sequence[PublishedBias],
) -> str:
    parts = [f"{_PROFILE_TITLE} {_WORDS[figure][0]}."]
    for run in runs:
        told = []
        for bias in drawn_biases(run, biases, figure):
            score = run.scores[bias]
            band = ""
            if figure is ProfileFigure.METRIC and score.band is not None:
                low, high = (signed(end, binary=False) for end in (score.band.low, score.band.high))
                band = f", random answers {low} to {high}"
            told.append(f"{names[bias]} {score_words(score, figure)}{band}")
        parts.append(f"{run.label}: {'; '.join(told)}.")
    if cells:
        each = "; ".join(
            f"{cell.name}, {cell.model} {signed(cell.value, binary=False)}" for cell in cells
        )
        parts.append(f"{SOURCE}, without intervals: {each}.")
    return " ".join(parts)


def _profile_data(runs: Sequence[ScoredRun], names: Mapping[str, str]) -> pd.DataFrame:
    rows = []
    for run in runs:
        for bias in names:
            score = run.scores.get(bias)
            if score is None:
                continue
            rows.append(
                {
                    "run": score.run, "model": score.model, "strategy": score.strategy,
                    "bias": bias, "n": score.n, "scenes": score.clusters,
                    "metric": score.metric,
                    "metric_low": score.metric_ci and score.metric_ci.low,
                    "metric_high": score.metric_ci and score.metric_ci.high,
                    "metric_size": score.size, "movement": score.movement,
                    "movement_low": score.movement_ci and score.movement_ci.low,
                    "movement_high": score.movement_ci and score.movement_ci.high,
                    "unchanged": score.unchanged,
                    "chance_metric": score.chance and score.chance.mean,
                    "chance_size": score.chance and score.chance.mean_size,
                    "chance_low": score.band and score.band.low,
                    "chance_high": score.band and score.band.high,
                    "noise": score.noise, "invalid": score.invalid, "failed": score.failed,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


MOST_CELLS = 700
"""More cells than this are neither readable nor quick to draw."""

_MAP_TITLE = "Models by biases"
_ROW = {False: 30, True: 56}
"""Pixels of a row, without and with intervals in the cells."""
_LEFT = 148
_LABEL = 20
"""Characters of a line of a row's name."""
_COLUMN_LABELS = 26
_LEGEND_LINE = 20
_LEGEND_WIDTH = 44
_WIDE = 6
"""So many columns have room for two decimals on a phone; more of them have one, and smaller."""
_ENDS = {
    False: ("#B34700", "#FFFFFF", "#00568A"),
    True: ("#E69F00", "#1B1F27", "#56B4E9"),
}
"""The opposite, nought and the bias, on light and dark pages: orange and blue are told apart by
everybody, and the number says the sign again."""


def heat_map_chart(
    runs: Sequence[ScoredRun],
    names: Mapping[str, str],
    figure: ProfileFigure = ProfileFigure.METRIC,
    published: Sequence[PublishedBias] = (),
    *,
    intervals: bool = False,
    dark: bool = False,
) -> Chart:
    """A column for each run and each published model, a row for each bias.

    A score that lies where random answers lie stands in brackets. Published cells have no
    interval and are in italics.

    Args:
        runs: columns in this order; the point of a cell is its place among those that are drawn,
            row by row (`drawn_heat`).
        names: of biases by id, in the order of the rows.
        figure: which of a bias's figures; not the unchanged share, which has no sign.
        published: further columns, by model; drawn for the metric alone.
        intervals: whether cells have their interval under the number.
        dark: for a dark page.
    """
    beside = [cell for cell in published if figure is ProfileFigure.METRIC and cell.bias in names]
    models = list(dict.fromkeys(cell.model for cell in beside))
    rows = [bias for bias in names if any(drawn_value(r, bias, figure) is not None for r in runs)]
    data = _map_data(runs, rows, names, figure, beside)
    if not rows:
        return empty_chart("Nothing has been answered yet.", dark, data)
    wide = len(runs) + len(models)
    if wide * len(rows) > MOST_CELLS:
        told = f"There are {wide * len(rows)} cells, more than can be read: choose fewer."
        return empty_chart(told, dark, data)
    colours = theme(dark)
    labels = [run.label for run in runs] + [f"{model}, published" for model in models]
    few = any(runs[at].scores[bias].n < FEWEST for at, bias in drawn_heat(runs, names, figure))
    plot = _empty(rows, names, labels, intervals, few, colours)
    places = 1 if wide > _WIDE else 2
    _add_runs(plot, runs, rows, names, figure, places, intervals, dark)
    _add_published_columns(plot, beside, models, rows, len(runs), places, dark)
    if wide > _WIDE:
        plot.update_traces(insidetextfont={"size": 10})
    return Chart(plot, _map_summary(runs, rows, names, figure, beside), data)


def drawn_heat(
    runs: Sequence[ScoredRun], names: Mapping[str, str], figure: ProfileFigure
) -> list[tuple[int, str]]:
    """The cells of the runs that have something to show: place of the run, and bias."""
    return [
        (place, bias)
        for bias in names
        for place, run in enumerate(runs)
        if drawn_value(run, bias, figure) is not None
    ]


def heat_colour(value: float, dark: bool = False) -> str:
    """The colour of a value from -1 to 1."""
    low, middle, high = _ENDS[dark]
    end, share = (high if value > 0 else low), min(1.0, abs(value))
    return mixed(middle, end, share)


def _empty(
    rows: Sequence[str],
    names: Mapping[str, str],
    labels: Sequence[str],
    intervals: bool,
    few: bool,
    colours: Theme,
) -> go.Figure:
    shown = wrapped(_MAP_TITLE, TITLE_WIDTH)
    above = 20 + TITLE_LINE * lines(shown) + _COLUMN_LABELS
    legend = _legend(labels, few)
    below = 18 + _LEGEND_LINE * lines(legend)
    figure = go.Figure(
        layout=base_layout(colours, shown, above + _ROW[intervals] * len(rows) + below)
    )
    figure.update_layout(
        margin={"l": _LEFT, "r": 8, "t": above, "b": below, "autoexpand": False},
        showlegend=False, barmode="overlay", bargap=0,
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.5, len(labels) - 0.5], side="top", tickvals=list(range(len(labels))),
        ticktext=[str(at) for at in range(1, len(labels) + 1)], fixedrange=True, showgrid=False,
        zeroline=False, ticks="", color=colours.text, tickangle=0,
    )  # fmt: skip
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5], tickvals=list(range(len(rows))),
        ticktext=[wrapped(shortened(names[bias], 2 * _LABEL), _LABEL) for bias in rows],
        fixedrange=True, showgrid=False, zeroline=False, ticks="", color=colours.text,
        tickfont={"size": 12},
    )  # fmt: skip
    figure.add_annotation(
        text=legend, x=0, xref="paper", xanchor="left", xshift=10 - _LEFT, y=0, yref="paper",
        yanchor="top", yshift=-8, showarrow=False, align="left",
        font={"color": colours.text, "size": 13},
    )  # fmt: skip
    return figure


def _legend(labels: Sequence[str], few: bool) -> str:
    """What colours, brackets and numbers stand for, in lines that fit a phone."""
    told = [
        "Blue, +: as the bias has it.",
        "Orange, −: the other way.",
        "In brackets: random answers score as much.",
        *([f"Faded: fewer than {FEWEST} pairs."] if few else []),
        *(f"{at}: {shortened(label, 2 * _LEGEND_WIDTH)}" for at, label in enumerate(labels, 1)),
    ]
    return "<br>".join(wrapped(text, _LEGEND_WIDTH) for text in told)


def _add_runs(
    plot: go.Figure,
    runs: Sequence[ScoredRun],
    rows: Sequence[str],
    names: Mapping[str, str],
    figure: ProfileFigure,
    places: int,
    intervals: bool,
    dark: bool,
) -> None:
    drawn = drawn_heat(runs, {bias: names[bias] for bias in rows}, figure)
    scores = [runs[place].scores[bias] for place, bias in drawn]
    values = [drawn_value(runs[place], bias, figure) or 0.0 for place, bias in drawn]
    texts = []
    for value, score in zip(values, scores, strict=True):
        ends = drawn_interval(score, figure) if intervals else None
        text = _short(value, places)
        if figure is ProfileFigure.METRIC and by_chance(score, value):
            text = f"({text})"
        if ends is not None:
            text += f"<br>{_short(ends.low, places)}<br>{_short(ends.high, places)}"
        texts.append(text)
    told = [
        f"{plain(runs[place].label)}<br>{plain(names[bias])}<br>{score_words(score, figure)}"
        for (place, bias), score in zip(drawn, scores, strict=True)
    ]
    cells = [(place, rows.index(bias)) for place, bias in drawn]
    few = [score.n < FEWEST for score in scores]
    plot.add_trace(_cells(cells, values, texts, told, dark, few))


def by_chance(score: BiasScore, value: float | None) -> bool:
    """Whether random answers to the same prompts often score as much."""
    band = score.band
    return band is not None and value is not None and band.low <= value <= band.high


def _add_published_columns(
    plot: go.Figure,
    cells: Sequence[PublishedBias],
    models: Sequence[str],
    rows: Sequence[str],
    first: int,
    places: int,
    dark: bool,
) -> None:
    drawn = [cell for cell in cells if cell.bias in rows]
    if not drawn:
        return
    at = [(first + models.index(cell.model), rows.index(cell.bias)) for cell in drawn]
    told = [
        f"Published: {plain(cell.model)}<br>{plain(cell.name)}<br>"
        f"{signed_number(cell.value)}, no interval {plain(cell.note)}"
        for cell in drawn
    ]
    texts = [f"<i>{_short(cell.value, places)}</i>" for cell in drawn]
    plot.add_trace(_cells(at, [cell.value for cell in drawn], texts, told, dark))


def _cells(
    places: Sequence[tuple[int, int]],
    values: Sequence[float],
    texts: Sequence[str],
    labels: Sequence[str],
    dark: bool,
    few: Sequence[bool] = (),
) -> go.Bar:
    fills = [heat_colour(value, dark) for value in values]
    for at in (at for at, is_few in enumerate(few) if is_few):
        fills[at] = faded(fills[at], theme(dark))
    return go.Bar(
        orientation="h", x=[0.96] * len(places), base=[column - 0.48 for column, _ in places],
        y=[row for _, row in places], width=0.94, text=list(texts), textposition="inside",
        insidetextanchor="middle", textangle=0, constraintext="none",
        insidetextfont={"color": [ink_on(fill) for fill in fills], "size": 12},
        marker={"color": fills, "line": {"color": theme(dark).grid, "width": 1}},
        customdata=list(labels), hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip


def _short(value: float, places: int) -> str:
    """A number of so many decimals without its leading 0: ``+.12``."""
    return signed_number(value, places).replace("0.", ".", 1)


def _map_summary(
    runs: Sequence[ScoredRun],
    rows: Sequence[str],
    names: Mapping[str, str],
    figure: ProfileFigure,
    cells: Sequence[PublishedBias],
) -> str:
    parts = [f"{_MAP_TITLE}."]
    for run in runs:
        drawn = [bias for bias in rows if drawn_value(run, bias, figure) is not None]
        told = [
            f"{names[bias]} {score_words(run.scores[bias], figure)}"
            + (
                ", as random answers often score"
                if figure is ProfileFigure.METRIC
                and by_chance(run.scores[bias], drawn_value(run, bias, figure))
                else ""
            )
            for bias in drawn
        ]
        parts.append(f"{run.label}: {'; '.join(told)}.")
    if cells:
        each = "; ".join(f"{c.name}, {c.model} {signed_number(c.value)}" for c in cells)
        parts.append(f"{SOURCE}, without intervals: {each}.")
    return " ".join(parts)


def _map_data(
    runs: Sequence[ScoredRun],
    rows: Sequence[str],
    names: Mapping[str, str],
    figure: ProfileFigure,
    cells: Sequence[PublishedBias],
) -> pd.DataFrame:
    found = []
    for run in runs:
        for bias in rows:
            value = drawn_value(run, bias, figure)
            if value is None:
                continue
            score = run.scores[bias]
            ends: Interval | None = drawn_interval(score, figure)
            found.append(
                {
                    "model": run.label, "run": score.run, "bias": bias, "name": names[bias],
                    "figure": str(figure), "value": value, "low": ends and ends.low,
                    "high": ends and ends.high, "n": score.n, "scenes": score.clusters,
                    "as_chance": (
                        by_chance(score, value) if figure is ProfileFigure.METRIC else None
                    ),
                }
            )  # fmt: skip
    for cell in cells:
        if cell.bias in rows:
            found.append(
                {
                    "model": cell.model, "run": "published", "bias": cell.bias,
                    "name": names[cell.bias], "figure": str(figure), "value": cell.value,
                }
            )  # fmt: skip
    return pd.DataFrame(found)
