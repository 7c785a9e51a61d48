"""Concepts: can a model learn “more than 3/10” from examples, and “less than 7/10” as well?"""

import streamlit as st

from biaslab.models import learner_spec
from biaslab.stats import InvalidRule
from biaslab.studies import Design
from biaslab.studies.concepts.answers import STUDY
from biaslab.system.roles import May
from biaslab.ui.ask import asking
from biaslab.ui.navigation import COMPOSE, CONCEPTS, EFFECTS, ITEMS, LINK, RUNS, go, heading, link
from biaslab.ui.studies.concepts import queries as concept_queries
from biaslab.ui.studies.concepts.builder import draw_builder
from biaslab.ui.studies.concepts.results import draw_published, draw_results
from biaslab.ui.widgets import choosing, visitor
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.run_choice import draw_gallery_fault, run_of, several_runs

BUILD, RESULTS = "build", "results"

heading(
    "Concepts",
    "Does a model find out from examples what is meant by **more than 3/10** more easily than by "
    "its mirror image, **less than 7/10**?",
)
view = choice("view", (BUILD, RESULTS), BUILD)
choosing.segmented_control(
    "Show",
    [BUILD, RESULTS],
    format_func={BUILD: "A concept", RESULTS: "Results"}.__getitem__,
    required=True,
    **view.bind(),
)
if view.value == BUILD:
    draw_builder()
    st.stop()

runs = concept_queries.study_runs()
draw_gallery_fault()
if not runs:
    st.info(
        "No model has been asked about concepts yet. Build one and ask a model, or run the demo: a "
        "simulated learner that is drawn to yes by large parts."
    )
    if not visitor.refused(May.RUN) and st.button(
        "Run the demo", type="primary", icon=":material/play_arrow:", key="demo"
    ):
        design = Design(STUDY, 200, 1, {"semantics": "hidden and explicit"})
        go(RUNS, run=asking.start(design, learner_spec("up-biased"), "likelihood"))
    draw_published()
    st.stop()

chosen = several_runs(runs)
by_id = {run.id: run for run in chosen}
focus = choice("of", tuple(by_id), chosen[0].id)
unread = choice("invalid", ("strict", "exclude"), "strict")
rule: InvalidRule = "exclude" if unread.value == "exclude" else "strict"
choosing.segmented_control(
    "Answers that could not be read, and ties",
    ["strict", "exclude"],
    format_func={"strict": "count as not right", "exclude": "leave out"}.__getitem__,
    required=True,
    **unread.bind(),
)
one = run_of("Shown in detail", chosen, focus)
draw_results(chosen, one, rule)
shown = {
    "view": RESULTS,
    "runs": ",".join(by_id),
    "of": focus.value,
    "invalid": unread.value,
}
with st.container(horizontal=True):
    link(CONCEPTS, "Link to this view", shown, icon=LINK)
    link(EFFECTS, "Effects by any feature", {"runs": ",".join(by_id)})
    link(ITEMS, "Every prompt", {"run": focus.value})
    link(COMPOSE, "Ask another model", {"study": STUDY})
