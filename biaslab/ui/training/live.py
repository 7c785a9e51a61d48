"""One training: how far it is, what can be done with it, and its curves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from biaslab.charts.chart import Chart
from biaslab.charts.training import (
    Course,
    Loss,
    accuracy_course_chart,
    cate_course_chart,
    loss_chart,
)
from biaslab.runs.jobs.queue import JobKind, QueuedWork
from biaslab.system.places import default_database
from biaslab.system.roles import May
from biaslab.training.heartbeat import ProgressCheck, TrainingProgress
from biaslab.training.jobs import JobState, ask_to_stop, go_on, remove
from biaslab.training.plan import TrainingError
from biaslab.ui.navigation import LINK, TRAINING_LAB, link
from biaslab.ui.training.form import ELSEWHERE, ONE_AT_A_TIME, busy, can_be_asked
from biaslab.ui.training.results import draw_results, draw_ways_on
from biaslab.ui.training.words import (
    ASIDE,
    RESUMABLE,
    STATUSES,
    STRATEGIES,
    accuracy_courses,
    arms,
    cate_courses,
    length,
    mix_label,
    progress_words,
    ratios,
    share_done,
    steps_of,
    strategies,
    studies,
    study_question,
)
from biaslab.ui.widgets import choosing, visitor
from biaslab.ui.widgets.address import choice, typed
from biaslab.ui.widgets.cards import facts_list, figures, waiting_words
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count


def draw_curves(
    progress: Sequence[TrainingProgress], checks: tuple[ProgressCheck, ...], *, going_on: bool
) -> None:
    """Draws a section a study, and the loss last.

    Args:
        progress: lines so far.
        checks: checks so far.
        going_on: whether more may come by itself.
    """
    if not checks:
        if going_on:
            st.info(
                "The curves of right answers and of the effect begin with the first check on "
                "unseen pairs."
            )
        elif progress:
            st.info(
                "No check on unseen pairs was made on the way, so there are no curves of right "
                "answers."
            )
    else:
        steps = _draw_steps(steps_of(checks))
        for study in studies(checks):
            if study in ASIDE:
                with st.expander(study_question(study)):
                    _draw_study(study, checks, steps)
            else:
                _draw_study(study, checks, steps)
    if progress:
        losses = tuple(Loss(line.minute, line.loss) for line in progress)
        draw_chart(_loss(losses, is_dark()), "training loss")


def _draw_steps(there: list[int]) -> int:
    options = [str(steps) for steps in there]
    parameter = choice("steps", options, options[0])
    if len(options) > 1:
        choosing.segmented_control(
            "Problems with",
            options,
            format_func=lambda text: count(int(text), "step"),
            required=True,
            **parameter.bind(),
        )
    return int(parameter.value)


def _draw_study(study: str, checks: tuple[ProgressCheck, ...], steps: int) -> None:
    effects = cate_courses(checks, study, steps)
    if not any(course.points for course in effects):
        return
    st.header(plain(study_question(study)), anchor=False)
    members = arms(study)
    title = f"How much easier is “{members.x}” than “{members.x_prime}”?"
    draw_chart(_cate(title, effects, is_dark()), f"training effect {study}")
    asked = strategies(cell for check in checks for cell in check.cells if cell.study == study)
    columns = st.columns(len(asked), gap="medium")
    for column, strategy in zip(columns, asked, strict=True):
        with column:
            words = STRATEGIES.get(strategy, strategy)
            draw_chart(
                _accuracy(
                    f"How often right, {words}",
                    accuracy_courses(checks, study, strategy, steps),
                    is_dark(),
                ),
                f"training accuracy {study} {strategy}",
            )


# A screen draws itself every second while a training is at it, and the training needs the machine:
# what has not changed is not drawn anew.


@lru_cache(maxsize=32)
def _loss(losses: tuple[Loss, ...], dark: bool) -> Chart:
    return loss_chart(losses, dark=dark)


@lru_cache(maxsize=64)
def _cate(title: str, courses: tuple[Course, ...], dark: bool) -> Chart:
    return cate_course_chart(title, courses, dark=dark)


@lru_cache(maxsize=128)
def _accuracy(title: str, courses: tuple[Course, ...], dark: bool) -> Chart:
    return accuracy_course_chart(title, courses, dark=dark)


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
    typed("training").set("")
    st.rerun()
