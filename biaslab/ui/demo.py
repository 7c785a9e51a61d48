"""The demo: one study, one small model, one click."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.experiments import Design
from biaslab.models import ModelError, identify
from biaslab.runs import RunRecord
from biaslab.ui import asking
from biaslab.ui.asking import STAND_IN, TINY

STUDY = "consistency"
STRATEGY = "cot"
PAIRS = 200
_STEPS = (1, 2, 3)
"""Reasoning steps where the tiny model is neither sure nor lost: where wording can matter."""


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo asks here.

    Attributes:
        design: its pairs; model: who is asked.
        why_not_tiny: why it is a simulated learner, or empty.
    """

    design: Design
    model: str
    why_not_tiny: str


def demo() -> Demo:
    """The demo with the best model that is there."""
    try:
        identify(TINY)
        able = [s for s in _STEPS if not asking.cannot(TINY, STUDY, [s], STRATEGY)]
    except ModelError as error:
        return Demo(_design((_STEPS[0], _STEPS[-1])), STAND_IN, str(error))
    if not able:
        return Demo(
            _design((_STEPS[0], _STEPS[-1])),
            STAND_IN,
            "The tiny model was not trained on this study.",
        )
    return Demo(_design((able[0], able[-1])), TINY, "")


def run_of(demo: Demo, runs: list[RunRecord]) -> RunRecord | None:
    """The newest run of exactly this demo with the model as it is now."""
    revision = identify(demo.model).revision
    for run in runs:
        same = run.design == demo.design and run.strategy == STRATEGY
        if same and run.model_spec == demo.model and run.model_revision == revision:
            return run
    return None


def _design(steps: tuple[int, int]) -> Design:
    return Design(STUDY, PAIRS, 1, {"steps": f"{steps[0]}-{steps[1]}"})
