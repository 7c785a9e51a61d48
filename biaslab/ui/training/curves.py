"""The curves of a training: its loss, how often it is right, and the effect, by minutes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st

from biaslab.charts.chart import Chart
from biaslab.charts.training.curves import (
    Course,
    Loss,
    accuracy_course_chart,
    cate_course_chart,
    loss_chart,
)
from biaslab.training.heartbeat import ProgressCheck, TrainingProgress
from biaslab.ui.training.measures import (
    ASIDE,
    STRATEGIES,
    accuracy_courses,
    arms,
    cate_courses,
    steps_of,
    strategies,
    studies,
)
from biaslab.ui.training.words import study_question
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice
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
