"""What lessons did to a real model: sentences no surer than their intervals, and a picture."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, Theme, plain, theme
from biaslab.charts.origins import add_key, add_zero, axis, framed
from biaslab.training.origins.predictions import Truth
from research.adapters.design import (
    ASKED,
    BALANCED,
    LEAST_SEEDS,
    LESSONS,
    PREDICTIONS,
    RATIOS,
    SEEDS,
    AdapterClaim,
    AdapterFigure,
    AdapterMeasure,
    LessonStage,
    doublings,
)
from research.adapters.estimates import AdapterResults, Ratio, decide, factor, value_words
from research.experiment.estimates import StartsEstimate, bar_of
from schoolmath.text.figures import NONE, count, percent, signed_number

_ODDS = AdapterMeasure.ODDS
_DOSE = PREDICTIONS[0].claims[0]

_STAGES = {
    LessonStage.TAUGHT: f"after {LESSONS} lessons in this ratio",
    LessonStage.BALANCED: f"after {BALANCED} balanced lessons more",
}
_SYMBOLS = {LessonStage.TAUGHT: "square", LessonStage.BALANCED: "circle"}
_GLYPHS = {LessonStage.TAUGHT: "■", LessonStage.BALANCED: "●"}
_APART = 0.08


def sentence(results: AdapterResults) -> str:
    """Whether the effect follows the lessons, and what balanced lessons leave of it."""
    slope = results.slope(_ODDS)
    if slope.value is None:
        return "No model is taught yet."
    figure = (
        f"a doubling of the ratio changes the effect by {value_words(_ODDS, slope)}; "
        f"{slope.n} of {count(len(SEEDS), 'seed')}"
    )
    if slope.n < LEAST_SEEDS:
        return f"Not yet decided: no verdict comes before {LEAST_SEEDS} seeds. So far, {figure}."
    found = {
        Truth.TRUE: "A real language model takes over the bias of its lessons",
        Truth.FALSE: "The ratio of its lessons does not give a real language model this bias",
    }.get(
        decide(results)[_DOSE].held.answer,
        "Whether a real language model takes over the bias of its lessons is not decided",
    )
    return f"{found}: {figure}."


def unmade(results: AdapterResults) -> str:
    """What balanced lessons leave of the effect of the last ratio, by its interval."""
    ratio = RATIOS[-1]
    before = results.effect(ratio, _ODDS, LessonStage.TAUGHT)
    left = results.effect(ratio, _ODDS, LessonStage.BALANCED)
    if before.value is None or left.value is None:
        return ""
    name = f"{ratio[0]}:{ratio[1]}"
    claim = AdapterClaim(AdapterFigure.LOST, _ODDS, PREDICTIONS[2].claims[0].side, ratio=ratio)
    lost = results.of(claim)
    bar = left.interval
    much = "whether any is left is not decided"
    untaught = results.before(_ODDS)
    if bar is not None and bar.low > 0:
        much = "some of it is left"
        if untaught is not None and bar.low <= untaught.effect <= bar.high:
            much = f"about as much is left as before any lesson ({signed_number(untaught.effect)})"
    elif bar is not None and bar.high < 0:
        much = "it has turned round"
    surely = lost.interval is not None and lost.interval.low > 0
    return (
        f"{BALANCED} balanced lessons {'take' if surely else 'may take'} "
        f"{value_words(_ODDS, lost)} of the {value_words(_ODDS, before)} of {name}; {much}: "
        f"{value_words(_ODDS, left)}."
    )


def meaning(results: AdapterResults) -> str:
    """What a nat is, with the largest effect as the example."""
    effect = results.effect(RATIOS[-1], _ODDS, LessonStage.TAUGHT)
    example = ""
    if effect.value is not None and effect.value > 0:
        example = (
            f" With 20:1 the odds of the right answer are {factor(effect.value)} as high in the "
            "consistent problem as in the inconsistent one."
        )
    return (
        "Effect: how much likelier the model finds the right answer than the reversed one in the "
        f"consistent problem, less the same in the inconsistent one.{example}"
    )


def table(results: AdapterResults) -> list[dict[str, str]]:
    """Everything that was asked, a row a measure, by headings."""
    found = []
    for measure, asked in ASKED.items():
        before = results.before(measure)
        row = {
            "What": measure.value[0].upper() + measure.value[1:],
            "Pairs": str(asked.pairs),
            "Before": NONE if before is None else _plain(measure, before.effect),
        }
        for ratio in RATIOS:
            estimate = results.effect(ratio, measure, LessonStage.TAUGHT)
            row[f"{ratio[0]}:{ratio[1]}"] = _cell(measure, estimate)
        row["A doubling"] = _cell(measure, results.slope(measure))
        if LessonStage.BALANCED in asked.after:
            row["20:1, then balanced"] = _cell(
                measure, results.effect(RATIOS[-1], measure, LessonStage.BALANCED)
            )
        found.append(row)
    columns = list(dict.fromkeys(name for row in found for name in row))
    return [{name: row.get(name, NONE) for name in columns} for row in found]


def _cell(measure: AdapterMeasure, estimate: StartsEstimate) -> str:
    if estimate.value is None:
        return NONE
    return value_words(measure, estimate).replace(" nats", "").replace(" points", "")


def _plain(measure: AdapterMeasure, value: float) -> str:
    if measure is AdapterMeasure.RIGHT:
        return signed_number(100 * value, 1)
    return signed_number(value)


def adapters_chart(results: AdapterResults, *, dark: bool = False) -> Chart:
    """The consistency effect by ratio, after its lessons and after balanced ones.

    Args:
        results: the table.
        dark: for a dark page.
    """
    colours = theme(dark)
    figure = framed("A real model after lessons of a ratio", colours)
    figure.update_xaxes(
        **axis(colours), tickvals=[doublings(ratio) for ratio in RATIOS],
        ticktext=[f"{first}:{second}" for first, second in RATIOS],
        title={"text": "Lessons, consistent to inconsistent (log scale)", "font": {"size": 13}},
    )  # fmt: skip
    figure.update_yaxes(
        **axis(colours), title={"text": "Consistency effect (nats)", "font": {"size": 13}}
    )
    add_zero(figure, colours)
    curves = {
        stage: {ratio: results.effect(ratio, _ODDS, stage) for ratio in RATIOS} for stage in _STAGES
    }
    texts, told = [], []
    for number, (stage, curve) in enumerate(curves.items()):
        colour = colours.palette[number]
        _add_curve(figure, stage, curve, colours, number)
        seeds = max(estimate.n for estimate in curve.values())
        texts.append(
            f'<span style="color:{colour}">{_GLYPHS[stage]}</span> {_STAGES[stage]} '
            f"({count(seeds, 'seed')})"
        )
        told += [
            {
                "stage": stage.value, "ratio": f"{ratio[0]}:{ratio[1]}", "effect": each.value,
                "low": bar and bar.low, "high": bar and bar.high, "seeds": each.n,
                "by_seed": " ".join(f"{s}:{one.value:.4f}" for s, one in each.starts.items()),
            }
            for ratio, each in curve.items()
            for bar in (bar_of(each),)
        ]  # fmt: skip
    before = results.before(_ODDS)
    if before is not None:
        figure.add_hline(y=before.effect, line={"color": colours.muted, "dash": "dot"})
        texts.append(f"Dotted: before any lesson ({signed_number(before.effect)})")
    pairs = ASKED[_ODDS].pairs
    texts.append(f"Bars: 95 % intervals over seeds and items; n = {pairs} pairs each")
    add_key(figure, texts, colours)
    by_ratio = "; ".join(_words(ratio, each) for ratio, each in curves[LessonStage.TAUGHT].items())
    summary = f"{sentence(results)} {unmade(results)} By ratio: {by_ratio}."
    return Chart(figure, summary, pd.DataFrame(told))


def _add_curve(
    figure: go.Figure,
    stage: LessonStage,
    curve: Mapping[Ratio, StartsEstimate],
    colours: Theme,
    number: int,
) -> None:
    colour, shift = colours.palette[number], _APART * number
    there = {ratio: each for ratio, each in curve.items() if each.value is not None}
    places = [doublings(ratio) + shift for ratio in there]
    for place, each in zip(places, there.values(), strict=True):
        if (bar := bar_of(each)) is not None:
            figure.add_shape(
                type="line", x0=place, x1=place, y0=bar.low, y1=bar.high,
                line={"color": colour, "width": 3},
            )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=[place] * each.n, y=[one.value for one in each.starts.values()], mode="markers",
                marker={"symbol": f"{_SYMBOLS[stage]}-open", "size": 5, "color": colours.muted},
                hoverinfo="skip",
            )
        )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=places, y=[each.value for each in there.values()], mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"symbol": _SYMBOLS[stage], "size": 10, "color": colour},
            customdata=[
                plain(f"{_STAGES[stage]}: {_words(ratio, each)}") for ratio, each in there.items()
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _words(ratio: Ratio, estimate: StartsEstimate) -> str:
    return f"{ratio[0]}:{ratio[1]} {value_words(_ODDS, estimate)}"


def right_words(results: AdapterResults) -> str:
    """How much is right at all, before and after the lessons of each ratio."""
    before = results.before(AdapterMeasure.RIGHT)
    if before is None:
        return ""
    parts = [
        f"before any lesson {percent(before.likelier_x / before.n)} and "
        f"{percent(before.likelier_x_prime / before.n)}"
    ]
    for ratio in RATIOS:
        those = results.shares_right(ratio)
        if those is not None:
            parts.append(f"with {ratio[0]}:{ratio[1]} {percent(those[0])} and {percent(those[1])}")
    return f"Right of consistent and inconsistent problems: {'; '.join(parts)}."
