"""One training: how far it is, what can be done with it, and its curves."""

from __future__ import annotations

import streamlit as st

from biaslab.runs.jobs.queue import JobKind, QueuedWork
from biaslab.system.places import default_database
from biaslab.system.roles import May
from biaslab.training.jobs import JobState, ask_to_stop, go_on, remove
from biaslab.training.plan import TrainingError
from biaslab.ui.navigation import LINK, TRAINING_LAB, link
from biaslab.ui.training.curves import draw_curves
from biaslab.ui.training.form import ELSEWHERE, ONE_AT_A_TIME
from biaslab.ui.training.queries import busy, can_be_asked
from biaslab.ui.training.results import draw_results, draw_ways_on
from biaslab.ui.training.words import (
    RESUMABLE,
    STATUSES,
    length,
    mix_label,
    progress_words,
    ratios,
    share_done,
)
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.cards import facts_list, figures
from biaslab.ui.widgets.progress import waiting_words
from biaslab.ui.widgets.words import plain

USUAL_MORE = 5
"""Minutes that a finished training goes on for, unless told."""

_MOST_MORE = 600

_POOLS_BETWEEN = 5


def outlines(training: JobState) -> tuple[str, int, int]:
    """What the curves and figures follow: they are drawn anew only when this changes.

    The state, the checks, and for the curve of the loss the first pools of lessons, then every few.
    A browser that got ten charts a second would take from the training what it needs.
    """
    pools = len(training.progress)
    drawn = min(pools, _POOLS_BETWEEN) + pools // _POOLS_BETWEEN
    return training.status, len(training.checks), drawn


def draw_head(training: JobState, trainings: list[JobState]) -> None:
    """How far a training is and what can be done with it: drawn anew every second.

    Args:
        training: the one shown.
        trainings: all of this machine, for whether another is at work.
    """
    st.header(plain(training.name), anchor=False)
    if training.plan is not None:
        words = progress_words(training.status, training.plan, training.progress)
        done = (
            1.0 if training.status == "finished" else share_done(training.plan, training.progress)
        )
        st.progress(done, words)
    waits = waiting_words(QueuedWork(JobKind.TRAINING, training.name)) if training.active else ""
    st.caption(plain(waits) or STATUSES[training.status].explanation)
    if training.error:
        st.error(plain(training.error), icon=":material/error:")
    _draw_actions(training, busy(trainings))
    if training.progress:
        last = training.progress[-1]
        figures(
            {
                "lessons seen": f"{last.examples:,}",
                "loss (lower is better)": f"{last.loss:.3f}",
                "checks on unseen pairs": f"{len(training.checks):,}",
            }
        )


def draw_body(training: JobState) -> None:
    """What a training has led to so far: figures, curves, and what it was."""
    if training.status == "finished" and training.checks:
        draw_results(training.checks[-1], settled=True)
        draw_ways_on(training.spec)
        draw_curves(training.progress, training.checks, going_on=training.active)
    else:
        draw_curves(training.progress, training.checks, going_on=training.active)
        if training.checks:
            draw_results(training.checks[-1], settled=False)
        if can_be_asked(training) and not training.active:
            draw_ways_on(training.spec)
    plan = training.plan
    if plan is not None:
        facts_list(
            {
                "Taught": mix_label(plan),
                "Ratios": f"{ratios(plan)} (consistent:inconsistent · "
                "transfer:comparison · without:with a carry)",
                "Seed": str(plan.seed),
                "Length": length(plan),
                "Begins from": "random weights" if plan.start is None else "the start model",
            }
        )
    link(TRAINING_LAB, "Link to this training", {"training": training.name}, icon=LINK)


def _draw_actions(training: JobState, at_it: JobState | None) -> None:
    status = training.status
    here = visitor.may(May.TRAIN)
    if not here:
        st.caption(ELSEWHERE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if status == "running":
            if st.button("Stop", icon=":material/stop_circle:", key="stop", disabled=not here):
                ask_to_stop(training.directory)
                st.rerun()
        elif status == "stopping":
            st.button("Stopping …", disabled=True, key="stopping")
        elif status in RESUMABLE:
            if st.button(
                "Go on", icon=":material/play_arrow:", type="primary", key="go on",
                disabled=not here or at_it is not None,
            ):  # fmt: skip
                _go_on(training, 0.0)
        elif status == "finished" and training.plan and not training.plan.steps:
            more = st.number_input(
                "More minutes", min_value=1, max_value=_MOST_MORE, value=USUAL_MORE, step=1,
                key="more minutes", width=150, disabled=not here,
            )  # fmt: skip
            if st.button(
                "Train on", icon=":material/more_time:", key="train on",
                disabled=not here or at_it is not None,
            ):  # fmt: skip
                _go_on(training, float(more))
        if not training.active:
            with st.popover("Delete", icon=":material/delete:", disabled=not here):
                st.markdown(
                    f"This deletes the model **{plain(training.name)}** and its curves from this "
                    "computer. Runs that asked it stay as they are."
                )
                if st.button("Delete this training", key="delete training"):
                    _delete(training)
    if not training.active and at_it is not None and here:
        st.caption(plain(f"“{at_it.name}” is being trained. {ONE_AT_A_TIME}"))


def _go_on(training: JobState, more_minutes: float) -> None:
    try:
        go_on(training.directory, more_minutes, queue=default_database())
    except TrainingError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.rerun()


def _delete(training: JobState) -> None:
    try:
        remove(training.directory)
    except TrainingError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.query_params.pop("training", None)
    st.rerun()
