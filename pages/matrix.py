"""Several at once: studies by models by prompt strategies, as one job."""

import streamlit as st

from biaslab.ui.ask.matrix_form import askable, draw_choice
from biaslab.ui.ask.matrix_view import draw_plan
from biaslab.ui.navigation import MODELS, heading, link
from biaslab.ui.widgets.progress import live

heading(
    "Several at once",
    "Ask several models several studies in one go. What is finished is kept, so the same choice "
    "goes on where it ended, and a larger one asks only what is new.",
)
shown, form = st.columns([3, 2], gap="medium")
models = askable()
with form, st.container(border=True):
    st.header("What is asked of whom", anchor=False)
    plan = draw_choice(models)
    link(MODELS, "Connect a model on a server")
    with st.expander("As a file"):
        st.caption(
            "The command `biaslab matrix plan.yaml` does the same; every setting of a study "
            "may be changed there."
        )
        st.download_button("Plan (YAML)", plan, "plan.yaml", on_click="ignore")
        st.code(plan.decode(), language="yaml")
with shown, st.container(border=True):

    def draw() -> bool:
        """The plan as it stands."""
        return draw_plan(plan, models)

    live(draw)
