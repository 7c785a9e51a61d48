"""One run: how far it is, what can be done with it, and what it was."""

from __future__ import annotations

import streamlit as st

from biaslab.runs import AnswerState, Pattern, RunRecord, RunStatus, launch, stop
from biaslab.ui import kept
from biaslab.ui.cards import facts_list
from biaslab.ui.design_form import address_of
from biaslab.ui.navigation import COMPOSE, EFFECTS, ITEMS, LINK, RUNS, link
from biaslab.ui.progress import counts, progress_bar
from biaslab.ui.prompts import example_prompt
from biaslab.ui.run_words import run_facts, run_label
from biaslab.ui.words import KINDS, RESUMABLE, count, plain


def draw_run(run: RunRecord) -> None:
    """Everything about a run."""
    st.subheader(plain(run_label(run)), anchor=False)
    progress_bar(run)
    counts(run)
    if run.failed:
        _why_failed(run)
    with st.container(horizontal=True, vertical_alignment="center"):
        _actions(run)
    if run.items_done:
        with st.container(horizontal=True):
            link(EFFECTS, "See the effects", {"runs": run.id})
            link(ITEMS, "Look at the items", {"run": run.id})
    facts_list(run_facts(run, st.context.timezone))
    st.caption(next(k.explanation for kind, k in KINDS.items() if str(kind) == run.model_kind))
    example_prompt(run)
    with st.container(horizontal=True):
        link(COMPOSE, "Make another run with this design", address_of(run.design))
        link(RUNS, "Link to this run", {"run": run.id}, icon=LINK)


def _why_failed(run: RunRecord) -> None:
    """Why requests failed, told by the first of them, and the way to the others."""
    rows = kept.pair_rows(kept.State.of(run), (str(Pattern.UNFINISHED),), (), 0, 20)
    for row in rows:
        if AnswerState.FAILED not in (row.state_x, row.state_x_prime):
            continue
        detail = kept.store().pair_detail(run.id, row.pair)
        reason = detail.x.reason or detail.x_prime.reason
        st.warning(f"{count(run.failed, 'problem')} failed. The first: {plain(reason)}")
        link(ITEMS, "Look at what failed", {"run": run.id, "pattern": str(Pattern.UNFINISHED)})
        return


def _actions(run: RunRecord) -> None:
    if run.status is RunStatus.RUNNING:
        if st.button("Stop", icon=":material/stop_circle:", key=f"stop {run.id}"):
            stop(kept.store(), run.id)
            st.rerun()
    elif run.status is RunStatus.STOPPING:
        st.button("Stopping …", disabled=True, key=f"stopping {run.id}")
    elif run.status in RESUMABLE:
        word = "Start" if run.status is RunStatus.READY else "Resume"
        if st.button(word, icon=":material/play_arrow:", type="primary", key=f"resume {run.id}"):
            _go_on(run)
    elif run.failed:
        words = f"Retry {count(run.failed, 'failed problem')}"
        if st.button(words, icon=":material/refresh:", type="primary", key=f"retry {run.id}"):
            _go_on(run)


def _go_on(run: RunRecord) -> None:
    launch(kept.store().path, run.id)
    st.rerun()
