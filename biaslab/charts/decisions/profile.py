"""The bias profile of models: a row for each bias, with interval and the band of random answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import MOST_POINTS, Chart, empty_chart
from biaslab.charts.effects.forest import AxisSides, LegendLine, RowPositions, forest_figure
from biaslab.charts.theme import PUBLISHED_SYMBOLS, RunStyle, Theme, looks, theme
from biaslab.charts.wording import plain, signed
from biaslab.stats import Interval
from biaslab.studies.decisions.published import SOURCE, PublishedBias
from biaslab.studies.decisions.results import BiasScore
from schoolmath.text.figures import exact_percent, percent

_TITLE = "How biased are the decisions?"
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
    data = _data(runs, names)
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
        _TITLE,
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
        _add_published(plot, [e for e in beside if e.model == name], place, positions, colours)
    return Chart(plot, _summary(runs, names, figure, shown, beside), data)


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
    look: RunStyle,
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
            marker={"color": look.colour, "symbol": look.symbol, "size": 11},
            error_x={
                "type": "data", "symmetric": False, "color": look.colour, "thickness": 2,
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


def drawn_biases(run: ScoredRun, shown: Sequence[str], figure: ProfileFigure) -> list[str]:
    """The biases that have a mark in a run's trace, in the order of its points."""
    return [bias for bias in shown if drawn_value(run, bias, figure) is not None]


def _add_published(
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


def _summary(
    runs: Sequence[ScoredRun],
    names: Mapping[str, str],
    figure: ProfileFigure,
    shown: Sequence[str],
    beside: Sequence[PublishedBias],
) -> str:
    parts = [f"{_TITLE} {_WORDS[figure][0]}."]
    for run in runs:
        told = []
        for bias in drawn_biases(run, shown, figure):
            score = run.scores[bias]
            band = ""
            if figure is ProfileFigure.METRIC and score.band is not None:
                low, high = (signed(end, binary=False) for end in (score.band.low, score.band.high))
                band = f", random answers {low} to {high}"
            told.append(f"{names[bias]} {score_words(score, figure)}{band}")
        parts.append(f"{run.label}: {'; '.join(told)}.")
    if beside:
        each = "; ".join(
            f"{cell.name}, {cell.model} {signed(cell.value, binary=False)}" for cell in beside
        )
        parts.append(f"{SOURCE}, without intervals: {each}.")
    return " ".join(parts)


def _data(runs: Sequence[ScoredRun], names: Mapping[str, str]) -> pd.DataFrame:
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
