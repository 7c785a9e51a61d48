"""The same pairs asked of a model after each stage of its training, and the effect drawn.

    python -m research.stages stages.yaml --db stages.db --ratios 5:1,5:1,-,- --out stages.html

The plan is one of `biaslab matrix` with one study; its models are the stages, in their order. A
ratio is that of consistent to inconsistent problems in the corpus of a stage, as the audit of a
corpus counts it; a dash: not known. Where two or more are known, a second picture draws the effect
against them. What is there already is not asked again.
"""

from __future__ import annotations

import argparse
import html
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import plotly.graph_objects as go

from biaslab.charts.chart import plain, theme
from biaslab.charts.origins import add_key, add_zero, axis, framed
from biaslab.runs import open_store
from biaslab.stats import Effect, effects
from biaslab.stats.errors import BrokenAssets
from biaslab.studies.study import outcome_scale
from biaslab.system.processes import AttachedProcess
from schoolmath.text.figures import signed_number


class TrainingStage(NamedTuple):
    """A stage and what was found there.

    Attributes:
        model: what opens it; effect: of its run over all pairs.
        ratio: of its corpus; None: not known.
    """

    model: str
    effect: Effect
    ratio: float | None


def ratio_of(text: str) -> float | None:
    """A ratio such as ``5:1``; None for a dash.

    Raises:
        ValueError: it is neither.
    """
    if text.strip() == "-":
        return None
    first, colon, second = text.partition(":")
    value = float(first) / float(second) if colon and float(second) else 0.0
    if value <= 0 or not math.isfinite(value):
        raise ValueError(f"“{text}” is no ratio: write one such as 5:1, or a dash.")
    return value


def ask(plan: Path, db: Path) -> list[str]:
    """Asks the plan, or what of it is missing; the runs in its order.

    Raises:
        BrokenAssets: it is no plan of one study, or not all of it could be asked.
    """
    with AttachedProcess(
        "biaslab", ["matrix", str(plan), "--db", str(db), "--format", "json"]
    ) as process:
        printed = "".join(process.lines())
        if not printed:
            raise BrokenAssets(process.why_ended() or f"{plan.name} could not be asked.")
    done = json.loads(printed)
    if any(each["status"] != "finished" for each in done):
        raise BrokenAssets(f"Not every stage of {plan.name} could be asked.")
    if len({each["study"] for each in done}) != 1:
        raise BrokenAssets(f"{plan.name} must have one study and one prompt strategy.")
    return [each["run"] for each in done]


def stages(db: Path, runs: Sequence[str], ratios: Sequence[float | None]) -> list[TrainingStage]:
    """What was found at each stage."""
    with open_store(db) as store:
        by_run = {each.run: each for each in effects(store.outcomes(list(runs)))}
        specs = {run.id: run.model_spec for run in store.runs()}
    return [
        TrainingStage(specs[run], by_run[run], ratio)
        for run, ratio in zip(runs, ratios, strict=True)
    ]


def value_words(effect: Effect) -> str:
    """The effect with its interval, in points or on its study's scale."""
    value, low, high = _drawn(effect)
    if value is None:
        return "none"
    if low is None or high is None:
        return signed_number(value)
    return f"{signed_number(value)} ({signed_number(low)} to {signed_number(high)})"


def _drawn(effect: Effect) -> tuple[float | None, float | None, float | None]:
    """The effect and the ends of its interval, in points or on its study's scale."""
    times = 100 if effect.binary else 1
    low, value, high = (
        None if each is None else times * each
        for each in (effect.ci_low, effect.cate, effect.ci_high)
    )
    return value, low, high


