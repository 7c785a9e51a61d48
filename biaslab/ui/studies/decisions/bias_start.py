"""Decision biases before any run: what to do, and a first run at one click."""

from __future__ import annotations

from biaslab.studies import Design
from biaslab.studies.decisions.results import STUDY
from biaslab.ui.ask.first_run import FirstRun, draw_first_run
from biaslab.ui.widgets.words import count

PAIRS = 600


def draw_start() -> None:
    """Says what to do; shows a run that is under way until it has answers."""
    # It draws lots, so 19 of 20 scores lie in the band of random answers.
    draw_first_run(
        FirstRun(
            Design(STUDY, PAIRS, 2),
            "learner:random",
            "choose",
            "No model has been asked for a decision yet. Run the demo, or compose the study and "
            "choose a model.",
            f"Puts {count(PAIRS, 'pair')} to a **simulated learner** that draws lots: it shows "
            "what no bias and much noise look like, and says nothing about any real model.",
            {"study": STUDY, "n": str(PAIRS)},
        )
    )
