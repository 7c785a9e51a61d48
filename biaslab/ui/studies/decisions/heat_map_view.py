"""Models by biases: the heat map of one's own runs, published models beside, and who is alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from biaslab.charts.comparison import SizedModel, weights_chart
from biaslab.charts.decisions import (
    ProfileFigure,
    ScoredRun,
    drawn_heat,
    drawn_value,
    heat_map_chart,
)
from biaslab.models.spec import weights_in_name
from biaslab.runs import RunRecord
from biaslab.stats.effects import ALL
from biaslab.studies.decisions.published import (
    AVERAGE,
    CAVEATS,
    RANDOM,
    SOURCE,
    PublishedBias,
    published_beside,
    published_biases,
)
from biaslab.studies.decisions.results import (
    FEWEST_BIASES,
    Similarity,
    alike_together,
    similarities,
    turned,
)
from biaslab.ui.navigation import BIASES, go
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.decisions.queries import (
    ALIKE,
    BIAS,
    BY_NAME,
    BY_SIZE,
    ORDERS,
    TERMS,
    beside_parameter,
    figure_parameter,
    intervals_parameter,
    order_parameter,
    sizes_parameter,
)
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.figures import clicked_point, draw_chart, is_dark, table_csv
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import labels, run_label
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, signed_number

_FIGURES = {str(ProfileFigure.METRIC): "Score", str(ProfileFigure.SHIFT): "Movement"}
_MISSED = 0.05
"""How often an interval of any pair may miss."""
MOST_COMPARED = 8
"""Most runs that are compared before somebody chooses."""
_LONGEST = 10
"""Rows of the table of similar models that are shown without scrolling."""


def newest_of_each(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """What is compared unless somebody chooses: the newest run of each model and strategy."""
    found: dict[str, RunRecord] = {}
    for run in runs:
        found.setdefault(run_label(run), run)
    return list(found.values())[:MOST_COMPARED]


def draw_heat_map(runs: Sequence[RunRecord]) -> None:
    """The heat map of the runs chosen, and how alike their models are."""
    if not runs:
        st.info(
            "No model has been asked for a decision yet: compose the study, or run the demo of the "
            "profile. Two models or more make this picture.",
            icon=":material/info:",
        )
        return
    figure, order, published = figure_parameter(), order_parameter(), beside_parameter()
    intervals, sizes = intervals_parameter(), sizes_parameter()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if figure.value not in _FIGURES:
            figure.set(figure.default)
        choosing.segmented_control(
            "Figure",
            list(_FIGURES),
            format_func=_FIGURES.__getitem__,
            required=True,
            help="\n".join(f"- **{name}**: {TERMS[name]}" for name in _FIGURES.values()),
            **figure.bind(),
        )
        choosing.segmented_control(
            "Order", list(ORDERS), format_func=ORDERS.__getitem__, required=True, **order.bind()
        )
        st.toggle("Intervals", **intervals.bind())
    chosen = ProfileFigure(figure.value)
    cells = published_beside(published.value) if chosen is ProfileFigure.METRIC else []
    called = labels(runs)
    scored = [bias_queries.scored_run(run, called[run.id]) for run in runs]
    levels = _levels(sizes.value, [run.label for run in scored])
    shown, names = _arranged(scored, chosen, order.value, levels)
    values = _values(shown, cells, chosen)
    # The most alike of many pairs are so by chance, too: intervals hold for all pairs at once.
    pairs = max(1, len(values) * (len(values) - 1) // 2)
    alike = similarities(values, 1 - _MISSED / pairs)
    st.markdown(_finding(alike, len(values)))
    labelled = [replace(run, label=_with_level(run.label, levels)) for run in shown]
    chart = heat_map_chart(
        labelled, names, chosen, cells, intervals=intervals.value, dark=is_dark()
    )
    clicked = clicked_point(chart, "models by biases")
    if clicked is not None and clicked[0] == 0:
        place, bias = drawn_heat(shown, names, chosen)[clicked[1]]
        run = runs[scored.index(shown[place])]
        ids = ",".join(each.id for each in runs)
        go(BIASES, view=BIAS, runs=ids, of=run.id, bias=bias)
    st.caption("Click a cell to look at what was answered there.")
    _draw_choices(published.bind(), sizes.bind(), chosen, len(runs))
    _draw_levels(shown, levels, chosen)
    _draw_alike(alike)
    _draw_sizes(runs, called)
    if cells:
        with st.expander("Before comparing with published values"):
            st.markdown("\n".join(f"- {plain(caveat)}" for caveat in CAVEATS))


def _draw_choices(published: object, sizes: object, figure: ProfileFigure, runs: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if figure is ProfileFigure.METRIC:
            choosing.multiselect(
                "Compare with published models",
                list(dict.fromkeys(cell.model for cell in published_biases())),
                select_all=False,
                help=f"{SOURCE}: their biases whose test here is as published. No intervals.",
                placeholder="none",
                **published,  # type: ignore[arg-type]
            )
        st.text_input(
            "Size or level of each run",
            help="In the order of the runs chosen above, separated by commas, such as 7, 70, 405 "
            "or small, large. Columns are then sorted by it, and the table below says each "
            "level's mean.",
            placeholder=f"{count(runs, 'value')}, separated by commas",
            **sizes,  # type: ignore[arg-type]
        )


def _levels(typed: str, runs: Sequence[str]) -> dict[str, str]:
    """Each run's size or level; nothing where their number is another one."""
    parts = [part.strip() for part in typed.split(",")] if typed else []
    if not parts:
        return {}
    if len(parts) != len(runs) or not all(parts):
        st.warning(
            f"{count(len(runs), 'run is', 'runs are')} chosen and {count(len(parts), 'size')} "
            "typed: write one for each, separated by commas."
        )
        return {}
    return dict(zip(runs, parts, strict=True))


