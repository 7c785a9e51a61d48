"""Number or share: whether x′ is wrong for want of lessons, or for the lessons of x beside them.

Two curves of the share of x′ right, by the ratio of x to x′. At a fixed total all lessons but the
ratio are the same; at a fixed number the rarer form has as few lessons in all cells. If the share
alone counted, both curves would be one; if the number alone did, the second would be flat from 1:1
on, where x′ is the rarer form, and only lessons of x get more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import GLYPHS, Chart, Theme, plain, theme
from biaslab.charts.origins import add_key, axis, framed
from biaslab.training.origins.predictions import Truth
from research.experiment.design import (
    CHECKS,
    LEAST_STARTS,
    STARTS,
    ClaimFigure,
    MixCell,
    PredictedClaim,
    at_fixed_number,
    at_fixed_total,
)
from research.experiment.estimates import StartsEstimate, bar_of
from research.experiment.outcomes import TrainingAnswers, at_check, cells_of, numbers, rarer_right
from research.experiment.table import SampleRow
from research.experiment.verdicts import JudgedClaim, decide, is_enough, on_side, value_words
from schoolmath.text.figures import count, p_words, percent, percents

Ratio = tuple[int, int]

FIGURES = (ClaimFigure.RARER, ClaimFigure.COMMONER, ClaimFigure.BOTH)
"""A doubling of the lessons of x′, of those of x, and of both."""


@dataclass(frozen=True, slots=True)
class NumberOrShare:
    """The share of x′ right, mean over log lessons, of the same starts everywhere.

    Attributes:
        study: whose pairs.
        total: by ratio of x to x′, with the total of both fixed.
        number: likewise, with the number of lessons of the rarer form fixed.
        decided: what each doubling does, by figure, with whether it is as predicted.
        end: likewise after the last lesson, by the intervals alone.
        leaning: by figure, the cells without any one of which it would not be told that it is as
            it was found, with what it is without it.
    """

    study: str
    total: dict[Ratio, StartsEstimate]
    number: dict[Ratio, StartsEstimate]
    decided: dict[ClaimFigure, JudgedClaim]
    end: dict[ClaimFigure, JudgedClaim]
    leaning: dict[ClaimFigure, dict[MixCell, StartsEstimate]]

    @property
    def starts(self) -> int:
        """How many starts are behind it."""
        return self.decided[ClaimFigure.RARER].estimate.n


def number_or_share(table: Sequence[SampleRow], study: str) -> NumberOrShare | None:
    """Both curves; None where no start has all cells of the study at their end."""
    decided = {
        claim.figure: found
        for claim, found in decide(table).items()
        if claim.study == study and claim.figure in FIGURES
    }
    starts = decided[ClaimFigure.RARER].estimate.starts
    if not starts:
        return None
    behind = TrainingAnswers(kept for kept in table if kept.row.seed in starts)

    def curve(cells: Sequence[MixCell]) -> dict[Ratio, StartsEstimate]:
        # 1:1 at the fixed total is one cell for all studies.
        return {cell.ratio: behind.estimate(rarer_right(cell, study)) for cell in cells}

    last = at_check(CHECKS[-1])
    end = {
        figure: _decided(each.claim, behind.estimate(numbers(study, figure, last)))
        for figure, each in decided.items()
    }
    leaning = {
        figure: {
            cell: without.estimate
            for cell in cells_of(study)
            if (
                without := _decided(
                    each.claim, behind.estimate(numbers(study, figure, without=cell))
                )
            ).answer
            is not each.answer
        }
        for figure, each in decided.items()
        if each.answer in (Truth.TRUE, Truth.FALSE)
    }
    return NumberOrShare(
        study, curve(at_fixed_total(study)), curve(at_fixed_number(study)), decided, end, leaning
    )


def _decided(claim: PredictedClaim, estimate: StartsEstimate) -> JudgedClaim:
    """A figure that nothing was predicted of, held against a claim by its interval."""
    if not is_enough(estimate):
        return JudgedClaim(claim, estimate, None, Truth.UNKNOWN)
    return JudgedClaim(claim, estimate, None, on_side(claim.side, claim.margin, estimate))


def number_sentence(summary: NumberOrShare) -> str:
    """What counts over learning, by the intervals; what decides nothing says so."""
    if summary.starts < LEAST_STARTS:
        return f"Not yet decided: no verdict comes before {LEAST_STARTS} starts."
    return _sentence(summary.decided)


def number_at_end(summary: NumberOrShare) -> str:
    """What counts after the last lesson, and on which cells the verdict over learning leans."""
    if summary.starts < LEAST_STARTS:
        return ""
    said = [f"After the last lesson: {_sentence(summary.end)}"]
    names = {ClaimFigure.RARER: "the number", ClaimFigure.COMMONER: "the share"}
    for figure, name in names.items():
        for cell, estimate in summary.leaning.get(figure, {}).items():
            fixed = " at the fixed number" if cell.few else ""
            said.append(
                f"Over learning, what is said of {name} leans on one cell: without "
                f"{cell.ratio[0]}:{cell.ratio[1]}{fixed} it is {value_words(figure, estimate)} "
                "for each doubling."
            )
    return " ".join(said)


def _sentence(claims: Mapping[ClaimFigure, JudgedClaim]) -> str:
    number, share = (claims[figure].answer for figure in (ClaimFigure.RARER, ClaimFigure.COMMONER))
    beside = claims[ClaimFigure.COMMONER].estimate.interval
    if beside is not None and beside.low > 0.0:
        return f"{_counts(number, share)} Lessons of the easier form help the harder one."
    return _counts(number, share)


def _counts(number: Truth, share: Truth) -> str:
    match number, share:
        case Truth.TRUE, Truth.TRUE:
            return "Number and share both count."
        case Truth.FALSE, Truth.FALSE:
            return "Neither the number of lessons nor their share counts as predicted."
        case Truth.TRUE, _:
            return f"The number of lessons counts; {_other('share', share)}."
        case _, Truth.TRUE:
            return f"The share of lessons counts; {_other('number', number)}."
        case Truth.FALSE, _:
            return f"The number of lessons does not count as predicted; {_other('share', share)}."
        case _, Truth.FALSE:
            return f"The share of lessons does not count as predicted; {_other('number', number)}."
        case _:
            return "Whether the number of lessons or their share counts cannot be told."


def _other(name: str, answer: Truth) -> str:
    if answer is Truth.FALSE:
        return f"their {name} does not count as predicted"
    return f"whether their {name} does cannot be told"


def number_figures(summary: NumberOrShare, x: str, x_prime: str) -> str:
    """What a doubling of either's lessons does, with intervals, q and starts.

    Args:
        summary: the curves.
        x: what x is: ``consistent``.
        x_prime: what x′ is.
    """
    told = {figure: _figure(summary.decided[figure]) for figure in FIGURES}
    return (
        f"For each doubling of {x_prime} lessons the share of {x_prime} problems right changes by "
        f"{told[ClaimFigure.RARER]}; of {x} lessons by {told[ClaimFigure.COMMONER]}; of both by "
        f"{told[ClaimFigure.BOTH]}; {summary.starts} of {count(STARTS, 'start')}."
    )


def _figure(claim: JudgedClaim) -> str:
    q = "" if claim.q is None else f", q {p_words(claim.q)}"
    return f"{value_words(claim.claim.figure, claim.estimate)}{q}"


# The picture: how often the rarer form is right, with either of them fixed.


@dataclass(frozen=True, slots=True)
class _Curve:
    """Of one thing that is fixed."""

    fixed: str
    symbol: str
    place: int
    effects: Mapping[Ratio, StartsEstimate]


_APART = 0.06
"""Between the marks of one ratio, in doublings."""


def rarer_chart(summary: NumberOrShare, x: str, x_prime: str, *, dark: bool = False) -> Chart:
    """Two curves over the ratio: with the total fixed, and with that of the rarer form.

    Args:
        summary: the curves.
        x: what x is: ``consistent``.
        x_prime: what x′ is.
        dark: for a dark page.
    """
    colours = theme(dark)
    curves = (
        _Curve("total fixed", "square", 0, summary.total),
        _Curve("number of the rarer form fixed", "circle", 1, summary.number),
    )
    figure = framed(f"{x_prime.capitalize()} problems right, mean over log lessons", colours)
    figure.update_xaxes(
        **axis(colours), tickvals=[_place(ratio) for ratio in summary.total],
        ticktext=[_name(ratio) for ratio in summary.total],
        title={"text": f"Lessons, {x} to {x_prime} (log scale)", "font": {"size": 13}},
    )  # fmt: skip
    figure.update_yaxes(
        **axis(colours), title={"text": "Right (%)", "font": {"size": 13}}, rangemode="tozero"
    )
    for curve in curves:
        _add(figure, curve, colours)
    texts = [
        f'<span style="color:{colours.palette[curve.place]}">{GLYPHS[curve.symbol]}</span> '
        f"{curve.fixed}"
        for curve in curves
    ]
    over = "items alone: one start" if summary.starts < 2 else "starts and items"
    add_key(figure, [*texts, f"Bars: 95 % intervals over {over}"], colours)
    return Chart(figure, _summary(summary, curves, x, x_prime), _data(summary.study, curves))


def _place(ratio: Ratio) -> float:
    return math.log2(ratio[0] / ratio[1])


def _name(ratio: Ratio) -> str:
    return f"{ratio[0]}:{ratio[1]}"


def _add(figure: go.Figure, curve: _Curve, colours: Theme) -> None:
    colour = colours.palette[curve.place]
    places = [_place(ratio) + (curve.place - 0.5) * _APART for ratio in curve.effects]
    for place, estimate in zip(places, curve.effects.values(), strict=True):
        if (bar := bar_of(estimate)) is not None:
            figure.add_shape(
                type="line", x0=place, x1=place, y0=100 * max(0.0, bar.low),
                y1=100 * min(1.0, bar.high), line={"color": colour, "width": 3},
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=places, y=[100 * (estimate.value or 0.0) for estimate in curve.effects.values()],
            mode="lines+markers", line={"color": colour, "width": 2},
            marker={"symbol": curve.symbol, "size": 11, "color": colour},
            customdata=[
                plain(f"{curve.fixed}, {_words(ratio, estimate)}")
                for ratio, estimate in curve.effects.items()
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def _words(ratio: Ratio, estimate: StartsEstimate) -> str:
    bar = bar_of(estimate)
    between = "" if bar is None else f" ({percents(max(0.0, bar.low), min(1.0, bar.high))})"
    return f"{_name(ratio)}: {percent(estimate.value)}{between}"


def _summary(summary: NumberOrShare, curves: tuple[_Curve, ...], x: str, x_prime: str) -> str:
    by_ratio = " ".join(
        f"With {curve.fixed}: {'; '.join(_words(*each) for each in curve.effects.items())}."
        for curve in curves
    )
    return f"{number_sentence(summary)} {number_figures(summary, x, x_prime)} {by_ratio}"


def _data(study: str, curves: tuple[_Curve, ...]) -> pd.DataFrame:
    rows = []
    for curve in curves:
        for ratio, estimate in curve.effects.items():
            bar = bar_of(estimate)
            rows.append(
                {
                    "study": study, "fixed": curve.fixed, "ratio": _name(ratio),
                    "right_x_prime": estimate.value, "low": bar and bar.low,
                    "high": bar and bar.high, "starts": estimate.n,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)
