"""What the page Decision biases reads and works out, kept until the runs change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from biaslab.charts.decisions.profile import ScoredRun
from biaslab.runs import CustomText, RunRecord, custom_texts
from biaslab.stats.effects import ALL
from biaslab.studies.decisions.biases import Bias, bias, bias_paths, biases, read_bias, scales
from biaslab.studies.decisions.results import (
    STUDY,
    BiasScore,
    OptionCount,
    bias_profile,
    option_counts,
)
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.choosing import distinct_labels
from biaslab.ui.widgets.queries import OutcomesState

if TYPE_CHECKING:
    import pandas as pd


def study_runs() -> list[RunRecord]:
    """Runs of decisions that have something to show, the newest first."""
    return [run for run in queries.runs_with_answers() if run.study == STUDY]


def own() -> dict[str, CustomText]:
    """The biases that people keep, by id."""
    return {each.id: each for each in custom_texts(queries.store())}


def names() -> dict[str, str]:
    """What every bias is called, by id: those of the app by name, then people's own.

    No two are called the same.
    """
    shipped = sorted(biases().values(), key=lambda each: each.name)
    named = {each.id: each.name for each in shipped}
    return distinct_labels(named | {each.id: f"{each.name} (your own)" for each in own().values()})


def find(bias_id: str) -> Bias:
    """The bias of this id.

    Raises:
        BiasError: there is none, or it cannot be read.
    """
    if bias_id in bias_paths():
        return bias(bias_id)
    found = own().get(bias_id)
    return bias(bias_id) if found is None else read_bias(found.text, scales())


@st.cache_data(show_spinner=False, max_entries=32)
def scores(state: OutcomesState, by: str = "bias", only: str = "") -> dict[str, BiasScore]:
    """Scores of a run as it stands, by stratum value; ``all`` holds all pairs.

    Args:
        state: of the run.
        by: the stratum.
        only: id of the one bias that counts; all of them where it is empty.
    """
    items = _items(state)
    if only:
        items = items[[strata.get("bias") == only for strata in items["strata"]]]
    if items.empty:
        return {}
    return {score.bias: score for score in bias_profile(items, by)}


@st.cache_resource(show_spinner=False, max_entries=4)
def _items(state: OutcomesState) -> pd.DataFrame:
    return queries.store().answered_items([state.run])


@st.cache_data(show_spinner=False, max_entries=64)
def counts(state: OutcomesState, bias_id: str, _bias: Bias) -> list[OptionCount]:  # noqa: ARG001
    """Which options of a bias were chosen in a run as it stands; kept by the bias's id."""
    return option_counts(_items(state), _bias)


def scored_run(run: RunRecord, label: str) -> ScoredRun:
    """A run with its scores by bias, under a label that no other run of the page has."""
    found: Mapping[str, BiasScore] = scores(OutcomesState.of(run))
    by_bias = {name: score for name, score in found.items() if name != ALL}
    return ScoredRun(label, str(run.model_kind), by_bias)
