"""Figures of a paper about origins, in the style of all papers: the family, and the dose."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from biaslab.publishing.paper.analysis import EffectTable
from biaslab.publishing.paper.figures import BLACK, GREY, PaperFigure, Width, draw, printed
from biaslab.stats import ALL, Effect
from biaslab.studies import experiment
from biaslab.training.origins.effects import CONFIDENCE, OriginEffect
from research.experiment.design import STARTS
from research.experiment.estimates import bar_of
from research.experiment.findings.dose import Dose
from research.paper.contents import Contents
from schoolmath.text.figures import count, signed_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DOSE = "dose-response"
"""Name of the figure of the experiment."""

_PANEL = 1.9
"""Inches that a curve is high."""


def figures(contents: Contents) -> list[PaperFigure]:
    """The family's effects of each study, and the dose-response curves that there are."""
    drawn: list[PaperFigure] = []
    for study, effects in contents.family_effects.items():
        table = EffectTable("family", (), None)
        for figure in draw(table, [_as_effect(effect) for effect in effects], {study: arms(study)}):
            caption = (
                f"{figure.caption} The family at the end of training, one step, all trainings of "
                "a mix together; intervals have the wider ends of those over items and over "
                "trainings."
            )
            drawn.append(replace(figure, caption=caption))
    if contents.doses:
        files = printed(DOSE, partial(_doses, contents.doses))
        drawn.append(PaperFigure(DOSE, _caption(contents.doses), files))
    return drawn


def arms(study: str) -> str:
    """What x and x′ are."""
    found = experiment(study).arms
    return f"{found.x} (x) and {found.x_prime} (x′)"


def _as_effect(effect: OriginEffect) -> Effect:
    judged = effect.spread.judged
    low, high = (None, None) if judged is None else (judged.low, judged.high)
    return Effect(
        effect.kind.study, f"{effect.mix} ({count(effect.seeds, 'training')})", "tiny",
        effect.kind.strategy, f"{effect.mix} {effect.kind.strategy}", ALL, ALL, effect.n, effect.n,
        True, effect.x.value, effect.x.interval, effect.x_prime.value, effect.x_prime.interval,
        effect.cate, low, high, effect.p, None, None, None,
        sum(row.unread_x for row in effect.rows), sum(row.unread_x_prime for row in effect.rows),
        0, 0, 0, CONFIDENCE, "imagined-pairs", False, effect.test,
    )  # fmt: skip


def _caption(doses: Mapping[str, Dose]) -> str:
    told = "; ".join(
        f"{experiment(study).title}, {arms(study)}: {found.when}, "
        f"{found.starts} of {count(STARTS, 'start')}"
        for study, found in doses.items()
    )
    alone = any(found.starts < 2 for found in doses.values())
    return (
        f"The effect by the ratio of lessons of x to lessons of x′. {told}. Black: mean of the "
        "starts with its 95 % interval over starts and items"
        + (", where there is one start over items alone" if alone else "")
        + "; grey: single starts. All figures are in the table."
    )


def _doses(doses: Mapping[str, Dose], width: Width) -> Figure:
    """A panel a study: below each other in one column, beside each other in two."""
    from matplotlib.figure import Figure

    down, beside = (len(doses), 1) if width.stacked else (1, len(doses))
    figure = Figure(figsize=(width.inches, down * (_PANEL + 0.35)), layout="constrained")
    for axes, (study, found) in zip(
        figure.subplots(down, beside, squeeze=False, sharey="row").flat, doses.items(), strict=True
    ):
        _panel(axes, study, found, width)
    return figure


def _panel(axes: Axes, study: str, found: Dose, width: Width) -> None:
    places = [math.log2(first / second) for first, second in found.effects]
    axes.axhline(0, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)), zorder=0)
    for seed in found.slope.starts if found.starts > 1 else ():
        alone = [100 * each.starts[seed].value for each in found.effects.values()]
        axes.plot(places, alone, color=GREY, linewidth=0.5, marker=".", markersize=2)
    means = [100 * (each.value or 0.0) for each in found.effects.values()]
    axes.plot(places, means, color=BLACK, linewidth=0.9, marker="s", markersize=3)
    for place, each in zip(places, found.effects.values(), strict=True):
        if (bar := bar_of(each)) is not None:
            axes.vlines(place, 100 * bar.low, 100 * bar.high, color=BLACK, linewidth=0.9)
    axes.set_xticks(places, [f"{first}:{second}" for first, second in found.effects])
    axes.yaxis.set_major_formatter(lambda value, _: signed_points(value / 100, 0))
    axes.tick_params(labelsize=width.points, length=2, width=0.5, pad=2)
    for side in ("right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_title(experiment(study).title, fontsize=width.points, fontweight="bold", loc="left")
    axes.set_xlabel("lessons of x to lessons of x′", fontsize=width.points, labelpad=2)
    axes.set_ylabel("CATE, percentage points", fontsize=width.points, labelpad=2)
