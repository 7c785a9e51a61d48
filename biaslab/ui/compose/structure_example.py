"""A problem of a structure while its pairs cannot be made: what is being built stays in sight."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.problems import DesignError, Draws, Problem, solve, write
from biaslab.problems.quantities import NumberRange
from biaslab.studies import Design, Experiment
from biaslab.studies.settings import range_of
from biaslab.studies.word_problems.composer.composing import Composer
from biaslab.studies.word_problems.composer.study import NUMBERS, Composed
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED

_ATTEMPTS = 100
_WIDER = NumberRange(2, 99)
"""Tried where the design's own range holds no numbers."""


def draw_instead(study: Experiment, design: Design) -> None:
    """Says that there are no pairs yet, with an example problem where the structure has one."""
    if design.study == IMPORTED:
        st.info("Choose a set of pairs at the left. A set is made by importing a file of pairs.")
        return
    problem = example_problem(study, design)
    if problem is None:
        st.info("The pairs appear here as soon as the settings give some.")
        return
    st.info(
        "There are no pairs yet: see the reason beside the settings. This is a problem of the "
        "structure by itself."
    )
    st.html(
        '<section class="bl bl-card" aria-label="Example problem">'
        f'<p class="bl-text">{html.escape(str(write(problem)))}</p>'
        f'<p class="bl-foot">Right answer: <b>{solve(problem).answer}</b></p></section>'
    )


def example_problem(study: Experiment, design: Design) -> Problem | None:
    """One problem of the design's structure; None where there is none, or no structure."""
    if not isinstance(study, Composed):
        return None
    try:
        plan = study.plan(design)
        try:
            ranges = [NumberRange(*range_of(design, NUMBERS)), _WIDER]
        except DesignError:
            ranges = [_WIDER]
        for numbers in ranges:
            composer = Composer(plan, numbers, Draws(f"example/{design.seed}"))
            for _ in range(_ATTEMPTS):
                problem = composer.draw()
                if problem is not None:
                    return problem
    except DesignError:
        return None
    return None
