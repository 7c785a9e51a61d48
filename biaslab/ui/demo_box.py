"""The demo on the first screen: start, progress in place, result."""

from __future__ import annotations

import streamlit as st

from biaslab.experiments import experiment
from biaslab.models import ModelKind
from biaslab.runs import RunRecord, RunStatus, launch
from biaslab.ui import asking, kept
from biaslab.ui.demo import STRATEGY, Demo, demo, run_of
from biaslab.ui.effect_words import effect_sentence, unread_sentence, verdict_sentence
from biaslab.ui.navigation import EFFECTS, ITEMS, RUNS, go, link
from biaslab.ui.progress import progress_bar
from biaslab.ui.run_words import run_label
from biaslab.ui.words import ACTIVE, count, plain


def draw_demo() -> bool:
    """The demo as it stands; whether it is running."""
    chosen = demo()
    run = run_of(chosen, kept.runs())
    if run is None:
        _offer(chosen)
        return False
    if run.status is RunStatus.FINISHED:
        _result(run, chosen)
    else:
        _progress(run)
    return run.status in ACTIVE


def _offer(chosen: Demo) -> None:
    st.subheader("See it happen", anchor=False)
    study = experiment(chosen.design.study)
    who = "a simulated learner" if chosen.why_not_tiny else "the tiny model"
    if st.button("Run the demo", type="primary", icon=":material/play_arrow:"):
        asking.start(chosen.design, chosen.model, STRATEGY)
        st.rerun()
    st.caption(
        f"Puts {count(chosen.design.n, 'pair')} of problems, “{study.arms.x}” and "
        f"“{study.arms.x_prime}”, to {plain(who)} on this computer. It takes about a minute."
    )
    _why_not_tiny(chosen)


def _why_not_tiny(chosen: Demo) -> None:
    if chosen.why_not_tiny:
        st.info(
            f"The demo asks a **simulated learner** (“{plain(kept.model_label(chosen.model))}”), "
            "a program that makes known mistakes, because the tiny language model is not there. "
            f"{plain(chosen.why_not_tiny)}"
        )


def _progress(run: RunRecord) -> None:
    st.subheader("The demo is running" if run.status in ACTIVE else "The demo", anchor=False)
    st.caption(plain(run_label(run)))
    progress_bar(run)
    with st.container(horizontal=True):
        if run.status not in (RunStatus.RUNNING, RunStatus.STOPPING) and st.button(
            "Go on", type="primary", icon=":material/play_arrow:"
        ):
            launch(kept.store().path, run.id)
            st.rerun()
        link(RUNS, "Details of this run", {"run": run.id})


def _result(run: RunRecord, chosen: Demo) -> None:
    arms = experiment(run.study).arms
    (effect,) = kept.effects_of((kept.State.of(run),), None, "strict")
    learner = run.model_kind == ModelKind.LEARNER
    who = "the simulated learner" if learner else "the tiny model"
    st.subheader("The demo has been run", anchor=False)
    st.markdown(plain(effect_sentence(effect, arms, who)))
    st.markdown(plain(f"{verdict_sentence(effect, arms)} {unread_sentence(effect)}"))
    if chosen.why_not_tiny:
        st.caption(
            "Asked was a simulated learner, a program that makes known mistakes: this shows what "
            "a bias looks like, not that a model has one."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("See the result", type="primary", icon=":material/bar_chart:"):
            go(EFFECTS, runs=run.id)
        link(ITEMS, "Look at single problems", {"run": run.id})
