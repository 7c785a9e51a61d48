"""Training lab: choose what a tiny model is taught, train it here, watch a bias come."""

import streamlit as st

from biaslab.training.jobs import JobState
from biaslab.ui.navigation import TRAINING_LAB, heading, link
from biaslab.ui.training.form import draw_form
from biaslab.ui.training.list import draw_list
from biaslab.ui.training.live import draw_body, draw_head, outlines
from biaslab.ui.training.queries import trainings
from biaslab.ui.training.results import draw_comparison
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.progress import live
from biaslab.ui.widgets.words import plain

heading(
    "Training lab",
    "Choose **what share of the lessons is what**, train a tiny model for a few minutes on this "
    "computer, and watch whether a bias comes.",
)

named = Parameter("training", "", lambda text: text).value
there = {training.name for training in trainings()}
if named and named not in there:
    st.warning(
        f"The link names a training “{plain(named)}” that is not on this computer. Set it up "
        "here, or choose another."
    )
    named = ""


def chosen_now() -> JobState | None:
    """The training that the address names, as it is now."""
    return next((training for training in trainings() if training.name == named), None)


def draw_chosen() -> bool:
    """How far the chosen training is; whether it is being trained."""
    now = chosen_now()
    if now is None:
        st.info("This training has been deleted. Set up another one.")
        return False
    draw_head(now, trainings())
    if outlines(now) != drawn:
        st.rerun()
    return now.active


def draw_all() -> bool:
    """The list of trainings; whether any is being trained."""
    found = trainings()
    draw_list(found, named)
    return any(training.active for training in found)


shown, others = st.columns([5, 2], gap="medium")
with shown:
    if named:
        link(TRAINING_LAB, "Set up another training", icon=":material/add:")
        with st.container(border=True):
            chosen = chosen_now()
            drawn = None if chosen is None else outlines(chosen)
            live(draw_chosen)
            if chosen is not None:
                draw_body(chosen)
    else:
        draw_form(trainings())
with others:
    if named:
        live(draw_all)
    else:
        # What draws itself again by the clock would bring back, on a slow machine, what the fields
        # of the form held before they were changed.
        draw_all()
draw_comparison(trainings())
