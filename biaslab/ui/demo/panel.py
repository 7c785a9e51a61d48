"""The demo before its result: offered, going on, or ended before its end."""

from __future__ import annotations

import streamlit as st

from biaslab.keeping.word_problems.demonstration import DESIGN, STRATEGY
from biaslab.roles import May
from biaslab.runs import launch
from biaslab.studies import experiment
from biaslab.text.figures import count
from biaslab.ui.ask import asking
from biaslab.ui.demo.example import shown_example
from biaslab.ui.demo.starting import Demo, demo
from biaslab.ui.demo.words import finding, who
from biaslab.ui.navigation import DEMO, ITEMS, RUNS, go, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.progress import progress_bar
from biaslab.ui.widgets.words import STATUSES, plain


def draw_demo() -> bool:
    """The demo as it stands, in short; whether it is running."""
    now = demo(queries.runs_in_file())
    if not now.done:
        return draw_unfinished(now)
    st.header("The demo has been run", anchor=False)
    for run in now.done:
        st.markdown(f"**{plain(who(run.model_spec))}**: {plain(finding(run))}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("See the result", type="primary", icon=":material/bar_chart:"):
            go(DEMO)
        if not now.why_simulated:
            pair = shown_example()[0].pair
            link(ITEMS, "The pair shown here", {"run": now.done[0].id, "pair": pair})
    return False


def draw_unfinished(now: Demo) -> bool:
    """The demo while it has no result; whether it is running."""
    if now.begun:
        _draw_progress(now)
    else:
        _draw_offer()
    _say_simulated(now)
    return now.busy


def _draw_offer() -> None:
    study = experiment(DESIGN.study)
    if not visitor.refused(May.RUN) and st.button(
        "Run the demo", type="primary", icon=":material/play_arrow:"
    ):
        _go_on(demo(queries.runs_in_file()))
    st.caption(
        f"Two tiny models, {count(DESIGN.n, 'pair')}, about a minute.",
        help="Both are asked the same pairs, on this computer. One learnt from five "
        f"“{study.arms.x}” problems for each “{study.arms.x_prime}” one, "
        "the other from as many of each.",
    )


def _draw_progress(now: Demo) -> None:
    st.header("The demo is running" if now.busy else "The demo is not complete", anchor=False)
    for spec, run in zip(now.models, now.runs, strict=True):
        st.markdown(f"**{plain(who(spec))}**")
        if run is None:
            st.caption("Was not asked yet.")
            continue
        progress_bar(run)
        if run in now.to_resume:
            link(RUNS, "Details of this run", {"run": run.id})
    if now.busy or not (now.missing or now.to_resume):
        return
    ended = [f"{who(run.model_spec)}: {STATUSES[run.status].name.lower()}" for run in now.to_resume]
    ended += [f"{who(spec)}: not asked" for spec in now.missing]
    st.warning(plain(f"The demo needs both models, so it has no result yet. {'; '.join(ended)}."))
    if visitor.refused(May.RUN):
        return
    if st.button("Go on", type="primary", icon=":material/play_arrow:"):
        _go_on(now)


def _go_on(now: Demo) -> None:
    """Starts what was never started and goes on with what ended early."""
    for run in now.to_resume:
        launch(queries.store().path, run.id)
    for spec in now.missing:
        asking.start(DESIGN, spec, STRATEGY)
    st.rerun()


def _say_simulated(now: Demo) -> None:
    if now.why_simulated:
        st.info(
            "The demo asks **simulated learners**, programs that make known mistakes or none, "
            f"because a tiny model is not there. {plain(now.why_simulated)}"
        )
