"""Malgorithms before there is anything to show: what to do, and a demo at one click."""

from __future__ import annotations

import streamlit as st

from biaslab.analysis.identified_items import STUDY
from biaslab.experiments import Design
from biaslab.runs import RunStatus
from biaslab.ui import asking, kept
from biaslab.ui.navigation import COMPOSE, RUNS, link
from biaslab.ui.progress import live, progress_bar
from biaslab.ui.run_words import run_label
from biaslab.ui.words import ACTIVE, count, plain

LEARNER = "learner:key-drawn"
"""Asked by the demo: a simulated learner that often takes the right way for a wrong one."""

STRATEGY = "cot"
PAIRS = 300


def draw_start() -> None:
    """Says what to do; shows a run that is under way until it has answers."""
    live(_draw)


def _draw() -> bool:
    mine = [run for run in kept.runs() if run.study == STUDY]
    if any(run.items_done or run.status is RunStatus.FINISHED for run in mine):
        st.rerun(scope="app")
    if mine:
        run = mine[0]
        st.markdown(f"**{plain(run_label(run))}**")
        progress_bar(run)
        link(RUNS, "Details of this run", {"run": run.id})
        return run.status in ACTIVE
    st.info(
        "No model has been asked yet why answers are wrong. Run the demo, or compose the study "
        "and choose a model."
    )
    with st.container(border=True):
        if st.button("Run the demo", type="primary", icon=":material/play_arrow:", key="demo"):
            asking.start(Design(STUDY, PAIRS, 1), LEARNER, STRATEGY)
            st.rerun()
        st.caption(
            f"Puts {count(PAIRS // 3, 'question')} with four choices each to a **simulated "
            f"learner** (“{plain(kept.model_label(LEARNER))}”): a program that makes known "
            "mistakes with known chances. It shows what the page can show, and says nothing about "
            "any real model."
        )
        link(COMPOSE, "Compose this study", {"study": STUDY})
    return False
