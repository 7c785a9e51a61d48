"""Pairs of a design before anything is asked."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from biaslab.charts import structure_chart
from biaslab.studies import Design, Experiment, Pair
from biaslab.studies.study import arms_of
from biaslab.ui.studies.screens import screens_of
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter, integer
from biaslab.ui.widgets.cards import pair_cards, steps_html, strata_tags
from biaslab.ui.widgets.figures import draw_chart, is_dark

AT_ONCE = 5
"""Pairs made at a time, but for the first one, which is made alone: it follows every change."""


def position_parameter(pairs: int) -> Parameter[int]:
    """Which pair is shown, from 1."""
    return integer("pair", 1, 1, min(pairs, queries.PREVIEWED))


def previewed(design: Design) -> Pair:
    """The pair that the address names.

    Raises:
        DesignError: the design gives no pairs, or its set has fewer.
    """
    study = queries.study_of(design.study)
    if study.size(design) is not None:
        next(study.pairs(design))  # which refuses more pairs than there are
    position = position_parameter(max(design.n, 1)).value
    made = 1 if position == 1 else min(-(-position // AT_ONCE) * AT_ONCE, max(design.n, 1))
    settings = tuple(sorted(design.settings.items()))
    return queries.first_pairs(design.study, design.seed, settings, made)[position - 1]


def draw(study: Experiment, design: Design, pair: Pair) -> None:
    """The pair with its differing words marked, and a way to the others."""
    shown = min(design.n, queries.PREVIEWED)
    parameter = position_parameter(design.n)
    more = f" The first {shown} can be looked at here." if shown < design.n else ""
    st.caption(
        f"Pair {parameter.value} of {design.n:,}.",
        help="Two problems that differ in one feature only. The words that differ are underlined "
        f"and bold.{more}",
    )
    arms = arms_of(study, design)
    pair_cards(pair, arms, working=False)
    if (draw_more := screens_of(study.name).below_pair) is not None:
        draw_more(pair, arms)
    labels = {stratum.name: stratum.label for stratum in study.strata}
    if pair.x_prime.facts.get("steps"):
        _draw_structure(pair, labels)
    else:
        strata_tags(pair.strata, labels)
    if shown > 1:
        st.pagination(shown, max_visible_pages=5, **parameter.bind())


def draw_instead(study: Experiment, design: Design) -> None:
    """Says that there are no pairs yet, in the study's own way where it has one."""
    draw_instead = screens_of(study.name).instead_of_pairs
    if draw_instead is None or not draw_instead(study, design):
        st.info("The pairs appear here as soon as the settings give some.")


def _draw_structure(pair: Pair, labels: Mapping[str, str]) -> None:
    panel = st.expander("The calculation", key="picture", on_change="rerun")
    with panel:
        strata_tags(pair.strata, labels)
        both = "".join(steps_html(member.facts["steps"]) for member in (pair.x, pair.x_prime))
        st.html(f'<div class="bl bl-two">{both}</div>')
        # Drawing takes longer than making the pair: only where somebody looks.
        if panel.open:
            draw_chart(structure_chart(pair.x_prime.facts, dark=is_dark()), "structure")
