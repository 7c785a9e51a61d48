"""Results: every study, model and strategy that was measured, beside each other."""

import streamlit as st

from biaslab.stats import InvalidRule
from biaslab.studies import experiment
from biaslab.ui.navigation import COMPOSE, HOME, LINK, RESULTS, RUNS, heading, link
from biaslab.ui.results.overview import draw_overview, newest_of_each
from biaslab.ui.results.paper_panel import draw_paper
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.run_choice import draw_gallery_fault, draw_recorded, several_runs

heading("Overview", "How large is each effect in each model? All results on one scale.")
runs = queries.runs_with_answers()
draw_gallery_fault()
if not runs:
    st.info("Nothing has been measured yet. Ask a model, or open runs that others recorded.")
    link(HOME, "Ask a model")
    link(COMPOSE, "Compose a study")
    link(RUNS, "Open runs of others")
    st.stop()

strata = {s.name: s for run in runs for s in experiment(run.study).strata}
ALL = "all"
by = choice("by", (ALL, *strata), ALL)
unread = choice("invalid", ("strict", "exclude"), "strict")
rule: InvalidRule = "exclude" if unread.value == "exclude" else "strict"
first = newest_of_each(runs)
one, two = st.columns([4, 1], vertical_alignment="bottom")
with one:
    choosing.selectbox(
        "Break down by",
        [ALL, *strata],
        format_func=lambda name: "all pairs together" if name == ALL else strata[name].label,
        help="Studies that do not have it stay whole.",
        **by.bind(),
    )
with two, st.popover("What is shown", icon=":material/tune:", width="stretch"):
    st.caption("Unless you choose: the newest run of each study, model and prompt strategy.")
    chosen = several_runs(runs, first)
    choosing.segmented_control(
        "Answers that could not be read",
        ["strict", "exclude"],
        format_func={"strict": "count as not right", "exclude": "leave out"}.__getitem__,
        required=True,
        **unread.bind(),
    )
draw_recorded(chosen)
draw_overview(chosen, None if by.value == ALL else by.value, rule)
draw_paper(chosen, None if by.value == ALL else by.value, rule, vote=False)
view = {"runs": ",".join(run.id for run in chosen), "by": by.value, "invalid": unread.value}
link(RESULTS, "Link to this view", view, icon=LINK)
