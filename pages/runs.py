"""Runs: what was asked, how far it is, stop and resume."""

import streamlit as st

from biaslab.ui.navigation import COMPOSE, HOME, heading, link
from biaslab.ui.runs.bundles import draw_bundles
from biaslab.ui.runs.run_detail import draw_run
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.progress import live
from biaslab.ui.widgets.run_choice import (
    chosen_run,
    draw_gallery_fault,
    draw_run_list,
    refused_link,
    run_parameter,
)
from biaslab.ui.widgets.words import ACTIVE

heading(
    "Runs",
    "A **run** asks one model every problem of a design and keeps every answer. It goes on when "
    "you close this page.",
)


def draw() -> bool:
    """The list and the chosen run; whether anything is running."""
    runs = queries.runs()
    draw_gallery_fault()
    if not runs:
        st.info("Nothing has been run yet. Ask a model on the first screen, or compose a study.")
        link(HOME, "Ask a model")
        link(COMPOSE, "Compose a study")
        return False
    refused_link(run_parameter(runs))
    # The chosen run comes first, so that on a phone it stands above the list.
    shown, others = st.columns([2, 1], gap="medium")
    with shown, st.container(border=True):
        draw_run(chosen_run(runs))
    with others:
        draw_run_list(runs)
    return any(run.status in ACTIVE for run in runs)


# A file that cannot be opened is told here, once for both parts of the page.
queries.store()
live(draw)
draw_bundles()
