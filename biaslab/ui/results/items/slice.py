"""The effect over the pairs that a person filtered."""

from __future__ import annotations

import streamlit as st

from biaslab.runs import RunRecord
from biaslab.stats import Effect
from biaslab.studies import Experiment
from biaslab.studies.study import outcome_scale
from biaslab.ui.results.item_list import Selection
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import (
    count,
    exact_percent,
    interval_words,
    signed_number,
    signed_points,
)

_EXPLORATORY = (
    "A slice that is chosen after looking at results is exploratory: interval and n do not allow "
    "for the choice. Ask new pairs to confirm it."
)
_BY_OUTCOME = (
    "Pairs that were chosen by how they came out have no effect to speak of: the choice decides it."
)


def draw_slice(
    run: RunRecord, selection: Selection, study: Experiment, *, by_outcome: bool = False
) -> None:
    """Says the effect over the filtered pairs, where some are left out.

    Args:
        run: the run.
        selection: its pairs that are left.
        study: the run's.
        by_outcome: whether they were chosen by what came of them, patterns aside.
    """
    if selection.patterns or by_outcome:
        st.caption(_BY_OUTCOME)
        return
    if not selection.strata and not selection.search and selection.only is None:
        return
    with shown_errors():
        effect = queries.effect_of_slice(
            queries.OutcomesState.of(run),
            selection.strata,
            selection.sample,
            selection.search,
            selection.only,
            selection.noted,
        )
        if effect is not None:
            st.caption(f"**{plain(slice_words(effect, study))}** {_EXPLORATORY}")


def slice_words(effect: Effect, study: Experiment) -> str:
    """The effect over a slice in one line."""
    pairs = count(effect.n, "pair")
    if effect.cate is None:
        return f"In this slice: no pair has both its answers yet ({pairs})."
    scale = outcome_scale(study.name)
    if scale is None:
        size, spread = (
            f"{signed_points(effect.cate)} points",
            interval_words(effect.ci_low, effect.ci_high),
        )
    else:
        size = f"{signed_number(effect.cate)} {scale.unit}"
        spread = f"{signed_number(effect.ci_low)} to {signed_number(effect.ci_high)}"
    interval = (
        "no interval can be determined"
        if effect.ci_low is None
        else f"{exact_percent(effect.confidence)} interval {spread}"
    )
    return (
        f"In this slice: “{study.arms.x}” less “{study.arms.x_prime}” {size}, {interval}, {pairs}."
    )
