"""Training lab: choose what a tiny model is taught, train it here, watch a bias come."""

import streamlit as st

from biaslab.ui.address import Parameter
from biaslab.ui.lab_form import draw_form
from biaslab.ui.lab_kept import trainings
from biaslab.ui.lab_list import draw_list
from biaslab.ui.lab_live import draw_training
from biaslab.ui.lab_results import draw_comparison
from biaslab.ui.navigation import TRAINING_LAB, link
from biaslab.ui.page_top import heading
from biaslab.ui.progress import live
from biaslab.ui.words import plain

heading(
    "Training lab",
    "Do biases come from what a model is taught? Choose **what share of the lessons is what**, "
    "train a tiny model for a few minutes on this computer, and watch whether a bias comes.",
)

named = Parameter("training", "", lambda text: text).value
there = {training.name for training in trainings()}
if named and named not in there:
    st.warning(
        f"The link names a training “{plain(named)}” that is not on this computer. Set it up "
        "here, or choose another."
    )
    named = ""


def draw_chosen() -> bool:
    """The training that the address names; whether it is being trained."""
    found = trainings()
    chosen = next((training for training in found if training.name == named), None)
    if chosen is None:
        st.info("This training has been deleted. Set up another one.")
        link(TRAINING_LAB, "Set up a training", icon=":material/add:")
        return False
    draw_training(chosen, found)
    return chosen.active


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
            live(draw_chosen)
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
