"""Pairs of a design before anything is asked."""

from __future__ import annotations

import streamlit as st

from biaslab.charts import structure_chart
from biaslab.experiments import Design, Experiment, Pair
from biaslab.ui import kept
from biaslab.ui.address import Parameter, integer
from biaslab.ui.cards import pair_cards, strata_tags
from biaslab.ui.figures import draw_chart, is_dark

_AT_ONCE = 20
"""Pairs made at a time: quick, and enough to look through."""


def position_parameter(pairs: int) -> Parameter[int]:
    """Which pair is shown, from 1."""
    return integer("pair", 1, 1, min(pairs, kept.PREVIEWED))


def previewed(design: Design) -> Pair:
    """The pair that the address names.

    Raises:
        DesignError: the design gives no pairs.
    """
    position = position_parameter(max(design.n, 1)).value
    made = min(-(-position // _AT_ONCE) * _AT_ONCE, max(design.n, 1))
    settings = tuple(sorted(design.settings.items()))
    return kept.first_pairs(design.study, design.seed, settings, made)[position - 1]


def draw(study: Experiment, design: Design, pair: Pair) -> None:
    """The pair with its differing words marked, and a way to the others."""
    shown = min(design.n, kept.PREVIEWED)
    parameter = position_parameter(design.n)
    more = f" The first {shown} can be looked at here." if shown < design.n else ""
    st.caption(
        f"Pair {parameter.value} of {design.n:,}. Two problems that differ in one feature only. "
        f"The words that differ are underlined and bold.{more}"
    )
    pair_cards(pair, study.arms)
    strata_tags(pair.strata, {stratum.name: stratum.label for stratum in study.strata})
    _draw_structure(pair)
    if shown > 1:
        st.pagination(shown, max_visible_pages=5, **parameter.bind())


def _draw_structure(pair: Pair) -> None:
    if not pair.x_prime.facts.get("steps"):
        return
    with st.expander("How the answer comes about, as a picture"):
        chart = structure_chart(pair.x_prime.facts, dark=is_dark())
        draw_chart(chart, "structure")
