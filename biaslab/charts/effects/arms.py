"""Accuracy of both members of the pairs, per stratum and run, with Wilson intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, empty_chart
from biaslab.charts.effects.forest import LegendLine, RowPositions, forest_figure
from biaslab.charts.effects.runs import RunEffects, by_run, one_study, strata_of, why_empty
from biaslab.charts.theme import RunStyle, Theme, kind_label, theme
from biaslab.charts.wording import plain, row_words, stratum_words
from biaslab.stats import Effect, Interval
from biaslab.studies import Arms
from schoolmath.text.figures import exact_percent, percent

_ARM_SYMBOLS = ("circle", "diamond")
_DISTANCE = 0.19


def arms_chart(
    effects: Sequence[Effect],
    arms: Arms,
    *,
    study: str = "",
    stratum_label: str = "",
    called: Mapping[str, str] | None = None,
    dark: bool = False,
) -> Chart:
    """How often x and x' are answered rightly, with intervals and n.

    Args:
        effects: of one study, from one call of `biaslab.stats.effects`.
        arms: what x and x' are called.
        study: its title.
        stratum_label: what the strata are called ("Steps").
        called: what each run is called, by id (`by_run`).
        dark: for a dark page.

    Returns:
        The chart; an empty one with a sentence when there is nothing or too much to draw.
        In its data, ``point`` says which point of both traces an effect is, for clicks on it.

    Raises:
        ValueError: effects belong to different studies.
    """
    one_study(effects)
    data = _data(effects)
    drawn = [effect for effect in effects if effect.n]
    if why := why_empty(2 * len(drawn), "accuracies"):
        return empty_chart(why, dark, data)
    colours = theme(dark)
    runs = by_run(drawn, called)
    binary = drawn[0].binary
    rows = RowPositions()
    placed = [(y, effect) for run in runs for y, effect in _rows_of(rows, run, runs, stratum_label)]
    called = {run.run: run.label for run in runs}
    what = "right" if binary else "on the scale"
    title = f"How often is each kind of problem answered {what}?" if binary else "Mean outcome"
    title = f"{study}: {title[0].lower()}{title[1:]}" if study else title
    level = exact_percent(drawn[0].confidence)
    axis_title = (
        f"Accuracy, per cent right<br>(bars: {level} Wilson interval)"
        if binary
        else f"Mean outcome, units of the scale<br>(bars: {level} interval)"
    )
    legend = [LegendLine(name, _look(arm, colours)) for arm, name in enumerate(arms)]
    figure = forest_figure(rows, colours, title, axis_title, [-3, 103] if binary else None, legend)
    _add_arm(figure, placed, arms.x, 0, called, stratum_label, colours)
    _add_arm(figure, placed, arms.x_prime, 1, called, stratum_label, colours)
    marks = {(effect.run, effect.stratum): point for point, (_, effect) in enumerate(placed)}
    points = [marks.get((effect.run, effect.stratum)) for effect in effects]
    data["point"] = pd.Series(points, index=data.index, dtype="Int64")
    return Chart(figure, _summary(title, arms, runs, stratum_label), data)


def _rows_of(
    rows: RowPositions, run: RunEffects, runs: Sequence[RunEffects], label: str
) -> list[tuple[float, Effect]]:
    if len(runs) > 1:
        rows.heading(f"{kind_label(run.kind)}: {run.label}")
    placed = []
    for effect in strata_of([run]).values():
        words = f"{row_words(effect, label)} (n\u00a0=\u00a0{effect.n})"
        placed.append((rows.block(words, 1)[0], effect))
    return placed


def _look(arm: int, colours: Theme) -> RunStyle:
    return RunStyle(colours.palette[arm], _ARM_SYMBOLS[arm])


def _add_arm(
    figure: go.Figure,
    placed: Sequence[tuple[float, Effect]],
    name: str,
    arm: int,
    called: Mapping[str, str],
    stratum_label: str,
    colours: Theme,
) -> None:
    scale = 100.0 if placed[0][1].binary else 1.0
    accuracies = [_accuracy(effect, arm) for _, effect in placed]
    values = [accuracy.mean or 0.0 for accuracy in accuracies]
    intervals = [accuracy.interval for accuracy in accuracies]
    look = _look(arm, colours)
    figure.add_trace(
        go.Scatter(
            x=[scale * value for value in values],
            y=[y + (2 * arm - 1) * _DISTANCE for y, _ in placed],
            mode="markers",
            name=plain(name),
            marker={"color": look.colour, "symbol": look.symbol, "size": 11},
            error_x={
                "type": "data", "symmetric": False, "color": look.colour, "thickness": 2,
                "width": 4,
                "array": [
                    None if i is None else scale * (i.high - v)
                    for i, v in zip(intervals, values, strict=True)
                ],
                "arrayminus": [
                    None if i is None else scale * (v - i.low)
                    for i, v in zip(intervals, values, strict=True)
                ],
            },
            cliponaxis=False,
            customdata=[
                [plain(called[e.run]), plain(stratum_words(e, stratum_label)),
                 _arm_words(e, arm)]
                for _, e in placed
            ],
            hovertemplate=(
                "%{customdata[0]}<br>%{customdata[1]}<br>%{fullData.name}: %{customdata[2]}"
                "<extra></extra>"
            ),
        )
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Accuracy:
    mean: float | None
    interval: Interval | None


def _accuracy(effect: Effect, arm: int) -> _Accuracy:
    if arm == 0:
        return _Accuracy(effect.accuracy_x, effect.accuracy_x_ci)
    return _Accuracy(effect.accuracy_x_prime, effect.accuracy_x_prime_ci)


def _arm_words(effect: Effect, arm: int) -> str:
    accuracy = _accuracy(effect, arm)
    mean, interval = accuracy.mean, accuracy.interval
    if mean is None:
        return f"no value (n = {effect.n})"
    show = percent if effect.binary else _units
    if interval is None:
        return f"{show(mean)} (n = {effect.n}, no interval)"
    level = exact_percent(effect.confidence)
    ends = f"{show(interval.low)} to {show(interval.high)}"
    return f"{show(mean)} ({level} interval {ends}, n = {effect.n})"


def _units(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _summary(title: str, arms: Arms, runs: Sequence[RunEffects], stratum_label: str) -> str:
    parts = [title]
    for run in runs:
        each = "; ".join(
            f"{stratum_words(effect, stratum_label)}: “{arms.x}” {_arm_words(effect, 0)}, "
            f"“{arms.x_prime}” {_arm_words(effect, 1)}"
            for effect in run.effects.values()
        )
        parts.append(f"{run.label} ({kind_label(run.kind).lower()}): {each}.")
    unreadable = sum(e.invalid_x + e.invalid_x_prime for r in runs for e in r.effects.values())
    if unreadable:
        parts.append(f"Answers that could not be read: {unreadable}.")
    return " ".join(parts)


def _data(effects: Sequence[Effect]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "model": e.model, "model_kind": e.model_kind, "strategy": e.strategy,
                "run": e.run, "stratum": e.stratum, "n": e.n,
                "accuracy_x": e.accuracy_x,
                "accuracy_x_low": e.accuracy_x_ci and e.accuracy_x_ci.low,
                "accuracy_x_high": e.accuracy_x_ci and e.accuracy_x_ci.high,
                "accuracy_x_prime": e.accuracy_x_prime,
                "accuracy_x_prime_low": e.accuracy_x_prime_ci and e.accuracy_x_prime_ci.low,
                "accuracy_x_prime_high": e.accuracy_x_prime_ci and e.accuracy_x_prime_ci.high,
                "invalid_x": e.invalid_x, "invalid_x_prime": e.invalid_x_prime,
            }
            for e in effects
        ]
    )  # fmt: skip
