"""The trainings of this machine: which there are, and setting another one up."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from biaslab.models.tiny.model import CARD_FILE, TINY_MODELS
from biaslab.studies.study import LARGEST_SEED
from biaslab.system.places import custom_models, default_database
from biaslab.system.roles import May
from biaslab.training import heartbeat
from biaslab.training.jobs import JobState, look, start_job
from biaslab.training.mix import LessonMix, mix_name
from biaslab.training.plan import (
    LONGEST_NAME,
    PLAN_FILE,
    START,
    BadName,
    TrainingError,
    TrainingPlan,
    WrongDirectory,
    check_name,
)
from biaslab.ui.navigation import TRAINING_LAB, action_row
from biaslab.ui.training.mix import (
    draw_examples,
    draw_explanation,
    draw_mix,
    draw_picture,
    mix_words,
)
from biaslab.ui.training.words import STATUSES, length, mix_label, share_done
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.address import Parameter, integer, set_address
from biaslab.ui.widgets.choosing import ListEntry, draw_links
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, percent


def trainings() -> list[JobState]:
    """All of them, the one that was heard of last first.

    A page asks every second, while a training needs the machine: only those whose files have
    changed are read again, so what a state says of the time since (`JobState.quiet`) may be old.
    """
    found: list[tuple[int, JobState]] = []
    with suppress(OSError):
        for directory in sorted(custom_models().iterdir()):
            with suppress(OSError, WrongDirectory):  # it may be removed just now
                if (directory / PLAN_FILE).exists():
                    written, signature = _signature(directory)
                    found.append((written, _looked(directory, signature)))
    return [job for _, job in sorted(found, key=lambda each: each[0], reverse=True)]


def _signature(directory: Path) -> tuple[int, tuple[object, ...]]:
    """When a file was last written, in nanoseconds, and what the training's state depends on.

    A process renews its own file all the time, which changes nothing.
    """
    files: dict[str, os.stat_result] = {}
    with os.scandir(directory) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # its process has put it in another's place just now
                files[entry.name] = entry.stat()
    written = max((file.st_mtime_ns for file in files.values()), default=0)
    files.pop(heartbeat.PROCESS_FILE, None)
    there = heartbeat.is_alive(directory), heartbeat.is_left_behind(directory)
    sizes = sorted((name, file.st_size, file.st_mtime_ns) for name, file in files.items())
    return written, (*there, *sizes)


@lru_cache(maxsize=256)
def _looked(directory: Path, signature: tuple[object, ...]) -> JobState:
    del signature
    return look(directory)


def directory_of(name: str) -> Path:
    """Where a training of this name lives, or would."""
    return custom_models() / name


def busy(there: Sequence[JobState]) -> JobState | None:
    """The training that a process is at, if any is."""
    return next((job for job in there if job.active), None)


def can_be_asked(job: JobState) -> bool:
    """Whether its model is one that studies can ask: it was measured and has a card."""
    return (job.directory / CARD_FILE).exists()


def first_weights() -> Path | None:
    """The start that trainings go on from; None where this copy of the app has none."""
    return START if (START / "config.json").exists() else None


def is_free(name: str) -> bool:
    """Whether neither a model of the app nor a training here has this name."""
    return not directory_of(name).exists() and not (TINY_MODELS / name).exists()


def name_fault(name: str) -> str:
    """Why a new training cannot be called so, in a sentence; empty where it can."""
    try:
        name = check_name(name)
    except BadName as error:
        return str(error)
    if directory_of(name).exists():
        return (
            f"There is a training “{name}” on this computer already: choose another name, or go "
            "on with that one from the list."
        )
    return ""


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
        set_address({"training": name.value})
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


ON_A_PAGE = 8
"""Trainings in the list at a time."""

_ICONS = {
    "running": ":material/sync:",
    "stopping": ":material/pending:",
    "stopped": ":material/pause_circle:",
    "interrupted": ":material/power_off:",
    "finished": ":material/check_circle:",
    "failed": ":material/error:",
}


def draw_list(trainings: Sequence[JobState], chosen_id: str) -> None:
    """Draws the list, the newest first.

    Args:
        trainings: all of them.
        chosen_id: name of the one that the page shows, "" for none.
    """
    st.header("Trainings on this computer", anchor=False)
    if not trainings:
        st.info("Nothing has been trained here yet.")
        return
    pages = -(-len(trainings) // ON_A_PAGE)
    names = [training.name for training in trainings]
    at = names.index(chosen_id) // ON_A_PAGE + 1 if chosen_id in names else 1
    where = integer("list", at, 1, pages)
    start = (where.value - 1) * ON_A_PAGE
    draw_links(
        TRAINING_LAB,
        [
            ListEntry(
                training.name,
                {"training": training.name},
                _ICONS[training.status],
                plain(list_words(training)),
                training.name == chosen_id,
            )
            for training in trainings[start : start + ON_A_PAGE]
        ],
    )
    if pages > 1:
        st.pagination(pages, max_visible_pages=3, **where.bind())


def list_words(training: JobState) -> str:
    """State, mix, seed and length in a line."""
    words = STATUSES[training.status].name
    plan = training.plan
    if plan is None:
        return words
    if training.active and training.progress:
        words += f" ({percent(share_done(plan, training.progress), 0)})"
    return f"{words} · {mix_label(plan)} · seed {plan.seed} · {length(plan)}"
