"""The trainings of this machine, each with its state and a link."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.training.jobs import JobState
from biaslab.ui.navigation import TRAINING_LAB
from biaslab.ui.training.words import STATUSES, length, mix_label, share_done
from biaslab.ui.widgets.address import integer
from biaslab.ui.widgets.choosing import ListEntry, draw_links
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import percent

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


def draw_list(trainings: Sequence[JobState], shown: str) -> None:
    """Draws the list, the newest first.

    Args:
        trainings: all of them.
        shown: name of the one that the page shows, "" for none.
    """
    st.header("Trainings on this computer", anchor=False)
    if not trainings:
        st.info(
            "Nothing has been trained here yet. Choose what a model is to be taught, give it five "
            "minutes, and start."
        )
        return
    pages = -(-len(trainings) // ON_A_PAGE)
    names = [training.name for training in trainings]
    at = names.index(shown) // ON_A_PAGE + 1 if shown in names else 1
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
                training.name == shown,
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
