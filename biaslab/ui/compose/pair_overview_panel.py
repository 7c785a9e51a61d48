"""The panel "What is in them": how difficult the pairs are, and how members are balanced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from biaslab.studies import Arms, Design, Experiment, Value
from biaslab.studies.study import arms_of
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from biaslab.studies.word_problems.overview import Imbalance, PairOverview

LOOKED_AT = 500
"""Most pairs that are looked at: enough for shares, and done while one waits."""
_MOST_WARNINGS = 3
"""Warnings that are shown at once; the others are one click away."""


def draw_overview(study: Experiment, design: Design) -> None:
    """Draws warnings, means and one chart; made anew only when the design changes."""
    looked_at = min(design.n, LOOKED_AT)
    settings = tuple(sorted(design.settings.items()))
    with st.spinner("Looking at the pairs…", show_time=True):
        overview = overview_of(design.study, design.seed, settings, looked_at)
    some = f"the first {looked_at:,} of {design.n:,} pairs" if looked_at < design.n else "all pairs"
    st.caption(
        f"Looked at: {some}. Members of a pair should differ in the treatment and in nothing else; "
        "what else differs is named here, because it could be taken for an effect."
    )
    arms = arms_of(study, design)
    _draw_warnings(overview, arms)
    if not overview.distributions:
        st.info("Of these texts nothing more is known than their words.")
        return
    _draw_means(overview, arms)
    _draw_measure(overview, arms)


@st.cache_resource(show_spinner=False, max_entries=16)
def overview_of(
    study: str, seed: int, settings: tuple[tuple[str, Value], ...], pairs: int
) -> PairOverview:
    """The overview of the first so many pairs of a design; shared, so never to be changed."""
    # The measures load tables of words, and most visits do without them.
    from biaslab.studies.word_problems.overview import pair_overview

    design = Design(study, pairs, seed, dict(settings))
    return pair_overview(queries.study_of(study).pairs(design), design)


def _draw_warnings(overview: PairOverview, arms: Arms) -> None:
    if not overview.warnings:
        st.success(
            f"In {count(overview.pairs, 'pair')} the members differ in nothing but the treatment.",
            icon=":material/check:",
        )
        return
    for warning in overview.warnings[:_MOST_WARNINGS]:
        _draw_warning(warning)
    more = overview.warnings[_MOST_WARNINGS:]
    if more:
        with st.expander(count(len(more), "more warning")):
            for warning in more:
                _draw_warning(warning)
    with st.expander("How many pairs each warning is about, as a picture"):
        # Drawing needs the chart library, which takes a moment to load.
        from biaslab.charts.word_problems.overview import imbalance_chart

        draw_chart(imbalance_chart(overview, dark=is_dark()), "imbalance")
    first = overview.warnings[0]
    with st.expander(f"An example: {first.aspect}"):
        st.markdown(f"**{plain(arms.x)}**: {plain(first.example.x.text)}")
        st.markdown(f"**{plain(arms.x_prime)}**: {plain(first.example.x_prime.text)}")
        st.caption(plain(f"{first.detail[:1].upper()}{first.detail[1:]}."))


def _draw_warning(warning: Imbalance) -> None:
    draw = st.info if warning.within else st.warning
    draw(plain(str(warning)), icon=":material/info:" if warning.within else ":material/balance:")


def _draw_means(overview: PairOverview, arms: Arms) -> None:
    rows = [
        {
            "On average": distribution.measure.label,
            arms.x: _rounded(distribution.mean_x),
            arms.x_prime: _rounded(distribution.mean_x_prime),
        }
        for distribution in overview.distributions
        if distribution.measure.numeric
    ]
    if rows:
        st.table(rows, border="horizontal")


def _rounded(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:.2f}"


def _draw_measure(overview: PairOverview, arms: Arms) -> None:
    # Drawing needs the chart library, which takes a moment to load.
    from biaslab.charts.word_problems.overview import measure_chart

    measures = {each.measure.name: each for each in overview.distributions}
    measure = choice("measure", measures, next(iter(measures)))
    choosing.selectbox(
        "Show how often each occurs",
        list(measures),
        format_func=lambda name: measures[name].measure.label,
        filter_mode=None,
        **measure.bind(),
    )
    shown = measures[measure.value]
    st.caption(plain(shown.measure.explanation))
    draw_chart(measure_chart(shown, arms, dark=is_dark()), f"pairs {measure.value}")
