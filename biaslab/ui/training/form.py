"""Setting a training up: its mix, name, minutes and seed, and the button that starts it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from biaslab.studies.study import LARGEST_SEED
from biaslab.system.places import default_database
from biaslab.system.roles import May
from biaslab.training.jobs import JobState, start_job
from biaslab.training.mix import LessonMix, mix_name
from biaslab.training.plan import LONGEST_NAME, TrainingError, TrainingPlan
from biaslab.ui.navigation import action_row
from biaslab.ui.training.examples import draw_examples
from biaslab.ui.training.mix import draw_explanation, draw_mix, draw_picture, mix_words
from biaslab.ui.training.queries import busy, directory_of, first_weights, is_free, name_fault
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.address import Parameter, integer
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

USUAL_MINUTES = 5
LONGEST_MINUTES = 600
CHECKS = 10
"""Checks on unseen pairs in a training, the last at its end."""

FEWEST_MINUTES_BETWEEN = 0.5
"""Between two checks: asking takes time that is not spent training."""

ELSEWHERE = (
    "You are a visitor and can watch what is trained. A training is started, stopped and deleted "
    "by the person at the computer that runs BiasLab, whose cores and disk it uses. "
    f"{visitor.PROVE_IT}"
)
ONE_AT_A_TIME = (
    "One training at a time: two would share this computer's cores, so each would learn less in "
    "its minutes, and they could not be compared."
)


def seed_parameter() -> Parameter[int]:
    """The seed as it stands in the address."""
    return integer("seed", 1, 1, LARGEST_SEED)


def draw_form(trainings: Sequence[JobState]) -> None:
    """Draws everything that is set before a training starts."""
    action = action_row()
    with st.container(border=True):
        st.header("1. What it is taught", anchor=False)
        mix = draw_mix()
        if mix is not None:
            draw_picture(mix)
            with st.expander("In words"):
                draw_explanation(mix)
                st.markdown(plain(mix_words(mix)))
    if mix is None:
        return
    with st.expander("Two of its lessons"):
        st.caption(
            "Of the kinds that are commonest in this mix. The model is shown the text and taught "
            "to say the answer, or the calculation and the answer."
        )
        draw_examples(mix, seed_parameter().value)
    with st.container(border=True):
        st.header("2. Train it", anchor=False)
        _draw_start(mix, trainings, action)


def _draw_start(mix: LessonMix, trainings: Sequence[JobState], action: DeltaGenerator) -> None:
    minutes = integer("minutes", USUAL_MINUTES, 1, LONGEST_MINUTES)
    seed = seed_parameter()
    name = Parameter("name", free_name(mix, seed.value), lambda text: text.strip() or None)
    one, two, three = st.columns([2, 1, 1])
    one.text_input(
        "Name", max_chars=LONGEST_NAME, help="Letters, digits and hyphens; the model is then "
        "called tiny:NAME. Take no name of a person.", **name.bind(),
    )  # fmt: skip
    two.number_input(
        "Minutes", min_value=1, max_value=LONGEST_MINUTES, step=1,
        help="Of training. Asking unseen pairs on the way comes on top.", **minutes.bind(),
    )  # fmt: skip
    three.number_input(
        "Seed", min_value=1, max_value=LARGEST_SEED, step=1,
        help="The same seed draws the same lessons. Train with another seed to see how much of a "
        "figure is chance.", **seed.bind(),
    )  # fmt: skip
    fault = name_fault(name.value)
    if fault:
        st.error(plain(fault), icon=":material/error:")
    at_it = busy(trainings)
    if not visitor.may(May.TRAIN):
        st.info(ELSEWHERE, icon=":material/computer:")
    elif at_it is not None:
        st.info(plain(f"“{at_it.name}” is being trained. {ONE_AT_A_TIME}"))
    pressed = action.button(
        "Start training",
        type="primary",
        icon=":material/play_arrow:",
        key="start training",
        disabled=bool(fault) or at_it is not None or not visitor.may(May.TRAIN),
    )
    action.markdown(
        f"**{plain(name.value)}**: {count(minutes.value, 'minute')} of training, seed {seed.value}"
    )
    _draw_beginning()
    if pressed:
        try:
            start_job(
                plan_of(mix, seed.value, minutes.value),
                directory_of(name.value),
                queue=default_database(),
            )
        except TrainingError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        st.query_params.from_dict({"training": name.value})
        st.rerun()
    with st.expander("The same on the command line"):
        st.code(
            f"biaslab train --mix {mix.text} --seed {seed.value} --minutes {minutes.value} "
            f"--out {name.value}",
            language=None,
            wrap_lines=True,
        )


def plan_of(mix: LessonMix, seed: int, minutes: int) -> TrainingPlan:
    """What such a training is to do."""
    between = max(FEWEST_MINUTES_BETWEEN, minutes / CHECKS)
    return TrainingPlan(mix, seed, float(minutes), start=first_weights(), check_every=between)


def free_name(mix: LessonMix, seed: int) -> str:
    """A name that no training here has: the mix, the seed and, where needed, a number."""
    stem = f"my-{mix_name(mix)}-{seed}"
    number = 1
    while not is_free(name := stem if number == 1 else f"{stem}-{number}"):
        number += 1
    return name


def _draw_beginning() -> None:
    if first_weights() is None:
        st.caption(
            "This copy of BiasLab has no start model, so the training begins from nothing: it "
            "has to learn to calculate first and needs far longer."
        )
        return
    st.caption(
        "In the background, on one core; nothing leaves this computer.",
        help="It goes on from a start that can already calculate and has seen no mix.",
    )
