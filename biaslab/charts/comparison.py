"""Runs side by side: their differences, everybody's effects on one scale, figures by size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import (
    Chart,
    base_layout,
    empty_chart,
    interval_words,
    kind_label,
    looks,
    plain,
    shortened,
    signed,
    stratum_words,
    theme,
    wrapped,
)
from biaslab.charts.effects import KIND_ORDER, by_run, strata_of, why_empty
from biaslab.charts.forest import (
    AxisSides,
    ForestMark,
    LegendLine,
    RowPositions,
    add_counts,
    add_marks,
    axis_range,
    forest_figure,
    range_of,
)
from biaslab.stats import ALL, Effect, Finding, Interval
from biaslab.stats.comparisons import LogComparison, log_record, log_sentences
from biaslab.studies import Arms
from schoolmath.text.figures import exact_percent


def differences_chart(
    findings: Sequence[Finding], labels: Mapping[str, str], *, dark: bool = False
) -> Chart:
    """The differences of effects between two runs, over all pairs and in strata.

    Args:
        findings: rows ``effect-difference`` of the same two runs; at least one.
        labels: what the runs are called, by id.
        dark: for a dark page.
    """
    colours = theme(dark)
    binary = findings[0].unit == "fraction"
    scale = 100.0 if binary else 1.0
    first, second = (labels[run] for run in findings[0].runs)
    rows = RowPositions()
    places = [rows.block(_pairs(each), 1)[0] for each in findings]
    title = "Effect of the first run minus effect of the second"
    figure = forest_figure(
        rows, colours, title, "Percentage points" if binary else "Units of the scale", None,
        [LegendLine(f"first: {shortened(first, 32)}"),
            LegendLine(f"second: {shortened(second, 32)}"),
        ],
        AxisSides("more in the<br>second run", "more in the<br>first run"),
    )  # fmt: skip
    words = [_words(each, binary) for each in findings]
    drawn = [index for index, each in enumerate(findings) if each.estimate is not None]
    x = [scale * (findings[index].estimate or 0.0) for index in drawn]
    ends = [(findings[i].ci_low, findings[i].ci_high, findings[i].estimate or 0.0) for i in drawn]
    figure.add_trace(
        go.Scatter(
            x=x,
            y=[places[index] for index in drawn],
            mode="markers+text",
            marker={"color": colours.palette[0], "size": 11, "symbol": "diamond"},
            error_x={
                "type": "data", "symmetric": False, "color": colours.palette[0], "thickness": 2,
                "array": [None if h is None else scale * (h - e) for _, h, e in ends],
                "arrayminus": [None if low is None else scale * (e - low) for low, _, e in ends],
            },
            text=[f"n = {findings[index].n}" for index in drawn],
            textposition="top center",
            textfont={"color": colours.text, "size": 12},
            cliponaxis=False,
            customdata=[[plain(_pairs(findings[i])), plain(words[i])] for i in drawn],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
        )
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    told = "; ".join(f"{_pairs(each)}: {w}" for each, w in zip(findings, words, strict=True))
    data = pd.DataFrame(
        {
            "first": [each.runs[0] for each in findings],
            "second": [each.runs[1] for each in findings],
            "stratum": [each.stratum for each in findings],
            "n": [each.n for each in findings],
            "difference": [each.estimate for each in findings],
            "ci_low": [each.ci_low for each in findings],
            "ci_high": [each.ci_high for each in findings],
            "p_holm": [each.p_holm for each in findings],
        }
    )
    return Chart(figure, f"{title}. First: {first}. Second: {second}. {told}.", data)


def _pairs(finding: Finding) -> str:
    if finding.stratum == ALL:
        return "All pairs"
    name, _, value = finding.stratum.partition("=")
    return f"{name.capitalize()}: {value}"


def _words(finding: Finding, binary: bool) -> str:
    if finding.estimate is None:
        return "no value"
    spread = "no interval"
    if finding.ci_low is not None and finding.ci_high is not None:
        level = exact_percent(finding.confidence)
        ends = f"{signed(finding.ci_low, binary)} to {signed(finding.ci_high, binary)}"
        spread = f"{level} interval {ends}"
    return f"{signed(finding.estimate, binary)} ({spread}, n = {finding.n})"


@dataclass(frozen=True, slots=True)
class StudyEffects:
    """The effects of the runs of one study.

    Attributes:
        title: of the study; two parts of a chart have different ones.
        arms: what x and x' are called.
        stratum_label: what its strata are called ("Steps").
        effects: of its runs.
    """

    title: str
    arms: Arms
    stratum_label: str
    effects: Sequence[Effect]


_WIDE_LABEL = 44
"""Characters of a line of a label where there is room."""


def beside_chart(
    studies: Sequence[StudyEffects],
    respondents: Mapping[str, str],
    dark: bool = False,
    *,
    wide: bool = False,
) -> Chart:
    """Every effect of several studies on one axis, row by row with who was asked beside it.

    Args:
        studies: in the order of the rows; their outcomes are all right or wrong, or all on the
            studies' own scales of the same unit.
        respondents: who was asked and how, by run; runs of different studies may share it.
        dark: for a dark page.
        wide: for a page that is no phone's: labels have longer lines, so rows are lower.

    Returns:
        The chart; an empty one with a sentence when there is nothing or too much to draw. In its
        data, ``trace`` and ``point`` say which mark an effect is, for clicks on it.

    Raises:
        ValueError: some outcomes are right or wrong and others are not, so no axis fits both.
    """
    drawn = [effect for study in studies for effect in study.effects if effect.cate is not None]
    if len({effect.binary for effect in drawn}) > 1:
        raise ValueError("Shares of right answers and units of a scale share no axis.")
    if why := why_empty(len(drawn), "effects"):
        return empty_chart(why, dark, _data(studies, respondents, {}))
    colours = theme(dark)
    kinds = _kinds(drawn, respondents)
    rows = RowPositions(width=_WIDE_LABEL) if wide else RowPositions()
    marks: dict[str, list[ForestMark]] = {label: [] for label in kinds}
    for study in studies:
        _place(rows, study, respondents, marks)
    binary = drawn[0].binary
    unit = "percentage points" if binary else "units of the scale"
    present = list(dict.fromkeys(kinds.values()))
    by_kind = dict(zip(present, looks(present, colours), strict=True))
    figure = forest_figure(
        rows,
        colours,
        "How much easier is the first kind than the second?"
        if binary
        else "How far do the answers of both kinds lie apart?",
        f"Difference in {unit}<br>(bars: {exact_percent(drawn[0].confidence)} interval)",
        axis_range(drawn),
        [LegendLine(kind_label(kind), look) for kind, look in by_kind.items()],
        AxisSides("◀ the second<br>is easier", "the first<br>is easier ▶")
        if binary
        else AxisSides("◀ the other way", "in the expected<br>direction ▶"),
        counts=True,
    )
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    numbered: dict[tuple[str, str], tuple[int, int]] = {}
    for trace, (label, placed) in enumerate(marks.items()):
        add_marks(figure, label, placed, by_kind[kinds[label]], colours)
        for point, mark in enumerate(placed):
            numbered[mark.effect.run, mark.effect.stratum] = (trace, point)
    return Chart(figure, _summary(studies, respondents), _data(studies, respondents, numbered))


def _kinds(effects: Sequence[Effect], respondents: Mapping[str, str]) -> dict[str, str]:
    """The kind of model of everybody who was asked, kinds together, then by their words."""
    found = {respondents[effect.run]: effect.model_kind for effect in effects}
    return dict(
        sorted(found.items(), key=lambda each: (KIND_ORDER.get(each[1], len(KIND_ORDER)), each[0]))
    )


def _place(
    rows: RowPositions,
    study: StudyEffects,
    respondents: Mapping[str, str],
    marks: Mapping[str, list[ForestMark]],
) -> None:
    """Gives the study a heading, everybody who was asked a block, and each stratum a row in it."""
    runs = by_run([effect for effect in study.effects if effect.cate is not None])
    if not runs:
        return
    by = f", by {study.stratum_label.lower()}" if study.stratum_label else ""
    rows.heading(f"{study.title}: “{study.arms.x}” or “{study.arms.x_prime}”{by}")
    order = list(strata_of(runs))
    for label, placed in marks.items():
        for run in (run for run in runs if respondents[run.run] == label):
            here = sorted(run.effects.values(), key=lambda effect: order.index(effect.stratum))
            for effect, y in zip(here, rows.block(label, len(here)), strict=True):
                beside = "" if effect.stratum == ALL else effect.stratum.partition("=")[2]
                words = f"{study.title}, {stratum_words(effect, study.stratum_label)}"
                placed.append(ForestMark(y, effect, words, beside))


def _summary(studies: Sequence[StudyEffects], respondents: Mapping[str, str]) -> str:
    parts = []
    for study in studies:
        each = "; ".join(
            f"{respondents[effect.run]}, {stratum_words(effect, study.stratum_label)}: "
            f"{interval_words(effect)}"
            for effect in study.effects
            if effect.cate is not None
        )
        if each:
            parts.append(f"{study.title}, “{study.arms.x}” minus “{study.arms.x_prime}”: {each}.")
    return " ".join(parts)


def _data(
    studies: Sequence[StudyEffects],
    respondents: Mapping[str, str],
    numbered: Mapping[tuple[str, str], tuple[int, int]],
) -> pd.DataFrame:
    table = pd.DataFrame(
        [
            {
                "study": e.study, "asked": respondents[e.run], "model": e.model,
                "model_kind": e.model_kind, "strategy": e.strategy, "run": e.run,
                "stratum": e.stratum, "n": e.n, "cate": e.cate, "ci_low": e.ci_low,
                "ci_high": e.ci_high,
            }
            for study in studies
            for e in study.effects
        ]
    )  # fmt: skip
    places = [
        numbered.get((e.run, e.stratum), (None, None)) for study in studies for e in study.effects
    ]
    if places:
        table[["trace", "point"]] = pd.DataFrame(places, index=table.index, dtype="Int64")
    return table


@dataclass(frozen=True, slots=True)
class SizedModel:
    """A model with a figure that may depend on its size.

    Attributes:
        label: what it is called.
        kind: of model.
        weights: how many it has.
        value: the figure; interval: of it; n: of how many pairs.
    """

    label: str
    kind: str
    weights: float
    value: float
    interval: Interval | None
    n: int


def weights_chart(
    models: Sequence[SizedModel], title: str, axis: str, chance: float, *, dark: bool = False
) -> Chart:
    """A figure of each model against its number of weights, which has a scale of powers of ten.

    Args:
        models: at least one.
        title: plain words.
        axis: of the figure.
        chance: what random answers give, drawn as a line.
        dark: for a dark page.
    """
    colours = theme(dark)
    figure = go.Figure(layout=base_layout(colours, title, 360))
    styles = looks([each.kind for each in models], colours)
    for each, style in zip(models, styles, strict=True):
        ends = each.interval
        figure.add_trace(
            go.Scatter(
                x=[each.weights],
                y=[each.value],
                mode="markers",
                name=plain(each.label),
                marker={"color": style.colour, "symbol": style.symbol, "size": 11},
                error_y={
                    "type": "data", "symmetric": False, "color": style.colour, "thickness": 2,
                    "array": [None if ends is None else ends.high - each.value],
                    "arrayminus": [None if ends is None else each.value - ends.low],
                },
                cliponaxis=False,
                customdata=[each.n],
                hovertemplate="%{fullData.name}: %{y:.2f} (n = %{customdata} pairs)<extra></extra>",
            )
        )  # fmt: skip
    figure.add_hline(
        y=chance,
        line={"color": colours.muted, "width": 1.5, "dash": "dash"},
        annotation={"text": "random answers", "font": {"color": colours.muted, "size": 12}},
        annotation_position="top left",
    )
    grid = {"gridcolor": colours.grid, "linecolor": colours.text, "tickcolor": colours.text}
    sizes = sorted({each.weights for each in models})
    figure.update_xaxes(
        type="log",
        title={"text": "Weights", "font": {"size": 13}},
        tickvals=sizes,
        ticktext=[_tick(each, models) for each in sizes],
        range=[log10(sizes[0]) - 0.4, log10(sizes[-1]) + 0.4],
        **grid,
    )
    figure.update_yaxes(title={"text": axis, "font": {"size": 13}}, rangemode="tozero", **grid)
    figure.update_layout(showlegend=False, margin={"l": 60, "r": 18, "t": 56, "b": 110})
    data = pd.DataFrame(
        [
            {
                "model": each.label, "weights": each.weights, "value": each.value,
                "ci_low": each.interval and each.interval.low,
                "ci_high": each.interval and each.interval.high, "n": each.n,
            }
            for each in models
        ]
    )  # fmt: skip
    told = "; ".join(f"{each.label}: {each.value:.2f} (n = {each.n})" for each in models)
    return Chart(figure, f"{title}. {told}. Random answers: {chance:.2f}.", data)


_NAMED = 4
"""Most sizes below which models are named: more names would cover each other."""


def _tick(weights: float, models: Sequence[SizedModel]) -> str:
    """A size in words, and whose it is where there is room."""
    size = f"{weights / 1e9:g} billion" if weights >= 1e9 else f"{weights / 1e6:g} million"
    if len({each.weights for each in models}) > _NAMED:
        return size
    names = dict.fromkeys(each.label for each in models if each.weights == weights)
    return "<br>".join([size, *(wrapped(shortened(name, 40), 16) for name in names)])


def logs_chart(comparisons: Sequence[LogComparison], *, dark: bool = False) -> Chart:
    """How logs of any task differ, every two of them on a row of its own.

    Args:
        comparisons: from one call of `biaslab.stats.comparisons.compare_logs`.
        dark: for a dark page.

    Returns:
        The chart; an empty one with a sentence where no two have samples in common.
    """
    data = pd.DataFrame([log_record(each) for each in comparisons]).drop(columns="differ")
    drawn = [each for each in comparisons if each.difference is not None]
    if not drawn:
        return empty_chart("These logs have no sample in common.", dark, data)
    colours = theme(dark)
    shares = all(each.shares for each in drawn)
    scale = 100.0 if shares else 1.0
    rows = RowPositions()
    places = [rows.block(f"{each.a} minus {each.b}", 1)[0] for each in drawn]
    ends = [v for each in drawn for v in (each.difference, each.ci_low, each.ci_high)]
    title = "How far do the scores lie apart?"
    figure = forest_figure(
        rows,
        colours,
        title,
        f"Difference in {'percentage points' if shares else 'units of the scores'}"
        f"<br>(bars: {exact_percent(drawn[0].confidence)} interval)",
        range_of([v for v in ends if v is not None], binary=shares),
        [],
        AxisSides("◀ the second<br>is higher", "the first<br>is higher ▶"),
        counts=True,
    )
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    figure.add_trace(
        go.Scatter(
            x=[scale * (each.difference or 0.0) for each in drawn],
            y=places,
            mode="markers",
            name="difference",
            marker={"color": colours.palette[0], "size": 12},
            error_x={
                "type": "data", "symmetric": False, "color": colours.palette[0], "thickness": 2,
                "array": [_reach(each.ci_high, each.difference, scale) for each in drawn],
                "arrayminus": [_reach(each.ci_low, each.difference, -scale) for each in drawn],
            },
            hovertemplate="%{x:.3g}<extra></extra>",
        )
    )  # fmt: skip
    add_counts(figure, zip(places, (each.n for each in drawn), strict=True), colours)
    summary = " ".join(log_sentences(each)[0] for each in drawn)
    return Chart(figure, f"{title} {summary}", data)


def _reach(end: float | None, value: float | None, scale: float) -> float | None:
    return None if end is None or value is None else scale * (end - value)