def picture(course: Sequence[TrainingStage], *, by_ratio: bool = False) -> go.Figure:
    """The effect by stage, or over the log of the ratio of each stage's corpus."""
    colours = theme(dark=False)
    known = [each for each in course if not by_ratio or each.ratio is not None]
    title, across = "The effect by stage of training", "Stage"
    places = [float(at) for at in range(1, len(known) + 1)]
    names = [str(at) for at in range(1, len(known) + 1)]
    if by_ratio:
        title = "The effect over the ratio of the corpus"
        across = "Consistent to inconsistent problems (log scale)"
        places = [math.log2(each.ratio or 1.0) for each in known]
        names = [_ratio_words(each.ratio) for each in known]
    figure = framed(title, colours)
    figure.update_xaxes(
        **axis(colours), tickvals=places, ticktext=names,
        title={"text": across, "font": {"size": 13}},
    )  # fmt: skip
    unit = f"Effect ({_unit(course[0].effect)})"
    ends = [end for each in known for end in _drawn(each.effect) if end is not None]
    room = 0.06 * (max([0.0, *ends]) - min([0.0, *ends])) or 1.0
    figure.update_yaxes(
        **axis(colours), title={"text": unit, "font": {"size": 13}},
        range=[min([0.0, *ends]) - room, max([0.0, *ends]) + room],
    )  # fmt: skip
    add_zero(figure, colours)
    for place, each in zip(places, known, strict=True):
        value, low, high = _drawn(each.effect)
        if low is not None and high is not None:
            figure.add_shape(
                type="line", x0=place, x1=place, y0=low, y1=high,
                line={"color": colours.palette[0], "width": 3},
            )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=[place], y=[value], mode="markers",
                marker={"color": colours.palette[0], "size": 11},
                customdata=[plain(f"{each.model}: {value_words(each.effect)}")],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )  # fmt: skip
    pairs = max(each.effect.n for each in known)
    add_key(figure, [f"Bars: 95 % intervals over pairs; n = {pairs} pairs each"], colours)
    return figure


def _unit(effect: Effect) -> str:
    if effect.binary:
        return "percentage points"
    scale = outcome_scale(effect.study)
    return "units of the scale" if scale is None else scale.unit


def _ratio_words(ratio: float | None) -> str:
    """A ratio as it is written: ``20:1``, ``1:5``; a dash where it is not known."""
    if ratio is None:
        return "–"
    return f"{ratio:g}:1" if ratio >= 1 else f"1:{1 / ratio:g}"


def page(course: Sequence[TrainingStage]) -> str:
    """A page that opens without a network: the table and the pictures."""
    rows = "".join(
        f"<tr><td>{at}</td><td>{html.escape(each.model)}</td>"
        f"<td>{_ratio_words(each.ratio)}</td>"
        f"<td>{value_words(each.effect)}</td><td>{each.effect.n}</td></tr>"
        for at, each in enumerate(course, 1)
    )
    pictures = [picture(course)]
    if sum(each.ratio is not None for each in course) > 1:
        pictures.append(picture(course, by_ratio=True))
    drawn = "".join(
        each.to_html(full_html=False, include_plotlyjs=at == 0) for at, each in enumerate(pictures)
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Stages of training</title>'
        "<style>body{font-family:sans-serif;max-width:60rem;margin:2rem auto}td,th{padding:.2rem "
        ".8rem;text-align:left}</style><h1>Stages of training</h1>"
        "<table><tr><th>Stage</th><th>Model</th><th>Ratio of its corpus</th>"
        f"<th>Effect (95 %)</th><th>Pairs</th></tr>{rows}</table>{drawn}</html>"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 2 where the stages could not be asked."""
    parser = argparse.ArgumentParser(
        prog="python -m research.stages", description="Asks and draws the stages of a training."
    )
    parser.add_argument("plan", type=Path, help="of biaslab matrix, one study")
    parser.add_argument("--db", type=Path, required=True, help="file of runs")
    parser.add_argument("--ratios", default="", help="of each stage's corpus: 5:1,-,1:1")
    parser.add_argument("--out", type=Path, required=True, help="the page")
    given = parser.parse_args(arguments)
    try:
        texts = list(filter(None, given.ratios.split(",")))
        ratios = [ratio_of(text) for text in texts]
        runs = ask(given.plan, given.db)
        if ratios and len(ratios) != len(runs):
            raise ValueError(f"{len(ratios)} ratios are given for {len(runs)} stages.")
        found = stages(given.db, runs, ratios or [None] * len(runs))
        given.out.write_text(page(found), encoding="utf-8")
    except (BrokenAssets, ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for each in found:
        sys.stdout.write(f"{each.model}  {value_words(each.effect)}, {each.effect.n} pairs\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