def _with_level(label: str, levels: Mapping[str, str]) -> str:
    return f"{levels[label]}: {label}" if label in levels else label


def _arranged(
    scored: Sequence[ScoredRun], figure: ProfileFigure, order: str, levels: Mapping[str, str]
) -> tuple[list[ScoredRun], dict[str, str]]:
    """The columns and the rows in the order wanted."""
    names = bias_queries.names()
    for run in scored:
        names |= {bias: bias for bias in run.scores if bias not in names}
    values = {
        run.label: {b: v for b in names if (v := drawn_value(run, b, figure)) is not None}
        for run in scored
    }
    rows = turned(values)
    asked = [bias for bias in names if bias in rows]
    columns = [run.label for run in scored]
    if order == BY_SIZE:
        asked.sort(key=lambda bias: -_mean(rows[bias]))
        columns.sort(key=lambda label: -_mean(values[label]))
    elif order == ALIKE:
        asked = alike_together({bias: rows[bias] for bias in asked})
        columns = alike_together(values)
    else:
        assert order == BY_NAME
    if levels:
        # By level first; within one the order stays.
        columns.sort(key=lambda label: _level_key(levels[label], list(levels.values())))
    by_label = {run.label: run for run in scored}
    return [by_label[label] for label in columns], {bias: names[bias] for bias in asked}


def _level_key(level: str, levels: Sequence[str]) -> float:
    """Numbers by size; words in the order in which they were typed."""
    try:
        return float(level)
    except ValueError:
        return float(levels.index(level))


def _draw_levels(
    runs: Sequence[ScoredRun], levels: Mapping[str, str], figure: ProfileFigure
) -> None:
    """The mean of each level's models, with how far they lie apart."""
    if not levels:
        return
    by_level: dict[str, list[float]] = {}
    for run in runs:
        drawn = [v for b in run.scores if (v := drawn_value(run, b, figure)) is not None]
        if drawn:
            by_level.setdefault(levels[run.label], []).append(sum(drawn) / len(drawn))
    st.markdown("**Mean over all biases, by size or level**")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Size or level": level, "Runs": len(means),
                    "Mean": sum(means) / len(means), "Lowest": min(means), "Highest": max(means),
                }
                for level, means in by_level.items()
            ]
        ),
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(name, format="%+.2f")
            for name in ("Mean", "Lowest", "Highest")
        },
        alt=f"Means of {len(by_level)} levels",
    )  # fmt: skip
    st.caption("Lowest and highest of the runs of a level. A few models of a size show no law.")


def _mean(values: Mapping[str, float]) -> float:
    return sum(values.values()) / len(values) if values else -9.0


