"""Building a concept: its number line, all totals, and a prompt as it is asked."""

from __future__ import annotations

import streamlit as st

from biaslab.charts.concepts.concept import LONGEST_LINE, extension_chart, number_line
from biaslab.problems import DesignError
from biaslab.studies import Design, Setting
from biaslab.studies.concepts import Concept, Population, monotonicity, pool
from biaslab.studies.concepts.items import Comparison
from biaslab.studies.concepts.study import (
    AGAINST,
    CONCEPT,
    EXPERIMENT,
    MIN_HAS,
    SEMANTICS,
    SHOTS,
    TOTALS,
)
from biaslab.ui.compose.design_form import address_of, design_of_settings, setting_parameter
from biaslab.ui.navigation import COMPOSE, go
from biaslab.ui.studies.concepts.kept import first_pair
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import integer
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain

SETTINGS = (CONCEPT, AGAINST, SEMANTICS, TOTALS, SHOTS, MIN_HAS)
"""Settings of the study that the page has fields for; the others are set on Compose."""

EXAMPLES = (
    "more than 3/10", "at least 1/2", "at most 20", "between 1/4 and 3/4", "all",
    "an even number", "an even total", "published",
)  # fmt: skip
_TOTAL = 20
_DIRECTIONS = {
    "upward": "upward: who has more of the same total keeps the yes",
    "downward": "downward: who has less of the same total keeps the yes",
    "both": "neither way: the part makes no difference",
    "neither": "not monotone: having more can turn a yes into a no and a no into a yes",
}


def draw_builder() -> None:
    """Draws the fields, the pictures and the way to asking."""
    form, shown = st.columns([2, 3], gap="medium")
    with form, st.container(border=True):
        st.subheader("1. A concept", anchor=False)
        design, comparisons, error = _draw_fields()
    with shown:
        st.subheader("2. What it says", anchor=False)
        if comparisons:
            _draw_concepts(comparisons)
        else:
            st.info("The number line appears here as soon as the concept can be asked about.")
    if error is not None or not comparisons:
        return
    with st.container(border=True):
        st.subheader("3. How it is asked", anchor=False)
        _draw_prompts(design, comparisons[0])
        if st.button("Ask a model", type="primary", icon=":material/play_arrow:", key="ask"):
            go(COMPOSE, **address_of(design))
        st.caption("Compose opens with this design: choose a model and a way of asking there.")


def _draw_fields() -> tuple[Design, tuple[Comparison, ...], DesignError | None]:
    design = design_of_settings(EXPERIMENT.name, SETTINGS)
    found: tuple[Comparison, ...] = ()
    error: DesignError | None = None
    try:
        found = EXPERIMENT.comparisons(design)
    except DesignError as refused:
        error = refused
    for setting in SETTINGS:
        _draw_field(setting)
        if error is not None and error.setting == setting.name:
            st.error(plain(str(error)), icon=":material/error:")
    if error is not None and error.setting not in {setting.name for setting in SETTINGS}:
        st.error(plain(str(error)), icon=":material/error:")
    return design, found, error


def _draw_field(setting: Setting) -> None:
    parameter = setting_parameter(EXPERIMENT, setting)
    if setting is CONCEPT:
        options = list(dict.fromkeys((*EXAMPLES, parameter.value)))
        choosing.selectbox(
            setting.label, options, accept_new_options=True, help=setting.explanation,
            **parameter.bind(),
        )  # fmt: skip
    elif setting.kind == "choice":
        choosing.segmented_control(
            setting.label, setting.choices, format_func=str.capitalize, required=True, wrap=True,
            help=setting.explanation, **parameter.bind(),
        )  # fmt: skip
    else:
        st.text_input(setting.label, help=setting.explanation, **parameter.bind())


def _draw_concepts(comparisons: tuple[Comparison, ...]) -> None:
    chosen = comparisons[0]
    if len(comparisons) > 1:
        st.caption(f"The first of {len(comparisons)} concepts is shown.")
    population = chosen.population
    longest = min(population.high, max(LONGEST_LINE, population.low))
    total = integer("total", min(max(_TOTAL, population.low), longest), population.low, longest)
    st.number_input(
        "Total on the number line", min_value=population.low, max_value=longest, step=1,
        help="How many things there are in all.", **total.bind(),
    )  # fmt: skip
    for concept in (chosen.one, chosen.other):
        draw_chart(
            number_line(concept, total.value, population.min_has, dark=is_dark()),
            f"number line {concept.id}",
        )
        st.markdown(plain(_facts(concept, population)))
    st.caption(plain(f"Matched prompts: {chosen.matching.explanation}"))
    box = st.expander("Every total at once", key="all totals", on_change="rerun")
    if box.open:
        with box:
            for concept in (chosen.one, chosen.other):
                draw_chart(
                    extension_chart(concept, population, dark=is_dark()), f"totals {concept.id}"
                )


def _facts(concept: Concept, population: Population) -> str:
    sides = pool(concept, population)
    direction = _DIRECTIONS[monotonicity(concept, population)]
    return (
        f"“{concept.id}” is {direction}. Yes is right for {len(sides.yes):,} amounts, no for "
        f"{len(sides.no):,}."
    )


def _draw_prompts(design: Design, comparison: Comparison) -> None:
    pair = first_pair(design)
    one, other = st.columns(2, gap="medium")
    for column, item, concept in (
        (one, pair.x, comparison.one), (other, pair.x_prime, comparison.other)
    ):  # fmt: skip
        with column:
            st.markdown(f"**{plain(concept.id)}**")
            st.code(item.text, language=None, wrap_lines=True, height=300)
            st.caption(plain(f"Right answer: {item.answer}"))
