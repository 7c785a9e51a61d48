"""Effects by stratum with their intervals, and the accuracy of both members of the pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    MOST_POINTS,
    PUBLISHED_SYMBOLS,
    Chart,
    RunStyle,
    Theme,
    empty_chart,
    interval_words,
    kind_label,
    looks,
    plain,
    row_words,
    signed,
    stratum_words,
    theme,
)
from biaslab.charts.forest import (
    AxisSides,
    ForestMark,
    LegendLine,
    RowPositions,
    add_marks,
    axis_range,
    forest_figure,
)
from biaslab.models import ModelKind
from biaslab.stats import Effect, Interval
from biaslab.studies import Arms, Experiment
from biaslab.studies.published import PublishedEffect
from biaslab.studies.results import Evidence
from biaslab.studies.study import evidence_about_people
from schoolmath.text.figures import exact_percent, percent

KIND_ORDER = {str(kind): place for place, kind in enumerate(ModelKind)}


@dataclass(frozen=True, slots=True)
class RunEffects:
    """The effects of one run.

    Attributes:
        run: its identifier; kind: kind of model; label: what it is called.
        effects: by stratum, in the order given.
    """

    run: str
    kind: str
    label: str
    effects: dict[str, Effect]


def by_run(effects: Sequence[Effect], labels: Mapping[str, str] | None = None) -> list[RunEffects]:
    """Runs with their effects; kinds of model together, otherwise in the order given.

    Args:
        effects: of one study.
        labels: what each run is called, by id; by default its model and strategy, and the beginning
            of its id where these do not tell it apart.
    """
    groups: dict[str, dict[str, Effect]] = {}
    for effect in effects:
        groups.setdefault(effect.run, {})[effect.stratum] = effect
    firsts = [next(iter(group.values())) for group in groups.values()]
    same = Counter((effect.model, effect.strategy) for effect in firsts)
    runs = [
        RunEffects(
            first.run,
            first.model_kind,
            (labels or {}).get(first.run)
            or f"{first.model}, {first.strategy}"
            + (f", run {first.run[:6]}" if same[first.model, first.strategy] > 1 else ""),
            groups[first.run],
        )
        for first in firsts
    ]
    return sorted(runs, key=lambda run: KIND_ORDER.get(run.kind, len(KIND_ORDER)))


def strata_of(runs: Sequence[RunEffects]) -> dict[str, Effect]:
    """Every stratum of the runs, each with an effect that has it, in a common order."""
    found: dict[str, Effect] = {}
    for run in runs:
        for stratum, effect in run.effects.items():
            found.setdefault(stratum, effect)
    return dict(sorted(found.items(), key=lambda item: _place(item[1])))


def _place(effect: Effect) -> tuple[int, float, str]:
    match effect.stratum_value:
        case None:
            return (2, 0.0, "")
        case str() as text:
            return (1, 0.0, text)
        case value:
            return (0, float(value), "")


def why_empty(points: int, what: str, others: int = 0) -> str:
    """Why there is nothing to draw, or too much, and what to do; empty where all can be drawn.

    Args:
        points: how many marks there would be of the runs.
        what: what a mark is, in the plural.
        others: marks beside them.
    """
    if not points:
        return "There is no effect to show yet: no pair has both its answers."
    if points + others <= MOST_POINTS:
        return ""
    return (
        f"There are {points + others} {what}, more than a chart can show legibly: choose fewer "
        "runs, or break them down by something with fewer values. The table has them all."
    )


def one_study(effects: Sequence[Effect | PublishedEffect]) -> None:
    """Refuses effects of different studies, whose arms mean different things.

    Raises:
        ValueError: the message names the studies.
    """
    studies = sorted({effect.study for effect in effects})
    if len(studies) > 1:
        raise ValueError(
            f"A chart shows one study, but there are effects of {', '.join(studies)}: "
            "draw one chart for each."
        )


def cate_chart(
    effects: Sequence[Effect],
    arms: Arms,
    *,
    study: str = "",
    stratum_label: str = "",
    published_effects: Sequence[PublishedEffect] = (),
    labels: Mapping[str, str] | None = None,
    experiment: Experiment | None = None,
    dark: bool = False,
) -> Chart:
    """How much easier x is than x', per stratum and run, with intervals and n.

    Args:
        effects: of one study, from one call of `biaslab.stats.effects`.
        arms: what x and x' are called.
        study: its title.
        stratum_label: what the strata are called ("Steps").
        published_effects: published effects of the same study; drawn hollow, under a heading of
            their own, and without intervals, because none are published.
        labels: what each run is called, by id (`by_run`).
        experiment: the study as the runs' designs make it, which decides what may be said about
            people; by default that of the effects' name.
        dark: for a dark page.

    Returns:
        The chart; an empty one with a sentence when there is nothing or too much to draw.
        In its data, ``trace`` and ``point`` say which mark of the figure an effect is, for
        clicks on it.

    Raises:
        ValueError: effects or published ones belong to different studies.
    """
    one_study([*effects, *published_effects])
    data = _cate_data(effects, published_effects)
    drawn = [effect for effect in effects if effect.cate is not None]
    if why := why_empty(len(drawn), "effects", len(published_effects)):
        return empty_chart(why, dark, data)
    people = evidence_about_people(drawn[0].study, experiment)
    colours = theme(dark)
    runs = by_run(drawn, labels)
    binary = drawn[0].binary
    shown_published = list(published_effects) if binary else []
    rows = RowPositions()
    positions = _measured_rows(rows, runs, stratum_label)
    placed = published_rows(rows, shown_published)
    title = _title(arms, study, binary)
    unit = "percentage points" if binary else "units of the scale"
    level = exact_percent(drawn[0].confidence)
    run_looks = looks([run.kind for run in runs], colours)
    figure = forest_figure(
        rows,
        colours,
        title,
        f"Difference in {unit}<br>(CATE; bars: {level} interval)",
        axis_range(drawn, [effect.cate for effect in shown_published]),
        _legend(runs, run_looks),
        AxisSides("◀ the other way", "in the expected<br>direction ▶")
        if not binary
        else AxisSides(
            f"◀ “{plain(arms.x_prime)}”<br>is easier",
            f"“{plain(arms.x)}” is easier ▶<br>({people.like})"
            if people is not None
            else f"“{plain(arms.x)}”<br>is easier ▶",
        ),
        counts=True,
    )
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    for run, look in zip(runs, run_looks, strict=True):
        members = list(run.effects.values())
        marks = [
            ForestMark(positions[run.run, e.stratum], e, stratum_words(e, stratum_label))
            for e in members
        ]
        add_marks(figure, run.label, marks, look, colours)
    add_published(figure, placed, colours)
    numbered = {
        (run.run, stratum): (trace, point)
        for trace, run in enumerate(runs)
        for point, stratum in enumerate(run.effects)
    }
    places = [numbered.get((effect.run, effect.stratum), (None, None)) for effect in effects]
    places += [(None, None)] * len(published_effects)
    data[["trace", "point"]] = pd.DataFrame(places, index=data.index, dtype="Int64")
    return Chart(
        figure,
        _cate_summary(title, arms, effects, shown_published, runs, stratum_label, people),
        data,
    )


def _title(arms: Arms, study: str, binary: bool) -> str:
    question = (
        f"How much easier is “{arms.x}” than “{arms.x_prime}”?"
        if binary
        else f"How far do outcomes of “{arms.x}” and “{arms.x_prime}” lie apart?"
    )
    return f"{study}: h{question[1:]}" if study else question


def _legend(runs: Sequence[RunEffects], run_looks: Sequence[RunStyle]) -> list[LegendLine]:
    legend: list[LegendLine] = []
    heading = ""
    for run, look in zip(runs, run_looks, strict=True):
        if kind_label(run.kind) != heading:
            heading = kind_label(run.kind)
            legend.append(LegendLine(f"{heading}:"))
        # Pictures leave the page: they say which run they are of.
        named = run.label if run.run[:6] in run.label else f"{run.label} · {run.run[:6]}"
        legend.append(LegendLine(named, look))
    return legend


def _measured_rows(
    rows: RowPositions, runs: Sequence[RunEffects], label: str
) -> dict[tuple[str, str], float]:
    positions: dict[tuple[str, str], float] = {}
    for stratum, example in strata_of(runs).items():
        here = [run for run in runs if stratum in run.effects]
        for run, y in zip(here, rows.block(row_words(example, label), len(here)), strict=True):
            positions[run.run, stratum] = y
    return positions


def published_rows(
    rows: RowPositions, published_effects: Sequence[PublishedEffect]
) -> list[tuple[str, list[tuple[float, PublishedEffect]]]]:
    """Adds rows for published effects, a heading over each source; what stands where."""
    placed: list[tuple[str, list[tuple[float, PublishedEffect]]]] = []
    for heading, members in published_groups(published_effects).items():
        rows.heading(heading)
        placed.append((heading, [(rows.block(e.model, 1, 0.7)[0], e) for e in members]))
    return placed


def published_groups(
    published_effects: Sequence[PublishedEffect],
) -> dict[str, list[PublishedEffect]]:
    """Published effects under a heading for each source and strategy."""
    groups: dict[str, list[PublishedEffect]] = {}
    for e in published_effects:
        heading = f"Published: {e.source}, {e.strategy} (n = {e.n} each, no intervals printed)"
        groups.setdefault(heading, []).append(e)
    return groups


def add_published(
    figure: go.Figure,
    groups: Sequence[tuple[str, list[tuple[float, PublishedEffect]]]],
    colours: Theme,
) -> None:
    """Draws published effects hollow and without intervals, where `published_rows` placed them."""
    for index, (heading, members) in enumerate(groups):
        figure.add_trace(
            go.Scatter(
                x=[100 * effect.cate for _, effect in members],
                y=[y for y, _ in members],
                mode="markers",
                name=plain(heading),
                marker={
                    "color": colours.muted, "size": 11,
                    "symbol": PUBLISHED_SYMBOLS[index % len(PUBLISHED_SYMBOLS)],
                    "line": {"color": colours.muted, "width": 2},
                },
                customdata=[
                    [plain(e.model), plain(e.source), f"{signed(e.cate)} points, n = {e.n}",
                     plain(e.note)]
                    for _, e in members
                ],
                hovertemplate=(
                    "Published: %{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}"
                    "<br>%{customdata[3]}<extra></extra>"
                ),
            )
        )  # fmt: skip


def _cate_summary(
    title: str,
    arms: Arms,
    effects: Sequence[Effect],
    published_effects: Sequence[PublishedEffect],
    runs: Sequence[RunEffects],
    stratum_label: str,
    people: Evidence | None,
) -> str:
    known = "" if people is None else f", the direction reported for {people.cited}"
    meaning = (
        f"The difference (CATE) is accuracy on “{arms.x}” minus accuracy on "
        f"“{arms.x_prime}”; above zero, “{arms.x}” is easier{known}."
        if all(effect.binary for effect in effects)
        else f"The difference (CATE) is the mean outcome of “{arms.x}” minus that of "
        f"“{arms.x_prime}”; above zero is the expected direction."
    )
    parts = [f"{title} {meaning}"]
    for run in runs:
        each = "; ".join(
            f"{stratum_words(effect, stratum_label)}: {interval_words(effect)}"
            for effect in run.effects.values()
        )
        parts.append(f"{run.label} ({kind_label(run.kind).lower()}): {each}.")
    if left_out := sum(effect.cate is None for effect in effects):
        parts.append(f"Not drawn, because no pair has both its answers yet: {left_out}.")
    for heading, members in published_groups(published_effects).items():
        parts.append(f"{heading}: {'; '.join(f'{e.model} {signed(e.cate)}' for e in members)}.")
    return " ".join(parts)


def _cate_data(
    effects: Sequence[Effect], published_effects: Sequence[PublishedEffect]
) -> pd.DataFrame:
    measured: list[dict[str, Any]] = [
        {
            "source": "this lab", "model": e.model, "model_kind": e.model_kind,
            "strategy": e.strategy, "run": e.run, "stratum": e.stratum, "n": e.n, "cate": e.cate,
            "ci_low": e.ci_low, "ci_high": e.ci_high,
        }
        for e in effects
    ]  # fmt: skip
    printed: list[dict[str, Any]] = [
        {"source": e.source, "model": e.model, "strategy": e.strategy, "n": e.n, "cate": e.cate}
        for e in published_effects
    ]
    return pd.DataFrame(measured + printed)


_ARM_SYMBOLS = ("circle", "diamond")
_DISTANCE = 0.19


def arms_chart(
    effects: Sequence[Effect],
    arms: Arms,
    *,
    study: str = "",
    stratum_label: str = "",
    labels: Mapping[str, str] | None = None,
    dark: bool = False,
) -> Chart:
    """How often x and x' are answered rightly, with intervals and n.

    Args:
        effects: of one study, from one call of `biaslab.stats.effects`.
        arms: what x and x' are called.
        study: its title.
        stratum_label: what the strata are called ("Steps").
        labels: what each run is called, by id (`by_run`).
        dark: for a dark page.

    Returns:
        The chart; an empty one with a sentence when there is nothing or too much to draw.
        In its data, ``point`` says which point of both traces an effect is, for clicks on it.

    Raises:
        ValueError: effects belong to different studies.
    """
    one_study(effects)
    data = _arms_data(effects)
    drawn = [effect for effect in effects if effect.n]
    if why := why_empty(2 * len(drawn), "accuracies"):
        return empty_chart(why, dark, data)
    colours = theme(dark)
    runs = by_run(drawn, labels)
    binary = drawn[0].binary
    rows = RowPositions()
    placed = [(y, effect) for run in runs for y, effect in _rows_of(rows, run, runs, stratum_label)]
    labels = {run.run: run.label for run in runs}
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
    _add_arm(figure, placed, arms.x, 0, labels, stratum_label, colours)
    _add_arm(figure, placed, arms.x_prime, 1, labels, stratum_label, colours)
    marks = {(effect.run, effect.stratum): point for point, (_, effect) in enumerate(placed)}
    points = [marks.get((effect.run, effect.stratum)) for effect in effects]
    data["point"] = pd.Series(points, index=data.index, dtype="Int64")
    return Chart(figure, _arms_summary(title, arms, runs, stratum_label), data)


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
    labels: Mapping[str, str],
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
                [plain(labels[e.run]), plain(stratum_words(e, stratum_label)),
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


def _arms_summary(title: str, arms: Arms, runs: Sequence[RunEffects], stratum_label: str) -> str:
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


def _arms_data(effects: Sequence[Effect]) -> pd.DataFrame:
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