def _values(
    runs: Sequence[ScoredRun], cells: Sequence[PublishedBias], figure: ProfileFigure
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for run in runs:
        found[run.label] = {
            bias: value
            for bias in run.scores
            if (value := drawn_value(run, bias, figure)) is not None
        }
    for cell in cells:
        if cell.model not in (AVERAGE, RANDOM):
            found.setdefault(f"{cell.model}, published", {})[cell.bias] = cell.value
    return found


def _finding(alike: Sequence[Similarity], models: int) -> str:
    """Who is most alike, in a sentence."""
    told = [each for each in alike if each.correlation is not None]
    if models < 2:
        return "One model so far: choose more runs above, or published models below."
    if not told:
        return plain(
            f"No two of them were asked {FEWEST_BIASES} or more biases in common, so nothing is "
            "said about who is alike."
        )
    best = told[0]
    return (
        f"**Most alike: {plain(best.one)} and {plain(best.other)}**, correlation over "
        f"{count(best.n, 'bias', 'biases')} {signed_number(best.correlation)} "
        f"({_interval(best)}; {_of_pairs(len(told))})."
    )


def _interval(of: Similarity) -> str:
    if of.interval is None:
        return "no interval can be determined"
    low, high = signed_number(of.interval.low), signed_number(of.interval.high)
    return f"interval {low} to {high}"


def _of_pairs(pairs: int) -> str:
    return "95 %" if pairs == 1 else f"95 % for all {pairs} pairs at once"


def _draw_alike(alike: Sequence[Similarity]) -> None:
    if not alike:
        return
    st.header("How alike are the models?", anchor=False)
    table = pd.DataFrame(
        [
            {
                "One": each.one, "Other": each.other, "Biases": each.n,
                "Correlation": each.correlation,
                "From": each.interval and each.interval.low,
                "To": each.interval and each.interval.high,
                "Mean difference": each.distance,
            }
            for each in alike
        ]
    )  # fmt: skip
    numbers = ["Correlation", "From", "To", "Mean difference"]
    st.dataframe(
        table,
        hide_index=True,
        height=35 * (min(len(table), _LONGEST) + 1) + 3,
        column_config={
            name: st.column_config.NumberColumn(name, format="%.2f") for name in numbers
        },
        alt=f"Correlation over biases of {len(table)} pairs of models",
    )
    st.caption(
        "Over the biases that both were asked; the interval is that of a correlation over biases "
        f"like these (Fisher 1921), {_of_pairs(len(alike))}. Noise in each score pulls a "
        "correlation towards 0: two runs of one model show how far."
    )
    st.download_button(
        "Similarity (CSV)",
        lambda: table_csv(table),
        "biaslab-similar-models.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _draw_sizes(runs: Sequence[RunRecord], labels: Mapping[str, str]) -> None:
    """How large the scores of each model are whatever their sign, beside its number of weights."""
    rows, sized, chances = [], [], []
    for run in runs:
        score = bias_queries.scores(OutcomesState.of(run)).get(ALL)
        if score is None or score.size is None or score.chance is None:
            continue
        weights = weights_in_name(run.model_spec)
        chances.append(score.chance.mean_size)
        if weights is not None:
            name = queries.model_label(run.model_spec).partition("#")[0]
            kind = str(run.model_kind)
            sized.append(SizedModel(name, kind, weights, score.size, score.size_ci, score.n))
        rows.append(
            {
                "Run": labels[run.id].partition(": ")[2] or labels[run.id],
                "Weights": weights,
                "Mean size": score.size,
                "From": score.size_ci and score.size_ci.low,
                "To": score.size_ci and score.size_ci.high,
                "Random answers": score.chance.mean_size,
                "Pairs": score.n,
                "Unread": score.invalid,
                "Failed or missing": score.failed,
                "Words of an answer": bias_queries.words_of_answers(OutcomesState.of(run)),
            }
        )
    if not rows:
        return
    st.header("Size of the scores, by model", anchor=False)
    if sized:
        chance = sum(chances) / len(chances)
        title = "Do larger models have smaller scores?"
        chart = weights_chart(sized, title, "Mean size of the score", chance, dark=is_dark())
        draw_chart(chart, "sizes of models")
    numbers = ["Mean size", "From", "To", "Random answers"]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={
            **{name: st.column_config.NumberColumn(name, format="%.2f") for name in numbers},
            "Weights": st.column_config.NumberColumn("Weights", format="compact"),
            "Run": st.column_config.TextColumn(width="medium"),
            "Words of an answer": st.column_config.NumberColumn(format="%.0f"),
        },
        alt=f"Mean size of the score of {count(len(rows), 'run')}",
    )
    st.caption(f"{TERMS['Size']} Weights are what a model's name says. A few models show no law.")
