"""What the page Concepts reads and works out, kept until the runs change."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from biaslab.charts.concepts.results import Curve
from biaslab.runs import RunRecord
from biaslab.stats import InvalidRule
from biaslab.stats.comparisons.comparisons import EffectSpread
from biaslab.studies import Design, Pair
from biaslab.studies.concepts.answers import STUDY, Fits, RunAnswers, run_answers, strategy_fits
from biaslab.studies.concepts.results import (
    ConceptAccuracy,
    ConceptFigures,
    Gap,
    between_wordings,
    by_concept,
    by_distance,
    explicit_gains,
    gaps_by_concept,
    gaps_by_wording,
    up_down_gaps,
    warnings_of,
)
from biaslab.studies.concepts.study import EXPERIMENT
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.queries import OutcomesState


@dataclass(frozen=True, slots=True)
class ConceptResults:
    """Everything that one run shows.

    Attributes:
        figures: of every concept and way of saying it; curves: by distance.
        gaps: first minus second concept by semantics; by_concept, by_wording: the same by concept,
            or wording, too.
        spreads: how far wordings lie apart, by semantics.
        fits: how well simple strategies fit the answers.
        warnings: why its probabilities are not to be believed.
    """

    figures: tuple[ConceptFigures, ...]
    curves: tuple[Curve, ...]
    gaps: tuple[Gap, ...]
    by_concept: tuple[Gap, ...]
    by_wording: tuple[Gap, ...]
    spreads: tuple[tuple[str, EffectSpread], ...]
    fits: tuple[Fits, ...]
    warnings: tuple[str, ...]


def study_runs() -> list[RunRecord]:
    """Runs of this study that have something to show, the newest first."""
    return [run for run in queries.runs_with_answers() if run.study == STUDY]


@st.cache_resource(show_spinner=False, max_entries=8)
def _answers(state: OutcomesState) -> RunAnswers | None:
    """The answers of a run as they stand; shared, so never to be changed."""
    items = queries.store().answered_items([state.run])
    return next(iter(run_answers(items)), None) if len(items) else None


@st.cache_data(show_spinner="Working out the figures …", max_entries=32)
def results(state: OutcomesState, invalid: InvalidRule) -> ConceptResults | None:
    """The figures of a run as it stands; None where nothing was asked."""
    run = _answers(state)
    if run is None:
        return None
    curves: dict[tuple[str, str], dict[str, ConceptAccuracy]] = {}
    for (semantics, arm, name), found in by_distance(run, invalid).items():
        curves.setdefault((arm, semantics), {})[name] = found
    return ConceptResults(
        tuple(by_concept(run, invalid)),
        tuple(Curve(arm, semantics, bins) for (arm, semantics), bins in curves.items()),
        tuple(up_down_gaps(run, invalid)),
        tuple(gaps_by_concept(run, invalid)),
        tuple(gaps_by_wording(run, invalid)),
        tuple(between_wordings(run, invalid)),
        tuple(strategy_fits(run)),
        tuple(warnings_of(run)),
    )


@st.cache_data(show_spinner=False, max_entries=32)
def gains(states: tuple[OutcomesState, ...], invalid: InvalidRule) -> list[Gap]:
    """Explicit minus hidden over the runs chosen, where the same numbers were asked in both."""
    found = [run for run in map(_answers, states) if run is not None]
    return explicit_gains(found, invalid)


def first_pair(design: Design) -> Pair:
    """The first pair of a design; needs no file of runs.

    Raises:
        DesignError: there are none.
    """
    return next(EXPERIMENT.pairs(design))
