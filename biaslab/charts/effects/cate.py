"""CATE by stratum with intervals, several runs side by side, published models apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, empty_chart
from biaslab.charts.effects.forest import (
    AxisSides,
    ForestMark,
    LegendLine,
    RowPositions,
    add_marks,
    axis_range,
    forest_figure,
)
from biaslab.charts.effects.runs import RunEffects, by_run, one_study, strata_of, why_empty
from biaslab.charts.theme import PUBLISHED_SYMBOLS, RunStyle, Theme, kind_label, looks, theme
from biaslab.charts.wording import (
    interval_words,
    plain,
    row_words,
    signed,
    stratum_words,
)
from biaslab.stats import Effect
from biaslab.studies import Arms, Experiment
from biaslab.studies.published import PublishedEffect
from biaslab.studies.results import Evidence
from biaslab.studies.study import evidence_about_people
from schoolmath.text.figures import exact_percent


def cate_chart(
    effects: Sequence[Effect],
    arms: Arms,
    *,
    study: str = "",
    stratum_label: str = "",
    published: Sequence[PublishedEffect] = (),
    called: Mapping[str, str] | None = None,
    designed: Experiment | None = None,
    dark: bool = False,
) -> Chart:
    """How much easier x is than x', per stratum and run, with intervals and n.

    Args:
        effects: of one study, from one call of `biaslab.stats.effects`.
        arms: what x and x' are called.
        study: its title.
        stratum_label: what the strata are called ("Steps").
        published: published effects of the same study; drawn hollow, under a heading of
            their own, and without intervals, because none are published.
        called: what each run is called, by id (`by_run`).
        designed: the study as the runs' designs make it, which decides what may be said about
            people; by default that of the effects' name.
        dark: for a dark page.

    Returns:
        The chart; an empty one with a sentence when there is nothing or too much to draw.
        In its data, ``trace`` and ``point`` say which mark of the figure an effect is, for
        clicks on it.

    Raises:
        ValueError: effects or published ones belong to different studies.
    """
    one_study([*effects, *published])
    data = _data(effects, published)
    drawn = [effect for effect in effects if effect.cate is not None]
    if why := why_empty(len(drawn), "effects", len(published)):
        return empty_chart(why, dark, data)
    people = evidence_about_people(drawn[0].study, designed)
    colours = theme(dark)
    runs = by_run(drawn, called)
    binary = drawn[0].binary
    shown_published = list(published) if binary else []
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
    places += [(None, None)] * len(published)
    data[["trace", "point"]] = pd.DataFrame(places, index=data.index, dtype="Int64")
    return Chart(
        figure, _summary(title, arms, effects, shown_published, runs, stratum_label, people), data
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
        legend.append(LegendLine(run.label, look))
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
    rows: RowPositions, published: Sequence[PublishedEffect]
) -> list[tuple[str, list[tuple[float, PublishedEffect]]]]:
    """Adds rows for published effects, a heading over each source; what stands where."""
    placed: list[tuple[str, list[tuple[float, PublishedEffect]]]] = []
    for heading, members in published_groups(published).items():
        rows.heading(heading)
        placed.append((heading, [(rows.block(e.model, 1, 0.7)[0], e) for e in members]))
    return placed


def published_groups(
    published: Sequence[PublishedEffect],
) -> dict[str, list[PublishedEffect]]:
    """Published effects under a heading for each source and strategy."""
    groups: dict[str, list[PublishedEffect]] = {}
    for e in published:
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


def _summary(
    title: str,
    arms: Arms,
    effects: Sequence[Effect],
    published: Sequence[PublishedEffect],
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
    for heading, members in published_groups(published).items():
        parts.append(f"{heading}: {'; '.join(f'{e.model} {signed(e.cate)}' for e in members)}.")
    return " ".join(parts)


def _data(effects: Sequence[Effect], published: Sequence[PublishedEffect]) -> pd.DataFrame:
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
        for e in published
    ]
    return pd.DataFrame(measured + printed)
