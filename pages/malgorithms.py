"""Malgorithms: does a model see why an answer is wrong?"""

import streamlit as st

from biaslab.stats import InvalidRule
from biaslab.ui.navigation import COMPOSE, EFFECTS, LINK, MALGORITHMS, heading, link
from biaslab.ui.studies.malgorithm import queries as malgorithm_queries
from biaslab.ui.studies.malgorithm.address import (
    QUESTIONS,
    RESULTS,
    focus_parameter,
    view_parameter,
)
from biaslab.ui.studies.malgorithm.items import draw_items
from biaslab.ui.studies.malgorithm.results import draw_results, draw_start
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.run_choice import draw_gallery_fault, run_of, several_runs

heading(
    "Malgorithms",
    "Does a model see **why** an answer is wrong? Given one choice and the rationales of all "
    "options, it names the rationale that led to the choice. A **mal-rule**, or malgorithm, is the "
    "rule by which a pupil comes to a wrong answer.",
)
runs = malgorithm_queries.study_runs()
draw_gallery_fault()
if not runs:
    draw_start()
    st.stop()

chosen = several_runs(runs)
by_id = {run.id: run for run in chosen}
focus = focus_parameter(chosen)
view = view_parameter()
unread = choice("invalid", ("strict", "exclude"), "strict")
rule: InvalidRule = "exclude" if unread.value == "exclude" else "strict"
with st.container(horizontal=True, vertical_alignment="bottom"):
    choosing.segmented_control(
        "Show",
        [RESULTS, QUESTIONS],
        format_func={RESULTS: "Results", QUESTIONS: "Question by question"}.__getitem__,
        required=True,
        **view.bind(),
    )
    if view.value == RESULTS:
        choosing.segmented_control(
            "Answers that could not be read",
            ["strict", "exclude"],
            format_func={"strict": "count as not right", "exclude": "leave out"}.__getitem__,
            required=True,
            **unread.bind(),
        )
one = run_of("Charts of one run, and the list of questions, are of", chosen, focus)
if view.value == RESULTS:
    draw_results(chosen, one, rule)
else:
    draw_items(chosen, one)
shown = {
    "runs": ",".join(by_id),
    "of": focus.value,
    "view": view.value,
    "invalid": unread.value,
}
with st.container(horizontal=True):
    if view.value == RESULTS:
        link(MALGORITHMS, "Link to this view", shown, icon=LINK)
    link(EFFECTS, "Effects by any feature", {"runs": ",".join(by_id)})
    link(COMPOSE, "Ask another model", {"study": "malgorithm"})
