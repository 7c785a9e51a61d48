"""Malgorithms before there is anything to show: what to do, and a demo at one click."""

from __future__ import annotations

from biaslab.studies import Design
from biaslab.studies.malgorithm.answers import STUDY
from biaslab.ui.ask.first_run import FirstRun, draw_first_run
from biaslab.ui.widgets import kept
from biaslab.ui.widgets.words import count, plain

LEARNER = "learner:key-drawn"
"""Asked by the demo: a simulated learner that often takes the right way for a wrong one."""

PAIRS = 300


def draw_start() -> None:
    """Says what to do; shows a run that is under way until it has answers."""
    draw_first_run(
        FirstRun(
            Design(STUDY, PAIRS, 1),
            LEARNER,
            "cot",
            "No model has been asked yet why answers are wrong. Run the demo, or compose the "
            "study and choose a model.",
            f"Puts {count(PAIRS // 3, 'question')} with four choices each to a **simulated "
            f"learner** (“{plain(kept.model_label(LEARNER))}”): a program that makes known "
            "mistakes with known chances. It shows what the page can show, and says nothing "
            "about any real model.",
            {"study": STUDY},
        )
    )
