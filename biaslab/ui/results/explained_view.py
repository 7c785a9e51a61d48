"""What simple strategies get on the problems of a run, beside the model's effect."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from biaslab.models import learner_spec
from biaslab.runs import RunRecord
from biaslab.stats import Estimate, InvalidRule
from biaslab.stats.beside_effects import StrategyShare
from biaslab.studies import Experiment
from biaslab.studies.study import outcome_scale
from biaslab.ui.results.run_labels import labels
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import interval_words, signed_number, signed_points

_MEANING = (
    "Each strategy is asked the very same problems and knows nothing of what they are about. "
    "**The rest** is the model's difference minus the strategy's, pair by pair: near 0, the "
    "strategy explains the effect; as large as the model's effect, it explains none of it. "
    "Brackets: 95 % intervals."
)


def draw_explained(
    study: Experiment, runs: Sequence[RunRecord], invalid: InvalidRule, name: str
) -> None:
    """A folded table of the study's simple strategies, over all pairs, made when it is opened."""
    if not study.baselines or not any(run.answered for run in runs):
        return
    panel = st.expander(
        "What simple strategies get on the same problems",
        key=f"strategies {name}",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        with st.spinner("Asking simple strategies the same problems …"):
            found = {
                run.id: queries.explained_of(queries.OutcomesState.of(run), invalid) for run in runs
            }
        called = labels(runs)
        every = [(called[run.id], each) for run in runs for each in found[run.id]]
        rows = [(called, each) for called, each in every if each.n]
        if not rows:
            st.caption("No strategy can be applied to these problems.")
            return
        table = explained_table(rows, right_or_wrong=outcome_scale(study.name) is None)
        if len(runs) == 1:
            table = table.drop(columns=["Model"])
        st.table(table.set_index(table.columns[0]))
        st.caption(_MEANING)
        left = [
            f"{queries.model_label(learner_spec(each.strategy))}: {each.left_out:,}"
            for _, each in every
            if each.left_out
        ]
        if left:
            st.caption(plain(f"Pairs that a strategy cannot be applied to: {'; '.join(left)}."))
        if any(run.looks or run.options.samples > 1 for run in runs):
            st.caption(
                "Several answers to a problem count as their mean here, and these intervals do not "
                "allow for looking at a run while it goes on."
            )


def explained_table(
    rows: Sequence[tuple[str, StrategyShare]], *, right_or_wrong: bool = True
) -> pd.DataFrame:
    """A row a run and strategy; effects in points, or on the study's scale."""

    def words(estimate: Estimate) -> str:
        shown = signed_points if right_or_wrong else signed_number
        ends = estimate.interval
        if ends is None:
            return shown(estimate.mean)
        if right_or_wrong:
            return f"{shown(estimate.mean)} ({interval_words(ends.low, ends.high)})"
        return f"{shown(estimate.mean)} ({shown(ends.low)} to {shown(ends.high)})"

    return pd.DataFrame(
        {
            "Model": [plain(called) for called, _ in rows],
            "Strategy": [queries.model_label(learner_spec(each.strategy)) for _, each in rows],
            "Pairs": [each.n for _, each in rows],
            "Model's effect": [words(each.model) for _, each in rows],
            "Strategy's effect": [words(each.own) for _, each in rows],
            "The rest": [words(each.rest) for _, each in rows],
        }
    )
