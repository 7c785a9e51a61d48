"""A concept: its number line, a prompt as it is asked, and as steps its settings and details."""

from __future__ import annotations

import streamlit as st

from biaslab.charts.concepts.concept import LONGEST_LINE, extension_chart, number_line
from biaslab.studies import Pair, Setting
from biaslab.studies.concepts import Concept, Population, monotonicity, pool
from biaslab.studies.concepts.items import COUNTING, WORDING, ConceptPair
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
from biaslab.ui.navigation import COMPOSE, action_row, go
from biaslab.ui.studies.concepts.queries import first_pair
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, integer
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError

SETTINGS = (CONCEPT, AGAINST, COUNTING, SEMANTICS, WORDING, TOTALS, SHOTS, MIN_HAS)
"""Settings of the study that the page has fields for; the others are set on Compose."""

EXAMPLES = (
    "more than 3/10", "at least 1/2", "at most 20", "between 1/4 and 3/4", "all",
    "an even number", "an even total", "published",
)  # fmt: skip
_TOTAL = 20
_FEW_LINES = 3
_DIRECTIONS = {
    "upward": "upward: who has more of the same total keeps the yes",
    "downward": "downward: who has less of the same total keeps the yes",
    "both": "neither way: the part makes no difference",
    "neither": "not monotone: having more can turn a yes into a no and a no into a yes",
}


def draw_builder() -> None:
    """Draws what is asked, with the way to asking; changing and reading more of it are steps."""
    design = design_of_settings(EXPERIMENT.name, SETTINGS)
    found: tuple[ConceptPair, ...] = ()
    error: DesignError | None = None
    try:
        found = EXPERIMENT.comparisons(design)
    except DesignError as refused:
        error = refused
    action = action_row()
    if found:
        pair = first_pair(design)
        _draw_lines(found[0])
        st.code(_shortened(pair.x.text), language=None, wrap_lines=True)
        if action.button("Ask a model", type="primary", icon=":material/play_arrow:", key="ask"):
            go(COMPOSE, **address_of(design))
    with st.expander("Change the concept", expanded=error is not None):
        for setting in SETTINGS:
            _draw_field(setting)
            if error is not None and error.setting == setting.name:
                st.error(plain(str(error)), icon=":material/error:")
        if error is not None and error.setting not in {setting.name for setting in SETTINGS}:
            st.error(plain(str(error)), icon=":material/error:")
    if found:
        with st.expander("What exactly is asked"):
            _draw_details(found, pair)


def _draw_lines(chosen: ConceptPair) -> None:
    """The number lines of both concepts."""
    total = _total(chosen.population)
    for column, concept in zip(
        st.columns(2, gap="medium"), (chosen.one, chosen.other), strict=True
    ):
        with column:
            draw_chart(
                number_line(concept, total.value, chosen.population.min_has, dark=is_dark()),
                f"number line {concept.id}",
            )


def _shortened(prompt: str) -> str:
    """The first example and the question; everything where there is little more."""
    lines = prompt.split("\n")
    return "\n".join([lines[0], "…", lines[-1]] if len(lines) > _FEW_LINES else lines)


def _total(population: Population) -> Parameter[int]:
    """The total on the number line, in the address."""
    longest = min(population.high, max(LONGEST_LINE, population.low))
    return integer("total", min(max(_TOTAL, population.low), longest), population.low, longest)


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


def _draw_details(comparisons: tuple[ConceptPair, ...], pair: Pair) -> None:
    chosen = comparisons[0]
    population = chosen.population
    if len(comparisons) > 1:
        st.caption(f"The first of {len(comparisons)} concepts is shown.")
    for concept in (chosen.one, chosen.other):
        st.markdown(plain(_facts(concept, population)))
    st.caption(plain(f"Matched prompts: {chosen.matching.explanation}"))
    _draw_prompts(pair, chosen)
    longest = min(population.high, max(LONGEST_LINE, population.low))
    st.number_input(
        "Total on the number line", min_value=population.low, max_value=longest, step=1,
        help="How many things there are in all.", **_total(population).bind(),
    )  # fmt: skip
    if st.toggle("Every total at once", key="all totals"):
        for concept in (chosen.one, chosen.other):
            draw_chart(extension_chart(concept, population, dark=is_dark()), f"totals {concept.id}")


def _facts(concept: Concept, population: Population) -> str:
    sides = pool(concept, population)
    direction = _DIRECTIONS[monotonicity(concept, population)]
    return (
        f"“{concept.id}” is {direction}. Yes is right for {len(sides.yes):,} amounts, no for "
        f"{len(sides.no):,}."
    )


def _draw_prompts(pair: Pair, comparison: ConceptPair) -> None:
    one, other = st.columns(2, gap="medium")
    for column, item, concept in (
        (one, pair.x, comparison.one), (other, pair.x_prime, comparison.other)
    ):  # fmt: skip
        with column:
            st.markdown(f"**{plain(concept.id)}**")
            st.code(item.text, language=None, wrap_lines=True, height=300)
            st.caption(plain(f"Right answer: {item.answer}"))
