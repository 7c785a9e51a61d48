"""Asking again what failed, and nothing else."""

from __future__ import annotations

import streamlit as st

from biaslab.runs import AnswerState, PairDetail, RunRecord, launch
from biaslab.system.roles import May
from biaslab.ui.navigation import RUNS, go
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.session import environment_for, has_key
from biaslab.ui.widgets.words import ACTIVE
from schoolmath.text.figures import count


def draw_ask_again(run: RunRecord, detail: PairDetail) -> None:
    """Where the pair has a failed answer: a button that asks all failed ones of the run again."""
    if AnswerState.FAILED not in (detail.x.state, detail.x_prime.state):
        return
    if visitor.refused(May.RUN):
        return
    if run.status in ACTIVE:
        st.caption("The run is going on; what failed for a passing reason is asked again.")
        return
    reachable = has_key(run.options.access, run.id)
    if st.button(
        f"Ask {count(run.failed, 'failed one')} again",
        icon=":material/refresh:",
        key="ask again",
        disabled=not reachable,
        help="Only what failed in this run is asked, nothing else.",
    ):
        access = run.options.access
        launch(queries.store().path, run.id, environment=environment_for(access), only_failed=True)
        go(RUNS, run=run.id)
