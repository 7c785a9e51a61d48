"""The demo before its result: offered, going on, or ended before its end."""

from __future__ import annotations

import streamlit as st

from biaslab.runs import launch
from biaslab.studies import experiment
from biaslab.system.roles import May
from biaslab.ui.ask import asking
from biaslab.ui.demo.design import DESIGN, STRATEGY
from biaslab.ui.demo.starting import Demo, demo
from biaslab.ui.demo.words import who
from biaslab.ui.navigation import RUNS, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.progress import progress_bar
from biaslab.ui.widgets.words import STATUSES, plain
from schoolmath.text.figures import count


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
        "Ask both", type="primary", icon=":material/play_arrow:"
    ):
        _go_on(demo(queries.runs_in_file()))
    st.caption(
        f"Two tiny models, {count(DESIGN.n, 'pair')}, about a minute.",
        help="Both are asked the same pairs, on this computer. One learnt from five "
        f"“{study.arms.x}” problems for each “{study.arms.x_prime}” one, "
        "the other from as many of each.",
    )


def _draw_progress(now: Demo) -> None:
    st.header(
        "Both are being asked" if now.busy else "One of them is still to be asked", anchor=False
    )
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
    st.warning(plain(f"This needs both models, so it has no result yet. {'; '.join(ended)}."))
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
            "This asks **simulated learners**, programs that make known mistakes or none, "
            f"because a tiny model is not there. {plain(now.why_simulated)}"
        )
