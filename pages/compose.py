"""Compose: make pairs of problems, look at them, and ask a model."""

import streamlit as st

from biaslab.experiments import experiment
from biaslab.problems import DesignError
from biaslab.ui import asking, design_form, preview
from biaslab.ui.navigation import RUNS, go
from biaslab.ui.page_top import heading
from biaslab.ui.take_away import pair_downloads

heading(
    "Compose",
    "Choose what to compare, look at the pairs, then ask a model. A **pair** is the same problem "
    "twice with one feature changed, so a difference in the answers comes from that feature.",
)
design = design_form.design_of_address()
study = experiment(design.study)
pair, error = None, None
try:
    pair = preview.previewed(design)
except DesignError as refused:
    error = refused

form, shown = st.columns([2, 3], gap="medium")
with form:
    with st.container(border=True):
        design_form.draw_study(study)
        design_form.draw_size_and_seed()
        design_form.draw_settings(study, error)
    with st.container(border=True):
        model = asking.chosen_model()
        strategy = asking.chosen_strategy(study)
        if model is not None and pair is not None:
            asking.warn_of_limits(model.spec, design, strategy.name)
        ready = model is not None and pair is not None
        if st.button("Run on this model", type="primary", disabled=not ready, width="stretch"):
            assert model is not None
            go(RUNS, run=asking.start(design, model.spec, strategy.name))
with shown:
    if pair is None:
        st.info("The pairs appear here as soon as the settings on the left give some.")
    else:
        preview.draw(study, design, pair)
        pair_downloads(study, design)
