"""Compose: make pairs of problems, look at them, and ask a model."""

import streamlit as st

from biaslab.ui.ask import asking
from biaslab.ui.ask.asking_form import draw_asking
from biaslab.ui.ask.estimate_panel import is_confirmed, takes_words
from biaslab.ui.compose import design_form, preview
from biaslab.ui.compose.fitting_panel import draw_fitting
from biaslab.ui.compose.pair_panels import draw_panels
from biaslab.ui.compose.planner_panel import draw_planner
from biaslab.ui.navigation import RUNS, action_row, go, heading
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError

heading(
    "Compose",
    "See the pairs, ask a model.",
)
action = action_row()
design = design_form.design_of_address()
study = queries.study_of(design.study)
pair, error = None, None
try:
    pair = preview.previewed(design)
except DesignError as refused:
    error = refused

form, shown = st.columns([2, 3], gap="medium")
with form, st.container(border=True):
    st.header("1. What to compare", anchor=False)
    design_form.draw_study(study)
    design_form.draw_size_and_seed()
    draw_planner(study)
    design_form.draw_settings(study, error)
with shown:
    st.header(
        "2. The pairs",
        anchor=False,
        help="A pair is the same problem twice with one feature changed, so a difference in the "
        "answers comes from that feature.",
    )
    if pair is None:
        preview.draw_instead(study, design)
    else:
        preview.draw(study, design, pair)
    draw_panels(study, design, possible=pair is not None)

with st.container(border=True):
    st.header("3. Ask a model", anchor=False)
    ready = draw_asking(study, design, possible=pair is not None)
    chosen = None if ready is None else ready.asking
    if chosen is not None:
        draw_fitting(study, chosen)
with action:
    pressed = st.empty()
    takes = ""
    if ready is not None and ready.estimate is not None:
        takes = takes_words(ready.asking, ready.estimate)
    st.markdown(f"{asking.chosen_words(study, design, chosen)}  \n{plain(takes)}")
    may_begin = ready is not None and (
        ready.estimate is None or is_confirmed(ready.asking, ready.estimate)
    )
    if pressed.button(
        "Run", type="primary", icon=":material/play_arrow:", disabled=not may_begin, key="run"
    ):
        assert chosen is not None
        go(RUNS, run=asking.start_asking(chosen))
