"""The bias profile of the runs chosen, published values beside; and decisions as files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from biaslab.charts.chart import cell_colour, ink_on
from biaslab.charts.decisions import ProfileFigure, drawn_biases, profile_chart
from biaslab.models import learner_spec
from biaslab.runs import RunRecord
from biaslab.stats.effects import ALL
from biaslab.studies import Design, experiment
from biaslab.studies.decisions.published import (
    CAVEATS,
    SOURCE,
    faithful_tests,
    published_beside,
    published_biases,
)
from biaslab.studies.decisions.results import STUDY
from biaslab.ui.ask.asking import FirstRun, draw_first_run
from biaslab.ui.navigation import BIASES, go, link
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.decisions.queries import (
    BIAS,
    TERMS,
    beside_parameter,
    figure_parameter,
    largest_parameter,
    left_out_sentence,
    score_sentences,
)
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.figures import clicked_point, is_dark
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, signed_number

if TYPE_CHECKING:
    import pandas as pd

PAIRS = 600


def draw_start() -> None:
    """Says what to do; shows a run that is under way until it has answers."""
    # It draws lots, so 19 of 20 scores lie in the band of random answers.
    draw_first_run(
        FirstRun(
            Design(STUDY, PAIRS, 2),
            learner_spec("random"),
            "choose",
            "No model has been asked for a decision yet. Run the demo, or compose the study and "
            "choose a model.",
            f"Puts {count(PAIRS, 'pair')} to a **simulated learner** that guesses at random, "
            "to show what pure noise looks like. It says nothing about any real model.",
            {"study": STUDY, "n": str(PAIRS)},
        )
    )


def draw_published() -> None:
    """Draws all cells, pale for 0 and strong for the ends, with the numbers in them."""
    st.markdown(
        f"**{plain(SOURCE)}.** A positive score means that decisions moved in the direction "
        "of the bias. No "
        "intervals are printed."
    )
    st.markdown("\n".join(f"- {plain(caveat)}" for caveat in CAVEATS))
    cells = published_biases()
    names = {cell.bias: f"{cell.name} ⚠" if cell.note else cell.name for cell in cells}
    table = pd.DataFrame(
        [{"Bias": names[cell.bias], "model": cell.model, "value": cell.value} for cell in cells]
    ).pivot(index="Bias", columns="model", values="value")
    order = dict.fromkeys(names.values()), dict.fromkeys(cell.model for cell in cells)
    table = table.loc[list(order[0]), [*reversed(list(order[1]))]]
    dark = is_dark()
    styled = table.style.format(_written).map(lambda value: _style(value, dark))
    st.dataframe(
        styled,
        height=35 * (len(table) + 1) + 3,
        column_config={"_index": st.column_config.Column(pinned=True, width=190)},
        alt=f"Published scores of {len(table)} biases and {table.shape[1]} columns",
    )
    st.caption(
        "⚠ scored with a reversed scale by mistake. Stronger colours are larger sizes, whichever "
        "way; the sign stands with the number."
    )


def _written(value: object) -> str:
    return signed_number(value) if isinstance(value, float) else str(value)


def _style(value: float, dark: bool) -> str:
    fill = cell_colour(min(1.0, abs(value)), dark)
    return f"background-color: {fill}; color: {ink_on(fill)}"


_FIGURES = {
    str(ProfileFigure.METRIC): "Score",
    str(ProfileFigure.SHIFT): "Movement",
    str(ProfileFigure.UNCHANGED): "Unchanged",
}


def draw_profile(runs: Sequence[RunRecord]) -> None:
    """All biases of the runs chosen under one another."""
    called = labels(runs)
    for run in runs:
        _draw_overall(run, called[run.id])
    figure, beside, largest = figure_parameter(), beside_parameter(), largest_parameter()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choosing.segmented_control(
            "Figure",
            list(_FIGURES),
            format_func=_FIGURES.__getitem__,
            required=True,
            help="\n".join(f"- **{name}**: {TERMS[name]}" for name in _FIGURES.values()),
            **figure.bind(),
        )
        st.toggle("Largest first", **largest.bind())
    chosen = ProfileFigure(figure.value)
    if chosen is ProfileFigure.METRIC:
        choosing.multiselect(
            "Compare with published values",
            list(dict.fromkeys(cell.model for cell in published_biases())),
            select_all=False,
            help=f"{SOURCE}. They have no intervals; see what to know before comparing, below.",
            placeholder="none",
            **beside.bind(),
        )
    scored = [bias_queries.scored_run(run, called[run.id]) for run in runs]
    names = bias_queries.names()
    for each in scored:
        names |= {bias: bias for bias in each.scores if bias not in names}
    if largest.value:
        first = scored[0].scores
        size = {name: _size(first[name], chosen) if name in first else -9.0 for name in names}
        names = dict(sorted(names.items(), key=lambda item: -size[item[0]]))
    wanted = [cell for cell in published_biases() if cell.model in beside.value]
    cells = published_beside(beside.value)
    chart = profile_chart(scored, names, chosen, cells, dark=is_dark())
    clicked = clicked_point(chart, "bias profile")
    shown = [name for name in names if any(name in drawn_biases(s, [name], chosen) for s in scored)]
    if clicked is not None and clicked[0] < len(scored):
        of_run = drawn_biases(scored[clicked[0]], shown, chosen)
        go(BIASES, **_address(runs, runs[clicked[0]], of_run[clicked[1]]))
    st.caption("Click a mark, or choose here, to look at one bias.")
    with st.expander("Open a bias without a mouse"), st.container(horizontal=True, gap="xsmall"):
        for name in shown:
            link(BIASES, plain(names[name]), _address(runs, runs[0], name), icon="")
    if beside.value and chosen is ProfileFigure.METRIC:
        asked = {bias for each in scored for bias in each.scores}
        left = dict.fromkeys(
            cell.name
            for cell in wanted
            if cell.bias in asked and not asked.intersection(faithful_tests(cell.bias))
        )
        st.markdown("**Before comparing with published values**")
        st.markdown(
            plain(
                "Published values stand next to those tests here that are as published."
                + (
                    f" Left out, because the test that was asked is another one: {', '.join(left)}."
                    if left
                    else ""
                )
            )
        )
        st.markdown("\n".join(f"- {plain(caveat)}" for caveat in CAVEATS))
    with st.expander("What the figures mean"):
        st.markdown("\n".join(f"- **{name}**: {plain(words)}" for name, words in TERMS.items()))


def _draw_overall(run: RunRecord, label: str) -> None:
    with st.container(border=True):
        st.markdown(f"**{plain(label)}**")
        score = bias_queries.scores(OutcomesState.of(run)).get(ALL)
        if score is None:
            st.caption("Nothing has been answered yet.")
            return
        st.markdown(
            plain(" ".join(score_sentences(score, experiment(run.study).of_design(run.design))))
        )
        if left_out := left_out_sentence(score):
            st.caption(plain(left_out))


def _size(score: object, figure: ProfileFigure) -> float:
    value = getattr(score, str(figure))
    return -9.0 if value is None else float(value)


def _address(runs: Sequence[RunRecord], run: RunRecord, bias: str) -> dict[str, str]:
    chosen = ",".join(each.id for each in runs)
    return {"view": BIAS, "runs": chosen, "of": run.id, "bias": bias}
