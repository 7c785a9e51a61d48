"""Choosing the pair that is looked at."""

from __future__ import annotations

import streamlit as st

from biaslab.studies import experiment
from biaslab.studies.study import LARGEST_SEED
from biaslab.ui.inside.address import (
    CARRY,
    COMPARISONS,
    CONSISTENCY,
    MOST_STEPS,
    STUDIES,
    comparison_parameter,
    pair_parameter,
    seed_parameter,
    steps_parameter,
    study_parameter,
)
from biaslab.ui.widgets import choosing, queries


def draw_pair_fields() -> None:
    """Draws the study, the steps, the seed and which of its pairs."""
    study = study_parameter()
    choosing.selectbox(
        "Study",
        STUDIES,
        format_func=lambda name: experiment(name).title,
        filter_mode=None,
        help="Which feature the two problems differ in.",
        **study.bind(),
    )
    if study.value != CARRY:
        choosing.segmented_control(
            "Reasoning steps",
            list(range(1, MOST_STEPS + 1)),
            required=True,
            help="How many calculations lead to the answer.",
            **steps_parameter().bind(),
        )
    if study.value == CONSISTENCY:
        choosing.segmented_control(
            "Comparison",
            list(COMPARISONS),
            format_func=str.capitalize,
            required=True,
            help="Additive: 3 more than; multiplicative: 3 times as many as.",
            **comparison_parameter().bind(),
        )
    one, other = st.columns(2, wrap=False)
    with one:
        st.number_input(
            "Pair", min_value=1, max_value=queries.PREVIEWED, step=1, value=None,
            help="Which of the seed's pairs.", **pair_parameter().bind(),
        )  # fmt: skip
    with other:
        st.number_input(
            "Seed", min_value=0, max_value=LARGEST_SEED, step=1, value=None,
            help="The same seed gives the same pairs on every computer.",
            **seed_parameter().bind(),
        )  # fmt: skip
