"""Effects: what changing one feature did, with intervals and tests."""

import streamlit as st

from biaslab.stats import InvalidRule
from biaslab.studies import experiment
from biaslab.ui.navigation import COMPOSE, EFFECTS, HOME, LINK, heading, link
from biaslab.ui.results.comparison_view import draw_comparison
from biaslab.ui.results.effect_view import draw_study
from biaslab.ui.results.paper_panel import draw_paper
from biaslab.ui.results.run_labels import by_arms
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice, flag
from biaslab.ui.widgets.run_choice import draw_gallery_fault, several_runs
from biaslab.ui.widgets.words import plain

heading(
    "Effects",
    "How much did the changed feature matter? One kind of problem is answered right so many "
    "**percentage points** more often than the other.",
)
runs = queries.runs_with_answers()
draw_gallery_fault()
if not runs:
    st.info("There is nothing to compare yet. Ask a model on the first screen, or compose a study.")
    link(HOME, "Ask a model")
    link(COMPOSE, "Compose a study")
    st.stop()

chosen = several_runs(runs)
studies = {run.study: experiment(run.study) for run in chosen}
common = set.intersection(*({s.name for s in study.strata} for study in studies.values()))
strata = {s.name: s for study in studies.values() for s in study.strata}
ALL = "all"
by = choice("by", (ALL, *strata), next((name for name in strata if name in common), ALL))
unread = choice("invalid", ("strict", "exclude"), "strict")
rule: InvalidRule = "exclude" if unread.value == "exclude" else "strict"
beside, vote = flag("published"), flag("vote")
repeated = any(run.options.samples > 1 for run in chosen)
one, two = st.columns([4, 1], vertical_alignment="bottom")
with one:
    choosing.segmented_control(
        "Break down by",
        [ALL, *strata],
        format_func=lambda name: "all pairs" if name == ALL else strata[name].label,
        required=True,
        wrap=True,
        help="\n".join(f"- **{s.label}**: {s.explanation}" for s in strata.values()),
        **by.bind(),
    )
with two, st.popover("How it counts", icon=":material/tune:", width="stretch"):
    choosing.segmented_control(
        "Answers that could not be read",
        ["strict", "exclude"],
        format_func={"strict": "count as not right", "exclude": "leave out"}.__getitem__,
        required=True,
        **unread.bind(),
    )
    st.toggle(
        "Show published models beside",
        help="Language models of Opedal et al. (2024), asked in the same way. Their intervals "
        "were not published.",
        **beside.bind(),
    )
    if repeated:
        st.toggle(
            "Let the most frequent answer count",
            help="Where a problem was asked several times: its most frequent answer counts in "
            "place of the mean of all (self-consistency). Answers that could not be read do not "
            "vote.",
            **vote.bind(),
        )
parts = by_arms(chosen)
for number, (title, of_part) in enumerate(parts.items(), start=1):
    study = studies[of_part[0].study]
    if len(parts) > 1:
        st.header(plain(title), anchor=False)
    shared = sum(some[0].study == study.name for some in parts.values()) > 1
    draw_study(
        study,
        of_part,
        None if by.value == ALL else by.value,
        rule,
        beside.value,
        vote=repeated and vote.value,
        name=f"{study.name} {number}" if shared else "",
        headed=len(parts) > 1,
    )
between = draw_comparison(
    chosen, None if by.value == ALL else by.value, rule, repeated and vote.value
)
draw_paper(chosen, None if by.value == ALL else by.value, rule, repeated and vote.value)
view = {
    "runs": ",".join(run.id for run in chosen),
    "by": by.value,
    "invalid": unread.value,
    "published": beside.write(beside.value),
    "vote": vote.write(repeated and vote.value),
    **between,
}
link(EFFECTS, "Link to this view", view, icon=LINK)
